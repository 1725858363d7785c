"""Statements without decisions: structured code in one procedure or block, with the events that it tells."""

from __future__ import annotations

from collections.abc import Iterable

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.lower.code import Unit, plus
from wongar_dsl.lower.pool import NONE, ONE, ZERO
from wongar_dsl.lower.zones import Handling
from wongar_dsl.model import FIGURE, NUMBER, PLAYER, TALLY, Type

Argument = tuple[str, Type, tuple[ir.Expr, ...], bool]


class Statements(Handling):
    """Adds statements to the unit at hand."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.events: list[ir.EventSpec] = []
        self._event_numbers: dict[ir.EventSpec, int] = {}
        self._ranking: int | None = None

    def body_of(self, article: s.Article) -> None:
        """The body of a definition or a rule."""
        if isinstance(article, s.Procedure):
            self.block(article.body)
        else:
            super().body_of(article)

    def block(self, statements: Iterable[s.Statement]) -> None:
        """Statements in their order."""
        for statement in statements:
            self.statement(statement)

    def statement(self, node: s.Statement) -> None:
        """Lower one statement."""
        add = self.unit.add
        match node:
            case s.If(branches=branches, otherwise=otherwise):
                self._if(branches, otherwise)
            case s.Repeat():
                self._repeat(node)
            case s.ForEach(variable=variable, domain=domain, body=body):
                self.each(variable, domain, lambda x: self.block(body))
            case s.Let(variable=variable, value=value):
                kept = self.unit.fresh()
                add(ir.SetVar(kept.number, self.ex(value)))
                self.unit.names[self.model.locals[variable]] = kept
            case s.Assign(target=target, value=value):
                self._assign(node, target, value)
            case s.Perform():
                self._perform(node)
            case s.Call(call=s.Called(name=name, arguments=arguments) as call):
                article = self.model.articles[self.model.refs[call].kind, name]
                add(ir.Call(self.procedure(article), tuple(self.ex(a) for a in arguments), None))
            case s.Tell(told=told):
                self._event("told", [], told, NONE)
            case s.Simple(word=word):
                self._simple(node, word)
            case s.Give(value=value):
                add(ir.Return(self.ex(value)))
            case s.Wins(player=player):
                self._end_game(self._alone(player))
            case _:
                self.change(node)

    # ---- control ----

    def _if(self, branches: tuple[tuple[s.Expression, s.Block], ...], otherwise: s.Block) -> None:
        (condition, body), *rest = branches
        test = self.ex(condition)
        if isinstance(test, ir.Const):
            if test.value:
                self.block(body)
            elif rest:
                self._if(tuple(rest), otherwise)
            else:
                self.block(otherwise)
            return
        with self.unit.inner() as then:
            self.block(body)
        with self.unit.inner() as other:
            if rest:
                self._if(tuple(rest), otherwise)
            else:
                self.block(otherwise)
        self.unit.add(ir.If(test, tuple(then), tuple(other)))

    def _repeat(self, node: s.Repeat) -> None:
        with self.unit.inner() as inner:
            if node.kind == "times":
                assert node.subject is not None
                self.block(node.body)
            else:
                if node.subject is not None:
                    test = self.ex(node.subject)
                    leave = ir.Not(test) if node.kind == "while" else test
                    self.unit.add(ir.If(leave, (ir.Break(),), ()))
                self.block(node.body)
        if node.kind == "times":
            assert node.subject is not None
            count = self.ex(node.subject)
            step = self.unit.fresh()
            self.unit.add(ir.ForRange(step.number, count, tuple(inner)))
        else:
            self.unit.add(ir.Loop(tuple(inner)))

    def _simple(self, node: s.Simple, word: str) -> None:
        match word:
            case "leave loop":
                self.unit.add(ir.Break())
            case "end rule":
                self.unit.add(ir.Return(None))
            case "end game":
                self._end_game(self.winners())
            case "forget choices":
                self.forget_choices()
            case "impossible":
                self.unit.add(ir.Fault(self.fault("R0604", node)))

    def _alone(self, player: s.Expression) -> ir.Expr:
        """The set of one winner; none where nobody wins."""
        if isinstance(player, s.Nobody):
            return ZERO
        if not self.doubts.may_be_none(player):
            return ir.Bin("<<", ONE, self.ex(player))
        winner, found = self.kept(player), self.unit.fresh()
        self.unit.add(ir.SetVar(found.number, ZERO))
        alone = ir.SetVar(found.number, ir.Bin("<<", ONE, winner))
        self.unit.add(ir.If(ir.Bin(">=", winner, ZERO), (alone,), ()))
        return found

    def forget_choices(self) -> None:
        """Forget which choices were made in which positions."""

    def _end_game(self, winners: ir.Expr) -> None:
        kept = self.unit.keep(winners)
        self._event("game_ended", [("winners", NUMBER, (kept,), False)], None, NONE)
        self.unit.add(ir.EndGame(kept))

    def winners(self) -> ir.Expr:
        """The set of winners by the ranking, as bits; nobody where the rules have none."""
        article = self.model.articles.get(("winner", ""))
        if not isinstance(article, s.Winner):
            return ZERO
        if self._ranking is None:
            self._ranking = len(self.procedures)
            self.procedures.append(None)
            around, self.unit = self.unit, Unit("winner")
            around_article, self.article = self.article, article
            self._rank(article)
            self.procedures[self._ranking] = ir.Procedure("winner", 0, tuple(self.unit.out))
            self.unit, self.article = around, around_article
        into = self.unit.fresh()
        self.unit.add(ir.Call(self._ranking, (), into.number))
        return into

    def _rank(self, article: s.Winner) -> None:
        local = self.model.locals[article.name]
        left: ir.Expr = ir.Const((1 << self.seats) - 1)
        for line in article.ranking:
            best, mask, number = self.unit.fresh(), self.unit.fresh(), self.unit.fresh()
            self.unit.add(ir.SetVar(mask.number, ZERO))
            self.unit.add(ir.SetVar(best.number, ZERO))
            self.unit.names[local] = number
            with self.unit.inner() as body:
                measure = self.kept(line.measure)
                bit = ir.Bin("<<", ONE, number)
                better = ir.Bin(">" if line.extreme == "most" else "<", measure, best)
                alone = (ir.SetVar(best.number, measure), ir.SetVar(mask.number, bit))
                also = (ir.SetVar(mask.number, ir.Bin("|", mask, bit)),)
                same = ir.If(ir.Bin("==", measure, best), also, ())
                self.unit.add(ir.If(ir.Bin("or", ir.Bin("==", mask, ZERO), better), alone, (same,)))
            among = ir.Bin("!=", ir.Bin("&", left, ir.Bin("<<", ONE, number)), ZERO)
            self.unit.add(ir.ForRange(number.number, ir.Const(self.seats), (ir.If(among, tuple(body), ()),)))
            left = mask
        self.unit.add(ir.Return(left))

    def _perform(self, node: s.Perform) -> None:
        card = self.kept(node.card)
        player = self.kept(node.player)
        place = self.kept(node.place) if node.place is not None else None
        for effect, test in self.effects(self.type_of(node.card).name, card):
            values = self.effect_arguments(effect, card, player, place)
            self.unit.add(ir.If(test, (ir.Call(self.procedure(effect), values, None),), ()))

    def effects(self, cards: str, card: ir.Expr) -> list[tuple[s.Effect, ir.Expr]]:
        """The effects of a sort of card, each with the test that `card` is of its kind."""
        result: list[tuple[s.Effect, ir.Expr]] = []
        for effect in self.model.effects(cards):
            table, number = self._face_kinds(cards, effect.name.text)
            result.append((effect, ir.Bin("==", ir.Lookup(table, plus(card, ONE)), ir.Const(number))))
        return result

    def effect_arguments(
        self, effect: s.Effect, card: ir.Expr, player: ir.Expr, place: ir.Expr | None
    ) -> tuple[ir.Expr, ...]:
        """What an effect is called with: the card's parameters, the player, the place."""
        sort = next(c for c in self.model.cards.values() if any(f.kind == effect.name.text for f in c.faces))
        article = self.model.articles["cards", sort.name]
        assert isinstance(article, s.Cards)
        face = next(f for f in article.faces if f.name.text == effect.name.text)
        values: list[ir.Expr] = []
        for parameter in face.parameters:
            cells = sort.attributes[parameter.name.text][1]
            table = self.table(("attribute", sort.name, parameter.name.text), (-1, *cells))
            values.append(ir.Lookup(table, plus(card, ONE)))
        return (*values, player, *((place,) if place is not None else ()))

    # ---- changes ----

    def _assign(self, node: s.Assign, target: s.Expression, value: s.Expression) -> None:
        ref = self.model.refs[target]
        if ref.kind == "local":
            assert ref.local is not None
            cell = self.unit.names[ref.local]
            new = self.ex(value)
            if isinstance(value, s.Binary):
                new = self.in_range(node, new, ref.local.name)
            if isinstance(cell, ir.Var):
                self.unit.add(ir.SetVar(cell.number, new))
            else:
                self.unit.add(ir.Store(cell.address, new))
            return
        if ref.kind in ("holder", "place"):
            assert isinstance(target, s.Of)
            figure = self.kept(target.owner)
            place = self.memory.places[f"{ref.kind} {ref.kind}"]
            new = self.kept(value)
            kind = "figure_taken" if ref.kind == "holder" else "figure_moved"
            goal = ("player", PLAYER) if ref.kind == "holder" else ("to", self.type_of(target))
            fields: list[Argument] = [("figure", FIGURE, (figure,), False), (*goal, (new,), False)]
            self._event(kind, fields, s.MessageRef(node.span, None), NONE)
            self.unit.add(ir.Store(plus(ir.Const(place.base), figure), new))
            return
        place, indices = self.zone_indices(target)
        indices = [self.unit.keep(i) for i in indices]
        new = self.kept(value)
        self._check_range(node, place, new)
        seen = self.seen_by(place, indices)
        fields = [
            ("what", Type("place", place.name), tuple(indices), False),
            ("value", place.type, (new,), place.seen != "all"),
        ]
        self._event("changed", fields, s.MessageRef(node.span, None), seen)
        self.unit.add(ir.Store(self.address_in(place, indices), new))

    def _check_range(self, node: s.Node, place: ir.Field, value: ir.Expr) -> None:
        article = self.model.articles.get(("remember", place.name))
        if not isinstance(article, s.Remember):
            return
        if article.type.low is None or article.type.high is None:
            if article.type.name == "number" and not isinstance(value, ir.Const):
                self.in_range(node, value, place.name)
            return
        low, high = self.ex(article.type.low), self.ex(article.type.high)
        out = ir.Bin("or", ir.Bin("<", value, low), ir.Bin(">", value, high))
        self.unit.add(ir.If(out, (ir.Fault(self.fault("R0603", node, place.name)),), ()))

    def change(self, node: s.Statement) -> None:
        """A statement that changes what lies on the table."""
        match node:
            case s.Move():
                self._move(node)
            case s.MoveTokens():
                self._move_tokens(node)
            case s.MoveAll():
                self._move_all(node)
            case s.Fill():
                self._fill(node)
            case s.Shuffle(zone=zone, told=told):
                place, indices = self.kept_zone(zone)
                where = (Type("place", place.name), tuple(indices), False)
                self._event("pile_shuffled", [("pile", *where)], told or s.MessageRef(node.span, None), NONE)
                self.unit.add(ir.Shuffle(self.address_in(place, indices)))
            case s.Take(taker=taker, figure=figure, told=told):
                player = self.kept(taker)
                number = ir.Const(self.model.figures.index(figure.text))
                fields: list[Argument] = [("figure", FIGURE, (number,), False), ("player", PLAYER, (player,), False)]
                self._event("figure_taken", fields, told, NONE)
                self.unit.add(ir.Store(plus(ir.Const(self.memory.places["holder holder"].base), number), player))
            case s.Gain():
                self._gain(node)
            case s.Advance(track=track, amount=amount, told=told):
                place = self.memory.place(track.text)
                steps = self.kept(amount)
                last = sum(n for _, n in self.model.tracks[track.text]) - 1
                at = ir.Const(place.base)
                new = self.unit.keep(ir.Bin("max", ZERO, ir.Bin("min", plus(ir.Load(at), steps), ir.Const(last))))
                fields = [("track", Type("place", place.name), (), False), ("space", NUMBER, (plus(new, ONE),), False)]
                self._event("track_advanced", fields, told, NONE)
                self.unit.add(ir.Store(at, new))
            case _:
                raise AssertionError(node)

    def _seen_either(self, *ends: tuple[ir.Field, list[ir.Expr]]) -> tuple[ir.Expr, bool]:
        """Who sees a change between zones, and whether that is not everybody."""
        if any(place.seen == "all" for place, _ in ends):
            return NONE, False
        seen = [self.seen_by(place, indices) for place, indices in ends]
        seen = [e for e in seen if e != ZERO] or [ZERO]
        result = seen[0]
        for other in seen[1:]:
            result = ir.Bin("|", result, other)
        return result, True

    def _move(self, node: s.Move) -> None:
        if self.type_of(node.what) == FIGURE:
            figure, goal = self.kept(node.what), self.kept(node.target)
            fields: list[Argument] = [
                ("figure", FIGURE, (figure,), False), ("to", self.type_of(node.target), (goal,), False)
            ]  # fmt: skip
            self._event("figure_moved", fields, node.told, NONE)
            self.unit.add(ir.Store(plus(ir.Const(self.memory.places["place place"].base), figure), goal))
            return
        under = False
        target = node.target
        if isinstance(target, s.Of) and self.model.refs.get(target) is None:
            under, target = target.name == "bottom", target.owner
        goal_place, goal_indices = self.kept_zone(target)
        origin_place, origin_indices = self.origin(node)
        card = self.kept(node.what)
        seen, secret = self._seen_either((origin_place, origin_indices), (goal_place, goal_indices))
        fields = [
            ("card", Type("cards", origin_place.type.name), (card,), secret),
            ("from", Type("place", origin_place.name), tuple(origin_indices), False),
            ("to", Type("place", goal_place.name), tuple(goal_indices), False),
        ]
        self._event("card_moved", fields, node.told, seen)
        card = self.taken_out(node, origin_place, self.address_in(origin_place, origin_indices), card)
        self.put(node, goal_place, self.address_in(goal_place, goal_indices), card, under)

    def _move_tokens(self, node: s.MoveTokens) -> None:
        count, kind = self.kept(node.count), self.sure(node.kind)
        origin, goal = self.kept_zone(node.origin), self.kept_zone(node.target)
        seen, secret = self._seen_either(origin, goal)
        fields: list[Argument] = [
            ("n", NUMBER, (count,), secret),
            ("token", origin[0].type, (kind,), secret),
            ("from", Type("place", origin[0].name), tuple(origin[1]), False),
            ("to", Type("place", goal[0].name), tuple(goal[1]), False),
        ]
        self._event("tokens_moved", fields, node.told, seen)
        source = plus(self.address_in(*origin), kind)
        target = plus(self.address_in(*goal), kind)
        short = ir.Bin("<", ir.Load(source), count)
        if not isinstance(count, ir.Const):
            short = ir.Bin("or", ir.Bin("<", count, ZERO), short)
        self.unit.add(ir.If(short, (ir.Fault(self.fault("R0602", node)),), ()))
        self.unit.add(ir.Store(source, ir.Bin("-", ir.Load(source), count)))
        self.unit.add(ir.Store(target, ir.Bin("+", ir.Load(target), count)))

    def _move_all(self, node: s.MoveAll) -> None:
        origin, goal = self.kept_zone(node.origin), self.kept_zone(node.target)
        at, to = self.address_in(*origin), self.address_in(*goal)
        fields: list[Argument] = [
            ("n", NUMBER, (self.size_of(origin[0], at),), False),
            ("from", Type("place", origin[0].name), tuple(origin[1]), False),
            ("to", Type("place", goal[0].name), tuple(goal[1]), False),
        ]
        self._event("all_moved", fields, node.told, NONE)
        place = origin[0]
        step = self.unit.fresh()
        if place.kind == "tokens":
            with self.unit.inner() as body:
                source, target = plus(at, step), plus(to, step)
                self.unit.add(ir.Store(target, ir.Bin("+", ir.Load(target), ir.Load(source))))
                self.unit.add(ir.Store(source, ZERO))
            self.unit.add(ir.ForRange(step.number, ir.Const(place.width), tuple(body)))
            return
        if place.kind == "pile":
            with self.unit.inner() as body:
                card = self.unit.fresh()
                self.unit.add(ir.Pop(card.number, at, False, self.fault("R0605", node)))
                self.put(node, goal[0], to, card)
            self.unit.add(ir.ForRange(step.number, ir.Load(at), tuple(body)))
            return
        face, again = step, self.unit.fresh()
        with self.unit.inner() as body:
            with self.unit.inner() as copies:
                self.take_out(node, place, at, face)
                self.put(node, goal[0], to, face)
            held = ir.Load(plus(plus(at, ONE), face))
            self.unit.add(ir.ForRange(again.number, held, tuple(copies)))
        self.unit.add(ir.ForRange(face.number, ir.Const(place.width - 1), tuple(body)))

    def _fill(self, node: s.Fill) -> None:
        place, indices = self.kept_zone(node.zone)
        at = self.address_in(place, indices)
        where: Argument = ("zone", Type("place", place.name), tuple(indices), False)
        quiet = s.MessageRef(node.span, None)
        if node.count is not None:
            count = self.kept(node.count)
            ref = self.model.refs[node.filling]
            kind = self.unit.keep(self.local(ref.local)) if ref.local is not None else ir.Const(ref.number)
            fields: list[Argument] = [where, ("n", NUMBER, (count,), False), ("token", place.type, (kind,), False)]
            self._event("filled", fields, quiet, NONE)
            cell = plus(at, kind)
            self.unit.add(ir.Store(cell, ir.Bin("+", ir.Load(cell), count)))
            return
        deck = self.model.articles["deck", node.filling.text]
        assert isinstance(deck, s.Deck)
        self._event(
            "filled", [where, ("n", NUMBER, (ir.Const(sum(c.count for c in deck.copies)),), False)], quiet, NONE
        )
        for copies in deck.copies:
            if copies.count == 0:
                continue
            number = self.model.refs[copies.face].number
            step = self.unit.fresh()
            with self.unit.inner() as body:
                self.put(node, place, at, ir.Const(number))
            self.unit.add(ir.ForRange(step.number, ir.Const(copies.count), tuple(body)))

    def _gain(self, node: s.Gain) -> None:
        player, amount = self.unit.keep(self.sure(node.player)), self.kept(node.amount)
        signed = self.unit.keep(ir.Bin("-", ZERO, amount)) if node.loses else amount
        place = self.memory.place(node.score.text)
        fields: list[Argument] = [("player", PLAYER, (player,), False), ("n", NUMBER, (signed,), False)]
        at = self.address_in(place, [player])
        origin = self.unit.keep(self.sure(node.origin)) if node.origin is not None else None
        if origin is not None:
            fields.append(("origin", place.type, (origin,), False))
        self._event("points", fields, node.told, NONE)
        self.unit.add(ir.Store(at, ir.Bin("+", ir.Load(at), signed)))
        if origin is not None:
            cell = plus(plus(at, ONE), origin)
            self.unit.add(ir.Store(cell, ir.Bin("+", ir.Load(cell), signed)))

    # ---- events ----

    def _event(self, kind: str, fields: list[Argument], told: s.MessageRef | None, seen: ir.Expr) -> None:
        """Tell an event: the primitive's own fields, then the slots of its message."""
        with self.unit.inner() as prepare:
            slots: list[Argument] = []
            for argument in told.arguments if told is not None else ():
                slot = self.model.types[argument.value]
                if slot == TALLY:
                    assert isinstance(argument.value, s.Quantified)
                    slots.append((argument.name, slot, self.tally(argument.value), False))
                    continue
                # A card in the message of a moved card is as secret as the move.
                secret = slot.kind == "cards" and any(f[3] for f in fields)
                slots.append((argument.name, slot, (self.ex(argument.value),), secret))
        message = None
        if told is not None and told.name is not None:
            message = told.name
        elif told is not None:
            message = ""  # quietly: recorded, not told
        every = [*fields, *slots]
        spec = ir.EventSpec(
            kind, message, tuple((n, t) for n, t, _, _ in every), len(slots), tuple(h for _, _, _, h in every)
        )
        if spec not in self._event_numbers:
            self._event_numbers[spec] = len(self.events)
            self.events.append(spec)
        self.unit.add(ir.Emit(self._event_numbers[spec], tuple(prepare), tuple(a for _, _, a, _ in every), seen))
