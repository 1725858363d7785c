"""Statements of rules as a plan of what is said."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wongar_dsl import syntax as s
from wongar_dsl.model import Spoken, Told
from wongar_dsl.prose import reduce
from wongar_dsl.prose.phrases import Phrases, Unsayable
from wongar_dsl.prose.plan import Group, Line, Mention, Plan, Unsaid
from wongar_dsl.words import Listing, Nominal, Said, Term, Value


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of one procedure."""

    phrases: Phrases

    def body(self, body: s.Block) -> tuple[Plan, ...]:
        """What is said of statements one after the other."""
        return tuple(plan for statement in body for plan in self._planned(statement))

    def _planned(self, statement: s.Statement) -> tuple[Plan, ...]:
        try:
            return self._statement(statement)
        except Unsayable as missing:
            return (Unsaid(missing.node),)

    def _statement(self, statement: s.Statement) -> tuple[Plan, ...]:
        if isinstance(statement, s.Telling) and statement.told is not None and statement.told.name is not None:
            return (self._told(statement, statement.told),)
        match statement:
            case s.If(branches=((condition, body),), otherwise=()):
                return (self._when(statement, condition, body),)
            case s.Repeat(kind="times", subject=subject, body=body) if subject is not None:
                return (self._times(statement, subject, body),)
            case s.Choose():
                return self._choice(statement)
            case s.Call(call=s.Called(name=name, arguments=arguments) as call):
                rule = self.phrases.model.code.rules.get(name)
                if rule is None or not self.phrases.words.knows(f"rule.{name}", self.phrases.model.name):
                    raise Unsayable(statement)
                locals_ = self.phrases.model.parameters[rule]
                values = {p.name: self.phrases.thing(a) for p, a in zip(locals_, arguments, strict=True)}
                self.phrases.account.say(statement, call)
                return (Line(Said(f"rule.{name}", values), statement),)
        raise Unsayable(statement)

    # ---- what is told ----

    def _told(self, statement: s.Telling, message: s.MessageRef) -> Line:
        """A statement with a message of its own, in the words of that."""
        told = self.phrases.model.told[message]
        values: dict[str, Value] = {}
        name = self._sentence(message)
        slots = self.phrases.words.slots(name, self.phrases.model.name)
        for spoken in (*told.written, *told.offered):
            # `n` decides about the form of a sentence that does not say it.
            value = self._slot(statement, spoken) if spoken.name in slots or spoken.name == "n" else None
            if value is not None:
                values[spoken.name] = value
        self.phrases.account.say(statement, message)
        for argument in message.arguments:
            self.phrases.account.leave(argument, "said", "")
        if isinstance(statement, s.MoveTokens):
            self._owners(statement, told, values)
        return Line(Said(name, values), statement)

    def _sentence(self, message: s.MessageRef) -> str:
        """The sentence of a message that serves a rule: one of its own, where the log need not say as much."""
        assert message.name is not None
        own = f"{message.name}.rule"
        return own if self.phrases.words.knows(own, self.phrases.model.name) else message.name

    def _owners(self, statement: s.MoveTokens, told: Told, values: dict[str, Value]) -> None:
        """Whose the tokens are, and whose the places, as far as the message does not say it.

        From a place that several share somebody takes one of their own; anything else is theirs without a word.
        """
        ends = {statement.origin: "from", statement.target: "to"}
        player = next((spoken for spoken in told.written if spoken.name == "player"), None)
        acting = player.value if player is not None else None
        if player is not None and acting is None and player.part is not None:
            zone = statement.origin if player.field == "from" else statement.target
            acting = s.index_nodes(zone)[player.part]
        others = [spoken.value for spoken in told.written if spoken.value is not None and spoken.name != "player"]
        for zone in (statement.origin, statement.target):
            nodes = s.index_nodes(zone)
            shared = any(self.phrases.model.types[node].kind == "board" for node in nodes)
            for node in nodes:
                if self.phrases.model.types[node].kind != "player":
                    continue
                token = values.get("token")
                own = acting is not None and s.same(node, acting)
                if own and shared and zone is statement.origin and isinstance(token, Nominal):
                    if token.head.count is not None:
                        raise Unsayable(node)
                    values["token"] = replace(token, words=("own",))
                    self.phrases.account.say(node)
                elif any(s.same(node, known) for known in others):
                    self.phrases.account.say(node)
                elif own and isinstance(place := values.get(ends[zone]), Nominal) and not shared:
                    values[ends[zone]] = replace(place, own=True)
                    self.phrases.account.say(node)
                elif own:
                    self.phrases.account.leave(node, "implied", "it belongs to who acts")
                elif zone is statement.target and any(s.same(node, n) for n in s.index_nodes(statement.origin)):
                    self.phrases.account.leave(node, "implied", "tokens stay with who has them")
                elif node not in self.phrases.account.fates:
                    raise Unsayable(node)

    def _slot(self, statement: s.Telling, spoken: Spoken) -> Value | None:
        """What a statement says in one slot of its message."""
        if spoken.value is not None:
            return self.phrases.thing(spoken.value)
        match statement, spoken.field:
            case s.MoveTokens(count=count, kind=kind), "token":
                return self.phrases.tokens(count, kind)
            case s.MoveTokens(count=count), "n":
                return s.written_number(count)
            case s.MoveTokens(origin=zone), "from":
                return self._end(zone, spoken)
            case s.MoveTokens(target=zone), "to":
                return self._end(zone, spoken)
            case s.Move(target=target), "to" if spoken.part is None:
                return self.phrases.thing(target)
            case s.Move(what=what), "figure":
                return self.phrases.thing(what)
            case s.Take(figure=figure), "figure":
                self.phrases.account.say(figure)
                return Nominal(Term(figure.text, self.phrases.model.name), ("def",))
            case s.Take(taker=taker), "player":
                return self.phrases.thing(taker)
        raise Unsayable(statement)

    def _end(self, zone: s.Expression, spoken: Spoken) -> Value:
        """The zone that something comes from or goes to, or what tells it apart."""
        nodes = s.index_nodes(zone)
        if spoken.part is None or self.phrases.model.types[nodes[spoken.part]].kind == "board":
            # A place on the board is spoken of as that; whose supply it is says not yet that it is the supply.
            self.phrases.account.say(zone)
        if spoken.part is not None:
            return self.phrases.thing(nodes[spoken.part])
        assert isinstance(zone, s.Of | s.Indexed)
        return self.phrases.place(zone.name, list(nodes))

    # ---- when, how often, and which ----

    def _when(self, statement: s.If, condition: s.Expression, body: s.Block) -> Plan:
        asked = self.phrases.condition(condition)
        parts = self.body(body)
        self.phrases.account.say(statement)
        if len(parts) == 1 and isinstance(parts[0], Line) and parts[0].plain:
            return Line(Said("prose.if", {"condition": asked, "then": parts[0].said}), statement, plain=False)
        return Group(Said("prose.if_all", {"condition": asked}), parts, statement)

    def _times(self, statement: s.Repeat, subject: s.Expression, body: s.Block) -> Plan:
        number = s.written_number(subject)
        if number is None:
            raise Unsayable(subject)
        self.phrases.account.say(statement, subject)
        match body:
            case (s.If(branches=((condition, inner),), otherwise=()) as only,) if self._implied(condition, inner):
                self.phrases.account.say(only)
                return self._as_often(number, "prose.times_possible", self.body(inner), statement)
        return self._as_often(number, "prose.times", self.body(body), statement)

    def _as_often(self, number: int, message: str, parts: tuple[Plan, ...], statement: s.Repeat) -> Plan:
        if len(parts) == 1 and isinstance(parts[0], Line) and parts[0].plain:
            return Line(Said(message, {"n": number, "deed": parts[0].said}), statement, plain=False)
        if len(parts) == 1 and isinstance(parts[0], Group) and parts[0].options:
            lead = Said(message, {"n": number, "deed": parts[0].lead})
            return Group(lead, parts[0].parts, statement, options=True)
        return Group(Said(f"{message}_all", {"n": number}), parts, statement)

    def _choice(self, statement: s.Choose) -> tuple[Plan, ...]:
        """A choice: what may be done, or which of several things."""
        chooser = self.phrases.thing(statement.chooser)
        self.phrases.account.say(statement)
        optional = [c for c in statement.choices if not c.parameters and _only_tells(c.body)]
        offered = [c for c in statement.choices if c not in optional]
        for choice in optional:
            self.phrases.account.leave(choice, "implied", "declining is what one may do")
        if statement.clock is not None or statement.acyclic:
            raise Unsayable(statement)
        if statement.otherwise is not None:
            self.phrases.account.leave(statement.otherwise, "implied", "it is done where nothing can be chosen")
        if len(offered) == 1 and not optional and offered[0].condition is None:
            return self._done(offered[0], chooser)
        if len(offered) == 1 and not optional and offered[0].parameters:
            return self._done(offered[0], chooser)
        parts = tuple(self._option(choice, chooser) for choice in offered)
        lead = Said("prose.may_list" if optional else "prose.must_list", {"player": chooser})
        return (Group(lead, parts, statement, options=True),)

    def _done(self, choice: s.Choice, chooser: Nominal) -> tuple[Plan, ...]:
        """An option without alternative: what it does."""
        self.phrases.account.say(choice)
        chosen: list[Plan] = []
        for offered in choice.parameters:
            local = self.phrases.model.locals[offered.name]
            asked = [c for c in reduce.conditions(offered.domain.where) if not self._implied(c, choice.body)]
            if local.type.kind == "enum":
                # A kind has to be settled before anything of that kind is spoken of.
                asked += [c for c in reduce.conditions(choice.condition) if c not in asked]
            thing = self.phrases.domain(offered.domain, local, asked)
            entity = self.phrases.bound(local, thing)
            self.phrases.account.say(offered)
            if local.type.kind == "enum":
                values: dict[str, Value] = {"player": chooser, "what": Mention.of(entity)}
                chosen.append(Line(Said("prose.chooses", values), offered))
        return (*chosen, *self.body(choice.body))

    def _implied(self, condition: s.Expression, body: s.Block) -> bool:
        """Whether what is done says a condition itself; the account has it then."""
        implied = any(reduce.asks_for_what_is_taken(condition, deed) for deed in reduce.deeds(body))
        if implied:
            self.phrases.account.leave(condition, "implied", "what is not there cannot be taken")
        return implied

    def _option(self, choice: s.Choice, chooser: Nominal) -> Plan:
        parts = self._done(choice, chooser)
        condition = None
        if choice.condition is not None and not self._implied(choice.condition, choice.body):
            condition = self.phrases.condition(choice.condition)
        if len(parts) != 1 or not isinstance(parts[0], Line):
            raise Unsayable(choice)
        deed = parts[0].said
        if condition is None:
            return Line(Said("prose.option", {"deed": deed}), choice)
        asked: Said | Listing = condition
        return Line(Said("prose.option_if", {"deed": deed, "condition": asked}), choice)


def _only_tells(body: s.Block) -> bool:
    """Whether nothing is done but to say so."""
    return all(isinstance(statement, s.Tell) or statement_is_nothing(statement) for statement in body)


def statement_is_nothing(statement: s.Statement) -> bool:
    """Whether a statement is `nothing`."""
    return isinstance(statement, s.Simple) and statement.word == "nothing"
