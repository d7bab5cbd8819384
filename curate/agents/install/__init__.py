"""Connecting agents: what is written into whose files, shown before, merged without touching anything else, and taken
out again.

`jsonc` and `edit` change JSON settings as text; `pieces` says what an agent needs; `plan` decides, `apply` writes,
`receipt` remembers. The agents themselves are modules of `curate.agents.clients`.
"""
