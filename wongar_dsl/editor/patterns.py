"""How the parts of a rule file look; made by tools/make_highlighting.py, do not change it here."""

from __future__ import annotations

#: Regular expressions in the order in which they are tried, each with the scopes of its groups.
PATTERNS: tuple[tuple[str, dict[int, str]], ...] = (
    (
        "#.*$",
        {0: "comment.line.number-sign"},
    ),
    (
        r'"[^"\n]*"',
        {0: "string.quoted.double"},
    ),
    (
        r"[x.]*\.[x.]*",
        {0: "constant.other"},
    ),
    (
        r"\b(?:without[ ]+going[ ]+round(?![A-Za-z0-9_]))\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:touching[ \t]+diagonally)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:source[ \t]+reconstruction)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:source[ \t]+inferred)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:source[ \t]+house[ \t]+rule)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:source[ \t]+house)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:seen[ \t]+by[ \t]+owner)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:seen[ \t]+by[ \t]+nobody)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:seen[ \t]+by[ \t]+all)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:seen[ \t]+as[ \t]+a[ \t]+number)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:rows[ \t]+offset[ \t]+by[ \t]+half)\b",
        {0: "keyword.control"},
    ),
    (
        (
            r"\b(?:remove[ \t]+(?:board|coverings|deck|define|effect|enum|figure|option|remember|rule|"
            r"shapes|table|track|zone))\b"
        ),
        {0: "keyword.control"},
    ),
    (
        r"\b(?:only[ \t]+if)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:move[ \t]+all[ \t]+of)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:kind[ ]+of(?=[ ]+[A-Za-z][A-Za-z0-9_]*[ ]+in[ ]))\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:in[ \t]+choice[ \t]+to)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:in[ \t]+choice)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:hexagons[ \t]+radius)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:held[ \t]+by[ \t]+player)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:from[ \t]+choice)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:by[ ]+time)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:at[ \t]+once)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:add[ \t]+to[ \t]+winner)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:add[ \t]+to[ \t]+track)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:add[ \t]+to[ \t]+table)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:add[ \t]+to[ \t]+enum)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:add[ \t]+to[ \t]+deck)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:add[ \t]+to[ \t]+choice)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b(?:add[ \t]+to[ \t]+cards)\b",
        {0: "keyword.control"},
    ),
    (
        (
            r"\b(?:(if|repeat|for[ ]+each|perform|give|wins|end[ ]+game|end[ ]+rule|leave[ ]+loop|"
            r"forget[ ]+choices|impossible|nothing)(?![A-Za-z0-9_]))\b"
        ),
        {0: "keyword.control"},
    ),
    (
        (
            r"\b(?:(end[ ]+game|forget[ ]+choices|end[ ]+rule|leave[ ]+loop|impossible|"
            r"nothing)(?![a-z_]))\b"
        ),
        {0: "keyword.control"},
    ),
    (
        r"\b(?:(?:choose|chooses)[ \t]+at[ \t]+once)\b",
        {0: "keyword.control"},
    ),
    (
        r"\b[A-Za-z]\w*(?=:)",
        {0: "variable.parameter"},
    ),
    (
        r"\b(tell|as)[ \t]+([A-Za-z]\w*)",
        {1: "keyword.control", 2: "entity.name.tag"},
    ),
    (
        r"\b(chooses?)[ \t]+(?!(?:at|by|without)\b)([A-Za-z]\w*)",
        {1: "keyword.control", 2: "entity.name.tag"},
    ),
    (
        (
            r"^[ \t]+(?!(?:impossible|nothing|otherwise|repeat)\b)([A-Za-z]\w*)(?=[ \t]*$|[ \t]+(?:if\b|"
            "#))"
        ),
        {1: "entity.name.tag"},
    ),
    (
        r"\b(?:facing|greatest|least|player|side|spot|step)(?=\()",
        {0: "support.function"},
    ),
    (
        r"\b[A-Za-z]\w*(?=\()",
        {0: "entity.name.function"},
    ),
    (
        (
            r"^(?:replace[ \t]+)?(?:add|after|allow|before|board|cards|coverings|deck|define|effect|enum|"
            "figure|game|hand|heap|layout|option|paths|pile|play|remember|remove|replace|rule|score|set|"
            r"setup|shapes|slot|table|tokens|track|variant|winner)(?=[ \t\r]|$)"
        ),
        {0: "storage.type"},
    ),
    (
        r"\b(?:no|nobody|none|yes)\b",
        {0: "constant.language"},
    ),
    (
        (
            r"\b(?:bottom|column|holder|left|phase|place|position|right|row|size|space|spaces|"
            r"top)(?=[ \t]+of\b)"
        ),
        {0: "support.function"},
    ),
    (
        r"\b(?:I|direction|me|player|players|time)\b",
        {0: "support.type"},
    ),
    (
        (
            r"\b(?:advance|choose|chooses|each|fill|for|gain|gains|give|if|lay|let|lose|loses|move|my|"
            r"otherwise|perform|repeat|set|shuffle|take|takes|tell|win|wins)\b"
        ),
        {0: "keyword.control"},
    ),
    (
        (
            r"\b(?:after|along|and|as|at|by|cards|clockwise|count|deck|effect|empty|enum|every|fewest|"
            "first|from|gives|has|highest|in|is|lines|lowest|most|not|number|of|on|or|play|players|"
            "quietly|random|reached|row|rule|setup|some|source|space|spaces|sum|table|tally|then|"
            r"through|times|to|touching|track|until|weighted|where|while|with|within)\b"
        ),
        {0: "keyword.operator.word"},
    ),
    (
        (
            r"\b(?:book|div|grid|hexagons|holds|mod|never|seconds|total|touches|"
            r'turned)(?=[ \t]+["A-Za-z0-9(]|[ \t]*$)'
        ),
        {0: "keyword.operator.word"},
    ),
    (
        r"\bbefore(?=[ \t]+[A-Za-z]\w*[ \t]*(?:#.*)?$)",
        {0: "keyword.operator.word"},
    ),
    (
        r"\b\d+\b",
        {0: "constant.numeric"},
    ),
    (
        "[][(),:]",
        {0: "punctuation"},
    ),
    (
        "<=|>=|!=|[-+*=<>]",
        {0: "keyword.operator"},
    ),
    (
        r"\b[A-Za-z]\w*\b",
        {0: "variable.other"},
    ),
)
