"""Keywords and terms of other languages, mapped to the words of the rule language.

Diagnostics use these tables to suggest the intended word to programmers and to authors who write in another language.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Reserved keywords of other languages and their replacements; empty where the rule language needs no word.
KEYWORDS: Mapping[str, str] = {
    **dict.fromkeys(("else", "default", "sonst", "ansonsten", "andernfalls", "anders", "altrimenti"), "otherwise"),
    "except": "otherwise", **dict.fromkeys(("elif", "elseif", "elsif", "elsewhen", "unless"), "otherwise if"),
    **dict.fromkeys(("when", "switch", "case", "wenn", "falls", "als", "indien", "se", "qualora"), "if"),
    **dict.fromkeys(("solange", "zolang", "finche"), "repeat while"),
    **dict.fromkeys(("foreach", "fuer", "voor"), "for each"),
    **dict.fromkeys(("wiederhole", "herhaal", "ripeti"), "repeat"),
    **dict.fromkeys(("return",), "give"),
    **dict.fromkeys(("var", "const"), "let"),
    **dict.fromkeys(("def", "function", "procedure", "fn"), "rule"),
    **dict.fromkeys(("true",), "yes"),
    **dict.fromkeys(("false",), "no"),
    **dict.fromkeys(("null", "nil", "niemand", "nessuno"), "nobody"),
    **dict.fromkeys(("then", "finally", "endif", "endfor", "endwhile", "fi", "esac", "dann", "dan", "allora"), ""),
    "und": "and", "oder": "or", "nicht": "not", "niet": "not", "non": "not",
}  # fmt: skip

#: Valid names that are probably meant as a keyword where no name is allowed.
WORDS: Mapping[str, str] = {
    **{word: replacement for word, replacement in KEYWORDS.items() if replacement},
    "while": "repeat while", "until": "repeat until", "loop": "repeat", "print": "tell", "say": "tell",
    "break": "leave loop", "exit": "end rule", "stop": "end rule", "pass": "nothing",
    "class": "enum", "type": "enum", "map": "board",
    **dict.fromkeys(("regel", "regola", "sub"), "rule"), **dict.fromkeys(("zet", "setze", "imposta", "change"), "set"),
    **dict.fromkeys(("override", "overwrite", "ersetze", "vervang", "sostituisci"), "replace"),
    **dict.fromkeys(("delete", "drop", "entferne", "verwijder", "rimuovi"), "remove"),
    **dict.fromkeys(("gewinner", "sieger", "winnaar", "vincitore"), "winner"),
    **dict.fromkeys(("tabelle", "tabel", "tabella"), "table"), **dict.fromkeys(("karten", "kaarten", "carte"), "cards"),
    **dict.fromkeys(("mische", "schud", "mescola", "mix"), "shuffle"),
    **dict.fromkeys(("bewege", "verplaats", "muovi", "sposta"), "move"),
    **dict.fromkeys(("fülle", "vul", "riempi"), "fill"), **dict.fromkeys(("vorbereitung", "voorbereiding"), "setup"),
    **dict.fromkeys(("erlaube", "consenti"), "allow"), **dict.fromkeys(("opzione", "optie"), "option"),
    **dict.fromkeys(("mal", "keer", "volte", "x"), "times"), "till": "until", "silently": "quietly", "max": "highest",
    "maximum": "highest", "min": "lowest", "minimum": "lowest", "everybody": "all", "everyone": "all",
    **dict.fromkeys(("größer", "groter", "maggiore", "gt"), ">"), **dict.fromkeys(("kleiner", "minore", "lt"), "<"),
    "raster": "grid", "rooster": "grid", "griglia": "grid", "hex": "hexagons", "hexes": "hexagons",
    "bag": "tokens", "stack": "pile", "on": "yes", "off": "no",
    "ja": "yes", "nein": "no", "nee": "no", "True": "yes", "False": "no", "None": "nobody", "für": "for each",
    "finché": "repeat while", "per": "for each", "get": "gain", "gets": "gains", "got": "gains",
    "scores": "gains", "receives": "gains", "earns": "gains", "pays": "loses", "pay": "lose", "equals": "=",
    "No": "no", "Yes": "yes", "gewinnt": "wins", "wint": "wins", "vince": "wins", "won": "wins",
    "bekommt": "gains", "erhält": "gains", "krijgt": "gains", "riceve": "gains", "verliert": "loses", "perde": "loses",
    "punkte": "points", "Punkte": "points", "punten": "points", "punti": "points",
    "Spieler": "player", "spieler": "player", "speler": "player", "giocatore": "player",
    "spiel": "game", "Spiel": "game", "spel": "game", "gioco": "game", "Niemand": "nobody", "Nessuno": "nobody",
}  # fmt: skip

#: Operators of programming languages and typographic characters, with their replacements.
SIGNS: Mapping[str, str] = {
    "&": "and", "|": "or", "!": "not", "/": "div", "%": "mod", "==": "=", "<>": "!=", "=<": "<=", "=>": ">=",
    "&&": "and", "||": "or",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": '"', "’": '"', "'": '"', "–": "-", "—": "-", "−": "-",
    "×": "*", "·": "*", "÷": "div", "≤": "<=", "≥": ">=", "≠": "!=", "//": "#",
}  # fmt: skip

#: First words of a line in other languages, and their replacements.
BEGINNINGS: Mapping[str, str] = {
    **dict.fromkeys(("else if", "anders als", "sonst wenn", "altrimenti se"), "otherwise if"),
    **dict.fromkeys(("in caso contrario", "or else", "if not then"), "otherwise"),
    **dict.fromkeys(("für jeden", "für jede", "für jedes", "fuer jeden"), "for each"),
    **dict.fromkeys(("per ogni", "voor elke", "voor elk", "for every", "for all", "per ciascun"), "for each"),
    **dict.fromkeys(("repeat till", "wiederhole bis", "herhaal tot", "ripeti finché non"), "repeat until"),
    **dict.fromkeys(("wiederhole solange", "herhaal zolang", "ripeti finché"), "repeat while"),
    **dict.fromkeys(("se non", "als niet", "wenn nicht"), "if not"),
    **dict.fromkeys(("solange nicht", "zolang niet"), "repeat while not"),
}  # fmt: skip

#: Terms for a game without a winner.
DRAWN = frozenset({"draw", "drawn", "tie", "unentschieden", "remis", "gelijkspel", "pareggio", "patta", "stalemate"})

#: Type names of programming languages.
TYPES: Mapping[str, str] = {
    **dict.fromkeys(("int", "integer", "float", "numeric", "zahl", "getal", "numero"), "number"),
    **dict.fromkeys(("bool", "boolean", "flag", "truth"), "yes or no"),
}  # fmt: skip
