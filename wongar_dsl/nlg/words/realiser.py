"""Surface realisation: turns a template and its values into text with the grammar of one language.

Agreement, contraction (*del*) and elision (*l'area*) happen here, with the forms of the lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from wongar_dsl.nlg.words.arguments import (
    ADDRESSED,
    ALL_ADDRESSED,
    COUNTED,
    UNSAID,
    Anaphor,
    Attribute,
    Genitive,
    Listing,
    NounPhrase,
    PlayerName,
    ProperName,
    Relative,
    Replacement,
    Sentence,
    Term,
    Text,
    Value,
    ValueList,
    WordsError,
    in_reading_order,
    is_number,
    plural_selector,
)
from wongar_dsl.nlg.words.catalogs import Catalog
from wongar_dsl.nlg.words.clause import (
    CLOSE,
    CONTINUATIONS,
    END,
    OPEN,
    AgreeingAdjective,
    Clause,
    Order,
    Part,
    Slot,
    Template,
    Verb,
    after_verb,
    fix_commas,
    plain_text,
    starts_sentence,
    with_negation,
)
from wongar_dsl.nlg.words.cldr import Cldr, chain, join_list, list_text
from wongar_dsl.nlg.words.lexicon import (
    ADDING,
    CHOOSING,
    LONE,
    OBJECT,
    PERSON,
    SUBJECT,
    THING,
    WORDED,
    YOU,
    YOU_ALL,
    Determiner,
    Forms,
    Lexicon,
    Noun,
    names_of,
)
from wongar_dsl.nlg.words.slots import (
    SlotSpec,
    belongs_to_all,
    case_of,
    count_of,
    has_style,
    modifier_side,
    needs_noun,
    read_slot_spec,
    subject_of,
    with_place_preposition,
    with_possessor,
    with_sort_noun,
    with_there_first,
    writes_its_own_capital,
)

#: An empty request, for values on their own.
PLAIN = SlotSpec()

#: The article that a number before the noun replaces: *one gold*.
INDEFINITE = "indef"

#: The ending of a regular English plural; the names of rule files are English.
_PLURAL = re.compile(r"(?<=[^aious])s$")

#: Numbers from here on are formatted by Babel, with digit groups.
_SMALL = 1000


@dataclass(frozen=True)
class Realiser:
    """The grammar of one language; `catalog` supplies the sentences that become parts of others.

    With `strict`, an unknown term is an error; otherwise its identifier is shown. `disguise` transforms every text
    except names and verbatim text, for pseudo-languages. `unnamed` collects the names that were shown by their
    identifiers.
    """

    lexicon: Lexicon
    cldr: Cldr
    catalog: Catalog
    strict: bool = False
    disguise: Callable[[str], str] | None = None
    unnamed: set[str] = field(default_factory=set, compare=False, repr=False)

    def sentence(self, template: Template, values: Mapping[str, Value], game: str | None = None) -> str:
        """Return the sentence with its slots filled.

        Raises `WordsError` for a slot without a value, an unknown word in a slot and a missing form.
        """
        subject = subject_of(template.clause, self.lexicon)
        return self.tidy(self._render_parts(template.parts, values, game, subject, self.lexicon.capitalise))

    def clause(self, template: Template, values: Mapping[str, Value], order: Order, game: str | None = None) -> str:
        """Return a sentence in the word order of an embedded clause, without capital and end mark.

        Raises `WordsError` as `sentence` does, and for a sentence without a marked verb.
        """
        if template.clause is None:
            raise WordsError("words.no_verb", message="")
        return self.tidy(self.ordered(template.clause, values, order, game))

    def ordered(
        self,
        clause: Clause,
        values: Mapping[str, Value],
        order: Order,
        game: str | None,
        about: frozenset[str] | None = None,
        starting: bool = False,
    ) -> str:
        """Return the clause in a word order; `about` are the features of a subject that is not one of its slots.

        The ends of inner clauses are still marked with placeholders (see `fix_commas`).
        """
        grammar = self.lexicon.clauses
        clause = with_there_first(clause, values, self.lexicon)
        subject = subject_of(clause, self.lexicon) if about is None else None
        if order is Order.MAIN and self._asks_all(clause, subject, values):
            form = self.lexicon.imperative_form(clause.verb)
            clause, subject = replace(clause, first=(), verb=Verb(form, form, form)), None
        parts, values = with_negation(clause.ordered(order, grammar), values, order, grammar)
        text = self._render_parts(parts, values, game, subject, starting, about)
        last = parts[-1] if parts and grammar.final else None
        if isinstance(last, Verb):
            forms = (*last, self.lexicon.addressed_form(last), self.lexicon.addressed_all_form(last))
            return next((after_verb(text, form) for form in forms if text.endswith(form)), text)
        closing = isinstance(last, str) and (order is Order.INFINITIVE or last == clause.closing.text)
        return after_verb(text, str(last)) if closing else text

    def _asks_all(self, clause: Clause, subject: Slot | None, values: Mapping[str, Value]) -> bool:
        """Return whether a clause begins with all readers as its subject, whom an imperative omits."""
        who = values.get(subject.name) if subject is not None and clause.first in ((subject,), (subject, " ")) else None
        return self.lexicon.imperative and isinstance(who, NounPhrase) and who.head == ALL_ADDRESSED

    def phrase(
        self, template: Template, values: Mapping[str, Value], game: str | None, doer: frozenset[str] = frozenset()
    ) -> str:
        """Render a message inside a sentence on a subject with the features `doer`."""
        subject = subject_of(template.clause, self.lexicon)
        return self._render_parts(template.parts, values, game, subject, False, doer=doer)

    def template(self, message: str, game: str | None, n: int | None = None) -> Template:
        """Return the sentence of a message in the form for `n`. Raises `WordsError` if this language has none."""
        for name in names_of(message, game):
            template = self.catalog.template(name, n)
            if template is not None:
                return template
        raise WordsError("words.unknown_message", word=message)

    def _render_parts(
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
        """Render the parts in sequence; the verb agrees with the subject, or with the features `thing`."""
        out: list[str] = []
        values = in_reading_order((part.name for part in parts if isinstance(part, Slot)), values)
        verb = any(isinstance(part, Verb) for part in parts)
        several = thing is not None and self.lexicon.is_several(thing)
        around, topic = doer, values.get(subject.name) if subject is not None else None
        if subject is not None and topic is not None:
            request = read_slot_spec(subject.spec, self.lexicon)
            if isinstance(topic, NounPhrase):
                doer = self.traits(topic, request, game)
            if thing is None:
                thing = doer if isinstance(topic, NounPhrase) else self._features(topic, request, values, game)
                several = self.lexicon.is_several(thing)
        for index, (before, part) in enumerate(zip(("", *parts), parts, strict=False)):
            if isinstance(part, Slot):
                if part.name not in values:
                    raise WordsError("words.missing_argument", word=part.name)
                value, request = values[part.name], read_slot_spec(part.spec, self.lexicon)
                if value is UNSAID:
                    while out and not out[-1].strip():
                        out.pop()
                    out[-1:] = [text.rstrip() for text in out[-1:]]
                    continue
                request = request if request.order is not None else replace(request, order=order)
                if isinstance(value, NounPhrase):
                    spec = replace(request, features=(*request.features, SUBJECT)) if part == subject else request
                    # A modifier of the subject does not refer back to it: *the value of the bid*, not *of its bid*.
                    text = self.noun_phrase(value, spec, game, around if part == subject else doer)
                else:
                    text = self.value(value, request, game, values, starting and not request.verbatim)
                own_case = request.verbatim or writes_its_own_capital(value, request)
                out.append(self.capital(text) if starting and not own_case else text)
                starting = starting and not text
                continue
            behind = next((p for p in parts[index + 1 :] if not isinstance(p, str) or p.strip()), None)
            text = self._agreeing(part, thing, several, subject is not None and behind == subject)
            if isinstance(before, Slot) and out[-1:] == [""]:
                text = text.lstrip()
            # A marked sentence is written in lower case, since it does not always begin a sentence.
            out.append(self._shown(self.capital(text) if starting and verb else text))
            starting = self.lexicon.capitalise and starts_sentence(text, starting)
        return "".join(out)

    def _agreeing(self, part: Part, thing: frozenset[str] | None, several: bool, before: bool) -> str:
        """Return the text of a part, in agreement with a subject of these features; `before`: it follows at once."""
        match part:
            case Verb():
                if thing and YOU_ALL in thing:
                    return self.lexicon.addressed_all_form(part)
                return self.lexicon.addressed_form(part, before) if thing and YOU in thing else part.form(several)
            case AgreeingAdjective(name) if name in self.lexicon.adjectives:
                return self._adjective(name, self.lexicon.features.completed(thing or ()))
            case AgreeingAdjective(name):
                raise WordsError("words.unknown_word", where=self.lexicon.code, word=name)
        return plain_text(part)

    def tidy(self, text: str) -> str:
        """Return a text with the commas of its clauses, without the marks for them."""
        return fix_commas(text, self.lexicon.clauses.commas) if CLOSE in text else text

    def _features(
        self, value: Value, request: SlotSpec, values: Mapping[str, Value], game: str | None
    ) -> frozenset[str]:
        """Return the number and gender of a value in a slot."""
        singular = self.lexicon.features.default("number") or ""
        if isinstance(value, Listing):
            return frozenset({self.lexicon.plural or singular if len(value.items) > 1 else singular})
        if is_number(value) and request.noun is not None:
            value = Term(request.noun, game, value)
        noun = self.lexicon.head_noun(value.name, value.game or game) if isinstance(value, Term) else None
        number = self.lexicon.features.first("number", request.features) if isinstance(value, Term) else singular
        if not isinstance(value, Term) or noun is None:
            return frozenset({number or singular})
        return frozenset({number or self.verb_number(count_of(value, request, values), noun), noun.gender or ""})

    def value(
        self,
        value: Value,
        request: SlotSpec = PLAIN,
        game: str | None = None,
        values: Mapping[str, Value] | None = None,
        starting: bool = False,
    ) -> str:
        """Render a value as `request` specifies; `values` are its neighbours, one of which may hold the count.

        `starting`: the value begins a sentence.
        """
        if isinstance(value, bool):
            return self.term(Term("yes" if value else "no"), request, game)
        if isinstance(value, int):
            if request.times:
                return self._multiplicative(value)
            if request.noun is not None:
                fields = (request.preposition, request.determiner, True, None, request.adjectives, request.features)
                counted = SlotSpec(*fields, worded=request.worded)
                return self.term(Term(request.noun, game, value, again=isinstance(value, Anaphor)), counted, game)
            gender = self.lexicon.features.first("gender", request.features)
            text = self.ordinal(value, gender) if request.ordinal else self.number(value)
            return self.after_preposition(request.preposition, text)
        if isinstance(value, Term):
            count = count_of(value, request, values or {})
            return self.term(value if count is value.count else replace(value, count=count), request, game)
        if isinstance(value, Listing):
            return self._listing(value, request, game, starting)
        if isinstance(value, ValueList):
            entries = [f"{self.value(item, request, game)} {self.number(n)}" for item, n in value.entries]
            return self.chain(entries) if entries else self.term(Term("none"), PLAIN, game)
        if isinstance(value, Genitive):
            owners = [self._owner(item, game) for item in value.owners]
            if self.lexicon.owners_before and owners:
                return self.term(value.head, with_possessor(request, " ".join(owners), self.lexicon), game)
            return " ".join([self.term(value.head, request, game), *owners])
        if isinstance(value, NounPhrase):
            return self.noun_phrase(value, request, game)
        if isinstance(value, Sentence):
            return self._part(value, request.order or Order.MAIN, game, starting)
        request = with_place_preposition(request, None, self.lexicon)
        if isinstance(value, PlayerName):
            return self.after_preposition(request.preposition, self._name(value.name, request))
        text = value.text if hasattr(value, "text") else str(value)
        if request.noun:
            # A number given as text, or a placeholder for one, with the counted noun: *… cards*.
            spec = SlotSpec(features=(*request.features, *filter(None, (self.lexicon.plural,))))
            text = f"{text} {self.term(Term(request.noun, game), spec, game)}"
        return self.after_preposition(request.preposition, text)

    def _part(self, sentence: Sentence, order: Order, game: str | None, starting: bool) -> str:
        """Render an embedded sentence."""
        names = self.template(sentence.message, game).names
        template = self.template(sentence.message, game, plural_selector(sentence.values, names))
        if template.clause is None:
            # A joined part omits its subject, with or without a verb.
            parts = template.parts[1:] if sentence.joined else template.parts
            text = END.sub("", self._render_parts(parts, sentence.values, game, None, starting, order=order)).lstrip()
            return self.capital(text) if starting and isinstance(next(iter(parts), None), str) else text
        order = CONTINUATIONS.get(order, Order.PREDICATE) if sentence.joined else order
        return self.ordered(template.clause, sentence.values, order, game, starting=starting)

    def term(self, term: Term, request: SlotSpec = PLAIN, game: str | None = None) -> str:
        """Render a term as requested; an unknown one by its identifier, or with `strict` as an error."""
        lexicon, features = self.lexicon, self.lexicon.features
        if isinstance(term, ProperName):
            request = with_place_preposition(request, None, lexicon)
            if not term.person and request.preposition is None and lexicon.possessives.keys() & set(request.features):
                # Only names of people have endings.
                request = read_slot_spec(lexicon.belonging.get("name", ()), lexicon)
            return self.after_preposition(request.preposition, self._name(term.name, request))
        if needs_noun(request, term, lexicon, game):
            term = lexicon.with_sort_noun(term, game)
        noun = lexicon.noun(term.name, term.game or game)
        request = with_place_preposition(request, noun, lexicon)
        if noun is None:
            if self.strict:
                raise WordsError("words.unknown_term", word=term.name, where=lexicon.code)
            return self._unknown(term, request, game)
        determiner = self._determiner(request, noun.proper)
        by_dimension: dict[str | None, str] = {features.dimension(feature): feature for feature in request.features}
        if "number" in features.dimensions:
            by_dimension["number"] = self._grammatical_number(term.count, noun, by_dimension.get("number"), determiner)
        gender = noun.gender or (lexicon.unnamed if noun.proper and determiner else None)
        if gender:
            by_dimension["gender"] = gender
        if determiner and determiner.sets and features.dimension(determiner.sets) != "number":
            by_dimension[features.dimension(determiner.sets)] = determiner.sets
        for dimension in features.dimensions:
            default = features.default(dimension)
            if dimension not in {"sound", "gender"} and default is not None:
                by_dimension.setdefault(dimension, default)
        target = frozenset(by_dimension.values())

        form = noun.forms.pick(target)
        if form is None and noun.proper:
            # A name has no plural of its own: *5 Alpha*.
            form = next((form for _, form in noun.forms.entries), None)
        if form is None:
            raise self._missing(noun.name, *(feature for feature in by_dimension.values() if feature != noun.gender))
        if term.label:
            opening, closing, *_ = lexicon.quotation or ("“", "”")
            form = f"{form} {opening}{term.label}{closing}"
        bare = self._shown(form)
        words = [bare]
        heard = frozenset({noun.sound}) if noun.sound else lexicon.initial_sounds(form)
        if any(lexicon.adjectives[name].after for name in request.adjectives):
            after = [name for name in request.adjectives if lexicon.adjectives[name].after]
            words += [self._shown(self._adjective(name, target)) for name in after]
        for name in reversed([name for name in request.adjectives if not lexicon.adjectives[name].after]):
            adjective = self._adjective(name, target | heard)
            words.insert(0, self._shown(adjective))
            heard = lexicon.initial_sounds(adjective)
        if request.number or request.alone:
            if term.count is None:
                raise WordsError("words.no_count", word=noun.name)
            lone = request.alone or term.again
            written = frozenset({WORDED}) if request.worded else frozenset()
            numeral = self._numeral(term.count, written | ({*target, LONE} if lone else target | heard), noun)
            words = [numeral] if lone else [self._join(numeral, " ".join(words))]
            heard = lexicon.initial_sounds(numeral)
        article = request.owner
        counted = request.number and request.determiner == INDEFINITE
        if determiner is not None and not article and not counted:
            alone = determiner.alone if words == [bare] else None
            picked = self._in_any_number(alone or determiner.forms, target | heard, noun)
            if picked is None:
                raise self._missing(request.determiner or "", *by_dimension.values())
            article = picked
        return self._join(self._before(request.preposition, article, heard), " ".join(words))

    def _determiner(self, request: SlotSpec, proper: bool) -> Determiner | None:
        """Return the determiner before a term; a mere name has no article, except with what tells it from others."""
        silent = proper and request.determiner in ("def", INDEFINITE) and not request.adjectives
        return None if silent or not request.determiner else self.lexicon.determiners[request.determiner]

    def number(self, n: int) -> str:
        """Format `n` in the digits and groups of the language, with the earlier value of an `Replacement`."""
        if isinstance(n, Replacement):
            return self._replaced_number(self.number(int(n)), self.number(n.was))
        return str(n) if 0 <= n < _SMALL else self.cldr.full.decimal(n)

    def _replaced_number(self, now: str, before: str) -> str:
        """Render a number and the value that it replaced."""
        return self.phrase(self.template("prose.instead", None), {"now": Text(now), "was": Text(before)}, None)

    def _multiplicative(self, n: int) -> str:
        """Render a multiplicative: *twice*."""
        if isinstance(n, Replacement):
            return self._replaced_number(self._multiplicative(int(n)), self._multiplicative(n.was))
        often = self.lexicon.times.get(str(n)) or self.lexicon.times.get("other", "~")
        return self._shown(often.replace("~", self.number(n)))

    def _numeral(self, n: int, wanted: frozenset[str], noun: Noun) -> str:
        """Render `n` before a noun: as a word where the language has one, else in digits.

        A noun that lacks the number of `n` takes digits: *1 trousers*.
        """
        agrees = noun.only is None or self.lexicon.numbers.get(self.cldr.plural(n)) in {noun.only, *wanted}
        forms = None if isinstance(n, Replacement) or not agrees else self.lexicon.numerals.get(str(int(n)))
        word = forms.pick(wanted) if forms else None
        return self._shown(word) if word else self.number(n)

    def ordinal(self, n: int, gender: str | None = None) -> str:
        """Return the ordinal of `n` (*3rd*, *3.*, *3e*, *3º*) for a noun of this gender."""
        forms = self.lexicon.ordinals.get(self.cldr.ordinal(n)) or self.lexicon.ordinals.get("other")
        default = self.lexicon.features.default("gender")
        form = forms.pick(frozenset({gender or default or ""})) if forms else None
        return (form or "~").replace("~", self.number(n))

    def number_form(self, count: int | None, noun: Noun) -> str:
        """Return the grammatical number of a noun for a count, or its usual one without a count.

        A noun with a single number (`only`) takes the other one for a count, if it has a form for it.
        """
        default = self.lexicon.features.default("number") or ""
        if count is None:
            return noun.only or default
        category = self.cldr.plural(count)
        if category not in self.lexicon.numbers:
            raise self._missing("numbers", category)
        number = self.lexicon.numbers[category]
        return noun.only if noun.only and not noun.forms.states(frozenset({number})) else number

    def verb_number(self, count: int | None, noun: Noun) -> str:
        """Return the number of a verb about a noun for a count: that of several even for a noun without a plural."""
        if count is None or count == 1 or not noun.only:
            return self.number_form(count, noun)
        return self.lexicon.numbers.get(self.cldr.plural(count), noun.only)

    def _grammatical_number(
        self, count: int | None, noun: Noun, asked: str | None, determiner: Determiner | None
    ) -> str:
        """Return the number in which a noun stands: that of its slot and determiner, or else that of its count.

        A noun without that number keeps its own: *as much rice* beside *as many cards*. With `strict`, a slot that asks
        for it is an error.
        """
        lacks = noun.only and asked and asked != noun.only and not noun.forms.states(frozenset({asked}))
        if lacks and self.strict:
            raise self._missing(noun.name, asked)
        sets = determiner.sets if determiner is not None else None
        number = sets if sets and self.lexicon.features.dimension(sets) == "number" else asked
        if number is None or (noun.only and not noun.forms.states(frozenset({number}))):
            return self.number_form(None if number else count, noun)
        return number

    def _in_any_number(self, forms: Forms, wanted: frozenset[str], noun: Noun) -> str | None:
        """Return a form of a determiner; before a noun with a single number, that of another number if need be."""
        numbers = self.lexicon.features.dimensions.get("number", ()) if noun.only else ()
        others = (forms.pick(wanted - {*numbers} | {number}) for number in numbers)
        return next((form for form in (forms.pick(wanted), *others) if form is not None), None)

    def _adjective(self, name: str, wanted: frozenset[str]) -> str:
        form = self.lexicon.adjectives[name].forms.pick(wanted)
        if form is None:
            raise self._missing(name, *sorted(wanted))
        return form

    def _before(self, preposition: str | None, article: str, heard: frozenset[str]) -> str:
        """Return preposition and article, contracted where the language does so."""
        if preposition is None:
            return self._shown(article)
        # *il tuo* contracts like *il*.
        first, gap, others = article.partition(" ")
        contracted = self.lexicon.contractions.get(f"{preposition} {first}") if article else None
        if contracted is not None:
            return self._shown(f"{contracted}{gap}{others}")
        form = self.lexicon.prepositions[preposition].forms.pick(
            self.lexicon.initial_sounds(article) if article else heard
        )
        return self._join(self._shown(form or preposition), self._shown(article))

    def after_preposition(self, preposition: str | None, text: str) -> str:
        """Return a text behind a preposition, in the form for the sound that follows."""
        return self._join(self._before(preposition, "", self.lexicon.initial_sounds(text)), text)

    def _name(self, name: str, request: SlotSpec) -> str:
        for feature in request.features:
            for ending, added in self.lexicon.possessives.get(feature, ()):
                if name.lower().endswith(ending):
                    return name + added
        return name

    def _owner(self, owner: Value, game: str | None) -> str:
        """Render an owner with the language's genitive: *von Anna*, *des roten Felds*."""
        spec = self.lexicon.belonging.get("term" if isinstance(owner, Term) else "name", ())
        return self.value(owner, read_slot_spec(spec, self.lexicon), game)

    def _listing(self, listing: Listing, request: SlotSpec, game: str | None, starting: bool) -> str:
        if not listing.items:
            return self.term(Term("none"), PLAIN, game)
        named = all(isinstance(item, (PlayerName, Text)) for item in listing.items)
        # *von Anna und Bert*, but *aus dem roten Feld und aus dem grünen Feld*: articles need their own preposition.
        later = SlotSpec(features=request.features) if named else request
        chained = accumulate(listing.items, lambda before, item: self._continuation(before, item, game))
        requests = [(item, later if index else request, starting and not index) for index, item in enumerate(chained)]
        items = [self.value(item, spec, game, None, first) for item, spec, first in requests]
        patterns = self.cldr.lists["or" if request.conjunction == "or" else "standard"]
        return list_text(listing, items, patterns, self.lexicon, lambda m: self.template(m, game))

    def chain(self, entries: Sequence[str]) -> str:
        """Join the entries without a conjunction."""
        return chain(entries, self.cldr.lists["standard"])

    def _unknown(self, term: Term, request: SlotSpec, game: str | None) -> str:
        """Render a term without an entry: *lucky card (red)*, or its known head word; as an owner like a name."""
        self.unnamed.add(term.name)
        (head, bracket, rest), game = term.name.partition("("), term.game or game
        count = f"{self.number(term.count)} " if request.number and term.count is not None else ""
        inner = [part.strip() for part in rest.rstrip(")").split(",")] if bracket else []
        if bracket and self.lexicon.noun(head, game) is not None:
            shown = self.chain([self.term(Term(part, game)) for part in inner])
            return f"{self.term(Term(head, game, term.count), request, game)} ({shown})"
        # A name that ends in *of* is followed by the preposition of the language: *prize of this number*.
        shown = head.removesuffix("_of").replace("_", " ").strip()
        shown = _PLURAL.sub("", shown) if count and term.count == 1 else shown
        text = shown + (f" ({self.chain(inner).replace('_', ' ')})" if bracket else "")
        determiner = self._determiner(request, proper=True)
        sets = (determiner.sets,) if determiner and determiner.sets else ()
        before, wanted = request.preposition, request.features
        if {*wanted} & {*self.lexicon.possessives}:
            owning = read_slot_spec(self.lexicon.belonging.get("name", ()), self.lexicon)
            wanted = (*(feature for feature in wanted if feature not in self.lexicon.possessives), *owning.features)
            before = before or owning.preposition
        number = self.lexicon.numbers.get(self.cldr.plural(term.count)) if term.count is not None else None
        features = self.lexicon.features.completed((*filter(None, (number,)), *wanted, *sets))
        described = [self._shown(text)]
        for name in reversed(request.adjectives):
            adjective = self._shown(self._adjective(name, features | self.lexicon.initial_sounds(described[0])))
            described.insert(len(described) if self.lexicon.adjectives[name].after else 0, adjective)
        text = " ".join(described)
        picked = determiner.forms.pick(features | self.lexicon.initial_sounds(text)) if determiner else None
        article = request.owner or picked or ""
        said = f"{count}{text}"
        if request.adjectives or article:
            return self._join(self._before(before, article, self.lexicon.initial_sounds(said)), said)
        return self.after_preposition(before, said)

    def _missing(self, word: str, *features: str | None) -> WordsError:
        # The default style is not part of a form's key.
        plain = self.lexicon.features.default("style")
        shown = ".".join(feature for feature in features if feature and feature != plain)
        return WordsError("words.missing_form", word=word, form=shown, where=self.lexicon.code)

    def _shown(self, text: str) -> str:
        return self.disguise(text) if self.disguise and text else text

    def capital(self, text: str) -> str:
        """Return the text with an initial capital, in the language's way (*IJsland*)."""
        for start, capital in self.lexicon.capitals.items():
            if start and text.startswith(start):
                return capital + text[len(start) :]
        return text[:1].title() + text[1:]

    @staticmethod
    def _join(before: str, text: str) -> str:
        if not before or not text:
            return before or text
        # An elided word joins the next one: l'area, dall'area.
        return before + text if before.endswith(("'", "’")) else f"{before} {text}"

    # ---- noun phrases ----

    def noun_phrase(
        self, thing: NounPhrase, request: SlotSpec, game: str | None, subject: frozenset[str] = frozenset()
    ) -> str:
        """Realise a noun phrase as a slot requests it; `subject` are the features of the sentence's subject.

        Raises `WordsError` for a form that the language lacks.
        """
        lexicon = self.lexicon
        if thing.head.name == COUNTED:
            thing = replace(thing, head=replace(thing.head, name=request.noun or "number"))
        if thing.there and request.place == "where" and lexicon.there:
            return lexicon.there
        thing = with_sort_noun(thing, request, lexicon, game)
        noun = None if isinstance(thing.head, ProperName) else lexicon.noun(thing.head.name, thing.head.game or game)
        placed = request.place is not None
        request = with_place_preposition(request, noun, lexicon)
        if noun is not None and noun.shared and thing.several:
            thing = replace(thing, several=False, modifiers=tuple(m for m in thing.modifiers if not belongs_to_all(m)))
        is_reader = thing.head in (ADDRESSED, ALL_ADDRESSED)
        if is_reader or (thing.pronoun and (SUBJECT in request.features or not thing.doing)):
            form = lexicon.pronouns.pick(self.traits(thing, request, game))
            if form is not None and (form or is_reader or not thing.aside):
                text = self.after_preposition(request.preposition, form)
                return lexicon.contractions.get(text, text)  # *A card of yours*
            thing = replace(thing, words=("def",), modifiers=())
        words = list(thing.words)
        if thing.whose is not None and not thing.own:
            theirs = lexicon.possession_other.pick(self.traits(thing.whose, SlotSpec(), game)) or "def"
            words = [*theirs.split(), *(word for word in words if word != "def")]
        if thing.own and (
            thing.head.count is not None or not {*words, "def"}.isdisjoint({*lexicon.determiners} - {"def"})
        ):
            # *That many of your own cards*: no article stands beside *your*, and *your 2 cards* would be all of them.
            words = ["own" if "indef" in words else "of_own", *(word for word in words if word not in ("indef", "def"))]
            subject = self.traits(thing.whose, SlotSpec(), game) if thing.whose is not None else subject
        elif thing.own:
            whose = self.traits(thing.whose, SlotSpec(), game) if thing.whose is not None else subject
            before = lexicon.possession_before.pick(whose) if thing.whose is not None and thing.whose.pronoun else None
            owner = (
                None
                if noun is not None and (noun.bodily or noun.shared)
                else before or lexicon.possession.pick(frozenset({YOU}) if YOU in whose else whose)
            )
            owner = owner or "def"
            words = [*owner.split(), *(word for word in words if word != "def")]
        if noun is not None and noun.bodily and placed and request.determiner is not None and not thing.modifiers:
            words = [word for word in words if word != "def"]  # The place has its own article or none: *in mano*.
        phrase_spec = read_slot_spec(words, lexicon)
        determiner = phrase_spec.determiner or (None if words else request.determiner)
        if thing.one and determiner in {None, "indef"} and (noun is None or noun.only is not None):
            # No other determiner has a number beside it: *no gold*.
            thing = replace(thing, head=replace(thing.head, count=1))
        count = thing.head.count
        if words == ["indef"] and thing.one is None and noun and noun.only == lexicon.features.default("number"):
            determiner = None  # *Has gold*: there may be more than *one gold*.
        # An article can express a count of one if the noun has a form of that number; a mere name has no article.
        article = count == 1 and noun is not None and not isinstance(count, Replacement)
        if article and noun is not None and noun.only is not None:
            article = self.number_form(count, noun) != noun.only
        spec = SlotSpec(
            preposition=request.preposition,
            determiner=determiner,
            number=count is not None and not (article and determiner is not None),
            adjectives=(
                *phrase_spec.adjectives,
                *(() if has_style(request, lexicon) else thing.besides),
                *request.adjectives,
            ),
            features=tuple(dict.fromkeys(f for f in (*request.features, *phrase_spec.features) if f != SUBJECT)),
        )
        if YOU in subject:
            # *One of their own* becomes *one of your own* for a reader who is the subject.
            spec = replace(spec, features=(*spec.features, YOU))
        if thing.several and (noun is None or noun.only is None):
            spec = replace(spec, features=(*spec.features, *filter(None, (lexicon.plural,))))
        owners, followers, last = list[str](), list[str](), ""
        for modifier in (m for m in thing.modifiers if isinstance(m, Attribute)):
            template, ahead = self.template(modifier.message, game), False
            if not modifier.last:
                ahead, template = modifier_side(template, modifier.values, determiner)
            text = self.phrase(template, modifier.values, game, subject)
            if modifier.last:
                last += f" {text}"
            else:
                (owners if ahead else followers).append(text)
        if owners:
            spec = with_possessor(spec, " ".join(owners), lexicon)
        parts = [self.term(thing.head, spec, game)]
        traits = self.traits(thing, request, game)
        clauses = [self._relative(m, traits, noun, game) for m in thing.modifiers if isinstance(m, Relative)]
        for text in followers:
            # A phrase between commas loses its closing comma at the end of a sentence.
            besides = f"{text}{CLOSE}" if text.endswith(",") else text
            parts.append(besides if besides.startswith(",") else f" {besides}")
        if clauses:
            on, long = (any(getattr(m, how, False) for m in thing.modifiers) for how in ("on", "long"))
            comma = "," if on or lexicon.clauses.commas == "around" else ""
            listed = join_list(_sharing(clauses), self.cldr.lists["standard"], lexicon)
            last = f"{OPEN}{comma} {listed}{last}{',' * long}{CLOSE}"
        parts.append(last)
        return f"({''.join(parts)})" if thing.grouped else "".join(parts)

    def traits(self, thing: NounPhrase, request: SlotSpec, game: str | None) -> frozenset[str]:
        """Return the features that pronouns agree with: number, gender, animacy, and those of the slot."""
        lexicon = self.lexicon
        thing = with_sort_noun(thing, request, lexicon, game)
        noun = (
            None if isinstance(thing.head, ProperName) else lexicon.head_noun(thing.head.name, thing.head.game or game)
        )
        request = with_place_preposition(request, noun, lexicon)
        by_dimension = {name: lexicon.features.default(name) or "" for name in ("number", "case")}
        stated = [*thing.words, *request.features, *filter(None, (lexicon.plural if thing.several else None,))]
        if noun is None and not isinstance(thing.head, ProperName) and thing.head not in (ADDRESSED, ALL_ADDRESSED):
            # A name of the rules without a term can still be referred to by a pronoun.
            by_dimension["gender"] = lexicon.unnamed
            if thing.head.count not in (None, 1):
                stated += filter(None, (lexicon.plural,))
        if noun is not None:
            stated.append(noun.gender or "")
            if thing.head.count is not None or noun.only:
                stated.append(self.verb_number(thing.head.count, noun))
        agreements = (lexicon.determiners[word].agrees for word in thing.words if word in lexicon.determiners)
        for feature in (*stated, *filter(None, agreements)):
            dimension = lexicon.features.dimension(feature)
            if dimension is not None:
                by_dimension[dimension] = feature
        function = SUBJECT if SUBJECT in request.features else OBJECT
        traits = frozenset(filter(None, (*by_dimension.values(), function, _animacy(thing, noun))))
        number = lexicon.spoken_of.pick(traits) if thing.pronoun else None
        return traits - {by_dimension["number"]} | {number} if number else traits

    def _relative(
        self, relative: Relative, thing: frozenset[str], noun: Noun | None, game: str | None
    ) -> tuple[str, str]:
        """Return a relative pronoun and its clause: *in which*, *a card lies*."""
        template, lexicon = self.template(relative.message, game), self.lexicon
        clause = template.clause
        if clause is None:
            raise WordsError("words.no_verb", message=relative.message)
        slot = next((p for p in template.parts if isinstance(p, Slot) and p.name == relative.slot), None)
        if slot is None:
            raise WordsError("words.missing_slot", message=relative.message, word=relative.slot)
        request = with_place_preposition(read_slot_spec(slot.spec, lexicon), noun, lexicon)
        doing = subject_of(clause, self.lexicon) == slot
        rest = clause.without(slot)
        pronoun = self._relative_pronoun(thing, request, doing, relative.on)
        text = self.ordered(rest, relative.values, Order.SUBORDINATE, game, thing if doing else None)
        return pronoun, text

    def _relative_pronoun(self, thing: frozenset[str], request: SlotSpec, doing: bool, on: bool) -> str:
        """Return the relative pronoun for a thing in a slot."""
        lexicon = self.lexicon
        case = case_of(request, lexicon) or lexicon.features.default("case") or ""
        lasting = {feature for feature in thing if lexicon.features.dimension(feature) != "case"} - {SUBJECT, OBJECT}
        traits = frozenset((*lasting, case, SUBJECT if doing else OBJECT, ADDING if on else CHOOSING))
        joint = lexicon.relatives_after.pick(traits) if request.preposition is not None else None
        if joint is None:
            return self.after_preposition(request.preposition, lexicon.relatives.pick(traits) or "")
        text = joint.replace("~", self.after_preposition(request.preposition, ""))
        return lexicon.contractions.get(text, text)

    def _continuation(self, before: Value | None, clause: Value, game: str | None) -> Value:
        """Return a clause of a list without its subject, if it begins with the subject of the clause before."""
        if not isinstance(before, Sentence) or not isinstance(clause, Sentence):
            return clause
        subject_before, subject_after = (self._subject_alone(part, game) for part in (before, clause))
        if subject_before is None or subject_after is None or subject_before[1] != subject_after[1]:
            return clause
        # The verb agrees with the subject as it was named: *the player takes … and puts*, *they take … and put*.
        return replace(
            clause, values={**clause.values, subject_after[0]: before.values[subject_before[0]]}, joined=True
        )

    def _subject_alone(self, sentence: Sentence, game: str | None) -> tuple[str, int] | None:
        """Return the subject slot of a clause and the key of its referent, if nothing else precedes the verb."""
        clause = self.template(sentence.message, game).clause
        subject = subject_of(clause, self.lexicon)
        if clause is None or subject is None or clause.first not in ((subject,), (subject, " ")):
            return None
        if clause.middle and isinstance(clause.middle[0], str) and clause.middle[0].startswith(","):
            return None
        topic = sentence.values.get(subject.name)
        if not isinstance(topic, NounPhrase) or topic.key is None or topic.first:
            return None
        return subject.name, topic.key


def _animacy(thing: NounPhrase, noun: Noun | None) -> str:
    """Return whether a phrase is about the reader, a person or a thing."""
    if thing.head in (ADDRESSED, ALL_ADDRESSED):
        return YOU if thing.head == ADDRESSED else YOU_ALL
    person = thing.head.person if isinstance(thing.head, ProperName) else noun is not None and noun.person
    return PERSON if person or thing.person else THING


def _sharing(clauses: Sequence[tuple[str, str]]) -> list[str]:
    """Join pronouns and clauses about one thing; the second of two omits an identical pronoun."""
    (first, text), *others = clauses
    if len(others) == 1 and others[0][0] == first and CLOSE not in text:
        return [f"{first} {text}", others[0][1]]
    return [f"{pronoun} {text}" for pronoun, text in clauses]
