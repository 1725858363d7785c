"""The language server as seen by an editor: a real client talks to it over the standard streams."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from wongar_dsl.cli.editor.documents import Document
from wongar_dsl.cli.editor.server import make_server
from wongar_dsl.language.server.symbols import read_snapshot
from wongar_dsl.nlg.words import Translator

from ..language.server.files import GAME, VARIANT
from .command import START, Command

URI = "file:///nowhere/meadow.rules"
VARIANT_URI = "file:///nowhere/rich.rules"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[*START, "lsp"]), scope="module")
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            initialization_options={"lang": "nl"},
        )
    )
    await open_document(lsp_client, URI, GAME)
    await open_document(lsp_client, VARIANT_URI, VARIANT)
    yield
    await lsp_client.shutdown_session()


async def next_diagnostics(client: LanguageClient, uri: str) -> list[types.Diagnostic]:
    """Wait for the next diagnostics of a document and return them."""
    client.diagnostics.pop(uri, None)
    async with asyncio.timeout(20):
        while uri not in client.diagnostics:
            await asyncio.sleep(0.01)
    return list(client.diagnostics[uri])


async def open_document(client: LanguageClient, uri: str, text: str) -> list[types.Diagnostic]:
    item = types.TextDocumentItem(uri=uri, language_id="game-rules", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return await next_diagnostics(client, uri)


async def change_document(client: LanguageClient, uri: str, text: str) -> list[types.Diagnostic]:
    client.text_document_did_change(change(uri, text))
    return await next_diagnostics(client, uri)


def change(uri: str, text: str) -> types.DidChangeTextDocumentParams:
    return types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(version=2, uri=uri), [types.TextDocumentContentChangeWholeDocument(text)]
    )


def position_of(uri: str, text: str, words: str) -> dict[str, Any]:
    """Return the request parameters for the position of `words` in a text."""
    before = text[: text.index(words)]
    line = before.count("\n")
    return {
        "text_document": types.TextDocumentIdentifier(uri),
        "position": types.Position(line, len(before.rpartition("\n")[2].encode("utf-16-le")) // 2),
    }


@pytest.mark.asyncio
async def test_valid_document_has_outline_and_translated_hover(client: LanguageClient) -> None:
    assert list(client.diagnostics[URI]) == []
    outline = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(types.TextDocumentIdentifier(URI))
    )
    assert outline is not None
    assert [entry.name for entry in outline][-2:] == ["take_turn", "winner"]
    hover = await client.text_document_hover_async(types.HoverParams(**position_of(URI, GAME, "worth[")))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "Bron: The rules of the meadow" in hover.contents.value


@pytest.mark.asyncio
async def test_variant_sees_the_unsaved_base(client: LanguageClient) -> None:
    assert list(client.diagnostics[VARIANT_URI]) == []
    client.text_document_did_change(change(URI, GAME.replace("worth[disc]", "wroth[disc]")))
    (diagnostic,) = await next_diagnostics(client, VARIANT_URI)
    assert diagnostic.code == "R0201"
    assert diagnostic.related_information is not None
    assert diagnostic.related_information[0].location.uri == URI
    client.text_document_did_change(change(URI, GAME))
    assert await next_diagnostics(client, VARIANT_URI) == []


@pytest.mark.asyncio
async def test_names_are_completed_and_referenced_across_files(client: LanguageClient) -> None:
    offered = await client.text_document_completion_async(
        types.CompletionParams(**position_of(URI, GAME, "plenty disc"))
    )
    assert isinstance(offered, types.CompletionList)
    assert "plenty" in {item.label for item in offered.items}
    declared = await client.text_document_definition_async(
        types.DefinitionParams(**position_of(VARIANT_URI, VARIANT, "plenty"))
    )
    assert isinstance(declared, list)
    assert [(place.uri, place.range.start.line) for place in declared if isinstance(place, types.Location)] == [
        (URI, 12)
    ]
    references = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(include_declaration=True), **position_of(URI, GAME, "plenty"))
    )
    assert references is not None
    assert [place.uri for place in references] == [URI, URI, VARIANT_URI]


@pytest.mark.asyncio
async def test_inlay_hints_and_quick_fix_in_a_variant(client: LanguageClient) -> None:
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    document = types.TextDocumentIdentifier(VARIANT_URI)
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert [hint.label for hint in hints or ()] == ["in plaats van 3", "in plaats van 2"]
    diagnostics = await change_document(client, VARIANT_URI, VARIANT.replace("worth[cube]", "wroth[cube]"))
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, diagnostics[0].range, types.CodeActionContext(diagnostics))
    )
    (action,) = [action for action in actions or () if isinstance(action, types.CodeAction)]
    assert action.title == "Vervangen door “worth”"
    assert action.edit is not None
    assert action.edit.changes is not None
    assert [edit.new_text for edit in action.edit.changes[VARIANT_URI]] == ["worth"]
    assert await change_document(client, VARIANT_URI, VARIANT) == []


@pytest.mark.asyncio
async def test_rename_covers_both_files_or_gives_a_reason(client: LanguageClient) -> None:
    document = position_of(URI, GAME, "plenty")
    await client.text_document_prepare_rename_async(types.PrepareRenameParams(**document))
    edit = await client.text_document_rename_async(types.RenameParams(new_name="many", **document))
    assert edit is not None
    assert edit.changes is not None
    assert {uri: len(edits) for uri, edits in edit.changes.items()} == {URI: 2, VARIANT_URI: 1}
    with pytest.raises(JsonRpcException, match=r"“cube” is al in gebruik, zie meadow\.rules:5"):
        await client.text_document_rename_async(types.RenameParams(new_name="cube", **document))
    with pytest.raises(JsonRpcException, match="“player” hoort bij de regeltaal"):
        await client.text_document_prepare_rename_async(
            types.PrepareRenameParams(**position_of(URI, GAME, "player holds token"))
        )
    with pytest.raises(JsonRpcException):
        await client.protocol.send_request_async("wongar/nothing", {})
    assert not [message.message for message in client.log_messages if "JsonRpc" in message.message]


@pytest.mark.asyncio
async def test_columns_are_utf_16_code_units(client: LanguageClient) -> None:
    text = GAME.replace('"Contents"', '"♞🙂", unheard').replace("disc 1", "dics 1")
    # Only the last of many edits is diagnosed.
    for n in range(20):
        client.text_document_did_change(change(URI, GAME.replace("disc 1", f"dicc{n} 1")))
    diagnostics = await change_document(client, URI, text)
    line = text.split("\n")[5]
    starts = {d.code: d.range.start for d in diagnostics}
    assert starts["R0101"] == types.Position(5, len(line[: line.index("unheard")].encode("utf-16-le")) // 2)
    assert await change_document(client, URI, GAME) == []


@pytest.mark.asyncio
async def test_formatting_equals_that_of_the_command(client: LanguageClient) -> None:
    uri = "untitled:Untitled-1"
    await open_document(client, uri, "game   x\n  players 2\nplay\n  nobody wins")
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(
            types.TextDocumentIdentifier(uri), types.FormattingOptions(tab_size=4, insert_spaces=True)
        )
    )
    assert edits is not None
    assert [edit.new_text for edit in edits] == ["game x\n    players 2\n\nplay\n    nobody wins\n"]


@pytest.mark.asyncio
@pytest.mark.parametrize("uri", ["file:///dev/zero", "file:///%00", "http://x/y", ""])
async def test_every_request_is_answered(client: LanguageClient, uri: str) -> None:
    document = types.TextDocumentIdentifier(uri)
    far = types.Position(2**31 - 1, 2**31 - 1)
    for opening in (False, True):
        if opening:
            await open_document(client, uri, "variant x of ../../x\n\nset \ud83d to (((\n")
        with contextlib.suppress(Exception):
            # An edit beyond the end of the document.
            edit = types.TextDocumentContentChangePartial(types.Range(far, types.Position(0, 0)), "x")
            client.text_document_did_change(
                types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version=1, uri=uri), [edit])
            )
        assert not await client.text_document_hover_async(types.HoverParams(document, far))
        await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))


def test_missing_packages_are_reported_with_install_command(wongar: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "wongar_dsl.cli.commands.lsp", raising=False)
    monkeypatch.setitem(sys.modules, "wongar_dsl.cli.editor.server", None)
    result = wongar("lsp")
    assert (result.code, result.out) == (2, "")
    assert "pip install 'wongar[lsp]'" in result.err


def test_lsp_command_at_a_terminal_refers_to_the_editors(wongar: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("io.StringIO", Keyboard)
    result = wongar("lsp")
    assert result.code == 2
    assert "editors/README.md" in result.err


@pytest.mark.asyncio
async def test_quick_fix_creates_files_for_missing_words(client: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "locales" / "nl").mkdir(parents=True)
    (tmp_path / "locales" / "nl" / "lexicon.yaml").write_text(
        "games:\n  meadow:\n    disc: {sg: schijf, pl: schijven}\n", encoding="utf-8"
    )
    uri = (tmp_path / "meadow.rules").as_uri()
    assert await open_document(client, uri, GAME) == []
    diagnostics = await next_diagnostics(client, uri)  # After the typing pause.
    assert {diagnostic.code for diagnostic in diagnostics} == {"R0501", "R0502"}
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(uri), diagnostics[0].range, types.CodeActionContext(diagnostics)
        )
    )
    (action,) = [action for action in actions or () if isinstance(action, types.CodeAction)]
    assert "ontbrekende vermeldingen" in action.title
    assert action.edit is not None
    made = [change.uri for change in action.edit.document_changes or () if isinstance(change, types.CreateFile)]
    assert made == [(tmp_path / "locales" / "nl" / "messages.po").as_uri()]


def test_loaded_objects_are_frozen_for_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    # A garbage collection takes up to 0.1 s, in which the server does not answer.
    server = make_server(Translator.load("nl"), "1")
    monkeypatch.setattr(server, "_show", lambda *findings: None)
    monkeypatch.setattr("wongar_dsl.cli.editor.server.IDLE_S", 0)
    monkeypatch.setattr("wongar_dsl.cli.editor.server.findings", lambda *arguments: ())
    # The objects of other tests stay frozen: collecting them takes seconds.
    gc.freeze()
    document = Document(URI, Path("/nowhere/meadow.rules"), GAME)
    document.latest = read_snapshot(document.path, {document.path: GAME})
    assert any(tracked is document for tracked in gc.get_objects())
    try:
        asyncio.run(server.publish(document))
        # A frozen object is no longer tracked.
        assert not any(tracked is document for tracked in gc.get_objects())
    finally:
        server.documents.stop()


def test_exit_code_depends_on_a_preceding_shutdown(wongar: Command) -> None:
    begin = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
    for requests, code in (([begin, {"id": 2, "method": "shutdown"}], 0), ([], 1)):
        bodies = [json.dumps({"jsonrpc": "2.0", **message}) for message in (*requests, {"method": "exit"})]
        ended = wongar.process("lsp", answers="".join(f"Content-Length: {len(b)}\r\n\r\n{b}" for b in bodies))
        assert (ended.code, ended.err) == (code, "")
        assert ended.out.startswith("Content-Length: ") == bool(requests)
