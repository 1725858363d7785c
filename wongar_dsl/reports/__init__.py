"""Simulation reports for readers: text for the terminal, and an HTML page with charts."""

from __future__ import annotations

from wongar_dsl.reports.document import Document
from wongar_dsl.reports.making import document
from wongar_dsl.reports.page import page
from wongar_dsl.reports.telling import lines

__all__ = ["Document", "document", "lines", "page"]
