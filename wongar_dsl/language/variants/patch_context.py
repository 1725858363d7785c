"""State of applying a variant: the articles of the base, the changes made so far, and the diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from wongar_dsl.base.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.variants.addressable_parts import names_in, part_name, part_text, parts_of

#: The path of a changed thing, from the whole to the part: `("table", "worth", "red", "high")`.
ChangePath = tuple[str, ...]
#: Sorts of articles that declare no name of their own: an effect has the name of its card.
_CARD_ADDRESSED = ("effect",)


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change that a variant makes; with `gone` the thing no longer exists after it."""

    span: Span
    gone: bool = False


@dataclass(slots=True)
class PatchContext:
    """A variant that is being applied to the articles of its base.

    `sources` are the variant's own. `independent_changes` are the changes made by variants with which it is combined
    without building on them.
    """

    name: str
    sources: tuple[s.Citation, ...]
    articles: dict[s.Key, s.Declaration]
    origin: dict[s.Key, str]
    changed: dict[s.Key, tuple[str, ...]]
    replaced: dict[s.Key, s.Declaration]
    places: dict[s.Key, Span]
    independent_changes: Mapping[ChangePath, RecordedChange]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    new: list[s.Declaration] = field(default_factory=list)
    #: Things that this variant has set, replaced or removed, which it may do only once.
    claimed: dict[ChangePath, Span] = field(default_factory=dict)
    #: All things that this variant has changed.
    recorded: dict[ChangePath, RecordedChange] = field(default_factory=dict)

    def replace_article(self, key: s.Key, article: s.Declaration, change: s.Declaration) -> None:
        """Store an article with a changed part."""
        self.articles[key] = replace(article, sources=change.sources or self.sources or article.sources)
        self.places[key] = change.name.span
        self.changed[key] = tuple(dict.fromkeys((*self.changed.get(key, ()), self.name)))

    def with_sources(self, article: s.Declaration) -> s.Declaration:
        """Return an article of the variant, with the variant's sources if it has none."""
        return article if article.sources else replace(article, sources=self.sources)

    # ---- conflicts ----

    def claim_exclusively(self, place: s.Node, *what: str, gone: bool = False) -> bool:
        """Record a change that a variant may make only once; report a second one, which would silently undo the first.

        Returns False if an independent variant has changed the same thing.
        """
        before = next((span for earlier, span in self.claimed.items() if earlier[: len(what)] == what), None)
        if before is not None and before != place.span:
            self.report_repeated(place, what, before)
        self.claimed[what] = place.span
        return self.record_change(place, *what, gone=gone)

    def record_change(self, place: s.Node, *what: str, gone: bool = False) -> bool:
        """Record a change that a variant may make repeatedly; otherwise like `claim_exclusively`."""
        self.recorded[what] = RecordedChange(place.span, gone)
        for thing, record in self.independent_changes.items():
            if thing[: len(what)] == what or what[: len(thing)] == thing:
                self.report_clash(place, what, record)
                return False
        return True

    def report_repeated(self, place: s.Node, what: ChangePath, before: Span) -> None:
        """Report that the variant has changed this before."""
        self.diagnostics.append(Diagnostic("R0212", place.span, {"name": _label(what)}, (Label(before, "first"),)))

    def report_clash(self, place: s.Node, what: ChangePath, other: RecordedChange) -> None:
        """Report that an independent variant changes the same thing."""
        self.diagnostics.append(Diagnostic("R0214", place.span, {"name": _label(what)}, (Label(other.span, "other"),)))

    # ---- existence ----

    def require_article(self, key: s.Key, article: s.Declaration) -> bool:
        """Return whether the base has an article; report it if not."""
        if key in self.articles:
            return True
        name = key[1] or key[0]
        if self._report_removed(article.name, key):
            return False
        code = "R0208" if isinstance(article, s.SetSetting) else "R0206"
        arguments: dict[str, str | tuple[str, ...]] = {"name": name}
        sorts = ("deck", "track") if isinstance(article, s.SetCount) else (key[0],)
        suggestion, hint = self._elsewhere(name, article)
        same, span = self._articles_named(name), article.name.span
        if same and isinstance(article, s.SetCell | s.SetRow | s.SetCount):
            code, arguments = "R0203", {"name": name, "found": _sort(same[0]), "expected": sorts}
        elif suggestion is None and hint is None:
            suggestion = did_you_mean(name, [name_in_base for sort, name_in_base in self.articles if sort in sorts])
        elif suggestion is not None and f" {suggestion}".endswith(f" {name}"):
            # The suggestion takes the place of the sort and the name.
            span = _with_word_before(span, key[0])
        self.diagnostics.append(Diagnostic(code, span, arguments, (), suggestion, hint))
        return False

    def report_missing(
        self, place: s.Node, what: str, thing: ChangePath, known: Iterable[str], suggestion: str | None = None,
        hint: Hint | None = None,
    ) -> None:  # fmt: skip
        """Report that `what`, an article or choice of the base, has no part with the last name of `thing`."""
        if not self._report_removed(place, thing):
            names = tuple(dict.fromkeys(known))
            suggestion = suggestion or did_you_mean(thing[-1], names)
            hint = hint or (Hint("one_of", {"values": names}) if names else None)
            arguments, span = {"name": thing[-1], "what": what}, place.span
            if span.text.startswith(f"{thing[-1]} "):
                # Only the name at the beginning is wrong: `ther of walk`.
                span = replace(span, end_line=span.line, end_column=span.column + len(thing[-1]))
            self.diagnostics.append(Diagnostic("R0213", span, arguments, (), suggestion, hint))

    def report_no_choice(self, name: s.Word, choices: Callable[[s.Declaration], Iterable[str]]) -> None:
        """Report that no choice has this name; `choices` returns the names of the choices in an article."""
        for key, old in self.replaced.items():
            removal = next(
                (record for thing, record in self.independent_changes.items() if thing[:2] == key and record.gone), None
            )
            if removal is not None and name.text in choices(old):
                self.report_clash(name, key, removal)
                return
        names = dict.fromkeys(choice for article in self.articles.values() for choice in choices(article))
        suggestion = did_you_mean(name.text, list(names))
        self.diagnostics.append(Diagnostic("R0206", name.span, {"name": name.text}, suggestion=suggestion))

    def require_free_name(self, place: s.Node, name: str) -> bool:
        """Return whether a name is unused in the base; report where it is used."""
        for (sort, declared), article in self.articles.items():
            words = (*((article.name,) if declared and sort not in _CARD_ADDRESSED else ()), *names_in(article))
            use = next((word for word in words if word.text == name), None)
            if use is not None:
                self.report_duplicate(place, name, use)
                return False
        return True

    def report_duplicate(self, place: s.Node, name: str, there: s.Node) -> None:
        """Report that an added part exists already."""
        label, hint = Label(there.span, "declared"), Hint("part_there")
        if there.span.source == place.span.source:
            self.diagnostics.append(Diagnostic("R0202", place.span, {"name": name}, (label,)))
            return
        self.diagnostics.append(Diagnostic("R0207", place.span, {"name": name}, (label,), hint=hint))

    def _report_removed(self, place: s.Node, what: ChangePath) -> bool:
        """Report a thing that this variant, or an independent one, has removed; return whether it has."""
        own_record = self.recorded.get(what)
        if own_record is not None and own_record.gone:
            self.report_repeated(place, what, own_record.span)
            return True
        removal = next(
            (record for thing, record in self.independent_changes.items() if thing[:2] == what[:2] and record.gone),
            None,
        )
        if removal is None or (len(what) > 2 and what[-1].partition("(")[0] not in self._words_before(what)):
            return False
        self.report_clash(place, what, removal)
        return True

    def _words_before(self, what: ChangePath) -> set[str]:
        """Return the words of an article as they were before anything was removed from it."""
        nodes = [node for key, old in self.replaced.items() if key == what[:2] for node in walk(old)]
        values = (getattr(node, part.name) for node in nodes for part in fields(node))
        return {value for value in values if isinstance(value, str)}

    def _articles_named(self, name: str) -> list[s.Declaration]:
        """Return the articles of the base with this name, of any sort."""
        return [old for (_, article_name), old in self.articles.items() if article_name == name]

    def _elsewhere(self, name: str, article: s.Declaration) -> tuple[str | None, Hint | None]:
        """Return a suggestion and a hint for a name that belongs to an article of another sort in the base."""
        same = self._articles_named(name)
        if isinstance(article, s.SetSetting):
            for old in self.articles.values():
                if isinstance(old, s.Deck | s.Track) and name in map(part_name, parts_of(old)):
                    return f"{name} in {old.name.text}", None
                if isinstance(old, s.Deck | s.Track) and old.name.text == name and parts_of(old):
                    return f"{part_name(parts_of(old)[0])} in {name}", None
                if isinstance(old, s.LookupTable) and old.name.text == name and old.rows:
                    keys = (old.rows[0].key, *old.columns[:1])
                    return f"{name}[{', '.join(map(part_text, keys))}]", None
                if isinstance(old, s.LookupTable) and any(part_text(row.key) == name for row in old.rows):
                    return f"row {name} of {old.name.text}", None
        if isinstance(article, s.SetCell | s.SetRow | s.SetCount):
            part = article.face if isinstance(article, s.SetCount) else None
            part = article.key if isinstance(article, s.SetRow) else part
            part = article.keys[0] if isinstance(article, s.SetCell) else part
            named = part_text(part) if part is not None else ""
            form = next(filter(None, (set_form(old, named) for old in same)), None)
            return None, Hint("set_as", {"form": form}) if form is not None else None
        if not same:
            # The course of the game is an article without a name.
            return name if (name, "") in self.articles else None, None
        sort = _sort(same[0])
        if isinstance(article, s.SetSetting):
            return None, Hint("replace_instead", {"article": f"replace {sort} {name}"})
        if isinstance(article, s.PartialChange) and not parts_of(same[0]):
            return None, None
        return f"{sort} {name}", None


def _with_word_before(span: Span, word: str) -> Span:
    """Return a span that also covers the word before it."""
    before = span.source.line(span.line)[: span.column - 1]
    return replace(span, column=before.rindex(word) + 1) if before.rstrip().endswith(word) else span


def _sort(article: s.Declaration) -> str:
    """Return the keyword with which an article is declared."""
    return article.kind if isinstance(article, s.Zone) else s.key_of(article)[0]


def set_form(article: s.Declaration, part: str) -> str:
    """Return an example of setting a part of an article; empty if no part of it can be set."""
    if isinstance(article, s.LookupTable) and article.rows:
        rows, columns = [part_text(row.key) for row in article.rows], list(map(part_text, article.columns))
        cell = [part if part in rows else rows[0], *([part] if part in columns else columns[:1])]
        return f"set {article.name.text}[{', '.join(cell)}] to …"
    if isinstance(article, s.Deck | s.Track) and parts_of(article):
        names = list(map(part_name, parts_of(article)))
        return f"set {part if part in names else names[0]} in {article.name.text} to …"
    return f"set {article.name.text} to …" if isinstance(article, s.Setting) else ""


def _label(what: Sequence[str]) -> str:
    """Return the name to be shown for a thing: that of its article, or the sort of one without a name."""
    return next((name for name in what[1:2] if name), what[0])
