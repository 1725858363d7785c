"""Builds syntax-tree nodes of a variant's changes from the parse tree of one article."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token, v_args

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser.declaration_builder import DeclarationBuilder
from wongar_dsl.language.parser.expression_builder import of_kind, one_of_its_words


@v_args(meta=True)
class PatchBuilder(DeclarationBuilder):
    """Transformer for the changes of a variant, with one method per grammar rule."""

    # ---- of whole articles ----

    def set_option(self, meta: Any, c: list[Any]) -> s.SetOption:
        return s.SetOption(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), c[1])

    def set_cell(self, meta: Any, c: list[Any]) -> s.SetCell:
        values = of_kind(c, s.Expression)
        return s.SetCell(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), values[:-1], values[-1])

    def set_row(self, meta: Any, c: list[Any]) -> s.SetRow:
        key, *cells = of_kind(c, s.Expression)
        return s.SetRow(self._span(meta), self._words(c)[0], of_kind(c, s.Citation), key, tuple(cells))

    def set_count(self, meta: Any, c: list[Any]) -> s.SetCount:
        return s.SetCount(self._span(meta), self._word(c[1]), of_kind(c, s.Citation), c[0], self._int(c[2]))

    def set_players(self, meta: Any, c: list[Any]) -> s.SetPlayers:
        players, place = self._numbers(c)
        return s.SetPlayers(self._span(meta), self._head(meta, "set"), of_kind(c, s.Citation), players, place)

    def replace(self, meta: Any, c: list[Any]) -> s.Replace:
        return s.Replace(self._span(meta), c[0].name, c[0].sources, c[0])

    def remove(self, meta: Any, c: list[Any]) -> s.Remove:
        return s.Remove(self._span(meta), self._word(c[1]), of_kind(c, s.Citation), one_of_its_words(c[0]))

    # ---- of parts of an article ----

    def beside(self, meta: Any, c: list[Any]) -> tuple[str, s.Expression]:
        return (str(c[0]), s.Name(self._token_span(c[1]), str(c[1])))

    def _added(self, meta: Any, name: s.Word, c: list[Any], sort: s.ListSort, parts: tuple[s.Part, ...]) -> s.AddTo:
        side, anchor = next((x for x in c if isinstance(x, tuple) and x and x[0] in ("before", "after")), (None, None))
        return s.AddTo(self._span(meta), name, of_kind(c, s.Citation), sort, parts, side, anchor)

    def values(self, meta: Any, c: list[Any]) -> list[s.Word]:
        return list(self._words(c))

    def add_values(self, meta: Any, c: list[Any]) -> s.AddTo:
        words = tuple(word for line in c if isinstance(line, list) for word in line)
        return self._added(meta, self._word(c[0]), c, "enum", words)

    def add_faces(self, meta: Any, c: list[Any]) -> s.AddTo:
        return self._added(meta, self._word(c[0]), c, "cards", of_kind(c, s.Face))

    def add_copies(self, meta: Any, c: list[Any]) -> s.AddTo:
        copies = tuple(copies_line for line in c if isinstance(line, list) for copies_line in line)
        return self._added(meta, self._word(c[0]), c, "deck", copies)

    def add_stretches(self, meta: Any, c: list[Any]) -> s.AddTo:
        return self._added(meta, self._word(c[0]), c, "track", of_kind(c, s.TrackPhase))

    def add_rows(self, meta: Any, c: list[Any]) -> s.AddTo:
        name, columns = self._word(c[0]), tuple(c[1])
        rows = of_kind(c, s.TableRow)
        return s.AddTo(self._span(meta), name, of_kind(c, s.Citation), "table", rows, None, None, columns)

    def add_ranks(self, meta: Any, c: list[Any]) -> s.AddTo:
        name = s.Word(self._head(meta, "add").span, "winner")
        return self._added(meta, name, c, "winner", of_kind(c, s.RankingLine))

    def add_choices(self, meta: Any, c: list[Any]) -> s.AddTo:
        added = self._added(meta, self._word(c[1]), c, "choice", of_kind(c, s.Choice))
        none = next((tuple(x[1]) for x in c if isinstance(x, tuple) and x and x[0] == "otherwise"), None)
        return replace(added, otherwise=none)

    def procedure(self, meta: Any, c: list[Any]) -> tuple[s.ProcedureSort, s.Word]:
        sort = one_of_its_words(c[0])
        return (sort, self._word(c[-1]))

    def _step(self, token: Token) -> s.Word:
        """Return the label of a step; keywords in it may be separated by several spaces."""
        return s.Word(self._token_span(token), " ".join(token.split()))

    def remove_from(self, meta: Any, c: list[Any]) -> s.RemoveFrom:
        sort, name = c[1] if isinstance(c[1], tuple) else (one_of_its_words(c[1]), self._word(c[2]))
        part = s.Name(self._token_span(c[0]), self._step(c[0]).text) if isinstance(c[0], Token) else c[0]
        return s.RemoveFrom(self._span(meta), name, of_kind(c, s.Citation), sort, part)

    def insert(self, meta: Any, c: list[Any]) -> s.Insert:
        step = self._step(c[1]) if c[1] is not None else None
        (sort, name), body = c[2:]
        sources, done = of_kind(body, s.Citation), of_kind(body, s.Statement)
        return s.Insert(self._span(meta), name, sources, sort, one_of_its_words(c[0]), step, done)

    def allow_only(self, meta: Any, c: list[Any]) -> s.AllowOnly:
        option, _, choice, condition, *_ = c
        return s.AllowOnly(
            self._span(meta), self._word(choice), of_kind(c, s.Citation), self._word(option), condition
        )  # fmt: skip

    def set_offered(self, meta: Any, c: list[Any]) -> s.SetOffered:
        subject, _, choice, domain, *_ = c
        match subject:
            case s.Of(name=parameter, owner=s.Name(span=place, text=option)):
                pass
            case _:
                self.diagnostics.append(Diagnostic("R0107", subject.span, {"expected": ("of",)}))
                parameter, place, option = "", subject.span, ""
        return s.SetOffered(
            self._span(meta), self._word(choice), of_kind(c, s.Citation), s.Word(place, option),
            s.Word(subject.span, parameter), domain,
        )  # fmt: skip

    def set_step(self, meta: Any, c: list[Any]) -> s.SetStep:
        step_node, (sort, name), value, *_ = c
        step = s.Word(step_node.span, step_node.text if isinstance(step_node, s.Name) else "")
        if not step.text:
            self.diagnostics.append(Diagnostic("R0107", step_node.span, {"expected": ("name",)}))
        return s.SetStep(self._span(meta), name, of_kind(c, s.Citation), sort, step, value)
