"""Request handlers of the language server.

No message from the editor and no file content ends the server.
"""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from wongar_dsl.base.span import Source, Span
from wongar_dsl.language.parser.parser import source_of
from wongar_dsl.language.printer import format_source
from wongar_dsl.language.server.completion import complete
from wongar_dsl.language.server.display import Finding, findings, hover, inlay_hints, outline, prepare
from wongar_dsl.language.server.fixes import fixes
from wongar_dsl.language.server.references import (
    CannotRename,
    Location,
    definition,
    occurrences_in_file,
    references,
    renamable,
    rename,
)
from wongar_dsl.language.server.symbols import DocumentView, Encoding, Snapshot, TextPosition
from wongar_dsl.nlg.words import Translator, WordsError, quoted

from ..errors import UserError
from ..language import select_language
from . import protocol
from .documents import Document, Documents

if TYPE_CHECKING:
    from pygls.server import ServerErrors

A = TypeVar("A")
#: Time limit in seconds for searching neighbouring files.
SEARCH_TIMEOUT_S = 5.0
#: Seconds without typing until missing texts are searched.
IDLE_S = 1.5
Handler = Callable[["Server", Any], Awaitable[A]]


class Server(LanguageServer):
    """The language server; `words` are the texts of the initial language."""

    def __init__(self, words: Translator, version: str) -> None:
        super().__init__("wongar", version)
        self.words = words
        self.documents = Documents(self.publish, self.log_error)
        #: True after the editor's shutdown request, which precedes the exit.
        self.shutdown_requested = False
        #: True once everything for the first answer is loaded, and once the texts of all languages are.
        self._warm = self._complete = False
        self._words_beside: dict[tuple[object, ...], Translator] = {}

    @property
    def encoding(self) -> Encoding:
        """Unit of the columns sent by this editor."""
        kind = types.PositionEncodingKind(self.workspace.position_encoding or "utf-16")  # The default of the protocol.
        return kind.value

    def set_language(self, language: object) -> None:
        """Switch to the language that the editor requests, if a matching one exists."""
        if isinstance(language, str) and language:
            try:
                self.words = select_language(language, os.environ)
            except UserError as refusal:
                self.window_log_message(types.LogMessageParams(types.MessageType.Warning, refusal.text))

    def words_for(self, snapshot: Snapshot) -> Translator:
        """Return the texts, including catalogs beside the files unless these are broken."""
        places = [file.at.resolve().parent / "locales" for file in snapshot.files if isinstance(file.at, Path)]
        roots = [place for place in dict.fromkeys(places) if place.is_dir()]
        if not roots:
            return self.words
        files = [file for root in roots for file in sorted((root / self.words.language).glob("*"))]
        key = (self.words.language, *roots, *((file, file.stat().st_mtime_ns) for file in files))
        if key not in self._words_beside:
            self._words_beside.clear()
            try:
                self._words_beside[key] = Translator.load(self.words.language, roots)
            except WordsError:
                self._words_beside[key] = self.words
        return self._words_beside[key]

    async def view(self, uri: str) -> tuple[Document, DocumentView, Translator] | None:
        """Return an open document, its analysis, and the texts for it; None before the first analysis."""
        document = await self.documents.wait_until_analysed(uri)
        view = document.view if document is not None else None
        return (document, view, self.words_for(view.snapshot)) if document is not None and view is not None else None

    def locations(self, document: Document, found: Sequence[Location]) -> list[types.Location]:
        """Return locations in files; open documents are named by their URI in the editor."""
        uris = {open_.path: open_.uri for open_ in self.documents} | {document.path: document.uri}
        return [
            protocol.location(reference.span, reference.path, self.encoding, uris.get(reference.path))
            for reference in found
        ]

    async def publish(self, document: Document) -> None:
        """Send the diagnostics of a document to the editor, and after a pause those about missing texts."""
        snapshot = document.latest
        if snapshot is None:
            return
        if not self._warm:
            self._warm = True
            await self.documents.run_in_background(
                prepare, DocumentView(document.text, snapshot), self.words_for(snapshot)
            )
            freeze_garbage()
        edition = document.edition
        self._show(document, snapshot, findings(snapshot, self.words_for(snapshot)))
        await asyncio.sleep(IDLE_S)
        if document.edition == edition:
            diagnostics = await asyncio.to_thread(findings, snapshot, self.words_for(snapshot), True)
            if not self._complete and snapshot.loaded.rules is not None:
                self._complete = True
                freeze_garbage()
            if document.edition == edition and document.latest is snapshot and snapshot.missing_texts:
                self._show(document, snapshot, diagnostics)

    def _show(self, document: Document, snapshot: Snapshot, said: Sequence[Finding]) -> None:
        diagnostics = []
        for finding in said:
            others = [
                types.DiagnosticRelatedInformation(protocol.location(span, path, self.encoding), text)
                for span, text in finding.others
                if (path := snapshot.path_of(span.source)) is not None
            ]
            diagnostics.append(protocol.diagnostic(finding, snapshot.lines, others, self.encoding))
        self.publish_diagnostics(document.uri, diagnostics)

    def publish_diagnostics(self, uri: str, found: Sequence[types.Diagnostic]) -> None:
        """Send diagnostics for a URI."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, list(found)))

    def log_error(self, error: BaseException) -> None:
        """Log an unexpected error in the editor; the server continues."""
        failure = self.words.say("cli.failure", what=quoted(repr(error)[:500]))
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, failure))

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Log an error of the protocol library, except rejected requests, which the editor has received as answers."""
        if not isinstance(error, JsonRpcException):
            self.log_error(error)


def freeze_garbage() -> None:
    """Exclude all current objects from garbage collection, which would otherwise delay answers."""
    gc.collect()
    gc.freeze()


def wait_seconds(seconds: float) -> Callable[[], bool]:
    """Return a function that is true once the given number of seconds has passed."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def guarded(server: Server, handler: Handler[A]) -> Callable[[Any], Awaitable[A | None]]:
    """Wrap a handler so that an exception is logged and answered with None."""

    async def answer(params: Any) -> A | None:
        try:
            return await handler(server, params)
        except JsonRpcException:
            raise  # A rejected request is an answer too.
        except Exception as error:
            server.log_error(error)
            return None

    return answer


def make_server(words: Translator, version: str) -> Server:
    """Return a server with all features registered."""
    server = Server(words, version)
    about_documents = [(name, about_document(answer, unread), options) for name, answer, unread, options in REQUESTS]
    for name, handler, options in (*FEATURES, *about_documents):
        server.feature(name, options)(guarded(server, handler))
    return server


# ---- document events -----------------------------------------------------------------------------------------------


async def initialize(server: Server, params: types.InitializeParams) -> None:
    """Set the language that the editor's user reads."""
    options = params.initialization_options
    server.set_language(options.get("lang") if isinstance(options, dict) else getattr(options, "lang", None))


async def on_shutdown(server: Server, params: None) -> None:
    """Record the editor's shutdown request."""
    server.shutdown_requested = True


async def on_change(
    server: Server, params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams
) -> None:
    """Store the text of a document that was opened or changed."""
    uri = params.text_document.uri
    text = server.workspace.get_text_document(uri).source
    server.documents.update(uri, protocol.path_of(uri), text)


async def on_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Remove a document that was closed, and clear its diagnostics."""
    server.documents.close(params.text_document.uri)
    server.publish_diagnostics(params.text_document.uri, ())


async def on_watched_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Analyse all documents again after files changed outside the editor."""
    for document in server.documents:
        server.documents.schedule_analysis(document)


# ---- requests ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """A request about an open document: its parameters, the document, its analysis, and the texts for it."""

    server: Server
    params: Any
    document: Document
    view: DocumentView
    words: Translator

    @property
    def place(self) -> TextPosition:
        """The position of the request in the current text."""
        return protocol.from_lsp_position(self.params.position, self.view.lines, self.server.encoding)

    def span(self, span: Span) -> types.Range:
        """Return a span of the current text for the editor."""
        return protocol.to_lsp_range(span, self.view.lines, self.server.encoding)


def about_document(answer: Callable[[Request], Awaitable[Any]], unread: Any) -> Handler[Any]:
    """Return a handler that answers requests about a document; before its first analysis, with `unread`."""

    async def handler(server: Server, params: Any) -> Any:
        context = await server.view(params.text_document.uri)
        return await answer(Request(server, params, *context)) if context is not None else unread

    return handler


async def symbols(request: Request) -> list[types.DocumentSymbol]:
    """Return the outline of a document."""
    entries = outline(request.view, request.words)
    return [protocol.symbol(entry, request.view.lines, request.server.encoding) for entry in entries]


async def on_hover(request: Request) -> types.Hover | None:
    """Return the description of the name at a position."""
    text, name = hover(request.view, request.place, request.words), request.view.at(request.place)
    if text is None or name is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, request.span(request.view.current_span(name.span)))


async def on_completion(request: Request) -> types.CompletionList:
    """Return the completions at a position."""
    candidates = complete(request.view, request.place, request.words)
    return types.CompletionList(is_incomplete=False, items=[protocol.item(candidate) for candidate in candidates])


async def on_definition(request: Request) -> list[types.Location]:
    """Return the declarations of the name at a position."""
    return request.server.locations(request.document, definition(request.view, request.place))


async def on_references(request: Request) -> list[types.Location]:
    """Return all references of the name at a position."""
    documents, stop = request.server.documents, wait_seconds(SEARCH_TIMEOUT_S)
    about = (request.view, request.place, documents.texts(), stop, request.params.context.include_declaration)
    matches = await documents.run_in_background(references, *about)
    return request.server.locations(request.document, matches)


async def on_highlight(request: Request) -> list[types.DocumentHighlight]:
    """Return all occurrences of the name at a position in its file."""
    spans = occurrences_in_file(request.view, request.place)
    return [types.DocumentHighlight(request.span(span)) for span in spans]


async def on_inlay_hints(request: Request) -> list[types.InlayHint]:
    """Return inlay hints with the base's value behind each line that sets something."""
    first, last = request.params.range.start.line + 1, request.params.range.end.line + 1
    lines, encoding = request.view.lines, request.server.encoding
    return [
        types.InlayHint(protocol.to_lsp_position(hint.place, lines, encoding), hint.text, padding_left=True)
        for hint in inlay_hints(request.view, request.words)
        if first <= hint.place.line <= last
    ]


async def on_code_actions(request: Request) -> list[types.CodeAction]:
    """Return the fixes for the errors in a range."""
    server, document, latest = request.server, request.document, request.document.latest
    if latest is None or latest.file is None or latest.file.source.text != document.text:
        return []
    place = protocol.from_lsp_range(request.params.range, latest.file.source, latest.lines, server.encoding)
    documents = server.documents
    available = await documents.run_in_background(fixes, latest, place, documents.texts(), request.words)
    if not protocol.can_create_files(server.client_capabilities):
        available = tuple(fix for fix in available if not fix.files)
    return [protocol.action(fix, document.uri, latest.lines, server.encoding) for fix in available]


async def on_prepare_rename(request: Request) -> types.Range:
    """Return the range that a rename at a position would change."""
    try:
        return request.span(renamable(request.view, request.place))
    except CannotRename as error:
        raise rename_refusal(error, request.words) from None


async def on_rename(request: Request) -> types.WorkspaceEdit:
    """Return the edits that rename a symbol in all files."""
    server, new_name, stop = request.server, request.params.new_name, wait_seconds(SEARCH_TIMEOUT_S)
    about = (request.view, request.place, new_name, server.documents.texts(), builtin_locales(request.document.path))
    try:
        files = await server.documents.run_in_background(rename, *about, stop)
    except CannotRename as error:
        raise rename_refusal(error, request.words) from None
    uris = {open_.path: open_.uri for open_ in server.documents}
    return types.WorkspaceEdit(
        {uris.get(file.path, file.path.as_uri()): protocol.edits(file, server.encoding) for file in files}
    )


def rename_refusal(error: CannotRename, words: Translator) -> JsonRpcException:
    """Return the protocol error for a symbol that cannot be renamed."""
    message = words.say(f"editor.rename.{error.reason}", None, **{k: quoted(v) for k, v in error.arguments.items()})
    return JsonRpcException(message, types.LSPErrorCodes.RequestFailed)


def builtin_locales(path: Path) -> Path | None:
    """Return the built-in `locales` folder if the path belongs to the built-in rules, otherwise None."""
    rules, words = (resources.files(f"wongar_dsl.{name}") for name in ("rules", "locales"))
    if isinstance(rules, Path) and isinstance(words, Path) and path.is_relative_to(rules.resolve()):
        return words.resolve()
    return None


async def on_formatting(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    """Return the edit that formats a document; None if nothing changes or the text has errors."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    source = source_of(document.text.encode(errors="replace"), document.path.name)
    if not isinstance(source, Source):
        return None
    new = (await server.documents.run_in_background(format_source, source)).text
    if new is None or new == document.text:
        return None
    whole = types.Range(types.Position(0, 0), types.Position(document.text.count("\n") + 1, 0))
    return [types.TextEdit(whole, new)]


#: Features of the server: method, handler and registration options.
FEATURES: tuple[tuple[str, Handler[Any], Any], ...] = (
    (types.INITIALIZE, initialize, None),
    (types.SHUTDOWN, on_shutdown, None),
    (types.TEXT_DOCUMENT_DID_OPEN, on_change, None),
    (types.TEXT_DOCUMENT_DID_CHANGE, on_change, None),
    (types.TEXT_DOCUMENT_DID_CLOSE, on_close, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, on_watched_files, None),
    (types.TEXT_DOCUMENT_FORMATTING, on_formatting, None),
)
#: Requests about a document: method, handler, answer before the first analysis, and registration options.
REQUESTS: tuple[tuple[str, Callable[[Request], Awaitable[Any]], Any, Any], ...] = (
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, symbols, [], None),
    (types.TEXT_DOCUMENT_HOVER, on_hover, None, None),
    (types.TEXT_DOCUMENT_COMPLETION, on_completion, None, types.CompletionOptions(trigger_characters=[" ", "[", "("])),
    (types.TEXT_DOCUMENT_DEFINITION, on_definition, [], None),
    (types.TEXT_DOCUMENT_REFERENCES, on_references, [], None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, on_highlight, [], None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, on_prepare_rename, None, None),
    (types.TEXT_DOCUMENT_RENAME, on_rename, None, types.RenameOptions(prepare_provider=True)),
    (types.TEXT_DOCUMENT_INLAY_HINT, on_inlay_hints, [], None),
    (types.TEXT_DOCUMENT_CODE_ACTION, on_code_actions, [], types.CodeActionOptions([types.CodeActionKind.QuickFix])),
)
