"""Candidate repairs of a line that does not parse.

They come from a table of common phrasings and from the words that the grammar accepts at the failing position. The
caller parses the repaired text and shows only a repair that removes the error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.foreign_words import BEGINNINGS, DRAWN, KEYWORDS, SIGNS, WORDS
from wongar_dsl.language.ast import KeywordPhrase

# ---- common phrasings ------------------------------------------------------------------------------------------------


_PLACE = r"[A-Za-z]\w*(?: of [A-Za-z]\w*|\[[^\]]*\])*"
DOTTED, BRACED = r"\1\3 of \2\4", r"\1\2[\3]\4"
ASSIGNED, LET = r"set \1 to \2", r"let \1 = \2"
_PLAYERS = "(?:[Pp]layers?|[Ss]pieler|spelers?|giocatori)"
_TO = r"-|\.\.+|–|bis|tot|a|to|and|or|und|oder|en|e"
_OPEN = "(?:visible|shown|open|face up|known|seen)"
#: Patterns of whole lines, and their replacements.
LINES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), line)
    for pattern, line in (
        (rf"(?:set )?({_PLACE}) *(?:=|:=|<-|is|be) *([^=].*)", ASSIGNED),
        (rf"(?:let |set )?({_PLACE}) *([+*-]) *= *(.+)", r"set \1 to \1 \2 \3"),
        (rf"(?:set )?({_PLACE}) *([+-])\2", r"set \1 to \1 \2 1"),
        (rf"(?:add|put) (.+) to ({_PLACE})", r"set \2 to \2 + \1"),
        (rf"(?:subtract|remove|take) (.+) from ({_PLACE})", r"set \2 to \2 - \1"),
        (rf"(?:increase|raise|increment) ({_PLACE}) by (.+)", r"set \1 to \1 + \2"),
        (rf"(?:decrease|lower|reduce|decrement) ({_PLACE}) by (.+)", r"set \1 to \1 - \2"),
        (rf"(?:increase|raise|increment) ({_PLACE})", r"set \1 to \1 + 1"),
        (rf"(?:decrease|lower|reduce|decrement) ({_PLACE})", r"set \1 to \1 - 1"),
        (rf"set ({_PLACE}) *([+-]) *(\w+)", r"set \1 to \1 \2 \3"),
        (rf"set (\w+) as ({_PLACE})", r"set \2 to \1"),
        (rf"({_PLACE}) becomes (.+)", r"set \1 to \2"),
        (r"let (\w+) (?:be|to|:=|is) (.+)", LET),
        (r"fill (\d+ \w+) (?:into|in|to|on) (.+)", r"fill \2 with \1"),
        (r"(?:put|place) (\d+ \w+) (?:into|in|to|on) (.+)", r"fill \2 with \1"),
        (r"move (?:all|everything|all cards|all tokens) from (.+?) (?:in)?to (.+)", r"move all of \1 to \2"),
        (r"(.*\b(?:top|bottom|size)) (?:cards?|one|tokens?) of (.+)", r"\1 of \2"),
        (r"(.*\b(?:top|bottom|size)) (\w+ of .+)", r"\1 of \2"),
        (r"(?:call|do|run|execute|perform|invoke) (\w+)(\(.*\))", r"\1\2"),
        (r"(?:call|do|run|execute|perform|invoke) (\w+)", r"\1()"),
        (r"(?:[-*•]|or|and|oder|und|of|en|o|e) (\w.*)", r"\1"),
        (
            r"(?:move|put|place) (.+?) (?:to|into|in|on) (.+) from (.+?)((?: as .*| quietly)?)",
            r"move \1 from \3 to \2\4",
        ),
        (r"(?:put|place|transfer|give|draw) (.+) from (.+) (?:into|in|on|to) (.+)", r"move \1 from \2 to \3"),
        (r"move (.+) (?:into|onto|on) (.+)", r"move \1 to \2"),
        (r"(?:put|place|take|bring) (.+) (?:to|into|in|onto|on) (.+)", r"move \1 to \2"),
        (rf"(?:give|award) (\d+) points? to ({_PLACE})", r"\2 gains \1 points"),
        (rf"(?:give|award) ({_PLACE}) (\w+) (\w+)", r"\1 gains \2 \3"),
        (rf"({_PLACE}) *\+ *(\w+) (\w+)", r"\1 gains \2 \3"),
        (rf"({_PLACE}) *- *(\w+) (\w+)", r"\1 loses \2 \3"),
        (rf"({_PLACE}) (?:scores?|gets?|receives?|earns?) (.+) points?", r"\1 gains \2 points"),
        (r"(?:nobody|niemand|nessuno|no) (?:winner|wins?|gewinnt|wint|vince)(?: .*)?", "nobody wins"),
        (rf"({_PLACE}) (?:is the winner|has won|(?:wins|gewinnt|wint|vince)(?: .*)?|won)", r"\1 wins"),
        (r"(?:the )?winner(?: is|:| =)? (\w+)", r"\1 wins"),
        (r"(?:the game ends|game over|game ends|end the game|stop game)", "end game"),
        (r"(?:(?:(?:it|(?:the )?game) (?:is|ends in) )?(?:a )?(?:draw|tie)|no one wins|noone wins)", "nobody wins"),
        (r"(?:for|for each|for every|foreach) (\w+) (?:in|of|from|:) (.+)", r"for each \1 in \2"),
        (r"(?:for|for each|for every|foreach) (\w+) (?:=|from) (.+) to (.+)", r"for each \1 in \2 to \3"),
        (r"(?:for|for each|every|each) (\w+)", r"for each p in \1"),
        (r"(?:repeat|loop|do|wiederhole|herhaal|ripeti) (\d+)(?: ?x| ?\w+)?", r"repeat \1 times"),
        (r"(?:repeat|do) once", r"repeat 1 times"),
        (r"(?:repeat|do) twice", r"repeat 2 times"),
        (r"(?:repeat|do) thrice", r"repeat 3 times"),
        (r"(?:repeat|loop) (\w+)(?: ?x| time| rounds?)?", r"repeat \1 times"),
        (r"(\d+) times", r"repeat \1 times"),
        (r"(?:else|otherwise),? +(?:if|when) (.+)", r"otherwise if \1"),
        (r"(?:else|otherwise)if (.+)", r"otherwise if \1"),
        (r"otherwise (\S.*)", r"otherwise if \1"),
        (r"(.+) all (?:of |from |in )?(?:the )?(\w+) have (.+ of (\w+)\b.*)", r"\1 every \4 in \2 has \3"),
        (r"(.+) all (?:of |from |in )?(?:the )?(\w+) have (.+)", r"\1 every x in \2 has \3"),
        (r"(.*\bevery \w+ in .+?) where (.+)", r"\1 has \2"),
        (r"(.*\b(?:some|no|of|first|for|each|random) \w+ in .+?) has (.+)", r"\1 where \2"),
        (rf"(.*?)\b({_PLACE}) (?:is )?(?:greater|more|bigger|larger) than (.+)", r"\1\2 > \3"),
        (rf"(.*?)\b({_PLACE}) (?:is )?(?:less|smaller|fewer) than (.+)", r"\1\2 < \3"),
        (rf"(.*?)\b({_PLACE}) (?:is )?at least (.+)", r"\1\2 >= \3"),
        (rf"(.*?)\b({_PLACE}) (?:is )?at most (.+)", r"\1\2 <= \3"),
        (rf"(.*?)\b({_PLACE}) equals (.+)", r"\1\2 = \3"),
        (rf"{_PLAYERS}:? *(?:from |von |van |da )?(\d+)(?: *, *\d+)* *,? *(?:{_TO}|,) *(\d+)", r"players \1 to \2"),
        (rf"(\d+) *(?:{_TO}) *(\d+) {_PLAYERS}", r"players \1 to \2"),
        (rf"{_PLAYERS}[ :=]*(\d+)", r"players \1"),
        (rf"(\d+) {_PLAYERS}", r"players \1"),
        (r"(\w+) (\w+)(?: *:| *=)? *(?:from )?(\d+) *(?:-|\.\.+|–|to|bis|tot|a) *(\d+)(.*)", r"\1 \2 \3 to \4\5"),
        (rf"(.* = \d+) (?:from|between|of|\() ?(\d+) *(?:{_TO}) *(\d+)\)?", r"\1 in \2 to \3"),
        (rf"(.*)\bnumber (?:from |between |of )?(\d+) *(?:{_TO}) *(\d+)(.*)", r"\1number \2 to \3\4"),
        (r"(\w+):? *(?:from )?(\d+) *(?:-|\.\.+|–|bis|tot|a|to|and|or) *(\d+)", r"\1 \2 to \3"),
        (r"(.*\b)(\d+) *(?:-|\.\.+|–|bis|tot|a) *(\d+)(.*)", r"\1\2 to \3\4"),
        (r"(.*\d) *\.\.+ *(\w.*)", r"\1 to \2"),
        (r"(\w+) *(?:=|:) *(\d+) (spaces?)", r"\1 \2 \3"),
        (r"(\d+) (spaces?) (\w+)", r"\3 \1 \2"),
        (r"(.*\b)(\d+) ?[x×*] ?([A-Za-z]\w*.*)", r"\1\2 \3"),
        (r"(.*): yes */ *no(.*)", r"\1: yes or no\2"),
        (r"(remember [^:=]*)(?: is|:) number(?: starts)?(?: at| from)? (\d+)", r"\1: number = \2"),
        (r"(remember [^:=]*) is number(.*)", r"\1: number\2"),
        (r"(.*) holds (?:max|maximum|maximal|maximaal|up to|no more than|at most) (\d+ .*)", r"\1 holds at most \2"),
        (rf"(.*), {_OPEN}(?:(?: (?:to|by|for))? (?:all|everybody|everyone))?", r"\1, seen by all"),
        (r"(.*), (?:hidden|face down|secret|seen by none|seen by no one)", r"\1, seen by nobody"),
        (r"(\w+ \w+) holds (\w+) ((?:of each \w+ ?)+)(.*)", r"\1 \3 holds \2\4"),
        (r"(\w+ .*), (seen .*), holds (\w+)", r"\1 holds \3, \2"),
        (r"(.*) (?:isn't|isnt|ain't|isn’t) (.*)", r"\1 is not \2"),
        (r"(.*) (?:has|have) no (?:cards?|tokens?)(?: left)?", r"\1 is empty"),
        (r"(.*) line of (\d+) (.*)", r"\1 lines of \2 \3"),
        (r"(.*)\brandom\((\w+)\)(.*)", r"\1random x in \2\3"),
        (r"(.*)\b(\w+)\{ *([^{}:]*?) *\}(.*)", BRACED),
        (r"(.*)\b(\w+)\{ *([^{}]*?) *\}(.*)", r"\1\2(\3)\4"),
        (r"(.*?) *= *\{ *(.*?) *\}", r"\1 = \2"),
        (r"(enum \w+) *\{ *(.*?) *\}", r"\1 = \2"),
        (r"(enum \w+) *(?:of|are|is|with|has) (.*)", r"\1 = \2"),
        (r"(enum .*), (\w+),? (?:and|or|und|oder|en|e|o) (\w+)", r"\1, \2, \3"),
        (r"(.*\[[^\]]*)\]\[([^\]]*\].*)", r"\1, \2"),
        (r"(?:then )?(?:highest|greatest|largest|maximum|max|more) (.+)", r"most \1"),
        (r"(?:then )?(?:lowest|smallest|least|minimum|min|less) (.+)", r"fewest \1"),
        (r"(.+) (?:most|highest)", r"most \1"),
        (r"((?:.*[(,] ?)?)(\w+) (?:in|of|=|is) (\w+.*)", r"\1\2: \3"),
        (r"(.*\w: \w+) (?:if|with) (.*\).*)", r"\1 where \2"),
        (r"(\w+(?:\(.*\))?) (?:where|with) (.+)", r"\1 if \2"),
        (r"(.*)\ball (\w+ in .+? has .+)", r"\1every \2"),
        (r"(remember [^:]*:) (\d.*)", r"\1 number \2"),
        (r"(?:forbid|disallow|disable|remove|delete) (\w+) (?:in|from|of) (choice \w+)", r"remove \1 from \2"),
        (r"hexagons (?:of |with |size )?(\d+)", r"hexagons radius \1"),
        (r"hexagons (?:of |with )?radius *(?:of|[:=])? *(\d+)", r"hexagons radius \1"),
        (r"add to (setup|play|(?:rule|effect) \w+),? (before|after) (\w+)(?: *\(.*\))?", r"\2 \3 in \1"),
        (r"(variant \w+ of \w+)\.rules", r"\1"),
        (r"((?:remove|before|after) .*\w) *\(.*\)", r"\1"),
        (r"replace (\w+\(.*)", r"replace rule \1"),
        (r"remove option (\w+ from .*)", r"remove \1"),
        (r"((?:if|otherwise if|repeat while|repeat until) .*?), *(.*)", r"\1 and \2"),
        (rf"({_PLACE}) (?:(?:may|can|must)(?: choose)?|picks|selects|decides|wählt|kiest|sceglie)( \w+)?",
            r"\1 chooses\2"),
        (r"(?:insert|do) ((?:before|after) .*)", r"\1"),
        (r"only (allow \w+ in choice \w+) (?:only )?if (.*)", r"\1 only if \2"),
        (r"(game|board|setup|play|track|score|deck|cards|table) *[:=] *(\w*.*)", r"\1 \2"),
        (r"(\w+) *[:=] *(\d.*)", r"\1 \2"),
        (r"(\w+) (\d+) *(?:x|X|\*|×|,|and|mal|keer|per) *(\d+)", r"\1 \2 by \3"),
        (r"(grid|hexagons) (\d+)x(\d+)", r"\1 \2 by \3"),
        (r"(\w+ \w+)(?: *: *| (?=\w))(.+)", r"\1 = \2"),
        (r"variant (\w+) (?:for|extends|on|to|from|in) (.+)", r"variant \1 of \2"),
        (r"(variant|game) (\w+)[ -](\w+)((?: of .*)?)", r"\1 \2_\3\4"),
        (r"((?:rule|define) \w+)( gives .*| =.*|)", r"\1()\2"),
        (r"((?:rule|define) \w+\(.*\)) *(?:->|:|returns|give) *(\w+)", r"\1 gives \2"),
        (r"(.*?)\b(?!\d)(\w+)\.(?!\d)(\w+)\b(.*)", DOTTED),
        (r"(.*)\b(\w+)['’]s (\w+)\b(.*)", DOTTED),
        (r"remember (\w+)( of each \w+|) *= *(yes|no)", r"remember \1\2: yes or no = \3"),
        (r"remember (\w+)( of each \w+|) *= *(\d+)", r"remember \1\2: number = \3"),
        (r"if (.+) then (\S.*)", r"if \1"),
        (r"(.+?)(?:[;:,.{]+| (?:then|do|begin))", r"\1"),
    )
)  # fmt: skip


TOKEN = re.compile(r'"[^"\n]*"|#.*|\w+|[^\s\w]')
#: Filler words of other languages.
_FILLER = re.compile("the|a|an|please|then|der|die|das|den|de|het|een|il|lo|la|i|gli|le")
#: Words that join the parts of a line, the likely ones first.
_LINKS = ("to", "of", "in", "from", "with", "by")
#: Words and signs after which a line continues.
_CONTINUED = frozenset({*_LINKS, *"+-*=<>:", "and", "or", "div", "mod", "is"})
#: Words with a fixed place in a line, where any other word is probably meant to be it.
_STRUCTURE = (*_LINKS, "holds", "each", "seen", "spaces", "touches", ":")
#: Built-in words that stand before `of`.
PARTS = frozenset({"top", "bottom", "size", "left", "right", "position", "holder", "place", "row", "column"})


@dataclass(frozen=True, slots=True)
class Repair:
    """A replacement for the columns `start` to `end` of a line, counted from 1, end exclusive.

    `partial`: it is useful even if the line fails again further on.
    """

    start: int
    end: int
    new: str
    partial: bool = False

    def of(self, line: str) -> str:
        """Return the repaired line."""
        return line[: self.start - 1] + self.new + line[self.end - 1 :]

    def without_repetition(self, line: str) -> Repair:
        """Return the repair with the word behind it, if it begins the line with a word that is there already."""
        first = not line[: self.start - 1].strip()
        behind = re.match(rf" +{re.escape(self.new)}\b", line[self.end - 1 :]) if first else None
        return self if behind is None else replace(self, end=self.end + len(behind[0]))


@dataclass(frozen=True, slots=True)
class FailingLine:
    """A faulty line: its words with their columns, and the number of the word at fault.

    `accepted` are the words and signs that the grammar accepts there, `starts` the words that can begin such a line,
    `reserved` the keywords.
    """

    text: str
    words: Sequence[tuple[int, str]]
    index: int
    accepted: tuple[str, ...]
    starts: Sequence[str]
    reserved: frozenset[str]
    #: Names used before `of` in this file, and all names that can stand there.
    used: frozenset[str] = frozenset()
    properties: frozenset[str] = frozenset()
    #: Words that occur in several lines of the file.
    repeated: frozenset[str] = frozenset()
    #: Names that `set` can change.
    settable: frozenset[str] = frozenset()

    def columns(self, first: int, last: int) -> tuple[int, int]:
        """Return the columns from the start of one word to the end of another."""
        start, word = self.words[last]
        return self.words[first][0], start + len(word)


def repair_candidates(line: FailingLine) -> Iterator[Repair]:
    """Yield candidates of all kinds, the likeliest first."""
    kinds = [_first_words, _keyword_statement, _all_words, _first_word, _quoted, _filler_words, _foreign_words]
    kinds += [_misspelt, _idioms, _linking_word, _empty_parentheses, _missing_commas, _missing_last_word]
    kinds += [_missing_word, _split_names, _hyphenated_names, _foreign_punctuation]
    if line.words and line.words[0][0] == 1:
        kinds.insert(kinds.index(_empty_parentheses), _split_names if "," in line.text else _missing_commas)
    for kind in kinds:
        yield from kind(line)


def _first_word(line: FailingLine) -> Iterator[Repair]:
    """Replace an unknown first word by a similar or equivalent one."""
    if not line.words or line.index > 2:
        return
    start, first = line.words[0]
    if first in line.reserved and first not in WORDS:
        return
    near = (first.lower() if first.lower() in line.starts else None, WORDS.get(first) or WORDS.get(first.lower()))
    for new in (*near, did_you_mean(first.lower(), line.starts, 0.85)):
        if new is not None and new != first:
            yield Repair(start, start + len(first), new, partial=True)
    new = did_you_mean(first.lower(), line.starts, 0.75)
    if new is not None and new != first:
        # A less similar word must make the whole line parse.
        yield Repair(start, start + len(first), new)


def _quoted(line: FailingLine) -> Iterator[Repair]:
    """Remove quotation marks around a number or name; replace `count of` or `number of` by `size of`."""
    if line.index < len(line.words):
        start, faulty = line.words[line.index]
        inner = faulty[1:-1]
        if faulty.startswith('"') and (inner.isdigit() or (inner.isascii() and inner.isidentifier())):
            yield Repair(start, start + len(faulty), inner.lower(), partial=True)
    for start, word in line.words[: line.index]:
        rest = line.text[start - 1 :]
        if word in ("count", "number") and rest.startswith(f"{word} of ") and " in " not in rest:
            yield Repair(start, start + len(f"{word} of"), "size of", partial=True)


def _foreign_words(line: FailingLine) -> Iterator[Repair]:
    """Translate words and signs of other languages: at the fault, or quotation marks in the whole line."""
    if line.index < len(line.words):
        start, faulty = line.words[line.index]
        translation = WORDS.get(faulty) or WORDS.get(faulty.lower()) or SIGNS.get(faulty)
        if translation and translation[0].isalpha() and not faulty[0].isalpha():
            yield _sign_by_word(line, start, faulty, translation)
        elif translation:
            yield Repair(start, start + len(faulty), translation, partial=True)
        for n in (line.index - 1, line.index):
            if 0 <= n < len(line.words) - 1:
                (first_start, first), (second_start, second) = line.words[n : n + 2]
                both = SIGNS.get(first + second) if first_start + len(first) == second_start else None
                if both:
                    yield (
                        _sign_by_word(line, first_start, first + second, both)
                        if both.isalpha()
                        else Repair(first_start, second_start + len(second), both, partial=True)
                    )
        marks = [m.start() + 1 for m in re.finditer("[“”„«»]", line.text)]
        if len(marks) > 1:
            quoted = re.sub("[“”„«»]", '"', line.text[marks[0] - 1 : marks[-1]])
            yield Repair(marks[0], marks[-1] + 1, quoted, partial=True)
        if faulty in KEYWORDS and not KEYWORDS[faulty]:
            yield from _filler_words(line)


def _sign_by_word(line: FailingLine, at: int, found: str, word: str) -> Repair:
    """Replace a sign by a word, separated from the adjacent words by spaces."""
    before = re.search(r"\w*$", line.text[: at - 1])
    after = re.match(r"\w*", line.text[at - 1 + len(found) :])
    prefix, suffix = before[0] if before else "", after[0] if after else ""
    new = " ".join(part for part in (prefix, word, suffix) if part)
    return Repair(at - len(prefix), at + len(found) + len(suffix), new, partial=True)


def _all_words(line: FailingLine) -> Iterator[Repair]:
    """Translate all words of other languages in a line with several."""
    foreign = [n for n, (_, word) in enumerate(line.words) if WORDS.get(word) or WORDS.get(word.lower())]
    translatable = [n for n in foreign if n == 0 or (w := line.words[n][1]) in KEYWORDS or w not in line.repeated]
    if len(translatable) > 1:
        start, end = line.columns(translatable[0], translatable[-1])
        text = line.text[start - 1 : end - 1]
        for n in translatable:
            word = line.words[n][1]
            text = re.sub(rf"\b{re.escape(word)}\b", WORDS.get(word) or WORDS[word.lower()], text, count=1)
        yield Repair(start, end, text)


def _misspelt(line: FailingLine) -> Iterator[Repair]:
    """Correct the spelling of the word at fault, or the one before it."""
    for n in (line.index, line.index - 1):
        if 0 <= n < len(line.words):
            start, faulty = line.words[n]
            candidates = [w for w in line.accepted if w.isalpha()] if n == line.index else sorted(line.reserved)
            if faulty in line.used or (n < line.index and (faulty in line.reserved or n == 0)):
                continue
            near = did_you_mean(faulty.lower(), candidates, 0.75)
            near = faulty.lower() if faulty.lower() in line.accepted and faulty.lower() != faulty else near
            if near is not None and faulty[0].isalpha():
                yield Repair(start, start + len(faulty), near, partial=True)


def _idioms(line: FailingLine) -> Iterator[Repair]:
    """Rewrite a line that is phrased as in a programming language or a rulebook."""
    if not line.words:
        return
    start, end = line.columns(0, len(line.words) - 1)
    body = line.text[start - 1 : end - 1]
    undotted = re.sub(r"\b([a-z]\w*)\.([a-z]\w*)\b", r"\2 of \1", body)
    for candidate in dict.fromkeys((body, undotted)):
        for pattern, new in LINES:
            match = pattern.fullmatch(candidate)
            if match is None or (new.startswith("set") and body.split()[0] in line.reserved - {"set", "let", "take"}):
                continue
            if new == ASSIGNED and match[1].isidentifier() and match[1] not in line.settable:
                new = LET
            repair = _without_unchanged_ends(line, start, body, _ascending(body, match.expand(new)))
            yield repair
            if new in (DOTTED, BRACED):
                yield replace(repair, partial=True)


def _ascending(old: str, new: str) -> str:
    """Reverse a range in a rewritten line if it is descending."""
    match = re.search(r"\b(\d+) to (\d+)", new)
    if match is None or match[0] in old or int(match[1]) <= int(match[2]):
        return new
    return f"{new[: match.start()]}{match[2]} to {match[1]}{new[match.end() :]}"


def _without_unchanged_ends(line: FailingLine, start: int, old: str, new: str) -> Repair:
    """Return the repair without unchanged words at both ends.

    A replacement of several words that would end with one in need of a continuation goes to the end of the line.
    """
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
        # Words without a space between them must be replaced together.
        same -= 1
        first = places[same][0]
    while tail and last < len(old) and old[last].isalnum():
        tail -= 1
        last = places[len(before) - 1 - tail][1]
    if len(after) - same - tail > 1 and after[-1 - tail] in _CONTINUED:
        tail, last = 0, len(old)
    return Repair(start + first, start + last, new[shown[same][0] : shown[len(after) - 1 - tail][1]])


def _split_names(line: FailingLine) -> Iterator[Repair]:
    """Join words into a name with `_`: at the fault, or in the whole line."""
    n = line.index
    name = re.compile(r"[A-Za-z]\w*")
    if 0 < n < len(line.words):
        (first_start, first), (_, faulty) = line.words[n - 1], line.words[n]
        if faulty == "-" and n + 1 < len(line.words):
            start, end = line.columns(n - 1, n + 1)
            yield Repair(start, end, f"{first}_{line.words[n + 1][1]}")
        elif (
            n > 1
            and line.words[0][0] == 1
            and name.fullmatch(first)
            and first not in ("on", *_STRUCTURE)
            and re.fullmatch(r"\w+", faulty)
            and faulty not in line.reserved
            and not faulty.isdigit()
        ):
            yield Repair(first_start, line.columns(n, n)[1], f"{first}_{faulty}")
        elif n == 1 and first_start > 1 and {"if", "("} <= set(line.accepted) and re.fullmatch(r"[A-Za-z]\w*", faulty):
            # The name of an option is a single word.
            yield Repair(first_start, line.columns(n, n)[1], f"{first}_{faulty}")
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
        start, end = line.columns(groups[0][0], groups[-1][-1])
        text = line.text[start - 1 : end - 1]
        for group in reversed(groups):
            begins, ends = line.columns(group[0], group[-1])
            joined = "_".join(line.words[i][1] for i in group)
            text = text[: begins - start] + joined + text[ends - start :]
        yield Repair(start, end, text)


def _missing_commas(line: FailingLine) -> Iterator[Repair]:
    """Separate names by commas."""
    first = max(line.index - 1, 0)
    rest = [word for _, word in line.words[first:]]
    if "," not in line.accepted:
        return
    before = [word for _, word in line.words[: line.index]]
    opened = before.count("[") + before.count("(") - before.count("]") - before.count(")")
    if 0 < line.index < len(line.words) and opened > 0 and before[-1] not in line.reserved:
        yield Repair(*line.columns(line.index - 1, line.index), f"{before[-1]}, {rest[1]}")
    if len(rest) > 1 and all(re.fullmatch(r"[A-Za-z]\w*", word) and word not in line.reserved for word in rest):
        yield Repair(*line.columns(first, len(line.words) - 1), ", ".join(rest))


def _missing_word(line: FailingLine) -> Iterator[Repair]:
    """Insert a missing word before the word at fault, or before the one after it."""
    n = min(line.index, len(line.words) - 1)
    if n < 1:
        return
    (before, first), (start, faulty) = line.words[n - 1], line.words[n]
    if faulty == "of" and first in line.properties:
        yield from (Repair(before, before + len(first), f"{word} {first}") for word in _LINKS if word in line.accepted)
    if first in _LINKS or (n < line.index and (not faulty.isidentifier() or faulty in line.reserved)):
        return
    if "as" in line.accepted and line.text[start - 1 + len(faulty) :].startswith("("):
        yield Repair(start, start + len(faulty), f"as {faulty}")
    only = line.accepted if len(line.accepted) == 1 else ()
    for word in dict.fromkeys((*(w for w in (":", *_LINKS) if w in line.accepted or n < line.index), *only, "=")):
        if word == "of" and len(line.accepted) > 2:
            # Among several alternatives it would only join two names.
            continue
        if word == ":":
            yield Repair(before, start + len(faulty), f"{first}: {faulty}")
        elif word.isalpha() or (word in line.accepted and faulty not in ("(", "[", "{")):
            yield Repair(start, start + len(faulty), f"{word} {faulty}")
    if first in line.properties and n > 1 and faulty in line.repeated - line.reserved - line.used:
        yield Repair(before, start + len(faulty), f"{first} of {faulty}")
    if n > 1 and (earlier := line.words[n - 2])[1].isidentifier() and first.isidentifier():
        # `hand p to` parses as a number of something that needs a `from`.
        yield Repair(earlier[0], before + len(first), f"{earlier[1]} of {first}")


def _empty_parentheses(line: FailingLine) -> Iterator[Repair]:
    """Remove empty parentheses."""
    for named in range(max(0, line.index - 2), line.index):
        match [word for _, word in line.words[named : named + 3]]:
            case (name, "(", ")"):
                yield Repair(*line.columns(named, named + 2), name)


def _filler_words(line: FailingLine) -> Iterator[Repair]:
    """Remove a filler word at the fault or before it."""
    for n in range(min(line.index, len(line.words) - 2), -1, -1):
        (start, word), (_, following) = line.words[n : n + 2]
        if _is_filler(word.lower()) and word not in line.repeated and following.lower() not in KEYWORDS:
            yield Repair(start, line.columns(n + 1, n + 1)[1], following)


def _is_filler(word: str) -> bool:
    return word == "return" or KEYWORDS.get(word) == "" or _FILLER.fullmatch(word) is not None


def _first_words(line: FailingLine) -> Iterator[Repair]:
    """Translate the first words of a line."""
    for phrase, new in BEGINNINGS.items():
        count = len(phrase.split())
        if [word.lower() for _, word in line.words[:count]] == phrase.split():
            yield Repair(*line.columns(0, count - 1), new, partial=True)
            yield Repair(*line.columns(0, count - 1), new.split()[0], partial=True)


def _keyword_statement(line: FailingLine) -> Iterator[Repair]:
    """Correct the spelling of a keyword statement."""
    words = [word for _, word in line.words]
    near = did_you_mean(" ".join(words).lower(), get_args(KeywordPhrase), 0.8) if 1 < len(words) < 5 else None
    if near is not None:
        start, end = line.columns(0, len(words) - 1)
        yield _without_unchanged_ends(line, start, line.text[start - 1 : end - 1], near)
    if len(words) == 1 and words[0].lower() in DRAWN:
        yield Repair(*line.columns(0, 0), "nobody wins")


def _linking_word(line: FailingLine) -> Iterator[Repair]:
    """Replace a word by one that joins the parts of a line, where the grammar accepts it."""
    if not 0 < line.index < len(line.words):
        return
    word_start, faulty = line.words[line.index]
    if faulty in (")", "]"):
        yield from (
            Repair(word_start, word_start + 1, bracket)
            for bracket in (")", "]")
            if bracket in line.accepted and bracket != faulty
        )
    owns = faulty == "of" and line.words[line.index - 1][1] in line.properties
    if owns or line.text[word_start - 1 + len(faulty) :].startswith("("):
        return
    if re.fullmatch(r"\w+|=", faulty) and faulty.isascii() and not faulty.isdigit():
        for word in (w for w in _STRUCTURE if w in line.accepted and w != faulty):
            if word == ":":
                start, end = line.columns(line.index - 1, line.index)
                yield Repair(start, end, f"{line.words[line.index - 1][1]}:")
            else:
                yield Repair(word_start, word_start + len(faulty), word)


def _missing_last_word(line: FailingLine) -> Iterator[Repair]:
    """Add a missing word at the end of a line."""
    if not line.words or line.index < len(line.words):
        return
    start, last = line.words[-1]
    for more in ("times", "spaces", "="):
        if more in line.accepted and (more != "=" or line.words[0][1] == "define"):
            yield Repair(start, start + len(last), f"{last} {more}")
    if "(" in line.accepted and last.isidentifier() and len(line.words) > 1 and line.words[-2][1] in ("rule", "define"):
        yield Repair(start, start + len(last), f"{last}()")


def _hyphenated_names(line: FailingLine) -> Iterator[Repair]:
    """Replace the hyphens of all names in a line by `_`."""
    names = list(re.finditer(r"\b[A-Za-z]\w*(?:-[A-Za-z]\w*)+\b", line.text))
    if len(names) > 1:
        start, end = names[0].start(), names[-1].end()
        yield Repair(start + 1, end + 1, line.text[start:end].replace("-", "_"))


def _foreign_punctuation(line: FailingLine) -> Iterator[Repair]:
    """Remove or replace punctuation of other languages."""
    if line.words:
        start, end = line.columns(0, len(line.words) - 1)
        body = line.text[start - 1 : end - 1]
        for signs in ("[:=]", "[|,]", "[:=|,]"):
            new = re.sub(rf" *{signs} *", " ", body).strip()
            if len(new.split()) > 1 and "(" not in body:
                yield _without_unchanged_ends(line, start, body, new)
        if ";" in body:
            yield _without_unchanged_ends(line, start, body, body.replace(";", ","))
        turned = re.fullmatch(r"(\w+)(?: *[:=])? (\d+)", body)
        if turned is not None:
            yield Repair(start, end, f"{turned[2]} {turned[1]}")
