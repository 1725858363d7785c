"""Hand-written words of a game that a variant or a setting has made untrue are not used."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest

from tests.nlg.narration.told import change, narrator, write_words
from tests.nlg.prose.books import LANGUAGES, document_of, variant
from tests.small_games import write_rules
from wongar_dsl.engine import Game
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.library import load
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.prose.document.document_model import Rulebook
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.short_rules import SHORT
from wongar_dsl.nlg.prose.game_facts import IDLE, GameFacts
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, render_text
from wongar_dsl.nlg.words import Translator, translator
from wongar_dsl.nlg.words.locale import ALWAYS, OTHERWISE, Locale, load_locale, scope_of

GAMES = ("wongar", "tongiaki", "ubongo", "tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel")
ENGLISH = load_locale("en", ())

# ---- a small game -----------------------------------------------------------------------------------------------

RULES = """
cards card
    red
    blue

deck pack of card total 2
    1 red, 1 blue

pile stack holds card, seen as a number

remember cards_left: number = 2
option mood = 1 in 0 to 5

setup
    fill stack with pack

play
    repeat until cards_left = 0
        for each p in player
            p chooses turn
                take
                    set cards_left to cards_left - 1
                    tell rest
                leave
                    p wins
"""
LEXICON = """games:
  small:
    cards_left: {only: pl, pl: cards in the stack, articles: [deck.pack]}
    cards_left.otherwise: {only: sg, sg: card counter}
"""
MESSAGES = """msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

# articles: deck.pack, remember.cards_left
msgctxt "small.none.cards_left"
msgid "all cards [are|are|be] gone."
msgstr ""

# articles: option.mood
msgctxt "small.rest"
msgid "the one card [rests|rest]."
msgstr ""

msgctxt "small.rest.otherwise"
msgid "a pause [follows|follow]."
msgstr ""
"""


def hoard(folder: Path, more: str = "", rules: str = RULES) -> Path:
    """Write the small game with its words and more of them, and return the path of its rules."""
    place = write_words(folder, LEXICON) / "en"
    (place / "messages.po").write_text(MESSAGES + more, encoding="utf-8")
    return write_rules(folder, rules, "1")


def text_of_rules(book: Rulebook, words: Translator) -> str:
    """Return a rulebook without the rules in short, which mark by themselves what no longer holds."""
    book = replace(book, sections=tuple(section for section in book.sections if section.key != SHORT))
    reading = RealisedRulebook(book, words, "")
    assert not reading.missing_line_count
    return "\n".join(paragraph.text for paragraph in render_text(reading))


def book_of(path: Path) -> str:
    """Return the English rulebook of a game with words beside it."""
    words = Translator.load("en", [path.parent / "locales"])
    return text_of_rules(rulebook(load(path).model, words), words)


@pytest.mark.parametrize(("own", "said"), [("", False), ("# articles: deck.pack\n", True)])
def test_a_variant_keeps_only_the_words_that_were_written_for_it(own: str, said: bool, tmp_path: Path) -> None:
    entry = 'msgctxt "small/changed.none.cards_left"\nmsgid "the only card [is|are|be] gone."\nmsgstr ""\n'
    hoard(tmp_path, f"\n{own}{entry}" if own else "")
    path = tmp_path / "changed.rules"
    path.write_text(change("small", "remove blue from deck pack"), encoding="utf-8")
    book = book_of(path)
    assert ("the only card is gone" in book) is said
    assert "all cards are gone" not in book
    assert "Card counter" in book


@pytest.mark.parametrize(("mood", "said"), [(1, "The one card rests."), (2, "A pause follows.")])
def test_a_setting_of_a_match_makes_words_untrue_too(tmp_path: Path, mood: int, said: str) -> None:
    game = load(hoard(tmp_path)).game(1, {"mood": mood}, backend="reference")
    state, _ = game.start(1)
    told = [narrator(game).event(event, EVERYTHING) for event in state.apply(state.legal_moves()[0])]
    assert said in told


RICHES = """
msgctxt "small.amounts.wealth"
msgid "how rich {player} is [depends|depend] on {value}"
msgstr ""
"""


def test_a_definition_without_a_noun_has_the_name_that_the_rules_use(tmp_path: Path) -> None:
    gains = RULES.replace("                    tell rest\n", "                    p gains wealth(p) points\n")
    wealth = "score points\ndefine wealth(p: player) = cards_left * 2\n"
    book = book_of(hoard(tmp_path, RICHES, gains + wealth))
    assert "How rich" not in book
    assert len(re.findall(r"[Ww]ealth\b", book)) == 2


# ---- the shipped games ------------------------------------------------------------------------------------------


@cache
def game_of(name: str) -> Game:
    rules = load(name)
    return rules.game(rules.model.players[0], backend="reference")


def changed_everywhere(game: str) -> dict[str, frozenset[str]]:
    """Return the changes of a variant that changes each declaration of a game, and each value, zone and option."""
    model = game_of(game).model
    changes = [f"changes.{name}" for name in (*model.declared.remembered, *model.declared.zones)]
    options = [f"choice.{name}.{option}" for name, choice in model.decisions.items() for option, _ in choice.options]
    choices = [f"choice.{name}" for name in model.decisions]
    return dict.fromkeys([*map(s.key_text, model.merged.articles), *changes, *choices, *options], frozenset({"other"}))


def guards_of(game: str) -> dict[str, tuple[str, ...]]:
    guards = {word: articles for word, articles in ENGLISH.guards.items() if scope_of(word) == game}
    return {word: articles for word, articles in guards.items() if ALWAYS not in articles}


def text_of(locale: Locale, word: str) -> object:
    game, _, name = word.partition(":")
    return locale.lexicon.games[game].get(name) if name else locale.catalog.entries.get(word)


@pytest.mark.parametrize("game", GAMES)
def test_listed_declarations_exist(game: str) -> None:
    keys = changed_everywhere(game).keys()
    assert [(word, a) for word, articles in guards_of(game).items() for a in articles if a not in keys] == []


def test_few_translators_without_outdated_words_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translator, "MAX_CACHED_TRANSLATORS", 2)
    words, kept = Translator.load("de"), []
    articles = dict.fromkeys(guards_of("ubongo").values())
    for (article, *_), _ in zip(articles, range(6), strict=False):
        changes = {article: frozenset({"other"})}
        fitting = words.without_outdated("ubongo/other", changes)
        assert words.without_outdated("ubongo/other", changes) is fitting
        kept.append(len(words._without_outdated))
    assert max(kept) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_substitutes_exist_in_every_language(language: str) -> None:
    """A guarded term has one, since its name in the rules is English."""
    locale = load_locale(language, ())
    needed = [word for word in ENGLISH.guards if ":" in word or text_of(ENGLISH, word + OTHERWISE) is not None]
    assert needed
    assert [word for word in needed if text_of(locale, word + OTHERWISE) is None] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_dropped_if_one_of_its_declarations_is_changed(language: str) -> None:
    words = Translator.load(language)
    for game in GAMES:
        for word, article in ((word, article) for word, articles in guards_of(game).items() for article in articles):
            fitting = words.without_outdated(f"{game}/other", {article: frozenset({"other"})})
            before, after = text_of(words._locale, word), text_of(fitting._locale, word)
            assert after is None or after is text_of(words._locale, word + OTHERWISE)
            assert before is not None
            assert after != before


def without_outdated(game: str, language: str) -> Translator:
    return Translator.load(language).without_outdated(game, changed_everywhere(game))


@cache
def book_without_outdated(game: str) -> Rulebook:
    """Return the rulebook in the words that remain if everything changes."""
    return rulebook(game_of(game).model, without_outdated(game, "en"))


@pytest.mark.parametrize("game", GAMES)
def test_rulebooks_and_questions_are_complete_without_outdated_words(game: str) -> None:
    played = game_of(game)
    for language in LANGUAGES:
        words = without_outdated(game, language)
        assert text_of_rules(book_without_outdated(game), words)
        narrator = Narrator(played, words, ["Anna", "Bert", "Cora"])
        state, events = played.start(3)
        lines = [narrator.event(event, EVERYTHING) or "" for event in events]
        for turn in range(20):
            if state.over:
                break
            moves = state.legal_moves()
            lines += [narrator.prompt(state), *(narrator.option(state, move) for move in moves)]
            events = state.apply(moves[turn % len(moves)])
            lines += [narrator.event(event, EVERYTHING) or "" for event in events]
        assert [line for line in lines if re.search(rf"\b{game}\.|\bdecision\.", line)] == []


@pytest.mark.parametrize("game", GAMES)
def test_each_change_of_a_truth_value_is_told_if_it_has_no_usual_words(game: str) -> None:
    """*Has not yet received one this time* tells of these changes; a substitute or a generated condition does not."""
    model, words = game_of(game).model, without_outdated(game, "en")
    truths = [value.name for value in model.declared.remembered.values() if value.type.kind == "truth"]
    wordless = {name for name in truths if not words.has_usual(f"state.{name}", game)}
    facts, fates = GameFacts.of(model), book_without_outdated(game).log.fates
    changes = [
        node for node, why in facts.redundant.items() if why != IDLE and wordless & facts.reset_index.reset_values(node)
    ]
    assert changes or game != "tongiaki"
    assert [node for node in changes if fates[node] != ("said", "")] == []


#: Changes of shipped games, and how often their rulebooks hold a text, by language.
CHANGED_BOOKS: dict[tuple[str, str], dict[str, dict[str, int]]] = {
    # Words for the end of a loop are used for loops only.
    ("wongar", "after rule ceremony\n    if last_round\n        holder of elder gains 1 points for scorpions"): {
        "de": {"die letzte Runde gespielt ist": 1, "die letzte Runde begonnen hat": 1},
        "nl": {"de laatste ronde gespeeld is": 1, "de laatste ronde begonnen is": 1},
        "it": {"è stato giocato l’ultimo giro": 1, "è iniziato l’ultimo giro": 1},
        "en": {"the last round has been played": 1, "the last round has begun": 1},
    },
    # A number that starts at its bound does not rise to it.
    ("kuhn_poker", "replace remember stake of each player: number 1 to 2 = 1"): {
        "de": {"erhöh": 2, "Einsatz ist jetzt 2": 0},
        "nl": {"verhoog|verhogen": 2, "inzet is nu 2": 0},
        "it": {"posta a 2": 2, "posta ora è 2": 0},
        "en": {"raise": 2, "stake is now 2": 0},
    },
    ("kuhn_poker", "replace remember stake of each player: number 1 to 2 = 2"): {
        "de": {"erhöh": 0, "Einsatz ist jetzt 2": 2},
        "nl": {"verhoog|verhogen": 0, "inzet is nu 2": 2},
        "it": {"posta a 2": 0, "posta ora è 2": 2},
        "en": {"raise": 0, "stake is now 2": 2},
    },
    # A count of cards is not claimed of another deck or start.
    ("tongiaki", "replace remember waters_left: number = 5"): {
        "de": {"alle Wasserkarten|Wasserkarten im Stapel|letzte Wasserkarte": 0, "Wasserkartenzähler": 5},
        "en": {"all water cards|water cards in the stack|last water card": 0, "water card counter": 4},
    },
    ("tongiaki", "remove water_card(ono) from deck ocean_deck"): {
        "nl": {"alle waterkaarten|waterkaarten in de stapel|laatste waterkaart": 0, "waterkaartteller": 4},
        "it": {"carte acqua nel mazzo|ultima carta acqua": 0, "contatore delle carte acqua": 4},
    },
    # The value is said that a variant sets.
    ("tongiaki", "after rule found_royal\n    set served of beach_1 to yes"): {
        "de": {"damit ein Schiff erhalten": 0, "erhält einen Schiffsvermerk": 3},
        "nl": {"daarmee een schip gekregen": 0, "krijgt een scheepsmarkering": 3},
        "it": {"così ricevuto una nave": 0, "riceve un segno di nave": 3},
        "en": {"now received a ship": 0, "gets a ship mark": 3},
    },
    # The call of a replaced rule is not said as before.
    ("wongar", "replace rule end_after_this_round()\n    end game"): {
        "de": {"nach dieser Runde": 0}, "nl": {"na deze ronde": 0},
        "it": {"dopo questo giro": 0}, "en": {"after this round": 0},
    },
    ("wongar", ""): {
        "de": {"nach dieser Runde": 6}, "nl": {"na deze ronde": 6},
        "it": {"dopo questo giro": 6}, "en": {"after this round": 6},
    },
    # A replaced definition has the name that the rules use.
    ("goofspiel", "replace define offer(p: player) = 4 - worth of bid of p"): {
        "de": {"Gebotshöhe": 2}, "en": {"bid amount": 2, "offer": 0},
    },
    ("goofspiel", "replace define offer(p: player) = worth of bid of p + size of holding of p"): {
        "nl": {"oogte van het bod": 2, "offer": 0}, "it": {"importo dell’offerta": 2, r"offer\b": 0},
    },
}  # fmt: skip


@pytest.mark.parametrize(("game", "change"), CHANGED_BOOKS)
def test_the_rulebook_of_a_variant_says_what_holds(game: str, change: str) -> None:
    book = document_of(variant(game, change))
    for language, counts in CHANGED_BOOKS[game, change].items():
        text = text_of_rules(book, Translator.load(language))
        assert {pattern: len(re.findall(pattern, text)) for pattern in counts} == counts


# ---- the class --------------------------------------------------------------------------------------------------

#: Words that claim something about a whole game: quantities, reasons and places.
CLAIM = re.compile(
    r"\b(?:all|every\w*|only|last|alone|since|because|lack|left|most|highest|one|two|three|four|six|ten|foremost|both|"
    r"other players|Tonga\w*|adjacent|any more|clockwise|yet|already|no|nobody|somebody|number of)\b|\d",
    re.IGNORECASE,
)

#: Texts with such a word that are true under every change, by the reason.
INDEPENDENT = {
    "the words name a rule or definition, whose own text stands in the book": """
        tongiaki.define.ships_of.not tongiaki.define.free.not tongiaki.define.ships_at_sea.not
        tongiaki.define.roomy.not tongiaki.define.founds_more.not
        tongiaki.define.some_open_end.not tongiaki.define.ends_at.not tongiaki.define.may_land.not
        tongiaki.none.pier_at tongiaki.less.colours_at_sea tongiaki.less.colours_on ubongo.at_most.distance
        wongar.define.ritual_left wongar.define.ritual_left.not wongar.define.may_play.not kuhn_poker.most.strength""",
    "the words are a heading, and the rules stand below it": """
        tongiaki.title.nobody_served tongiaki.title.fetch tongiaki.title.come_back tongiaki.title.end_after_this_turn
        tongiaki.title.way_of wongar.title.end_after_this_round""",
    "the words name the content of the one zone, value or table that they are about": """
        tongiaki.none.piers tongiaki.none.ocean tongiaki.none.ocean.not tongiaki.none.berths
        ubongo.none.reaches_at.becomes wongar.state.takes_part.not wongar.most.taken""",
    "the words say what the statement does that reports them, or the option that is chosen": """
        tongiaki.landed_other tongiaki.landed_other.also tongiaki.landed_other.shared tongiaki.landed_other.shared.also
        tongiaki.decision.surplus.send_home tongiaki.decision.landing.land ubongo.takes_nothing wongar.declined
        wongar.sent.together wongar.ritual_chosen.rule""",
}


def claiming(game: str) -> Iterator[str]:
    """Yield the texts of a game whose fixed words claim something; summaries and lessons have lists of their own."""
    for name, entry in ENGLISH.catalog.entries.items():
        own = scope_of(name) == game and not re.match(r"[^.]+\.(?:rules|lesson)\.", name)
        fixed = re.sub(r"\{[^}]*\}", "_", re.sub(r"\[([^\]|:]*)[^\]]*\]", r"\1", entry.english[0]))
        if own and not name.endswith(OTHERWISE) and CLAIM.search(fixed):
            yield name


@pytest.mark.parametrize("game", GAMES)
def test_texts_that_claim_something_list_its_declarations(game: str) -> None:
    independent = {name for names in INDEPENDENT.values() for name in names.split()}
    assert [name for name in claiming(game) if name not in ENGLISH.guards and name not in independent] == []
    known = {name for name in independent if scope_of(name) == game}
    assert sorted(known - {*claiming(game)}) == []
    assert sorted(known & ENGLISH.guards.keys()) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_message_of_the_log_has_a_sentence_after_every_change(game: str) -> None:
    told = {f"{game}.{message.name}" for message in game_of(game).model.messages.values()}
    missing = [name for name in told & ENGLISH.guards.keys() if text_of(ENGLISH, name + OTHERWISE) is None]
    assert missing == []


#: Hints that are true with any value of a setting that their declarations read, or that fills a place they read.
TRUE_WITH_ANY_SETTING = {
    "option.ships_each": """welcome first_ships second_ship new_ship emigration chain water fails landing royal founds
        resettle taught last_turn end"""
}


@pytest.mark.parametrize("game", GAMES)
def test_hints_list_the_settings_that_they_depend_on(game: str) -> None:
    model = game_of(game).model
    articles = {s.key_text(article): article for article in model.merged.articles}

    def names(tree: object, kinds: Container[str]) -> set[str]:
        refs = (model.refs.get(node) for node in s.walk(tree))
        return {ref.name for ref in refs if ref is not None and ref.kind in kinds}

    zones = partial(names, kinds=("zone", "tokens"))

    fills = [node for article in model.code.articles for node in s.walk(article) if isinstance(node, s.Fill)]
    missing = []
    for name, entry in ENGLISH.catalog.entries.items():
        if scope_of(name) != game or ".lesson." not in name:
            continue
        about = tuple(articles[key] for key in entry.articles)
        filled = {o for fill in fills if zones(about) & zones(fill.zone) for o in names(fill, ("option",))}
        settings = {f"option.{option}" for option in names(about, ("option",)) | filled} - {*entry.articles}
        hint = name.rpartition(".")[2]
        missing += [(name, o) for o in settings if hint not in TRUE_WITH_ANY_SETTING.get(o, "").split()]
    assert missing == []


#: Terms that claim something: a number of other things, or a rank among them.
TERM_CLAIM = re.compile(
    r"\b(?:\d+|two|three|four|five|six)[ -](?!\d)[a-z]|\b(?:most|highest|lowest|last|only)\b", re.IGNORECASE
)


def claiming_terms(game: str, substitutes: bool = False) -> Iterator[str]:
    for name in ENGLISH.lexicon.games.get(game, {}):
        noun = ENGLISH.lexicon.noun(name, game) if name.endswith(OTHERWISE) is substitutes else None
        if noun is not None and any(TERM_CLAIM.search(form) for _, form in noun.forms.entries):
            yield f"{game}:{name}"


@pytest.mark.parametrize("game", GAMES)
def test_terms_that_claim_something_list_its_declarations(game: str) -> None:
    assert [name for name in claiming_terms(game) if name not in ENGLISH.guards] == []


@pytest.mark.parametrize("game", GAMES)
def test_terms_that_name_a_number_list_the_tables_that_their_rules_read(game: str) -> None:
    """A rule that sorts things by a value of a table no longer names them if the table changes."""
    articles = {s.key_text(article): article for article in game_of(game).model.merged.articles}
    tables = {key.removeprefix("table.") for key in articles if key.startswith("table.")}
    for word in claiming_terms(game):
        noun = ENGLISH.lexicon.noun(word.partition(":")[2], game)
        numbers = noun is not None and any(re.search(r"\d", form) for _, form in noun.forms.entries)
        rules = [articles[key] for key in ENGLISH.guards[word] if key.startswith(("rule.", "define."))]
        read = {node.name for rule in rules for node in s.walk(rule) if isinstance(node, s.Indexed)} & tables
        assert not numbers or {f"table.{table}" for table in read} <= {*ENGLISH.guards[word]}, word


@pytest.mark.parametrize("game", GAMES)
def test_substitutes_claim_nothing(game: str) -> None:
    """A substitute is shown after a change, so it may not depend on the declarations either."""
    texts = {name: e.english[0] for name, e in ENGLISH.catalog.entries.items() if name.endswith(OTHERWISE)}
    allowed = {"tongiaki.sent_home.otherwise", "ubongo.sandglass_turned.otherwise"}
    reasons = re.compile(r"\b(?:since|because|lack|last|only|left|alone|Tonga\w*)\b", re.IGNORECASE)
    mine = {name: text for name, text in texts.items() if scope_of(name) == game and name not in allowed}
    assert [name for name, text in mine.items() if reasons.search(text)] == []
    assert [*claiming_terms(game, substitutes=True)] == []
