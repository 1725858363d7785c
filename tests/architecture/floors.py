"""Allowed imports in wongar_dsl and `web`: one row per package, and one order of the modules inside each.

`PACKAGES` names each package (a top-level module counts as one) from the lowest layer up, with the packages that it may
import. All of them stand above its own row, so there are no cycles. `MODULES` gives the modules of each package in
dependency order: each imports only those before it. Before adding a module or an import, decide on which layer it
belongs. A row entry that no import uses is an error too, so the table matches the code.

`python tests/architecture/floors.py` prints the imports of the code in this notation.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "wongar_dsl"
#: Packages kept beside wongar_dsl and installed inside of it. The command line is on top and has no row.
SIBLING_PACKAGES = ("web",)

PACKAGES: dict[str, str] = {
    "late": "",
    "text": "",
    "cache": "text",
    "syntax": "late text",
    "parser": "text syntax",
    "unparser": "text syntax",
    "variants": "text syntax",
    "words": "text cache",
    "model": "late text syntax variants",
    "pictures": "text syntax words model",
    "analysis": "text syntax model",
    "ir": "late text syntax model",
    "checker": "text syntax variants model analysis ir",
    "lower": "text syntax model analysis ir",
    "backends": "cache ir",
    "pipeline": "text cache syntax parser variants model ir checker lower backends",
    "engine": "text model ir backends",
    "library": "text cache syntax parser unparser variants words model ir pipeline engine",
    "bots": "ir backends engine",
    "cases": "text syntax model ir backends engine bots",
    "prose": "syntax words model analysis",
    "charts": "text pictures",
    "pages": "text words model pictures prose",
    "narration": "text syntax words model ir lower engine cases prose",
    "embedding": "ir model backends engine",
    "editor": "text syntax parser unparser variants",
    "language_server": "text syntax parser variants words model pipeline library cases prose narration",
    "lab": "text cache model ir backends engine library bots cases",
    "adapters": "ir model backends engine library bots",
    "reports": "text words model engine pictures charts pages narration lab",
    "table": "text cache syntax words pictures model ir engine library bots cases narration",
    "web": "text cache words model pictures ir engine library bots narration table",
    "api": "words model backends engine library prose narration",
    "": "late text words model backends engine narration api",
}

#: `__init__` of a package stands above its modules and is not listed.
MODULES: dict[str, str] = {
    "late": "names parts",
    "text": (
        "budget codes escapes markup files memory span keys strict_yaml suggest foreign transliteration width "
        "diagnostics"
    ),
    "syntax": "node expressions statements visit articles changes",
    "parser": "keywords forms phrasings repairs errors expressions articles changes parser concrete completion",
    "unparser": "expressions lines statements articles",
    "variants": "parts steps amendment values partial merge attribution contents scaffold",
    "words": (
        "cldr arguments pseudolocales errors clause inflection template catalogs files lexicon lexicon_reader "
        "negotiation slots nominal joining realiser locale sounds wording findings catalog_check words skeletons "
        "extraction"
    ),
    "model": "boards shapes types builtins declarations model",
    "pictures": ("lettering svg naming sides brought graphs boards tracks lines shapes symbols puzzles tiles cards"),
    "analysis": "call_graph nullability effects closing freshness",
    "ir": (
        "code extents events builder folding program containers calling control_flow metering addresses "
        "information_flow loosening joining unfolding trimming sharing"
    ),
    "checker": (
        "draft context coverings directions endings lattices purity references elaboration whole_game declarations "
        "layouts expressions domains limits messages statements checker"
    ),
    "lower": (
        "memory pool context iteration turns procedures suspension zones boards domains references expressions "
        "quantifiers events layouts scoring moves cycle_memory decisions simultaneous statements dispatch game "
        "questions"
    ),
    "backends": (
        "chance ahead sight protocol states rounds sampling tree courses python.runtime python.generator "
        "python.choosing python.headlong python.backend python reference recording veiling native.finding native.loops "
        "native.tables native.generator native.sights native.compiler native.library native.memory native.batch "
        "native.backend native.counting native auto registry"
    ),
    "engine": (
        "moves notation events knowledge game differences past determinization foresight standing undo match "
        "observation saves save_files transcript"
    ),
    "library": "rules shipped sources packs naming loader packing games",
    "bots": "streams playouts protocol greedy mcts pace uniform registry",
    "cases": "file positions writer descriptions runner check recorder coverage",
    "prose": (
        "account keeping overall plan context vocabulary arithmetic constants directions elided things domains "
        "presence comparisons conditions told reduce choices deeds loops together callers statements nearness refer "
        "phrases bindings ending short reasons offers document likeness pairing explain book stock declared reading "
        "differences summary plain markdown outline sentences"
    ),
    "charts": "hues scales values frame bars dots columns curves",
    "pages": "styles document blocks sheets page",
    "narration": (
        "advice chances diagnostics offering lines narrator excerpts in_short deeds telling story retelling refusals "
        "ties illegal messages untranslated translation catalog_faults case_faults"
    ),
    "embedding": "names source",
    "editor": "breaking columns formatter listing patterns pygments_lexer",
    "language_server": (
        "positions symbols snapshot changes completion findings fixes outline hover navigation word_files rename"
    ),
    "lab": (
        "inference columns tally counting machine report perft parting playing simulation running processes visiting "
        "cluster comparing reports data keeping seatings ratings tournament turning"
    ),
    "adapters": "bounds actions observations play stepping batches pettingzoo trees openspiel",
    "reports": "document numbers naming single choices novelty versus sweeping method making telling page",
    "web": (
        "assets forms counts keys pictures spoken pictures.look presence qr questions rounds store stream viewing "
        "guests headers pictures.contents pictures.things pictures.area_board pictures.curve pictures.laid_cards "
        "pictures.square_board puzzles tables asking ending lessons pictures.position replaying turn pages "
        "rendering sitting workers host patience faults lobby visit doors play app serving"
    ),
    "table": (
        "errors names setup bots hint ways aims deciding places presence asking weight digest news compared ending "
        "forecast foretelling series numbering menu renumbering impossible outlook grouping puzzle scene subject "
        "takeover table "
        "kept replay lesson lesson_file lesson_check teaching"
    ),
}


class Room(NamedTuple):
    """Planned package or module: the layer below it, the packages it may import, and its contents."""

    above: str
    below: str
    holds: str


#: Planned packages and modules by path. When one is built, move its row to `PACKAGES` (part of a package: to `MODULES`)
#: and remove it here.
ROOMS: dict[str, Room] = {}

#: Libraries that only these packages may import.
FOREIGN: dict[str, frozenset[str]] = {
    "lark": frozenset({"parser"}),
    "babel": frozenset({"words"}),
    "yaml": frozenset({"text.strict_yaml"}),
    "pygments": frozenset({"editor.pygments_lexer"}),
    "distributed": frozenset({"lab.cluster", "lab.visiting"}),
    "click": frozenset(),
    "prompt_toolkit": frozenset(),
    "platformdirs": frozenset(),
    "numpy": frozenset({"adapters", "lab.ratings"}),
    "gymnasium": frozenset({"adapters.pettingzoo"}),
    "pettingzoo": frozenset({"adapters.pettingzoo"}),
    "jinja2": frozenset({"web"}),
    "markupsafe": frozenset({"web"}),
    "pyspiel": frozenset({"adapters.openspiel"}),
    "segno": frozenset({"web"}),
    "starlette": frozenset({"web"}),
    "uvicorn": frozenset({"web"}),
    "choix": frozenset({"lab.ratings"}),
}

#: The engine has its own random numbers and time is an input: only these modules may import a clock, Python's random
#: generators or the operating system.
UNPREDICTABLE = frozenset({"random", "secrets", "time", "datetime", "uuid", "os", "socket", "subprocess", "threading"})
#: A front end reads the clock and passes the time down as an input.
FRONT_ENDS = frozenset({"web"})
MAY_BE_UNPREDICTABLE: dict[str, frozenset[str]] = {
    "os": frozenset(
        {
            "text.files", "library.games", "library.naming", "engine.saves", "engine.save_files", "cache",
            "table.table", "backends.native.compiler", "bots.mcts",
        }
    ),
    "subprocess": frozenset({"backends.native.compiler"}),
    "threading": frozenset(
        {"backends.auto", "backends.native.compiler", "backends.protocol", "bots.mcts", "lab.visiting", "late.parts"}
    ),
}  # fmt: skip

#: Module names without meaning.
EMPTY_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "manager", "misc", "base", "core", "tools"})


def modules() -> dict[str, Path]:
    """Return every module of wongar_dsl by its name relative to the package (the package itself is "")."""
    paths = {}
    roots = {PACKAGE: PACKAGE, **{ROOT / name: ROOT for name in SIBLING_PACKAGES}}
    for path, root in [(path, root) for folder, root in roots.items() for path in sorted(folder.rglob("*.py"))]:
        parts = path.relative_to(root).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


@cache
def imports(path: Path, name: str = "") -> tuple[tuple[str, int], ...]:
    """Return the imports of the file as (dotted name, line); `name` is its module, for relative imports."""
    return tuple(_imports(path, name))


def _imports(path: Path, name: str) -> Iterator[tuple[str, int]]:
    package = ["wongar_dsl", *(name.split(".") if name else [])]
    if path.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(part for part in (base, node.module) if part)
            for alias in node.names:
                yield f"{base}.{alias.name}", node.lineno


def edges(name: str, known: dict[str, Path]) -> Iterator[tuple[str, int]]:
    """Yield the modules of wongar_dsl that the module `name` imports, with the line."""
    for target, line in imports(known[name], name):
        if target.split(".")[0] != "wongar_dsl":
            continue
        inner = target.removeprefix("wongar_dsl").removeprefix(".")
        # `from wongar_dsl.text.span import Span` does not name a module: use the longest prefix that is one.
        while inner and inner not in known:
            inner = inner.rpartition(".")[0]
        yield inner, line


def package_of(name: str) -> str:
    """Return the package of a module."""
    return name.partition(".")[0]


def position_in_package(name: str) -> int:
    """Return the position of a module in the order of its package; `__init__` is last."""
    package, _, inner = name.partition(".")
    order = MODULES.get(package, "").split()
    return order.index(inner) if inner else len(order)


def current_imports() -> tuple[dict[str, set[str]], dict[str, list[str]]]:
    """Return the imports between packages, and the modules of each package in dependency order."""
    paths = modules()
    between: dict[str, set[str]] = {}
    within: dict[str, dict[str, set[str]]] = {}
    for name in paths:
        package = package_of(name)
        between.setdefault(package, set())
        inner = name.partition(".")[2]
        if inner:
            within.setdefault(package, {}).setdefault(inner, set())
        for target, _ in edges(name, paths):
            target_package = package_of(target)
            if target_package != package:
                between[package].add(target_package)
            elif inner and target.partition(".")[2]:
                within[package][inner].add(target.partition(".")[2])
    return between, {package: _topological_order(inside) for package, inside in within.items()}


def _topological_order(graph: dict[str, set[str]]) -> list[str]:
    """Return the keys of a graph, each after the keys it points to."""
    order: list[str] = []
    while rest := [name for name in sorted(graph) if name not in order]:
        free = [name for name in rest if graph[name] - {name} <= set(order)]
        order += free or rest
    return order


if __name__ == "__main__":
    packages, inside = current_imports()
    order = list(PACKAGES)
    sys.stdout.write("PACKAGES\n")
    for package in sorted(packages, key=order.index):
        below = sorted(packages[package], key=order.index)
        sys.stdout.write(f'    "{package}": "{" ".join(below)}",\n')
    sys.stdout.write("MODULES\n")
    for package in sorted(inside, key=order.index):
        sys.stdout.write(f'    "{package}": "{" ".join(inside[package])}",\n')
