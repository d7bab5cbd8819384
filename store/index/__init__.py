"""The index: what search works on, derived from the logs and thrown away at any doubt. Standard library only."""
