"""Response times of the language server: `python -m benchmarks.editor_latency` uses `wongar lsp` on a rule file like an
editor.

It requests completion, hover and outline at many positions, also while the server parses a change. Diagnostics are
timed from the last of several keystrokes. Times are wall-clock times, so other load on the machine counts.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections.abc import Awaitable
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

START = [sys.executable, "-c", "import sys; from wongar_dsl.cli.main import main; sys.exit(main())", "lsp"]
#: Limits in seconds: for a response, and for diagnostics after the last keystroke.
ANSWER, MISTAKES = 0.1, 0.6


class Editor:
    """Editor with one open file."""

    def __init__(self, path: Path) -> None:
        self.client = LanguageClient("benchmark", "1")
        self.told = asyncio.Event()
        self.uri, self.text = path.resolve().as_uri(), path.read_text(encoding="utf-8")
        self.document = types.TextDocumentIdentifier(self.uri)
        self.version = 1

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def told(params: types.PublishDiagnosticsParams) -> None:
            if params.uri == self.uri:
                self.told.set()

    async def open(self) -> float:
        """Start the server and open the file; return the seconds until its diagnostics arrive."""
        begin = time.perf_counter()
        await self.client.start_io(*START)
        await self.client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(self.uri, "game-rules", self.version, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self.told.wait()
        return time.perf_counter() - begin

    def type(self, text: str) -> None:
        """Replace the text of the file."""
        self.version += 1
        change = types.TextDocumentContentChangeWholeDocument(text)
        document = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def mistakes(self, draw: random.Random) -> float:
        """Return the seconds from the last of five keystrokes until diagnostics arrive."""
        line = draw.randrange(self.text.count("\n"))
        lines = self.text.split("\n")
        for n in range(5):
            lines[line] += "x" if n else " x"
            self.type("\n".join(lines))
            await asyncio.sleep(0.05)
        self.told.clear()
        begin = time.perf_counter()
        self.type("\n".join(lines) + "\n")
        await self.told.wait()
        return time.perf_counter() - begin

    def anywhere(self, draw: random.Random) -> types.Position:
        """Return a random position in the text."""
        lines = self.text.split("\n")
        line = draw.randrange(len(lines))
        return types.Position(line, draw.randrange(len(lines[line]) + 1))


async def timed(answer: Awaitable[object]) -> float:
    """Return the seconds until a response arrives."""
    begin = time.perf_counter()
    await answer
    return time.perf_counter() - begin


async def measure(path: Path, rounds: int, seed: int) -> bool:
    """Print the table; return whether all response times are within the limits."""
    draw, editor = random.Random(seed), Editor(path)
    print(f"{'opened':<12} {await editor.open():7.3f}")
    client, times = editor.client, {name: [] for name in ("completion", "hover", "outline")}
    for n in range(rounds):
        if n % 10 == 0:  # Keeps the server busy with a new version of the text.
            editor.type(editor.text + "\n" * (n % 20))
        position = editor.anywhere(draw)
        completion, hover = (
            types.CompletionParams(editor.document, position),
            types.HoverParams(editor.document, position),
        )
        times["completion"].append(await timed(client.text_document_completion_async(completion)))
        times["hover"].append(await timed(client.text_document_hover_async(hover)))
        outline = types.DocumentSymbolParams(editor.document)
        times["outline"].append(await timed(client.text_document_document_symbol_async(outline)))
    times["mistakes"] = [await editor.mistakes(draw) for _ in range(rounds // 10)]
    good = True
    print(f"{'seconds':<12} {'median':>7} {'95 %':>7} {'most':>7}")
    for name, seconds in times.items():
        late = sorted(seconds)[int(0.95 * len(seconds))]
        print(f"{name:<12} {statistics.median(seconds):7.3f} {late:7.3f} {max(seconds):7.3f}")
        good = good and late <= (MISTAKES if name == "mistakes" else ANSWER)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return good


def main() -> int:
    """Run the benchmark; return 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=Path("rules/tongiaki/tongiaki.rules"))
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return int(not asyncio.run(measure(options.file, options.rounds, options.seed)))


if __name__ == "__main__":
    sys.exit(main())
