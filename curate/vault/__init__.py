"""The Obsidian vault: read with care, suggested from, promoted into its staging folder, and never written elsewhere."""
