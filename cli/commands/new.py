"""`wongar new`: the files that a variant begins with."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.words import Words, WordsError, quoted

from ..errors import Refusal
from ..terminal.screen import echo
from .options import text_option

if TYPE_CHECKING:
    from ..starting import Naming, Start

LONGEST = 60
#: A name as the language of rule files has it.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(name: str, game: str, folder: str | None) -> int:

        from ..language import whole
        from ..opening import opening
        from ..starting import begin

        _check_name(name, words)
        naming, beside = _naming(name, game, folder, words)
        opened = opening(game, words)
        if name in opened.rules.model.merged.names:
            raise Refusal(say("cli.new.taken", name=quoted(name)), 2)
        place = beside if beside is not None else Path(folder if folder is not None else name)
        if os.path.lexists(place) and ((beside is None and folder is None) or not place.is_dir()):
            raise Refusal(say("cli.new.there", path=quoted(str(place))), 2)
        for path in _own_files(place, name):
            if os.path.lexists(path):
                raise Refusal(say("cli.new.there", path=quoted(str(path))), 2)
        # What stands in files is written with all letters, whatever the terminal can show.
        author = whole(words.language, opened.rules.words_beside)
        _write(place, naming, begin(naming, opened.rules), author, words)
        _tell(place, name, words)
        return 0

    return click.Command(
        "new",
        callback=run,
        help=say("cli.new.help"),
        params=[
            click.Argument(["name"], metavar=say("cli.new.name.metavar")),
            click.Option(
                ["--from", "game"], required=True, metavar=say("cli.game.metavar"), help=say("cli.new.from.help")
            ),
            text_option(words, ["--dir", "folder"], "cli.folder.metavar", "cli.new.dir.help"),
        ],
    )


def _check_name(name: str, words: Words) -> None:
    """Raise `Refusal` for what cannot be the name of a variant, or is that of another one."""
    from wongar_dsl.library import shipped_names
    from wongar_dsl.parser import reserved_words

    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise Refusal(words.say("cli.new.bad_name", name=quoted(name)), 2)
    if name in reserved_words():
        raise Refusal(words.say("cli.new.reserved", name=quoted(name)), 2)
    if name in {part for known in shipped_names() for part in known.split("/")}:
        raise Refusal(words.say("cli.new.taken", name=quoted(name)), 2)


def _naming(name: str, game: str, folder: str | None, words: Words) -> tuple[Naming, Path | None]:
    """How the variant is named in its file, and the folder in which it has to lie, so that its base is found there."""
    from wongar_dsl.library import SUFFIX, located, pieces
    from wongar_dsl.library.naming import shelf_of
    from wongar_dsl.library.packs import PACK

    from ..starting import Naming

    named, files = [], []
    for piece, at in zip(pieces(game), located(game) or pieces(game), strict=True):
        if os.path.isabs(at):
            if at.endswith(PACK):
                raise Refusal(words.say("cli.new.from_pack", file=quoted(piece)), 2)
            stem = Path(at).name.removesuffix(SUFFIX)
            if not NAME.fullmatch(stem) or not at.endswith(SUFFIX):
                raise Refusal(words.say("cli.new.no_base", file=quoted(piece)), 2)
            files.append(Path(at))
            named.append(stem)
        else:
            named.append(piece)
    naming = Naming(name, named[0], tuple(named[1:]))
    if not files:
        return naming, None
    if folder is not None:
        if not _finds(Path(folder).resolve(), name, files):
            raise Refusal(words.say("cli.new.elsewhere", file=quoted(game)), 2)
        return naming, Path(folder)
    shelf = shelf_of(files[0])
    places = [files[0].parent, *([shelf / name] if shelf is not None else [])]
    place = next((place for place in places if _finds(place, name, files)), None)
    if place is None:
        raise Refusal(words.say("cli.new.apart", file=quoted(game)), 2)
    return naming, _from_here(place)


def _finds(place: Path, name: str, files: Sequence[Path]) -> bool:
    """Whether a variant in a folder finds rule files by their names."""
    from wongar_dsl.library.naming import around

    own, _ = _own_files(place, name)
    return all(file in around(own, file.stem) for file in files)


def _from_here(place: Path) -> Path:
    from wongar_dsl.text.files import path_from_here

    return Path(path_from_here(str(place)))


def _own_files(place: Path, name: str) -> tuple[Path, Path]:
    """The rule file of a variant, and the file of its cases."""
    return place / f"{name}.rules", place / f"{name}.cases.yaml"


def _tell(place: Path, name: str, words: Words) -> None:
    """Which files there are now, and what to do with them."""
    rules, cases = _own_files(place, name)
    for path in (rules, cases, place / "locales"):
        echo(words.say("cli.new.written", path=quoted(str(path))))
    echo(words.say("cli.new.next"))
    for subcommand, path in (("validate", rules), ("test", cases), ("play", rules)):
        echo(f"  {shlex.join(['wongar', subcommand, str(path)])}")


# ---- writing -------------------------------------------------------------------------------------------------------


def _write(place: Path, naming: Naming, start: Start, author: Words, words: Words) -> None:
    """Write all files, or none, in the words of their author; raises `Refusal`."""
    try:
        with _whole(place) as folder:
            _fill(folder, naming, start, author)
    except WordsError as error:
        raise Refusal(words.say(error.name, None, **error.details)) from None
    except OSError as error:
        from ..saves import not_written

        raise not_written(place, error, words) from None


@contextlib.contextmanager
def _whole(place: Path) -> Iterator[Path]:
    """A folder to write into that becomes `place` once all is there; of a folder that exists, what was there stays."""
    if not place.is_dir():
        stage = place.parent / f".{place.name}-{os.getpid()}.part"
        stage.mkdir()
        try:
            yield stage
            stage.rename(place)
        except BaseException:
            shutil.rmtree(stage, ignore_errors=True)
            raise
        return
    before = {path: path.read_bytes() for path in (place / "locales").glob("*/*") if path.is_file()}
    there = set(_below(place))
    try:
        yield place
    except BaseException:
        with contextlib.suppress(OSError):
            for path, data in before.items():
                if path.read_bytes() != data:
                    path.write_bytes(data)
            for path in sorted(set(_below(place)) - there, reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _below(place: Path) -> Iterator[Path]:
    """What stands in a folder that this command could write: rules, cases and words."""
    yield from place.glob("*.rules")
    yield from place.glob("*.cases.yaml")
    locales = place / "locales"
    if locales.is_dir():
        yield from (locales, *locales.glob("*"), *locales.glob("*/*"))


def _fill(folder: Path, naming: Naming, start: Start, words: Words) -> None:
    """The files of a variant: its words, its cases, and last its rules."""
    from wongar_dsl.text.files import write_bytes
    from wongar_dsl.words.negotiation import ENGLISH, available, languages_in

    from ..starting import case_file, languages_of, rule_file

    english = Words.load(ENGLISH)
    known = available()
    for code in languages_of(words, languages_in(folder / "locales")):
        if code in known or code == words.language:
            _add_words(folder / "locales" / code, start, words if code == words.language else Words.load(code), english)
    rules, cases = _own_files(folder, naming.name)
    write_bytes(cases, case_file(naming, start, words).encode())
    write_bytes(rules, rule_file(naming, start, words).encode())


def _add_words(folder: Path, start: Start, words: Words, english: Words) -> None:
    """What a language says of the variant, besides what its files say already."""
    from wongar_dsl.words.catalogs import read_catalog
    from wongar_dsl.words.files import read_text, read_tree
    from wongar_dsl.words.skeletons import with_messages, with_terms, write

    from ..starting import sentences, terms

    game = start.rules.model.merged.names[0]
    lexicon, catalog = folder / "lexicon.yaml", folder / "messages.po"
    games = read_tree(read_text(lexicon), str(lexicon)).get("games") if lexicon.exists() else None
    own = games.get(game) if isinstance(games, dict) else None
    there = own if isinstance(own, dict) else {}
    new = {name: entry for name, entry in terms(start).items() if name not in there}
    if new:
        write(lexicon, with_terms(lexicon, game, new))
    known = read_catalog(read_text(catalog), str(catalog)).entries if catalog.exists() else {}
    said = {name: entry for name, entry in sentences(start, words, english).items() if name not in known}
    if said:
        write(catalog, with_messages(catalog, words.language, list(said.values())))
