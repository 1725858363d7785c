"""Candidate repairs of a line that does not parse.

They come from a table of what people write instead and from the words that the grammar accepts at the failing place.
The caller parses the repaired text; only a repair that removes the error is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from wongar_dsl.parser.phrasings import BRACED, DOTTED, LINES
from wongar_dsl.syntax import SimpleWord
from wongar_dsl.text.foreign import BEGINNINGS, DRAWN, KEYWORDS, SIGNS, WORDS
from wongar_dsl.text.suggest import did_you_mean

TOKEN = re.compile(r'"[^"\n]*"|#.*|\w+|[^\s\w]')
#: Words of other languages that a rule file leaves out.
_FILLER = re.compile("the|a|an|please|then|der|die|das|den|de|het|een|il|lo|la|i|gli|le")
#: Words that join the parts of a line, the likely ones first.
_LINKS = ("to", "of", "in", "from", "with", "by")
#: Words that have one place in a line, so that another word there means the same.
_STRUCTURE = (*_LINKS, "holds", "each", "seen", "spaces", "touches", ":")
#: Words that stand before `of` in every game.
PARTS = frozenset({"top", "bottom", "size", "left", "right", "position", "holder", "place", "row", "column"})


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
    #: Names that can stand before `of`.
    owned: frozenset[str] = frozenset()
    #: Words that stand in several lines of the file.
    known: frozenset[str] = frozenset()

    def stretch(self, first: int, last: int) -> tuple[int, int]:
        """The columns from the beginning of one word to the end of another."""
        at, word = self.words[last]
        return self.words[first][0], at + len(word)


def rewritten(line: Line) -> Iterator[Repair]:
    """Candidates of all kinds, the likeliest first."""
    kinds = [_beginning, _phrase, _whole, _first, _quoted, _translated, _misspelt, _idioms]
    kinds += [_replaced, _without, _listed, _ended, _inserted, _joined, _hyphens, _unsigned]
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
    near = (first.lower() if first.lower() in line.beginning else None, WORDS.get(first) or WORDS.get(first.lower()))
    for new in (*near, did_you_mean(first.lower(), line.beginning, 0.85)):
        if new is not None and new != first:
            yield Repair(at, at + len(first), new, partly=True)
    new = did_you_mean(first.lower(), line.beginning, 0.75)
    if new is not None and new != first:
        # So far from it, only what makes sense of the whole line.
        yield Repair(at, at + len(first), new)


def _quoted(line: Line) -> Iterator[Repair]:
    """A number or name in quotation marks, without them; elsewhere the same words said otherwise."""
    if line.index < len(line.words):
        at, found = line.words[line.index]
        inner = found[1:-1]
        if found.startswith('"') and (inner.isdigit() or (inner.isascii() and inner.isidentifier())):
            yield Repair(at, at + len(found), inner.lower(), partly=True)
    for at, word in line.words[: line.index]:
        if word in ("count", "number") and line.text[at - 1 :].startswith(f"{word} of "):
            yield Repair(at, at + len(f"{word} of"), "size of", partly=True)


def _translated(line: Line) -> Iterator[Repair]:
    """The words and signs of other languages in a line, said as here: the one at fault, or all of them."""
    if line.index < len(line.words):
        at, found = line.words[line.index]
        said = WORDS.get(found) or WORDS.get(found.lower()) or SIGNS.get(found)
        if said and said[0].isalpha() and not found[0].isalpha():
            yield _parted(line, at, found, said)
        elif said:
            yield Repair(at, at + len(found), said, partly=True)
        for n in (line.index - 1, line.index):
            if 0 <= n < len(line.words) - 1:
                (one, first), (two, second) = line.words[n : n + 2]
                both = SIGNS.get(first + second) if one + len(first) == two else None
                if both:
                    yield (
                        _parted(line, one, first + second, both)
                        if both.isalpha()
                        else Repair(one, two + len(second), both, partly=True)
                    )
        marks = [m.start() + 1 for m in re.finditer("[“”„«»]", line.text)]
        if len(marks) > 1:
            quoted = re.sub("[“”„«»]", '"', line.text[marks[0] - 1 : marks[-1]])
            yield Repair(marks[0], marks[-1] + 1, quoted, partly=True)
        if found in KEYWORDS and not KEYWORDS[found]:
            yield from _without(line)


def _parted(line: Line, at: int, found: str, said: str) -> Repair:
    """A word in place of a sign, with the words that stand right beside it."""
    before = re.search(r"\w*$", line.text[: at - 1])
    after = re.match(r"\w*", line.text[at - 1 + len(found) :])
    one, two = before[0] if before else "", after[0] if after else ""
    new = " ".join(word for word in (one, said, two) if word)
    return Repair(at - len(one), at + len(found) + len(two), new, partly=True)


def _whole(line: Line) -> Iterator[Repair]:
    """All words of other languages in a line, where there are several."""
    foreign = [n for n, (_, word) in enumerate(line.words) if WORDS.get(word) or WORDS.get(word.lower())]
    known = [n for n in foreign if n == 0 or line.words[n][1] in KEYWORDS or line.words[n][1] not in line.known]
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
            known = [w for w in line.literal if w.isalpha()] if n == line.index else sorted(line.reserved)
            if n < line.index and (found in line.reserved or n == 0):
                continue
            near = did_you_mean(found.lower(), known, 0.75)
            near = found.lower() if found.lower() in line.literal and found.lower() != found else near
            if near is not None and found[0].isalpha():
                yield Repair(at, at + len(found), near, partly=True)


def _idioms(line: Line) -> Iterator[Repair]:
    """The line as a rule file has it, where it is written as in a programming language or a rulebook."""
    if not line.words:
        return
    start, end = line.stretch(0, len(line.words) - 1)
    body = line.text[start - 1 : end - 1]
    undotted = re.sub(r"\b([a-z]\w*)\.([a-z]\w*)\b", r"\2 of \1", body)
    for said in dict.fromkeys((body, undotted)):
        for pattern, new in LINES:
            match = pattern.fullmatch(said)
            if match is None or (new.startswith("set") and body.split()[0] in line.reserved - {"set", "let", "take"}):
                continue
            repair = _least(line, start, body, _ascending(body, match.expand(new)))
            yield repair
            if new in (DOTTED, BRACED):
                yield replace(repair, partly=True)


def _ascending(old: str, new: str) -> str:
    """A line with its range the right way round, where it was written as no range is."""
    match = re.search(r"\b(\d+) to (\d+)", new)
    if match is None or match[0] in old or int(match[1]) <= int(match[2]):
        return new
    return f"{new[: match.start()]}{match[2]} to {match[1]}{new[match.end() :]}"


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
            and not found.isdigit()
        ):
            yield Repair(at, line.stretch(n, n)[1], f"{first}_{found}")
        elif n == 1 and at > 1 and {"if", "("} <= set(line.literal) and re.fullmatch(r"[A-Za-z]\w*", found):
            # An option is called by one word.
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
    if "," not in line.literal:
        return
    before = [word for _, word in line.words[: line.index]]
    if 0 < line.index < len(line.words) and before.count("[") + before.count("(") > before.count("]") + before.count(
        ")"
    ):
        yield Repair(*line.stretch(line.index - 1, line.index), f"{before[-1]}, {rest[1]}")
    if len(rest) > 1 and all(re.fullmatch(r"[A-Za-z]\w*", word) and word not in line.reserved for word in rest):
        yield Repair(*line.stretch(first, len(line.words) - 1), ", ".join(rest))


def _inserted(line: Line) -> Iterator[Repair]:
    """A word that is missing before the one at fault, which may stand there by itself or with the one before."""
    n = min(line.index, len(line.words) - 1)
    if n < 1:
        return
    (before, first), (at, found) = line.words[n - 1], line.words[n]
    if first in _LINKS or (n < line.index and (not found.isidentifier() or found in line.reserved)):
        return
    only = line.literal if len(line.literal) == 1 else ()
    for word in dict.fromkeys((*(w for w in (":", *_LINKS) if w in line.literal or n < line.index), *only, "=")):
        if word == "of" and len(line.literal) > 2:
            # Among other things that can stand here, it would only join two names.
            continue
        if word == ":":
            yield Repair(before, at + len(found), f"{first}: {found}")
        elif word.isalpha() or (word in line.literal and found not in ("(", "[", "{")):
            yield Repair(at, at + len(found), f"{word} {found}")
    if first in line.owned and n > 1 and found in line.known - line.reserved:
        yield Repair(before, at + len(found), f"{first} of {found}")
    if n > 1 and (earlier := line.words[n - 2])[1].isidentifier() and first.isidentifier():
        # *hand p to* reads as a number of something that comes *from* somewhere.
        yield Repair(earlier[0], before + len(first), f"{earlier[1]} of {first}")


def _without(line: Line) -> Iterator[Repair]:
    """The line without a filler before or at the fault."""
    for n in (line.index, line.index - 1):
        if 0 <= n < len(line.words) - 1 and _is_filler(line.words[n][1].lower()):
            start, end = line.stretch(n, n + 1)
            if line.words[n + 1][1].lower() not in KEYWORDS:
                yield Repair(start, end, line.words[n + 1][1])


def _is_filler(word: str) -> bool:
    return word == "return" or KEYWORDS.get(word) == "" or _FILLER.fullmatch(word) is not None


def _beginning(line: Line) -> Iterator[Repair]:
    """The first words of a line, said as here."""
    for said, new in BEGINNINGS.items():
        count = len(said.split())
        if [word.lower() for _, word in line.words[:count]] == said.split():
            yield Repair(*line.stretch(0, count - 1), new, partly=True)
            yield Repair(*line.stretch(0, count - 1), new.split()[0], partly=True)


def _phrase(line: Line) -> Iterator[Repair]:
    """A statement that is always said in the same words, where a line is spelt nearly like it."""
    words = [word for _, word in line.words]
    near = did_you_mean(" ".join(words).lower(), get_args(SimpleWord), 0.8) if 1 < len(words) < 5 else None
    if near is not None:
        start, end = line.stretch(0, len(words) - 1)
        yield _least(line, start, line.text[start - 1 : end - 1], near)
    if len(words) == 1 and words[0].lower() in DRAWN:
        yield Repair(*line.stretch(0, 0), "nobody wins")


def _replaced(line: Line) -> Iterator[Repair]:
    """The one word that can stand where another one does, if it only joins the parts of the line."""
    if not 0 < line.index < len(line.words):
        return
    at, found = line.words[line.index]
    if found in (")", "]"):
        yield from (Repair(at, at + 1, other) for other in (")", "]") if other in line.literal and other != found)
    if re.fullmatch(r"\w+|=", found) and found.isascii() and not found.isdigit():
        for word in (w for w in _STRUCTURE if w in line.literal and w != found):
            if word == ":":
                start, end = line.stretch(line.index - 1, line.index)
                yield Repair(start, end, f"{line.words[line.index - 1][1]}:")
            else:
                yield Repair(at, at + len(found), word)


def _ended(line: Line) -> Iterator[Repair]:
    """The last word of a line with what is missing behind it."""
    if not line.words or line.index < len(line.words):
        return
    at, last = line.words[-1]
    for more in ("times", "spaces", "="):
        if more in line.literal and (more != "=" or line.words[0][1] == "define"):
            yield Repair(at, at + len(last), f"{last} {more}")
    if "(" in line.literal and last.isidentifier() and len(line.words) > 1 and line.words[-2][1] in ("rule", "define"):
        yield Repair(at, at + len(last), f"{last}()")


def _hyphens(line: Line) -> Iterator[Repair]:
    """All names with hyphens in a line, with `_` instead."""
    names = list(re.finditer(r"\b[A-Za-z]\w*(?:-[A-Za-z]\w*)+\b", line.text))
    if len(names) > 1:
        start, end = names[0].start(), names[-1].end()
        yield Repair(start + 1, end + 1, line.text[start:end].replace("-", "_"))


def _unsigned(line: Line) -> Iterator[Repair]:
    """A line without the signs that part its words elsewhere."""
    if line.words:
        start, end = line.stretch(0, len(line.words) - 1)
        body = line.text[start - 1 : end - 1]
        for signs in ("[:=]", "[|,]", "[:=|,]"):
            new = re.sub(rf" *{signs} *", " ", body).strip()
            if len(new.split()) > 1 and "(" not in body:
                yield _least(line, start, body, new)
        if ";" in body:
            yield _least(line, start, body, body.replace(";", ","))
        turned = re.fullmatch(r"(\w+)(?: *[:=])? (\d+)", body)
        if turned is not None:
            yield Repair(start, end, f"{turned[2]} {turned[1]}")
