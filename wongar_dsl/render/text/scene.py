"""The scene that a viewer sees on a terminal: symbols, size, highlighting and option numbers.

All text renderers take a `TextScene`; `screen_reader` derives one whose symbols are words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wongar_dsl.base.terminal_text import transliterate
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.engine import Move
from wongar_dsl.language.semantics import Type
from wongar_dsl.session import scene
from wongar_dsl.session.decisions import OptionTarget, option_targets
from wongar_dsl.session.scene import BoardArea, FieldCopy

from .lines import Line, Piece, line_text, line_width

TOKENS = "●■▮▲◆★✚♥♣♠"
PLAIN_TOKENS = "o#=^*+%$&~"
#: Names cut to fewer cells than this have no ellipsis, so that more letters remain.
LEGIBLE = 4


@dataclass(frozen=True)
class TextScene(scene.Scene):
    """A position with its viewer and the terminal it is shown on."""

    width: int
    unicode: bool
    #: Available lines: for the whole picture with the question below it, or for the requested part. 0 means unlimited.
    height: int = 0
    #: The areas changed since the viewer's last decision, those affected by the current option, and those it could lead
    #: to. If the option places a card, `placement` is its placement.
    marked: frozenset[BoardArea] = frozenset()
    lit: frozenset[BoardArea] = frozenset()
    reachable: frozenset[BoardArea] = frozenset()
    placement: OptionTarget | None = None
    #: True if the current option is highlighted, and the areas to show if not everything fits.
    pointing: bool = False
    focus: frozenset[BoardArea] = frozenset()
    #: The viewer's options with their numbers.
    offers: Mapping[Move, int] = field(default_factory=dict)

    #: True if yes/no values of squares are marks that a legend explains.
    draws_marks = True

    @cached_property
    def aims(self) -> Mapping[Move, OptionTarget]:
        """The location that each option acts on."""
        if not self.offers or self.state.over or self.state.seat != self.viewer:
            return {}
        return option_targets(self.position, self.offers)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the players, transliterated if necessary, so that their measured width is right."""
        transliteration = self.narrator.words.lexicon.transliteration
        return tuple(
            name if self.unicode else transliterate(name, spellings=transliteration) for name in self.narrator.names
        )

    def short(self, kind: Type, value: int) -> str:
        """Return the short name of a value; see `names` for players."""
        return self.names[value] if kind.kind == "player" else self.narrator.short(kind, value)

    def full(self, kind: Type, value: int) -> str:
        """Return the full name of a value."""
        if kind.kind != "enum":
            return self.short(kind, value)
        words = self.narrator.words
        return words.capital(self.narrator.term(self.state.game.model.value_name(kind, value)))

    def numbers(self, board: str) -> dict[int, list[int]]:
        """Return the option numbers for each area of a board."""
        numbers_by_area: dict[int, list[int]] = {}
        for move, aim in self.aims.items():
            if aim.board == board:
                numbers_by_area.setdefault(aim.area, []).append(self.offers[move])
        return {area: sorted(area_numbers) for area, area_numbers in numbers_by_area.items()}

    def marked_name(self, board: str, area: int, style: str, name: str, room: int | None = None) -> Piece:
        """Return the name of an area in its style, with symbols for highlighting and changes.

        The symbols repeat the information of the colours. The name is cut to `room` cells, but the symbols never are.
        """
        highlight = self.highlight(board, area)
        changed, around = (board, area) in self.marked, self.brackets(highlight) if highlight else ("", "")
        before, behind = around[0], "*" * changed + around[1]
        if room is not None:
            name = self.cut(name, room - len(before + behind))
        return highlight or ("changed" if changed else style), before + name + behind

    def highlight(self, board: str, area: int) -> str:
        """Return the highlighting style of an area, or an empty string."""
        place = (board, area)
        return "lit" if place in self.lit else "led" if place in self.reachable else ""

    def brackets(self, highlight: str) -> tuple[str, str]:
        """Return the brackets around an area for a highlighting style."""
        return ("[", "]") if highlight == "lit" else (self.sign("‹", "<"), self.sign("›", ">"))

    def cut(self, text: str, room: int) -> str:
        """Cut a name to fit, with an ellipsis unless there is little room, and never within a number."""
        if cells_of(text) <= room:
            return text
        more = self.sign("…", ".") if room >= LEGIBLE else ""
        end = max((n for n in range(len(text)) if cells_of(text[:n] + more) <= room), default=0)
        while end and text[end - 1 : end + 1].isdigit() and len(text) > end:
            end -= 1
        return text[:end].rstrip() + more if room > 0 else ""

    def sign(self, fancy: str, simple: str) -> str:
        """Return a character, or its ASCII substitute."""
        return fancy if self.unicode else simple

    @property
    def hidden_sign(self) -> str:
        """The symbol for hidden contents."""
        return self.sign("?", "?")

    def token(self, kind: int) -> str:
        """Return the symbol of a kind of token."""
        signs = TOKENS if self.unicode else PLAIN_TOKENS
        return signs[kind % len(signs)]

    def tokens(self, copy: FieldCopy) -> str:
        """Return the tokens in a copy of a zone as far as visible; empty if there are none."""
        counts = self.counts(copy)
        if counts is None:
            return str(self.size(copy) or "")
        return self.token_counts(copy.field.type, [(kind, n) for kind, n in enumerate(counts) if n])

    def token_counts(self, kind: Type, counts: Sequence[tuple[int, int]]) -> str:
        """Return tokens as counts and symbols."""
        return "".join(f"{n}{self.token(k)}" for k, n in counts)

    def titled(self, title: str, owner: str, text: str) -> tuple[str, str]:
        """Return what stands before a text about a zone or value, and the text with the letter of its owner."""
        return title + " " * bool(title and owner + text), owner + text

    def pile(self, size: int) -> str:
        """Return the size of a pile in an area."""
        return f"+{size}"

    def content(self, copy: FieldCopy) -> str:
        """Return the contents of a copy of a zone as far as visible; empty if there are none."""
        if copy.field.traits.tokens:
            return self.tokens(copy)
        size = self.size(copy)
        if not size or not self.visible(copy):
            return str(size or "")
        cards, top = self.cards(copy), self.top_card(copy)
        content = self.narrator.words.chain(
            [self.counted_cards(name, n) if not copy.field.traits.single else name for name, n in cards]
        )
        return f"{content} ({top[1]})" if top and len(cards) > 1 else content

    def open_cards_text(self, copy: FieldCopy) -> str:
        """Return the face-up cards in an area after the card symbol; empty if there are none."""
        content = self.content(copy)
        return self.sign("▸", ">") + content if content else ""

    def counted_cards(self, name: str, n: int) -> str:
        """Return a number of cards with the same name."""
        return f"{n}{self.sign('×', 'x')} {self.narrator.listed(name)}"


def wrap_items(scene: TextScene, items: Sequence[Line], between: str) -> Iterator[Line]:
    """Wrap items into as few lines as possible, joined by a separator."""
    line: list[Piece] = []
    for item in items:
        if line and line_width(line) + len(between) + line_width(item) > scene.width - 1:
            yield line
            line = []
        line = [*line, ("", between), *item] if line else list(item)
        while line_width(line) > scene.width - 1:
            head, rest = _broken(line, scene.width - 1)
            if not rest:
                break
            yield head
            line = [("", "  "), *rest]
    if line:
        yield line


def _broken(line: Line, width: int) -> tuple[list[Piece], list[Piece]]:
    """Split a line to fit `width` cells, after the last comma, otherwise before a word.

    The rest is empty if there is no such place.
    """
    text = line_text(line)
    # Do not cut within the leading spaces.
    begin, cut = len(text) - len(text.lstrip(" ")), 0
    for end in (", ", " "):
        places = (
            index
            for index in range(begin, len(text))
            if text.startswith(end, index) and cells_of(text[: index + 1]) <= width
        )
        cut = cut or max((index + len(end) for index in places), default=0)
    head: list[Piece] = []
    rest: list[Piece] = []
    for style, piece in line:
        head += [(style, piece[:cut])] if cut > 0 else []
        rest += [(style, piece[max(cut, 0) :])] if cut < len(piece) else []
        cut -= len(piece)
    return (head, rest) if head else (list(line), [])
