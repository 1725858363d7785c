"""Statements of rules as a plan of what is said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

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
    #: What was asked of the kinds that were chosen.
    settled: list[s.Expression] = field(default_factory=list)

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
        if statement.clock is not None or statement.acyclic:
            raise Unsayable(statement)
        chooser = self.phrases.thing(statement.chooser)
        self.phrases.account.say(statement)
        declining = [
            c for c in statement.choices if not c.parameters and c.condition is None and reduce.only_tells(c.body)
        ]
        offered = [c for c in statement.choices if c not in declining]
        if len(declining) > 1 or not offered:
            raise Unsayable(statement)
        for choice in declining:
            self.phrases.account.leave(choice, "implied", "declining is what one may do")
        self._otherwise(statement)
        if len(offered) == 1 and not declining:
            return self._done(offered[0], chooser, alone=True)
        parts = tuple(self._option(choice, chooser) for choice in offered)
        lead = Said("prose.may_list" if declining else "prose.must_list", {"player": chooser})
        return (Group(lead, parts, statement, options=True),)

    def _otherwise(self, statement: s.Choose) -> None:
        """What is done where nothing can be chosen need not be said if nothing is."""
        if statement.otherwise is None:
            return
        if reduce.cannot_happen(statement.otherwise):
            self.phrases.account.leave(statement.otherwise, "folded", "nobody comes there")
        elif reduce.only_tells(statement.otherwise):
            self.phrases.account.leave(statement.otherwise, "news", "it only says that nothing can be chosen")
        else:
            raise Unsayable(statement)

    def _done(self, choice: s.Choice, chooser: Nominal, alone: bool) -> tuple[Plan, ...]:
        """What an option does; one that is `alone` says its condition too."""
        self.phrases.account.say(choice)
        kinds = [o for o in choice.parameters if self.phrases.model.locals[o.name].type.kind == "enum"]
        wanted = [c for c in reduce.conditions(choice.condition) if kinds or not self._implied(c, choice.body)]
        if wanted and alone and not kinds:
            raise Unsayable(wanted[0])
        chosen: list[Plan] = []
        before = len(self.settled)
        for offered in choice.parameters:
            local = self.phrases.model.locals[offered.name]
            asked = [c for c in reduce.conditions(offered.domain.where) if not self._implied(c, choice.body)]
            if local.type.kind == "enum":
                # A kind has to be settled before anything of that kind is spoken of.
                asked += wanted
                self.settled.extend(asked)
            thing = self.phrases.domain(offered.domain, local, asked)
            entity = self.phrases.bound(local, thing)
            self.phrases.account.say(offered)
            if local.type.kind == "enum":
                values: dict[str, Value] = {"player": chooser, "what": Mention.of(entity)}
                chosen.append(Line(Said("prose.chooses", values), offered))
        done = self.body(choice.body)
        # Another option may have another kind under the same name.
        del self.settled[before:]
        return (*chosen, *done)

    def _implied(self, condition: s.Expression, body: s.Block) -> bool:
        """Whether what is done, or what was asked when a kind was chosen, says a condition; the account has it then."""
        if all(reduce.asks_for_what_is_taken(condition, deed) for deed in reduce.first_deeds(body)):
            self.phrases.account.leave(condition, "implied", "what is not there cannot be taken")
        elif any(s.same(condition, known) and condition is not known for known in self.settled):
            self.phrases.account.leave(condition, "implied", "it was asked when the kind was chosen")
        else:
            return False
        return True

    def _option(self, choice: s.Choice, chooser: Nominal) -> Plan:
        parts = self._done(choice, chooser, alone=False)
        kinds = any(self.phrases.model.locals[o.name].type.kind == "enum" for o in choice.parameters)
        first = parts[0]
        if not isinstance(first, Line) or not first.plain:
            raise Unsayable(choice)
        said = Said("prose.option", {"deed": first.said})
        if choice.condition is not None and not kinds and not self._implied(choice.condition, choice.body):
            asked: Said | Listing = self.phrases.condition(choice.condition)
            said = Said("prose.option_if", {"deed": first.said, "condition": asked})
        return Line(said, choice) if len(parts) == 1 else Group(said, parts[1:], choice)
