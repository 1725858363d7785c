"""Input at the prompt and the answers to it: options, help, reasons, and commands."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command, Played
from tests.session.test_menu import LIMITED
from tests.small_games import write_rules
from wongar_dsl.cli.play import metacommands as hint
from wongar_dsl.cli.play.help import NAMES, TAKING
from wongar_dsl.cli.play.menu import spoken_menu
from wongar_dsl.engine import Move
from wongar_dsl.engine.bots import SearchBudget
from wongar_dsl.nlg.words import Term, Translator, available
from wongar_dsl.session.menu import Menu, MenuEntry, common_text

WITH_BOTS = "human:Anna,random:Bert,random:Carl"


def table(wongar: Command, language: str, *answers: str, **options: object) -> Played:
    """Play Wongar with two bots."""
    return wongar.play("wongar", *answers, seats=WITH_BOTS, seed=36, lang=language, **options)


def test_a_choice_is_made_by_number_notation_or_words(wongar: Command) -> None:
    answers = ("3", "take(goanna)", " take ( goanna ) ", "karte aus dem waran-gebiet nehmen", "Waran")
    assert [table(wongar, "de", answer).choices[:1] for answer in answers] == [["take(goanna)"]] * len(answers)


def test_wrong_answers_change_nothing(wongar: Command) -> None:
    wrong = ["0", "11", "99999999999", "-1", "take", "take(nowhere)", "take(emu", "\x00", "\x1b[2J", "²", "{0}"]
    result = table(wongar, "it", *wrong, "a" * 5000)
    assert (result.code, result.choices) == (0, [])
    assert "\x1b" not in result.out
    assert "Traceback" not in result.out + result.err


#: Games by the numbers of their tables: game, seats and seed.
TABLES = {
    1: ("wongar", WITH_BOTS, 36),
    2: ("wongar", WITH_BOTS, 2),
    3: ("kuhn_poker", "human:Anna,human:Bert", 1),
    4: ("nim", "human,human", 1),
    5: ("connect_four", "human,human", 1),
    6: ("ubongo", "human:Anna,random:Bert", 1),
}


@pytest.mark.parametrize(
    ("number", "language", "typed", "answer"),
    [
        # Ambiguous and misspelt words, and numbers.
        (1, "de", "karte", "Das ist nicht eindeutig. Meinst du 1 (Karte aus dem Känguru-Gebiet nehmen), 2 ("),
        (1, "nl", "schilpad", "Bedoelde je 7 (De kaart uit het schildpaddengebied pakken)?"),
        (1, "de", "take(turtel)", "„turtel“ passt zu keiner Möglichkeit. Meintest du 7 (Karte aus dem Schildkröten"),
        (1, "de", "hilff", "Meintest du „hilfe“?"),
        (1, "de", "drei", "Meintest du 3 (Karte aus dem Waran-Gebiet nehmen)?"),
        (1, "it", "dieci", "Intendevi 10 (Prendere"),
        (1, "de", "känguru emu", "Meintest du 1 (Karte aus dem Känguru-Gebiet nehmen) oder 2 (Karte aus dem Emu-"),
        (1, "en", "3.5", "Choose a number from 1 to 10"),
        (1, "it", "xyzzy", "«xyzzy» non corrisponde"), (1, "it", "take(nowhere)", "«nowhere» non corrisponde"),
        (1, "it", "xyzzy", "Rispondi con un numero (1–10) o con parole"),
        (3, "de", "xyzzy", "„xyzzy“ passt zu keiner Möglichkeit. Wähle 1 (Schieben) oder 2 (Setzen); ? erklärt alles."),
        # Words for passing, and synonyms of commands.
        (3, "de", "passe", "Meintest du 1 (Schieben)?"),
        (1, "de", "erkläre 4", "„hilfe 4“"), (1, "de", "speichre x.json", "„speichern x.json“"),
        (1, "nl", "voorspelling", "“vooruitblik”"), (1, "nl", "verloop x", "“verslag x”"),
        (1, "it", "storia", "«cronaca»"), (1, "en", "exit", "“quit”"),
        # Reasons why an option is missing, and the rule of an illegal move.
        *((2, "de", typed, "Im Schildkröten-Gebiet liegt keine aufgedeckte Karte.")
          for typed in ("schilkröte", "warum schildkröte", "warum 7", "why take(turtle)")),
        (1, "it", "take(kangaroo)\nwalk(foot)", "L’Anziano è già nell’area del piede."),
        (1, "it", "take(kangaroo)\nwalk(foot)", "Regolamento: Carta-area «Anziano»"),
        (4, "de", "5 haufen c", "Auf Haufen C liegen nur 3 Streichhölzer."),
        (4, "en", "2 a", "There is only one match in heap A."),
        (4, "en", "5 matches", "only one match in heap A. There are only 2 matches in heap B. There are only 3 "),
        (4, "en", "1\nheap a", "Heap A is empty."), (4, "nl", "1\nwaarom 1", "Hoop A is leeg."),
        # The letter is an article in English, and a cell above the lowest one has the same words.
        *((5, "en", "b\n" * 6 + typed, "The column of b1 is full.") for typed in ("b", "b1", "b6")),
        *((5, "it", "a\n" * 6 + typed, "La colonna di a1 è piena.") for typed in ("a", "perché a", "perché 1")),
        *((5, "en", "a\n" * 6 + typed, "The column of a1 is full.") for typed in ("a", "why a6")),
        # Solutions of puzzles.
        (6, "de", "1\nxyzzy", "Schreibe die Zeilen mit einem Buchstaben je Feld"),
        (6, "de", "1\nsolve(....Z)", "In Zeile 1, Spalte 5 liegt Z außerhalb der Fläche."),
        (6, "de", "1\nsolve(....Z)", "Spielregel: Teile auf die Tafeln legen"),
    ],
)  # fmt: skip
def test_input_that_is_no_option_is_answered(
    wongar: Command, number: int, language: str, typed: str, answer: str
) -> None:
    game, seats, seed = TABLES[number]
    out = wongar.play(game, typed, seats=seats, seed=seed, lang=language).out
    assert answer in out.replace("\n", " ")
    # No notation except that of the line, and no rule file.
    assert not re.search(r"elder_card|\.rules\b", out)


def test_a_condition_without_words_is_answered_with_the_sentence_of_the_rulebook(wongar: Command) -> None:
    # The same rules under a name without words.
    text = (resources.files("wongar_dsl.rules") / "classics" / "tictactoe.rules").read_text(encoding="utf-8")
    rules = wongar.home / "crosses.rules"
    rules.write_text(text.replace("game tictactoe", "game crosses"))
    result = wongar.play(rules, "b2", "mark(b2)", lang="it")
    assert "Il regolamento dice: Sceglie una cella che non ha nessun owner." in result.out


def test_help_explains_options_and_the_card_being_played(wongar: Command) -> None:
    result = table(wongar, "nl", "?", "? 3", "? take(emu)", "?99", "take(goanna)", "play(ritual(disc))", "?")
    assert result.code == 0
    # The notation is shown only for the option asked about.
    assert "take(kangaroo)" not in result.out
    assert "take(emu)" in result.out
    assert "Viermaal trekt" in result.out
    assert "Ritueelkaart “schijfje”: De speler kiest een van de volgende mogelijkheden: een schijfje" in result.out
    assert "card.ritual" not in result.out


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ("hilfe", "tipp", "zurück", "speichern", "verlauf", "sprache", "regeln", "plan", "ende")),
        ("nl", ("hulp", "tip", "terug", "opslaan", "verslag", "taal", "regels", "bord", "einde")),
        ("it", ("aiuto", "consiglio", "annulla", "salva", "cronaca", "lingua", "regole", "tavolo", "esci")),
        ("en", ("help", "hint", "undo", "save", "log", "lang", "rules", "board", "quit")),
    ],
)
def test_commands_have_words_in_each_language(wongar: Command, language: str, words: tuple[str, ...]) -> None:
    wongar.patch.setattr(hint, "BUDGET", SearchBudget(10))
    english = ("help", "hint", "undo", "save", "log", "lang", "rules", "board", "quit")
    translated, original = (table(wongar, language, *typed, "1") for typed in (words, english))
    assert translated.code == original.code == 0
    tail = [line for line in translated.out.splitlines() if not line.startswith("> ")]
    assert tail == [line for line in original.out.splitlines() if not line.startswith("> ")]


def test_language_change_translates_the_history(wongar: Command) -> None:
    before, after = table(wongar, "de", "1", "1", "lang it", "log", "lang xx", "lang").out.split("lang it")
    assert "Runde 1" in before
    for part in ("Anna prende la carta-area", "xx", "Italiano"):
        assert part in after
    # The commands of the previous language still work.
    result = table(wongar, "it", "lingua de", "lingua it", "annulla")
    for part in ("Die Sprache ist Deutsch.", "Lingua: Italiano.", "Non c’è ancora niente da annullare."):
        assert part in result.out


def test_own_action_is_narrated_when_complete_or_per_step(wongar: Command) -> None:
    for options, immediate in (({}, False), ({"every-step": True}, True)):
        before, _, after = table(wongar, "de", "take(foot)", "draw", **options).out.partition("> draw")
        assert ("Anna nimmt die Gebietskarte" in before) == immediate
        assert ("Anna nimmt die Gebietskarte" in after) != immediate


def test_pending_narration_is_shown_on_leaving(wongar: Command) -> None:
    stopped = table(wongar, "de", "take(foot)")
    assert stopped.out.count("Anna nimmt die Gebietskarte") == 1
    resumed = wongar("resume", str(stopped.save), "--every-step", answers="draw\nlog\n")
    assert "Anna nimmt die Gebietskarte" in resumed.out.split("> log")[1]
    assert "Anna zieht" in resumed.out.split("> log")[0]


def test_undo_does_not_revert_revealed_information(wongar: Command) -> None:
    result = table(wongar, "de", "undo", "take(kangaroo)", "undo", "take(foot)")
    assert "Es gibt noch nichts zurückzunehmen" in result.out
    assert "Zurückgenommen." in result.out
    assert result.choices == ["take(foot)"]
    # The foot's card is a token card; drawing a ritual card then reveals new information.
    result = table(wongar, "de", "take(foot)", "draw", "undo")
    assert "Das lässt sich nicht zurücknehmen" in result.out
    assert result.choices == ["take(foot)", "draw"]
    # The refusal names what was revealed, here between several players.
    played = wongar.play("wongar", "3", "4", "1", "6", "6", "6", "undo", seats=WITH_BOTS, seed=3, lang="de")
    assert "aufgedeckt" in played.out[played.out.rindex("Das lässt sich nicht zurücknehmen") :].splitlines()[1]


def test_undo_reverts_bot_moves_in_an_open_game(wongar: Command) -> None:
    result = wongar.play("tictactoe", "b2", "undo", "a1", seats="human,random")
    assert (result.code, result.choices[0], len(result.choices)) == (0, "mark(a1)", 2)


def test_log_command_takes_a_number_of_lines(wongar: Command) -> None:
    for count in ("0", "-1", "x", "2.5", "99999999"):
        answer, *_ = wongar.play("nim", f"verslag {count}", lang="nl").replies[0].splitlines()
        assert count in answer
        assert "is geen aantal regels" in answer
    lines = wongar.play("nim", "1", "1", "1", "log 2", lang="nl").replies[3].strip().splitlines()
    assert 1 <= len(lines) <= 3


def test_menu_names_the_card_in_each_area(wongar: Command) -> None:
    result = wongar.play("wongar", "urahne", "linse", seats="human:Anna,greedy,random", seed=308, lang="de")
    assert "Karte aus dem … nehmen" in result.out
    assert "5 Hände-Gebiet: Karte „Urahne“" in result.out
    assert result.choices[0] == "take(hands)"


def test_help_explains_an_option_that_only_its_name_describes(wongar: Command) -> None:
    path = wongar.home / "bare.rules"
    path.write_text(
        "variant bare of nim\n    source house rule\n\nadd to choice turn before take\n    twice_out\n"
        "        repeat 2 times\n            move 1 match from matches of heap_c to box quietly\n",
        encoding="utf-8",
    )
    out = wongar.play(path, "? 1", "? 2", lang="nl").out
    assert "1 Twice out\n" in out
    assert out.count("Tweemaal komt uit hoop C een lucifer in het doosje.") == 1


@pytest.mark.parametrize(
    ("texts", "head", "gaps"),
    [
        (["ins A-Feld ziehen", "ins B-Haus ziehen"], "ins … ziehen", ["A-Feld", "B-Haus"]),
        (["-1", "-2"], "", ["-1", "-2"]),
        # A common ending alone is none.
        (["Manua nehmen", "Hiva nehmen"], "", ["Manua nehmen", "Hiva nehmen"]),
        (["Play “disc” here", "Play “cube” here"], "Play … here", ["“disc”", "“cube”"]),
        (["Play “a b”", "Play “a c”"], "Play …", ["“a b”", "“a c”"]),
        (["Put one (x y)", "Put two (z y)"], "Put …", ["one (x y)", "two (z y)"]),
    ],
)
def test_common_text_of_options_is_factored_out(texts: list[str], head: str, gaps: list[str]) -> None:
    assert common_text(texts) == (head, gaps)


@pytest.mark.parametrize("language", available())
def test_factored_text_splits_at_sensible_places(language: str) -> None:
    """A comma stays with the text after the gap, and brackets stay paired."""
    words = Translator.load(language, strict=True)
    lands = [Term(name, "tongiaki") for name in ("manua", "hiva", "rapanui", "atiu", "upolu")]
    for beaches in (("beach_1",) * 5, ("beach_1", "beach_2", "beach_3", "beach_4", "beach_5")):
        texts = [
            words.say("tongiaki.decision.turn.fetch", land=land, strand=Term(beach, "tongiaki"))
            for land, beach in zip(lands, beaches, strict=True)
        ]
        head, gaps = common_text(texts)
        assert head.count("…") == 1
        assert not head.startswith("…")
        assert "… ," not in head
        for gap, text in zip(gaps, texts, strict=True):
            assert gap[-1] not in ",;:."
            assert gap.count("(") == gap.count(")")
            assert head.removesuffix(":").replace("…", gap) == text


@pytest.mark.parametrize("language", available())
def test_no_option_begins_with_a_second_number(language: str) -> None:
    words = Translator.load(language, strict=True)
    texts = [
        words.say("nim.decision.turn.take", n=n, chosen=Term(heap, "nim"))
        for heap in ("heap_a", "heap_b")
        for n in (1, 2, 3)
    ]
    assert not any(gap[0].isdigit() for gap in common_text(texts)[1])
    assert not any(gap[0].isdigit() for gap in common_text(texts[3:])[1])


def test_forecast_is_separated_from_the_card_of_an_option() -> None:
    moves = [Move(0, (number,)) for number in range(2)]
    menu = Menu(tuple(MenuEntry(n, move, "", f"Here {n}", "card", "so: 3") for n, move in enumerate(moves, 1)))
    plain = Menu(tuple(MenuEntry(n, move, "", f"Here {n}", "", "good") for n, move in enumerate(moves, 1)))
    words = Translator.load("it")
    assert spoken_menu(menu, words) == ["1 Here 1: card; so: 3", "2 Here 2: card; so: 3"]
    assert spoken_menu(plain, words) == ["1 Here 1: good", "2 Here 2: good"]


def replies(wongar: Command, language: str, *answers: str) -> list[str]:
    """Return the output after each answer."""
    return wongar.play("wongar", *answers, seats=WITH_BOTS, seed=2, lang=language).replies


def test_why_explains_available_options_and_mentions_help(wongar: Command) -> None:
    explained, help_text, alone, nothing = replies(wongar, "nl", "waarom 4", "? 4", "waarom", "why 99")[:4]
    assert explained == help_text
    assert "? 3" in alone
    assert "take(" not in alone
    assert nothing.count("\n") <= 1
    assert "?" in nothing


@pytest.mark.parametrize("language", LANGUAGES)
def test_synonyms_of_commands_are_unambiguous(language: str) -> None:
    words = Translator.load(language, strict=True)
    others = [word for name in NAMES for word in words.say(f"cli.command.{name}.near").split()]
    assert sorted(others) == sorted(set(others))
    assert not {words.say(f"cli.command.{name}") for name in NAMES} & set(others)
    assert set(NAMES) >= TAKING


@pytest.mark.parametrize(("language", "command"), [("de", "save"), ("it", "case")])
def test_save_and_case_refuse_a_missing_folder(wongar: Command, language: str, command: str, tmp_path: Path) -> None:
    folder = tmp_path / "none" / "such"
    refused, saved = replies(wongar, language, f"{command} {folder / 'x'}", f"save {tmp_path / 'x.json'}")[:2]
    assert str(folder) in " ".join(refused.split()).replace(" ", "")
    assert not folder.parent.exists()
    assert (tmp_path / "x.json").is_file()
    assert str(tmp_path) in saved.replace("\n", "")


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize("command", ["why", "log"])
def test_help_of_a_command_shows_what_to_type(language: str, command: str) -> None:
    """The example uses the name that the command has in this language."""
    words = Translator.load(language, strict=True)
    name, text = (words.say(f"cli.command.{command}{end}") for end in ("", ".does"))
    assert re.search(rf"\b{re.escape(name)} \d", text), text


def test_q_that_names_an_option_chooses_it(wongar: Command, tmp_path: Path) -> None:
    options = "q\n                p gains 1 points\n            wait\n                nothing"
    play = (
        f"score points\nplay\n    for each p in player\n        p chooses turn\n            {options}\n    end game\n"
    )
    path = write_rules(tmp_path, f"{play}winner p\n    most points of p\n")
    assert wongar.play(path, "q", "q").out.count("gains one point") == 2
    # Otherwise it quits.
    result = table(wongar, "it", "q", "4")
    assert (result.code, result.out.split()[-3:]) == (0, ["wongar", "resume", str(result.save)])


def test_help_names_options_removed_by_a_limit(wongar: Command, tmp_path: Path) -> None:
    rules = write_rules(tmp_path, LIMITED)
    assert "Not possible now:" not in wongar.play(rules, "?").out
    output = wongar.play(rules, "place(hall)", "nap", "?").out
    why = output[output.index("Not possible now:") :].splitlines()[1]
    assert why.count("attic") == 1
    assert "If their crowned is less than 1" in why
