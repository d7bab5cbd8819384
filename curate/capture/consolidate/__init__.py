"""Consolidation by a model: optional, off by default, and never more than a proposal.

Bounded, masked words of a person are sent to the one endpoint or command that the settings name. What comes back is
hostile text: checked against what the person said, and kept as inferred candidates that a person must approve.
"""
