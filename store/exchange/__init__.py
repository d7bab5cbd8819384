"""Memory in and out: a module for each format, which turns foreign lines into a patch."""
