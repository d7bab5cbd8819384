"""The HTTP service: recall, capture and outcomes for programs that speak HTTP; needs the extra `serve`."""
