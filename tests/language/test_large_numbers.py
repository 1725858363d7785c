"""Large numbers in every place for a number: each file is checked in limited time and memory."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.language.test_manual import examples, grammar_text, whole_file

ROOT = Path(__file__).resolve().parents[2]
SECONDS, MEGABYTES = 10, 500
NUMBER = re.compile(r"(?<![\w.\"])\d+(?![\w.\"])")
LARGE = (10**9, 10**5)

#: Checks or formats the given texts, one per line, with a timer; prints those that take too long or raise an exception.
RUN = """
import json, resource, signal, sys
from pathlib import Path
from wongar_dsl.language.printer import format_source
from wongar_dsl.engine.library import inspect
from wongar_dsl.base.span import Source
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.words import Translator
say = Translator.load("en").say
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
late = False
def over(*_):
    global late
    late = True
    raise TimeoutError
signal.signal(signal.SIGPROF, over)
for line in sys.stdin:
    what, text, checks = json.loads(line)
    path = Path(sys.argv[1]) / "large.rules"
    path.write_text(text, encoding="utf-8")
    late, failure = False, ""
    try:
        signal.setitimer(signal.ITIMER_PROF, float(sys.argv[2]))
        if checks:
            render_text(inspect(str(path))[1][:20], say)
        else:
            format_source(Source("large", text))
    except BaseException as error:
        failure = repr(error)[:300]
    signal.setitimer(signal.ITIMER_PROF, 0)
    if late:  # The code that the exception interrupts may swallow it or raise another one.
        failure = "too late"
    if failure:
        print(json.dumps([what, failure]), flush=True)
status = Path("/proc/self/status")
if status.exists():
    peak = int(status.read_text().split("VmHWM:")[1].split()[0])
else:  # On Linux this counts the process that started this one, which may be large.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps(["megabytes", peak // 1024]))
"""


#: Words of the grammar.
WORDS = frozenset(re.findall(r"\b[a-z]{2,}\b", grammar_text()))


def neighbours(line: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """Return the two words or signs before a number and the next one, with placeholders for names and numbers."""
    before, after = (
        [part if part in WORDS or not part[0].isalnum() else "0" if part.isdigit() else "n" for part in parts]
        for parts in (re.findall(r"\w+|[^\w\s]", text) for text in (line[:start], line[end:]))
    )
    return before[-2:], after[:1]


def with_large_numbers(texts: dict[str, str], each_place_once: bool) -> list[tuple[str, str]]:
    """Return the texts with one number enlarged: each number, or one for each pair of neighbours."""
    variants, seen = [], []
    for name, text in texts.items():
        lines = text.splitlines()
        for row, line in enumerate(lines):
            code = line.split("#")[0]
            for match in NUMBER.finditer(code):
                key = neighbours(code, *match.span())
                if each_place_once and key in seen:
                    continue
                seen.append(key)
                for large in LARGE:
                    new = f"{line[: match.start()]}{large}{line[match.end() :]}"
                    variants.append(
                        (f"{name}:{row + 1}: {new.strip()}", "\n".join([*lines[:row], new, *lines[row + 1 :]]))
                    )
    return variants


def failures_of(texts: list[tuple[str, str, bool]], folder: Path, seconds: float = SECONDS) -> list[object]:
    """Return the texts that exceed the time, the memory or raise an exception when checked (True) or formatted."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(folder), str(seconds)],
        input="".join(json.dumps(text) + "\n" for text in texts), capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    failures: list[object] = printed[:-1]
    if not printed or printed[-1][0] != "megabytes" or printed[-1][1] > MEGABYTES:
        failures += [printed[-1:], done.stderr[-500:]]
    return failures


def shipped_texts() -> dict[str, str]:
    """Return every shipped rule file, games and variants."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules").glob("*/*.rules"))}


def manual_texts() -> dict[str, str]:
    """Return every example of the manual as a whole file."""
    kinds = ("", "wrong", "alone", "table", "statements", "values", "articles")
    return {str(example): whole_file(example) for example in examples() if (example.kind.split() or [""])[0] in kinds}


def test_slow_texts_are_reported(tmp_path: Path) -> None:
    text = next(iter(shipped_texts().values()))
    failures = failures_of([("long", text, checks) for checks in (True, False)], tmp_path, 0.001)
    assert failures == [["long", "too late"]] * 2


def test_each_place_for_a_large_number_is_checked_in_time(tmp_path: Path) -> None:
    texts = [(what, text, True) for what, text in with_large_numbers(manual_texts(), each_place_once=True)]
    assert len(texts) > 100
    # A mistake in one line does not keep the formatter from the others, so that it reads all numbers at once.
    texts += [(name, NUMBER.sub(str(max(LARGE)), text), False) for name, text in manual_texts().items()]
    assert failures_of(texts, tmp_path) == []
