"""The articles of a base while a variant changes them: what has been changed, and what is wrong with a change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from wongar_dsl import syntax as s
from wongar_dsl.syntax import walk
from wongar_dsl.text.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.text.span import Span
from wongar_dsl.text.suggest import did_you_mean
from wongar_dsl.variants.parts import names_in, part_name, parts_of, written

#: What a change touches, from the whole to the part: `("table", "worth", "red", "high")`.
Thing = tuple[str, ...]


#: Effects are called as their cards are.
_APART = ("effect",)


@dataclass(frozen=True, slots=True)
class Touch:
    """Where a variant touches something; `gone`: what stood there is no longer there."""

    span: Span
    gone: bool = False


@dataclass(slots=True)
class Amendment:
    """A variant at work on the articles of its base.

    `sources` are the variant's own; `beside` is what variants that it is combined with, and does not build on, have
    touched, and where.
    """

    name: str
    sources: tuple[s.Citation, ...]
    articles: dict[s.Key, s.Article]
    origin: dict[s.Key, str]
    changed: dict[s.Key, tuple[str, ...]]
    replaced: dict[s.Key, s.Article]
    places: dict[s.Key, Span]
    beside: Mapping[Thing, Touch]
    found: list[Diagnostic] = field(default_factory=list)
    new: list[s.Article] = field(default_factory=list)
    #: What this variant has set, replaced or removed: that can be done once.
    done: dict[Thing, Span] = field(default_factory=dict)
    #: All that it has touched.
    touched: dict[Thing, Touch] = field(default_factory=dict)

    def put(self, key: s.Key, article: s.Article, change: s.Article) -> None:
        """An article of which a part has been changed."""
        self.articles[key] = replace(article, sources=change.sources or self.sources or article.sources)
        self.places[key] = change.name.span
        self.changed[key] = tuple(dict.fromkeys((*self.changed.get(key, ()), self.name)))

    def sourced(self, article: s.Article) -> s.Article:
        """An article of the variant, with the variant's own source where it names none."""
        return article if article.sources else replace(article, sources=self.sources)

    # ---- what is touched -------------------------------------------------------------------------------------------

    def claim(self, place: s.Node, *what: str, gone: bool = False) -> bool:
        """Note what is changed; where this variant has changed it before, one of the two would be lost in silence.

        False where it belongs to a variant beside this one.
        """
        before = next((span for done, span in self.done.items() if done[: len(what)] == what), None)
        if before is not None and before != place.span:
            self.twice(place, what, before)
        self.done[what] = place.span
        return self.touch(place, *what, gone=gone)

    def touch(self, place: s.Node, *what: str, gone: bool = False) -> bool:
        """As `claim`, for what a variant can do more than once."""
        self.touched[what] = Touch(place.span, gone)
        for other, touch in self.beside.items():
            if other[: len(what)] == what or what[: len(other)] == other:
                self.clash(place, what, touch)
                return False
        return True

    def twice(self, place: s.Node, what: Thing, before: Span) -> None:
        """Note that the variant has changed this before."""
        self.found.append(Diagnostic("R0212", place.span, {"name": _shown(what)}, (Label(before, "first"),)))

    def clash(self, place: s.Node, what: Thing, other: Touch) -> None:
        """Note that a variant beside this one touches the same."""
        self.found.append(Diagnostic("R0214", place.span, {"name": _shown(what)}, (Label(other.span, "other"),)))

    # ---- what is there ---------------------------------------------------------------------------------------------

    def exists(self, key: s.Key, article: s.Article) -> bool:
        """Whether the base has an article; False after noting what is wrong."""
        if key in self.articles:
            return True
        name = key[1] or key[0]
        if self._gone(article.name, key):
            return False
        code = "R0208" if isinstance(article, s.SetOption) else "R0206"
        arguments: dict[str, str | tuple[str, ...]] = {"name": name}
        sorts = ("deck", "track") if isinstance(article, s.SetCount) else (key[0],)
        suggestion, hint = self._elsewhere(name, article)
        same = self._called(name)
        if same and isinstance(article, s.SetCell | s.SetRow | s.SetCount):
            code, arguments = "R0203", {"name": name, "found": _sort(same[0]), "expected": sorts}
        elif suggestion is None and hint is None:
            suggestion = did_you_mean(name, [known for sort, known in self.articles if sort in sorts])
        self.found.append(Diagnostic(code, article.name.span, arguments, (), suggestion, hint))
        return False

    def missing(
        self, place: s.Node, what: str, thing: Thing, known: Iterable[str], suggestion: str | None = None
    ) -> None:
        """Note that `what`, an article or choice of the base, has no part that is called as `thing` ends."""
        if not self._gone(place, thing):
            suggestion = suggestion or did_you_mean(thing[-1], list(dict.fromkeys(known)))
            arguments = {"name": thing[-1], "what": what}
            self.found.append(Diagnostic("R0213", place.span, arguments, suggestion=suggestion))

    def no_choice(self, name: s.Word, choices: Callable[[s.Article], Iterable[str]]) -> None:
        """Note that nobody is given a choice of this name; `choices` tells their names in an article."""
        for key, old in self.replaced.items():
            other = next((touch for thing, touch in self.beside.items() if thing[:2] == key and touch.gone), None)
            if other is not None and name.text in choices(old):
                self.clash(name, key, other)
                return
        known = dict.fromkeys(choice for article in self.articles.values() for choice in choices(article))
        suggestion = did_you_mean(name.text, list(known))
        self.found.append(Diagnostic("R0206", name.span, {"name": name.text}, suggestion=suggestion))

    def free(self, place: s.Node, name: str) -> bool:
        """Whether nothing in the base is called so by which it could be meant; False after noting what is."""
        for (sort, known), article in self.articles.items():
            words = (*((article.name,) if known and sort not in _APART else ()), *names_in(article))
            there = next((word for word in words if word.text == name), None)
            if there is not None:
                self.taken(place, name, there)
                return False
        return True

    def taken(self, place: s.Node, name: str, there: s.Node) -> None:
        """Note that an addition is there already."""
        label, hint = Label(there.span, "declared"), Hint("part_there")
        if there.span.source is place.span.source:
            self.found.append(Diagnostic("R0202", place.span, {"name": name}, (label,)))
            return
        self.found.append(Diagnostic("R0207", place.span, {"name": name}, (label,), hint=hint))

    def _gone(self, place: s.Node, what: Thing) -> bool:
        """Whether something is missing because this variant, or one beside it, has done away with it."""
        own = self.touched.get(what)
        if own is not None and own.gone:
            self.twice(place, what, own.span)
            return True
        other = next((touch for thing, touch in self.beside.items() if thing[:2] == what[:2] and touch.gone), None)
        if other is None or (len(what) > 2 and what[-1].partition("(")[0] not in self._words_before(what)):
            return False
        self.clash(place, what, other)
        return True

    def _words_before(self, what: Thing) -> set[str]:
        """The words of an article before anything was taken away from it."""
        nodes = [node for key, old in self.replaced.items() if key == what[:2] for node in walk(old)]
        values = (getattr(node, part.name) for node in nodes for part in fields(node))
        return {value for value in values if isinstance(value, str)}

    def _called(self, name: str) -> list[s.Article]:
        """The articles of the base that have this name, of whatever sort."""
        return [old for (_, known), old in self.articles.items() if known == name]

    def _elsewhere(self, name: str, article: s.Article) -> tuple[str | None, Hint | None]:
        """What the name is in the base, where it is something of another sort: how that is changed."""
        same = self._called(name)
        if isinstance(article, s.SetOption):
            for old in self.articles.values():
                if isinstance(old, s.Deck | s.Track) and name in map(part_name, parts_of(old)):
                    return f"{name} in {old.name.text}", None
                if isinstance(old, s.Deck | s.Track) and old.name.text == name and parts_of(old):
                    return f"{part_name(parts_of(old)[0])} in {name}", None
                if isinstance(old, s.Table) and old.name.text == name and old.rows:
                    keys = (old.rows[0].key, *old.columns[:1])
                    return f"{name}[{', '.join(map(written, keys))}]", None
                if isinstance(old, s.Table) and any(written(row.key) == name for row in old.rows):
                    return f"row {name} of {old.name.text}", None
        if isinstance(article, s.SetCell | s.SetRow | s.SetCount):
            part = article.face if isinstance(article, s.SetCount) else None
            part = article.key if isinstance(article, s.SetRow) else part
            part = article.keys[0] if isinstance(article, s.SetCell) else part
            named = written(part) if part is not None else ""
            form = next(filter(None, (set_form(old, named) for old in same)), None)
            return None, Hint("set_as", {"form": form}) if form is not None else None
        if not same:
            return None, None
        sort = _sort(same[0])
        if isinstance(article, s.SetOption):
            return None, Hint("replace_instead", {"article": f"replace {sort} {name}"})
        if isinstance(article, s.PartialChange) and not parts_of(same[0]):
            return None, None
        return f"{sort} {name}", None


def _sort(article: s.Article) -> str:
    """What an article is declared with."""
    return article.kind if isinstance(article, s.Zone) else s.key_of(article)[0]


def set_form(article: s.Article, part: str) -> str:
    """How a part of an article is set; empty where no part of it can be."""
    if isinstance(article, s.Table) and article.rows:
        rows, columns = [written(row.key) for row in article.rows], list(map(written, article.columns))
        cell = [part if part in rows else rows[0], *([part] if part in columns else columns[:1])]
        return f"set {article.name.text}[{', '.join(cell)}] to …"
    if isinstance(article, s.Deck | s.Track) and parts_of(article):
        names = list(map(part_name, parts_of(article)))
        return f"set {part if part in names else names[0]} in {article.name.text} to …"
    return f"set {article.name.text} to …" if isinstance(article, s.Option) else ""


def _shown(what: Sequence[str]) -> str:
    """What is told of a thing: the name of its article, or its sort where it has none."""
    return next((name for name in what[1:2] if name), what[0])
