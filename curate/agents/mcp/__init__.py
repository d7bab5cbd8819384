"""Memory for anything that speaks the Model Context Protocol; needs the extra `mcp`."""
