"""Simulation reports for readers: text for the terminal, and an HTML page with charts."""

from __future__ import annotations

from wongar_dsl.lab.reports.assemble_document import build_document
from wongar_dsl.lab.reports.document import ReportDocument, html_page, lines

__all__ = ["ReportDocument", "build_document", "html_page", "lines"]
