"""Whole screens: the review, the preview of what will be written, the history, one memory, the help."""
