"""Which project a directory belongs to, what the registry knows of it, and how its files are named."""
