"""Summary of changes in a pane that is too small for all of them."""

from __future__ import annotations

from pathlib import Path

from prompt_toolkit.input import create_pipe_input

from tests.cli.sitting import ENTER, Sitting
from wongar_dsl.cli.fullscreen.frame import ScreenFrame
from wongar_dsl.engine.match import Seat
from wongar_dsl.render.text.lines import line_text

SEATS = [Seat("human", "Anna"), Seat("random", "Ben"), Seat("random", "Carl")]


def summary_lines(frame: ScreenFrame, width: int, height: int) -> list[str]:
    digest = frame.view.digest
    assert digest is not None
    return [line_text(line) for line in frame._digest_lines(digest, width, height)]


def test_small_pane_keeps_the_most_important_sentences(tmp_path: Path) -> None:
    checked = 0
    with create_pipe_input() as keys:
        game = Sitting("wongar", SEATS, keys, tmp_path, size=(80, 24))

        def script() -> None:
            nonlocal checked
            game.wait_for_question()
            for _ in range(12):
                frame, digest = game.line_session.dialogue.app.frame, game.view.digest
                assert digest is not None
                assert summary_lines(frame, 60, 40)[0] == ("Until now:" if digest.new else "Since your last turn:")
                if len(digest.sentences) > 3:
                    lines, heaviest = (
                        summary_lines(frame, 60, 6),
                        max(digest.sentences, key=lambda sentence: sentence.weight),
                    )
                    text = " ".join(line.strip() for line in lines)
                    checked += 1
                    assert len(lines) <= 6
                    assert heaviest.text in text
                    assert f"(+{digest.omitted_count})" not in text
                    assert "… and more" in lines[-1]
                game.answer(ENTER)

        game.play(script)
    assert checked > 1
