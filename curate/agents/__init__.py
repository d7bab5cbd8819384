"""What coding agents call."""
