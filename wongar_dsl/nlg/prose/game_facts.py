"""Facts about the rules as a whole, computed once for the verbalisation of many rules.

Among them are redundant assignments: resets of temporary values that the rulebook may omit. A stored value that has its
start value whenever a rule begins, and is not read outside of that rule, is local to it. Its text then needs no resets.
The same applies to the record of choices made in the same position.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.dependence import Freshness, LoopOrder, Nullability
from wongar_dsl.language.dataflow.effects import CallGraph
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.micro.sentence_plan import Why
from wongar_dsl.nlg.words import Translator

#: Pseudo-name for the record of choices, used if the least frequent choice has priority.
CHOICES = "choices"
ENDED: Why = "it only counts while this is done"
IDLE: Why = "it makes no difference to what is so already"
CHOSEN: Why = "it was chosen just now"


def redundant_statements(reset_index: ResetIndex) -> Mapping[s.Node, Why]:
    """Return the redundant statements with reasons; also fills `redundant_resets` and `owners` of the index."""
    result: dict[s.Node, Why] = {}
    for name in reset_index.names:
        result.update(_ResetAnalysis(reset_index, name).redundant_statements())
    for node, names in reset_index.resets.items():
        whys = {reset_index.redundant_resets.get((node, name)) for name in names}
        if None not in whys:
            result[node] = ENDED if ENDED in whys else IDLE
    conditionals = (n for p in reset_index.procedures for n in s.walk(p.body) if isinstance(n, s.If))
    for block in (block for node in conditionals for block in s.blocks(node)):
        if block and all(result.get(node) == IDLE for node in block):
            # A condition without a consequence would disappear from the text.
            for node in block:
                del result[node]
    return result


def has_sentence(words: Translator, model: Model, article: s.Declaration) -> bool:
    """Return whether a rule has a sentence of its own, which text elsewhere can refer to."""
    return isinstance(article, s.Rule) and words.has_message(f"rule.{article.name.text}", model.scope)


def dependencies(reset_index: ResetIndex) -> Iterator[tuple[s.Node, tuple[s.Node, ...]]]:
    """Yield each reset or record of a choice with the nodes that decide whether it is omitted.

    These are the nodes that mention the value, the calls of rules that do, and the exits from such rules.
    """
    procedures = reset_index.model.code.procedures
    pieces = [(procedure, piece) for procedure in procedures for piece in _pieces(procedure.body)]
    reached = {piece: reset_index.reached_procedures(reset_index.calls(piece)) for _, piece in pieces}
    resetting = [(node, reset_index.reset_values(node)) for procedure in procedures for node in s.walk(procedure.body)]
    for name in reset_index.names:
        speaking = {p for p in procedures if reset_index.mentions(p.body, name)}
        dependencies = tuple(
            piece
            for procedure, piece in pieces
            if name in reset_index.mentioned_values(piece)
            or (procedure in speaking and isinstance(piece, s.KeywordStatement | s.Give))
            or not speaking.isdisjoint(reached[piece])
        )
        for node, sets in resetting:
            if name in sets:
                rule = reset_index.called(node) if isinstance(node, s.Call) else None
                yield node, (*(rule.body if rule is not None else ()), *dependencies)


def _pieces(tree: object) -> Iterator[s.Node]:
    """Yield the largest subtrees without inner statements."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from _pieces(item)
    elif isinstance(tree, s.Node):
        if any(isinstance(inner, s.Statement) for inner in s.walk(tree) if inner is not tree):
            for part in s.field_names(type(tree)):
                yield from _pieces(getattr(tree, part))
        else:
            yield tree


def resets_to_initial(model: Model, block: s.Block) -> tuple[s.Assign, ...]:
    """Return the assignments of a block that only resets all instances of values to their start.

    Empty if the block does anything else, or resets only some of the instances.
    """
    assignments = _set_in_all(model, block, ())
    return assignments if assignments is not None and all(_to_the_start(model, part) for part in assignments) else ()


def is_pure_assignment(block: s.Block) -> bool:
    """Return whether a block only assigns values and clears records of choices."""
    parts = [part for part in s.walk(block) if isinstance(part, s.Statement)]
    return all(isinstance(part, s.Assign | s.If | s.ForEach) or _forgets(part) for part in parts)


def _forgets(part: s.Node) -> bool:
    return isinstance(part, s.KeywordStatement) and part.word == "forget choices"


def _set_in_all(model: Model, block: s.Block, over: tuple[s.Node, ...]) -> tuple[s.Assign, ...] | None:
    """Return the assignments to all instances that the loops iterate over; None if that is uncertain."""
    assignments: list[s.Assign] = []
    for part in block:
        inner: tuple[s.Assign, ...] | None = None
        match part:
            case s.Assign(target=target):
                named = [model.ref(index) for index in s.index_nodes(target)]
                every = [ref.local.span_node if ref.local is not None else None for ref in named]
                inner = (part,) if set(every) == set(over[: len(every)]) and None not in every else None
            case s.If(branches=((condition, body),), otherwise=()):
                inner = _set_in_all(model, body, over)
                inner = inner if inner is not None and is_needless_guard(condition, inner) else None
            case s.ForEach(
                variable=variable, domain=s.Domain(kind="all", extreme=None, where=where) as domain, body=body
            ):
                ref = model.ref(domain.base)
                if ref.kind == "type":
                    inner = _set_in_all(model, body, (*over, variable))
                    inner = inner if inner is not None and is_needless_guard(where, inner) else None
            case _ if _forgets(part):
                inner = ()
        if inner is None:
            return None
        assignments += inner
    return tuple(assignments)


def is_needless_guard(condition: s.Expression | None, assignments: Sequence[s.Assign]) -> bool:
    """Return whether a condition only tests that one of some assignments of truth values would change something."""
    unset = isinstance(condition, s.Negation)
    tested = condition.operand if isinstance(condition, s.Negation) else condition
    values = ((part.target, part.value) for part in assignments)
    return condition is None or any(
        isinstance(value, s.Truth) and value.value is unset and s.same(target, tested) for target, value in values
    )


def _to_the_start(model: Model, statement: s.Assign) -> bool:
    """Return whether a stored value is set to its start value."""
    value, ref = statement.value, model.ref(statement.target)
    article = model.code.remembered.get(ref.name) if ref.kind == "remember" else None
    if article is None:
        return False
    if article.start is not None:
        return s.same(article.start, value)
    nothing = isinstance(value, s.Nobody) or (isinstance(value, s.Truth) and not value.value)
    return nothing or s.written_number(value) == 0


class ResetIndex:
    """Index of a game's procedures and of the values that each statement resets."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.effects = tuple(effect for effects in model.code.effects.values() for effect in effects)
        #: The stored values, and the record of choices.
        self.names = (*model.declared.remembered, CHOICES)
        #: The values that each statement resets, if it does nothing else.
        self.resets: dict[s.Node, frozenset[str]] = {}
        self._resetting_rules = {rule for rule in model.code.rules.values() if resets_to_initial(model, rule.body)}
        #: The procedures that are no mere resets.
        self.procedures = tuple(p for p in model.code.procedures if p not in self._resetting_rules)
        self._mentioned: dict[s.Node, frozenset[str]] = {}
        self._calls: dict[s.Node, tuple[s.Procedure, ...]] = {}
        for article in self.procedures:
            for node in s.walk(article.body):
                if (isinstance(node, s.Assign | s.ForEach) and resets_to_initial(model, (node,))) or _forgets(node):
                    self.resets[node] = self.assigned_values((node,))
                elif isinstance(node, s.Call) and (rule := self.called(node)) in self._resetting_rules:
                    self.resets[node] = self.assigned_values(rule)
        #: Redundant resets by statement and value, with the reason.
        self.redundant_resets: dict[tuple[s.Node, str], Why] = {}
        #: The procedures to which a value is local: it has its start value whenever they begin.
        self.owners: dict[str, tuple[s.Procedure, ...]] = {}

    def called(self, node: s.Node) -> s.Rule | None:
        """Return the rule that a statement calls."""
        call = node.call if isinstance(node, s.Call) else node
        return self.model.code.rules.get(call.name) if isinstance(call, s.Called) else None

    def calls(self, tree: object) -> Iterator[s.Procedure]:
        """Yield the procedures that a subtree calls, except for mere resets."""
        for node in s.outermost(tree):
            if node not in self._calls:
                procedures = dict.fromkeys(rule for inner in s.walk(node) for rule in self._carries_out(inner))
                self._calls[node] = tuple(procedures)
            yield from self._calls[node]

    def _carries_out(self, node: s.Node) -> tuple[s.Procedure, ...]:
        if isinstance(node, s.Called) and (rule := self.called(node)) is not None and rule not in self._resetting_rules:
            return (rule,)
        return self.effects if isinstance(node, s.Perform) else ()

    def reached_procedures(self, starts: Iterable[s.Procedure], but: Iterable[s.Procedure] = ()) -> set[s.Procedure]:
        """Return the procedures reachable from some others, directly or indirectly, excluding `but`."""
        out = {*but}
        return {*closure((p for p in starts if p not in out), lambda p: {*self.calls(p.body)} - out)}

    def mentions(self, tree: object, name: str) -> bool:
        """Return whether a subtree mentions a value, including in definitions and resets."""
        return any(name in self.mentioned_values(node) for node in s.outermost(tree))

    def mentioned_values(self, tree: s.Node) -> frozenset[str]:
        """Return the values that a node mentions."""
        if tree not in self._mentioned:
            self._mentioned[tree] = frozenset()  # Ends the recursion for a recursive definition.
            self._mentioned[tree] = frozenset(name for node in s.walk(tree) for name in self._speaks_of(node))
        return self._mentioned[tree]

    def _speaks_of(self, node: s.Node) -> Iterable[str]:
        if _forgets(node) or (isinstance(node, s.Choose) and node.acyclic):
            yield CHOICES
        ref = self.model.ref(node)
        if ref.kind == "remember":
            yield ref.name
        if isinstance(node, s.Called):
            define, rule = self.model.code.defines.get(node.name), self.model.code.rules.get(node.name)
            if define is not None and ref.kind == "define":
                yield from self.mentioned_values(define.value)
            elif rule is not None and rule in self._resetting_rules:
                yield from self.assigned_values(rule)

    def reset_values(self, node: s.Node) -> frozenset[str]:
        """Return the values that a statement assigns or resets."""
        return self.assigned_values(node) if isinstance(node, s.Assign) else self.resets.get(node, frozenset())

    def assigned_values(self, tree: object) -> frozenset[str]:
        """Return the values assigned in a subtree, and the record of choices if it is cleared."""
        names = set()
        for node in s.walk(tree):
            if _forgets(node):
                names.add(CHOICES)
            elif isinstance(node, s.Assign):
                names.add(self.model.ref(node.target).name)
        return frozenset(names)


class _ResetAnalysis:
    """Data-flow analysis of one value: the statements before which it certainly has its start value."""

    def __init__(self, reset_index: ResetIndex, name: str) -> None:
        self.reset_index, self.name = reset_index, name
        self._entry: dict[s.Procedure, bool] = {}
        self._before: dict[s.Node, bool] = {}
        #: State after a procedure, by the state before it.
        self._behind: dict[tuple[s.Procedure, bool], bool] = {}
        self._leaving: list[bool] = []
        self._breaking: list[bool] = []

    def redundant_statements(self) -> dict[s.Node, Why]:
        """Return the redundant records of a choice; record the redundant resets in `ResetIndex`."""
        k = self.reset_index
        speaking = [p for p in k.procedures if k.mentions(p.body, self.name)]
        if not any(self.name in names for names in k.resets.values()) or any(
            k.mentions(a, self.name) for a in k.model.code.articles if isinstance(a, s.Winner)
        ):
            return {}
        owners = [
            p for p in speaking if not any(p in k.reached_procedures(k.calls(o.body)) for o in speaking if o is not p)
        ]
        if {*speaking} & k.reached_procedures((*k.model.code.main_procedures, *k.effects), but=owners):
            return {}
        self._flow()
        if not all(self._entry.get(owner, True) for owner in owners):
            return {}
        ends = [node for owner in owners for node in self._ends(owner.body)]
        for node in (node for node, names in k.resets.items() if self.name in names):
            if node in ends:
                k.redundant_resets[node, self.name] = ENDED
                k.owners[self.name] = tuple(owners)
            elif self._before.get(node, False):
                k.redundant_resets[node, self.name] = IDLE
        return self._chosen(speaking)

    def _ends(self, block: s.Block) -> Iterator[s.Node]:
        """Yield the resets after the last mention of the value."""
        for statement in reversed(block):
            if statement in self.reset_index.resets:
                if self.name in self.reset_index.resets[statement]:
                    yield statement
                continue
            for inner in s.blocks(statement) if isinstance(statement, s.If) else ():
                yield from self._ends(inner)
            inner_calls = self.reset_index.reached_procedures(self.reset_index.calls(statement))
            if self.reset_index.mentions(statement, self.name) or any(
                self.reset_index.mentions(p.body, self.name) for p in inner_calls
            ):
                return

    # ---- data flow ----

    def _flow(self) -> None:
        """Compute the state before each statement, iterating from optimistic assumptions to a fixed point."""
        course = self.reset_index.model.code.main_procedures
        while True:
            previous = (dict(self._entry), dict(self._behind))
            self._before.clear()
            now = True
            for procedure in course:
                now = self._carried_out(procedure, now)
            for procedure, entry in list(self._entry.items()):
                self._procedure(procedure, entry)
            if previous == (self._entry, self._behind):
                return

    def _carried_out(self, procedure: s.Procedure, now: bool) -> bool:
        self._entry[procedure] = self._entry.get(procedure, True) and now
        return self._behind.setdefault((procedure, now), True)

    def _procedure(self, procedure: s.Procedure, at: bool) -> None:
        for now in {at, *(b for p, b in self._behind if p is procedure)}:
            before = dict(self._before)
            self._leaving = []
            self._behind[procedure, now] = all((self._block(procedure.body, now), *self._leaving))
            if now is not at:
                self._before = before

    def _block(self, block: s.Block, now: bool) -> bool:
        for statement in block:
            now = self._statement(statement, now)
        return now

    def _statement(self, statement: s.Statement, now: bool) -> bool:
        self._before[statement] = self._before.get(statement, True) and now
        names = self.reset_index.resets.get(statement)
        if names is not None:
            return now or self.name in names
        match statement:
            case s.If(branches=branches, otherwise=otherwise):
                ends, remaining = [], now
                for asked, block in branches:
                    now = self._asked(asked, now)
                    ends.append(self._block(block, now))
                    remaining = now or self._asks_whether_set(asked)
                return all((*ends, self._block(otherwise, remaining)))
            case s.Repeat(subject=subject, body=body):
                return self._loop(body, self._asked(subject, now))
            case s.ForEach(domain=domain, body=body):
                return self._loop(body, self._asked(domain, now))
            case s.Choose(options=choices, otherwise=none):
                states = [self._asked((c.parameters, c.condition), now) for c in choices]
                chosen = all(states) and not (statement.acyclic and self.name == CHOICES)
                ends = [self._block(choice.body, chosen) for choice in choices]
                return all((*ends, self._block(none or (), now)))
            case s.ChooseSimultaneously(options=choices):
                return all([*(self._loop(choice.body, now) for choice in choices)])
            case s.KeywordStatement(word="end rule" | "end game") | s.Give():
                now = self._asked(statement, now)
                self._leaving.append(now)
                return True
            case s.KeywordStatement(word="leave loop"):
                self._breaking.append(now)
                return True
            case s.Assign(target=target):
                ref = self.reset_index.model.ref(target)
                now = self._asked(statement, now)
                return now and not (ref.kind == "remember" and ref.name == self.name)
        return self._asked(statement, now)

    def _loop(self, body: s.Block, now: bool) -> bool:
        outer, self._breaking = self._breaking, []
        if not self._block(body, now):
            now = False
            self._block(body, now)
        now = all((now, *self._breaking))
        self._breaking = outer
        return now

    def _asked(self, tree: object, now: bool) -> bool:
        """Return the state after the rules that an expression calls."""
        for procedure in self.reset_index.calls(tree):
            now = self._carried_out(procedure, now)
        return now

    def _asks_whether_set(self, e: s.Expression) -> bool:
        """Return whether the negation of a condition implies the start value."""
        match e:
            case s.Compare(operator="!=", left=s.Name() as named, right=s.Nobody()) | (s.Name() as named):
                ref = self.reset_index.model.ref(named)
                return (ref.kind, ref.name) == ("remember", self.name)
        return False

    # ---- records of choices ----

    def _chosen(self, speaking: Iterable[s.Procedure]) -> dict[s.Node, Why]:
        """Return the records if exactly the chosen options are recorded; they are then redundant."""
        records: dict[s.Node, Why] = {}
        sets = {node for p in speaking for node in s.walk(p.body) if self._sets(node)}
        for procedure in speaking:
            for choice in (node for node in s.walk(procedure.body) if isinstance(node, s.Option)):
                locals_ = [self.reset_index.model.locals[offered.name] for offered in choice.parameters]
                recorded = [part for part in choice.body if self._sets(part, locals_)]
                if not recorded and self.reset_index.mentions((choice.parameters, choice.condition), self.name):
                    return {}
                records.update((part, CHOSEN) for part in recorded)
        return records if sets == records.keys() else {}

    def _sets(self, node: s.Node, indices: Sequence[Local] | None = None) -> bool:
        """Return whether a statement sets an instance of the value to *yes*, for a single index of some `indices`."""
        if not isinstance(node, s.Assign) or not isinstance(node.value, s.Truth) or not node.value.value:
            return False
        ref, index = self.reset_index.model.ref(node.target), s.index_nodes(node.target)
        is_chosen = indices is None or (len(index) == 1 and self.reset_index.model.ref(index[0]).local in indices)
        return (ref.kind, ref.name) == ("remember", self.name) and not isinstance(node.target, s.Name) and is_chosen


N = TypeVar("N", bound=s.Node)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Global analysis results for the rules of a game.

    `unread` are stored values that only messages read. `reset_index` analyses stored values, and `redundant` are
    redundant statements with the reason. `following` maps each `let` to the statements after it in its block. `dead`
    are unreachable rules and definitions and the effects of cards that are not in the game, whose nodes are not
    indexed. `faces` are the numbers of the cards in the game, by sort. `numbers` are names of numbers that occur
    together in a quantified expression, and `quantified` all names of quantified expressions. `copied` are the sorts of
    cards that may have several cards of a kind, and `kinds` the names that stand for kinds of cards. `revealed`
    are the arguments of messages that show something hidden to all players.
    """

    unread: frozenset[str]
    revealed: frozenset[s.Node]
    reset_index: ResetIndex
    redundant: Mapping[s.Node, Why]
    freshness: Freshness
    nullable: Nullability
    loops: LoopOrder
    following: Mapping[s.Let, s.Block]
    dead: frozenset[s.Declaration]
    faces: Mapping[str, frozenset[int]]
    numbers: frozenset[Local]
    quantified: frozenset[Local]
    copied: frozenset[str]
    kinds: frozenset[Local]
    calls: CallGraph
    _nodes: Mapping[type[s.Node], Sequence[s.Node]]

    @classmethod
    def of(cls, model: Model) -> GameFacts:
        """Analyse the rules of a game; the analyses of the latest games are cached."""
        facts = next((facts for analysed, facts in tuple(_latest) if analysed is model), None)
        if facts is None:
            facts = cls._analyse(model)
            _latest.append((model, facts))
        return facts

    @classmethod
    def _analyse(cls, model: Model) -> GameFacts:
        by_article: dict[s.Declaration, tuple[s.Node, ...]] = {a: tuple(s.walk(a)) for a in model.code.articles}
        faces = _faces_in_game(model, by_article)
        dead = _unreached(model, by_article, faces)
        nodes: dict[type[s.Node], list[s.Node]] = {}
        for article, tree in by_article.items():
            for node in () if article in dead else tree:
                nodes.setdefault(type(node), []).append(node)
        reset_index = ResetIndex(model)
        following = {let: rest for article in model.code.procedures for let, rest in _statements_after(article.body)}
        over = [node for node in nodes.get(s.Quantified, ()) if isinstance(node, s.Quantified)]
        quantified = frozenset(model.locals[node.variable] for node in over)
        calls = CallGraph(model, model.code)
        return cls(
            unread_values(model),
            frozenset(_revealed(model)),
            reset_index,
            redundant_statements(reset_index),
            Freshness(model),
            Nullability(model),
            LoopOrder(model, calls),
            following,
            dead,
            faces,
            frozenset[Local]().union(*_numbers(model, over)),
            quantified,
            frozenset(_copied(model, by_article)),
            frozenset(_kinds(model, by_article)),
            calls,
            nodes,
        )

    def nodes(self, sort: type[N]) -> Iterator[N]:
        """Yield the nodes of a type, in the order of the rules."""
        for node in self._nodes.get(sort, ()):
            assert isinstance(node, sort)
            yield node


#: The conditions and options under which a call is made.
Occasion = tuple[object, ...]

#: The latest analysed games with their facts: one command asks for the same game several times.
_latest: deque[tuple[Model, GameFacts]] = deque(maxlen=16)


def _numbers(model: Model, asked: Sequence[s.Quantified]) -> Iterator[frozenset[Local]]:
    """Yield the names of numbers that occur together in a quantified expression."""
    for node in asked:
        if model.locals[node.variable].type.kind != "number":
            continue
        refs = (model.ref(inner) for inner in s.walk(node))
        names = frozenset(ref.local for ref in refs if ref.local is not None)
        numbers = frozenset(local for local in names if local.type.kind == "number")
        if len(numbers) > 1:
            yield numbers


def _statements_after(block: s.Block) -> Iterator[tuple[s.Let, s.Block]]:
    for index, statement in enumerate(block):
        if isinstance(statement, s.Let):
            yield statement, block[index + 1 :]
        for inner in s.blocks(statement):
            yield from _statements_after(inner)


def closure(starts: Iterable[T], following: Callable[[T], Iterable[T]]) -> dict[T, None]:
    """Return some things and all that follow them, directly or through others, in the order of their discovery."""
    result = dict.fromkeys(starts)
    waiting = list(result)
    while waiting:
        new = [item for item in dict.fromkeys(following(waiting.pop())) if item not in result]
        result.update(dict.fromkeys(new))
        waiting += new
    return result


def rules_called(model: Model, tree: object) -> list[s.Rule]:
    """Return the rules that a tree calls, in order and without those that they call."""
    return [model.code.rules[call.name] for call in calls(tree) if call.name in model.code.rules]


def calls(tree: object) -> Iterator[s.Called]:
    """Yield the calls of rules and definitions in a tree, in order."""
    return (node for node in s.walk(tree) if isinstance(node, s.Called))


def occasions(tree: object, name: str, around: Occasion = ()) -> Iterator[Occasion]:
    """Yield the conditions and options around each call of a rule or definition."""
    if all(call.name != name for call in calls(tree)):
        return
    match tree:
        case tuple():
            for part in tree:
                yield from occasions(part, name, around)
        case s.If(branches=branches, otherwise=otherwise):
            for index, (condition, block) in enumerate(branches):
                yield from occasions(condition, name, around)
                yield from occasions(block, name, (*around, tuple(c for c, _ in branches[: index + 1])))
            yield from occasions(otherwise, name, (*around, "otherwise", tuple(c for c, _ in branches)))
        case s.Option(name=option, condition=condition):
            inside = (*around, option, condition)
            yield from (o for part in s.field_names(s.Option) for o in occasions(getattr(tree, part), name, inside))
        case s.Node():
            if isinstance(tree, s.Called) and tree.name == name:
                yield around
            for part in s.field_names(type(tree)):
                yield from occasions(getattr(tree, part), name, around)


def _faces_in_game(model: Model, by_article: Mapping[s.Declaration, Sequence[s.Node]]) -> Mapping[str, frozenset[int]]:
    """Return the cards of each sort of which a deck has copies; all of a sort that does not come from decks alone."""
    copies: dict[str, set[int]] = {}
    for deck in model.declared.decks.values():
        copies.setdefault(deck.cards.name, set()).update(face for face, count in deck.copies if count)
    fills = (node for tree in by_article.values() for node in tree if isinstance(node, s.Fill))
    filled = {kind.name for fill in fills if (kind := model.types.get(fill.filling)) is not None}
    return {
        name: frozenset(range(len(sort.faces)) if name in filled else copies.get(name, range(len(sort.faces))))
        for name, sort in model.cards.items()
    }


def _copied(model: Model, by_article: Mapping[s.Declaration, Sequence[s.Node]]) -> Iterator[str]:
    """Yield the sorts of cards that may have several cards of a kind."""
    every = [node for tree in by_article.values() for node in tree]
    repeated = {node for loop in every if isinstance(loop, s.ForEach | s.Repeat) for node in s.walk(loop.body)}
    fills = [node for node in every if isinstance(node, s.Fill)]
    for name in model.cards:
        decks = {word: deck.copies for word, deck in model.declared.decks.items() if deck.cards.name == name}
        uses = [fill for fill in fills if isinstance(fill.filling, s.Name) and fill.filling.text in decks]
        single = any(fill.count is not None and model.types[fill.filling].name == name for fill in fills)
        counted = Counter(face for copies in decks.values() for face, count in copies for _ in range(count))
        if single or len(uses) > len(decks) or not repeated.isdisjoint(uses) or max(counted.values(), default=2) > 1:
            yield name


def _kinds(model: Model, by_article: Mapping[s.Declaration, Sequence[s.Node]]) -> Iterator[Local]:
    """Yield the names that stand for kinds of cards, and not for single ones."""
    for node in (node for tree in by_article.values() for node in tree):
        match node:
            case (
                s.ForEach(variable=name, domain=domain)
                | s.Quantified(variable=name, domain=domain)
                | s.OptionParameter(name=name, domain=domain)
            ) if model.locals[name].type.kind == "cards":
                if domain.kind == "kinds" or model.ref(domain.base).kind == "type":
                    yield model.locals[name]


def _unreached(
    model: Model, by_article: Mapping[s.Declaration, Sequence[s.Node]], faces: Mapping[str, frozenset[int]]
) -> frozenset[s.Declaration]:
    """Return the rules and definitions that are unreachable from the set-up, the play, the cards and the winner.

    The effects of cards that are not in the game are unreachable too.
    """
    named: dict[str, s.Declaration] = {**model.code.defines, **model.code.rules}
    idle = {
        effect
        for sort, effects in model.code.effects.items()
        for effect in effects
        if effect.name.text not in {model.cards[sort].faces[face].kind for face in faces[sort]}
    }
    candidates = {*named.values(), *idle}
    starts: list[s.Declaration] = [article for article in model.code.articles if article not in candidates]

    def called(article: s.Declaration) -> list[s.Declaration]:
        names = (node.name for node in by_article[article] if isinstance(node, s.Called))
        return [named[name] for name in names if name in named]

    return frozenset(candidates - {*closure(starts, called)})


def unreached_with_cards(model: Model) -> frozenset[s.Declaration]:
    """Return the declarations that cannot be reached with the cards in the game."""
    facts = GameFacts.of(model)
    present = {name: {sort.faces[face].kind for face in facts.faces[name]} for name, sort in model.cards.items()}
    absent = frozenset(kind for name, sort in model.cards.items() for kind in {*sort.kinds} - present[name])
    by_article: dict[s.Declaration, Sequence[s.Node]] = {
        a: () if a in facts.dead else tuple(_possible(a, absent)) for a in model.code.articles
    }
    return facts.dead | _unreached(model, by_article, facts.faces)


def _possible(tree: object, absent: frozenset[str]) -> Iterator[s.Node]:
    """Yield the descendants of a node, without blocks under a condition on a card of an `absent` kind."""
    match tree:
        case tuple():
            for part in tree:
                yield from _possible(part, absent)
        case s.If(branches=branches, otherwise=otherwise):
            yield from _possible(tuple(pair for pair in branches if not _asks_for(pair[0], absent)), absent)
            yield from _possible(otherwise, absent)
        case s.Repeat(kind="while", subject=subject) if _asks_for(subject, absent):
            return
        case s.Node():
            yield tree
            for name in s.field_names(type(tree)):
                yield from _possible(getattr(tree, name), absent)


def _asks_for(condition: s.Expression | None, kinds: frozenset[str]) -> bool:
    """Return whether a condition requires a card of one of these kinds."""
    equal = (part for part in s.conjuncts(condition) if isinstance(part, s.Compare) and part.operator == "=")
    return any(isinstance(side, s.Name) and side.text in kinds for part in equal for side in (part.left, part.right))


def is_false_at_first(model: Model, fresh: Freshness, condition: s.Expression | None) -> bool:
    """Return whether a condition certainly does not hold when the play begins."""
    setup = next((article for article in model.code.main_procedures if isinstance(article, s.Setup)), None)
    prepared = fresh.effects.writes(setup.body).state if setup is not None else set[str]()
    match condition:
        case s.Logical(operator=operator, operands=parts):
            return (any if operator == "and" else all)(is_false_at_first(model, fresh, part) for part in parts)
        case s.Empty(zone=zone, negated=False):
            return fresh.inputs(zone).state <= prepared
        case s.Quantified(kind="every", value=s.ExpressionNode() as value):
            return is_false_at_first(model, fresh, value)
        case s.Quantified(kind="some", domain=domain):
            return any(is_false_at_first(model, fresh, part) for part in s.conjuncts(domain.where))
        case s.Compare(operator="=" | ">" | ">=", left=s.Of(name="space"), right=s.Of(name="spaces")):
            return True
        case s.Compare(operator=operator, left=s.Name(text=name), right=s.Number(value=limit)):
            article = next((a for a in model.merged.articles if a.name.text == name), None)
            if isinstance(article, s.Remember) and isinstance(article.start, s.Number) and name not in prepared:
                start = article.start.value
                return {"=": start != limit, ">": start <= limit, ">=": start < limit}.get(operator, False)
    return False


def unread_values(model: Model) -> frozenset[str]:
    """Return the stored values that only messages and their own assignments read, and that show nothing hidden."""
    read: set[str] = set()
    for article in model.code.articles:
        for node in _asking(article):
            ref = model.ref(node)
            if ref.kind == "remember":
                read.add(ref.name)
    return frozenset(model.declared.remembered) - read - _showing_secrets(model)


def _showing_secrets(model: Model) -> frozenset[str]:
    """Return the stored values by which a player learns what is hidden: private ones, and those that depend on it."""
    sources: dict[str | Local, list[object]] = {}
    for node in (node for article in model.code.articles for node in s.walk(article)):
        for local, source in _introduced(model, node):
            sources.setdefault(local, []).append(source)
        match node:
            case s.Define(name=name) | s.Rule(name=name):
                sources.setdefault(name.text, []).append(node)
            case s.If(branches=branches):
                for inner in s.walk(node):
                    if isinstance(inner, s.Assign):
                        ref = model.ref(inner.target)
                        sources.setdefault(ref.local or ref.name, []).extend(condition for condition, _ in branches)
            case s.Assign(target=target, value=source):
                ref = model.ref(target)
                sources.setdefault(ref.local or ref.name, []).append(source)
            case s.Called(name=name, arguments=arguments) if (rule := model.code.rules.get(name)) is not None:
                for parameter, argument in zip(rule.parameters, arguments, strict=True):
                    sources.setdefault(model.locals[parameter.name], []).append(argument)
    read = {
        name: {ref.local or ref.name for ref in map(model.ref, s.walk(tuple(trees)))} for name, trees in sources.items()
    }
    remembered = model.declared.remembered
    secret: set[str | Local] = {zone.name for zone in model.declared.zones.values() if zone.seen != "all"}
    secret |= {value.name for value in remembered.values() if value.seen != "all"}
    while dependent := {name for name, names in read.items() if name not in secret and not names.isdisjoint(secret)}:
        secret |= dependent
    return frozenset(name for name, value in remembered.items() if name in secret and value.seen != "nobody")


def _revealed(model: Model) -> Iterator[s.Node]:
    """Yield the arguments of `tell` that show something hidden, or a thing that is chosen from it and stays there."""
    seen = {zone.name: zone.seen for zone in model.declared.zones.values()}
    seen |= {value.name: value.seen for value in model.declared.remembered.values()}
    chosen: set[Local] = set()

    def shows(value: s.Node) -> bool:
        refs = [(node, model.ref(node)) for node in s.walk(value)]
        counted = {inner for node, ref in refs if ref.kind == "size" for inner in s.walk(node)}
        return any(
            ref.local in chosen
            if ref.local is not None
            else seen.get(ref.name, "all") in (("nobody",) if node in counted else ("owner", "number", "nobody"))
            for node, ref in refs
        )

    for article in model.code.articles:
        nodes = tuple(s.walk(article))
        moved = [node.what for node in nodes if isinstance(node, s.Move | s.Lay)]
        moved_locals = {model.ref(what).local for what in moved}
        for node in nodes:
            for local, source in _introduced(model, node):
                stays = local not in moved_locals and not any(s.same(source, what) for what in moved)
                if stays and local.type.kind != "player" and shows(source):
                    chosen.add(local)
            if isinstance(node, s.Tell):
                yield from (argument for argument in node.message.arguments if shows(argument.value))


def _introduced(model: Model, node: s.Node) -> Iterator[tuple[Local, s.Node]]:
    """Yield the name that a statement or an option introduces, with the expression or domain of its value."""
    match node:
        case (
            s.Let(variable=name, value=source)
            | s.ForEach(variable=name, domain=source)
            | s.OptionParameter(name=name, domain=source)
        ):
            yield model.locals[name], source


def _asking(node: object) -> Iterator[s.Node]:
    """Yield the descendants of a node, except for messages and assignment targets."""
    match node:
        case tuple():
            for item in node:
                yield from _asking(item)
        case s.MessageRef():
            return
        case s.Assign(target=target, value=value):
            yield from (n for index in s.index_nodes(target) for n in _asking(index))
            yield from (n for n in _asking(value) if not s.same(n, target))
        case s.Node():
            yield node
            for name in s.field_names(type(node)):
                yield from _asking(getattr(node, name))
