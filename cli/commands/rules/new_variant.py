"""Contents of the files of a new variant, in its author's language: rules, catalogs and a rule case."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wongar_dsl.base.diagnostics import Severity
from wongar_dsl.base.span import Source
from wongar_dsl.engine.library.loader import with_variant
from wongar_dsl.language.variants.scaffold import Example, examples, first_changes, steps
from wongar_dsl.nlg.words import Text, Translator, Value
from wongar_dsl.nlg.words.locale import PSEUDO
from wongar_dsl.nlg.words.negotiation import ENGLISH
from wongar_dsl.nlg.words.po_files import key

if TYPE_CHECKING:
    from wongar_dsl.base.diagnostics import Diagnostic
    from wongar_dsl.engine.library import Rules

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
    "option": "cli.games.options",
    "truth": "cli.games.options",
    "table": "cli.games.tables",
    "row": "cli.games.tables",
    "deck": "cli.games.decks",
    "track": "cli.games.tracks",
    "choice": "cli.games.choices",
    "allow": "cli.games.choices",
    "players": "cli.new.players",
    "step": "cli.new.steps",
}
#: Topics explained together with the previous example if both concern the same table or decision.
_FURTHER = ("row", "allow")


@dataclass(frozen=True, slots=True)
class NewVariant:
    """A new variant: name, base as written in the rule file, base rules, its change, and the resulting rules."""

    name: str
    base: str
    base_rules: Rules
    change: Example
    rules: Rules


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


def begin_variant(header: VariantHeader, base: Rules) -> NewVariant:
    """Return a variant with the first change that the rules allow.

    Raises `RulesError` if they allow none.
    """
    from wongar_dsl.base.diagnostics import RulesError

    offered = examples(base.model.merged, base.model.players)
    diagnostics: tuple[Diagnostic, ...] = ()
    for change in first_changes(base.model.merged, offered, header.name):
        rules, diagnostics = with_variant(base, _source(header, [change]))
        if rules is not None and len(diagnostics) <= len(base.warnings):
            return NewVariant(header.name, "+".join((header.base, *header.others)), base, change, rules)
    raise RulesError(diagnostics)


def compatible_examples(header: VariantHeader, start: NewVariant) -> tuple[Example, ...]:
    """Return the examples that are valid together, without the change already made."""
    remaining = [
        e
        for e in examples(start.base_rules.model.merged, start.base_rules.model.players)
        if e.text != start.change.text
    ]
    for _ in range(ROUNDS):
        source = _source(header, remaining)
        _, diagnostics = with_variant(start.base_rules, source)
        wrong = {line for d in diagnostics for line in _lines(d, source)}
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


def _lines(found: Diagnostic, source: Source) -> Iterator[int]:
    """Yield the lines of a text that a diagnostic refers to."""
    spans = [found.span, *(label.span for label in found.labels)]
    return (span.line for span in spans if span is not None and span.source == source)


def _source(header: VariantHeader, changes: Iterable[Example]) -> Source:
    """Return a rule file with changes; the first of them begins in line 4."""
    blocks = "".join(f"{change.text}\n\n" for change in changes)
    return Source(f"{header.name}.rules", f"{header.line}\n    source house rule\n\n{blocks}")


# ---- rule file -----------------------------------------------------------------------------------------------------


def rule_file(header: VariantHeader, start: NewVariant, words: Translator) -> str:
    """Return the text of the rule file, with comments in a language."""
    say = words.say
    file, base, name = Text(f"{header.name}.rules"), Text(start.base), Text(header.name)
    lines = [*_comment(say("cli.new.about", name=name, base=base)), "#"]
    lines += _comment(say("cli.new.help.more", base=base, file=file))
    lines += ["", header.line, "    source house rule", "", *_example_comment(start.change, start.base, words)]
    lines.append(start.change.text)
    offered = compatible_examples(header, start)
    if offered:
        lines += ["", *_comment(say("cli.new.more"))]
    heading, previous_name = "", None
    for example in offered:
        if _HEADINGS[example.topic] != heading:
            heading = _HEADINGS[example.topic]
            lines += ["", f"# ---- {say(heading)} ----"]
        if example.topic not in _FURTHER or example.facts["name"] != previous_name:
            lines += ["", *_example_comment(example, start.base, words)]
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


# ---- catalogs ------------------------------------------------------------------------------------------------------


def terms(start: NewVariant) -> dict[str, str]:
    """Return the lexicon entries of the variant by name: its title."""
    name = term_of(start)
    return {name: f"{key(name)}: {title(start.name)}"}


def term_of(start: NewVariant) -> str:
    """Return the name of the variant's term: its own name, or the full one if its base has that term."""
    from wongar_dsl.nlg.translation.message_inventory import usable_terms

    return start.rules.name if start.name in usable_terms(start.base_rules.model) else start.name


def title(name: str) -> str:
    """Return the default title of a variant."""
    spaced = name.replace("_", " ").strip()
    return spaced[:1].upper() + spaced[1:]


def sentences(start: NewVariant, words: Translator, english: Translator) -> dict[str, str]:
    """Return the catalog entries of the variant by name: the message of its change."""
    if start.change.topic != "begins":
        return {}
    name = f"{start.rules.model.merged.names[0]}.{start.change.facts['name']}"
    titled = Text(title(start.name))
    source_text, translation_text = (_plain(spoken.say("cli.new.begins", title=titled)) for spoken in (english, words))
    translated = "" if words.language == english.language else translation_text
    return {name: f"#, no-python-brace-format\nmsgctxt {_po(name)}\nmsgid {_po(source_text)}\nmsgstr {_po(translated)}"}


def _plain(text: str) -> str:
    """Escape the markup characters of a catalog message."""
    return re.sub(r"[{}]|\[|\]", lambda match: match[0] * 2, text)


def _po(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# ---- case ----------------------------------------------------------------------------------------------------------


def case_file(header: VariantHeader, start: NewVariant, words: Translator) -> str:
    """Return a case file with one case about the first decision.

    Raises `PlayFault` if the rules fail before it.
    """
    say, seats = words.say, start.rules.model.players[0]
    state, _ = start.rules.game(seats, backend="reference").start(SEED)
    lines = [*_comment(say("cli.new.case.about", file=Text(f"{header.name}.cases.yaml")))]
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


def languages_of(words: Translator, beside: Sequence[str]) -> tuple[str, ...]:
    """Return the languages to write: the author's, and those present in the folder."""

    author_language = ENGLISH if words.language in PSEUDO else words.language
    return tuple(dict.fromkeys((author_language, *beside)))
