"""The command line: a module for each group of commands; stdout is for data, stderr for people."""
