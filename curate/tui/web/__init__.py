"""The review app served to a browser; needs the extra `web`."""
