"""Rendering: rulebooks as text and Markdown, and differences between two of them."""
