"""Instructions: sentences of a plan without an agent, told as actions of the readers.

*The cards go onto the pile* becomes *put the cards onto the pile*. Under a lead that addresses one player, that player
acts; on things that go to another player, that one. Movements, draws, and sentences that have such a
form (suffix `BY`) are actions; states and scores are not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Message,
    Passage,
    Plan,
    PlanGroup,
    PlanLine,
    VerbatimRule,
    described,
)
from wongar_dsl.nlg.words import ADDRESSED, ALL_ADDRESSED, Attribute, Listing, NounPhrase, Sentence, Translator, Value

#: Suffix of the form of a sentence in which `{player}` does what happens in it.
BY = ".by"
#: Marker in place of that form: players need not be told the sentence.
LEFT_OUT = "-"
#: Sentences without an agent whose form for a player has another name than with `BY`.
_ACTIONS: Mapping[str, str] = {
    Message.GOES: Message.PUTS_INTO,
    "prose.laid_straight": Message.PUTS_INTO,
    "prose.goes_under": Message.PUTS_UNDER,
    Message.ALL_GO: Message.PUTS_INTO,
    Message.TOKENS_GO: "prose.moves",
}
#: The actions of placing things on a pile that is then shuffled: first on an empty pile, then on one with cards.
_SHUFFLED: Mapping[str, str] = {Message.GOES: "prose.puts_shuffled", Message.ALL_GO: "prose.shuffles_into"}
#: Leads of the steps of players, and those that address each player in turn.
TURNS: Mapping[str, str] = {
    "prose.in_turn_from": "prose.in_turn_from.you",
    "prose.in_turn_after": "prose.in_turn_after.you",
    Message.DOES: Message.DOES_YOU,
    Message.DOES_IN_ORDER: Message.DOES_IN_ORDER_YOU,
    "prose.does_forever": "prose.does_forever.you",
}


@dataclass(frozen=True, slots=True)
class Instructions:
    """Instructions of one game: the `scope` of its words, and the names of its figures, which stand and do not lie."""

    words: Translator
    scope: str
    figures: Collection[str]

    def plans(self, plans: Iterable[Plan], agent: NounPhrase | None = None) -> tuple[Plan, ...]:
        """Return plans in which the agent acts, or without one all readers together."""
        told = (self._plan(plan, agent or NounPhrase(ALL_ADDRESSED)) for plan in plans)
        return tuple(plan for plan in told if plan is not None)

    def _plan(self, plan: Plan, agent: NounPhrase) -> Plan | None:
        match plan:
            case PlanLine(sentence=said):
                return None if self._is_left_out(said) else replace(plan, sentence=self._sentence(said, agent))
            case PlanGroup(lead=lead, parts=parts):
                you = NounPhrase(ADDRESSED)
                inner = you if lead.message in TURNS.values() or described(lead.values.get("player")) == you else agent
                told = self.plans(parts, inner)
                return replace(plan, parts=told) if told or not parts else None
            case Passage(parts=parts) | VerbatimRule(parts=parts):
                return replace(plan, parts=self.plans(parts, agent))

    def _is_left_out(self, said: Sentence) -> bool:
        """Return whether a sentence, or the result of a condition, is bookkeeping that leaves readers nothing to do."""
        match said.values.get("then"):
            case Sentence() as result:
                return self._is_left_out(result)
        action = f"{said.message}{BY}"
        return self.words.has_message(action, self.scope) and self.words.parts(action, self.scope) == (LEFT_OUT,)

    def _sentence(self, said: Sentence, agent: NounPhrase) -> Sentence:
        """Return a sentence with all its actions as those of the agent."""
        values = {name: self._sentence(v, agent) if isinstance(v, Sentence) else v for name, v in said.values.items()}
        action = _ACTIONS.get(said.message, f"{said.message}{BY}")
        if action == Message.PUTS_INTO:
            return self._placed(said.message, values, agent)
        if said.message in _ACTIONS or self.words.has_message(action, self.scope):
            return Sentence(action, {"player": agent, **values})
        return replace(said, values=values)

    def _placed(self, message: str, values: Mapping[str, Value], agent: NounPhrase) -> Sentence:
        """Return the action of placing something: shuffled, as a figure, or by the owner of the place."""
        what, place, action = values["what"], values["to" if "to" in values else "place"], Message.PUTS_INTO
        items = what.items if isinstance(what, Listing) else (what,)
        match place:
            case NounPhrase(modifiers=[*others, last]) if last.message == Message.THEN_SHUFFLED:
                action, place = _SHUFFLED[message], replace(place, modifiers=tuple(others))
            case NounPhrase(
                modifiers=[*_, Attribute(message=Message.OF_OWNER, values={"owner": NounPhrase() as owner})]
            ):
                agent = owner if agent.head == ALL_ADDRESSED else agent
            case _ if all(map(self._is_figure, items)):
                action = Message.PUTS_FIGURE
        return Sentence(action, {"player": agent, "what": what, "place": place})

    def _is_figure(self, value: Value) -> bool:
        thing = described(value)
        return isinstance(thing, NounPhrase) and thing.head.name in self.figures
