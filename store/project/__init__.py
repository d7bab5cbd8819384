"""Which project a directory belongs to, and how projects are named."""
