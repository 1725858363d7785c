"""Values, zones and options whose words may be untrue, because a variant changed the deeds that they describe.

A deed is a statement without blocks that changes the state of the game, or calls a rule. The message that tells it does
not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wongar_dsl.language import ast as s

#: Ends of a pile, which stand before its name.
_ENDS = ("top", "bottom")


def changed_deeds(old: s.Declaration | None, new: s.Declaration | None) -> Iterator[str]:
    """Yield what an article changes in other ways than before; None is no article.

    `changes.owner` is a value that is set in another way, or a zone into or out of which something comes in a new way;
    `choice.turn.take` an option that no longer does all that it did, and `choice.turn` the decision that offers it.
    """
    old_deeds, new_deeds = _deeds(old), _deeds(new)
    removed = [deed for deed in _missing_in(new_deeds, old_deeds) if isinstance(deed, s.Assign)]
    for deed in (*_missing_in(old_deeds, new_deeds), *removed):
        yield from (f"changes.{name}" for name in _changed_names(deed))
    if isinstance(old, s.Remember) and isinstance(new, s.Remember) and not s.same(old.start, new.start):
        yield f"changes.{new.name.text}"
    before, after = _options(old), _options(new)
    for option in before.keys() & after.keys():
        if _missing_in(after[option], before[option]):
            yield f"choice.{option}"
            yield f"choice.{option.partition('.')[0]}"


def _deeds(tree: object) -> list[s.StatementNode]:
    """Return the deeds in a tree."""
    return [
        node
        for node in s.walk(tree)
        if isinstance(node, s.StatementNode) and (node.changes or isinstance(node, s.Call | s.Perform))
    ]


def _missing_in(deeds: Sequence[s.StatementNode], others: Sequence[s.StatementNode]) -> list[s.StatementNode]:
    """Return those of `others` that `deeds` lacks, as often as it lacks them."""
    unmatched, missing = list(deeds), []
    for other in others:
        number = next((n for n, deed in enumerate(unmatched) if _is_same(deed, other)), None)
        if number is None:
            missing.append(other)
        else:
            del unmatched[number]
    return missing


def _is_same(one: s.StatementNode, other: s.StatementNode) -> bool:
    """Return whether two deeds are equal apart from their messages."""
    fields = (name for name in s.field_names(type(one)) if name != "told")
    return type(one) is type(other) and all(s.same(getattr(one, name), getattr(other, name)) for name in fields)


def _changed_names(deed: s.StatementNode) -> Iterator[str]:
    """Yield the names of the values and zones that a deed changes."""
    for target in deed.targets:
        while isinstance(target, s.Of) and target.name in _ENDS:
            target = target.owner
        yield getattr(target, "name", "") or getattr(target, "text", "")


def _options(article: s.Declaration | None) -> Mapping[str, Sequence[s.StatementNode]]:
    """Return the deeds of each option (`turn.take`) that an article offers."""
    options = dict[str, list[s.StatementNode]]()
    for node in s.walk(article):
        if article is not None and isinstance(node, s.Choose | s.ChooseSimultaneously):
            for choice in node.choices:
                name = f"{(node.name or article.name).text}.{choice.name.text}"
                options.setdefault(name, []).extend(_deeds(choice.body))
    return options
