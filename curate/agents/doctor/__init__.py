"""What `curate doctor` looks at: the store and the hook, each agent, and on request the way through a real client."""
