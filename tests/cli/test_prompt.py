"""Input at the prompt and the answers to it."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command, choices_in
from wongar_dsl.cli.play import hint
from wongar_dsl.engine.bots import SearchBudget

TABLE = ("play", "wongar", "--seats", "human:Anna,random:Bert,random:Carl", "--seed", "36", "--lang")


def test_a_choice_is_made_by_number_notation_or_words(wongar: Command) -> None:
    choices = []
    for answer in ("3", "take(goanna)", " take ( goanna ) ", "karte aus dem waran-gebiet nehmen", "Waran"):
        save = wongar.home / "save.json"
        assert wongar(*TABLE, "de", "--save", str(save), answers=f"{answer}\n").code == 0
        choices.append(choices_in(save)[0])
    assert set(choices) == {"take(goanna)"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_answers_change_nothing(wongar: Command, language: str) -> None:
    wrong = [
        "0",
        "11",
        "99999999999",
        "-1",
        "xyzzy",
        "take",
        "take(nowhere)",
        "take(emu",
        "\x00",
        "\x1b[2J",
        "²",
        "{0}",
    ]
    save = wongar.home / "save.json"
    result = wongar(*TABLE, language, "--save", str(save), answers="\n".join([*wrong, "a" * 5000, ""]))
    assert result.code == 0
    assert choices_in(save) == []
    assert "\x1b" not in result.out
    assert "Traceback" not in result.out + result.err


def test_letter_of_a_column_begins_no_word_that_all_options_share(wongar: Command) -> None:
    save = wongar.home / "save.json"
    table = ("play", "connect_four", "--seats", "human,human", "--lang", "en", "--save", str(save))
    assert wongar(*table, answers="d\ndrop d\n").code == 0
    assert choices_in(save) == ["drop(d1)", "drop(d1)"]


def test_ambiguous_words_are_queried(wongar: Command) -> None:
    result = wongar(*TABLE, "de", answers="karte\n")
    assert "Das ist nicht eindeutig. Meinst du 1 (Karte aus dem Känguru-Gebiet nehmen), 2 (" in result.out


@pytest.mark.parametrize(
    ("language", "typed", "answer"),
    [
        ("de", "schilkröte", "Meintest du 7 (Karte aus dem Schildkröten-Gebiet nehmen)?"),
        ("nl", "schilpad", "Bedoelde je 7 (De kaart uit het schildpaddengebied pakken)?"),
        ("it", "tartarga", "Intendevi 7 (Prendere la carta dall’area della tartaruga)?"),
        ("en", "turtel", "Did you mean 7 (Take the card from the turtle area)?"),
        ("de", "take(turtel)", "„turtel“ passt zu keiner Möglichkeit. Meintest du 7 (Karte aus dem Schildkröten"),
        ("de", "hilff", "Meintest du „hilfe“?"),
        ("de", "drei", "Meintest du 3 (Karte aus dem Waran-Gebiet nehmen)?"),
        ("nl", "Drie", "Bedoelde je 3 (De kaart uit het varanengebied pakken)?"),
        ("it", "dieci", "Intendevi 10 (Prendere"),
        ("en", "ten", "Did you mean 10 (Take"),
        ("de", "känguru emu", "Meintest du 1 (Karte aus dem Känguru-Gebiet nehmen) oder 2 (Karte aus dem Emu-Gebiet"),
        ("nl", "neem emoe", "Bedoelde je 2 (De kaart uit het emoegebied pakken)?"),
        ("de", "-1", "Wähle eine Nummer von 1 bis 10"),
        ("en", "3.5", "Choose a number from 1 to 10"),
    ],
)
def test_misspelt_word_gets_a_suggestion(wongar: Command, language: str, typed: str, answer: str) -> None:
    assert answer in wongar(*TABLE, language, answers=f"{typed}\n").out.replace("\n", " ")


@pytest.mark.parametrize(
    ("language", "opened", "rest"),
    [
        ("de", "„{}“ passt zu keiner Möglichkeit.", "Antworte mit einer Nummer (1–10) oder mit Wörtern"),
        ("nl", "“{}” past bij geen enkele", "Antwoord met een nummer (1–10) of met woorden"),
        ("it", "«{}» non corrisponde", "Rispondi con un numero (1–10) o con parole"),
        ("en", "“{}” does not match any option.", "Answer with a number (1–10) or with words"),
    ],
)
def test_unknown_word_gets_general_instructions(wongar: Command, language: str, opened: str, rest: str) -> None:
    out = wongar(*TABLE, language, answers="xyzzy\ntake(nowhere)\n").out.replace("\n", " ")
    assert opened.format("xyzzy") in out
    assert opened.format("nowhere") in out
    assert out.count(rest) == 2
    assert "take(k" not in out


def test_short_option_list_is_repeated_for_an_unknown_word(wongar: Command) -> None:
    seats = ("--seats", "human:Anna,human:Bert", "--seed", "1")
    out = wongar("play", "kuhn_poker", *seats, "--lang", "de", answers="xyzzy\n").out
    assert "„xyzzy“ passt zu keiner Möglichkeit. Wähle 1 (Schieben) oder 2 (Setzen); ? erklärt alles." in out


def test_wrong_puzzle_solution_gets_error_rule_and_format(wongar: Command) -> None:
    game = ("play", "ubongo", "--seats", "human:Anna,random:Bert", "--seed", "1", "--lang", "de")
    out = wongar(*game, answers="1\nxyzzy\nsolve(....Z)\n").out
    assert out.count("Schreibe die Zeilen mit einem Buchstaben je Feld") == 2
    assert "In Zeile 1, Spalte 5 liegt Z außerhalb der Fläche." in out
    assert "Das ist keine Lösung für die Legefläche auf der gespielten Seite deiner Legetafel" in out
    assert "Spielregel: Teile auf die Tafeln legen" in out
    assert "ubongo.rules" not in out


@pytest.mark.parametrize(
    ("language", "why", "section"),
    [
        ("de", "Der Älteste steht schon im Fuß-Gebiet.", "Spielregel: Gebietskarte „Ältester“"),
        ("nl", "De stamoudste staat al in het voetgebied.", "Spelregels: Gebiedskaart “stamoudste”"),
        ("it", "L’Anziano è già nell’area del piede.", "Regolamento: Carta-area «Anziano»"),
        ("en", "The elder is already in the foot area.", "Rulebook: Elder area card"),
    ],
)
def test_illegal_move_is_explained_with_condition_and_rule(
    wongar: Command, language: str, why: str, section: str
) -> None:
    result = wongar(*TABLE, language, answers="take(kangaroo)\nwalk(foot)\n")
    assert why in result.out
    assert section in result.out
    assert "elder_card" not in result.out
    assert "wongar.rules:" not in result.out
    assert "Goldsieber 2000" in result.out


def test_a_condition_without_words_is_answered_with_the_sentence_of_the_rulebook(wongar: Command) -> None:
    # The same rules under a name without words.
    text = (resources.files("wongar_dsl.rules") / "classics" / "tictactoe.rules").read_text(encoding="utf-8")
    rules = wongar.home / "crosses.rules"
    rules.write_text(text.replace("game tictactoe", "game crosses"))
    result = wongar("play", str(rules), "--seats", "human,human", "--lang", "it", answers="b2\nmark(b2)\n")
    assert "Il regolamento dice: Sceglie una cella che non ha nessun owner." in result.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_explains_options_and_cards(wongar: Command, language: str) -> None:
    result = wongar(*TABLE, language, answers="?\n? 3\n? take(emu)\n?99\n")
    assert result.code == 0
    # The notation is shown only for the option asked about.
    assert "take(kangaroo)" not in result.out
    assert "take(emu)" in result.out
    four = {"de": "Viermal zieht", "nl": "Viermaal trekt", "it": "Per quattro volte", "en": "Four times"}
    assert four[language] in result.out


def test_help_explains_the_card_being_played(wongar: Command) -> None:
    result = wongar(*TABLE, "nl", answers="take(goanna)\nplay(ritual(disc))\n?\n")
    assert "Ritueelkaart “schijfje”: De speler kiest een van de volgende mogelijkheden: een schijfje" in result.out
    assert "card.ritual" not in result.out


def test_unknown_language_is_reported_in_the_current_language(wongar: Command) -> None:
    result = wongar(*TABLE, "nl", answers="taal xx\n")
    assert "De taal “xx” is er niet." in result.out


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ("hilfe", "tipp", "zurück", "speichern", "verlauf", "sprache", "regeln", "plan", "ende")),
        ("nl", ("hulp", "tip", "terug", "opslaan", "verslag", "taal", "regels", "bord", "einde")),
        ("it", ("aiuto", "consiglio", "annulla", "salva", "cronaca", "lingua", "regole", "tavolo", "esci")),
        ("en", ("help", "hint", "undo", "save", "log", "lang", "rules", "board", "quit")),
    ],
)
def test_commands_have_words_in_each_language(
    wongar: Command, language: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    wongar.patch.setattr(hint, "BUDGET", SearchBudget(10))
    save = str(tmp_path / "own.json")
    translated = wongar(*TABLE, language, "--save", save, answers="\n".join(words) + "\n1\n")
    english = ("help", "hint", "undo", "save", "log", "lang", "rules", "board", "quit")
    original = wongar(*TABLE, language, "--save", save, answers="\n".join(english) + "\n1\n")
    assert translated.code == original.code == 0
    tail = [line for line in translated.out.splitlines() if not line.startswith("> ")]
    assert tail == [line for line in original.out.splitlines() if not line.startswith("> ")]


def test_language_change_translates_the_history(wongar: Command) -> None:
    result = wongar(*TABLE, "de", answers="1\n1\nlang it\nlog\nlang xx\nlang\n")
    assert "Runde 1" in result.out.split("lang it")[0]
    assert "Anna prende la carta-area" in result.out.split("lang it")[1]
    assert "xx" in result.out.split("lang it")[1]
    assert "Italiano" in result.out


def test_own_action_is_narrated_when_complete_or_per_step(wongar: Command) -> None:
    for options, immediate in (((), False), (("--every-step",), True)):
        result = wongar(*TABLE, "de", *options, answers="take(foot)\ndraw\n")
        before, _, after = result.out.partition("> draw")
        assert ("Anna nimmt die Gebietskarte" in before) == immediate
        assert ("Anna nimmt die Gebietskarte" in after) != immediate


def test_pending_narration_is_shown_on_leaving(wongar: Command) -> None:
    save = str(wongar.home / "save.json")
    stopped = wongar(*TABLE, "de", "--save", save, answers="take(foot)\n")
    assert stopped.out.count("Anna nimmt die Gebietskarte") == 1
    resumed = wongar("resume", save, "--every-step", answers="draw\nlog\n")
    assert "Anna nimmt die Gebietskarte" in resumed.out.split("> log")[1]
    assert "Anna zieht" in resumed.out.split("> log")[0]


def test_undo_reverts_the_players_own_step(wongar: Command) -> None:
    save = wongar.home / "save.json"
    result = wongar(*TABLE, "de", "--save", str(save), answers="take(kangaroo)\nundo\ntake(foot)\n")
    assert "Zurückgenommen." in result.out
    assert choices_in(save) == ["take(foot)"]


def test_undo_does_not_revert_revealed_information(wongar: Command) -> None:
    save = wongar.home / "save.json"
    # The foot's card is a token card; drawing a ritual card then reveals new information.
    result = wongar(*TABLE, "de", "--save", str(save), answers="take(foot)\ndraw\nundo\n")
    assert "Das lässt sich nicht zurücknehmen" in result.out
    assert choices_in(save) == ["take(foot)", "draw"]


def test_undo_at_the_start_is_refused(wongar: Command) -> None:
    assert "Es gibt noch nichts zurückzunehmen" in wongar(*TABLE, "de", answers="undo\n").out


def test_undo_reverts_bot_moves_in_an_open_game(wongar: Command) -> None:
    save = wongar.home / "save.json"
    arguments = ("play", "tictactoe", "--seats", "human,random", "--seed", "1", "--save", str(save))
    assert wongar(*arguments, answers="b2\nundo\na1\n").code == 0
    assert choices_in(save)[0] == "mark(a1)"
    assert len(choices_in(save)) == 2


def test_bots_repeat_themselves_after_undo_and_resume(wongar: Command) -> None:
    first, second = wongar.home / "a.json", wongar.home / "b.json"
    arguments = ("play", "tictactoe", "--seats", "human,random", "--seed", "1", "--save")
    wongar(*arguments, str(first), answers="b2\nundo\nb2\n")
    wongar(*arguments, str(second), answers="b2\n")
    assert choices_in(first) == choices_in(second)


def test_end_of_input_saves_the_game(wongar: Command) -> None:
    result = wongar(*TABLE, "de", answers="1\n")
    assert result.code == 0
    assert "Die Partie ist gespeichert" in result.out
    assert len(wongar.saves()) == 1


def test_commands_of_the_previous_language_still_work(wongar: Command) -> None:
    result = wongar(*TABLE, "it", answers="lingua de\nlingua it\nannulla\n")
    assert "Die Sprache ist Deutsch." in result.out
    assert "Lingua: Italiano." in result.out
    assert "Non c’è ancora niente da annullare." in result.out


def test_option_text_is_never_only_a_number(wongar: Command) -> None:
    result = wongar("play", "tongiaki", "--seats", "human:Anna,random:Bert", "--seed", "36", "--lang", "it")
    assert "\nTonga:\n" in result.out
    assert "1 spiaggia 1" in result.out


def test_wrong_player_count_names_the_required_count(wongar: Command) -> None:
    result = wongar("play", "nim", "--seats", "random,random,random", "--lang", "it")
    assert result.err == "Questo gioco è per 2 giocatori, non per 3.\n"


@pytest.mark.parametrize(
    ("language", "command", "answer"),
    [
        ("de", "verlauf", "ist keine Anzahl von Zeilen"),
        ("nl", "verslag", "is geen aantal regels"),
        ("it", "cronaca", "non è un numero di righe"),
        ("en", "log", "is not a number of lines"),
    ],
)
@pytest.mark.parametrize("count", ["0", "-1", "x"])
def test_refused_number_of_log_lines_is_called_so(
    wongar: Command, language: str, command: str, answer: str, count: str
) -> None:
    arguments = ("play", "nim", "--seats", "human,human", "--lang", language)
    assert answer in wongar(*arguments, answers=f"{command} {count}\n").out
