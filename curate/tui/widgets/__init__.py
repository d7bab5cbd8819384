"""Parts of the review screen, each drawn from the session."""
