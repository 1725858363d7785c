"""Turning a sentence with slots and the values for them into text, with the grammar of one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from wongar_dsl.words import joining, nominal
from wongar_dsl.words.arguments import (
    UNSAID,
    Again,
    Instead,
    Listing,
    Name,
    Nominal,
    Of,
    Player,
    Said,
    Tally,
    Term,
    Text,
    Value,
    decisive,
)
from wongar_dsl.words.catalogs import Catalog
from wongar_dsl.words.clause import END, GOING_ON, Agreeing, Clause, Order, Part, Slot, Verb, plainly, starts_sentence
from wongar_dsl.words.cldr import Cldr
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.lexicon import LONE, SUBJECT, WORDED, YOU, Lexicon, Noun, names_of
from wongar_dsl.words.negotiation import ENGLISH
from wongar_dsl.words.slots import SlotSpec, owned, placed, read_slot_spec, subject_of
from wongar_dsl.words.template import Template

#: A plain request, for values that stand alone.
PLAIN = SlotSpec()

#: How many a number of things can at most be written out; beyond that, digits would only be noise.
_SMALL = 1000


@dataclass(frozen=True)
class Realiser:
    """The grammar of one language; of its `catalog` are the sentences that become parts of others.

    With `strict`, an unknown term is an error; otherwise it is shown by its identifier.  `disguise` changes every
    text except names and verbatim text; the pseudo-languages are made with it.  `unnamed` collects the names that
    were shown by their identifiers.
    """

    lexicon: Lexicon
    cldr: Cldr
    catalog: Catalog
    strict: bool = False
    disguise: Callable[[str], str] | None = None
    unnamed: set[str] = field(default_factory=set, compare=False, repr=False)

    def sentence(self, template: Template, values: Mapping[str, Value], game: str | None = None) -> str:
        """The sentence with its slots filled.

        Raises `WordsError` for a slot without value, an unknown word in a slot and a missing form.
        """
        subject = self.subject(template.clause) if template.clause is not None else None
        return self._tidy(self._said(template.parts, values, game, subject, self.lexicon.capitalise))

    def clause(self, template: Template, values: Mapping[str, Value], order: Order, game: str | None = None) -> str:
        """What a sentence says, in an order in which it becomes a part of another one: no capital, no end.

        Raises `WordsError` as `sentence` does, and for a sentence whose verb is not marked.
        """
        if template.clause is None:
            raise WordsError("words.no_verb", {"message": Text("")})
        return self._tidy(self.ordered(template.clause, values, order, game))

    def ordered(
        self,
        clause: Clause,
        values: Mapping[str, Value],
        order: Order,
        game: str | None,
        about: frozenset[str] | None = None,
        starting: bool = False,
    ) -> str:
        """The clause in an order; `about` are the features of its subject, where that is none of its slots.

        Where clauses inside of it end is still marked (see `nominal.tidy`).
        """
        grammar = self.lexicon.clauses
        clause = nominal.there_first(clause, values, self.lexicon)
        parts, values = nominal.denied(clause.ordered(order, grammar), values, order, grammar)
        text = self._said(parts, values, game, self.subject(clause), starting, about)
        last = parts[-1] if parts and grammar.final else None
        if isinstance(last, Verb):
            forms = (*last, self.lexicon.spoken_to(last))
            return next((nominal.behind_the_verb(text, form) for form in forms if text.endswith(form)), text)
        closing = isinstance(last, str) and (order is Order.INFINITIVE or last == clause.closing.text)
        return nominal.behind_the_verb(text, str(last)) if closing else text

    def phrase(
        self,
        template: Template,
        values: Mapping[str, Value],
        game: str | None,
        order: Order = Order.MAIN,
        doer: frozenset[str] = frozenset(),
    ) -> str:
        """The words of a message as a part of a sentence about somebody with the features of `doer`; clauses in it that
        want it stand in `order`.
        """
        subject = self.subject(template.clause) if template.clause is not None else None
        return self._said(template.parts, values, game, subject, False, order=order, doer=doer)

    def template(self, message: str, game: str | None, n: int | None = None) -> Template:
        """The sentence of a message in this language, in the form for `n`.  Raises `WordsError` where there is none."""
        for name in names_of(message, game):
            found = self.catalog.template(name, n, source=self.lexicon.code == ENGLISH)
            if found is not None:
                return found
        raise WordsError("words.unknown_message", {"word": Text(message)})

    def subject(self, clause: Clause) -> Slot | None:
        """What a clause is about, and its verb agrees with."""
        return subject_of(clause, self.lexicon)

    def _said(
        self,
        parts: Sequence[Part],
        values: Mapping[str, Value],
        game: str | None,
        subject: Slot | None,
        starting: bool,
        thing: frozenset[str] | None = None,
        order: Order = Order.MAIN,
        doer: frozenset[str] = frozenset(),
    ) -> str:
        """The parts one after the other, the verb for one or for several, as the subject or the `thing` is."""
        out: list[str] = []
        verb = any(isinstance(part, Verb) for part in parts)
        several = thing is not None and nominal.is_several(self.lexicon, thing)
        around, about = doer, values.get(subject.name) if subject is not None else None
        if subject is not None and about is not None:
            request = read_slot_spec(subject.spec, self.lexicon)
            if isinstance(about, Nominal):
                doer = nominal.features(self, about, request, game)
            if thing is None:
                thing = doer if isinstance(about, Nominal) else self._features(about, request, values, game)
                several = nominal.is_several(self.lexicon, thing)
        for before, part in zip(("", *parts), parts, strict=False):
            if isinstance(part, Slot):
                if part.name not in values:
                    raise WordsError("words.missing_argument", {"word": Text(part.name)})
                value, request = values[part.name], read_slot_spec(part.spec, self.lexicon)
                if value is UNSAID:
                    while out and not out[-1].strip():
                        out.pop()
                    out[-1:] = [text.rstrip() for text in out[-1:]]
                    continue
                request = request if request.order is not None else replace(request, order=order)
                if isinstance(value, Nominal):
                    asked = replace(request, features=(*request.features, SUBJECT)) if part == subject else request
                    # What describes the subject itself is not its own: *the value of the bid*, not *of its bid*.
                    text = nominal.said(self, value, asked, game, around if part == subject else doer)
                else:
                    text = self.value(value, request, game, values, starting and not request.verbatim)
                own_case = request.verbatim or _writes_its_own_capital(value, request)
                out.append(self.capital(text) if starting and not own_case else text)
                starting = starting and not text
                continue
            text = self._agreeing(part, thing, several)
            if isinstance(before, Slot) and out[-1:] == [""]:
                text = text.lstrip()
            # A marked sentence begins in small letters, since it does not always begin a sentence.
            out.append(self._shown(self.capital(text) if starting and verb else text))
            starting = self.lexicon.capitalise and starts_sentence(text, starting)
        return "".join(out)

    def _agreeing(self, part: Part, thing: frozenset[str] | None, several: bool) -> str:
        """The words of a part, as they go with a subject that has these features."""
        match part:
            case Verb():
                return self.lexicon.spoken_to(part) if thing and YOU in thing else part.form(several)
            case Agreeing(name) if name in self.lexicon.adjectives:
                return self._adjective(name, self.lexicon.features.completed(thing or ()))
            case Agreeing(name):
                raise WordsError("words.unknown_word", {"where": Text(self.lexicon.code), "word": Text(name)})
        return plainly(part)

    def _tidy(self, text: str) -> str:
        return nominal.tidy(text, self.lexicon.clauses.commas) if nominal.CLOSE in text else text

    def _features(
        self, value: Value, request: SlotSpec, values: Mapping[str, Value], game: str | None
    ) -> frozenset[str]:
        """The number and the gender of a value in a slot."""
        one = self.lexicon.features.default("number") or ""
        if isinstance(value, Listing):
            return frozenset({nominal.plural(self.lexicon) or one if len(value.items) > 1 else one})
        if isinstance(value, int) and not isinstance(value, bool) and request.noun is not None:
            value = Term(request.noun, game, value)
        noun = self.lexicon.noun(value.name, value.game or game) if isinstance(value, Term) else None
        given = [feature for feature in request.features if self.lexicon.features.dimension(feature) == "number"]
        if not isinstance(value, Term) or noun is None:
            return frozenset(given if given and isinstance(value, Term) else (one,))
        number = given[0] if given else self.number_form(_counted(value, request, values), noun)
        return frozenset({number, noun.gender or ""})

    def value(
        self,
        value: Value,
        request: SlotSpec = PLAIN,
        game: str | None = None,
        values: Mapping[str, Value] | None = None,
        starting: bool = False,
    ) -> str:
        """One value as `request` wants it; `values` are its neighbours, one of which may hold the count.

        A sentence that is the value is `starting` another one.
        """
        if isinstance(value, bool):
            return self.term(Term("yes" if value else "no"), request, game)
        if isinstance(value, int):
            if request.times:
                return self._often(value)
            if request.noun is not None:
                kept = (request.preposition, request.determiner, True, None, request.adjectives, request.features)
                counted = SlotSpec(*kept, worded=request.worded)
                return self.term(Term(request.noun, game, value, again=isinstance(value, Again)), counted, game)
            gender = [feature for feature in request.features if self.lexicon.features.dimension(feature) == "gender"]
            text = self.ordinal(value, gender[0] if gender else None) if request.ordinal else self.number(value)
            return self.behind(request.preposition, text)
        if isinstance(value, Term):
            count = _counted(value, request, values or {})
            return self.term(replace(value, game=value.game or game, count=count), request, game)
        if isinstance(value, Listing):
            return self._listing(value, request, game, starting)
        if isinstance(value, Tally):
            entries = [f"{self.value(item, request, game)} {self.number(n)}" for item, n in value.entries]
            return self.chain(entries) if entries else self.term(Term("none"), PLAIN, game)
        if isinstance(value, Of):
            owners = [self._owner(item, game) for item in value.owners]
            if self.lexicon.owners_before and owners:
                return self.term(value.head, owned(request, " ".join(owners), self.lexicon), game)
            return " ".join([self.term(value.head, request, game), *owners])
        if isinstance(value, Nominal):
            return nominal.said(self, value, request, game)
        if isinstance(value, Said):
            return self._part(value, request.order or Order.MAIN, game, starting)
        request = placed(request, None, self.lexicon)
        if isinstance(value, Player):
            return self.behind(request.preposition, self._name(value.name, request))
        text = value.text if hasattr(value, "text") else str(value)
        return self.behind(request.preposition, self._many(text, request, game) if request.noun else text)

    def _part(self, said: Said, order: Order, game: str | None, starting: bool) -> str:
        """A sentence as a part of another one."""
        names = self.template(said.message, game).names
        template = self.template(said.message, game, decisive(said.values, names))
        if template.clause is None:
            # What is joined has its subject in front, be there a verb or not.
            parts = template.parts[1:] if said.joined else template.parts
            text = END.sub("", self._said(parts, said.values, game, None, starting, order=order)).lstrip()
            return self.capital(text) if starting and isinstance(next(iter(parts), None), str) else text
        order = GOING_ON.get(order, Order.PREDICATE) if said.joined else order
        return self.ordered(template.clause, said.values, order, game, starting=starting)

    def _many(self, text: str, request: SlotSpec, game: str | None) -> str:
        """A number that somebody wrote, or a mark in the place of one, with the noun that it counts: *… cards*."""
        several = [number for number in (self.lexicon.numbers.get("other"),) if number]
        noun = self.term(Term(request.noun or "", game), SlotSpec(features=(*request.features, *several)), game)
        return f"{text} {noun}"

    def term(self, term: Term, request: SlotSpec = PLAIN, game: str | None = None) -> str:
        """A term with what the request puts around it; an unknown one by its identifier, unless `strict`."""
        lexicon, features = self.lexicon, self.lexicon.features
        if isinstance(term, Name):
            request = placed(request, None, lexicon)
            if not term.person and request.preposition is None and lexicon.possessives.keys() & set(request.features):
                # Only names of people have endings.
                request = read_slot_spec(lexicon.belonging.get("name", ()), lexicon)
            return self.behind(request.preposition, self._name(term.name, request))
        noun = lexicon.noun(term.name, term.game or game)
        request = placed(request, noun, lexicon)
        if noun is None:
            if self.strict:
                raise WordsError("words.unknown_term", {"word": Text(term.name), "where": Text(lexicon.code)})
            return self._unknown(term, request, game)
        determiner = lexicon.determiners[request.determiner] if request.determiner and not noun.proper else None
        given: dict[str | None, str] = {features.dimension(feature): feature for feature in request.features}
        if "number" in features.dimensions:
            given.setdefault("number", self.number_form(term.count, noun))
            number = given["number"]
            if noun.only and number != noun.only and not noun.forms.states(frozenset({number})):
                raise self._missing(noun.name, given["number"])
        if noun.gender:
            given["gender"] = noun.gender
        if determiner and determiner.sets:
            given[features.dimension(determiner.sets)] = determiner.sets
        for dimension in features.dimensions:
            default = features.default(dimension)
            if dimension not in {"sound", "gender"} and default is not None:
                given.setdefault(dimension, default)
        wanted = frozenset(given.values())

        form = noun.forms.pick(wanted)
        if form is None:
            raise self._missing(noun.name, *(feature for feature in given.values() if feature != noun.gender))
        words = [self._shown(form)]
        heard = frozenset({noun.sound}) if noun.sound else lexicon.heard(form)
        if any(lexicon.adjectives[name].after for name in request.adjectives):
            after = [name for name in request.adjectives if lexicon.adjectives[name].after]
            words += [self._shown(self._adjective(name, wanted)) for name in after]
        for name in reversed([name for name in request.adjectives if not lexicon.adjectives[name].after]):
            adjective = self._adjective(name, wanted | heard)
            words.insert(0, self._shown(adjective))
            heard = lexicon.heard(adjective)
        if request.number or request.alone:
            if term.count is None:
                raise WordsError("words.no_count", {"word": Text(noun.name)})
            lone = request.alone or term.again
            written = frozenset({WORDED}) if request.worded else frozenset()
            numeral = self._numeral(term.count, written | ({*wanted, LONE} if lone else wanted | heard))
            words = [numeral] if lone else [self._join(numeral, " ".join(words))]
            heard = lexicon.heard(numeral)
        article = request.owner
        if determiner is not None and not article:
            alone = determiner.alone if words == [self._shown(form)] else None
            picked = (alone or determiner.forms).pick(wanted | heard)
            if picked is None:
                raise self._missing(request.determiner or "", *given.values())
            article = picked
        return self._join(self._before(request.preposition, article, heard), " ".join(words))

    def number(self, n: int) -> str:
        """`n` in the digits and groups of the language; with what it was before, if it says so."""
        if isinstance(n, Instead):
            return self._instead(self.number(int(n)), self.number(n.was))
        return str(n) if 0 <= n < _SMALL else self.cldr.decimal(n)

    def _instead(self, now: str, before: str) -> str:
        """A number, and the one that it was."""
        return self.phrase(self.template("prose.instead", None), {"now": Text(now), "was": Text(before)}, None)

    def _often(self, n: int) -> str:
        """How often: *twice*."""
        if isinstance(n, Instead):
            return self._instead(self._often(int(n)), self._often(n.was))
        often = self.lexicon.times.get(str(n)) or self.lexicon.times.get("other", "~")
        return self._shown(often.replace("~", self.number(n)))

    def _numeral(self, n: int, wanted: frozenset[str]) -> str:
        """`n` as it stands before a noun: in letters where the language has a word for it, else in digits."""
        forms = None if isinstance(n, Instead) else self.lexicon.numerals.get(str(int(n)))
        word = forms.pick(wanted) if forms else None
        return self._shown(word) if word else self.number(n)

    def decimal(self, n: float, places: int) -> str:
        """`n` with so many decimal places, in the digits and groups of the language."""
        return self.cldr.decimal(n, "#,##0." + "0" * places)

    def percent(self, share: float, places: int) -> str:
        """A share of one in percent, with so many decimal places, in the digits and the pattern of the language."""
        return self.cldr.percent(share, "0." + "0" * places if places else "0")

    def moment(self, seconds: float) -> str:
        """The day and the time of day so many seconds after 1970 began, in short."""
        return self.cldr.moment(seconds)

    def ordinal(self, n: int, gender: str | None = None) -> str:
        """The ordinal of `n` (*3rd*, *3.*, *3e*, *3º*), for a noun of this gender."""
        forms = self.lexicon.ordinals.get(self.cldr.ordinal(n)) or self.lexicon.ordinals.get("other")
        default = self.lexicon.features.default("gender")
        form = forms.pick(frozenset({gender or default or ""})) if forms else None
        return (form or "~").replace("~", self.number(n))

    def number_form(self, count: int | None, noun: Noun) -> str:
        """Return the number in which a noun stands for a count, or its usual one where nothing is counted.

        A noun of one number alone (`only`) stands in the other one for a count, if it has a form for that.
        """
        default = self.lexicon.features.default("number") or ""
        if count is None:
            return noun.only or default
        category = self.cldr.plural(count)
        if category not in self.lexicon.numbers:
            raise self._missing("numbers", category)
        number = self.lexicon.numbers[category]
        return noun.only if noun.only and not noun.forms.states(frozenset({number})) else number

    def _adjective(self, name: str, wanted: frozenset[str]) -> str:
        form = self.lexicon.adjectives[name].forms.pick(wanted)
        if form is None:
            raise self._missing(name, *sorted(wanted))
        return form

    def _before(self, preposition: str | None, article: str, heard: frozenset[str]) -> str:
        """Preposition and article, contracted where the language does that."""
        if preposition is None:
            return self._shown(article)
        contracted = self.lexicon.contractions.get(f"{preposition} {article}") if article else None
        if contracted is not None:
            return self._shown(contracted)
        form = self.lexicon.prepositions[preposition].forms.pick(self.lexicon.heard(article) if article else heard)
        return self._join(self._shown(form or preposition), self._shown(article))

    def behind(self, preposition: str | None, text: str) -> str:
        """A text behind a preposition, as that sounds before it."""
        return self._join(self._before(preposition, "", self.lexicon.heard(text)), text)

    def _name(self, name: str, request: SlotSpec) -> str:
        for feature in request.features:
            for ending, added in self.lexicon.possessives.get(feature, ()):
                if name.lower().endswith(ending):
                    return name + added
        return name

    def _owner(self, owner: Value, game: str | None) -> str:
        """The owner of something, as the language attaches one: *von Anna*, *des roten Felds*."""
        spec = self.lexicon.belonging.get("term" if isinstance(owner, Term) else "name", ())
        return self.value(owner, read_slot_spec(spec, self.lexicon), game)

    def _listing(self, listing: Listing, request: SlotSpec, game: str | None, starting: bool) -> str:
        if not listing.items:
            return self.term(Term("none"), PLAIN, game)
        named = all(isinstance(item, (Player, Text)) for item in listing.items)
        # *von Anna und Bert*, but *aus dem roten Feld und aus dem grünen Feld*: articles want their own.
        later = SlotSpec(features=request.features) if named else request
        chained = accumulate(listing.items, lambda before, item: nominal.going_on(self, before, item, game))
        said = [(item, later if at else request, starting and not at) for at, item in enumerate(chained)]
        items = [self.value(item, wanted, game, None, first) for item, wanted, first in said]
        patterns = self.cldr.lists["or" if request.conjunction == "or" else "standard"]
        return joining.listed(listing, items, patterns, self.lexicon, lambda m: self.template(m, game))

    def joined(self, items: Sequence[str]) -> str:
        """The items as the language joins a list; see `joining.joined`."""
        return joining.joined(items, self.cldr.lists["standard"], self.lexicon)

    def chain(self, entries: Sequence[str]) -> str:
        """The entries as the language separates them, with no word before the last one."""
        return joining.chain(entries, self.cldr.lists["standard"])

    def _unknown(self, term: Term, request: SlotSpec, game: str | None) -> str:
        """A term without entry: *lucky card (red)*, or its known head word; as an owner it is put as a name is."""
        self.unnamed.add(term.name)
        (head, bracket, rest), game = term.name.partition("("), term.game or game
        count = f"{self.number(term.count)} " if request.number and term.count is not None else ""
        inner = [part.strip() for part in rest.rstrip(")").split(",")] if bracket else []
        if bracket and self.lexicon.noun(head, game) is not None:
            shown = self.chain([self.term(Term(part, game)) for part in inner])
            return f"{self.term(Term(head, game, term.count), request, game)} ({shown})"
        text = head.replace("_", " ").strip() + (f" ({self.chain(inner).replace('_', ' ')})" if bracket else "")
        named = None if request.determiner in ("def", "indef") else request.determiner  # It has no article.
        given = self.lexicon.features.completed(request.features)
        picked = self.lexicon.determiners[named].forms.pick(given) if named else None
        owning = self.lexicon.belonging.get("name", ()) if {*request.features} & {*self.lexicon.possessives} else ()
        before = request.preposition or read_slot_spec(owning, self.lexicon).preposition
        return self.behind(before, self._join(request.owner or picked or "", count + self._shown(text)))

    def _missing(self, word: str, *features: str | None) -> WordsError:
        # What holds anyhow need not be in a form's key.
        plain = self.lexicon.features.default("style")
        shown = ".".join(feature for feature in features if feature and feature != plain)
        return WordsError(
            "words.missing_form", {"word": Text(word), "form": Text(shown), "where": Text(self.lexicon.code)}
        )

    def _shown(self, text: str) -> str:
        return self.disguise(text) if self.disguise and text else text

    def capital(self, text: str) -> str:
        """The text with a capital at its beginning, as the language writes it (*IJsland*)."""
        for start, capital in self.lexicon.capitals.items():
            if start and text.startswith(start):
                return capital + text[len(start) :]
        return text[:1].title() + text[1:]

    @staticmethod
    def _join(before: str, text: str) -> str:
        if not before or not text:
            return before or text
        # An elided word sticks to the next one: l'area, dall'area.
        return before + text if before.endswith(("'", "’")) else f"{before} {text}"


def _writes_its_own_capital(value: Value, request: SlotSpec) -> bool:
    """Whether what stands at the beginning of a sentence has its capital, or shall have none."""
    if isinstance(value, Listing) and value.items:
        return isinstance(value.items[0], Said)
    return isinstance(value, Said) or (isinstance(value, (Player, Text, str)) and not request.preposition)


def _counted(term: Term, request: SlotSpec, values: Mapping[str, Value]) -> int | None:
    """How many there are of a term in a slot: what its neighbours say where the slot asks them, else what it says."""
    return _count(request, values) if request.count_from or term.count is None else term.count


def _count(request: SlotSpec, values: Mapping[str, Value]) -> int | None:
    """The count that a neighbour holds: the one that the slot names, else `n` if a number is to be written."""
    name = request.count_from or ("n" if request.number or request.alone else None)
    value = values.get(name) if name else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
