"""Recall: the right memory for one turn, with the reason for each line and for each silence.

`planner.plan` decides, a layout renders, the journal keeps what was sent. Standard library only: hook, command line,
service and app call the very same code.
"""
