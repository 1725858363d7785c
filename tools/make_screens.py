"""Generator of the pictures in `docs/screens/`: each screen of the browser interface on a phone and on a laptop.

`WONGAR_CHROMIUM=$(python tools/browser.py) python tools/make_screens.py`
"""

from __future__ import annotations

import os
import sys
from itertools import cycle
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.test_views import SCREENS, open_page  # noqa: E402

FOLDER = ROOT / "docs" / "screens"
#: Name, width in pixels and colour scheme of each device.
SIZES = (("phone", 390, "light"), ("laptop", 1280, "dark"))


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    languages = cycle(("de", "nl", "it", "en"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["WONGAR_CHROMIUM"], args=["--no-sandbox"])
        for screen, view in SCREENS.items():
            for name, width, scheme in SIZES:
                language = next(languages)
                table = open_page(browser, view(language), width, scheme)
                table.page.screenshot(path=FOLDER / f"{screen}-{name}-{language}.png", full_page=True)
                table.close()
        browser.close()


if __name__ == "__main__":
    main()
