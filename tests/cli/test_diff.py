"""`wongar diff` and `wongar watch`: the changes of a variant, as sentences, in play, and after each save."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.cli.command import Command, Result
from wongar_dsl.base.span import Source
from wongar_dsl.cli.commands.diff import rulebook_reading, show_divergence
from wongar_dsl.cli.load_game import OpenedGame
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.library.loader import with_variant
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, render_text
from wongar_dsl.nlg.words import Translator

Diff = Callable[..., str]

ROOT = Path(__file__).resolve().parents[2]

#: The elder walks up to three areas.
WALK = """\
    I take elder as figure_taken(player: me, figure)
    I choose elder_walk
        walk(there: area within 3 of place of elder)
            move elder to there as figure_moved(player: me, figure, area)
            ceremony(there, elder_alone)
"""

FAR_VARIANT = f"""variant far of wongar

set cards_bonus to 10
set points_for[ancestor_alone, early] to 6

replace effect elder_card for me at here: area
    source house rule
{WALK}"""


#: Variant that swaps what two cards do, and moves a step under the lead of a list.
ORDER = f"""variant order of wongar

replace effect four_rituals for me at here: area
    source house rule
{WALK}    repeat 4 times
        draw_ritual(me)

replace effect elder_card for me at here: area
    source house rule
    repeat 5 times
        draw_ritual(me)

replace effect both_card for me at here: area
    source house rule
    if here is hands
        I take ancestor as figure_taken(player: me, figure)
        I take elder as figure_taken(player: me, figure)
        move ancestor to here as figure_moved(player: me, figure, area)
        move elder to here as figure_moved(player: me, figure, area)
        ceremony(here, both_together)
"""


#: Words for "instead of" in each language.
INSTEAD = {"de": "statt", "nl": "in plaats van", "it": "invece di", "en": "instead of"}
#: Output of `wongar diff` by arguments; those of shipped games recur.
_printed: dict[tuple[str, ...], str] = {}


@pytest.fixture
def diff(wongar: Command) -> Diff:
    """Return a function that returns the output of `wongar diff`, which runs once for the same arguments."""

    def output(*arguments: str) -> str:
        if arguments not in _printed:
            _printed[arguments] = wongar("diff", *arguments).out
        return _printed[arguments]

    return output


def divergence(one: Rules, other: Rules, language: str, seed: int = 1) -> str:
    """Return what `wongar diff --position` adds to the differences in words."""
    words, stream = Translator.load(language), io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    before, after = (OpenedGame(rules, words, "") for rules in (one, other))
    show_divergence(Screen(stream, interactive=False), before, after, None, seed, words)
    stream.seek(0)
    return stream.read()


def test_changed_number_is_shown_beside_the_old_one(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "far.rules"
    path.write_text(FAR_VARIANT, encoding="utf-8")
    done = wongar("diff", "wongar", str(path), "--lang", "it")
    assert done.code == 0
    assert "che dista al massimo 3 invece di 2 passi." in done.out
    assert "10 invece di 8 punti" in done.out
    assert not [line for line in done.out.splitlines() if line.startswith(("+", "-"))]
    # A cell is named by row and column, and so few changes need no summary.
    assert ": 6 invece di 4\n" in done.out
    assert "In breve" not in done.out


#: Parts of the differences between Wongar and its variant, each with what it shows.
SHOWN = {
    "removed sentence": "\n- The player loses as many victory points",
    "added option": "\n+     play an area card",
    "lead of an added option, under the heading": "\nThe round\n  In clockwise order, starting with the holder of the "
    "boomerang, every player does the following:\n+   They choose one of the following:\n",
    "numbers by player count": "\n~ 136 (3 players), 138 (4 players), 140 (5 players) area cards (before: 150)\n",
    "added remark": "\n+ Pile of ritual cards, Remarks: no double ritual cards or scorpion cards",
    "summary by the author alone": "\n\nIn short\n+ For the initiated: ",
}


@pytest.mark.parametrize("part", SHOWN)
def test_difference_of_shipped_rules_is_shown(diff: Diff, part: str) -> None:
    assert SHOWN[part] in diff("wongar", "wongar/initiated", "--lang", "en")


def test_similar_sentences_are_paired_and_removed_ones_are_marked(diff: Diff) -> None:
    out = diff("wongar", "wongar/initiated", "--lang", "en")
    assert re.search(r"\n- A ritual card is left if .*\n\+ A ritual card is left if", out)
    turned = diff("wongar/initiated", "wongar", "--lang", "en")
    assert "- Pile of ritual cards, Remarks: no double ritual cards or scorpion cards" in turned
    assert "~ 138 area cards (before: 150)\n" in diff("wongar", "wongar/initiated", "--players", "4", "--lang", "en")
    # An empty cell is not shown as a replaced value.
    for shown in (out, turned, diff("ubongo", "ubongo+hard+long"), diff("ubongo+hard+long", "ubongo")):
        assert not [line for line in shown.splitlines() if line[:1] == "~" and re.search(r"(^|\s)–(\s|$)", line)]


def test_moved_sentences_are_neither_added_nor_removed(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "order.rules"
    path.write_text(ORDER, encoding="utf-8")
    out = diff("wongar", str(path), "--lang", "de")
    _, rituals, elder, both = (part.splitlines() for part in out.split("\n\n")[1:])
    assert [line[:2] for line in rituals[1:]] == ["~ ", "> ", "> ", "~ ", "> "]
    assert rituals[2] == "> hierher verschoben aus: Gebietskarte „Ältester“"
    assert "3 statt 2" in rituals[4]
    assert [line[:2] for line in elder[1:]] == ["+ "]
    assert both[1].startswith("+ Wenn")
    assert [line[:4] for line in both[2:]] == [">   "] * 3


def test_identical_games_have_no_differences_and_never_diverge(diff: Diff) -> None:
    out = diff("nim", "nim", "--position", "--lang", "en")
    assert "Both have the same rules." in out
    assert "the two never diverge" in out


@pytest.mark.parametrize("language", INSTEAD)
def test_last_decisions_with_commas_are_told_apart(language: str) -> None:
    told = divergence(shipped("tongiaki"), variant("tongiaki", "set most_royal to {n}", 1), language)
    (line,) = (line for line in told.splitlines() if line.count(": ") > 3)
    decisions = line.partition(": ")[2].split("; ")
    assert len(decisions) == 5
    assert any("," in decision for decision in decisions)
    assert all(": " in decision for decision in decisions)


def test_divergence_in_points_only_shows_the_points(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "dear.rules"
    path.write_text("variant dear of goofspiel\n\nset worth[three] to 7\n", encoding="utf-8")
    out = diff("goofspiel", str(path), "--position", "--players", "2", "--lang", "en")
    part = out.partition("the two diverge.")[2]
    before, after = part.partition("Goofspiel (dear)")[::2]
    assert re.search(r"Points +3 +3\n", before), out
    assert re.search(r"Points +3 +7\n", after), out


@cache
def shipped(name: str) -> Rules:
    return load(name)


@cache
def variant(base: str, changes: str, number: int) -> Rules:
    """Return a variant of a shipped game with a number in its changes."""
    text = f"variant v{number} of {base}\n    source house rule\n\n{changes.format(n=number)}\n"
    rules, _ = with_variant(shipped(base), Source("v.rules", text))
    assert rules is not None
    return rules


@cache
def reading(base: str, changes: str, number: int, language: str) -> RealisedRulebook:
    """Return the rulebook of this variant in a language."""
    return rulebook_reading(variant(base, changes, number), Translator.load(language))


@cache
def rulebook_text(base: str, changes: str, number: int, language: str) -> str:
    """Return the text of this rulebook without references."""
    lines = (line.text for line in render_text(reading(base, changes, number, language), None))
    return re.sub(r" \[[^\]]*\]", "", "\n".join(lines))


@pytest.mark.parametrize("language", INSTEAD)
@pytest.mark.parametrize(
    ("base", "changes"),
    [
        ("tongiaki", "set most_royal to {n}"),
        ("goofspiel", "after turned_up in play\n    player(1) gains {n} points\n    player(2) loses {n} points"),
    ],
    ids=["tongiaki", "goofspiel"],
)
def test_numbers_are_merged_only_if_both_sentences_fit(language: str, base: str, changes: str) -> None:
    """A merged line is a sentence of the rulebook with either number; *1 instead of 2 islands* is not."""
    between = f" {INSTEAD[language]} "
    for number, changed in ((1, 2), (2, 1), (2, 3)):
        old, new = (reading(base, changes, n, language) for n in (number, changed))
        lines = [change.text for part in differences(old, new) for change in part.changes if change.sort == "changed"]
        merged = [line.strip() for line in lines if between in line]
        # Skip cells, which hold only a number, and *due volte*, in which the noun is part of the adverb.
        sentences = [text.rstrip(".:;") for text in merged if not re.search(rf": \S+{between}\S+$|\bvolte\b", text)]
        for n in (changed, number) if sentences else ():
            rulebook = rulebook_text(base, changes, n, language)
            for line in sentences:
                first, last = line.split(between)
                before, after = first.rpartition(" ")[0], last.partition(" ")[2]
                assert re.search(rf"{re.escape(before)}(\s?\S+){{1,2}} {re.escape(after)}", rulebook, re.IGNORECASE), (
                    line
                )


def test_moved_or_unreachable_passage_leaves_no_empty_heading(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "still.rules"
    path.write_text("variant still of kuhn_poker\n\nremove bet from choice opening\n", encoding="utf-8")
    games = [("kuhn_poker", str(path)), (str(path), "kuhn_poker"), ("wongar", "wongar/initiated"), ("nim", "goofspiel")]
    for (before, after), language in zip(games, INSTEAD, strict=True):
        title, *parts = diff(before, after, "--lang", language).strip().split("\n\n")
        assert title
        assert not [part for part in parts if "\n" not in part], (before, after)


@pytest.mark.parametrize("language", INSTEAD)
def test_sentence_moved_under_a_shared_lead_is_marked_as_moved(diff: Diff, language: str) -> None:
    games = ("wongar/initiated", "wongar") if language in ("it", "en") else ("wongar", "wongar/initiated")
    out = diff(*games, "--lang", language)
    assert [line[0] for line in out.splitlines() if " 18 " in line] == [">"]


@pytest.mark.parametrize(
    ("one", "other", "language", "shown"),
    [("ubongo", "ubongo+hard+long", "de", ""), ("ubongo", "ubongo+hard+long", "nl", ""),
     ("wongar", "wongar/initiated", "it", "Prendere la carta dall’area dell’emù"),
     ("wongar", "wongar/initiated", "en", "Place a disc in the kangaroo area")],
)  # fmt: skip
def test_decisions_before_the_divergence_and_both_lists_of_options_are_verbalised(
    one: str, other: str, language: str, shown: str
) -> None:
    out = divergence(shipped(one), shipped(other), language, seed=7)
    assert shown in out
    assert not re.search(r"\b\w+\([\w, ]+\)|\b[a-z]+_\w+", out)


def test_long_diff_without_a_summary_by_its_author_begins_with_one(diff: Diff, tmp_path: Path) -> None:
    text = (ROOT / "rules" / "wongar" / "initiated.rules").read_text(encoding="utf-8")
    path = tmp_path / "mine.rules"
    path.write_text(text.replace("variant initiated", "variant mine"), encoding="utf-8")
    _, head, *_ = diff("wongar", str(path), "--lang", "en").split("\n\n")
    first, *lines = head.splitlines()
    assert first == "In short"
    assert 2 <= sum(": " in line for line in lines) <= 5
    # No sentence that refers to a preceding line.
    assert " This " not in head


#: Ubongo with the puzzles solved one after the other, so that the players share one set of pieces.
IN_TURN = """variant in_turn of ubongo
    source house rule

replace rule run_sandglass(begin: number, ending: number)
    source house rule
    for each p in player clockwise from starter
        p chooses covering by time from moment(begin) within ending seconds
            solve(covering: solution[ground_of[puzzle of p, played_level], thrown])
                solved(p, time, ending)
            give_up
                tell gives_up(player: p)
"""


def test_shared_pieces_are_shown_with_their_old_count_per_player(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "in_turn.rules"
    path.write_text(IN_TURN, encoding="utf-8")
    out = diff("ubongo", str(path), "--lang", "en")
    assert "~ 12 pieces (before: 12 pieces for each player)" in re.sub(" +", " ", out)


#: Variant that ends the game on empty heaps before the check in the base is reached.
LAST_LOSES = """variant last_loses of nim
    source house rule

after taken in play
    if (every h in stack has matches of h is empty)
        left of p wins
"""


def test_unreachable_line_of_the_base_is_reported(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "last_loses.rules"
    path.write_text(LAST_LOSES, encoding="utf-8")
    changed = diff("nim", str(path), "--lang", "it")
    assert "avviso R0410: " in changed
    assert "nim.rules:30" in changed
    assert "R0410" not in diff(str(path), str(path), "--lang", "it")


@pytest.mark.parametrize(
    ("base", "board", "sections", "language"),
    [
        ("connect_four", "grid 6 by 6", ["contents", "board"], "de"),
        ("tictactoe", "grid 4 by 4\n    touching diagonally", ["contents", "board"], "nl"),
        ("tictactoe", "hexagons 3 by 3", ["board"], "it"),
    ],
)
def test_changed_regular_board_is_reported(
    base: str, board: str, sections: list[str], language: str, tmp_path: Path
) -> None:
    """Its text has the key of its picture, and its number of areas stands with the one board among the components."""
    path = tmp_path / "other.rules"
    path.write_text(f"variant other of {base}\n    source house rule\n\nreplace board cell\n    {board}\n")
    one, other = (rulebook_reading(game, Translator.load(language)) for game in (load(base), load(path)))
    changed = {part.key: part.changes for part in differences(one, other)}
    assert [key for key in ("contents", "board") if changed.get(key)] == sections
    assert all(len(changed[key]) in (1, 2) for key in sections)


RULES = "variant short of nim\n    source house rule\n\nset first_matches[heap_a] to 2\n"
CASES = "players: 2\ncases:\n  - name: more\n    expect: {position: {matches: {heap_a: 2}}}\n"
CATALOG = """
msgctxt "nim.taken"
msgid "{player} [grabs|grab] {token:num} from {stack:def}."
msgstr ""
"""
Edit = Callable[[], object]


@pytest.fixture
def rules(wongar: Command) -> Path:
    """Return a variant in the working directory of the command."""
    wongar.patch.chdir(wongar.home)
    path = wongar.home / "short.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def run_with_edits(wongar: Command, edits: Sequence[Edit], *arguments: str) -> Result:
    """Run the command, make one edit whenever it is idle, interrupt it at the end, and return its result."""
    waiting: list[Edit | None] = [step for edit in edits for step in (edit, None)]

    def edit_or_interrupt(_: float) -> None:
        if not waiting:
            raise KeyboardInterrupt
        edit = waiting.pop(0)
        if edit is not None:
            edit()

    with wongar.patch.context() as patch:
        patch.setattr("wongar_dsl.cli.commands.validate.time.sleep", edit_or_interrupt)
        return wongar("watch", "short.rules", *arguments)


def reports_of(result: Result) -> list[str]:
    """Return the first report and the report after each edit."""
    return result.out.split("\n\n")


def test_replaced_broken_and_removed_files_are_reported(wongar: Command, rules: Path) -> None:
    def replace_file() -> None:
        copy = rules.with_name("short.rules~")
        copy.write_text(RULES.replace("to 2", "to 4") + "set first_matches[heap_c] to 1\n", encoding="utf-8")
        os.replace(copy, rules)

    def write(text: str) -> Edit:
        return lambda: rules.write_text(text, encoding="utf-8")

    edits = [replace_file, write(RULES.replace("to 2", "to")), write(RULES), rules.unlink, write(RULES)]
    result = run_with_edits(wongar, edits)
    assert (result.code, result.err) == (130, "")
    first, replaced, *rest = reports_of(result)
    assert first == "No errors.\nWatching short.rules; press Ctrl-C to stop."
    assert replaced == (
        "Saved: short.rules\nNo errors.\nTables\n"
        "~ Initial size, heap A: 4 instead of 2\n~ Initial size, heap C: 1 instead of 3"
    )
    for part in ("error R0107", "Initial size, heap C: 3 instead of 1", "Removed: short.rules\nerror R0001"):
        assert part in "".join(rest)


def test_base_words_and_cases_are_watched(wongar: Command, rules: Path) -> None:
    base, catalog = rules.with_name("base.rules"), rules.parent / "locales" / "en" / "messages.po"
    base.write_text(RULES.replace("short", "base"), encoding="utf-8")
    rules.write_text("variant short of base\n", encoding="utf-8")
    catalog.parent.mkdir(parents=True)
    cases = rules.with_name("short.cases.yaml")
    reports = reports_of(
        run_with_edits(
            wongar,
            [
                lambda: base.write_text(RULES.replace("short", "base").replace("to 2", "to 3"), encoding="utf-8"),
                lambda: cases.write_text("cases: [\n", encoding="utf-8"),
                lambda: cases.write_text(CASES, encoding="utf-8"),
                lambda: catalog.write_text(CATALOG, encoding="utf-8"),
            ],
        )
    )
    assert "Saved: base.rules" in reports[1]
    assert "Initial size, heap A: 3 instead of 2" in reports[1]
    rest = "\n".join(reports[2:])
    assert "Saved: short.cases.yaml" in rest
    assert "Failed: more (short.cases.yaml:3)" in rest
    # A read error is reported once.
    assert rest.count("not valid YAML") == rest.count("error R0701") == 1
    assert "Saved: messages.po" in rest
    assert "+" in rest.partition("Saved: messages.po")[2]
