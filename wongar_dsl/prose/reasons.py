"""Why an option is not there in one position: the part of its conditions that fails, bound to what there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol

from wongar_dsl import syntax as s
from wongar_dsl.model import Local, Model
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.bindings import bind, called, somebody
from wongar_dsl.prose.comparisons import OPPOSITE, opposite
from wongar_dsl.prose.context import COMPARED, SLOTS, Amount, Context, Unsayable
from wongar_dsl.prose.overall import Overall
from wongar_dsl.prose.phrases import PASSES
from wongar_dsl.prose.plan import Entity, Line
from wongar_dsl.prose.presence import there
from wongar_dsl.prose.refer import Referring
from wongar_dsl.prose.things import called_by
from wongar_dsl.words import Attribute, Listing, Nominal, Said, Value, Words

#: What only speaks of which values there are to choose among.
_OF_WHAT_IS_CHOSEN = frozenset({"reason.only", "reason.not_that", "reason.another"})
#: The greatest or the least number that a comparison allows, beside the one that it names.
_BOUNDS: Mapping[s.Comparison, tuple[bool, int]] = {"<": (True, -1), "<=": (True, 0), ">": (False, 1), ">=": (False, 0)}
#: That it is another one that somebody has, or that lies there.
_NOT = {"prose.has": "reason.has_not", "prose.lies": "reason.lies_not"}
#: How much there is, told where it had to be more.
_ONLY = {"prose.has": "reason.has_only", "prose.lies": "reason.lies_only"}


class Position(Protocol):
    """Whom the conditions are about: a position in which somebody decides."""

    def value(self, e: s.Expression, given: Mapping[Local, int]) -> int | None:
        """The value of an expression, given those of names; None where who decides may not know it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not so, and the node that says so."""

    said: Said
    node: s.Node


@dataclass(slots=True)
class Reasons:
    """One look for a reason: the rules in a position, who the players are by seat, and the names that have a value.

    A name without a value is hidden from who decides; it is only spoken of as what it is.
    """

    model: Model
    words: Words
    overall: Overall
    #: The rule that puts the decision.
    rule: str
    seats: int
    position: Position
    people: Sequence[Nominal]
    given: dict[Local, int] = field(default_factory=dict)
    context: Context = field(init=False)
    _players: tuple[Entity, ...] = field(init=False)
    #: The names of the option, whose values are refused.
    _offered: frozenset[Local] = frozenset()

    def __post_init__(self) -> None:
        self.context = Context(self.model, Account(), self.words, PASSES, self.overall, self.seats, named=True)
        self._players = somebody(self.people)

    # ---- names ----

    def bind(self, local: Local, value: int) -> None:
        """A name stands for a value."""
        self.given[local] = value
        bind(self.context, local, value, self._players)

    def choose(self, chosen: Mapping[Local, int]) -> None:
        """The arguments of an option, in order."""
        before: list[Local] = []
        for local, value in chosen.items():
            self.bind(local, value)
            self._tell_apart(local, before)
            before.append(local)

    def _tell_apart(self, local: Local, before: Sequence[Local]) -> None:
        """A place that there is several times is called with what tells it apart: *seat 3 of the first row*.

        What the rule has a noun for is called by that: *the route from the harbour towards north*.
        """
        context, entity, noun = self.context, self.context.entities[local], f"{self.rule}.{local.name}"
        if not isinstance(entity.thing, Nominal):
            return
        if local.type.kind == "enum" and context.has_term(noun):
            starts = [other for other in before if other.type.kind in ("enum", "board")]
            start = [Attribute("reason.whence", {"place": context.mention(other)}) for other in starts[-1:]]
            where = Attribute("prose.lying", {"place": entity.thing})
            entity.thing = Nominal(context.term(noun), ("def",), (*start, where))
            return
        for zone in self.model.declared.zones.values():
            at = called_by(context, zone.name)
            if at is None or zone.indices[at] != local.type:
                continue
            found: dict[str, Value] = {}
            for slot, kind in zip(SLOTS, zone.indices, strict=False):
                known = [other for other in (*self.given, *before) if other.type == kind and other is not local]
                if slot != SLOTS[at] and kind.kind != "player" and known:
                    found[slot] = context.mention(known[-1])
            if found and set(found) >= self.words.slots(f"of.{zone.name}", self.model.scope):
                entity.thing = replace(entity.thing, modifiers=(Attribute(f"of.{zone.name}", found),))
                return

    def hide(self, local: Local) -> None:
        """A name stands for something that who decides may not know."""
        self.context.given((), local)

    # ---- what is not so ----

    def of_condition(self, e: s.Expression, offered: Sequence[Local]) -> Reason:
        """Why a condition does not hold that arguments of an option, or the option, have to meet.

        Raises `Unsayable`.
        """
        self._offered = frozenset(offered)
        return self._failing(e, True)

    def _failing(self, e: s.Expression, wanted: bool) -> Reason:
        """What is so, though it should be otherwise: `e` does not hold, or where it is not `wanted`, it does."""
        with suppress(Unsayable):
            found = self._inside(e, wanted)
            if found is not None:
                return found
        if isinstance(e, s.Compare):
            found = self._compared(e, e.operator if wanted else OPPOSITE[e.operator])
            if found is not None:
                return found
        return Reason(self.context.condition(e, wanted), e)

    def _inside(self, e: s.Expression, wanted: bool) -> Reason | None:
        """The part of a condition that fails; None where it is one thing."""
        match e:
            case s.Negation(operand=operand):
                return self._failing(operand, not wanted)
            case s.Logical(operator=joined, operands=operands) if wanted == (joined == "and"):
                one = self._first(operands, not wanted)
                return None if one is None else self._failing(one, wanted)
            case s.Logical(operands=operands):
                parts = [self._failing(operand, wanted).said for operand in operands]
                # That something else could be chosen says nothing of what was.
                telling = [part for part in parts if part.message not in _OF_WHAT_IS_CHOSEN]
                return Reason(_all(telling or parts), e)
            case s.Quantified(kind="some" | "none" | "every"):
                return self._for_whom(e, wanted)
            case s.Name() | s.Called():
                return self._defined(e, wanted)
        return None

    def _first(self, operands: Sequence[s.Expression], held: bool) -> s.Expression | None:
        """The first condition that holds, or does not; None where that is not known to who decides."""
        for operand in operands:
            value = self.position.value(operand, self.given)
            if value is None:
                return None
            if bool(value) == held:
                return operand
        return None

    def _for_whom(self, e: s.Quantified, wanted: bool) -> Reason | None:
        """For whom something does not hold that should for all, or holds that should for nobody."""
        domain, local = e.domain, self.model.locals[e.variable]
        asked = [*s.conjuncts(domain.where)]
        if wanted != (e.kind != "some") or domain.extreme is not None:
            return None
        if e.kind == "every":
            assert e.value is not None
            asked.append(s.Negation(e.value.span, e.value))
        if not asked:
            return None
        where = asked[0] if len(asked) == 1 else s.Logical(asked[0].span, "and", tuple(asked))
        first = s.Quantified(e.span, "first", e.variable, replace(domain, where=where))
        value = self.position.value(first, self.given)
        if value is None:
            return None
        self.bind(local, value)
        if e.kind == "every":
            assert e.value is not None
            return self._failing(e.value, True)
        told = [one for one in asked if not _tells_apart(one)]
        return Reason(_all([self._failing(one, False).said for one in told or asked]), e)

    def _defined(self, e: s.Name | s.Called, wanted: bool) -> Reason | None:
        """What of a definition fails; one that has words is gone into only where it asks for several things."""
        context = self.context
        ref, name = context.ref(e), e.text if isinstance(e, s.Name) else e.name
        if ref is None or ref.kind != "define":
            return None
        define = self.model.code.defines[name]
        several = wanted and isinstance(define.value, s.Logical) and define.value.operator == "and"
        if context.knows(f"define.{name}") and not several:
            return None
        arguments = e.arguments if isinstance(e, s.Called) else ()
        locals_ = self.model.parameters.get(define, ())
        values = [self.position.value(argument, self.given) for argument in arguments]
        things = {local: context.value(argument) for local, argument in zip(locals_, arguments, strict=True)}
        known = dict(context.values)
        with context.written_out(define, e, things):
            for local, argument, value in zip(locals_, arguments, values, strict=True):
                if value is None:
                    return None
                ref = context.ref(argument)
                if isinstance(argument, s.Name):
                    self.bind(local, value)
                if ref is not None and ref.local in self._offered:
                    self._offered |= {local}
                self.given[local] = value
            found = self._failing(define.value, wanted)
        context.values = known
        return found

    # ---- comparisons ----

    def _compared(self, e: s.Compare, wanted: s.Comparison) -> Reason | None:
        """What is compared, as it is in the position; `wanted` is what had to be so."""
        if self.context.kind(e.left).kind == "number":
            return self._measured(e, wanted)
        if wanted not in ("=", "!=") or isinstance(e.left, s.Nobody) or isinstance(e.right, s.Nobody):
            return None
        for one, other in ((e.left, e.right), (e.right, e.left)):
            ref = self.context.ref(one)
            if ref is None or ref.local not in self._offered or not isinstance(other, s.Name):
                continue
            # What is chosen is called by its name: *X is not Y*, which nobody needs to be told.
            if wanted == "!=":
                return Reason(self._not_that(one, other), e)
            value = self.position.value(other, self.given)
            what = self.context.value(other) if value is None else called(self.context, self.context.kind(other), value)
            return Reason(Said("reason.only", {"what": what}), e)
        return None

    def _measured(self, e: s.Compare, wanted: s.Comparison) -> Reason | None:
        """How much there is of what is compared, and what it should be."""
        said = self.context.condition(e, wanted == e.operator)
        # What is said only as *it is not so that …* is told with its number.
        what = self.context.value(e.left) if said.message == "prose.not" else said.values.get("what")
        left, right = (self.position.value(side, self.given) for side in (e.left, e.right))
        if left is None or right is None:
            return None
        if said.message.startswith("prose.is_") and isinstance(what, int) and wanted in _BOUNDS:
            more, by = _BOUNDS[wanted]
            return Reason(Said("reason.no_more" if more else "reason.no_less", {"n": right + by}), e)
        verb = next((verb for verb in _ONLY if said.message.startswith(f"{verb}_")), None)
        if verb is not None and isinstance(what, Nominal) and what.head.count is not None:
            how_many = replace(what, head=replace(what.head, count=left or None), words=() if left else ("not_any",))
            message = _ONLY[verb] if left and wanted in (">", ">=") else verb
            return Reason(Said(message, {**said.values, "what": how_many}), e)
        if isinstance(e.left, s.Of) and wanted == "=" and e.left.name in ("row", "column"):
            lies: dict[str, Value] = {"what": self.context.value(e.left.owner), "n": left, "limit": right}
            return Reason(Said(f"reason.{e.left.name}", lies), e)
        if said.message == "prose.has" and isinstance(what, Nominal):
            if what.words == ("indef",) and left > 1:
                what = replace(what, head=replace(what.head, count=left), words=())
            where = said.values.get("place")
            if isinstance(where, Nominal) and self._is_own(e.left):
                where = replace(where, own=True)
            assert where is not None
            none_wanted = (wanted, right) in (("=", 0), ("<=", 0), ("<", 1))
            message = "reason.has_still" if left and none_wanted else said.message
            return Reason(Said(message, {**said.values, "what": what, "place": where}), e)
        plain = {"prose.not", *(f"prose.is_{name}" for name in COMPARED.values())}
        if said.message in plain and isinstance(what, Nominal):
            shown: dict[str, Value] = {"what": what, "n": left, "limit": right}
            return Reason(Said(f"reason.{COMPARED[wanted]}", shown), e)
        return None

    def _is_own(self, zone: s.Expression) -> bool:
        """Whether nothing but whose they are tells the copies of a zone apart."""
        ref = self.context.ref(zone)
        declared = self.model.declared.zones.get(ref.name) if ref is not None else None
        return declared is not None and [kind.kind for kind in declared.indices] == ["player"]

    # ---- what is not offered at all ----

    def of_argument(self, offered: s.Offered, value: int) -> Reason:
        """Why a value is not one of those that an argument of an option can have.  Raises `Unsayable`."""
        context, domain = self.context, offered.domain
        local = self.model.locals[offered.name]
        ref = context.ref(domain.base)
        thing = context.mention(local)
        match domain.kind:
            case "all" if ref is not None and ref.kind == "slot":
                return Reason(Said("reason.only", {"what": context.value(domain.base)}), domain)
            case "all" | "kinds" if ref is not None and ref.kind == "zone" and isinstance(thing, Nominal):
                bare = replace(domain, where=None, extreme=None, measure=None)
                count, first = (
                    self.position.value(s.Quantified(domain.span, kind, offered.name, bare), self.given)
                    for kind in ("number", "first")
                )
                if count == 1 and first is not None:
                    return Reason(Said("reason.only", {"what": called(self.context, local.type, first)}), domain)
                return Reason(self._not_there(local, value, domain.base), domain)
            case "touching" if domain.first is not None:
                return self._away(domain, domain.first, thing, value, Said("prose.touches", {"area": thing}))
            case "within" if domain.first is not None and domain.second is not None:
                steps = context.value(domain.first)
                near = Said("prose.within", {"area": thing, "n": steps})
                return self._away(domain, domain.second, thing, value, near)
            case "span" if domain.first is not None:
                return self._beyond(domain, domain.base, domain.first, value)
        del context.entities[local]
        return Reason(Said("reason.that_is", {"what": context.domain(domain, local, (), ("not_any",))}), domain)

    def _not_that(self, chosen: s.Expression, other: s.Name) -> Said:
        """That something is not to be chosen: what the rules name, or what something else is already."""
        context, ref = self.context, self.context.ref(other)
        if ref is None or ref.local is None:
            return Said("reason.not_that", {"what": context.value(chosen)})
        named, _ = context.sort(context.kind(chosen))
        return Said("reason.another", {"what": Nominal(context.term(named), ("another",))})

    def _not_there(self, local: Local, value: int, zone: s.Expression) -> Said:
        """That nothing of a sort lies in a zone; *it* does not, where there is only one of it."""
        thing = self.context.entities[local].thing
        assert isinstance(thing, Nominal)
        decks = (deck for deck in self.model.declared.decks.values() if deck.cards.name == local.type.name)
        if local.type.kind == "cards" and all(dict(deck.copies).get(value, 0) <= 1 for deck in decks):
            lies = there(self.context, "", thing, zone)
            if lies.message in _NOT:
                return replace(lies, message=_NOT[lies.message])
        return there(self.context, "", replace(thing, words=("not_any",)), zone)

    def _away(self, domain: s.Domain, start: s.Expression, thing: Amount, value: int, near: Said) -> Reason:
        """That a place is not near another one, or is that place itself."""
        other = self.context.thing(start)
        if self.position.value(start, self.given) == value:
            if isinstance(start, s.Of) and start.name == "place":
                stands: dict[str, Value] = {"what": self.context.value(start.owner), "place": thing}
                return Reason(Said("reason.stands", stands), domain)
            if isinstance(start, s.Name):
                return Reason(self._not_that(start, start), domain)
            return Reason(Said("prose.is", {"what": other, "other": thing}), domain)
        return Reason(opposite(self.context, replace(near, values={**near.values, "other": other})), domain)

    def _beyond(self, domain: s.Domain, low: s.Expression, high: s.Expression, value: int) -> Reason:
        """That a number is too great or too small."""
        least, most = (self.position.value(bound, self.given) for bound in (low, high))
        if least is not None and value < least:
            return Reason(Said("reason.no_less", {"n": least}), domain)
        if most is None:
            raise Unsayable(domain)
        return Reason(self._only(high, most) or Said("reason.no_more", {"n": most}), domain)

    def _only(self, e: s.Expression, number: int) -> Said | None:
        """That there are only so many of what a number counts."""
        exactly = s.Compare(e.span, "=", e, s.Number(e.span, number))
        with suppress(Unsayable):
            said = self.context.condition(exactly)
            only = _ONLY.get(said.message.removesuffix("_equal"))
            if only is not None and number:
                return replace(said, message=only)
            return said if not number else None
        return None


def line(reason: Reason, words: Words, game: str) -> str | None:
    """A reason as a sentence; None where the language lacks words for it."""
    [plan] = Referring().plans((Line(reason.said, reason.node),))
    assert isinstance(plan, Line)
    return words.said("prose.line", game, said=plan.said)


def _all(parts: list[Said]) -> Said:
    return parts[0] if len(parts) == 1 else Said("prose.and", {"all": Listing(tuple(parts))})


def _tells_apart(e: s.Expression) -> bool:
    """Whether a condition only says that somebody or something is not another one."""
    return isinstance(e, s.Compare) and e.operator == "!=" and isinstance(e.left, s.Name)
