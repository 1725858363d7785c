"""Case files: parsing and checks of their structure; names in them are checked against a game elsewhere.

Only mappings, lists and strings of YAML are allowed: no tags, no anchors, no implicit types (`no` is not false). This
limits what a stranger's file can contain in size, depth and complexity.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from wongar_dsl.base.diagnostics import Diagnostic, Hint
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.storage import strict_yaml
from wongar_dsl.base.storage.files import FileError, FileOrFolder, MemoryPath, named_file, read_text, relative_path
from wongar_dsl.base.storage.strict_yaml import YamlFault
from wongar_dsl.engine import IllegalMove, State

SUFFIX = ".cases.yaml"
RULES = ".rules"
MAX_FILE_BYTES = 1_000_000
MAX_DEPTH = 16
MAX_SEATS = 64
#: Number of folders above that of the cases in which their game is looked for.
MAX_ABOVE = 2
_NAME = re.compile(r"\w+(/\w+)*")
_HEAD = re.compile(r"^(?:game|variant) +(\w+)", re.M)

Argument = str | int | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseFailure:
    """A mistake in a case or its file: message name, line and message arguments.

    `refused` is an illegal move, the state in which it is illegal, and the players' names there.
    """

    code: str
    line: int
    arguments: Mapping[str, Argument]
    refused: tuple[IllegalMove, State, tuple[str, ...]] | None = field(default=None, compare=False, repr=False)


class CaseError(Exception):
    """Raised for a case or case file without a valid meaning."""

    def __init__(self, code: str, line: int, **arguments: Argument) -> None:
        self.finding = CaseFailure(code, line, arguments)
        super().__init__(f"line {line}: {code} {arguments}")


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A node of the YAML tree: a text, a list or a mapping, with its line."""

    value: str | list[YamlNode] | dict[str, YamlNode]
    line: int

    @property
    def text(self) -> str:
        """The text; raises `CaseError` for another type."""
        if not isinstance(self.value, str):
            raise CaseError("cases.shape", self.line, expected="text")
        return self.value

    @property
    def move_text(self) -> str:
        """The text of a move; raises `CaseError` if YAML has split it at a comma."""
        if self.text.count("(") != self.text.count(")"):
            raise CaseError("cases.cut", self.line, name=self.text)
        return self.text

    @property
    def items(self) -> list[YamlNode]:
        """The items of a list; raises `CaseError` for another type."""
        if not isinstance(self.value, list):
            raise CaseError("cases.shape", self.line, expected="list")
        return self.value

    @property
    def mapping(self) -> dict[str, YamlNode]:
        """The values of a mapping by key; raises `CaseError` for another type."""
        if not isinstance(self.value, dict):
            raise CaseError("cases.shape", self.line, expected="mapping")
        return self.value

    @property
    def number(self) -> int:
        """The text as a whole number; raises `CaseError` for other text."""
        return self._whole_number(12)

    @property
    def seed(self) -> int:
        """The text as the 64-bit seed of a game; raises `CaseError` for other text."""
        return self._whole_number(20)

    def _whole_number(self, digits: int) -> int:
        if not re.fullmatch(rf"-?\d{{1,{digits}}}", self.text):
            raise CaseError("cases.shape", self.line, expected="number")
        return int(self.text)

    @property
    def item_or_items(self) -> list[YamlNode]:
        """The items of a list, or the single node itself."""
        return self.value if isinstance(self.value, list) else [self]


@dataclass(frozen=True, slots=True)
class CaseStep:
    """A step of a case.

    It is a move (of `seat`, if given), a move that must be illegal, a position to lay out, the number of random numbers
    drawn so far, or an expectation.
    """

    line: int
    move: str = ""
    seat: YamlNode | None = None
    illegal: Mapping[str, YamlNode] | None = None
    expect: Mapping[str, YamlNode] | None = None
    position: Mapping[str, YamlNode] | None = None
    drawn: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A case: a position, moves, and expectations.

    `names` are the seats' names in this case. With `setup` it begins at the first decision of the game, otherwise
    between setup and play. `positions` are laid out in order: that of the file, then that of the case
    (`own_position`). An `example` is told in the rulebook.
    """

    name: str
    line: int
    covers: tuple[str, ...]
    names: tuple[str, ...]
    seats: int
    seed: int
    options: Mapping[str, YamlNode]
    setup: bool
    positions: tuple[Mapping[str, YamlNode], ...]
    steps: tuple[CaseStep, ...]
    example: bool = False
    own_position: Mapping[str, YamlNode] = field(default_factory=dict)

    @property
    def title_message(self) -> str:
        """Name of the optional message with the title of an example: its name with underscores."""
        return f"{EXAMPLE}.{'_'.join(re.findall(r'[a-z0-9]+', self.name.lower().replace(chr(39), '')))}"


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A case file, with the game to load for it: a name, or the path of a rule file near the cases.

    `named` is the game as the file names it, on line `game_line`; without a name, the name of the file. `beside` is a
    rule file next to the cases that `named` does not mean, or empty. `laid_out`: the file has a position for all cases.
    """

    path: Path | MemoryPath
    game: str
    cases: tuple[Case, ...]
    game_line: int = 1
    laid_out: bool = False
    named: str = ""
    beside: str = ""

    def names(self) -> frozenset[str]:
        """Return the names of the game and variants that the cases are about, as their rule files state them."""
        names: set[str] = set()
        for piece in self.game.split("+"):
            if not piece.endswith(RULES):
                names |= {*piece.split("/")}
                continue
            with suppress(FileError):
                file = self.path.parent / Path(piece).name if isinstance(self.path, MemoryPath) else Path(piece)
                head = _HEAD.search(read_text(file, MAX_FILE_BYTES, RULES))
                names |= {head[1]} if head is not None else set()
        return frozenset(names)


_FILE = ("game", "players", "position", "cases")
#: Key of a case that the rulebook tells as an example, with its only value.
EXAMPLE, YES = "example", "yes"
_CASE = ("name", "covers", EXAMPLE, "players", "seats", "seed", "options", "from", "position", "moves", "expect")
_ILLEGAL = ("move", "reason", "condition")
_SEEN = ("position", "tells", "tells_exactly", "tells_not")
DRAWN = "drawn"
#: Words that begin a step, or stand for several viewers, and can be no name of a seat.
_NO_SEAT = frozenset({"position", DRAWN, "expect", "illegal", "all", "watcher"})
EXPECTED = ("seat", "decision", "options", "offers", "offers_not", *_SEEN, "sees", "totals", "winners")


def read(path: Path | MemoryPath) -> CaseFile:
    """Read the cases of a file; raises `CaseError`."""
    return parse_cases(read_case_text(path, MAX_FILE_BYTES, SUFFIX), path)


def read_case_text(path: FileOrFolder, limit: int, suffix: str) -> str:
    """Return the text of a file of cases or of a lesson, of at most `limit` bytes; raises `CaseError`."""
    try:
        return read_text(path, limit, suffix)
    except FileError as error:
        if error.reason == "too_large":
            raise CaseError("cases.too_large", 1, limit=limit) from None
        raise CaseError(f"cases.{error.reason}", error.line) from None


def parse_cases(text: str, path: Path | MemoryPath) -> CaseFile:
    """Parse the text of a case file at a path, which need not exist yet; raises `CaseError`."""
    tree = parse_yaml(text)
    keys = checked_mapping(tree, _FILE, needed=("cases",))
    stem = path.name.removesuffix(SUFFIX)
    named = keys.get("game", YamlNode(stem, 1))
    game, beside = _game_and_rules_beside(path, named if "game" in keys else None)
    cases = tuple(_case(node, keys) for node in keys["cases"].items)
    if not cases:
        raise CaseError("cases.none", keys["cases"].line)
    first: dict[str, int] = {}
    for case in cases:
        if first.setdefault(case.name, case.line) != case.line:
            raise CaseError("cases.twice", case.line, name=case.name)
    return CaseFile(path, game, cases, named.line, "position" in keys, named.text, beside)


def _game_and_rules_beside(path: Path | MemoryPath, named: YamlNode | None) -> tuple[str, str]:
    """Return the game of a case file, and the rule file beside it if the name of the game does not mean that.

    The rule file with the name of the case file is tested instead of a game elsewhere: it is a renamed copy.
    """
    folder, stem = path.parent, path.name.removesuffix(SUFFIX)
    if named is None:
        return _rules_near(folder, stem) or str(folder / f"{stem}{RULES}"), ""
    if _NAME.fullmatch(named.text) and _rules_beside(folder, named.text) is None:
        copy = named_file(folder, stem, RULES)
        if copy is not None:
            return relative_path(str(copy)), relative_path(str(copy))
        only = only_rules(folder) if _rules_near(folder, named.text) is None else None
        return _piece(folder, named, named.text), "" if only is None else relative_path(str(only))
    return "+".join(_piece(folder, named, piece) for piece in named.text.split("+")), ""


def only_rules(folder: Path | MemoryPath) -> Path | None:
    """Return the rule file of a folder with one."""
    files = list(folder.glob(f"*{RULES}")) if isinstance(folder, Path) else []
    return files[0] if len(files) == 1 else None


def _rules_beside(folder: Path | MemoryPath, name: str) -> str | None:
    """Return the path of the rule file that a name means in the folder of the cases."""
    file = named_file(folder, name, RULES) or _renamed_rules(folder, name.rpartition("/")[2])
    return None if file is None else relative_path(str(file))


def _rules_near(folder: Path | MemoryPath, name: str) -> str | None:
    """Return the path of the rule file that a name means in the folder of the cases, or in one of those above it."""
    above = folder.resolve().parents[:MAX_ABOVE] if isinstance(folder, Path) else ()
    places = (named_file(near, name, RULES) for near in above)
    return _rules_beside(folder, name) or next((relative_path(str(place)) for place in places if place), None)


def _renamed_rules(folder: Path | MemoryPath, name: str) -> Path | None:
    """Return the only rule file of a folder whose first line has this name, for a copy under another file name."""
    matches = []
    for file in sorted(folder.glob(f"*{RULES}")) if isinstance(folder, Path) else ():
        with suppress(FileError):
            head = _HEAD.search(read_text(file, MAX_FILE_BYTES, RULES))
            matches += [file] if head is not None and head[1] == name else []
    return matches[0] if len(matches) == 1 else None


def _piece(folder: Path | MemoryPath, named: YamlNode, piece: str) -> str:
    """Return the path of a rule file in the folder of the cases or below it, or the name of a shipped game or variant.

    A name refers to a file near the cases first. Raises `CaseError` for any other path.
    """
    if _NAME.fullmatch(piece):
        return _rules_near(folder, piece) or piece
    if not piece.endswith(RULES):
        return piece
    try:
        if isinstance(folder, MemoryPath):
            inside = (folder / piece).is_file()
        else:
            inside = (folder / piece).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside:
        raise CaseError("cases.outside", named.line, name=named.text)
    return str(folder / piece)


def parse_yaml(text: str) -> YamlNode:
    """Parse YAML; raises `CaseError` for invalid, too deep or unsupported YAML, and for a repeated key."""
    try:
        tree = strict_yaml.parse(text, MAX_DEPTH, YamlNode)
    except YamlFault as fault:
        raise _fault(fault) from None
    if tree is None:
        raise CaseError("cases.shape", 1, expected="mapping")
    return tree


def _fault(fault: YamlFault) -> CaseError:
    match fault.reason:
        case "alias":
            return CaseError("cases.alias", fault.line)
        case "too_deep":
            return CaseError("cases.too_deep", fault.line, limit=MAX_DEPTH)
        case "twice":
            return CaseError("cases.twice", fault.line, name=fault.name)
        case "key":
            return CaseError("cases.shape", fault.line, expected="text")
        case "several":
            return CaseError("cases.shape", 1, expected="mapping")
        case _:
            return CaseError("cases.yaml", fault.line)


def checked_mapping(node: YamlNode, known: tuple[str, ...], needed: tuple[str, ...] = ()) -> dict[str, YamlNode]:
    """Return the values of a mapping by key; raises `CaseError` for unknown and missing keys."""
    keys = node.mapping
    for key, value in keys.items():
        if key not in known:
            raise CaseError(
                "cases.unknown_key", value.line, name=key, known=known, suggestion=did_you_mean(key, known) or ""
            )
    for key in needed:
        if key not in keys:
            raise CaseError("cases.missing_key", node.line, name=key)
    return keys


def _expected(node: YamlNode) -> dict[str, YamlNode]:
    """Return the expectations of a step; raises `CaseError` for unknown ones."""
    keys = checked_mapping(node, EXPECTED)
    for seen in keys["sees"].mapping.values() if "sees" in keys else ():
        checked_mapping(seen, _SEEN)
    return keys


def _case(node: YamlNode, file: Mapping[str, YamlNode]) -> Case:
    keys = checked_mapping(node, _CASE, needed=("name",))
    if "players" in file and "seats" not in keys:
        keys = {"players": file["players"], **keys}
    if ("players" in keys) == ("seats" in keys):
        raise CaseError("cases.missing_key", node.line, name="players")
    names = tuple(n.text for n in keys["seats"].items) if "seats" in keys else ()
    for name, item in zip(names, keys["seats"].items if names else (), strict=True):
        if not name.isidentifier() or names.count(name) > 1 or name in _NO_SEAT:
            raise CaseError("cases.value", item.line, name=name, expected="name")
    seats = len(names) if names else keys["players"].number
    if not 1 <= seats <= MAX_SEATS:
        raise CaseError("cases.value", node.line, name=str(seats), expected="number")
    begin = keys["from"].text if "from" in keys else "play"
    if begin not in ("setup", "play"):
        raise CaseError("cases.value", keys["from"].line, name=begin, expected="setup, play")
    if begin == "setup" and "position" in keys:
        raise CaseError("cases.no_position", keys["position"].line)
    if EXAMPLE in keys and keys[EXAMPLE].text != YES:
        raise CaseError("cases.example", keys[EXAMPLE].line, name=keys[EXAMPLE].text)
    steps = [_step(n) for n in keys["moves"].items] if "moves" in keys else []
    if "expect" in keys:
        steps.append(CaseStep(keys["expect"].line, expect=_expected(keys["expect"])))
    return Case(
        name=keys["name"].text,
        line=node.line,
        covers=tuple(n.text for n in keys["covers"].item_or_items) if "covers" in keys else (),
        names=names,
        seats=seats,
        seed=keys["seed"].seed if "seed" in keys else 1,
        options=keys["options"].mapping if "options" in keys else {},
        setup=begin == "setup",
        positions=() if begin == "setup" else tuple(k["position"].mapping for k in (file, keys) if "position" in k),
        steps=tuple(steps),
        example=EXAMPLE in keys,
        own_position=keys["position"].mapping if "position" in keys else {},
    )


def _step(node: YamlNode) -> CaseStep:
    if isinstance(node.value, str):
        return CaseStep(node.line, move=node.move_text)
    if len(node.mapping) != 1:
        raise CaseError("cases.shape", node.line, expected="move")
    ((key, value),) = node.mapping.items()
    if key == "position":
        return CaseStep(node.line, position=value.mapping)
    if key == DRAWN:
        return CaseStep(node.line, drawn=value.number)
    if key == "expect":
        return CaseStep(node.line, expect=_expected(value))
    if key == "illegal":
        return CaseStep(
            node.line,
            illegal={"move": value} if isinstance(value.value, str) else checked_mapping(value, _ILLEGAL, ("move",)),
        )
    return CaseStep(node.line, move=value.move_text, seat=YamlNode(key, node.line))


def file_source(path: FileOrFolder, suffix: str = SUFFIX, limit: int = MAX_FILE_BYTES) -> Source:
    """Load a file for diagnostics, by default one of cases; an unreadable file is empty."""
    text = ""
    with suppress(FileError):
        text = read_text(path, limit, suffix)
    return Source(relative_path(str(path)), text)


def line_span(source: Source, line: int) -> Span:
    """Return the span of a line without its indentation."""
    line = max(line, 1)
    shown = source.line(line)
    start = len(shown) - len(shown.lstrip()) + 1
    return Span(source, line, start, line, max(len(shown) + 1, start + 1))


def case_fault(failure: CaseFailure, source: Source, code: str = "R0701") -> Diagnostic:
    """Convert a fault in a case file to a diagnostic on its line, with the allowed values as a hint.

    Other files use the same conversion under another `code`.
    """
    arguments = dict(failure.arguments)
    suggestion = arguments.pop("suggestion", "")
    allowed = arguments.pop("known", ())
    hint = Hint("one_of", {"values": allowed}) if isinstance(allowed, tuple) and allowed else None
    span = line_span(source, failure.line)
    details = {"finding": failure.code, **arguments}
    return Diagnostic(code, span, details, suggestion=str(suggestion) or None, hint=hint)
