"""Candidate repairs of a line that does not parse.

They come from a table of what people write instead and from the words that the grammar accepts at the failing place.
The caller parses the repaired text; only a repair that removes the error is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.text.foreign import KEYWORDS, SIGNS, WORDS
from wongar_dsl.text.suggest import did_you_mean

TOKEN = re.compile(r'"[^"\n]*"|#.*|\w+|[^\s\w]')
#: Words of other languages that a rule file leaves out.
_FILLER = re.compile("the|a|an|please|then|der|die|das|den|de|het|een|il|lo|la|i|gli|le")
#: Words that join the parts of a line, the likely ones first.
_LINKS = ("to", "of", "in", "from", "with", "by")
_PLACE = r"[A-Za-z]\w*(?: of [A-Za-z]\w*|\[[^\]]*\])*"
#: Whole lines as people write them, and as they stand in a rule file.
_LINES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), line)
    for pattern, line in (
        (rf"(?:set )?({_PLACE}) *(?:=|:=|<-|is|be) *([^=].*)", r"set \1 to \2"),
        (rf"(?:let |set )?({_PLACE}) *([+*-]) *= *(.+)", r"set \1 to \1 \2 \3"),
        (rf"(?:set )?({_PLACE}) *([+-])\2", r"set \1 to \1 \2 1"),
        (rf"(?:add|put) (.+) to ({_PLACE})", r"set \2 to \2 + \1"),
        (rf"(?:subtract|remove|take) (.+) from ({_PLACE})", r"set \2 to \2 - \1"),
        (rf"(?:increase|raise|increment) ({_PLACE}) by (.+)", r"set \1 to \1 + \2"),
        (rf"(?:decrease|lower|reduce|decrement) ({_PLACE}) by (.+)", r"set \1 to \1 - \2"),
        (rf"(?:increase|raise|increment) ({_PLACE})", r"set \1 to \1 + 1"),
        (rf"(?:decrease|lower|reduce|decrement) ({_PLACE})", r"set \1 to \1 - 1"),
        (r"let (\w+) (?:be|to|:=|is) (.+)", r"let \1 = \2"),
        (
            r"(?:move|put|place) (.+?) (?:to|into|in|on) (.+) from (.+?)((?: as .*| quietly)?)",
            r"move \1 from \3 to \2\4",
        ),
        (r"(?:put|place|transfer|give|draw) (.+) from (.+) (?:into|in|on|to) (.+)", r"move \1 from \2 to \3"),
        (r"move (.+) (?:into|onto|on) (.+)", r"move \1 to \2"),
        (r"(?:put|place) (.+) (?:into|in|onto|on) (.+)", r"move \1 to \2"),
        (rf"(?:give|award) (\d+) points? to ({_PLACE})", r"\2 gains \1 points"),
        (rf"(?:give|award) ({_PLACE}) (\d+) points?", r"\1 gains \2 points"),
        (rf"({_PLACE}) (?:scores?|gets?|receives?|earns?) (.+) points?", r"\1 gains \2 points"),
        (rf"({_PLACE}) (?:is the winner|has won|wins the game|wins game|won)", r"\1 wins"),
        (r"(?:the game ends|game over|game ends|end the game|stop game)", "end game"),
        (r"(?:it is a draw|draw|no one wins|noone wins)", "nobody wins"),
        (r"(?:for|for each|for every|foreach) (\w+) (?:in|of|from|:) (.+)", r"for each \1 in \2"),
        (r"(?:for|for each|for every|foreach) (\w+) (?:=|from) (.+) to (.+)", r"for each \1 in \2 to \3"),
        (r"(?:for|for each|every|each) (\w+)", r"for each p in \1"),
        (r"(?:repeat|loop|do) (\d+|\w+)(?: ?x| time| rounds?)?", r"repeat \1 times"),
        (r"(\d+) times", r"repeat \1 times"),
        (r"(?:else|otherwise),? +(?:if|when) (.+)", r"otherwise if \1"),
        (r"(?:else|otherwise)if (.+)", r"otherwise if \1"),
        (r"otherwise (\S.*)", r"otherwise if \1"),
        (r"(.+) all (?:of |from |in )?(?:the )?(\w+) have (.+ of (\w+)\b.*)", r"\1 every \4 in \2 has \3"),
        (r"(.+) all (?:of |from |in )?(?:the )?(\w+) have (.+)", r"\1 every x in \2 has \3"),
        (rf"(.*?)\b({_PLACE}) (?:is )?(?:greater|more|bigger|larger) than (.+)", r"\1\2 > \3"),
        (rf"(.*?)\b({_PLACE}) (?:is )?(?:less|smaller|fewer) than (.+)", r"\1\2 < \3"),
        (rf"(.*?)\b({_PLACE}) (?:is )?at least (.+)", r"\1\2 >= \3"),
        (rf"(.*?)\b({_PLACE}) (?:is )?at most (.+)", r"\1\2 <= \3"),
        (rf"(.*?)\b({_PLACE}) equals (.+)", r"\1\2 = \3"),
        (r"(\w+) (\w+)(?: *:| *=)? *(?:from )?(\d+) *(?:-|\.\.+|–|to|bis|tot|a) *(\d+)(.*)", r"\1 \2 \3 to \4\5"),
        (r"(\w+):? *(?:from )?(\d+) *(?:-|\.\.+|–|bis|tot|a|to|and|or) *(\d+)", r"\1 \2 to \3"),
        (r"(.*\b)(\d+) *(?:-|\.\.+|–|bis|tot|a) *(\d+)", r"\1\2 to \3"),
        (r"(\w+) *[:=] *(\d.*)", r"\1 \2"),
        (r"(\w+) (\d+) *(?:x|X|\*|×|,|and) *(\d+)", r"\1 \2 by \3"),
        (r"(grid|hexagons) (\d+)x(\d+)", r"\1 \2 by \3"),
        (r"(\w+ \w+):? (\w.*)", r"\1 = \2"),
        (r"(\w+ \w+) *: *(.+)", r"\1 = \2"),
        (r"variant (\w+) (?:for|extends|on|to|from|in) (.+)", r"variant \1 of \2"),
        (r"(variant|game) (\w+)[ -](\w+)((?: of .*)?)", r"\1 \2_\3\4"),
        (r"((?:rule|define) \w+)( gives .*| =.*|)", r"\1()\2"),
        (r"((?:rule|define) \w+\(.*\)) *(?:->|:|returns|give) *(\w+)", r"\1 gives \2"),
        (r"(.*)\b(\w+)\.(\w+)\b(.*)", r"\1\3 of \2\4"),
        (r"(.*)\b(\w+)['’]s (\w+)\b(.*)", r"\1\3 of \2\4"),
        (r"remember (\w+)( of each \w+|) *= *(yes|no)", r"remember \1\2: yes or no = \3"),
        (r"remember (\w+)( of each \w+|) *= *(\d+)", r"remember \1\2: number = \3"),
        (r"if (.+) then (\S.*)", r"if \1"),
        (r"(.+?)[;:,.{]+", r"\1"),
        (r"(.+?) (?:then|do|begin)", r"\1"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Repair:
    """A stretch of a line, by its columns from 1, and what comes to stand there.

    `partly`: it helps even if the line fails again further on.
    """

    start: int
    end: int
    new: str
    partly: bool = False

    def of(self, line: str) -> str:
        """The line with the repair."""
        return line[: self.start - 1] + self.new + line[self.end - 1 :]


@dataclass(frozen=True, slots=True)
class Line:
    """A line that fails: its words with their columns, the number of the word at fault, and what could stand there.

    `literal` are the words and signs that the grammar accepts there, `beginning` those that a line like this can begin
    with, `reserved` the words that no name can be.
    """

    text: str
    words: Sequence[tuple[int, str]]
    index: int
    literal: tuple[str, ...]
    beginning: Sequence[str]
    reserved: frozenset[str]

    def stretch(self, first: int, last: int) -> tuple[int, int]:
        """The columns from the beginning of one word to the end of another."""
        at, word = self.words[last]
        return self.words[first][0], at + len(word)


def rewritten(line: Line) -> Iterator[Repair]:
    """Candidates of all kinds, the likeliest first."""
    kinds = [_whole, _first, _quoted, _translated, _misspelt, _idioms, _without, _listed, _inserted, _joined]
    if line.words and line.words[0][0] == 1:
        kinds.insert(kinds.index(_without), _joined)
    for kind in kinds:
        yield from kind(line)


def _first(line: Line) -> Iterator[Repair]:
    """Another first word, where a name stands that is none."""
    if not line.words or line.index > 2:
        return
    at, first = line.words[0]
    if first in line.reserved and first not in WORDS:
        return
    near = (first.lower() if first.lower() in line.beginning else None, WORDS.get(first.lower()))
    for new in (*near, did_you_mean(first.lower(), line.beginning, 0.75)):
        if new is not None and new != first:
            yield Repair(at, at + len(first), new, partly=True)


def _quoted(line: Line) -> Iterator[Repair]:
    """A number or name in quotation marks, without them; elsewhere the same words said otherwise."""
    if line.index < len(line.words):
        at, found = line.words[line.index]
        inner = found[1:-1]
        if found.startswith('"') and (inner.isdigit() or (inner.isidentifier() and inner.islower())):
            yield Repair(at, at + len(found), inner, partly=True)
    for at, word in line.words[: line.index]:
        if word == "count":
            yield Repair(at, at + len("count of"), "size of", partly=True)


def _translated(line: Line) -> Iterator[Repair]:
    """The words and signs of other languages in a line, said as here: the one at fault, or all of them."""
    if line.index < len(line.words):
        at, found = line.words[line.index]
        said = WORDS.get(found) or WORDS.get(found.lower()) or SIGNS.get(found)
        if said:
            yield Repair(at, at + len(found), said, partly=True)
        for n in (line.index - 1, line.index):
            if 0 <= n < len(line.words) - 1:
                (one, first), (two, second) = line.words[n : n + 2]
                both = SIGNS.get(first + second) if one + len(first) == two else None
                if both:
                    yield Repair(one, two + len(second), both, partly=True)
        marks = [m.start() + 1 for m in re.finditer("[“”„«»]", line.text)]
        if len(marks) > 1:
            quoted = re.sub("[“”„«»]", '"', line.text[marks[0] - 1 : marks[-1]])
            yield Repair(marks[0], marks[-1] + 1, quoted, partly=True)
        if found in KEYWORDS and not KEYWORDS[found]:
            yield from _without(line)


def _whole(line: Line) -> Iterator[Repair]:
    """All words of other languages in a line, where there are several."""
    known = [n for n, (_, word) in enumerate(line.words) if WORDS.get(word) or WORDS.get(word.lower())]
    if len(known) > 1:
        start, end = line.stretch(known[0], known[-1])
        said = line.text[start - 1 : end - 1]
        for n in known:
            word = line.words[n][1]
            said = re.sub(rf"\b{re.escape(word)}\b", WORDS.get(word) or WORDS[word.lower()], said, count=1)
        yield Repair(start, end, said)


def _misspelt(line: Line) -> Iterator[Repair]:
    """A word that the grammar accepts and that is spelt nearly like the one at fault, or the one before it."""
    for n in (line.index, line.index - 1):
        if 0 <= n < len(line.words):
            at, found = line.words[n]
            near = did_you_mean(found.lower(), [w for w in line.literal if w.isalpha()], 0.75)
            near = found.lower() if found.lower() in line.literal and found.lower() != found else near
            if near is not None and found[0].isalpha():
                yield Repair(at, at + len(found), near, partly=True)


def _idioms(line: Line) -> Iterator[Repair]:
    """The line as a rule file has it, where it is written as in a programming language or a rulebook."""
    if not line.words:
        return
    start, end = line.stretch(0, len(line.words) - 1)
    body = line.text[start - 1 : end - 1]
    for pattern, new in _LINES:
        match = pattern.fullmatch(body)
        if match is not None and not (
            new.startswith("set") and body.split()[0] in line.reserved - {"set", "let", "take"}
        ):
            yield _least(line, start, body, match.expand(new))


def _least(line: Line, start: int, old: str, new: str) -> Repair:
    """The repair without the words at both ends that stay."""
    before, after = TOKEN.findall(old), TOKEN.findall(new)
    same = 0
    while same < min(len(before), len(after)) - 1 and before[same] == after[same]:
        same += 1
    tail = 0
    while tail < min(len(before), len(after)) - same - 1 and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    places = [(m.start(), m.end()) for m in TOKEN.finditer(old)]
    shown = [(m.start(), m.end()) for m in TOKEN.finditer(new)]
    first, last = places[same][0], places[len(before) - 1 - tail][1]
    while same and old[first - 1].isalnum():
        # What stood without a space would run into the next word.
        same -= 1
        first = places[same][0]
    while tail and last < len(old) and old[last].isalnum():
        tail -= 1
        last = places[len(before) - 1 - tail][1]
    return Repair(start + first, start + last, new[shown[same][0] : shown[len(after) - 1 - tail][1]])


def _joined(line: Line) -> Iterator[Repair]:
    """Names of several words, with `_` between them: the one at fault, or all of the line."""
    n = line.index
    name = re.compile(r"[A-Za-z]\w*")
    if 0 < n < len(line.words):
        (at, first), (_, found) = line.words[n - 1], line.words[n]
        if found == "-" and n + 1 < len(line.words):
            start, end = line.stretch(n - 1, n + 1)
            yield Repair(start, end, f"{first}_{line.words[n + 1][1]}")
        elif (
            n > 1
            and line.words[0][0] == 1
            and name.fullmatch(first)
            and re.fullmatch(r"\w+", found)
            and found not in line.reserved
        ):
            yield Repair(at, line.stretch(n, n)[1], f"{first}_{found}")
    if line.words and line.words[0][0] > 1:
        return
    groups: list[list[int]] = []
    for i, (_, word) in enumerate(line.words):
        if i < 2 or not re.fullmatch(r"\w+", word):
            continue
        if groups and groups[-1][-1] == i - 1 and word not in line.reserved:
            groups[-1].append(i)
        else:
            groups.append([i])
    groups = [group for group in groups if len(group) > 1]
    if groups:
        start, end = line.stretch(groups[0][0], groups[-1][-1])
        said = line.text[start - 1 : end - 1]
        for group in reversed(groups):
            begins, ends = line.stretch(group[0], group[-1])
            joined = "_".join(line.words[i][1] for i in group)
            said = said[: begins - start] + joined + said[ends - start :]
        yield Repair(start, end, said)


def _listed(line: Line) -> Iterator[Repair]:
    """Names that no commas part."""
    first = max(line.index - 1, 0)
    rest = [word for _, word in line.words[first:]]
    if len(rest) > 1 and "," in line.literal and all(re.fullmatch(r"[A-Za-z]\w*", word) for word in rest):
        yield Repair(*line.stretch(first, len(line.words) - 1), ", ".join(rest))


def _inserted(line: Line) -> Iterator[Repair]:
    """A word that is missing before the one at fault, which may stand there by itself or with the one before."""
    n = min(line.index, len(line.words) - 1)
    if n < 1:
        return
    (before, first), (at, found) = line.words[n - 1], line.words[n]
    only = line.literal if len(line.literal) == 1 else ()
    for word in dict.fromkeys((*(w for w in (":", *_LINKS) if w in line.literal or n < line.index), *only, "=")):
        if word == ":":
            yield Repair(before, at + len(found), f"{first}: {found}")
        elif word.isalpha() or word in line.literal:
            yield Repair(at, at + len(found), f"{word} {found}")
    if first.isidentifier() and found.isidentifier() and first not in line.reserved:
        yield Repair(before, at + len(found), f"{first} of {found}")
    if n > 1 and (earlier := line.words[n - 2])[1].isidentifier() and first.isidentifier():
        # *hand p to* reads as a number of something that comes *from* somewhere.
        yield Repair(earlier[0], before + len(first), f"{earlier[1]} of {first}")


def _without(line: Line) -> Iterator[Repair]:
    """The line without a filler before or at the fault."""
    for n in (line.index, line.index - 1):
        if 0 <= n < len(line.words) - 1 and _is_filler(line.words[n][1].lower()):
            start, end = line.stretch(n, n + 1)
            yield Repair(start, end, line.words[n + 1][1])


def _is_filler(word: str) -> bool:
    return word in KEYWORDS or _FILLER.fullmatch(word) is not None
