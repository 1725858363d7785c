"""`wongar simulate`: arguments, interruption, resuming, and output as data."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from wongar_dsl.cli.language import load_translator
from wongar_dsl.lab.simulation.runner import SimulationRun
from wongar_dsl.lab.workers.processes import WorkersLost
from wongar_dsl.nlg.words import Text

GO_ON = SimulationRun.resume
GAME = ("simulate", "goofspiel", "--seed", "7", "--jobs", "1")


@pytest.fixture
def stop_after_25_games(wongar: Command) -> None:
    """Interrupt each run after 25 games."""

    def go_on(run: SimulationRun, *arguments: object) -> Iterator[int]:
        for done in GO_ON(run, *arguments):  # type: ignore[arg-type]
            yield done
            if done >= 25:
                raise KeyboardInterrupt

    wongar.patch.setattr(SimulationRun, "resume", go_on)
    wongar.patch.setattr("wongar_dsl.lab.simulation.runner.TASK_DURATION_S", 1e-9)


def stored_simulations(wongar: Command) -> list[Path]:
    return sorted(wongar.home.rglob("simulations/*.json"))


def test_interrupted_simulation_is_stored_and_resumed(wongar: Command, stop_after_25_games: None) -> None:
    stopped = wongar(*GAME, "--games", "40", "--format", "json")
    assert stopped.code == 130
    assert json.loads(stopped.out)["goofspiel"]["games"] == 25
    assert stopped.err.startswith("Stopped. Games played: 25 of 40.\n")
    assert stopped.err.endswith("To continue: wongar simulate --resume\n")
    assert len(stored_simulations(wongar)) == 1
    resumed = wongar("simulate", "--resume", "--lang", "de")
    assert (resumed.code, resumed.err.splitlines()[0]) == (130, "Abgebrochen. Gespielte Partien: 26 von 40.")
    wongar.patch.setattr(SimulationRun, "resume", GO_ON)
    whole = wongar(*GAME, "--games", "40", "--format", "json")
    assert wongar("simulate", "--resume", "--format", "json").out == whole.out
    # A finished simulation is deleted.
    assert not stored_simulations(wongar)


def test_sigterm_reports_the_games_played(wongar: Command) -> None:
    def go_on(run: SimulationRun, *arguments: object) -> Iterator[int]:
        for done in GO_ON(run, *arguments):  # type: ignore[arg-type]
            yield done
            if done >= 25:
                os.kill(os.getpid(), signal.SIGTERM)

    wongar.patch.setattr(SimulationRun, "resume", go_on)
    wongar.patch.setattr("wongar_dsl.lab.simulation.runner.TASK_DURATION_S", 1e-9)
    stopped = wongar(*GAME, "--games", "40", "--format", "json")
    assert stopped.code == 143
    assert json.loads(stopped.out)["goofspiel"]["games"] == 25
    assert stopped.err.endswith("To continue: wongar simulate --resume\n")


#: Rules with a run-time error in one of 200 games.
FAULTY = """game faulty
    players 2
    source house rule
remember n: number 0 to 99 = 0
play
    let many = random k in 1 to 100
    player(1) chooses t
        end
            set n to many
        stay
            nothing
    player(1) wins
"""


@pytest.mark.parametrize("saved", [True, False])
def test_games_before_a_run_time_error_are_stored_and_reported(wongar: Command, tmp_path: Path, saved: bool) -> None:
    rules, file = tmp_path / "faulty.rules", tmp_path / "run.json"
    rules.write_text(FAULTY)
    wongar.patch.setattr("wongar_dsl.lab.simulation.runner.TASK_DURATION_S", 1e-9)
    command = ("simulate", str(rules), "--jobs", "1", "--seed", "5", "--format", "json")
    failed = wongar(*command, "--games", "5000", *(("--save", str(file)) if saved else ()))
    games = json.loads(failed.out)[str(rules)]["games"]
    assert (failed.code, 20 < games < 5000) == (1, True)
    assert f"Stopped. Games played: {games} of 5,000." in failed.err
    assert "error R0603" in failed.err
    assert f"{file} --games {games}\n" in failed.err if saved else f"--resume --games {games}\n" in failed.err
    resumed = wongar(
        "simulate", "--resume", *((str(file),) if saved else ()), "--games", str(games), "--format", "json"
    )
    assert (resumed.code, resumed.out) == (0, wongar(*command, "--games", str(games)).out)


@pytest.mark.parametrize(
    ("cause", "told"),
    [
        (WorkersLost(), "Use --jobs to play fewer games at once.\n"),
        (
            OSError("no more processes"),
            "OSError: no more processes. Set the environment variable WONGAR_DEBUG=1 for details.\n",
        ),
    ],
)
def test_games_before_a_lost_worker_are_stored_and_reported(
    wongar: Command, stop_after_25_games: None, cause: Exception, told: str
) -> None:
    def go_on(run: SimulationRun, *arguments: object) -> Iterator[int]:
        yield from itertools.islice(GO_ON(run, *arguments), 25)  # type: ignore[arg-type]
        raise cause

    wongar.patch.setattr(SimulationRun, "resume", go_on)
    lost = wongar(*GAME, "--games", "40", "--format", "json")
    assert (lost.code, json.loads(lost.out)["goofspiel"]["games"]) == (1, 24)
    assert "To continue: wongar simulate --resume\n" in lost.err
    assert lost.err.endswith(told)
    assert len(stored_simulations(wongar)) == 1


@pytest.mark.parametrize("stopped", [False, True])
def test_results_are_reported_if_they_cannot_be_stored(
    wongar: Command, tmp_path: Path, stopped: bool, request: pytest.FixtureRequest
) -> None:
    if stopped:
        request.getfixturevalue("stop_after_25_games")
    (tmp_path / "file").write_text("")
    lost = wongar(*GAME, "--games", "30", "--format", "json", "--save", str(tmp_path / "file" / "run.json"))
    assert (lost.code, json.loads(lost.out)["goofspiel"]["games"]) == (1, 25 if stopped else 30)
    assert lost.err.endswith("run.json cannot be written: part of the path is not a folder.\n")
    whole = wongar(*GAME, "--games", "30", "--save", str(tmp_path / "file" / "run.json"))
    assert ("stopped early" in whole.out) == stopped


def test_finished_simulation_is_stored_until_it_is_reported(wongar: Command, stop_after_25_games: None) -> None:
    wongar(*GAME, "--games", "40")
    wongar.patch.setattr(SimulationRun, "resume", GO_ON)

    def fail(*_: object) -> None:
        raise BrokenPipeError

    with wongar.patch.context() as patch:
        patch.setattr("wongar_dsl.cli.commands.lab.simulate.echo_data", fail)
        assert wongar("simulate", "--resume", "--format", "json").code == 1
    assert json.loads(wongar("simulate", "--resume", "--format", "json").out)["goofspiel"]["games"] == 40
    assert not stored_simulations(wongar)


def test_resumed_simulation_equals_an_uninterrupted_one(wongar: Command, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    whole = wongar(*GAME, "--games", "40", "--format", "json")
    assert whole.code == 0
    assert wongar(*GAME, "--games", "25", "--save", str(file)).code == 0
    assert wongar("simulate", "--resume", str(file), "--games", "40", "--format", "json").out == whole.out
    assert wongar("simulate", "--resume", str(file), "--format", "json").out == whole.out
    fewer = wongar("simulate", "--resume", str(file), "--games", "39")
    assert (fewer.code, "40 games" in fewer.err) == (2, True)
    reseeded = wongar("simulate", "--resume", str(file), "--seed", "1")
    assert (reseeded.code, "--seed" in reseeded.err) == (2, True)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (("nim", "--until", "0%"), 2), (("nim", "--until", "50%"), 2), (("nim", "--until", "few"), 2),
        (("nim", "--until", "9" * 99), 2), (("nim", "--vs", "nim", "--sweep", "x=1"), 2),
        (("nim", "--sweep", "x=1..3"), 2), (("wongar", "--sweep", "cards_bonus"), 2),
        (("wongar", "--sweep", "x=1..3"), 2),
        (("wongar", "--sweep", "cards_bonus=4..1"), 2), (("wongar", "--sweep", "cards_bonus=1..99999999999"), 2),
        (("wongar", "--sweep", "cards_bonus=1..9/0"), 2), (("wongar", "--sweep", "cards_bonus=1,,2"), 2),
        (("wongar", "--sweep", "cards_bonus=-3"), 2), (("nim", "--bots", "nobody"), 2),
        (("nim", "--bots", "mcts:1s"), 2), (("nim", "--bots", ""), 2),
        (("nim", "--bots", "random,random,random"), 2), (("nim", "--bots", "random", "--seats", "random,random"), 2),
        (("nim", "--save", "/"), 2), (("nim", "--save", "{rules}"), 2), ((), 2), (("--resume",), 1),
        (("--resume", "{rules}"), 1), (("--resume", "/none/at/all"), 1), (("nim", "--resume"), 2),
        (("nim", "--games", "3", "--save", "{rules}/below.json"), 1), (("nim", "--games", "3", "--save", "a\0b"), 1),
        (("nim", "--vs", "wongar"), 2),
    ],
)  # fmt: skip
def test_invalid_arguments_are_refused_in_every_language(wongar: Command, more: tuple[str, ...], code: int) -> None:
    rules = wongar.home / "x.rules"
    rules.write_text("game x\n")
    arguments = [text.replace("{rules}", str(rules)) for text in more]
    results = [wongar("simulate", *arguments, "--lang", language) for language in LANGUAGES]
    assert [result.code for result in results] == [code] * len(LANGUAGES)
    assert len({result.err for result in results}) == len(LANGUAGES)
    assert rules.read_text() == "game x\n"


def test_error_messages_quote_the_input(wongar: Command) -> None:
    sweep = wongar("simulate", "wongar", "--sweep", "bonus=1..3")
    assert sweep.err == "These rules have no option “bonus”. They have cards_bonus and sting.\n"
    missing = wongar("simulate", "--resume", "/none/at/all")
    assert missing.err == "/none/at/all cannot be read: no such file or folder.\n"
    place = wongar.home / "file" / "below.json"
    place.parent.write_text("")
    unwritten = wongar("simulate", "nim", "--games", "2", "--save", str(place))
    assert unwritten.err == f"{place} cannot be written: {load_translator('en').say('cli.os.not_folder')}.\n"


def test_help_states_defaults(wongar: Command) -> None:
    for command, name, default in (
        ("tournament", "cli.tournament.games.help", "100"), ("tournament", "cli.jobs.help", "1"),
        ("analyse", "cli.iterations.help", "1000"), ("perft", "cli.depth.help", "2"),
    ):  # fmt: skip
        for language in LANGUAGES:
            help_text = " ".join(wongar(command, "--help", "--lang", language).out.split())
            assert load_translator(language).say(name, n=Text(default)) in help_text, (command, language)


def test_csv_has_one_row_per_figure(wongar: Command) -> None:
    sweep = ("--sweep", "cards_bonus=6,8", "--games", "3", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(wongar("simulate", "wongar", *sweep).out)))
    assert {(row["option"], row["option_value"]) for row in rows} == {("cards_bonus", "6"), ("cards_bonus", "8")}
    wins = [row for row in rows if row["figure"] == "wins" and row["seat"] and not row["group"]]
    assert [(row["arm"], row["seat"]) for row in wins] == [(arm, seat) for arm in "12" for seat in "123"]
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in wins)
    # The default value of the rules is the baseline of the comparison.
    assert {row["arm"] for row in rows if row["group"] == "difference from 2"} == {"1"}
    keys = [tuple(row[name] for name in list(row)[:16]) for row in rows]
    assert len(set(keys)) == len(keys)


def test_compared_rules_use_the_same_random_numbers(wongar: Command) -> None:
    data = json.loads(wongar("simulate", "wongar", "--vs", "wongar/initiated", "--games", "3", "--format", "json").out)
    against = data["wongar/initiated"]["against"]
    assert (against["rules"], against["games"]) == ("wongar", 3)
    main = [figure for figure in against["figures"] if figure["main"]]
    assert [(figure["figure"], figure.get("seat")) for figure in main] == [
        ("wins", 1), ("wins", 2), ("wins", 3), ("starter_wins", None)
    ]  # fmt: skip
    assert {figure["choice"] for figure in against["only_after"]}
    same = json.loads(wongar("simulate", "nim", "--vs", "nim", "--games", "3", "--format", "json").out)
    assert all(figure["difference"]["value"] == 0 for figure in same["nim 2"]["against"]["figures"])


STACKED = (
    """variant lines of connect_four
    source house rule
score rows_score
after dropped in play
    if column of here = 1
        p gains 1 rows_score
""",
    """variant more of lines
    source house rule
after dropped in play
    if column of here = 2
        p gains 1 rows_score
""",
)


def test_variant_is_compared_with_its_base_in_either_order(wongar: Command, tmp_path: Path) -> None:
    """The figures go from the base to the variant, and new lines are those of the variant."""
    paths = [tmp_path / name for name in ("lines.rules", "more.rules")]
    for path, text in zip(paths, STACKED, strict=True):
        path.write_text(text, encoding="utf-8")
    chain = ["connect_four", *map(str, paths)]
    for base, variant in itertools.combinations(chain, 2):
        for one, other in ((base, variant), (variant, base)):
            arguments = ("simulate", one, "--vs", other, "--games", "8", "--seed", "3", "--jobs", "1", "--lang", "en")
            against = json.loads(wongar(*arguments, "--format", "json").out)[variant]["against"]
            assert against["rules"] == base
            assert "How often the new rules came up" in wongar(*arguments).out


def test_bots_rotate_through_the_seats(wongar: Command) -> None:
    data = json.loads(wongar("simulate", "nim", "--bots", "greedy,random", "--games", "8", "--format", "json").out)
    first, second = data["nim"]["entrants"]
    assert first["wins"]["value"] > second["wins"]["value"]
    alone = json.loads(wongar("simulate", "wongar", "--bots", "random", "--games", "1", "--format", "json").out)
    assert (alone["wongar"]["bots"], alone["wongar"]["entrants"]) == (["random"] * 3, [])


def test_until_option_stops_at_narrow_intervals(wongar: Command) -> None:
    data = json.loads(wongar("simulate", "nim", "--until", "6 %", "--format", "json", "--jobs", "1").out)["nim"]
    assert data["games"] % 64 == 0
    assert all((seat["wins"]["high"] - seat["wins"]["low"]) / 2 <= 0.06 for seat in data["seats"])
    limited = json.loads(wongar("simulate", "nim", "--until", "1%", "--games", "30", "--format", "json").out)["nim"]
    assert limited["games"] == 30


UNNAMED = """variant unnamed of kuhn_poker
    source house rule

option zorp_limit = 2 in 1 to 3

score zorp_points

enum zorp_tint = zorp_red, zorp_blue

add to choice opening
    zorp_raise(how: zorp_tint, much: 1 to zorp_limit)
        p gains much zorp_points
        if much = 3
            zorp_finale(p)
        showdown()

rule zorp_finale(p: player)
    p gains 1 zorp_points
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_name_without_a_term_is_quoted_and_never_replaces_the_words_of_an_option(
    wongar: Command, tmp_path: Path, language: str
) -> None:
    path = tmp_path / "unnamed.rules"
    path.write_text(UNNAMED, encoding="utf-8")
    quotation = load_translator(language).say("lab.quoted", text=Text("zorp_finale"))
    for arguments in ((path,), (path, "--vs", "kuhn_poker"), ("kuhn_poker", "--vs", path)):
        for form in ("text", "html"):
            command = ("simulate", *map(str, arguments), "--games", "60", "--jobs", "1", "--lang", language)
            output = " ".join(wongar(*command, "--format", form).out.split())
            raw = output.replace(quotation, "")
            assert not [word for word in ("zorp_raise", "zorp_finale", "zorp_points", "zorp_tint") if word in raw]
            assert quotation in output
