"""From transcripts to candidates: read, find what the person said, decide what may deserve to be remembered."""
