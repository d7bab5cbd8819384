"""A store made by an older curate is brought to this one's form: on a copy, step by step, and only when asked."""
