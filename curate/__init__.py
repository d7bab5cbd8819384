"""What people and agents do with memory: capture it, review it, recall it. The memory itself is the package `store`."""

__version__ = "0.1.0"
