"""Upkeep: what has aged, is overdue, said twice, never used, or ripe for more. It proposes, and never does."""
