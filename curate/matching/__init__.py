"""When two statements ask for the same thing, and when they cannot both hold."""
