"""Contents of the wheel, and play from the wheel in a fresh environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import PackageMetadata, distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {
    "wongar_dsl": "wongar_dsl",
    "cli": "wongar_dsl/cli",
    "tests/diagnostics/examples": "wongar_dsl/examples",
    "rules": "wongar_dsl/rules",
    "locales": "wongar_dsl/locales",
    "web": "wongar_dsl/web",
}
#: Symbolic links in the package, for editors and type checkers, to folders beside it.
LINKS = ("cli", "web")
LANGUAGES = ("de", "en", "it", "nl")


def run_command(*command: str | Path, folder: Path) -> str:
    """Return the output of a command, run in another folder without the Python and Wongar variables of this shell."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WONGAR_"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        # Modules are compiled when they are imported, which most of the installed ones are not.  Saves stay here.
        env=environment | {"PYTHONUTF8": "1", "PIP_NO_COMPILE": "1", "XDG_DATA_HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=540,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def new_environment(home: Path, *installed: str | Path) -> Path:
    """Create an environment, install with pip into it, and return the folder of its commands."""
    venv.create(home)
    commands = home / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", commands / "python")
    run_command(*pip, "install", "--quiet", "--disable-pip-version-check", *installed, folder=home)
    return commands


def copy_required(metadata: PackageMetadata, place: Path) -> None:
    """Copy what a distribution requires, and what that requires, from this environment, compiled and of a fit version.

    To download it takes ten times as long.
    """
    for requirement in map(Requirement, metadata.get_all("Requires-Dist") or ()):
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        found = distribution(requirement.name)
        assert requirement.specifier.contains(found.version), f"{requirement}: {found.version} is installed"
        for name in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            source = Path(str(found.locate_file(name)))
            if source.is_dir():
                shutil.copytree(source, place / name, dirs_exist_ok=True)
            else:
                shutil.copy2(source, place)
        copy_required(found.metadata, place)


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment with what a build requires."""
    required = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    return new_environment(tmp_path_factory.mktemp("builder"), *required) / "python"


def build(builder: Path, kind: str, tree: Path) -> Path:
    """Build a distribution (`sdist` or `wheel`) from a tree as a build frontend does; return its file."""
    code = f"from setuptools import build_meta; print(build_meta.build_{kind}('dist'))"
    return tree / "dist" / run_command(builder, "-c", code, folder=tree).splitlines()[-1]


def built_source(builder: Path, tree: Path, linked: bool) -> Path:
    """Build the source distribution from a copy of the tree; return its file.

    With `linked=False` the symbolic links are text files, as git writes them where the system has none.
    """
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in LINKS:
        link = tree / "wongar_dsl" / name
        link.unlink()
        if linked:
            link.symlink_to(f"../{name}", target_is_directory=True)
        else:
            link.write_text(f"../{name}", encoding="utf-8")
    return build(builder, "sdist", tree)


def source_names(source: Path) -> set[str]:
    """Return the names in a source distribution."""
    with tarfile.open(source) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def unlinked(builder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the source distribution of a checkout without symbolic links."""
    return built_source(builder, tmp_path_factory.mktemp("tree"), linked=False)


@pytest.fixture(scope="module")
def wheel(builder: Path, unlinked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, built from the source distribution of a checkout without symbolic links."""
    folder = tmp_path_factory.mktemp("source")
    shutil.unpack_archive(unlinked, folder)
    (tree,) = folder.iterdir()
    return build(builder, "wheel", tree)


@pytest.fixture(scope="module")
def installed_commands(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of a fresh environment with the wheel, and only what it requires."""
    home = tmp_path_factory.mktemp("fresh")
    commands = new_environment(home, "--no-deps", wheel)
    place = sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)})
    (installed,) = distributions(name="wongar", path=[place])
    copy_required(installed.metadata, Path(place))
    return commands


def test_every_folder_with_modules_is_a_package() -> None:
    """A folder without `__init__.py` would work here and be missing from the wheel."""
    folders = {module.parent for name in ("wongar_dsl", "cli", "web") for module in (ROOT / name).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_wheel_holds_everything_inside_of_one_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"wongar_dsl", "wongar"}
    assert all(".dist-info/" in name for name in names if not name.startswith("wongar_dsl/"))
    links = {ROOT / "wongar_dsl" / name for name in LINKS}
    expected = {
        place + "/" + path.relative_to(ROOT / folder).as_posix()
        for folder, place in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path not in links
    }
    assert {name for name in names if name.startswith("wongar_dsl/")} == expected
    assert "wongar_dsl/language/parser/grammar.lark" in expected
    assert "wongar_dsl/py.typed" in expected
    assert {"wongar_dsl/web/templates/table.html", "wongar_dsl/web/static/table.js"} <= expected
    assert "wongar_dsl/rules/wongar/wongar.rules" in expected
    assert {f"wongar_dsl/locales/{language}/messages.po" for language in LANGUAGES} <= expected


def test_links_name_the_folders_beside_the_package() -> None:
    for name in LINKS:
        link = ROOT / "wongar_dsl" / name
        target = os.readlink(link) if link.is_symlink() else link.read_text(encoding="utf-8")
        assert target.replace("\\", "/").strip() == f"../{name}"


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege there")
def test_links_add_nothing_to_what_is_distributed(builder: Path, unlinked: Path, tmp_path: Path) -> None:
    # The wheel is built from the source distribution.
    inside = source_names(built_source(builder, tmp_path, linked=True))
    assert inside == source_names(unlinked)
    assert not {name for name in inside if name.startswith(("wongar_dsl/cli", "wongar_dsl/web"))}
    assert {"cli/main.py", "web/app.py", "setup.py"} <= inside


def test_installed_command_lists_and_plays_games_and_writes_a_rulebook(
    installed_commands: Path, tmp_path: Path
) -> None:
    output = run_command(installed_commands / "wongar", "games", "--lang", "en", folder=tmp_path).lower()
    for game in sorted(path.stem for path in (ROOT / "rules").glob("*/*.rules")):
        assert game in output
    code = "import sys; from wongar_dsl.cli.main import main; [main(line.split()) for line in sys.argv[1:]]"
    commands = ("play nim --seats random,random --seed 1", "rulebook nim --format html --lang de")
    output = run_command(installed_commands / "python", "-c", code, *commands, folder=tmp_path)
    assert output.partition("<!DOCTYPE html>")[0].strip()
    assert "</html>" in output
