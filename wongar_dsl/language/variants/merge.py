"""Merges a variant into its base: applies its changes to the articles of the base.

Merging works on syntax trees, before checking, so that a merged game is checked like any other. A thing that a variant
changes must exist, and a thing that it adds must not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from wongar_dsl.base.diagnostics import Diagnostic, Label
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.variants.apply_patch import change_part
from wongar_dsl.language.variants.outdated_descriptions import outdated_descriptions
from wongar_dsl.language.variants.outdated_messages import outdated_messages
from wongar_dsl.language.variants.patch_context import ChangePath, PatchContext, RecordedChange
from wongar_dsl.language.variants.set_value import set_value


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
        else:
            _apply(patch, article)
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


def _outdated_texts(before: Iterable[s.Declaration], after: Iterable[s.Declaration]) -> Iterator[str]:
    """Yield the keys of texts about the base that are untrue of a variant's articles."""
    old, new = ({s.key_of(article): article for article in articles} for articles in (before, after))
    for key in {**old, **new}:
        old_article, new_article = old.get(key), new.get(key)
        if old_article is not new_article:
            yield from outdated_descriptions(old_article, new_article, old)
            if isinstance(old_article, s.Procedure) and isinstance(new_article, s.Procedure):
                yield from (f"message.{name}" for name in outdated_messages(old_article, new_article))


def _apply(patch: PatchContext, article: s.Declaration) -> None:
    """Apply one article of a variant to the articles of its base."""
    match article:
        case s.SetSetting() | s.SetCell() | s.SetRow() | s.SetCount():
            set_value(patch, article)
        case s.Replace(article=inner):
            key = s.key_of(inner)
            if patch.require_article(key, article) and patch.claim_exclusively(inner.name, *key, gone=True):
                patch.replaced.setdefault(key, patch.articles[key])
                patch.articles[key] = patch.with_sources(inner)
                patch.origin[key] = patch.name
        case s.Remove(sort=sort, name=name):
            if patch.require_article((sort, name.text), article) and patch.claim_exclusively(
                name, sort, name.text, gone=True
            ):
                patch.replaced.setdefault((sort, name.text), patch.articles.pop((sort, name.text)))
                patch.origin[sort, name.text] = patch.name
        case _ if isinstance(article, s.PartialChange):
            change_part(patch, article)
        case _:
            _add(patch, article)


def _add(patch: PatchContext, article: s.Declaration) -> None:
    key = s.key_of(article)
    if not patch.record_change(article.name, *key):
        return
    if key in patch.articles:
        first = Label(patch.articles[key].name.span, "declared")
        instead = f"set {article.name.text} to {article.value.span.text}" if isinstance(article, s.Setting) else None
        place = article.span if instead else article.name.span
        patch.diagnostics.append(Diagnostic("R0207", place, {"name": article.name.text}, (first,), instead))
    else:
        patch.new.append(patch.with_sources(article))
        patch.origin[key] = patch.name
