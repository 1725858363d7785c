"""`wongar new`: the initial files of a new variant."""

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

from wongar_dsl.base.storage.files import relative_path, write_bytes
from wongar_dsl.nlg.words import Translator, WordsError, quoted
from wongar_dsl.nlg.words.catalogs import read_catalog
from wongar_dsl.nlg.words.files import read_text, read_tree
from wongar_dsl.nlg.words.negotiation import ENGLISH, available, languages_in

from ...errors import UserError, write_error
from ...exit_codes import SUCCESS, USAGE
from ...language import load_unfiltered
from ...terminal.screen import echo
from ..options import text_option

if TYPE_CHECKING:
    from .new_variant import NewVariant, VariantHeader

MAX_NAME_LENGTH = 60
#: A valid name in the rule language.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def command(words: Translator) -> click.Command:
    """Return the click command `wongar new`."""
    say = words.say

    def run(name: str, game: str, folder: str | None) -> int:

        from ...arguments.load_game import open_game
        from .new_variant import begin_variant

        _check_name(name, words)
        header, beside = _header(name, game, folder, words)
        opened = open_game(game, words)
        if name in opened.rules.model.merged.names:
            raise UserError(say("cli.new.taken", name=quoted(name)), USAGE)
        place = beside if beside is not None else Path(folder if folder is not None else name)
        if os.path.lexists(place) and ((beside is None and folder is None) or not place.is_dir()):
            raise UserError(say("cli.new.there", path=quoted(str(place))), USAGE)
        for path in _own_files(place, name):
            if os.path.lexists(path):
                raise UserError(say("cli.new.there", path=quoted(str(path))), USAGE)
        # Files are written with the full character set, independent of the terminal.
        author = load_unfiltered(words.language, opened.rules.words_beside)
        _write(place, header, begin_variant(header, opened.rules), author, words)
        _report(place, name, words)
        return SUCCESS

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


def _check_name(name: str, words: Translator) -> None:
    """Raise `UserError` if a name is not valid for a variant or is already used."""
    from wongar_dsl.engine.library import builtin_names
    from wongar_dsl.language.parser import reserved_words

    if not NAME.fullmatch(name) or len(name) > MAX_NAME_LENGTH:
        raise UserError(words.say("cli.new.bad_name", name=quoted(name)), USAGE)
    if name in reserved_words():
        raise UserError(words.say("cli.new.reserved", name=quoted(name)), USAGE)
    if name in {part for chain in builtin_names() for part in chain.split("/")}:
        raise UserError(words.say("cli.new.taken", name=quoted(name)), USAGE)


def _header(name: str, game: str, folder: str | None, words: Translator) -> tuple[VariantHeader, Path | None]:
    """Return the header of the variant and the folder required for its base to be found.

    The folder is None if any will do. Raises `UserError` if the base cannot be found from the requested folder.
    """
    from wongar_dsl.engine.library import SUFFIX, pieces, resolved_pieces
    from wongar_dsl.engine.library.builtin_games import PACK_SUFFIX
    from wongar_dsl.engine.library.game_ids import folder_above_own

    from .new_variant import VariantHeader

    named, files = [], []
    for piece, location in zip(pieces(game), resolved_pieces(game) or pieces(game), strict=True):
        if os.path.isabs(location):
            if location.endswith(PACK_SUFFIX):
                raise UserError(words.say("cli.new.from_pack", file=quoted(piece)), USAGE)
            stem = Path(location).name.removesuffix(SUFFIX)
            if not NAME.fullmatch(stem) or not location.endswith(SUFFIX):
                raise UserError(words.say("cli.new.no_base", file=quoted(piece)), USAGE)
            files.append(Path(location))
            named.append(stem)
        else:
            named.append(piece)
    header = VariantHeader(name, named[0], tuple(named[1:]))
    if not files:
        return header, None
    if folder is not None:
        if not _finds(Path(folder).resolve(), name, files):
            raise UserError(words.say("cli.new.elsewhere", file=quoted(game)), USAGE)
        return header, Path(folder)
    above = folder_above_own(files[0])
    places = [files[0].parent, *([above / name] if above is not None else [])]
    place = next((place for place in places if _finds(place, name, files)), None)
    if place is None:
        raise UserError(words.say("cli.new.apart", file=quoted(game)), USAGE)
    return header, _from_here(place)


def _finds(place: Path, name: str, files: Sequence[Path]) -> bool:
    """Return whether a variant in a folder finds rule files by their names."""
    from wongar_dsl.engine.library.game_ids import neighbour_paths

    rule_file, _ = _own_files(place, name)
    return all(file in neighbour_paths(rule_file, file.stem) for file in files)


def _from_here(place: Path) -> Path:

    return Path(relative_path(str(place)))


def _own_files(place: Path, name: str) -> tuple[Path, Path]:
    """Return the rule file of a variant and its case file."""
    return place / f"{name}.rules", place / f"{name}.cases.yaml"


def _report(place: Path, name: str, words: Translator) -> None:
    """List the files written and the commands to run next."""
    rules, cases = _own_files(place, name)
    for path in (rules, cases, place / "locales"):
        echo(words.say("cli.new.written", path=quoted(str(path))))
    echo(words.say("cli.new.next"))
    for subcommand, path in (("validate", rules), ("test", cases), ("play", rules)):
        echo(f"  {shlex.join(['wongar', subcommand, str(path)])}")


# ---- writing -------------------------------------------------------------------------------------------------------


def _write(place: Path, header: VariantHeader, start: NewVariant, author: Translator, words: Translator) -> None:
    """Write all files or none, in the language of the author.

    Raises `UserError` if a file cannot be written.
    """
    try:
        with _atomic_folder(place) as folder:
            _fill(folder, header, start, author)
    except WordsError as error:
        raise UserError(words.say(error.name, None, **error.details)) from None
    except OSError as error:
        raise write_error(place, error, words) from None


@contextlib.contextmanager
def _atomic_folder(place: Path) -> Iterator[Path]:
    """Yield a folder to write into; it becomes `place` if all writing succeeds.

    In a folder that exists, an error restores the previous content.
    """
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
    existing = set(_below(place))
    try:
        yield place
    except BaseException:
        with contextlib.suppress(OSError):
            for path, data in before.items():
                if path.read_bytes() != data:
                    path.write_bytes(data)
            for path in sorted(set(_below(place)) - existing, reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _below(place: Path) -> Iterator[Path]:
    """Yield the files and folders below a folder that this command could write: rules, cases and catalogs."""
    yield from place.glob("*.rules")
    yield from place.glob("*.cases.yaml")
    locales = place / "locales"
    if locales.is_dir():
        yield from (locales, *locales.glob("*"), *locales.glob("*/*"))


def _fill(folder: Path, header: VariantHeader, start: NewVariant, words: Translator) -> None:
    """Write the files of a variant: catalogs, cases, and last the rules."""

    from .new_variant import case_file, languages_of, rule_file

    english = Translator.load(ENGLISH)
    languages = available()
    for code in languages_of(words, languages_in(folder / "locales")):
        if code in languages or code == words.language:
            _add_words(
                folder / "locales" / code, start, words if code == words.language else Translator.load(code), english
            )
    rules, cases = _own_files(folder, header.name)
    write_bytes(cases, case_file(header, start, words).encode())
    write_bytes(rules, rule_file(header, start, words).encode())


def _add_words(folder: Path, start: NewVariant, words: Translator, english: Translator) -> None:
    """Add the terms and messages of the variant that the files of a language lack."""
    from wongar_dsl.nlg.words.po_files import with_messages, with_terms, write_file

    from .new_variant import sentences, terms

    game = start.rules.model.merged.names[0]
    lexicon, catalog = folder / "lexicon.yaml", folder / "messages.po"
    games = read_tree(read_text(lexicon), str(lexicon)).get("games") if lexicon.exists() else None
    game_terms = games.get(game) if isinstance(games, dict) else None
    existing_terms = game_terms if isinstance(game_terms, dict) else {}
    new = {name: entry for name, entry in terms(start).items() if name not in existing_terms}
    if new:
        write_file(lexicon, with_terms(lexicon, game, new))
    existing_messages = read_catalog(read_text(catalog), str(catalog)).entries if catalog.exists() else {}
    messages = {
        name: entry for name, entry in sentences(start, words, english).items() if name not in existing_messages
    }
    if messages:
        write_file(catalog, with_messages(catalog, words.language, list(messages.values())))
