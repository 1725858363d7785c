"""Merges a variant into its base: applies its changes to the articles of the base.

Merging works on syntax trees, before checking, so that a merged game is checked like any other. A thing that a variant
changes must exist, and a thing that it adds must not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.variants.apply_patch import ChangePath, PatchContext, RecordedChange, apply_article

# ---- descriptions that a variant makes untrue ------------------------------------------------------------------------
#
# An action is a statement without blocks that changes the state of the game, or calls a rule, regardless of its
# message.


#: Ends of a pile, which stand before its name.
_ENDS = ("top", "bottom")


def outdated_descriptions(
    old: s.Declaration | None, new: s.Declaration | None, articles: Mapping[s.Key, s.Declaration]
) -> Iterator[str]:
    """Yield the keys of descriptions that hold for an old article but not for a new one; None is no article.

    `changes.owner`: a value that is now set differently, or a zone with a new way in or out. `choice.turn.take`: an
    option that no longer performs all its actions; `choice.turn`: the decision that offers it. `articles` are the old
    ones: a value that the old article and a rule set is now set differently if the call of the rule is removed.
    """
    old_actions, new_actions = _actions(old), _actions(new)
    own = {name for action in old_actions if isinstance(action, s.Assign) for name in _changed_names(action)}
    lost = {name for action in _missing_in(new_actions, old_actions) for name in _set_names(action, articles, set())}
    added = {name for action in _missing_in(old_actions, new_actions) for name in _changed_names(action)}
    yield from (f"changes.{name}" for name in sorted(added | (own & lost)))
    if isinstance(old, s.Remember) and isinstance(new, s.Remember) and not s.same(old.start, new.start):
        yield f"changes.{new.name.text}"
    before, after = _options(old), _options(new)
    for option in before.keys() & after.keys():
        if _missing_in(after[option], before[option]):
            yield f"choice.{option}"
            yield f"choice.{option.partition('.')[0]}"


def _actions(tree: object) -> list[s.StatementNode]:
    return [
        node
        for node in s.walk(tree)
        if isinstance(node, s.StatementNode) and (node.changes or isinstance(node, s.Call | s.Perform))
    ]


def _set_names(action: s.StatementNode, articles: Mapping[s.Key, s.Declaration], called: set[str]) -> Iterator[str]:
    """Yield the names of the values that an assignment sets, or the assignments in the rules that are called."""
    if isinstance(action, s.Assign):
        yield from _changed_names(action)
    elif isinstance(action, s.Call) and (name := action.call.name_text) not in called:
        called.add(name)
        for part in _actions(articles.get(("rule", name))):
            yield from _set_names(part, articles, called)


def _missing_in(actions: Sequence[s.StatementNode], others: Sequence[s.StatementNode]) -> list[s.StatementNode]:
    """Return those of `others` that `actions` lacks, as often as it lacks them."""
    unmatched, missing = list(actions), []
    for other in others:
        number = next((n for n, action in enumerate(unmatched) if _is_same(action, other)), None)
        if number is None:
            missing.append(other)
        else:
            del unmatched[number]
    return missing


def _is_same(one: s.StatementNode, other: s.StatementNode) -> bool:
    """Return whether two deeds are equal apart from their messages."""
    fields = (name for name in s.field_names(type(one)) if name != "message")
    return type(one) is type(other) and all(s.same(getattr(one, name), getattr(other, name)) for name in fields)


def _changed_names(action: s.StatementNode) -> Iterator[str]:
    """Return the names of the values and zones that an action changes."""
    return (s.whole_of(target, _ENDS).name_text for target in action.targets)


def _options(article: s.Declaration | None) -> Mapping[str, Sequence[s.StatementNode]]:
    """Return the deeds of each option (`turn.take`) that an article offers."""
    options = dict[str, list[s.StatementNode]]()
    for node in s.walk(article):
        if article is not None and isinstance(node, s.Decision):
            for choice in node.options:
                name = f"{(node.name or article.name).text}.{choice.name.text}"
                options.setdefault(name, []).extend(_actions(choice.body))
    return options


# ---- messages that a variant makes untrue ----------------------------------------------------------------------------
#
# A step without its own message is reported by the next message of its block or, after the last one, by that one. In
# a block without messages it is reported by one of the enclosing block, but never by one outside of its option.


def outdated_messages(old: s.Procedure, new: s.Procedure) -> Iterator[str]:
    """Yield the messages in `new` that report a step of `old` that it lacks, or whose value it has changed.

    A message with the assigned value as an argument stays true.
    """
    old_steps, new_steps = _steps(old), _steps(new)
    for message, steps in reported_steps(old.body).items():
        if message.span in new_steps and not all(_is_still_true(message, step, old_steps, new_steps) for step in steps):
            assert message.message.name is not None
            yield message.message.name


def _steps(article: s.Procedure) -> dict[Span, s.StatementNode]:
    return {node.span: node for node in s.walk(article.body) if isinstance(node, s.StatementNode)}


def reported_steps(body: s.Block) -> dict[s.Tell, list[s.Statement]]:
    """Return the steps that each `tell` of a rule reports."""
    reported = dict[s.Statement, list[s.Statement]]()
    _assign_to_messages(body, reported)
    # The message of another step reports that step alone.
    return {message: steps for message, steps in reported.items() if isinstance(message, s.Tell)}


def _is_still_true(
    message: s.Tell,
    step: s.Statement,
    old_steps: Mapping[Span, s.StatementNode],
    new_steps: Mapping[Span, s.StatementNode],
) -> bool:
    """Return whether a message that reports one of the old steps is true of the new ones; steps are keyed by span."""
    new_step = new_steps.get(step.span)
    if not isinstance(step, s.Assign):
        return s.same(step, new_step)
    # An assignment that is added behind the step replaces its value.
    later_spans = dropwhile(lambda span: span != step.span, new_steps) if new_step is not None else new_steps
    added = [other for span in later_spans if span not in old_steps and isinstance(other := new_steps[span], s.Assign)]
    set_again = any(s.same(step.target, other.target) for other in added)
    if s.same(step, new_step) and not set_again:
        return True
    return (set_again or isinstance(new_step, s.Assign)) and any(s.same(step.target, node) for node in s.walk(message))


def _assign_to_messages(block: s.Block, reported: dict[s.Statement, list[s.Statement]]) -> list[s.Statement]:
    """Assign the steps of a block to the messages that report them, in `reported`; return those that none reports."""
    steps = [_unreported_in(step, reported) for step in block]
    with_message = [number for number, step in enumerate(block) if _message(step) is not None]
    if not with_message:
        return [step for inner in steps for step in inner]
    for number, inner in enumerate(steps):
        reporter = next((other for other in with_message if other >= number), with_message[-1])
        reported.setdefault(block[reporter], []).extend(inner)
    return []


def _unreported_in(step: s.Statement, reported: dict[s.Statement, list[s.Statement]]) -> list[s.Statement]:
    """Return a step itself if it is without a message, else the steps inside it that no message there reports."""
    message_ref = getattr(step, "message", None)
    if isinstance(step, s.Assign) or (isinstance(message_ref, s.MessageRef) and message_ref.name is None):
        return [step]
    inner = list[s.Statement]()
    for part in s.blocks_and_options(step):
        unreported = _assign_to_messages(part.body if isinstance(part, s.Option) else part, reported)
        inner += [] if isinstance(part, s.Option) else unreported
    return inner


def _message(step: s.Statement) -> str | None:
    message_ref = getattr(step, "message", None)
    return message_ref.name if isinstance(message_ref, s.MessageRef) else None


# ---- merging ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MergedRules:
    """A game or variant as one list of articles.

    `names` is the chain from the game to the last variant. `origin` gives for each article the one that it comes from
    or that removed it, `changed` those that changed a part of it. `replaced` has the former article if it, or steps of
    it, were replaced or removed. `places` is the span of the last change of a part, `recorded` are all changes of the
    last variant, `titles` the span of each variant's name. `outdated_texts` has the variants that have made a message
    or a description untrue.
    """

    names: tuple[str, ...]
    head: s.Game
    articles: tuple[s.Declaration, ...]
    origin: dict[s.Key, str]
    changed: dict[s.Key, tuple[str, ...]]
    replaced: dict[s.Key, s.Declaration]
    places: Mapping[s.Key, Span] = field(default_factory=dict)
    recorded: Mapping[ChangePath, RecordedChange] = field(default_factory=dict)
    titles: Mapping[str, Span] = field(default_factory=dict)
    outdated_texts: dict[str, frozenset[str]] = field(default_factory=dict)

    def changes(self) -> dict[str, frozenset[str]]:
        """Return for each changed, replaced or removed declaration (`rule.draw`, `setup`) the variants that did it.

        Texts that they made untrue are included: `message.NAME`, and the keys of `outdated_descriptions`.
        """
        by = {key: frozenset(names) for key, names in self.changed.items()}
        by |= {key: by.get(key, frozenset()) | {self.origin[key]} for key in self.replaced}
        return {".".join(filter(None, key)): names for key, names in by.items()} | self.outdated_texts

    def texts(self) -> dict[str, s.Declaration]:
        """Return the declarations that the rulebook has text for by key, with the removed effects of cards.

        Of a card without its former effect, the rulebook says that it has none.
        """
        removed = (replace(article, sources=()) for key, article in self.replaced.items() if key[0] == "effect")
        return {s.key_text(article): article for article in (*removed, *self.articles)}


def from_game(file: s.File) -> MergedRules | None:
    """Return the rules of a game's own file; None if the file is no game."""
    if not isinstance(file.head, s.Game):
        return None
    name = file.head.name.text
    return MergedRules((name,), file.head, file.articles, {s.key_of(a): name for a in file.articles}, {}, {})


def apply_variant(
    base: MergedRules, file: s.File, independent_changes: Mapping[ChangePath, RecordedChange] | None = None
) -> tuple[MergedRules, tuple[Diagnostic, ...]]:
    """Apply a variant's file to `base`; return the merged rules and the diagnostics.

    `independent_changes` are the changes by other variants in the base on which this one does not build.
    """
    assert isinstance(file.head, s.Variant)
    header = file.head
    patch = PatchContext(
        header.name.text, header.sources,
        {s.key_of(a): a for a in base.articles}, dict(base.origin), dict(base.changed),
        dict(base.replaced), dict(base.places), independent_changes or {},
    )  # fmt: skip
    head = replace(base.head, books=(*base.head.books, *header.books))
    for article in file.articles:
        if isinstance(article, s.SetPlayers):
            if patch.claim_exclusively(article, "players"):
                head = replace(head, players=article.players, range=article.range)
        elif isinstance(article, s.SetBoxFact) and not _sets_option(article, patch):
            if patch.claim_exclusively(article, article.name.text):
                facts = (fact for fact in head.facts if fact.about != article.fact.about)
                head = replace(head, facts=(*facts, replace(article.fact, sources=article.sources or patch.sources)))
        elif isinstance(article, s.SetBoxFact):
            number = s.Number(article.fact.range, article.fact.low)
            apply_article(patch, s.SetSetting(article.span, article.name, article.sources, number))
        else:
            apply_article(patch, article)
    articles = (*patch.articles.values(), *patch.new)
    names = (*base.names, patch.name)
    # A later variant can change what an earlier one has added, so each is compared with what it builds on.
    outdated = {
        text: base.outdated_texts.get(text, frozenset()) | {patch.name}
        for text in _outdated_texts(base.articles, articles)
    }
    merged = MergedRules(
        names, head, articles, patch.origin, patch.changed, patch.replaced, patch.places, patch.recorded,
        {**base.titles, patch.name: header.name.span}, {**base.outdated_texts, **outdated},
    )  # fmt: skip
    return merged, tuple(patch.diagnostics)


def _sets_option(change: s.SetBoxFact, patch: PatchContext) -> bool:
    """Return whether `set age to 12` sets an option of the game with the name of a fact on the box."""
    return ("option", change.name.text) in patch.articles and change.fact.low == change.fact.high


def _outdated_texts(before: Iterable[s.Declaration], after: Iterable[s.Declaration]) -> Iterator[str]:
    """Yield the keys of texts about the base that are untrue of a variant's articles."""
    old, new = ({s.key_of(article): article for article in articles} for articles in (before, after))
    for key in {**old, **new}:
        old_article, new_article = old.get(key), new.get(key)
        if old_article is not new_article:
            yield from outdated_descriptions(old_article, new_article, old)
            if isinstance(old_article, s.Procedure) and isinstance(new_article, s.Procedure):
                yield from (f"message.{name}" for name in outdated_messages(old_article, new_article))
