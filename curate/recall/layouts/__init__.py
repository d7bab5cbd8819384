"""Layouts: the same selection as different blocks. Their headings are wire format."""
