"""The review app: screens draw a session and hand keys to it; what is decided lives in `curate.review`."""
