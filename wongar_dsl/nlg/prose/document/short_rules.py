"""The author's summary of the rules: its paragraphs, and what of them holds in a variant or with changed settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, takewhile
from typing import Literal, NamedTuple

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import ENDING, Block, Prose, Rulebook, Section
from wongar_dsl.nlg.prose.game_facts import occasions, unreached_with_cards
from wongar_dsl.nlg.prose.micro.sentence_plan import PlanLine, frames
from wongar_dsl.nlg.words import Sentence, Term, Translator

#: Keys of the section and the block with the summary, and of the section on the end of the game.
SHORT, END = "short", "end"
#: Messages that mark a paragraph whose declarations were changed, and introduce the text of these declarations.
USUAL, DIFFERENT = "rules.usual", "rules.different"


class ShortParagraph(NamedTuple):
    """A paragraph of the summary.

    Of what it says, everything holds (`as written`), or part of it (`usually`). It is `outdated` if all of its
    declarations were replaced, one of them was removed, or its rules and effects cannot be reached. `different` are the
    declarations whose own text tells what differs.
    """

    message: str
    holds: Literal["as written", "usually", "outdated"]
    different: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShortRules:
    """The summary of one game."""

    model: Model
    words: Translator

    def paragraphs(self) -> Iterator[ShortParagraph]:
        """Yield the paragraphs about the game, then about its variants."""
        for message in self._messages:
            yield self._paragraph(message)

    def articles(self, message: str) -> tuple[str, ...]:
        """Return the declarations that the author names for a paragraph."""
        return self._listed[message]

    def _paragraph(self, message: str) -> ShortParagraph:
        listed, intended = self._listed[message], self._known(message)
        changed = {
            key: self._articles_of_change(key, intended, listed) for key in listed if self._is_outdated(key, intended)
        }
        if not changed:
            return ShortParagraph(message, "as written")
        lost, expressed = (
            {*listed} - {*self._articles},
            {by for articles_of_change in changed.values() for by in articles_of_change},
        )
        # A variant's own paragraph needs no other text beside it.
        told = self._told_by_variants(intended)
        different = dict.fromkeys(
            by for key, articles_of_change in changed.items() if key not in told for by in articles_of_change
        )
        if lost and not expressed:
            # A removed declaration has no text, so the other declarations of the paragraph are shown instead.
            different = dict.fromkeys(key for key in listed if not self._unreachable(key))
        # A procedure may have been changed, but not replaced.
        procedures = [key for key in changed if isinstance(self._articles.get(key), s.Procedure)]
        procedures = [key for key in procedures if self.model.is_changed(key, intended)]
        partly = any(self.model.merged.origin[s.key_of(self._articles[key])] in intended for key in procedures)
        rules = [key for key in listed if isinstance(self._articles.get(key), s.Rule | s.Effect)]
        gone = bool(rules) and all(map(self._unreachable, rules))
        outdated = lost or gone or ({*listed} <= {*changed, *expressed} and not partly)
        different_keys = tuple(key for key in different if key not in told)
        return ShortParagraph(message, "outdated" if outdated else "usually", different_keys)

    # ---- what a paragraph speaks of ----

    @cached_property
    def _articles(self) -> dict[str, s.Declaration]:
        return self.model.merged.texts()

    @cached_property
    def _messages(self) -> tuple[str, ...]:
        return tuple(_messages(self.words, self.model.scope, self.model.merged.names))

    @cached_property
    def _listed(self) -> dict[str, tuple[str, ...]]:
        """The declarations that the author names for each paragraph."""
        return {message: self.words.articles(message, self.model.scope)[1] for message in self._messages}

    def _known(self, message: str) -> frozenset[str]:
        """Return the game and the variants for which the author wrote a paragraph."""
        names = self.model.merged.names
        variant = message.removeprefix("rules.")
        if variant in names[1:]:
            return frozenset(names[: names.index(variant) + 1])
        full_name = self.words.articles(message, self.model.scope)[0].partition(".")[0]
        return frozenset((names[0], *full_name.split("/")[1:]))

    @cached_property
    def _used(self) -> dict[str, set[str]]:
        """The names that each procedure, definition and ranking uses, without its own."""
        using = ((k, a) for k, a in self._articles.items() if isinstance(a, s.Procedure | s.Define | s.Winner))
        return {key: names_used(article) - {article.name.text} for key, article in using}

    # ---- what has changed ----

    def _is_outdated(self, key: str, known: frozenset[str]) -> bool:
        if self.model.is_changed(key, known):
            return True
        more = not known.issuperset(self.model.merged.names)
        return more and (self._unreachable(key) or bool(self._callers_without(key, known) or self._setting(key, known)))

    def _setting(self, key: str, known: frozenset[str]) -> tuple[str, ...]:
        """Return the declarations outside `known` with a value that one reads, if it is set in another way."""
        read = self._used.get(key, set()) & self.model.declared.remembered.keys()
        new = {name for name in read if self.model.is_changed(f"changes.{name}", known)}
        using = [by for by, used in self._used.items() if not new.isdisjoint(used) and not self._unreachable(by)]
        origins = {by: self.model.merged.origin[s.key_of(self._articles[by])] for by in using if by != key}
        return tuple(by for by, name in origins.items() if name not in known or self.model.is_changed(by, known))

    def _unreachable(self, key: str) -> bool:
        article = self._articles.get(key)
        return article is None or article in self._unreached

    @cached_property
    def _unreached(self) -> frozenset[s.Declaration]:
        return unreached_with_cards(self.model)

    def _articles_of_change(self, key: str, known: frozenset[str], listed: Sequence[str]) -> tuple[str, ...]:
        """Return the declarations whose text tells a change: those of `listed` that use a changed value, else itself.

        For a rule that is no longer called as before, they are the changed declarations that called it.
        """
        if not self._unreachable(key) and self.model.is_changed(key, known):
            return articles_of_change(self._articles, key, listed)
        callers, seen = dict.fromkeys(self._setting(key, known)), [key]
        for name in seen:
            callers.update(dict.fromkeys(self._callers_without(name, known)))
            calling = (by for by, used in self._used.items() if name.partition(".")[2] in used)
            seen += (by for by in calling if by not in seen and self._unreachable(by))
        return tuple(by for by in callers if not self._unreachable(by))

    def _callers_without(self, key: str, known: frozenset[str]) -> tuple[str, ...]:
        """Return the changed declarations that called a rule or definition, if none calls it as before."""
        sort, _, name = key.partition(".")
        if sort not in ("rule", "define"):
            return ()
        without = []
        for by, article in self._articles.items():
            old = self.model.merged.replaced.get(s.key_of(article))
            if old is None or not self.model.is_changed(by, known):
                if not self._unreachable(by) and name in self._used.get(by, ()):
                    return ()
                continue
            before, now = list(occasions(old, name)), list(occasions(article, name))
            if any(s.same(occasion, other) for occasion in before for other in now):
                return ()
            without += [by] if before else []
        return tuple(without)

    def _told_by_variants(self, known: frozenset[str]) -> set[str]:
        """Return the declarations that a variant's own paragraph is about and has not been changed since."""
        return {
            key
            for message in self._messages
            if not self._known(message) <= known
            for key in self._listed[message]
            if not self.model.is_changed(key, self._known(message))
        }


def paragraph_line(paragraph: ShortParagraph, origin: s.Node) -> PlanLine:
    """Return the line for a paragraph that is not outdated; it says so if the paragraph only holds usually."""
    text = Sentence(paragraph.message)
    return PlanLine(text if paragraph.holds == "as written" else Sentence(USUAL, {"text": text}), origin, plain=False)


def authored(message: str, model: Model, words: Translator) -> Sentence:
    """Return a text of an author, with the numbers of settings and with terms in its slots."""
    slots = sorted(words.slots(message, model.scope))
    settings = model.settings
    return Sentence(message, {slot: settings[slot].start if slot in settings else Term(slot) for slot in slots})


def articles_of_change(articles: dict[str, s.Declaration], key: str, listed: Iterable[str]) -> tuple[str, ...]:
    """Return the declarations that express a change: for a value, those of `listed` that use it, else itself."""
    article = articles.get(key)
    if article is None or isinstance(article, s.Procedure | s.Define | s.Winner | s.LookupTable | s.Board | s.Deck):
        return (key,) if article is not None else ()
    uses = (name for name in listed if isinstance(articles.get(name), s.Procedure | s.Define | s.Winner))
    return tuple(name for name in uses if article.name.text in names_used(articles[name])) or (key,)


def place_of(sections: Iterable[Section], article: s.Declaration) -> tuple[Section, Block] | None:
    """Return the section and block of a declaration: its own block, or the one that contains it inline."""
    blocks = [(inner, block) for section in sections for _, inner in section.walk() for block in inner.blocks]
    exact = next((pair for pair in blocks if pair[1].key == s.key_text(article)), None)
    if exact is not None:
        return exact
    nodes = {id(node) for node in s.walk(article)}
    return next(((section, block) for section, block in blocks if _speaks_of(block, nodes)), None)


def section_of(book: Rulebook, key: str) -> str | None:
    """Return the key of the section about a declaration; None if it has none.

    The ranking, and a rule that only sets a flag that ends the game, belong to the section on the end.
    """
    keys, article = {section.key for _, section in book.walk()}, book.model.merged.texts().get(key)
    if key in keys or article is None or END not in keys:
        return key if key in keys else None
    return END if isinstance(article, s.Winner) or _is_told_at_end(book, article) else None


def _is_told_at_end(book: Rulebook, article: s.Declaration) -> bool:
    """Return whether a rule only sets a flag, and the lines on the end of the game tell of that."""
    blocks = [block for _, section in book.walk() for block in section.blocks if block.key == ENDING]
    if not blocks or not isinstance(article, s.Rule) or not only_sets_flags(book.model, article):
        return False
    inside = {id(node) for node in s.walk(article)}
    told = [node for block in blocks if isinstance(block, Prose) for f in frames(block.plans) for node in f.origins]
    called = (node.call for node in told if isinstance(node, s.Call))
    calls = any(isinstance(call, s.Called) and call.name == article.name.text for call in called)
    return calls or any(id(node) in inside for node in told)


def only_sets_flags(model: Model, article: s.Declaration) -> bool:
    """Return whether a declaration is a rule that only sets stored truth values, which its callers tell of."""
    statements = [node for node in s.walk(getattr(article, "body", ())) if isinstance(node, s.StatementNode)]
    if not isinstance(article, s.Rule) or not all(isinstance(node, s.If | s.Assign | s.Tell) for node in statements):
        return False
    targets = [node.target for node in statements if isinstance(node, s.Assign)]
    return bool(targets) and all(model.ref(t).kind == "remember" and model.types[t].kind == "truth" for t in targets)


def _speaks_of(block: Block, nodes: set[int]) -> bool:
    if isinstance(block, Prose):
        return any(id(frame.origins[0]) in nodes for frame in frames(block.plans))
    rows = getattr(block, "rows", getattr(block, "items", ()))
    return id(block.origin) in nodes or any(id(row.origin) in nodes for row in rows)


def _messages(words: Translator, scope: str, names: Sequence[str]) -> Iterator[str]:
    yield from takewhile(lambda message: words.has_message(message, scope), (f"rules.{n}" for n in count(1)))
    yield from (f"rules.{name}" for name in names[1:] if words.has_message(f"rules.{name}", scope))


def names_used(tree: s.Node) -> set[str]:
    """Return the names that a declaration, with its own, or a part of one uses."""
    names = (getattr(node, part, None) for node in s.walk(tree) for part in ("text", "name"))
    return {name for name in names if isinstance(name, str)}
