"""Diagnostics for rule files, as values without text.

A `Diagnostic` has a code (`R0201`), labelled spans and arguments.  The catalogs hold its message in every language
under the code (`R0201`, `R0201.hint`, `R0201.explain`), the name of the label (`label.declared`) and the name of the
hint (`hint.form`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from wongar_dsl.base.span import Span

#: Roles of secondary spans.  The catalogs hold their texts as `label.<name>`.
LabelName = Literal["declared", "first", "other", "used", "here", "asked", "never", "statement", "scope"]


@dataclass(frozen=True, slots=True)
class Label:
    """Secondary span of a diagnostic and its role."""

    span: Span
    name: LabelName


@dataclass(frozen=True, slots=True)
class Hint:
    """Situation-specific hint that replaces the general hint of the code.

    The catalogs hold its text as `hint.<name>`.
    """

    name: str
    arguments: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PasteSnippet:
    """Text to be inserted into a file, with gaps to fill in.

    It is appended to the file, or placed under the key `below`.  Without `text` the entry exists and only needs to be
    filled in.  `fuzzy` marks an existing entry that takes effect once its fuzzy mark is removed.
    """

    file: str
    text: str
    below: str = ""
    fuzzy: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Diagnostic: code, span, message arguments, secondary spans, and help.

    `suggestion` is the name that was probably meant.  `hint` replaces the general hint of the code.  `pastes` are texts
    that solve the problem once their gaps are filled in.
    """

    code: str
    span: Span | None
    arguments: Mapping[str, str | int | tuple[str, ...]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    suggestion: str | None = None
    hint: Hint | None = None
    pastes: tuple[PasteSnippet, ...] = ()

    @property
    def severity(self) -> Severity:
        """Severity that `CODES` assigns to this code."""
        return CODES[self.code]


class RulesError(Exception):
    """Raised for rules that cannot be played.  `diagnostics` holds all diagnostics."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.code} at {d.span}" for d in self.diagnostics))


class Severity(Enum):
    """Severity of a diagnostic.  Only errors prevent a game from being played."""

    ERROR = "error"
    WARNING = "warning"


E, W = Severity.ERROR, Severity.WARNING

#: Severity by code.  Groups: R00 files, R01 syntax, R02 names, R03 types, R04 structure, R05 translations, R06 run-time
#: faults, R07 cases and lessons.
CODES: Mapping[str, Severity] = {
    "R0001": E,  # file cannot be read                       {path}
    "R0002": E,  # file is too large                         {size} {limit}
    "R0003": E,  # not UTF-8                                 {line}
    "R0004": E,  # no such game or file                      {name}
    "R0005": E,  # variants that extend each other in a cycle  {names}
    "R0006": E,  # the base of a variant cannot be found     {name}
    "R0007": E,  # a word-processor document                 {path}
    "R0008": E,  # combined variants of different games      {name} {what}
    "R0009": E,  # a pack that cannot be used                {path}
    "R0010": W,  # the base of a pack has changed            {name} {things}
    "R0101": E,  # unexpected word                           {found} {expected}
    "R0102": E,  # indentation that matches no line above
    "R0103": E,  # a character that the language does not use  {character}
    "R0104": E,  # nested too deeply                         {limit}
    "R0105": E,  # line too long / too many words in a line  {limit}
    "R0106": E,  # tab in the indentation
    "R0107": E,  # unfinished: the block or line ends early  {expected}
    "R0108": E,  # declaration of a variant in a game file, or the reverse  {article}
    "R0109": E,  # number too large                          {limit}
    "R0110": E,  # file has no game or variant line
    "R0111": E,  # invisible character                       {character}
    "R0201": E,  # unknown name                              {name}
    "R0202": E,  # declared twice                            {name}
    "R0203": E,  # name of the wrong kind                    {name} {found} {expected}
    "R0204": W,  # never used                                {name}
    "R0205": E,  # keyword used as a name                    {name}
    "R0206": E,  # variant replaces, removes or sets a missing name  {name}
    "R0207": E,  # variant adds an existing name             {name}
    "R0208": E,  # unknown option                            {name}
    "R0209": E,  # local name hides another                  {name}
    "R0210": E,  # book not declared                         {name}
    "R0211": E,  # variant removes a name that is still used {name}
    "R0212": E,  # variant changes the same thing twice      {name}
    "R0213": E,  # the base's table or deck has no such part {name} {what}
    "R0214": E,  # two variants that are combined change the same thing  {name}
    "R0215": E,  # keyword of another language used as a name  {name}
    "R0216": E,  # table: row and column swapped             {table}
    "R0301": E,  # wrong type                                {found} {expected}
    "R0302": E,  # wrong number of arguments                 {name} {found} {expected}
    "R0303": E,  # not assignable                            {name}
    "R0304": E,  # values of types that cannot be compared   {left} {right}
    "R0305": E,  # value outside of its range                {value} {low} {high}
    "R0306": E,  # a rule without a result used as a value   {name}
    "R0307": E,  # range whose first number is the greater one  {low} {high}
    "R0401": E,  # table: missing row                        {table} {row}
    "R0402": E,  # table: missing or surplus cell            {table} {row} {found} {expected}
    "R0403": E,  # deck: counts disagree with its total      {deck} {found} {expected}
    "R0404": E,  # board: an area touches nothing            {area}
    "R0405": E,  # board: adjacency in one direction only    {area} {other}
    "R0406": E,  # a choice that could have no options       {choice}
    "R0407": E,  # a loop that never ends
    "R0408": E,  # rules that call each other in a cycle     {names}
    "R0409": W,  # option that can never be chosen           {option}
    "R0410": W,  # statements that are never reached
    "R0411": W,  # declaration without a source              {article}
    "R0412": E,  # missing declaration                       {article}
    "R0413": E,  # a decision where none is allowed          {name}
    "R0414": E,  # too large                                 {what} {found} {limit}
    "R0415": E,  # game without a result: no `winner` and no `end game`
    "R0416": E,  # statement not allowed at this position    {statement}
    "R0417": E,  # the same option twice in a choice         {option}
    "R0418": E,  # message used with different arguments     {name}
    "R0419": E,  # card effect that needs other parameters   {name}
    "R0420": E,  # a state change inside of an expression
    "R0421": E,  # a pile cannot hold the deck               {deck} {found} {name} {limit}
    "R0422": E,  # no ending can be reached
    "R0423": E,  # table: missing column                     {table} {column}
    "R0424": E,  # a message contradicts its statement       {name} {found}
    "R0425": E,  # track: missing section                    {name} {value}
    "R0426": E,  # needs too much computation before play    {what} {limit}
    "R0427": W,  # players decide, and no event is ever emitted
    "R0428": E,  # paths: a side that cards do not have on their board  {value} {name} {high}
    "R0429": W,  # paths: one card lacks a path from a side where all others have one  {name} {what} {sides}
    "R0501": W,  # a name without a term                     {name} {languages}
    "R0502": W,  # a message without a sentence              {name} {languages}
    "R0503": E,  # error in the translation files            {what}
    "R0504": E,  # a translation folder that names no language  {name}
    "R0506": W,  # two names of a rule have the same term    {one} {other} {name} {words} {languages}
    "R0601": E,  # step budget used up                       {rule}
    "R0602": E,  # moved more than available                 {rule}
    "R0603": E,  # value left its range                      {rule} {name}
    "R0604": E,  # a statement marked impossible was reached {rule}
    "R0605": E,  # a pile or slot was empty                  {rule}
    "R0606": E,  # a zone is full                            {rule}
    "R0607": E,  # game took too many decisions              {limit}
    "R0608": E,  # divided by zero                           {rule}
    "R0609": E,  # nothing to choose from                    {rule}
    "R0610": E,  # access through no player, or off the board  {rule}
    "R0611": E,  # too many told events between two decisions  {limit}
    "R0701": E,  # error in a case file                      {what}
    "R0702": E,  # error in a lesson                         {what}
    "R0703": W,  # a hint in a lesson without a sentence     {name} {languages}
    "R0704": W,  # an example that is too long or tells nothing  {name} {size} {limit}
}
