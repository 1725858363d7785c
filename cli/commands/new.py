"""`wongar new`: the initial files of a new variant, in its author's language."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl.base.diagnostics import Diagnostic, RulesError, Severity
from wongar_dsl.base.span import Source
from wongar_dsl.base.storage.files import PACK_SUFFIX, relative_path, write_bytes
from wongar_dsl.engine.library import RULES_SUFFIX, Rules, builtin_names, pieces, resolved_pieces
from wongar_dsl.engine.library.game_ids import folder_above_own, neighbour_paths
from wongar_dsl.engine.library.loader import with_variant
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.variants.scaffold import Example, examples, first_changes, steps
from wongar_dsl.nlg.translation import usable_terms
from wongar_dsl.nlg.words import Text, Translator, Value
from wongar_dsl.nlg.words.arguments import quoted
from wongar_dsl.nlg.words.catalogs import read_catalog
from wongar_dsl.nlg.words.languages import ENGLISH, available, languages_in, read_text, read_tree
from wongar_dsl.nlg.words.locale import PSEUDO
from wongar_dsl.nlg.words.po_files import key, with_messages, with_terms, write_file

from ..errors import SUCCESS, USAGE, UserError, write_error
from ..language import load_unfiltered
from ..load_game import open_game
from ..terminal.screen import echo

MAX_NAME_LENGTH = 60
#: A valid name in the rule language.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def new_command(words: Translator, name: str, game: str, folder: str | None) -> int:
    """Run `wongar new`."""
    _check_name(name, words)
    header, beside = _header(name, game, folder, words)
    opened = open_game(game, words)
    if name in opened.rules.model.merged.names:
        raise UserError(words.say("cli.new.taken", name=quoted(name)), USAGE)
    place = beside if beside is not None else Path(folder if folder is not None else name)
    if os.path.lexists(place) and ((beside is None and folder is None) or not place.is_dir()):
        raise UserError(words.say("cli.new.there", path=quoted(str(place))), USAGE)
    for path in _own_files(place, name):
        if os.path.lexists(path):
            raise UserError(words.say("cli.new.there", path=quoted(str(path))), USAGE)
    # Files are written with the full character set, independent of the terminal.
    author = load_unfiltered(words.language, opened.rules.words_beside)
    _write(place, begin_variant(header, opened.rules), author, words)
    _report(place, name, words)
    return SUCCESS


def _check_name(name: str, words: Translator) -> None:
    """Raise `UserError` if a name is not valid for a variant or is already used."""
    if not NAME.fullmatch(name) or len(name) > MAX_NAME_LENGTH:
        raise UserError(words.say("cli.new.bad_name", name=quoted(name)), USAGE)
    if name in reserved_words():
        raise UserError(words.say("cli.new.reserved", name=quoted(name)), USAGE)
    if name in {part for chain in builtin_names() for part in chain.split("/")}:
        raise UserError(words.say("cli.new.taken", name=quoted(name)), USAGE)


def _header(name: str, game: str, folder: str | None, words: Translator) -> tuple[VariantHeader, Path | None]:
    """Return the header of the variant and the folder required for its base to be found.

    The folder is None if any will do. Raises `UserError` if the base cannot be found from the requested folder.
    """
    named, files = [], []
    for piece, location in zip(pieces(game), resolved_pieces(game) or pieces(game), strict=True):
        if os.path.isabs(location):
            if location.endswith(PACK_SUFFIX):
                raise UserError(words.say("cli.new.from_pack", file=quoted(piece)), USAGE)
            stem = Path(location).name.removesuffix(RULES_SUFFIX)
            if not NAME.fullmatch(stem) or not location.endswith(RULES_SUFFIX):
                raise UserError(words.say("cli.new.no_base", file=quoted(piece)), USAGE)
            files.append(Path(location))
            named.append(stem)
        else:
            named.append(piece)
    header = VariantHeader(name, named[0], tuple(named[1:]))
    if not files:
        return header, None
    if folder is not None:
        if not _finds(Path(folder).resolve(), name, files):
            raise UserError(words.say("cli.new.elsewhere", file=quoted(game)), USAGE)
        return header, Path(folder)
    above = folder_above_own(files[0])
    places = [files[0].parent, *([above / name] if above is not None else [])]
    place = next((place for place in places if _finds(place, name, files)), None)
    if place is None:
        raise UserError(words.say("cli.new.apart", file=quoted(game)), USAGE)
    return header, Path(relative_path(str(place)))


def _finds(place: Path, name: str, files: Sequence[Path]) -> bool:
    """Return whether a variant in a folder finds rule files by their names."""
    rule_file, _ = _own_files(place, name)
    return all(file in neighbour_paths(rule_file, file.stem) for file in files)


def _own_files(place: Path, name: str) -> tuple[Path, Path]:
    """Return the rule file of a variant and its case file."""
    return place / f"{name}.rules", place / f"{name}.cases.yaml"


def _report(place: Path, name: str, words: Translator) -> None:
    """List the files written and the commands to run next."""
    rules, cases = _own_files(place, name)
    for path in (rules, cases, place / "locales"):
        echo(words.say("cli.new.written", path=quoted(str(path))))
    echo(words.say("cli.new.next"))
    for subcommand, path in (("validate", rules), ("test", cases), ("play", rules)):
        echo(f"  {shlex.join(['wongar', subcommand, str(path)])}")


# ---- writing -------------------------------------------------------------------------------------------------------


def _write(place: Path, start: NewVariant, author: Translator, words: Translator) -> None:
    """Write all files or none, in the language of the author.

    Raises `UserError` if a file cannot be written.
    """
    try:
        with _atomic_folder(place) as folder:
            _fill(folder, start, author)
    except OSError as error:
        raise write_error(place, error, words) from None


@contextlib.contextmanager
def _atomic_folder(place: Path) -> Iterator[Path]:
    """Yield a folder to write into; it becomes `place` if all writing succeeds.

    In a folder that exists, an error restores the previous content.
    """
    if not place.is_dir():
        stage = place.parent / f".{place.name}-{os.getpid()}.part"
        stage.mkdir()
        try:
            yield stage
            stage.rename(place)
        except BaseException:
            shutil.rmtree(stage, ignore_errors=True)
            raise
        return
    before = {path: path.read_bytes() for path in (place / "locales").glob("*/*") if path.is_file()}
    existing = set(_below(place))
    try:
        yield place
    except BaseException:
        with contextlib.suppress(OSError):
            for path, data in before.items():
                if path.read_bytes() != data:
                    path.write_bytes(data)
            for path in sorted(set(_below(place)) - existing, reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _below(place: Path) -> Iterator[Path]:
    """Yield the files and folders below a folder that this command could write: rules, cases and catalogs."""
    yield from place.glob("*.rules")
    yield from place.glob("*.cases.yaml")
    locales = place / "locales"
    if locales.is_dir():
        yield from (locales, *locales.glob("*"), *locales.glob("*/*"))


def _fill(folder: Path, start: NewVariant, words: Translator) -> None:
    """Write the files of a variant: catalogs, cases, and last the rules."""
    english = Translator.load(ENGLISH)
    languages, author_language = available(), ENGLISH if words.language in PSEUDO else words.language
    for code in dict.fromkeys((author_language, *languages_in(folder / "locales"))):
        if code in languages or code == words.language:
            _add_words(
                folder / "locales" / code, start, words if code == words.language else Translator.load(code), english
            )
    rules, cases = _own_files(folder, start.header.name)
    write_bytes(cases, case_file(start, words).encode())
    write_bytes(rules, rule_file(start, words).encode())


def _add_words(folder: Path, start: NewVariant, words: Translator, english: Translator) -> None:
    """Add the title of the variant and the message of its change, if the files of a language lack them."""
    game, header = start.rules.model.merged.names[0], start.header
    lexicon, catalog = folder / "lexicon.yaml", folder / "messages.po"
    spaced = header.name.replace("_", " ").strip()
    title = spaced[:1].upper() + spaced[1:]
    # The term has the name of the variant, or the full one if its base has that term.
    term = start.rules.name if header.name in usable_terms(start.base_rules.model) else header.name
    games = read_tree(read_text(lexicon), str(lexicon)).get("games") if lexicon.exists() else None
    game_terms = games.get(game) if isinstance(games, dict) else None
    if not isinstance(game_terms, dict) or term not in game_terms:
        write_file(lexicon, with_terms(lexicon, game, {term: f"{key(term)}: {title}"}))
    messages = read_catalog(read_text(catalog), str(catalog)).entries if catalog.exists() else {}
    message = f"{game}.{start.change.facts.get('name')}"
    if start.change.topic == "begins" and message not in messages:
        # The markup characters of a catalog message are doubled.
        source, translation = (
            re.sub(r"[{}]|\[|\]", lambda match: match[0] * 2, spoken.say("cli.new.begins", title=Text(title)))
            for spoken in (english, words)
        )
        texts = _po(source), _po("" if words.language == english.language else translation)
        entry = f"#, no-python-brace-format\nmsgctxt {_po(message)}\nmsgid {texts[0]}\nmsgstr {texts[1]}"
        write_file(catalog, with_messages(catalog, words.language, [entry]))


def _po(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


#: Maximum length of a comment line.
WIDTH = 100
#: Maximum number of rounds in which invalid examples are removed.
ROUNDS = 8
#: Seed of the generated case.
SEED = 1
#: Number of options that the case lists.
OFFERS = 3
#: Heading of the examples of each topic.
_HEADINGS = {
    **dict.fromkeys(("option", "truth"), "cli.games.options"), **dict.fromkeys(("table", "row"), "cli.games.tables"),
    "deck": "cli.games.decks", "track": "cli.games.tracks", **dict.fromkeys(("choice", "allow"), "cli.games.choices"),
    "players": "cli.new.players", "step": "cli.new.steps",
}  # fmt: skip
#: Topics explained together with the previous example if both concern the same table or decision.
_FURTHER = ("row", "allow")


@dataclass(frozen=True, slots=True)
class VariantHeader:
    """The names in the first line of a new variant: `variant NAME of BASE with OTHERS`."""

    name: str
    base: str
    others: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The first line of the rule file."""
        more = f" with {', '.join(self.others)}" if self.others else ""
        return f"variant {self.name} of {self.base}{more}"

    @property
    def base_game(self) -> str:
        """The base with its variants, as written on the command line."""
        return "+".join((self.base, *self.others))


@dataclass(frozen=True, slots=True)
class NewVariant:
    """A new variant: header, rules of its base, its change, and the resulting rules."""

    header: VariantHeader
    base_rules: Rules
    change: Example
    rules: Rules


def begin_variant(header: VariantHeader, base: Rules) -> NewVariant:
    """Return a variant with the first change that the rules allow.

    Raises `RulesError` if they allow none.
    """
    offered = examples(base.model.merged, base.model.players)
    diagnostics: tuple[Diagnostic, ...] = ()
    for change in first_changes(base.model.merged, offered, header.name):
        rules, diagnostics = with_variant(base, _source(header, [change]))
        if rules is not None and len(diagnostics) <= len(base.warnings):
            return NewVariant(header, base, change, rules)
    raise RulesError(diagnostics)


def compatible_examples(start: NewVariant) -> tuple[Example, ...]:
    """Return the examples that are valid together, without the change already made."""
    model = start.base_rules.model
    remaining = [e for e in examples(model.merged, model.players) if e.text != start.change.text]
    for _ in range(ROUNDS):
        source = _source(start.header, remaining)
        _, diagnostics = with_variant(start.base_rules, source)
        spans = (span for d in diagnostics for span in (d.span, *(label.span for label in d.labels)))
        wrong = {span.line for span in spans if span is not None and span.source == source}
        errors = any(d.severity is Severity.ERROR for d in diagnostics)
        if not errors and not wrong:
            return tuple(remaining)
        start_line, good = 4, []
        for example in remaining:
            end = start_line + example.text.count("\n") + 2
            if wrong.isdisjoint(range(start_line, end)):
                good.append(example)
            start_line = end
        remaining = good if len(good) < len(remaining) else []
    return ()


def _source(header: VariantHeader, changes: Iterable[Example]) -> Source:
    """Return a rule file with changes; the first of them begins in line 4."""
    blocks = "".join(f"{change.text}\n\n" for change in changes)
    return Source(f"{header.name}.rules", f"{header.line}\n    source house rule\n\n{blocks}")


# ---- rule file -----------------------------------------------------------------------------------------------------


def rule_file(start: NewVariant, words: Translator) -> str:
    """Return the text of the rule file, with comments in a language."""
    say, header = words.say, start.header
    file, base, name = Text(f"{header.name}.rules"), Text(header.base_game), Text(header.name)
    lines = [*_comment(say("cli.new.about", name=name, base=base)), "#"]
    lines += _comment(say("cli.new.help.more", base=base, file=file))
    lines += ["", header.line, "    source house rule", "", *_example_comment(start.change, header.base_game, words)]
    lines.append(start.change.text)
    offered = compatible_examples(start)
    if offered:
        lines += ["", *_comment(say("cli.new.more"))]
    heading, previous_name = "", None
    for example in offered:
        if _HEADINGS[example.topic] != heading:
            heading = _HEADINGS[example.topic]
            lines += ["", f"# ---- {say(heading)} ----"]
        if example.topic not in _FURTHER or example.facts["name"] != previous_name:
            lines += ["", *_example_comment(example, header.base_game, words)]
        previous_name = example.facts.get("name")
        lines += [f"#{line}" for line in example.text.split("\n")]
    named = steps(start.base_rules.model.merged)
    if named:
        lines += ["", *_comment(say("cli.new.step.names"))]
        lines += [line for rule in named for line in _comment(f"{rule.rule}: {', '.join(rule.names)}", "    ")]
    return "\n".join(lines).rstrip() + "\n"


def _comment(text: str, hanging: str = "") -> list[str]:
    """Return a text as comment lines."""
    filled = textwrap.wrap(text, WIDTH - 2, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return [f"# {line}" for line in filled]


def _example_comment(example: Example, base: str, words: Translator) -> Iterator[str]:
    facts: dict[str, Value] = {"base": Text(base)}
    for name, fact in example.facts.items():
        if isinstance(fact, tuple):
            facts[name] = Text(", ".join(fact))
        else:
            # Numbers quoted from a rule file have no thousands separators; the number of players needs a plural form.
            facts[name] = fact if example.topic == "players" and isinstance(fact, int) else Text(str(fact))
    message = f"cli.new.about.{example.topic}"
    columns = example.topic == "table" and example.facts.get("columns")
    yield from _comment(words.say(f"{message}.columns" if columns else message, None, **facts))


# ---- case ----------------------------------------------------------------------------------------------------------


def case_file(start: NewVariant, words: Translator) -> str:
    """Return a case file with one case about the first decision.

    Raises `PlayFault` if the rules fail before it.
    """
    say, seats = words.say, start.rules.model.players[0]
    state, _ = start.rules.game(seats, backend="reference").start(SEED)
    lines = [*_comment(say("cli.new.case.about", file=Text(f"{start.header.name}.cases.yaml")))]
    lines += [f"players: {seats}", "", "cases:", f"  - name: {_po(say('cli.new.case.name'))}", f"    seed: {SEED}"]
    lines += ["    from: setup"]
    if state.decision is None:
        winners = [str(seat + 1) for seat in state.winners]
        return "\n".join([*lines, f"    expect: {{winners: [{', '.join(winners)}]}}"]) + "\n"
    moves = [state.write(move) for move in state.legal_moves()]
    offers = ", ".join(map(_yaml, moves[:OFFERS]))
    lines += ["    expect:", f"      seat: {state.seat + 1}", f"      decision: {state.decision.name}"]
    lines += [f"      offers: [{offers}]", ""]
    if moves:
        lines += [f"  {line}" for line in _comment(say("cli.new.case.more"))]
        next_case = _po(say("cli.new.case.next"))
        lines += [f"  #- name: {next_case}", f"  #  seed: {SEED}", "  #  from: setup", "  #  moves:"]
        lines += [f"  #    - {state.seat + 1}: {_yaml(moves[0])}"]
        after = state.copy()
        after.apply(after.read(moves[0]))
        comes = f"seat: {after.seat + 1}, decision: {after.decision.name}" if after.decision is not None else ""
        lines += [f"  #  expect: {{{comes}}}"]
    return "\n".join(lines) + "\n"


def _yaml(move: str) -> str:
    """Quote a move for a YAML list if necessary."""
    return _po(move) if "," in move else move
