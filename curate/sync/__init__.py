"""The store under git: one commit for each patch, machines that meet in the middle, and a history that can forget."""
