"""Long-running tests: games and damaged files by the thousand, and mutants that the cases must notice.

    python -m benchmarks.soak --minutes 25 [--seed N] [--only KIND]

Each kind gets a share of the time, and prints its seed and number of tries. There is a minimum number of tries, which
grows with the time; on a slow or busy machine a kind takes up to `LONGEST` times its share to reach it, and fails below
it. Failures are printed with the data needed to reproduce them.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from benchmarks import mutants, native_equivalence
from benchmarks.mutants import rulebook_comparison
from benchmarks.mutants.rulebook_comparison import alike, told_apart
from benchmarks.mutants.verdict import shares
from benchmarks.text_mutations import damaged
from tests.attacks import table
from tests.attacks.measured import Measuring
from tests.games.tongiaki import pieces as tongiaki
from tests.games.ubongo import pieces as ubongo
from tests.games.wongar import pieces as wongar
from tests.language import test_large_numbers as numbers
from tests.language.printer import layouts as editor
from tests.nlg.prose.books import unverbalised_nodes
from tests.properties.permuter import random_match, twin, visible
from tests.properties.play import play
from tests.properties.shown import SMALL as SMALL_GAMES
from tests.properties.shown import everything_shown
from tests.properties.shown import load_game as small_or_shipped
from tests.render.component_svg.drawn import overflowing_lines, pictures
from tests.render.pages.whole import page_faults
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.cli.commands.validate import example_notes, unsuitable_examples
from wongar_dsl.cli.main import main as wongar_main
from wongar_dsl.compiler.backends import BACKENDS, load_backend
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, PlayFault
from wongar_dsl.engine.bots import RandomBot, decision_rng
from wongar_dsl.engine.bots.search import GreedyBot
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.library import Rules, builtin_names, inspect, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.rule_cases.file import parse_cases
from wongar_dsl.engine.rule_cases.position_writer import position_difference, yaml_lines
from wongar_dsl.engine.rule_cases.recorder import record_case
from wongar_dsl.engine.rule_cases.runner import CaseRunner
from wongar_dsl.engine.saves import SaveError, SaveFile, head_of, lines_of, read_save, replay, write_save
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story, retell
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Term, Translator, WordsError, available, builtin_folder
from wongar_dsl.render.component_svg import PictureNames
from wongar_dsl.render.rulebook_page import page
from wongar_dsl.session.migrate_save import migrate

ROOT = Path(__file__).resolve().parents[1]
DECISIONS = 60
#: Size in characters above which a file is large; share of tries with large files; time limit of a try in seconds.
SMALL, LARGE, TOO_LONG = 4000, 0.04, 10
#: Share of rulebooks of built-in games.
SHIPPED = 0.1
SAVED = ("nim", "kuhn_poker", "goofspiel", "tictactoe")
MAX_REPORTED = 20
#: Maximum number of decisions before a position is recorded as a case.
BEFORE_RECORD = (5, 20, 60, 150, 400)
#: Languages in which variants are created, and a combination of variants to begin from.
LANGUAGES, COMBINED = ("de", "nl", "it", "en"), ("ubongo+hard+long",)
#: Maximum number of mutants of a game that are played if they read alike.
MAX_PLAYED = 40
#: Maximum time of a kind, in shares of the time, if it has not reached its minimum number of tries.
LONGEST = 5


@dataclass(slots=True)
class Outcome:
    """Result of a kind: number of tries, and failures with the data to reproduce them.

    `used` counts the tries in which the damage left something usable.
    """

    count: int = 0
    used: int = 0
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Kind:
    """Kind of test: share of the time, minimum number of tries per minute, and function of seconds and seed."""

    name: str
    share: float
    floor: float
    run: Callable[[float, int], Outcome]


def main(arguments: list[str]) -> int:
    """Run the tests; return the exit code."""
    reader = argparse.ArgumentParser(prog="soak", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reader.add_argument("--minutes", type=float, default=25)
    reader.add_argument("--seed", type=int, default=None)
    reader.add_argument("--only", choices=[kind.name for kind in KINDS])
    options = reader.parse_args(arguments)
    seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
    kinds = [kind for kind in KINDS if options.only in (None, kind.name)]
    whole = sum(kind.share for kind in kinds)
    failed = 0
    for kind in kinds:
        minutes = options.minutes * kind.share / whole
        began, floor = time.monotonic(), int(kind.floor * minutes)
        outcome = reached(floor, kind, 60 * minutes, seed)
        few = outcome.count < floor
        failed += bool(few or outcome.failures)
        note = f", FEWER THAN {floor}" if few else ""
        used = f", {outcome.used} of use" if outcome.used else ""
        taken = (time.monotonic() - began) / 60
        wrong = len(outcome.failures)
        print(f"{kind.name}: {outcome.count} in {taken:.1f} min, seed {seed}{used}, {wrong} wrong{note}")
        for line in outcome.failures[:MAX_REPORTED]:
            print(f"    {line}")
        sys.stdout.flush()
    print(f"{len(kinds) - failed} passed, {failed} failed")
    return int(failed > 0)


def reached(floor: int, kind: Kind, seconds: float, seed: int) -> Outcome:
    """Run a kind until its minimum number of tries is reached or a try failed, at most `LONGEST` times.

    Each run begins with the seed after those of the run before.
    """
    outcome = kind.run(seconds, seed)
    for _ in range(LONGEST - 1):
        if outcome.count >= floor or outcome.failures:
            break
        more = kind.run(seconds, seed + outcome.count)
        outcome = Outcome(outcome.count + more.count, outcome.used + more.used, more.failures)
    return outcome


# ---- games ---------------------------------------------------------------------------------------------------------


def games(seconds: float, seed: int) -> Outcome:
    """Play random games of everything built in on all backends, comparing options, cells and faults."""
    outcome = Outcome()
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        for name in mutants.names():
            rules = load(name)
            low, high = rules.model.players
            seats = low + number % (high - low + 1)
            if time.monotonic() >= end:
                break
            outcome.count += 1
            backends = [native_equivalence.made(name, seats, backend) for backend in BACKENDS]
            program = rules.program(seats, {})
            if difference := native_equivalence.difference(program, backends, seed + number, DECISIONS):
                outcome.failures.append(f"{name} with {seats} seats: {difference}")
        number += 1
    return outcome


@cache
def native(name: str, seats: int) -> Game:
    """Return a built-in game in machine code."""
    return load(name).game(seats, backend=BACKENDS[-1])


def pieces(seconds: float, seed: int) -> Outcome:
    """Play random games and count the pieces: at every decision all must exist, and the game must end."""
    checks = {
        "wongar": wongar.conservation_check,
        "wongar/initiated": wongar.conservation_check,
        "tongiaki": tongiaki.counting,
    }

    def one(_: Path, chance: random.Random) -> bool:
        name = chance.choice([*checks, *ubongo.ROUNDS])
        game = small_or_shipped(name, chance.randint(*load(name).model.players))
        if name in ubongo.ROUNDS:
            ubongo.Watched(game, chance.getrandbits(32)).play()
            return True
        check = checks[name](game)
        play(game, chance.getrandbits(32), lambda cells, _options: check(cells))
        return True

    return repeated(seconds, seed, one, longest=60 * TOO_LONG)


def stories(seconds: float, seed: int) -> Outcome:
    """Narrate games of five players in every language.

    The story must have less than two fifths as many lines as with a line per step, lose no event, and be the same when
    told live.
    """
    names = ("Anna", "Bert", "Cleo", "Dora", "Emil")

    def one(_: Path, chance: random.Random) -> bool:
        rules = load("wongar")
        seats = [Seat("random", name) for name in names]
        match = Match.begin(native(rules.name, 5), seats, chance.getrandbits(64), rules.hash)
        while not match.state.over:
            match.play(chance.choice(match.state.legal_moves()))
        history = list(match.history())
        for language in available():
            teller = Narrator(match.game, Translator.load(language), names)
            lines = retell(teller, match, EVERYTHING)
            steps = len(retell(teller, match, EVERYTHING, every_step=True))
            assert len(lines) < 0.4 * steps, (language, len(lines), steps)
            reported = sorted(index for line in lines for index in (*line.told, *(index for index, _ in line.implied)))
            assert reported == [
                index for index, event in enumerate(history) if teller.event(event, EVERYTHING) is not None
            ]
            story, live, end = Story(EVERYTHING), [], len(match.opening)
            for step in match.steps:
                live += story.unreported(teller, history, end, whole=False)
                end += len(step.events)
            live += story.unreported(teller, history)
            assert live == lines, language
        return True

    return repeated(seconds, seed, one, longest=60 * TOO_LONG)


def matches(seconds: float, seed: int) -> Outcome:
    """Play matches with undo, saving and loading; the states must stay the same."""

    def one(folder: Path, chance: random.Random) -> bool:
        rules = load(chance.choice(mutants.names()))
        seats = chance.randint(*rules.model.players)
        match = Match.begin(native(rules.name, seats), [Seat("human")] * seats, chance.getrandbits(64), rules.hash)
        path = folder / "save.json"
        path.unlink(missing_ok=True)
        save = SaveFile(path)
        while not match.state.over:
            before = list(match.state.cells)
            step = match.play(chance.choice(match.state.legal_moves()))
            if chance.random() < 0.1:
                assert step.undo_barrier == match.undo_barrier()
                if match.undo() is None:
                    assert match.state.cells == before
            if chance.random() < 0.02:
                save.write(match)
                loaded = replay(match.game, rules.hash, read_save(path), path)
                assert loaded.state.cells == match.state.cells
        save.write(match)
        save.close()
        assert replay(match.game, rules.hash, read_save(path), path).state.winners == match.state.winners
        return True

    return repeated(seconds, seed, one, longest=60 * TOO_LONG)


def secrets(seconds: float, seed: int) -> Outcome:
    """Play games and compare pairs of states in the same information set of a seat.

    The seat must be shown the same, its bot must choose the same, and determinizations must look the same.
    """
    every = [(name, *load(name).model.players) for name in mutants.names()]
    every += [(name, *load(path).model.players) for name, path in SMALL_GAMES.items()]

    def one(folder: Path, chance: random.Random) -> bool:
        name, low, high = chance.choice(every)
        seats = chance.randint(low, high)
        match = random_match(small_or_shipped(name, seats), chance.getrandbits(32), chance.choice((0, 1, 2, 5, 12, 30)))
        seat = match.state.seat if match.state.seat >= 0 and chance.random() < 0.7 else chance.randrange(seats)
        label = f"{name} with {seats} seats, seat {seat}"
        lookalike = twin(match, seat, chance)
        if lookalike is None:
            return False
        assert everything_shown(match, seat) == everything_shown(lookalike, seat), label
        luck_seed = chance.getrandbits(32)
        if match.state.seat == seat:
            for bot in (RandomBot(), GreedyBot(2)):
                chosen = [
                    bot.choose(m.state.copy(), decision_rng(luck_seed, seat, 0), m.past) for m in (match, lookalike)
                ]
                assert chosen[0] == chosen[1], f"{label}: {chosen}"
        world = SampledWorlds(match.state, seat, match.past).sample(Generator(luck_seed))
        assert visible(match.game, world.cells, seat) == visible(match.game, match.state.cells, seat), label
        return True

    return repeated(seconds, seed, one, longest=60 * TOO_LONG)


# ---- damage --------------------------------------------------------------------------------------------------------


def rule_files(seconds: float, seed: int) -> Outcome:
    """Damage rule files: the result must be diagnostics that can be printed, or rules on which all backends agree.

    Most are small, including the examples of diagnostics; a large one is tried now and then.
    """
    small, large = split(
        path
        for folder in (ROOT / "rules", ROOT / "tests" / "diagnostics" / "examples", ROOT / "tests" / "language")
        for path in sorted(folder.rglob("*.rules"))
    )
    every = [*small.values(), *large.values()]
    say = Translator.load("en").say

    def one(folder: Path, chance: random.Random) -> bool:
        texts = large if chance.random() < LARGE else small
        name = chance.choice(list(texts))
        path = folder / "damaged.rules"
        path.write_text(damaged(texts[name], chance, every), encoding="utf-8", errors="surrogatepass")
        rules, diagnostics = inspect(str(path))
        render_text(diagnostics[:5], say)
        if rules is None:
            return False
        low, high = rules.model.players
        program = rules.program(chance.randint(low, min(high, low + 2)), {})
        backends = [load_backend(program, backend) for backend in BACKENDS]
        differs = native_equivalence.difference(program, backends, chance.getrandbits(32), 6)
        assert not differs, differs
        return True

    return repeated(seconds, seed, one)


def large_numbers(seconds: float, seed: int) -> Outcome:
    """Enlarge every number of the built-in rules and manual examples; checking must be fast and use little memory."""
    end, count, wrong = time.monotonic() + seconds, 0, list[str]()
    texts = numbers.with_large_numbers(numbers.manual_texts() | numbers.shipped_texts(), each_place_once=False)
    random.Random(seed).shuffle(texts)
    with tempfile.TemporaryDirectory() as folder:
        while count < len(texts) and time.monotonic() < end:
            some = texts[count : count + 40]
            both = [(what, text, checks) for what, text in some for checks in (True, False)]
            wrong += map(str, numbers.failures_of(both, Path(folder)))
            count += len(some)
    return Outcome(count, failures=wrong)


def split(paths: Iterable[Path]) -> tuple[dict[str, str], dict[str, str]]:
    """Return texts by path, small ones and large ones."""
    texts = {str(path): path.read_text(encoding="utf-8", errors="replace") for path in paths}
    return tuple({p: t for p, t in texts.items() if (len(t) > SMALL) == large} for large in (False, True))  # type: ignore[return-value]


def layouts(seconds: float, seed: int) -> Outcome:
    """Change the layout of rule files, move comments, or damage them; formatting must be stable and lossless."""
    small, large = split(path for folder in ("rules", "tests") for path in sorted((ROOT / folder).rglob("*.rules")))
    small |= {f"example {number}": text for number, text in enumerate(editor.EXAMPLES)}
    every = [*small.values(), *large.values()]
    good = {name: text for name, text in (small | large).items() if editor.checked_layout(text) is not None}

    def one(_: Path, chance: random.Random) -> bool:
        text = chance.choice([good[name] for name in (large if chance.random() < LARGE else small) if name in good])
        text = editor.random_layout(text, chance) if chance.random() < 0.7 else text
        return editor.checked_layout(damaged(text, chance, every) if chance.random() < 0.5 else text) is not None

    return repeated(seconds, seed, one)


def rulebooks(seconds: float, seed: int) -> Outcome:
    """Render rulebooks of built-in, test and damaged games in all languages.

    The page must be well-formed, text must fit its picture, and no part of the rules may be lost.
    """
    folders = [ROOT / "rules", *(ROOT / "tests" / name for name in ("games", "data", "language"))]
    small, large = split(path for folder in folders for path in sorted(folder.rglob("*.rules")))
    every = [*small.values(), *large.values()]
    languages = [Translator.load(language) for language in sorted(available())]

    def one(folder: Path, chance: random.Random) -> bool:
        words, name = chance.choice(languages), ""
        if chance.random() < SHIPPED:
            name = chance.choice(mutants.names())
        else:
            path = folder / "one.rules"
            text = chance.choice([*small.values()])
            text = damaged(text, chance, every) if chance.random() < 0.5 else text
            path.write_text(text, encoding="utf-8", errors="surrogatepass")
        rules, _ = inspect(name or str(folder / "one.rules"))
        if rules is None:
            return False
        book = rulebook(rules.model, words)
        faults = page_faults(page(RealisedRulebook(book, words, rules.name), rules.model))
        faults += [f"line {node.span.line} is lost" for node in unverbalised_nodes(rules.model, book)]
        faults += [
            line for picture in pictures(PictureNames(rules.model, words)) for line in overflowing_lines(picture)
        ]
        assert not faults, (faults[0], name or "damaged")
        return True

    return repeated(seconds, seed, one)


def saves(seconds: float, seed: int) -> Outcome:
    """Damage saves, also of games with hidden information: the result must be an error or a replayed game."""
    begun = [(rules := load(name), few_moves(rules, number)) for number, name in enumerate(SAVED)]
    texts = [
        "".join(json.dumps(line) + "\n" for line in (head_of(match, Path("save.json")), *lines_of(match)))
        for _, match in begun
    ]

    def one(folder: Path, chance: random.Random) -> bool:
        number = chance.randrange(len(begun))
        rules, match = begun[number]
        path = folder / "save.json"
        path.write_text(damaged(texts[number], chance, texts), encoding="utf-8", errors="surrogatepass")
        with contextlib.suppress(SaveError, PlayFault):
            replay(match.game, rules.hash, read_save(path), path)
            return True
        return False

    return repeated(seconds, seed, one)


def few_moves(rules: Rules, seed: int) -> Match:
    """Return a match with some decisions made."""
    return play_on(begun_match(rules.game(rules.model.players[0]), rules, seed), random.Random(seed), 8)


def begun_match(game: Game, rules: Rules, seed: int) -> Match:
    """Return a match of people at its first decision."""
    return Match.begin(game, [Seat("human")] * game.seats, seed, rules.hash)


def play_on(match: Match, chance: random.Random, most: int = 100_000, times: Sequence[int] = (0,)) -> Match:
    """Make random moves in a match, at most this many, and return it."""
    for _ in range(most):
        if match.state.over:
            break
        match.play(chance.choice(match.state.legal_moves()), chance.choice(times))
    return match


def catalogs(seconds: float, seed: int) -> Outcome:
    """Damage catalogs beside a game: the result must be an error that can be worded, or sentences."""
    return words_files(seconds, seed, "classics.po")


def lexicons(seconds: float, seed: int) -> Outcome:
    """Damage lexicons beside a game: the result must be an error that can be worded, or inflected words."""
    return words_files(seconds, seed, "lexicon.yaml")


def words_files(seconds: float, seed: int, name: str) -> Outcome:
    """Damage files with one name, in every language."""
    files = {
        language.name: (language / name).read_text(encoding="utf-8")
        for language in sorted(builtin_folder().iterdir(), key=lambda entry: entry.name)
        if (language / name).is_file()
    }
    # Parts of a file are tried as often as the whole; each needs the head, which defines the format.
    parts = {language: shortened(text) for language, text in files.items()}

    def one(folder: Path, chance: random.Random) -> bool:
        language = chance.choice(list(files))
        text = files[language] if chance.random() < LARGE else chance.choice(parts[language])
        path = folder / language / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(damaged(text, chance, list(files.values())), encoding="utf-8", errors="surrogatepass")
        try:
            # Built-in files are cached; damaged ones are always parsed.
            words = Translator.load(language, [folder], cache=Cache(folder / "cache"))
        except WordsError:
            return False
        finally:
            path.unlink()
        words.say("nim.decision.turn.take", "nim", n=chance.choice((0, 1, 2, 5)), chosen=Term("heap_a", "nim"))
        words.term("disc", "wongar", "def", 3)
        words.plural(chance.randrange(1_000_000))
        return True

    return repeated(seconds, seed, one)


def shortened(text: str) -> list[str]:
    """Return pieces of a file with its head: paragraphs of a catalog, or a range of lines of a lexicon."""
    head, *rest = text.split("\n\n")
    if len(rest) > 20:
        return ["\n\n".join([head, *rest[i : i + 12]]) + "\n" for i in range(0, len(rest), 12)]
    lines = text.splitlines(keepends=True)
    tops = [i for i, line in enumerate(lines) if line[:1].isalpha()] or [0]
    return ["".join(lines[start : start + 60]) for start in tops]


def repeated(
    seconds: float, seed: int, one: Callable[[Path, random.Random], bool], longest: float = TOO_LONG
) -> Outcome:
    """Call a function repeatedly with different random generators; an exception is a failure.

    The function returns whether the try left something usable, and must take at most `longest` seconds.
    """
    outcome = Outcome()
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            number = seed + outcome.count
            outcome.count += 1
            began = time.process_time()
            try:
                outcome.used += one(folder, random.Random(number))
            except Exception as error:
                outcome.failures.append(f"seed {number}: {type(error).__name__}: {error}"[:300])
            if time.process_time() - began > longest:
                outcome.failures.append(f"seed {number}: {time.process_time() - began:.0f} s")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


# ---- attacks ----


def attacks(seconds: float, seed: int) -> Outcome:
    """Run the heaviest attack commands in full size, each once if time permits, in random order."""
    outcome = Outcome()
    measuring = Measuring()
    heavy = list(table.rows(heavy=True).items())
    random.Random(seed).shuffle(heavy)
    end = time.monotonic() + seconds
    try:
        for name, row in heavy:
            if time.monotonic() >= end:
                break
            outcome.count += 1
            with tempfile.TemporaryDirectory() as folder:
                if fault := table.deviations(row, measuring, Path(folder)):
                    outcome.failures.append(f"{name}: {fault}")
    finally:
        measuring.close()
    return outcome


# ---- cases ---------------------------------------------------------------------------------------------------------


def kills(seconds: float, seed: int) -> Outcome:
    """Mutate the built-in rules: nearly all mutants that change a game must be noticed by a case."""
    count, killed, relevant, survivors = mutants.run(seconds, seed)
    outcome = Outcome(count)
    if killed * 100 <= mutants.FLOOR * relevant:
        outcome.failures = [f"only {killed} of {relevant} are noticed", *survivors]
    return outcome


def readings(seconds: float, seed: int) -> Outcome:
    """Mutate the built-in rules and compare the rulebooks in every language.

    Nearly all mutants that are valid games must read differently, and only in sentences that name the change. Some of
    those that read alike are played.
    """
    outcome, distinct, same = Outcome(), 0, list[str]()
    every, reports = mutants.names(), list[rulebook_comparison.Read]()
    random.Random(seed).shuffle(every)
    for name, until in shares(every, seconds):
        report = rulebook_comparison.read(name, None, seed, until=until)
        outcome.count, distinct = outcome.count + report.games, distinct + report.told
        same += [f"{' '.join(item.same)} {report.mutants[item.number]}" for item in report.same]
        for item in report.heard:
            outcome.failures += [f"{report.mutants[item.number]} changes {line}" for line in item.strays]
            outcome.failures += [f"no words {report.mutants[item.number]}"] if item.wordless else []
        report.heard = report.heard[:MAX_PLAYED]
        reports.append(report)
    outcome.failures += [f"{pair.one} reads like {pair.other}" for pair in told_apart(alike(reports))]
    if distinct * 100 < rulebook_comparison.FLOOR * outcome.count:
        outcome.failures += [f"only {distinct} of {outcome.count} read differently", *same]
    return outcome


def begun(seconds: float, seed: int) -> Outcome:
    """Create variants of all games in all languages: they must check, pass their case and be playable."""
    every = list(itertools.product((*builtin_names(), *COMBINED), LANGUAGES))
    random.Random(seed).shuffle(every)
    outcome, end = Outcome(), time.monotonic() + seconds
    for game, language in itertools.cycle(every):
        if time.monotonic() > end:
            break
        with tempfile.TemporaryDirectory() as folder:
            if fault := new_variant_fault(Path(folder), game, language, seed):
                outcome.failures.append(f"new --from {game} --lang {language}: {fault}")
        outcome.count += 1
    return outcome


def new_variant_fault(folder: Path, game: str, language: str, seed: int) -> str:
    """Return the failure of a variant of a game created in a language, or ""."""
    rules = folder / "mine" / "mine.rules"
    commands = (
        ["new", "mine", "--from", game, "--dir", str(rules.parent)],
        ["validate", str(rules)],
        ["test", str(rules.parent)],
        ["fmt", "--check", str(rules)],
    )
    for command in commands:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            code = wongar_main([*command, "--lang", language])
        lines = out.getvalue().count("\n")
        if code or (command[0] == "validate" and lines != 1 + _example_notes(str(rules), language)):
            return f"{command[0]}: {code}, {out.getvalue()}"
    loaded = load(str(rules))
    play_on(begun_match(loaded.game(loaded.model.players[0]), loaded, seed), random.Random(seed))
    text = rules.read_text(encoding="utf-8")
    offered = re.sub(r"^#(?! |$|    nothing)|^#(?=    nothing)", "", text, flags=re.MULTILINE)
    rules.write_text(offered, encoding="utf-8")
    load(str(rules))
    return "" if offered != text else "nothing is offered"


def _example_notes(rules: str, language: str) -> int:
    """Return the number of notes of `validate` on examples that do not hold in a variant."""
    words = Translator.load(language)
    return sum(1 for _ in example_notes(unsuitable_examples(load(rules), words), words))


@cache
def case_runner(name: str) -> tuple[Rules, CaseRunner]:
    rules = load(name)
    return rules, CaseRunner(rules.model, rules.game)


def recorded(folder: Path, chance: random.Random) -> bool:
    """Record a random position as a case, sometimes after a migration; raise an exception on failure."""
    rules, runner = case_runner(chance.choice(builtin_names()))
    seats = chance.randint(*rules.model.players)
    game = rules.game(seats)
    match = Match.begin(game, (Seat("human"),) * seats, chance.getrandbits(64), rules.hash)
    play_on(match, chance, chance.randint(0, chance.choice(BEFORE_RECORD)), (0, 1500))
    if chance.random() < 0.3 and not match.state.over:
        write_save(folder / "save.json", match)
        before = match.state.cells
        match = migrate(game, rules.hash, read_save(folder / "save.json"), match.seats, match)
        assert not position_difference(game, match.state.cells, before), f"{rules.name} is taken over otherwise"
        play_on(match, chance, chance.randint(0, 5), (0, 1500))
    case_data = record_case(match)
    assert case_data is not None, f"{rules.name}: no case leads there"
    text = "\n".join(yaml_lines({"cases": [{"name": "it", **case_data}]}))
    outcome = runner.run(parse_cases(text, folder / "it.cases.yaml").cases[0])
    assert outcome.passed, f"{rules.name}: {outcome.findings}"
    return True


def played_by_machine(seconds: float, seed: int) -> Outcome:
    """Compare games and mutants in machine code with Python, step by step."""
    count, wrong = native_equivalence.compared(seconds, seed)
    return Outcome(count, failures=wrong)


def sanitized(seconds: float, seed: int) -> Outcome:
    """Run all functions of machine code under sanitizers, in separate processes."""
    count, wrong = native_equivalence.sanitized(seconds, seed)
    return Outcome(count, failures=wrong)


KINDS = (
    Kind("attacks", 0.15, 1, attacks),
    Kind("games", 0.15, 40, games),
    Kind("machine", 0.1, 150, played_by_machine),
    Kind("sanitized", 0.1, 20, sanitized),
    Kind("pieces", 0.1, 60, pieces),
    Kind("stories", 0.05, 1, stories),
    Kind("matches", 0.05, 4, matches),
    Kind("secrets", 0.05, 200, secrets),
    Kind("rule files", 0.15, 300, rule_files),
    Kind("large numbers", 0.1, 40, large_numbers),
    Kind("layouts", 0.05, 500, layouts),
    Kind("rulebooks", 0.05, 50, rulebooks),
    Kind("readings", 0.05, 10, readings),
    Kind("saves", 0.05, 1500, saves),
    Kind("catalogs", 0.05, 200, catalogs),
    Kind("lexicons", 0.05, 250, lexicons),
    Kind("kills", 0.15, 20, kills),
    Kind("begun", 0.05, 4, begun),
    Kind("recorded", 0.05, 40, lambda seconds, seed: repeated(seconds, seed, recorded)),
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
