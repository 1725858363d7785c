"""Locates the browser for the browser tests, installs it if possible, and prints its path.

`WONGAR_CHROMIUM` selects a browser other than the system's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: Timeout for the installation in seconds.
INSTALL_TIMEOUT_S = 600


def found() -> str | None:
    """Return the path of an installed browser, or None."""
    configured = os.environ.get("WONGAR_CHROMIUM", "")
    if configured:
        return configured if os.access(configured, os.X_OK) else None
    return next((path for name in NAMES if (path := shutil.which(name))), None) or downloaded()


def downloaded() -> str | None:
    """Return the path of the browser downloaded by Playwright, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.access(path, os.X_OK) else None


def install() -> None:
    """Install a browser from the system's packages if permitted, else with Playwright."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        _run(["apt-get", "update", "-qq"], quiet)
        _run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"], quiet)
    if not found():
        _run([sys.executable, "-m", "playwright", "install", "chromium"], dict(os.environ))


def _run(command: list[str], environment: dict[str, str]) -> None:
    print(*command, file=sys.stderr)
    try:
        subprocess.run(command, env=environment, stdout=sys.stderr, timeout=INSTALL_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(error, file=sys.stderr)


def main() -> int:
    """Print the path; report what is missing if there is no browser."""
    path = found()
    if path is None:
        install()
        path = found()
    if path is None:
        print(
            "The browser tests need Chromium: install your system's package (apt install chromium), or say in "
            "WONGAR_CHROMIUM where it is.",
            file=sys.stderr,
        )
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
