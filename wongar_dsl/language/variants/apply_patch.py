"""Changes of a variant: sets values, adds and removes parts and options; inserts, sets and removes steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, cast, get_args

from wongar_dsl.base.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.foreign_words import WORDS
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import copied

# ---- state -----------------------------------------------------------------------------------------------------------


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

    def report(
        self, code: str, place: s.Node | Span, labels: tuple[Label, ...] = (), suggestion: str | None = None,
        hint: Hint | None = None, **arguments: str | int | tuple[str, ...],
    ) -> None:  # fmt: skip
        """Add a diagnostic."""
        span = place if isinstance(place, Span) else place.span
        self.diagnostics.append(Diagnostic(code, span, arguments, labels, suggestion, hint))

    def report_repeated(self, place: s.Node, what: ChangePath, before: Span) -> None:
        """Report that the variant has changed this before."""
        self.report("R0212", place, (Label(before, "first"),), name=_label(what))

    def report_clash(self, place: s.Node, what: ChangePath, other: RecordedChange) -> None:
        """Report that an independent variant changes the same thing."""
        self.report("R0214", place, (Label(other.span, "other"),), name=_label(what))

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
            code, arguments = "R0203", {"name": name, "found": same[0].sort_text, "expected": sorts}
        elif suggestion is None and hint is None:
            suggestion = did_you_mean(name, [name_in_base for sort, name_in_base in self.articles if sort in sorts])
        elif suggestion is not None and f" {suggestion}".endswith(f" {name}"):
            # The suggestion takes the place of the sort and the name.
            span = _with_word_before(span, key[0])
        self.report(code, span, (), suggestion, hint, **arguments)
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
            span = place.span
            if span.text.startswith(f"{thing[-1]} "):
                # Only the name at the beginning is wrong: `ther of walk`.
                span = replace(span, end_line=span.line, end_column=span.column + len(thing[-1]))
            self.report("R0213", span, (), suggestion, hint, name=thing[-1], what=what)

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
        self.report("R0206", name, suggestion=did_you_mean(name.text, list(names)), name=name.text)

    def require_free_name(self, place: s.Node, name: str) -> bool:
        """Return whether a name is unused in the base; report where it is used."""
        for (sort, declared), article in self.articles.items():
            inner = article.inner_names if isinstance(article, s.Enumeration | s.Cards | s.Board) else ()
            words = (*((article.name,) if declared and sort not in _CARD_ADDRESSED else ()), *inner)
            use = next((word for word in words if word.text == name), None)
            if use is not None:
                self.report_duplicate(place, name, use)
                return False
        return True

    def report_duplicate(self, place: s.Node, name: str, there: s.Node) -> None:
        """Report that an added part exists already."""
        own = there.span.source == place.span.source
        code, hint = ("R0202", None) if own else ("R0207", Hint("part_there"))
        self.report(code, place, (Label(there.span, "declared"),), hint=hint, name=name)

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
        return s.strings_in(tuple(old for key, old in self.replaced.items() if key == what[:2]))

    def _articles_named(self, name: str) -> list[s.Declaration]:
        """Return the articles of the base with this name, of any sort."""
        return [old for (_, article_name), old in self.articles.items() if article_name == name]

    def _elsewhere(self, name: str, article: s.Declaration) -> tuple[str | None, Hint | None]:
        """Return a suggestion and a hint for a name that belongs to an article of another sort in the base."""
        same = self._articles_named(name)
        if isinstance(article, s.SetSetting):
            for old in self.articles.values():
                if isinstance(old, s.Deck | s.Track) and name in old.part_names:
                    return f"{name} in {old.name.text}", None
                if isinstance(old, s.Deck | s.Track) and old.name.text == name and old.listed_parts:
                    return f"{old.part_names[0]} in {name}", None
                if isinstance(old, s.LookupTable) and old.name.text == name and old.rows:
                    keys = (old.rows[0].key, *old.columns[:1])
                    return f"{name}[{', '.join(key.part_text for key in keys)}]", None
                if isinstance(old, s.LookupTable) and any(row.key.part_text == name for row in old.rows):
                    return f"row {name} of {old.name.text}", None
        if isinstance(article, s.SetCell | s.SetRow | s.SetCount):
            part = article.keys[0] if isinstance(article, s.SetCell) else article.name_node
            form = next(filter(None, (set_form(old, part.part_text) for old in same)), None)
            return None, Hint("set_as", {"form": form}) if form is not None else None
        if not same and isinstance(article, s.SetSetting) and name in get_args(s.FactName):
            return None, Hint("form", {"form": f"set {name} to 10"})
        if not same:
            # The course of the game is an article without a name.
            return name if (name, "") in self.articles else None, None
        sort = same[0].sort_text
        if isinstance(article, s.SetSetting):
            return None, Hint("replace_instead", {"article": f"replace {sort} {name}"})
        if isinstance(article, s.PartialChange) and not same[0].listed_parts:
            return None, None
        return f"{sort} {name}", None


def _with_word_before(span: Span, word: str) -> Span:
    """Return a span that also covers the word before it."""
    before = span.source.line(span.line)[: span.column - 1]
    return replace(span, column=before.rindex(word) + 1) if before.rstrip().endswith(word) else span


def set_form(article: s.Declaration, part: str) -> str:
    """Return an example of setting a part of an article; empty if no part of it can be set."""
    if isinstance(article, s.LookupTable) and article.rows:
        rows, columns = [row.key.part_text for row in article.rows], article.column_names
        cell = [part if part in rows else rows[0], *([part] if part in columns else columns[:1])]
        return f"set {article.name.text}[{', '.join(cell)}] to …"
    if isinstance(article, s.Deck | s.Track) and article.listed_parts:
        names = article.part_names
        return f"set {part if part in names else names[0]} in {article.name.text} to …"
    return f"set {article.name.text} to …" if isinstance(article, s.Setting) else ""


def _label(what: Sequence[str]) -> str:
    """Return the name to be shown for a thing: that of its article, or the sort of one without a name."""
    return next((name for name in what[1:2] if name), what[0])


# ---- `set` -----------------------------------------------------------------------------------------------------------


def _set_value(patch: PatchContext, change: s.ValueChange) -> None:
    """Set an option, a row or cell of a table, the count of a card in a deck, or the spaces of a track's phase."""
    name = change.name.text
    sets_track = isinstance(change, s.SetCount) and ("track", name) in patch.articles
    key: s.Key = ("track" if sets_track else change.changed_sort, name)
    if patch.require_article(key, change):
        old = patch.articles[key]
        new = _SETTERS[type(change)](patch, old, change)
        if new is not None and not s.same(old, new):
            patch.replace_article(key, new, change)


def _setting(patch: PatchContext, option: s.Setting, change: s.SetSetting) -> s.Declaration | None:
    patch.claim_exclusively(change.name, *s.key_of(option))
    return replace(option, value=change.value) if _fits(patch, change.value, option) else None


def _fits(patch: PatchContext, value: s.Expression, option: s.Setting) -> bool:
    """Return whether a literal fits the type of an option; report it if not, without checking the base."""
    kinds = {s.Number: "number", s.Truth: "yes or no"}
    kind, expected = kinds.get(type(value)), kinds.get(type(option.value))
    truth = None
    if isinstance(value, s.Name):
        kind = value.text
        translation = WORDS.get(value.text, WORDS.get(value.text.lower()))
        truth = translation if translation in ("yes", "no") and isinstance(option.value, s.Truth) else None
    if kind is None or expected is None or kind == expected:
        return True
    label = Label(option.name.span, "declared")
    patch.report("R0301", value, (label,), truth, _value_hint(option), found=kind, expected=expected)
    return False


def _value_hint(option: s.Setting) -> Hint:
    """Return a hint with the values that an option can have."""
    if isinstance(option.value, s.Truth):
        return Hint("write_instead", {"values": "yes, no"})
    if option.low is not None and option.high is not None:
        return Hint("write_number", {"low": str(option.low), "high": str(option.high)})
    return Hint("write_instead", {"values": "0, 1, 2"})


def _with_part(patch: PatchContext, article: s.Declaration, place: s.Expression, **new: Any) -> s.Declaration | None:
    """Return an article with new values in the part that an expression names; None after reporting a missing one."""
    name, names, parts = place.part_text, article.part_names, article.listed_parts
    if name not in names:
        patch.report_missing(place, article.name.text, (*s.key_of(article), name), names)
        return None
    number = names.index(name)
    changed: Any = replace(cast(Any, parts[number]), span=place.span, **new)
    return article.with_parts((*parts[:number], changed, *parts[number + 1 :]))


def _count(patch: PatchContext, old: s.Deck | s.Track, change: s.SetCount) -> s.Declaration | None:
    face, name, names, key = change.face, change.face.part_text, old.part_names, s.key_of(old)
    patch.claim_exclusively(face, *key, name)
    if isinstance(old, s.Track):
        return _with_part(patch, old, face, spaces=change.count)
    if name in names:
        return _with_part(patch, old, face, count=change.count)
    cards = patch.articles.get(("cards", old.cards.text))
    if cards is not None and isinstance(face, s.Name | s.Called) and face.name_text in cards.part_names:
        # a card of this sort that is not in the base's deck
        return old.with_parts((*old.copies, s.Copies(face.span, change.count, face)))
    others = (d for d in patch.articles.values() if isinstance(d, s.Deck) and d is not old)
    other_deck = next((d.name.text for d in others if name in d.part_names), None)
    suggestion = f"{name} in {other_deck}" if other_deck is not None else None
    patch.report_missing(face, old.name.text, (*key, name), names, suggestion)
    return None


def _row(patch: PatchContext, table: s.LookupTable, change: s.SetRow) -> s.Declaration | None:
    name = change.key.part_text
    patch.claim_exclusively(change.key, "table", table.name.text, name)
    if name in table.column_names and table.rows:
        form = f"set {table.name.text}[{table.part_names[0]}, {name}] to …"
        patch.report("R0213", change.key, hint=Hint("set_as", {"form": form}), name=name, what=table.name.text)
        return None
    return _with_part(patch, table, change.key, cells=change.cells)


def _cell(patch: PatchContext, table: s.LookupTable, change: s.SetCell) -> s.Declaration | None:
    name, keys, columns = table.name.text, change.keys, table.column_names
    texts = [key.part_text for key in keys]
    patch.claim_exclusively(change, "table", name, *texts)
    row = next((r for r in table.rows if r.part_name == texts[0]), None)
    if row is None and texts in [[column, row_name] for row_name in table.part_names for column in columns]:
        patch.report("R0216", keys[0].span.to(keys[1].span), suggestion=f"{texts[1]}, {texts[0]}", table=name)
        return None
    if row is None:
        return _with_part(patch, table, keys[0])
    if len(keys) > 1 and texts[1] not in columns:
        patch.report_missing(keys[1], name, (*s.key_of(table), texts[1]), columns)
        return None
    column = columns.index(texts[1]) if len(keys) > 1 else 0
    expected = 2 if table.columns else 1
    if len(keys) != expected or column >= len(row.cells):
        hint = Hint("set_as", {"form": set_form(table, texts[0])})
        patch.report("R0302", change, hint=hint, name=name, found=len(keys), expected=expected)
        return None
    return _with_part(patch, table, row.key, cells=(*row.cells[:column], change.value, *row.cells[column + 1 :]))


#: Function that returns an article with the new value, or None if it cannot be set, by the class of the change.
_SETTERS: Mapping[type[s.Declaration], Callable[[PatchContext, Any, Any], s.Declaration | None]] = {
    s.SetSetting: _setting, s.SetCount: _count, s.SetRow: _row, s.SetCell: _cell,
}  # fmt: skip

# ---- parts and steps -------------------------------------------------------------------------------------------------


#: Path component of options below their choice.
_OPTION = "option"


def _store(patch: PatchContext, key: s.Key, article: s.Declaration, change: s.Declaration) -> None:
    """Store an article with a changed part, keeping the sources of the base."""
    old = patch.articles[key]
    patch.replaced.setdefault(key, old)
    old_sources = set(old.sources)
    new = (source for source in change.sources or patch.sources if source not in old_sources)
    patch.replace_article(key, article, replace(change, sources=(*old.sources, *new)))


# ---- lists ---------------------------------------------------------------------------------------------------------


def _add_to(patch: PatchContext, change: s.AddTo) -> None:
    if change.sort == "choice":
        _add_options(patch, change)
        return
    key = _key(change.sort, change.name)
    if not patch.require_article(key, change):
        return
    article = patch.articles[key]
    if change.columns:
        assert isinstance(article, s.LookupTable)
        new: s.Declaration | None = _with_columns(patch, article, change)
    else:
        parts = _merged_parts(patch, key, article.listed_parts, change)
        new = article.with_parts(parts) if parts is not None else None
    if new is not None:
        _store(patch, key, new, change)


def _merged_parts(
    patch: PatchContext, key: tuple[str, ...], old: Sequence[s.Part], change: s.AddTo
) -> tuple[s.Part, ...] | None:
    """Return the old and the new parts in order; None if a new one cannot be added."""
    parts = list(old)
    position = len(parts)
    if change.anchor is not None:
        names = [part.part_name for part in parts]
        neighbour = change.anchor.part_text
        if neighbour not in names:
            span, hint = change.anchor.span, None
            if change.sort == "choice" and (change.side, neighbour) == ("before", "otherwise"):
                # New options come last, which is before `otherwise`.
                hint = Hint("leave_out", {"word": "before otherwise"})
                span = replace(span, column=change.name.span.end_column + 1)
            patch.report_missing(s.Word(span, neighbour), change.name.text, (*key, neighbour), names, hint=hint)
            return None
        position = names.index(neighbour) + (change.side == "after")
    all_added = True
    for part in change.parts:
        name, place = part.part_name, part.name_node
        free = patch.record_change(place, *key, name)
        same = next((i for i, existing in enumerate(parts) if name and existing.part_name == name), None)
        existing = parts[same] if same is not None else None
        if same is None:
            parts.insert(position, part)
            position += 1
        elif isinstance(part, s.Copies) and isinstance(existing, s.Copies):
            parts[same] = replace(existing, count=existing.count + part.count, span=part.span)
        elif free:
            patch.report_duplicate(place, name, parts[same].name_node)
            free = False
        if isinstance(part, s.Word | s.Face) and same is None and free:
            free = patch.require_free_name(place, name)
        all_added = all_added and free
    return tuple(parts) if all_added else None


def _with_columns(patch: PatchContext, table: s.LookupTable, change: s.AddTo) -> s.Declaration | None:
    before = len(patch.diagnostics)
    name = table.name.text
    if not table.columns:
        column = change.columns[0]
        patch.report("R0416", column, hint=Hint("no_columns"), statement=column.part_text)
        return None
    for column in change.columns:
        same = next((c for c in table.columns if c.part_text == column.part_text), None)
        if patch.record_change(column, "table", name, "", column.part_text) and same is not None:
            patch.report_duplicate(column, column.part_text, same)
    rows_by_key = {row.part_name: row for row in change.parts if isinstance(row, s.TableRow)}
    for key, row in rows_by_key.items():
        if key not in table.part_names:
            patch.report_missing(row.key, name, ("table", name, key), table.part_names)
        elif len(row.cells) != len(change.columns):
            expected = len(change.columns)
            patch.report("R0402", row.key, table=name, row=key, found=len(row.cells), expected=expected)
    rows = []
    for old in table.rows:
        addition = rows_by_key.get(old.part_name)
        if addition is None:
            patch.report("R0401", change.name, table=name, row=old.part_name)
        else:
            rows.append(replace(old, cells=(*old.cells, *addition.cells), span=addition.span))
    if len(patch.diagnostics) > before:
        return None
    return replace(table, columns=(*table.columns, *change.columns), rows=tuple(rows))


def _other_place(
    patch: PatchContext, change: s.RemoveFrom, article: s.Declaration, name: str
) -> tuple[s.Node, str | None]:
    """Return the place and suggestion for a missing part: the name of the only other article that has it."""
    others = [
        article_beside
        for article_beside in patch.articles.values()
        if type(article_beside) is type(article) and article_beside is not article
    ]
    having = [article_beside.name.text for article_beside in others if name in article_beside.part_names]
    return (change.name, having[0]) if len(having) == 1 else (change.part, None)


def _remove_from(patch: PatchContext, change: s.RemoveFrom) -> None:
    if change.sort == "choice":
        _remove_option(patch, change)
    elif change.sort in get_args(s.ProcedureSort):
        _remove_step(patch, change)
    else:
        _remove_part(patch, change)


def _remove_part(patch: PatchContext, change: s.RemoveFrom) -> None:
    key = _key(change.sort, change.name)
    if not patch.require_article(key, change):
        return
    article, name = patch.articles[key], change.part.part_text
    parts = tuple(part for part in article.listed_parts if part.part_name != name)
    columns = [column.part_text for column in article.columns] if isinstance(article, s.LookupTable) else []
    if len(parts) == len(article.listed_parts) and name not in columns:
        place, suggestion = _other_place(patch, change, article, name)
        patch.report_missing(place, key[1], (*key, name), (*article.part_names, *columns), suggestion)
        return
    if not patch.claim_exclusively(change.part, *key, name, gone=True) or not _some_left(patch, change, name, parts):
        return
    if isinstance(article, s.LookupTable) and name in columns:
        column_index = columns.index(name)
        if len(columns) == 1:
            _some_left(patch, change, name, ())
            return
        rows = (row for row in article.rows if row.part_name != name)
        parts = tuple(replace(row, cells=(*row.cells[:column_index], *row.cells[column_index + 1 :])) for row in rows)
        article = replace(article, columns=(*article.columns[:column_index], *article.columns[column_index + 1 :]))
    _store(patch, key, article.with_parts(parts), change)


def _some_left(patch: PatchContext, change: s.RemoveFrom, name: str, left: Sequence[object]) -> bool:
    """Return whether anything remains after a part is removed; report it if not."""
    if not left:
        patch.report("R0211", change.part, hint=Hint("none_left"), name=name)
    return bool(left)


# ---- choices -------------------------------------------------------------------------------------------------------


def _in_choices(
    patch: PatchContext, change: s.Declaration, new: Callable[[s.Key, s.Decision], s.Decision | None]
) -> None:
    """Change every choice with the name of `change`; `new` returns the new choice, or None to keep the old one."""
    name = change.name.text
    keys = [key for key, article in patch.articles.items() if name in _choice_names(article)]
    if not keys:
        patch.report_no_choice(change.name, _choice_names)
    for key in keys:
        article = patch.articles[key]
        assert isinstance(article, s.Procedure)
        before = len(patch.diagnostics)

        def edit(step: s.Statement, key: s.Key = key) -> Sequence[s.Statement]:
            if isinstance(step, s.Decision) and step.name is not None and step.name.text == name:
                return (new(key, step) or step,)
            return (step,)

        body = s.with_steps(article.body, edit)
        if len(patch.diagnostics) > before:
            return
        _store(patch, key, replace(article, body=body), change)


def _choice_names(article: s.Declaration) -> Iterable[str]:
    return (name for name, _ in article.named_choices)


def _no_option(patch: PatchContext, key: s.Key, at: s.Word, choice: s.Decision, option: s.Word) -> None:
    """Report that the choice named `at` has no such option; suggest the only other choice that has it."""
    named_ones = (named for article in patch.articles.values() for named in article.named_choices)
    others = {name for name, named_choice in named_ones if option.text in (c.name.text for c in named_choice.options)}
    if len(others) == 1:
        patch.report("R0213", at, suggestion=others.pop(), name=option.text, what=at.text)
    else:
        patch.report_missing(
            option, at.text, (*key, at.text, _OPTION, option.text), [c.name.text for c in choice.options]
        )


def _with_option(
    patch: PatchContext, key: s.Key, choice: s.Decision, change: s.AllowOnly | s.SetOffered,
    new: Callable[[s.Option], s.Option],
) -> s.Decision | None:  # fmt: skip
    """Return a choice with one option changed; None if it has no such option."""
    name = change.option.text
    if name not in (option.name.text for option in choice.options):
        _no_option(patch, key, change.name, choice, change.option)
        return None
    return replace(choice, options=tuple(new(c) if c.name.text == name else c for c in choice.options))


def _add_options(patch: PatchContext, change: s.AddTo) -> None:
    def new(key: s.Key, choice: s.Decision) -> s.Decision | None:
        index = next(number)
        addition = change if not index else copied(change)
        parts = _merged_parts(patch, (*key, change.name.text, _OPTION), choice.options, addition)
        if parts is None:
            return None
        choices = tuple(part for part in parts if isinstance(part, s.Option))
        if addition.otherwise is None:
            return replace(choice, options=choices)
        if isinstance(choice, s.ChooseSimultaneously):
            patch.report("R0416", change, statement="otherwise")
            return None
        if choice.otherwise is not None:
            patch.report_duplicate(change.name, "otherwise", choice.name or choice)
            return None
        patch.record_change(change.name, *key, change.name.text, "otherwise")
        return replace(choice, options=choices, otherwise=addition.otherwise)

    number = count()
    _in_choices(patch, change, new)


def _remove_option(patch: PatchContext, change: s.RemoveFrom) -> None:
    name = change.part.part_text

    def new(key: s.Key, choice: s.Decision) -> s.Decision | None:
        remaining = tuple(c for c in choice.options if c.name.text != name)
        if len(remaining) == len(choice.options):
            _no_option(patch, key, change.name, choice, s.Word(change.part.span, name))
            return None
        free = patch.claim_exclusively(change.part, *key, change.name.text, _OPTION, name, gone=True)
        return replace(choice, options=remaining) if free and _some_left(patch, change, name, remaining) else None

    _in_choices(patch, change, new)


def _allow_only(patch: PatchContext, change: s.AllowOnly) -> None:
    def new(key: s.Key, choice: s.Decision) -> s.Decision | None:
        def option(old: s.Option) -> s.Option:
            condition = copied(change.condition)
            if old.condition is not None:
                condition = s.Logical(condition.span, "and", (old.condition, condition))
            return replace(old, condition=condition)

        free = patch.record_change(change.option, *key, change.name.text, _OPTION, change.option.text, "if")
        return _with_option(patch, key, choice, change, option) if free else None

    _in_choices(patch, change, new)


def _set_offered(patch: PatchContext, change: s.SetOffered) -> None:
    parameter_name = change.parameter.text

    def new(key: s.Key, choice: s.Decision) -> s.Decision | None:
        def option(old: s.Option) -> s.Option:
            names = [offered.name.text for offered in old.parameters]
            if parameter_name not in names:
                thing = (*key, change.name.text, _OPTION, change.option.text, parameter_name)
                patch.report_missing(change.parameter, change.option.text, thing, names)
                return old
            new = (
                replace(o, domain=copied(change.domain)) if o.name.text == parameter_name else o for o in old.parameters
            )
            return replace(old, parameters=tuple(new))

        free = patch.claim_exclusively(
            change.parameter, *key, change.name.text, _OPTION, change.option.text, parameter_name
        )
        return _with_option(patch, key, choice, change, option) if free else None

    _in_choices(patch, change, new)


# ---- steps ---------------------------------------------------------------------------------------------------------


def _in_steps(
    patch: PatchContext, change: s.Insert | s.RemoveFrom | s.SetStep, place: s.Node, name: str,
    new: Callable[[s.Statement], Sequence[s.Statement] | None],
) -> None:  # fmt: skip
    """Change every step with this name in the rule that `change` names; `new` returns the steps that replace it."""
    key = _key(change.sort, change.name)
    article = patch.articles[key]
    assert isinstance(article, s.Procedure)
    was_found = False

    def edit(step: s.Statement) -> Sequence[s.Statement]:
        nonlocal was_found
        replacement = new(step) if name == step.label else None
        was_found = was_found or replacement is not None
        return (step,) if replacement is None else replacement

    body = s.with_steps(article.body, edit)
    if not was_found:
        steps = [step for step in article.steps if step.label]
        form = f"remove {name} from {' '.join(filter(None, key))}"
        # There is such a step, but without a value.
        hint = Hint("no_value", {"form": form}) if any(step.label == name for step in steps) else None
        names = (step.label for step in steps if new(step) is not None)
        patch.report_missing(place, key[1] or key[0], (*key, name), names, hint=hint)
    else:
        _store(patch, key, replace(article, body=body), change)


def _insert(patch: PatchContext, change: s.Insert) -> None:
    key = _key(change.sort, change.name)
    if not patch.require_article(key, change):
        return
    article = patch.articles[key]
    assert isinstance(article, s.Procedure)
    step = change.step.text if change.step is not None else ""
    if not patch.record_change(change.step or change.name, *key, step, change.side):
        return
    if change.step is None:
        before = change.side == "before"
        changed = replace(article, body=(*change.body, *article.body)) if before else article.ending_with(change.body)
        _store(patch, key, changed, change)
        return
    number = count()

    def new(old: s.Statement) -> Sequence[s.Statement]:
        body = copied(change.body) if next(number) else change.body
        return (*body, old) if change.side == "before" else (old, *body)

    _in_steps(patch, change, change.step, step, new)


def _remove_step(patch: PatchContext, change: s.RemoveFrom) -> None:
    key, step = _key(change.sort, change.name), change.part.part_text
    if patch.require_article(key, change):
        before = len(patch.diagnostics)
        _in_steps(patch, change, change.part, step, lambda old: ())
        if len(patch.diagnostics) == before:
            patch.claim_exclusively(change.part, *key, step, gone=True)


def _set_step(patch: PatchContext, change: s.SetStep) -> None:
    key, step = _key(change.sort, change.name), change.step.text

    def new(old: s.Statement) -> Sequence[s.Statement] | None:
        value = copied(change.value)
        return (replace(old, value=value),) if isinstance(old, s.Let | s.Assign) else None

    if patch.require_article(key, change) and patch.claim_exclusively(change.step, *key, step, "value"):
        _in_steps(patch, change, change.step, step, new)


def _key(sort: s.ListSort | s.ProcedureSort, name: s.Word) -> s.Key:
    """Return the key of the changed article."""
    assert sort != "choice"
    return (sort, "" if s.SORTS[sort].single else name.text)


# ---- whole articles --------------------------------------------------------------------------------------------------


def _replace(patch: PatchContext, change: s.Replace) -> None:
    new, key = change.article, s.key_of(change)
    if patch.require_article(key, change) and patch.claim_exclusively(new.name, *key, gone=True):
        patch.replaced.setdefault(key, patch.articles[key])
        patch.articles[key] = patch.with_sources(new)
        patch.origin[key] = patch.name


def _remove(patch: PatchContext, change: s.Remove) -> None:
    key: s.Key = (change.sort, change.name.text)
    if patch.require_article(key, change) and patch.claim_exclusively(change.name, *key, gone=True):
        patch.replaced.setdefault(key, patch.articles.pop(key))
        patch.origin[key] = patch.name


def _add(patch: PatchContext, article: s.Declaration) -> None:
    key = s.key_of(article)
    if not patch.record_change(article.name, *key):
        return
    if key in patch.articles:
        first = Label(patch.articles[key].name.span, "declared")
        instead = f"set {article.name.text} to {article.value.span.text}" if isinstance(article, s.Setting) else None
        patch.report("R0207", article if instead else article.name, (first,), instead, name=article.name.text)
    else:
        patch.new.append(patch.with_sources(article))
        patch.origin[key] = patch.name


#: Function that applies a change, by its class.
_CHANGES: Mapping[type[s.Declaration], Callable[[PatchContext, Any], None]] = {
    **dict.fromkeys(_SETTERS, _set_value), s.Replace: _replace, s.Remove: _remove, s.AddTo: _add_to,
    s.RemoveFrom: _remove_from, s.Insert: _insert, s.SetStep: _set_step, s.AllowOnly: _allow_only,
    s.SetOffered: _set_offered,
}  # fmt: skip


def apply_article(patch: PatchContext, article: s.Declaration) -> None:
    """Apply a change or a new article to the articles of the base, or report why that is impossible."""
    _CHANGES.get(type(article), _add)(patch, article)
