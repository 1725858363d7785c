"""Simulation reports for readers: text for the terminal, and an HTML page with charts."""

from __future__ import annotations

from wongar_dsl.reports.document import ReportDocument
from wongar_dsl.reports.making import document
from wongar_dsl.reports.page import page
from wongar_dsl.reports.telling import lines

__all__ = ["ReportDocument", "document", "lines", "page"]
