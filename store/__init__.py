"""Memory on disk: models, the revision log, patches, projects and projections.

Knows nothing of agents, people or screens. The reading side is plain Python; pydantic guards
the writing side.
"""
