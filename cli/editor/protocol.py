"""Conversion of positions and results to types of the Language Server Protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pygls import uris

from wongar_dsl.base.diagnostics import Severity
from wongar_dsl.base.span import Source, Span
from wongar_dsl.language.server.completion import Candidate
from wongar_dsl.language.server.display import Finding, OutlineSymbol
from wongar_dsl.language.server.fixes import ChangedFile, Fix
from wongar_dsl.language.server.symbols import Encoding, TextPosition, column_at, lines_of, units

#: Protocol symbol kind of each sort of declaration.
_SYMBOL_KINDS = {
    "game": types.SymbolKind.Package, "enum": types.SymbolKind.Enum, "value": types.SymbolKind.EnumMember,
    "board": types.SymbolKind.Namespace, "cards": types.SymbolKind.Class, "deck": types.SymbolKind.Array,
    "figure": types.SymbolKind.Object, "table": types.SymbolKind.Array, "shapes": types.SymbolKind.Struct,
    "coverings": types.SymbolKind.Array, "paths": types.SymbolKind.Array, "option": types.SymbolKind.Constant,
    "remember": types.SymbolKind.Variable, "score": types.SymbolKind.Number, "track": types.SymbolKind.Array,
    "rule": types.SymbolKind.Function, "effect": types.SymbolKind.Method, "define": types.SymbolKind.Operator,
    "setup": types.SymbolKind.Constructor, "play": types.SymbolKind.Module, "winner": types.SymbolKind.Boolean,
    "change": types.SymbolKind.Property, "choice": types.SymbolKind.Event,
}  # fmt: skip
_COMPLETION_KINDS = {
    "word": types.CompletionItemKind.Keyword, "value": types.CompletionItemKind.EnumMember,
    "enum": types.CompletionItemKind.Enum, "board": types.CompletionItemKind.Module,
    "cards": types.CompletionItemKind.Class, "facekind": types.CompletionItemKind.Class,
    "option": types.CompletionItemKind.Constant, "rule": types.CompletionItemKind.Function,
    "define": types.CompletionItemKind.Function, "message": types.CompletionItemKind.Event,
    "decision": types.CompletionItemKind.Event, "choice": types.CompletionItemKind.Method,
    "attribute": types.CompletionItemKind.Property, "builtin": types.CompletionItemKind.Operator,
    "book": types.CompletionItemKind.Reference, "game": types.CompletionItemKind.File,
    "table": types.CompletionItemKind.Struct,
}  # fmt: skip
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error, Severity.WARNING: types.DiagnosticSeverity.Warning,
}  # fmt: skip


def path_of(uri: str) -> Path:
    """Return the absolute path of a document; for a URI that is no file, a path where no file exists."""
    try:
        path = uris.to_fs_path(uri)
        if path is not None:
            return Path(path).resolve()
    except (ValueError, OSError, RuntimeError):
        pass
    return Path("/", "".join(c if c.isalnum() else "_" for c in uri[:100]))


def from_lsp_position(at: types.Position, lines: Sequence[str], encoding: Encoding) -> TextPosition:
    """Convert a position from the editor."""
    line = lines[at.line] if at.line < len(lines) else ""
    return TextPosition(at.line + 1, column_at(line, at.character, encoding))


def to_lsp_position(at: TextPosition, lines: Sequence[str], encoding: Encoding) -> types.Position:
    """Convert a position for the editor, clamped to the text."""
    line = min(max(at.line, 1), max(len(lines), 1))
    return types.Position(line - 1, units(lines[line - 1] if lines else "", at.column, encoding))


def to_lsp_range(span: Span, lines: Sequence[str], encoding: Encoding) -> types.Range:
    """Convert a span for the editor, clamped to the text."""
    start, end = TextPosition(span.line, span.column), TextPosition(span.end_line, span.end_column)
    return types.Range(to_lsp_position(start, lines, encoding), to_lsp_position(end, lines, encoding))


def from_lsp_range(given: types.Range, source: Source, lines: Sequence[str], encoding: Encoding) -> Span:
    """Convert a range from the editor."""
    start, end = from_lsp_position(given.start, lines, encoding), from_lsp_position(given.end, lines, encoding)
    return Span(source, start.line, start.column, end.line, end.column)


def location(span: Span, path: Path, encoding: Encoding, uri: str | None = None) -> types.Location:
    """Return the location of a span; `uri` is given if the file is open in the editor."""
    return types.Location(uri or path.as_uri(), to_lsp_range(span, lines_of(span.source.text), encoding))


def edits(file: ChangedFile, encoding: Encoding) -> list[types.TextEdit]:
    """Return the text edits for a changed file."""
    lines = lines_of(file.text)
    return [types.TextEdit(to_lsp_range(edit.span, lines, encoding), edit.new) for edit in file.edits]


def action(fix: Fix, uri: str, lines: Sequence[str], encoding: Encoding) -> types.CodeAction:
    """Return the code action that applies a fix."""
    text_edits = [types.TextEdit(to_lsp_range(edit.span, lines, encoding), edit.new) for edit in fix.edits]
    if not fix.files:
        edit = types.WorkspaceEdit({uri: text_edits})
    else:
        changes = [
            types.CreateFile(file.path.as_uri(), options=types.CreateFileOptions(ignore_if_exists=True))
            for file in fix.files
            if file.new
        ]
        texts = ((uri, text_edits), *((file.path.as_uri(), edits(file, encoding)) for file in fix.files))
        changed = [
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(where), list(new))
            for where, new in texts
            if new
        ]
        edit = types.WorkspaceEdit(document_changes=[*changes, *changed])
    return types.CodeAction(fix.title, types.CodeActionKind.QuickFix, edit=edit, is_preferred=fix.preferred)


def can_create_files(editor: types.ClientCapabilities) -> bool:
    """Return whether the editor can create files."""
    workspace = editor.workspace.workspace_edit if editor.workspace is not None else None
    operations = (workspace.resource_operations if workspace is not None else None) or ()
    return types.ResourceOperationKind.Create in operations


def item(candidate: Candidate) -> types.CompletionItem:
    """Return the completion item of a candidate.

    The sort key puts candidates of the expected type first, and names before keywords.
    """
    order = "0" if candidate.wanted and candidate.sort != "word" else "1" if candidate.wanted else "2"
    return types.CompletionItem(
        label=candidate.text,
        kind=_COMPLETION_KINDS.get(candidate.sort, types.CompletionItemKind.Variable),
        detail=candidate.detail or None,
        sort_text=f"{order} {candidate.text}",
    )


def diagnostic(
    finding: Finding, lines: Sequence[str], others: Sequence[types.DiagnosticRelatedInformation], encoding: Encoding
) -> types.Diagnostic:
    """Convert a finding to a protocol diagnostic; its code links it to a fix."""
    source_diagnostic = finding.diagnostic
    return types.Diagnostic(
        range=to_lsp_range(finding.span, lines, encoding),
        message=finding.text,
        severity=_SEVERITIES[source_diagnostic.severity],
        code=source_diagnostic.code,
        source="wongar",
        tags=[types.DiagnosticTag.Unnecessary] if source_diagnostic.code in ("R0204", "R0410") else None,
        related_information=list(others) or None,
    )


def symbol(entry: OutlineSymbol, lines: Sequence[str], encoding: Encoding) -> types.DocumentSymbol:
    """Return the outline symbol of an entry, with its children."""
    return types.DocumentSymbol(
        name=entry.name or "?",
        detail=entry.detail,
        kind=_SYMBOL_KINDS.get(entry.sort, types.SymbolKind.Field),
        range=to_lsp_range(entry.whole, lines, encoding),
        selection_range=to_lsp_range(entry.place, lines, encoding),
        children=[symbol(part, lines, encoding) for part in entry.inside],
    )
