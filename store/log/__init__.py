"""The revision log: reading, folding, writing, recovering and checking append-only JSONL."""
