"""A throw-away world to try everything in: small git repositories, and transcripts of some weeks of work in them."""
