"""The language server as an editor sees it: a real client talks to it over the standard streams."""

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
from wongar_dsl.cli.editor.server import make
from wongar_dsl.language_server.snapshot import take
from wongar_dsl.words import Words

from ..language_server.files import GAME, VARIANT
from .command import LANGUAGES, START, Command

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
    await opened(lsp_client, URI, GAME)
    await opened(lsp_client, VARIANT_URI, VARIANT)
    yield
    await lsp_client.shutdown_session()


async def told(client: LanguageClient, uri: str) -> list[types.Diagnostic]:
    """What is told next about a text."""
    client.diagnostics.pop(uri, None)
    async with asyncio.timeout(20):
        while uri not in client.diagnostics:
            await asyncio.sleep(0.01)
    return list(client.diagnostics[uri])


async def opened(client: LanguageClient, uri: str, text: str) -> list[types.Diagnostic]:
    item = types.TextDocumentItem(uri=uri, language_id="game-rules", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return await told(client, uri)


async def changed(client: LanguageClient, uri: str, text: str) -> list[types.Diagnostic]:
    client.text_document_did_change(change(uri, text))
    return await told(client, uri)


def change(uri: str, text: str) -> types.DidChangeTextDocumentParams:
    return types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(version=2, uri=uri), [types.TextDocumentContentChangeWholeDocument(text)]
    )


def at(uri: str, text: str, words: str) -> dict[str, Any]:
    """The place of words in a text."""
    before = text[: text.index(words)]
    line = before.count("\n")
    return {
        "text_document": types.TextDocumentIdentifier(uri),
        "position": types.Position(line, len(before.rpartition("\n")[2].encode("utf-16-le")) // 2),
    }


@pytest.mark.asyncio
async def test_a_good_text_has_an_outline_and_names_explained_in_the_language_asked_for(client: LanguageClient) -> None:
    assert list(client.diagnostics[URI]) == []
    outline = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(types.TextDocumentIdentifier(URI))
    )
    assert outline is not None
    assert [entry.name for entry in outline][-2:] == ["take_turn", "winner"]
    said = await client.text_document_hover_async(types.HoverParams(**at(URI, GAME, "worth[")))
    assert said is not None
    assert isinstance(said.contents, types.MarkupContent)
    assert "Bron: The rules of the meadow" in said.contents.value


@pytest.mark.asyncio
async def test_a_base_that_nobody_saved_is_seen_by_the_variant_beside_it(client: LanguageClient) -> None:
    assert list(client.diagnostics[VARIANT_URI]) == []
    client.text_document_did_change(change(URI, GAME.replace("worth[disc]", "wroth[disc]")))
    (found,) = await told(client, VARIANT_URI)
    assert found.code == "R0201"
    assert found.related_information is not None
    assert found.related_information[0].location.uri == URI
    client.text_document_did_change(change(URI, GAME))
    assert await told(client, VARIANT_URI) == []


@pytest.mark.asyncio
async def test_names_are_offered_and_found_in_both_files(client: LanguageClient) -> None:
    offered = await client.text_document_completion_async(types.CompletionParams(**at(URI, GAME, "plenty disc")))
    assert isinstance(offered, types.CompletionList)
    assert "plenty" in {item.label for item in offered.items}
    declared = await client.text_document_definition_async(types.DefinitionParams(**at(VARIANT_URI, VARIANT, "plenty")))
    assert isinstance(declared, list)
    assert [(one.uri, one.range.start.line) for one in declared if isinstance(one, types.Location)] == [(URI, 12)]
    found = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(include_declaration=True), **at(URI, GAME, "plenty"))
    )
    assert found is not None
    assert [one.uri for one in found] == [URI, URI, VARIANT_URI]


@pytest.mark.asyncio
async def test_what_a_set_changes_is_shown_and_a_mistake_is_mended(client: LanguageClient) -> None:
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    document = types.TextDocumentIdentifier(VARIANT_URI)
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert [hint.label for hint in hints or ()] == ["in plaats van 3", "in plaats van 2"]
    found = await changed(client, VARIANT_URI, VARIANT.replace("worth[cube]", "wroth[cube]"))
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, found[0].range, types.CodeActionContext(found))
    )
    (action,) = [action for action in actions or () if isinstance(action, types.CodeAction)]
    assert action.title == "Vervangen door “worth”"
    assert action.edit is not None
    assert action.edit.changes is not None
    assert [edit.new_text for edit in action.edit.changes[VARIANT_URI]] == ["worth"]
    assert await changed(client, VARIANT_URI, VARIANT) == []


@pytest.mark.asyncio
async def test_a_name_is_changed_in_both_files_or_the_editor_is_told_why_not(client: LanguageClient) -> None:
    document = at(URI, GAME, "plenty")
    await client.text_document_prepare_rename_async(types.PrepareRenameParams(**document))
    edit = await client.text_document_rename_async(types.RenameParams(new_name="many", **document))
    assert edit is not None
    assert edit.changes is not None
    assert {uri: len(edits) for uri, edits in edit.changes.items()} == {URI: 2, VARIANT_URI: 1}
    with pytest.raises(JsonRpcException, match=r"“cube” is al in gebruik, zie meadow\.rules:5"):
        await client.text_document_rename_async(types.RenameParams(new_name="cube", **document))
    with pytest.raises(JsonRpcException, match="“player” hoort bij de regeltaal"):
        await client.text_document_prepare_rename_async(
            types.PrepareRenameParams(**at(URI, GAME, "player holds token"))
        )
    with pytest.raises(JsonRpcException):
        await client.protocol.send_request_async("wongar/nothing", {})
    assert not [message.message for message in client.log_messages if "JsonRpc" in message.message]


@pytest.mark.asyncio
async def test_columns_are_counted_as_the_editor_counts_them(client: LanguageClient) -> None:
    text = GAME.replace('"Contents"', '"♞🙂", unheard').replace("disc 1", "dics 1")
    found = await changed(client, URI, text)
    line = text.split("\n")[5]
    starts = {d.code: d.range.start for d in found}
    assert starts["R0101"] == types.Position(5, len(line[: line.index("unheard")].encode("utf-16-le")) // 2)
    assert await changed(client, URI, GAME) == []


@pytest.mark.asyncio
async def test_only_the_last_of_many_keystrokes_is_told(client: LanguageClient) -> None:
    for n in range(20):
        client.text_document_did_change(change(URI, GAME.replace("disc 1", f"dicc{n} 1")))
    found = await changed(client, URI, GAME)
    assert found == []


@pytest.mark.asyncio
async def test_the_text_is_laid_out_as_the_command_does_it(client: LanguageClient) -> None:
    uri = "untitled:Untitled-1"
    await opened(client, uri, "game   x\n  players 2\nplay\n  nobody wins")
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(
            types.TextDocumentIdentifier(uri), types.FormattingOptions(tab_size=4, insert_spaces=True)
        )
    )
    assert edits is not None
    assert [edit.new_text for edit in edits] == ["game x\n    players 2\n\nplay\n    nobody wins\n"]


@pytest.mark.asyncio
@pytest.mark.parametrize("uri", ["file:///dev/zero", "file:///%00", "http://x/y", "file:///nowhere/a.rules", ""])
async def test_whatever_is_asked_is_answered(client: LanguageClient, uri: str) -> None:
    document = types.TextDocumentIdentifier(uri)
    far = types.Position(2**31 - 1, 2**31 - 1)
    for opening in (False, True):
        if opening:
            await opened(client, uri, "variant x of ../../x\n\nset \ud83d to (((\n")
        with contextlib.suppress(Exception):
            # An edit beyond the end of what is open.
            edit = types.TextDocumentContentChangePartial(types.Range(far, types.Position(0, 0)), "x")
            client.text_document_did_change(
                types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version=1, uri=uri), [edit])
            )
        assert not await client.text_document_hover_async(types.HoverParams(document, far))
        await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))


def test_without_its_packages_the_command_says_how_to_install_them(
    wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wongar_dsl.cli.editor.server", None)
    for language in LANGUAGES:
        result = wongar("lsp", "--lang", language)
        assert (result.code, result.out) == (2, "")
        assert "pip install 'wongar[lsp]'" in result.err


def test_somebody_at_a_terminal_is_told_who_the_command_is_for(
    wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("io.StringIO", Keyboard)
    result = wongar("lsp")
    assert result.code == 2
    assert "editors/README.md" in result.err


@pytest.mark.asyncio
async def test_missing_words_are_told_and_prepared_in_files_that_the_editor_makes(
    client: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "locales" / "nl").mkdir(parents=True)
    (tmp_path / "locales" / "nl" / "lexicon.yaml").write_text(
        "games:\n  meadow:\n    disc: {sg: schijf, pl: schijven}\n", encoding="utf-8"
    )
    uri = (tmp_path / "meadow.rules").as_uri()
    assert await opened(client, uri, GAME) == []
    found = await told(client, uri)  # As soon as nobody types on.
    assert {one.code for one in found} == {"R0501", "R0502"}
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), found[0].range, types.CodeActionContext(found))
    )
    (action,) = [action for action in actions or () if isinstance(action, types.CodeAction)]
    assert "ontbrekende vermeldingen" in action.title
    assert action.edit is not None
    made = [change.uri for change in action.edit.document_changes or () if isinstance(change, types.CreateFile)]
    assert made == [(tmp_path / "locales" / "nl" / "messages.po").as_uri()]


def test_what_a_server_has_loaded_is_not_looked_through_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    # Such a look takes up to a tenth of a second, in which nothing is answered.
    server = make(Words.load("nl"), "1")
    monkeypatch.setattr(server, "_show", lambda *found: None)
    monkeypatch.setattr("wongar_dsl.cli.editor.server.IDLE", 0)
    monkeypatch.setattr("wongar_dsl.cli.editor.server.findings", lambda *asked: ())
    document = Document(URI, Path("/nowhere/meadow.rules"), GAME)
    document.latest = take(document.path, {document.path: GAME})
    kept = gc.get_freeze_count()
    try:
        asyncio.run(server.publish(document))
        assert gc.get_freeze_count() > kept
    finally:
        gc.unfreeze()
        server.documents.stop()


def test_the_server_ends_without_a_word_and_tells_whether_the_editor_was_done(wongar: Command) -> None:
    begin = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
    for asked, code in (([{"id": 2, "method": "shutdown"}], 0), ([], 1)):
        bodies = [json.dumps({"jsonrpc": "2.0", **said}) for said in (begin, *asked, {"method": "exit"})]
        ended = wongar.process("lsp", answers="".join(f"Content-Length: {len(b)}\r\n\r\n{b}" for b in bodies))
        assert (ended.code, ended.err) == (code, "")
        assert ended.out.startswith("Content-Length: ")
