"""PO files for translators: templates, stubs, updates."""
