"""View models of pages."""
