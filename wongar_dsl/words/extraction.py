"""The template that translators start from: every message, with its English sentence and the kinds of its slots."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from wongar_dsl.words.catalog_check import MessageSpec
from wongar_dsl.words.files import Root
from wongar_dsl.words.locale import load_locale
from wongar_dsl.words.negotiation import ENGLISH

#: No date in it: the same messages give the same file.
_HEADER = "# Sentences to translate.  How: docs/translating.md"


def extract(specs: Iterable[MessageSpec], roots: Sequence[Root] = ()) -> str:
    """The text of a POT file with the messages of `specs`, sorted by name.

    A message without English sentence gets its name and slots as a draft of one.
    """
    english = load_locale(ENGLISH, roots).catalog.entries
    catalog = Catalog(fuzzy=False)
    for spec in sorted(specs, key=lambda spec: spec.name):
        entry = english.get(spec.name)
        draft = " ".join([spec.name, *(f"{{{slot}}}" for slot in spec.slots)])
        sentence = (entry.texts if entry.translated else entry.english) if entry else (draft,)
        catalog.add(
            sentence[0] if len(sentence) == 1 else sentence,
            context=spec.name,
            auto_comments=[f"{slot}: {kind}" for slot, kind in spec.slots.items()],
        )
    buffer = io.BytesIO()
    write_po(buffer, catalog, omit_header=True, width=0)
    head = f'{_HEADER}\nmsgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return head + buffer.getvalue().decode("utf-8")
