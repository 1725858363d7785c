"""Words of other languages, of programmers and of readers of rulebooks, and what rule files say instead."""

from __future__ import annotations

from collections.abc import Mapping

#: Keywords that no name may be, and what is said instead; nothing where this language needs no word.
KEYWORDS: Mapping[str, str] = {
    **dict.fromkeys(("else", "default", "sonst", "ansonsten", "anders", "altrimenti"), "otherwise"),
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
    "und": "and", "oder": "or", "nicht": "not", "niet": "not",
}  # fmt: skip

#: What may be a name, but is probably meant otherwise where no name can stand.
WORDS: Mapping[str, str] = {
    **{word: said for word, said in KEYWORDS.items() if said},
    "while": "repeat while", "until": "repeat until", "loop": "repeat", "print": "tell", "say": "tell",
    "break": "leave loop", "exit": "end rule", "stop": "end rule", "pass": "nothing",
    "class": "enum", "type": "enum", "map": "board",
    "ja": "yes", "nein": "no", "nee": "no", "True": "yes", "False": "no", "None": "nobody", "für": "for each",
    "finché": "repeat while", "per": "for each", "get": "gain", "gets": "gains", "got": "gains",
    "scores": "gains", "receives": "gains", "earns": "gains", "pays": "loses", "pay": "lose", "equals": "=",
    "gewinnt": "wins", "wint": "wins", "vince": "wins", "won": "wins",
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
    "×": "*", "·": "*", "÷": "div", "≤": "<=", "≥": ">=", "≠": "!=", "//": "#", "{": "(", "}": ")",
}  # fmt: skip
