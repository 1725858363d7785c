"""Allowed imports in wongar_dsl and `web`: one row per package, and one order of the modules inside each.

`PACKAGES` names each package (a top-level module counts as one) from the lowest layer up, with the packages that it may
import. All of them stand above its own row, so there are no cycles. `MODULES` gives the modules of each package in
dependency order: each imports only those before it. Before adding a module or an import, decide on which layer it
belongs. A row entry that no import uses is an error too, so the table matches the code.

`python -m tests.architecture.floors` prints the imports of the code in this notation.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tools.house import nodes_by_type

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "wongar_dsl"
#: Packages kept beside wongar_dsl and installed inside of it. The command line is on top and has no row.
SIBLING_PACKAGES = ("web",)

PACKAGES: dict[str, str] = {
    "nlg": "",
    "compiler": "",
    "language": "",
    "base": "",
    "language.ast": "base",
    "language.parser": "base language.ast",
    "language.variants": "base language.ast",
    "language.printer": "base language.ast language.parser language.variants",
    "nlg.words": "base",
    "language.semantics": "base language.ast language.variants",
    "render.component_svg": "base language.ast nlg.words language.semantics",
    "language.dataflow": "base language.ast language.semantics",
    "compiler.ir": "base language.ast language.semantics",
    "language.checker": "base language.ast language.variants language.semantics language.dataflow compiler.ir",
    "compiler.lowering": "base language.ast language.semantics language.dataflow compiler.ir",
    "compiler.backends": "compiler base compiler.ir",
    "pipeline": (
        "base language.ast language.parser language.variants language.semantics compiler.ir "
        "language.checker compiler.lowering compiler.backends"
    ),
    "engine": "base language.semantics compiler.ir compiler.backends",
    "engine.library": (
        "base language.ast language.parser language.variants language.printer nlg.words language.semantics compiler.ir "
        "compiler.lowering compiler.backends pipeline engine"
    ),
    "engine.bots": "compiler.ir compiler.backends engine",
    "engine.rule_cases": "base language.ast language.semantics compiler.ir compiler.backends engine engine.bots",
    "nlg.prose": "language.ast nlg.words language.semantics language.dataflow",
    "render.html_document": "base nlg.words render.component_svg",
    "nlg.narration": (
        "base language.ast nlg.words language.semantics compiler.ir compiler.backends compiler.lowering engine "
        "engine.library engine.rule_cases nlg.prose"
    ),
    "nlg.translation": (
        "base language.ast nlg.words language.semantics engine engine.rule_cases nlg.prose nlg.narration"
    ),
    "nlg.diagnostic_text": "base nlg.words language.semantics",
    "adapters.c": "language.semantics compiler.ir compiler.backends engine",
    "language.server": (
        "base language.ast language.parser language.printer language.variants nlg.words language.semantics pipeline "
        "engine.library engine.rule_cases nlg.prose nlg.translation nlg.diagnostic_text"
    ),
    "lab": (
        "base language.semantics render.component_svg compiler.ir compiler.backends engine engine.library engine.bots"
    ),
    "adapters": "language.semantics compiler.ir compiler.backends engine engine.library engine.bots",
    "lab.reports": (
        "base nlg.words language.semantics render.component_svg engine engine.rule_cases render.html_document "
        "nlg.narration lab"
    ),
    "session": (
        "base language.ast nlg.words language.semantics compiler.ir compiler.backends engine engine.library "
        "engine.bots engine.rule_cases nlg.narration nlg.translation"
    ),
    "render.position_svg": (
        "base nlg.words language.semantics render.component_svg compiler.ir engine nlg.narration session"
    ),
    "render.rulebook_page": (
        "base language.ast nlg.words language.semantics render.component_svg nlg.prose render.html_document session "
        "render.position_svg"
    ),
    "render.text": (
        "base nlg.words language.semantics render.component_svg compiler.ir engine session render.position_svg"
    ),
    "render": "base render.position_svg render.rulebook_page render.text",
    "web": (
        "base nlg.words language.semantics render.component_svg compiler.ir engine engine.library engine.bots "
        "nlg.narration session render.position_svg render.rulebook_page"
    ),
    "api": "nlg.words language.semantics compiler.backends engine engine.library nlg.narration",
    "": "base nlg.words language.semantics compiler.backends engine nlg.narration api",
}

#: `__init__` of a package stands above its modules and is not listed.
MODULES: dict[str, str] = {
    "base": (
        "did_you_mean foreign_words lazy span storage storage.files terminal_text diagnostics storage.cache "
        "storage.strict_yaml markup"
    ),
    "language.ast": "zones nodes traversal declarations",
    "language.parser": "keywords repairs errors builder parser",
    "language.variants": "apply_patch merge blame scaffold",
    "language.printer": "unparser formatter provenance highlight_tables pygments_lexer",
    "nlg.words": (
        "arguments babel_locale clause catalogs lexicon cldr lexicon_reader slots languages realiser style_lint locale "
        "catalog_check translator po_files box_facts"
    ),
    "language.semantics": "boards shapes model builtins",
    "render.component_svg": "card_data svg boards cards",
    "compiler.ir": "instructions arithmetic program containers cfg information_flow",
    "language.dataflow": "effects dependence",
    "language.checker": "context declarations expressions game_checks statements checker",
    "compiler.lowering": "layout flow context metering zones domains expressions effects decisions statements game",
    "compiler.backends": (
        "rng protocol cycle_search bulk ismcts interpreter python_generator python taint native.optimizations "
        "native.generator native.compiler native.library native.backend native registry"
    ),
    "engine": (
        "hidden_information notation events hidden_information.information game hidden_information.observation history "
        "hidden_information.determinization hidden_information.lookahead undo_policy match saves"
    ),
    "engine.library": "pack rules game_ids loader pack_writer",
    "engine.bots": "protocol search",
    "engine.rule_cases": "coverage file position_reader position_writer runner recorder",
    "nlg.prose": (
        "content document micro micro.sentence_plan micro.instructions render document.document_model game_facts "
        "context document.short_rules document.questions document.glance render.realised_rulebook render.text_diff "
        "content.values micro.referring_expressions micro.simplify render.differences "
        "content.noun_phrases document.declarations content.comparisons "
        "content.effects content.conditions content.choices content.control_flow content.statements pipeline "
        "content.ending content.options document.translation_checks document.outline document.teaching "
        "document.play_texts"
    ),
    "nlg.narration": (
        "option_text narrator aggregation excerpts illegal_move_reasons story illegal_move examples teaching_book"
    ),
    "language.server": "symbols completion display fixes references",
    "lab": "histories inference metrics charts simulator blunders processes runner cluster tournament",
    "adapters": "actions observations episode batches game_tree pettingzoo openspiel",
    "render.text": "lines puzzle scene area_board status grid_board laid_cards position screen_reader",
    "render.position_svg": "translation_cache render_context svg_symbols laid_cards boards excerpt",
    "web": (
        "store views views.view_models views.zone_views security views.ending_view views.turn_view pages "
        "render_worker table_session host views.lobby_view routes app server"
    ),
    "lab.reports": "document report_data labels report_export one_arm several_arms assemble_document",
    "session": (
        "menu migrate_save puzzle seats scene changes decisions ending game_session tutorial forecast lesson_check"
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
    "lark": frozenset({"language.parser"}),
    "babel": frozenset({"nlg.words"}),
    "yaml": frozenset({"base.storage.strict_yaml"}),
    "pygments": frozenset({"language.printer.pygments_lexer"}),
    "distributed": frozenset({"lab.cluster"}),
    "click": frozenset(),
    "prompt_toolkit": frozenset(),
    "platformdirs": frozenset(),
    "numpy": frozenset({"adapters", "lab.inference"}),
    "gymnasium": frozenset({"adapters.pettingzoo"}),
    "pettingzoo": frozenset({"adapters.pettingzoo"}),
    "jinja2": frozenset({"web"}),
    "markupsafe": frozenset({"web"}),
    "pyspiel": frozenset({"adapters.openspiel"}),
    "segno": frozenset({"web"}),
    "starlette": frozenset({"web"}),
    "uvicorn": frozenset({"web"}),
    "choix": frozenset({"lab.inference"}),
}

#: The engine has its own random numbers and time is an input: only these modules may import a clock, Python's random
#: generators or the operating system.
UNPREDICTABLE = frozenset({"random", "secrets", "time", "datetime", "uuid", "os", "socket", "subprocess", "threading"})
#: A front end reads the clock and passes the time down as an input.
FRONT_ENDS = frozenset({"web"})
MAY_BE_UNPREDICTABLE: dict[str, frozenset[str]] = {
    "os": frozenset(
        {
            "base.storage.files",
            "engine.library",
            "engine.library.game_ids",
            "engine.saves",
            "base.storage.cache",
            "session.game_session",
            "compiler.backends.native.compiler",
            "engine.bots.search",
        }
    ),
    "subprocess": frozenset({"compiler.backends.native.compiler"}),
    "threading": frozenset(
        {
            "compiler.backends.native.compiler",
            "compiler.backends.protocol",
            "compiler.backends.registry",
            "engine.bots.search",
            "lab.cluster",
            "base.storage.cache",
            "render.position_svg.translation_cache",
        }
    ),
}

#: Module names without meaning.
EMPTY_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "manager", "misc", "core", "tools"})


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
    nodes = nodes_by_type(path.read_text(encoding="utf-8"))
    for node in nodes.get(ast.Import, ()):
        for alias in node.names:
            yield alias.name, node.lineno
    for node in nodes.get(ast.ImportFrom, ()):
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
        # `from wongar_dsl.base.span import Span` does not name a module: use the longest prefix that is one.
        while inner and inner not in known:
            inner = inner.rpartition(".")[0]
        yield inner, line


def package_of(name: str) -> str:
    """The package of a module: the longest one that has a row."""
    while name and name not in PACKAGES and "." in name:
        name = name.rpartition(".")[0]
    return name


def inside_of(name: str) -> str:
    """The name of a module inside its package; of the package itself, nothing."""
    return name.removeprefix(package_of(name)).removeprefix(".")


def position_in_package(name: str) -> int:
    """Return the position of a module in the order of its package; `__init__` is last."""
    package, inner = package_of(name), inside_of(name)
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
        inner = inside_of(name)
        if inner:
            within.setdefault(package, {}).setdefault(inner, set())
        for target, _ in edges(name, paths):
            target_package = package_of(target)
            if target_package != package:
                between[package].add(target_package)
            elif inner and inside_of(target):
                within[package][inner].add(inside_of(target))
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
