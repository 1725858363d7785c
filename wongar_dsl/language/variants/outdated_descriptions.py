"""Descriptions of values, zones and options in catalogs that a variant may have made untrue, by changing actions.

An action is a statement without blocks that changes the state of the game, or calls a rule, regardless of its message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wongar_dsl.language import ast as s

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
    elif isinstance(action, s.Call) and (name := _name(action.call)) not in called:
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
    """Yield the names of the values and zones that a deed changes."""
    for target in action.targets:
        while isinstance(target, s.Of) and target.name in _ENDS:
            target = target.owner
        yield _name(target)


def _name(target: object) -> str:
    return getattr(target, "name", "") or getattr(target, "text", "")


def _options(article: s.Declaration | None) -> Mapping[str, Sequence[s.StatementNode]]:
    """Return the deeds of each option (`turn.take`) that an article offers."""
    options = dict[str, list[s.StatementNode]]()
    for node in s.walk(article):
        if article is not None and isinstance(node, s.Choose | s.ChooseSimultaneously):
            for choice in node.options:
                name = f"{(node.name or article.name).text}.{choice.name.text}"
                options.setdefault(name, []).extend(_actions(choice.body))
    return options
