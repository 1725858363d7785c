"""Words of other languages, of programmers and of readers of rulebooks, and what rule files say instead."""

from __future__ import annotations

from collections.abc import Mapping

#: Keywords that no name may be, and what is said instead; nothing where this language needs no word.
KEYWORDS: Mapping[str, str] = {
    **dict.fromkeys(("else", "default", "sonst", "ansonsten", "andernfalls", "anders", "altrimenti"), "otherwise"),
    **dict.fromkeys(("elif", "elseif", "elsif", "elsewhen", "unless"), "otherwise if"),
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
    **dict.fromkeys(("then", "endif", "endfor", "endwhile", "fi", "esac", "dann", "dan", "allora"), ""),
    "und": "and", "oder": "or", "nicht": "not", "niet": "not", "non": "not",
}  # fmt: skip

#: What may be a name, but is probably meant otherwise where no name can stand.
WORDS: Mapping[str, str] = {
    **{word: said for word, said in KEYWORDS.items() if said},
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
    "raster": "grid", "rooster": "grid", "griglia": "grid", "hex": "hexagons", "bag": "tokens", "stack": "pile",
    "on": "yes", "off": "no",
    "ja": "yes", "nein": "no", "nee": "no", "True": "yes", "False": "no", "None": "nobody", "für": "for each",
    "finché": "repeat while", "per": "for each", "get": "gain", "gets": "gains", "got": "gains",
    "scores": "gains", "receives": "gains", "earns": "gains", "pays": "loses", "pay": "lose", "equals": "=",
    "No": "no", "Yes": "yes", "gewinnt": "wins", "wint": "wins", "vince": "wins", "won": "wins",
    "bekommt": "gains", "erhält": "gains", "krijgt": "gains", "riceve": "gains", "verliert": "loses", "perde": "loses",
    "punkte": "points", "Punkte": "points", "punten": "points", "punti": "points",
    "Spieler": "player", "spieler": "player", "speler": "player", "giocatore": "player",
    "spiel": "game", "Spiel": "game", "spel": "game", "gioco": "game", "Niemand": "nobody", "Nessuno": "nobody",
}  # fmt: skip

#: Signs of other languages and of word processors.
SIGNS: Mapping[str, str] = {
    "&": "and", "|": "or", "!": "not", "/": "div", "%": "mod", "==": "=", "<>": "!=", "=<": "<=", "=>": ">=",
    "&&": "and", "||": "or",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": '"', "’": '"', "'": '"', "–": "-", "—": "-", "−": "-",
    "×": "*", "·": "*", "÷": "div", "≤": "<=", "≥": ">=", "≠": "!=", "//": "#",
}  # fmt: skip

#: Words with which a line begins elsewhere, and those with which it begins here.
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

#: What players say of an end that nobody wins.
DRAWN = frozenset({"draw", "drawn", "tie", "unentschieden", "remis", "gelijkspel", "pareggio", "patta", "stalemate"})

#: Types of programming languages.
TYPES: Mapping[str, str] = {
    **dict.fromkeys(("int", "integer", "float", "numeric", "zahl", "getal", "numero"), "number"),
    **dict.fromkeys(("bool", "boolean", "flag", "truth"), "yes or no"),
}  # fmt: skip
