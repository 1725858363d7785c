"""Pages, and the worker processes that render them."""
