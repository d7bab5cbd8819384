"""What is approved, as Markdown for people and agents: made from the records alone, and never read back."""

from store.projection.files import Drift, Foreign, Rendered, check, drift, render

__all__ = ["Drift", "Foreign", "Rendered", "check", "drift", "render"]
