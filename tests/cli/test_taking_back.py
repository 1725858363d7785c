"""What `undo` takes back at a table with bots, and what it says where it cannot."""

from __future__ import annotations

from tests.cli.command import Command, choices_in


def test_what_bots_did_since_is_taken_back_with_the_own_step(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,easy,easy", "--seed", "3", "--lang", "it")
    result = wongar("play", "wongar/initiated", *seats, answers="1\nannulla\n")
    assert "Annullato." in result.out
    assert choices_in(wongar.saves()[0]) == []


def test_a_column_is_taken_back_with_the_answer_of_the_bot(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,easy", "--seed", "3", "--lang", "en")
    result = wongar("play", "connect_four", *seats, answers="drop(d1)\ndrop(d1)\nundo\n")
    assert "Taken back." in result.out
    assert len(choices_in(wongar.saves()[0])) == 2


def test_where_something_hidden_came_out_the_event_is_named(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,random,random", "--seed", "3", "--lang", "de")
    result = wongar("play", "wongar", *seats, answers="3\n4\n1\n6\n6\n6\nundo\n")
    refused = result.out[result.out.rindex("Das lässt sich nicht zurücknehmen") :].splitlines()
    assert "aufgedeckt" in refused[1]
