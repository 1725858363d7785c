"""Answers what an editor asks.  Nothing that an editor sends, or a file holds, ends the server."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from wongar_dsl.editor import format_source
from wongar_dsl.language_server.changes import before
from wongar_dsl.language_server.completion import complete
from wongar_dsl.language_server.findings import Finding, findings
from wongar_dsl.language_server.fixes import fixes
from wongar_dsl.language_server.hover import hover, prepare
from wongar_dsl.language_server.navigation import Found, definition, references, same_here
from wongar_dsl.language_server.outline import outline
from wongar_dsl.language_server.positions import Encoding, Position
from wongar_dsl.language_server.rename import CannotRename, renamable, rename
from wongar_dsl.language_server.snapshot import Snapshot, View
from wongar_dsl.library.sources import source_of
from wongar_dsl.text.span import Source
from wongar_dsl.words import Words, WordsError, quoted

from ..errors import Refusal
from ..language import speak
from . import protocol
from .documents import Document, Documents

if TYPE_CHECKING:
    from pygls.server import ServerErrors

A = TypeVar("A")
#: For so many seconds the files beside one are looked through.
SEARCH = 5.0
#: So many seconds after a text was read, if nobody types on, missing words are looked for.
IDLE = 1.5
Handler = Callable[["Server", Any], Awaitable[A]]


class Server(LanguageServer):
    """The language server; `words` are those of the language that was asked for at the start."""

    def __init__(self, words: Words, version: str) -> None:
        super().__init__("wongar", version)
        self.words = words
        self.documents = Documents(self.publish, self.failed)
        #: Whether the editor has said that it is done, before it ends the server.
        self.done = False
        #: Whether everything is loaded that a first answer needs, and that the words of all languages do.
        self._warm = self._complete = False
        self._beside: dict[tuple[object, ...], Words] = {}

    @property
    def encoding(self) -> Encoding:
        """What the columns of this editor count."""
        return protocol.encoding_of(self.workspace.position_encoding)

    def speaks(self, language: object) -> None:
        """Speak a language that the editor asks for, if there is one like it."""
        if isinstance(language, str) and language:
            try:
                self.words = speak(language, os.environ)
            except Refusal as refusal:
                self.window_log_message(types.LogMessageParams(types.MessageType.Warning, refusal.text))

    def words_for(self, snapshot: Snapshot) -> Words:
        """The words, with those that lie beside the files; without them where they are broken."""
        places = [file.at.resolve().parent / "locales" for file in snapshot.files if isinstance(file.at, Path)]
        roots = [place for place in dict.fromkeys(places) if place.is_dir()]
        if not roots:
            return self.words
        files = [file for root in roots for file in sorted((root / self.words.language).glob("*"))]
        key = (self.words.language, *roots, *((file, file.stat().st_mtime_ns) for file in files))
        if key not in self._beside:
            self._beside.clear()
            try:
                self._beside[key] = Words.load(self.words.language, roots)
            except WordsError:
                self._beside[key] = self.words
        return self._beside[key]

    async def view(self, uri: str) -> tuple[Document, View, Words] | None:
        """What is known about a text that is open, and the words for it."""
        document = await self.documents.ready(uri)
        view = document.view if document is not None else None
        return (document, view, self.words_for(view.good)) if document is not None and view is not None else None

    def at(self, view: View, place: types.Position) -> Position:
        """A place in the text as it is now."""
        return protocol.position(place, view.lines, self.encoding)

    def locations(self, document: Document, found: Sequence[Found]) -> list[types.Location]:
        """Places in files; one that is open goes by the address that it is open under."""
        uris = {open_.path: open_.uri for open_ in self.documents} | {document.path: document.uri}
        return [protocol.location(one.span, one.path, self.encoding, uris.get(one.path)) for one in found]

    async def publish(self, document: Document) -> None:
        """Tell the editor what is wrong with a text."""
        snapshot = document.latest
        if snapshot is None:
            return
        if not self._warm:
            self._warm = True
            await self.documents.beside(prepare, View(document.text, snapshot), self.words_for(snapshot))
            keep()
        edition = document.edition
        self._show(document, snapshot, findings(snapshot, self.words_for(snapshot)))
        await asyncio.sleep(IDLE)
        if document.edition == edition:
            found = await asyncio.to_thread(findings, snapshot, self.words_for(snapshot), True)
            if not self._complete and snapshot.loaded.rules is not None:
                self._complete = True
                keep()
            if document.edition == edition and document.latest is snapshot and snapshot.lacks:
                self._show(document, snapshot, found)

    def _show(self, document: Document, snapshot: Snapshot, said: Sequence[Finding]) -> None:
        found = []
        for finding in said:
            others = [
                types.DiagnosticRelatedInformation(protocol.location(span, path, self.encoding), text)
                for span, text in finding.others
                if (path := snapshot.path_of(span.source)) is not None
            ]
            found.append(protocol.diagnostic(finding, snapshot.lines, others, self.encoding))
        self.tell(document.uri, found)

    def tell(self, uri: str, found: Sequence[types.Diagnostic]) -> None:
        """Send what is wrong with a text."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, list(found)))

    def failed(self, error: BaseException) -> None:
        """Something went wrong that should not have: the editor notes it, and everything goes on."""
        self.window_log_message(
            types.LogMessageParams(types.MessageType.Error, self.words.say("cli.failure", what=protocol.shown(error)))
        )

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Note what the protocol itself stumbled over; a refusal is an answer, and the editor has it already."""
        if not isinstance(error, JsonRpcException):
            self.failed(error)


def keep() -> None:
    """What is there by now stays: looking through it for what nobody needs would keep whoever asks waiting."""
    gc.collect()
    gc.freeze()


def until(seconds: float) -> Callable[[], bool]:
    """Says when so many seconds have passed."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def careful(server: Server, handler: Handler[A]) -> Callable[[Any], Awaitable[A | None]]:
    """A handler that answers nothing where it fails."""

    async def answer(params: Any) -> A | None:
        try:
            return await handler(server, params)
        except JsonRpcException:
            raise  # An answer too: that what was asked for cannot be.
        except Exception as error:
            server.failed(error)
            return None

    return answer


def make(words: Words, version: str) -> Server:
    """A server with everything that it can do."""
    server = Server(words, version)
    for name, handler, options in FEATURES:
        server.feature(name, options)(careful(server, handler))
    return server


# ---- what is open --------------------------------------------------------------------------------------------------


async def initialize(server: Server, params: types.InitializeParams) -> None:
    """The editor says which language its user reads."""
    options = params.initialization_options
    server.speaks(options.get("lang") if isinstance(options, dict) else getattr(options, "lang", None))


async def ended(server: Server, params: None) -> None:
    """The editor is done."""
    server.done = True


async def changed(server: Server, params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams) -> None:
    """A text was opened or changed."""
    uri = params.text_document.uri
    text = server.workspace.get_text_document(uri).source
    server.documents.put(uri, protocol.place_of(uri), text)


async def closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """A text was closed."""
    server.documents.close(params.text_document.uri)
    server.tell(params.text_document.uri, ())


async def watched(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed outside of the editor."""
    for document in server.documents:
        server.documents.again(document)


# ---- what is asked -------------------------------------------------------------------------------------------------


async def symbols(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """The outline."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return []
    _, view, words = known
    return [protocol.symbol(entry, view.lines, server.encoding) for entry in outline(view, words)]


async def hovered(server: Server, params: types.HoverParams) -> types.Hover | None:
    """What the name at a place is."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return None
    _, view, words = known
    place = server.at(view, params.position)
    text = hover(view, place, words)
    name = view.at(place)
    if text is None or name is None:
        return None
    span = view.now(name.span)
    return types.Hover(
        types.MarkupContent(types.MarkupKind.Markdown, text), protocol.range_of(span, view.lines, server.encoding)
    )


async def completed(server: Server, params: types.CompletionParams) -> types.CompletionList | None:
    """What can stand at a place."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return None
    _, view, words = known
    found = complete(view, server.at(view, params.position), words)
    return types.CompletionList(is_incomplete=False, items=[protocol.item(candidate) for candidate in found])


async def defined(server: Server, params: types.DefinitionParams) -> list[types.Location]:
    """Where the name at a place is declared."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return []
    document, view, _ = known
    return server.locations(document, definition(view, server.at(view, params.position)))


async def referred(server: Server, params: types.ReferenceParams) -> list[types.Location]:
    """All places of the name at a place."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return []
    document, view, _ = known
    place, declared = server.at(view, params.position), params.context.include_declaration
    found = await server.documents.beside(references, view, place, server.documents.texts(), until(SEARCH), declared)
    return server.locations(document, found)


async def highlighted(server: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """All places of the name at a place in its file."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return []
    _, view, _ = known
    spans = same_here(view, server.at(view, params.position))
    return [types.DocumentHighlight(protocol.range_of(span, view.lines, server.encoding)) for span in spans]


async def changes(server: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """What stood in the base, behind each line that sets something."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return []
    _, view, words = known
    first, last = params.range.start.line + 1, params.range.end.line + 1
    return [
        types.InlayHint(protocol.point(hint.place, view.lines, server.encoding), hint.text, padding_left=True)
        for hint in before(view, words)
        if first <= hint.place.line <= last
    ]


async def mended(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What mends the mistakes at a place."""
    known = await server.view(params.text_document.uri)
    latest = known[0].latest if known is not None else None
    if known is None or latest is None or latest.own is None or latest.own.source.text != known[0].text:
        return []
    document, _, words = known
    place = protocol.span(params.range, latest.own.source, latest.lines, server.encoding)
    found = await server.documents.beside(fixes, latest, place, server.documents.texts(), words)
    if not protocol.makes_files(server.client_capabilities):
        found = tuple(fix for fix in found if not fix.files)
    return [protocol.action(fix, document.uri, latest.lines, server.encoding) for fix in found]


async def asked_for_name(server: Server, params: types.PrepareRenameParams) -> types.Range | None:
    """What would be renamed at a place."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return None
    _, view, words = known
    try:
        span = renamable(view, server.at(view, params.position))
    except CannotRename as error:
        raise refused(error, words) from None
    return protocol.range_of(span, view.lines, server.encoding)


async def renamed(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Another name for something, wherever it stands."""
    known = await server.view(params.text_document.uri)
    if known is None:
        return None
    document, view, words = known
    place, texts = server.at(view, params.position), server.documents.texts()
    program = words_of_program(document.path)
    try:
        files = await server.documents.beside(rename, view, place, params.new_name, texts, program, until(SEARCH))
    except CannotRename as error:
        raise refused(error, words) from None
    uris = {open_.path: open_.uri for open_ in server.documents}
    return types.WorkspaceEdit(
        {uris.get(file.path, file.path.as_uri()): protocol.edits(file, server.encoding) for file in files}
    )


def refused(error: CannotRename, words: Words) -> JsonRpcException:
    """What cannot be renamed, as the editor shows it to its user."""
    said = words.say(f"editor.rename.{error.reason}", None, **{k: quoted(v) for k, v in error.arguments.items()})
    return JsonRpcException(said, types.LSPErrorCodes.RequestFailed)


def words_of_program(path: Path) -> Path | None:
    """The folder of the words that come with the program, where the rules do."""
    rules, words = (resources.files(f"wongar_dsl.{name}") for name in ("rules", "locales"))
    if isinstance(rules, Path) and isinstance(words, Path) and path.is_relative_to(rules.resolve()):
        return words.resolve()
    return None


async def formatted(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    """The text in the one layout; as it is where it has mistakes."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    source = source_of(document.text.encode(errors="replace"), document.path.name)
    if not isinstance(source, Source):
        return None
    new = (await server.documents.beside(format_source, source)).text
    if new is None or new == document.text:
        return None
    return [types.TextEdit(protocol.whole(document.text.split("\n")), new)]


#: What the server can do: the request or notification, what answers it, and what is said of it to the editor.
FEATURES: tuple[tuple[str, Handler[Any], Any], ...] = (
    (types.INITIALIZE, initialize, None),
    (types.SHUTDOWN, ended, None),
    (types.TEXT_DOCUMENT_DID_OPEN, changed, None),
    (types.TEXT_DOCUMENT_DID_CHANGE, changed, None),
    (types.TEXT_DOCUMENT_DID_CLOSE, closed, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched, None),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, symbols, None),
    (types.TEXT_DOCUMENT_HOVER, hovered, None),
    (types.TEXT_DOCUMENT_FORMATTING, formatted, None),
    (types.TEXT_DOCUMENT_COMPLETION, completed, types.CompletionOptions(trigger_characters=[" ", "[", "("])),
    (types.TEXT_DOCUMENT_DEFINITION, defined, None),
    (types.TEXT_DOCUMENT_REFERENCES, referred, None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, highlighted, None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, asked_for_name, None),
    (types.TEXT_DOCUMENT_RENAME, renamed, types.RenameOptions(prepare_provider=True)),
    (types.TEXT_DOCUMENT_INLAY_HINT, changes, None),
    (types.TEXT_DOCUMENT_CODE_ACTION, mended, types.CodeActionOptions([types.CodeActionKind.QuickFix])),
)
