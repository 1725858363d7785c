"""Emission of C tables: constants, lists, decisions, and data for the search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import cycle_search, determinize, ismcts, rng, state_codec
from wongar_dsl.compiler.ir.containers import CONTAINERS
from wongar_dsl.compiler.ir.program import BUDGET

#: Constants of the state header.
_HEAD = (
    "AT_BLOCK", "AT_CHANCE", "AT_DECISION", "AT_SEAT", "AT_WINNERS", "AT_TIME", "AT_PLAY_CHANCE", "AT_STEP",
    "FIRST_FREE", "OVER", "READY",
)  # fmt: skip
#: Constants of the tree search.
_TREE = ("ONE", "EXPLORATION", "SHARE", "GROUPED", "MAX_PATH", "MAX_GAME", "LN2")
#: Kinds of zones, by their numbers in the encoded sight.
ZONE_KINDS = tuple(CONTAINERS)
_PLAIN = re.compile(r"[A-Za-z0-9_ ]+")


def row_width(program: ir.Program) -> int:
    """Return the maximum length of an option: its number and its arguments."""
    return 1 + max((len(o.parameters) for d in program.decisions for o in d.options), default=0)


#: Number of bits for the index of a decision in a game; counted games are not longer.
COUNT_BITS = 21


def constants(p: ir.Program) -> Iterator[str]:
    """Yield the constants of a program."""
    numbers = {
        "SIZE": p.size,
        "FRAMES": p.frames,
        "ROW": row_width(p),
        "SCRATCH": max(1, p.scratch),
        "MARKS": max(1, len(p.marks)),
        "MARK_WORDS": max(1, -(-len(p.marks) // 8)),
        "TIMED": int(any(d.clock is not None for d in p.decisions)),
        "SEATS": p.seats,
        "BUDGET": BUDGET,
        "RESERVE": cycle_search.RESERVE,
        "MAX_ANSWER_TIME_MS": determinize.MAX_ANSWER_TIME_MS,
        "SCORED": int(p.score is not None),
        "FEWEST": int(p.fewest),
        **{name: getattr(ismcts, name) for name in _TREE},
        **{kind.upper(): number for number, kind in enumerate(ZONE_KINDS)},
        **{name: getattr(ir, name) for name in _HEAD},
        "FACTOR": ir.FACTOR,
        **{f"FOR_{purpose.name}": int(purpose) for purpose in rng.Purpose},
        **dict(zip(("HALF_BIT", "PURPOSE_BIT", "SEAT_BIT", "NUMBER_BIT"), rng.PLACES, strict=True)),
    }
    named = f"{p.name}, {p.seats} seats"
    yield f"/* {named if _PLAIN.fullmatch(named.replace(',', '').replace('/', '')) else 'a game'} */"
    yield ""
    yield "enum {"
    yield from (f"    {name} = {value}," for name, value in numbers.items())
    yield "};"
    yield f"#define MASK {ir.MASK}u"
    yield f"#define GOLDEN {rng.GOLDEN:#x}u"


def tables(p: ir.Program) -> Iterator[str]:
    """Yield the tables, the lists and the initial state."""
    for number, table in enumerate(p.tables):
        yield f"static const {cell_type(table)} T{number}[] = {braced(table or (0,))};"
    for number, lists in enumerate(p.lists):
        places = [0]
        for values in lists:
            places.append(places[-1] + len(values))
        flat = [value for values in lists for value in values]
        yield f"static const {cell_type(flat)} L{number}[] = {braced(flat or (0,))};"
        yield f"static const {cell_type(places)} A{number}[] = {braced(places)};"
    yield f"static const cell INITIAL[SIZE] = {braced(state_codec.initial_cells(p))};"


def decisions(p: ir.Program) -> Iterator[str]:
    """Yield functions that list and apply the options of decisions."""
    yield "static void list_options(run *r) {"
    yield "    switch (S[AT_DECISION]) {"
    for number, decision in enumerate(p.decisions):
        yield f"    case {number}: l{decision.lister}(r); break;{comment(decision.name)}"
    yield "    }"
    yield "}"
    yield "static int made_at_once_or_by_time(cell decision) {"
    apart = [n for n, d in enumerate(p.decisions) if d.simultaneous or d.clock is not None]
    yield f"    return {' || '.join(f'decision == {n}' for n in apart) or '(void)decision, 0'};"
    yield "}"
    yield from _option_tables(p)


def _option_tables(p: ir.Program) -> Iterator[str]:
    """Yield the first number of each decision's options, and functions for the option that was taken."""
    first = [0]
    for decision in p.decisions:
        first.append(first[-1] + len(decision.options))
    yield f"static const int32_t FIRST_WAY[] = {braced(first)};"
    yield "static inline void take_down(run *r, const int32_t *option) {"
    yield "    switch (S[AT_DECISION]) {"
    for number, decision in enumerate(p.decisions):
        yield f"    case {number}:{comment(decision.name)}"
        yield "        switch (option[0]) {"
        for place, option in enumerate(decision.options):
            puts = "".join(f" S[{address}] = option[{i}];" for i, address in enumerate(option.addresses, 1))
            yield f"        case {place}: S[AT_BLOCK] = {option.block};{puts} break;"
        yield "        }"
        yield "        break;"
    yield "    }"
    yield "}"


def search_tables(p: ir.Program) -> Iterator[str]:
    """Yield tables for determinization and tree search."""
    yield f"static const uint16_t LOGARITHMS[] = {braced(ismcts.LOGARITHMS)};"
    yield scores(p)
    counts = [len(o.parameters) for d in p.decisions for o in d.options]
    yield f"static const uint8_t ARGUMENTS[] = {braced(counts or (0,))};"
    yield "static inline int arguments_of(cell decision, cell option) {"
    yield "    return ARGUMENTS[FIRST_WAY[decision] + option];"
    yield "}"
    sealed = ", ".join(map(braced, p.simultaneous_cells)) or "{-1, 0, 0, 0}"
    yield f"static const int32_t SEALED[][4] = {{{sealed}}};"
    yield "/* First and last time of a clock; returns 1, 0 if the clock has no end, -1 without a clock. */"
    yield "static int clock_of(run *r, cell decision, cell *first, cell *last) {"
    yield "    r->fuel = BUDGET;"
    yield "    switch (decision) {"
    for number, decision in enumerate(p.decisions):
        if decision.clock is not None:
            begin, end = decision.clock
            last = f"r->fuel = BUDGET; *last = p{end}(r); return 1;" if end >= 0 else "return 0;"
            yield f"    case {number}: *first = p{begin}(r); {last}"
    yield "    }"
    yield "    (void)first, (void)last;"
    yield "    return -1;"
    yield "}"


def scores(p: ir.Program) -> str:
    """Return the table with the score addresses of the seats, 0 in a game without scores."""
    return f"static const int32_t SCORES[] = {braced(p.score.at(s) if p.score else 0 for s in range(p.seats))};"


def count_tables(p: ir.Program) -> Iterator[str]:
    """Yield tables for statistics of random games."""
    yield f"enum {{ COUNT_BITS = {COUNT_BITS} }};"
    solving = (any(t.kind == "coverings" for o in d.options for _, t in o.parameters) for d in p.decisions)
    yield f"static const uint8_t SOLVES[] = {braced(map(int, solving))};"
    yield f"static const uint8_t AT_ONCE[] = {braced(int(d.simultaneous) for d in p.decisions)};"


# ---- text ----------------------------------------------------------------------------------------------------------


def cell_type(values: Sequence[int]) -> str:
    """Return the smallest C type for all numbers of a table."""
    most = max((v if v >= 0 else -v - 1 for v in values), default=0)
    return next((f"int{bits}_t" for bits in (8, 16, 32) if most < 1 << (bits - 1)), "int64_t")


def braced(values: Iterable[int]) -> str:
    """Return numbers in braces."""
    return f"{{{', '.join(map(number_text, values))}}}"


def number_text(value: int) -> str:
    """Return a number as a C literal."""
    text = str(value) if abs(value) < 1 << 31 else f"INT64_C({value})"
    return text if value >= 0 else f"({text})"


def comment(name: str) -> str:
    """Return a name of the rules as a C comment, empty if it has special characters."""
    return f" /* {name} */" if _PLAIN.fullmatch(name) else ""
