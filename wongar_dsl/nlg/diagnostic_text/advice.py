"""Advice messages for faults in lexicons and catalogs."""

from __future__ import annotations

from collections.abc import Mapping

#: Advice message by the name of a finding.
ADVICE: Mapping[str, str] = {
    **dict.fromkeys(("words.untranslated", "words.unknown_message"), "words.do.translate"),
    "words.no_entry": "words.do.entry",
    "words.fuzzy": "words.do.fuzzy",
    "words.stale": "words.do.stale",
    **dict.fromkeys(("words.unknown_slot", "words.missing_slot", "words.bad_slot"), "words.do.slot"),
    **dict.fromkeys(("words.bad_mark", "words.no_verb"), "words.do.mark"),
    **dict.fromkeys(("words.unknown_word", "words.word_twice"), "words.do.word"),
    **dict.fromkeys(("words.wrong_case", "words.case_missing"), "words.do.case"),
    "words.no_case": "words.do.slot_case",
    "words.unknown_term": "words.do.term",
    **dict.fromkeys(("words.no_articles", "words.unknown_article"), "words.do.articles"),
    **dict.fromkeys(("words.missing_form", "words.unstated_form"), "words.do.form"),
    **dict.fromkeys(("words.unused_message", "words.unused_term", "words.unknown_game"), "words.do.unused"),
    "words.no_gender": "words.do.gender",
    **dict.fromkeys(("words.unknown_feature", "words.unknown_pattern", "words.unknown_section"), "words.do.known"),
    "words.bad_shape": "words.do.shape",
    "words.quotation": "words.do.marks",
    "words.spacing": "words.do.spacing",
    **dict.fromkeys(("words.no_conjunction", "words.bare_number"), "words.do.slot_words"),
    "words.missing_plural": "words.do.plural",
    "words.bad_plural": "words.do.header",
    **dict.fromkeys(("words.entry_twice", "words.key_twice", "words.form_twice"), "words.do.twice"),
    "words.control": "words.do.control",
    "words.stray_quote": "words.do.quote",
    "words.not_utf8": "words.do.encoding",
    **dict.fromkeys(("words.tab", "words.bad_yaml"), "words.do.yaml"),
    **dict.fromkeys(("words.bad_catalog", "words.no_context"), "words.do.catalog"),
    "words.unknown_language": "words.do.language",
}


def advice_of(finding: str) -> str:
    """Return the message that says how to fix a finding."""
    return ADVICE.get(finding, "words.do.wording")
