"""Renderers: SVG and HTML pages."""
