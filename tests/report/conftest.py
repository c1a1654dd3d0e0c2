"""Runs to report on, and a browser without a network to look at them with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result

HOSTILE = '</script><img src=x onerror="window.hacked=1"><svg onload=window.hacked=1>\'"&{{7*7}}\u2028\u202e${1}'
"""Ends a script, a tag, an attribute and a template, if anything can."""
ARTEFACTS = Path(__file__).parents[2] / ".artifacts" / "reports"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture
def hostile(plugin: Callable[..., Any]) -> Result:
    """Two systems whose every text is hostile: ids, systems, labels, evidence, issues, units."""
    samples = [
        Sample(f"{HOSTILE}{at}", f"{HOSTILE}{at % 2}", f"{HOSTILE}0", {HOSTILE: f"{HOSTILE}{at % 3}"}, system)
        for at in range(6)
        for system in (HOSTILE, "plain")
    ]
    return evaluate(samples, plugin("shown:Shown"), slices=[HOSTILE])


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium; absent, the tests are skipped, except on CI, where it has to be there."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    try:
        import axe_playwright_python  # noqa: F401
        from playwright.sync_api import sync_playwright
    except ImportError:
        path, sync_playwright = None, None  # type: ignore[assignment]
    if not path:
        if os.environ.get("CI"):
            pytest.fail("the browser tests need playwright, axe-playwright-python and chromium")
        pytest.skip("playwright, axe-playwright-python or chromium is not installed")
    with sync_playwright() as started:
        made = started.chromium.launch(executable_path=path, args=FLAGS)
        yield made
        made.close()


class Opened:
    """A page as a reader sees it, and whatever it complained about."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._requested)

    def _requested(self, request: Any) -> None:
        if not request.url.startswith("file:"):
            self.complaints.append(f"asks for {request.url}")

    def visit(self, address: str) -> None:
        """Open a file and wait until its script has run."""
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready]", state="attached", timeout=10_000)

    def serious(self) -> list[str]:
        """What axe-core finds that would keep people out."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        grave = [each for each in found if each["impact"] in ("serious", "critical")]
        return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in grave]

    def findings(self, within: str | None = None) -> list[str]:
        """All that axe-core finds on the page, or `within` a part of it, however small."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page, context=within).response["violations"]
        return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]

    def ids(self) -> list[str]:
        """The samples in view, in their order."""
        return list(self.page.locator("#rows tbody th.id").all_inner_texts())


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """`opened(html, width=…, at="#sample=…")`: a page opened offline; complaints fail the test at its end."""
    made: list[Opened] = []

    def of(
        html: str, *, width: int = 1600, height: int = 1000, at: str = "", name: str = "report", **settings: Any
    ) -> Opened:
        path = tmp_path / f"{name}.html"
        path.write_text(html)
        page = browser.new_page(viewport={"width": width, "height": height}, offline=True, **settings)
        made.append(Opened(page))
        made[-1].visit(path.as_uri() + at)
        return made[-1]

    yield of
    for each in made:
        each.page.close()
    assert [complaint for each in made for complaint in each.complaints] == []


@pytest.fixture
def keep() -> Callable[[Opened, str], None]:
    """`keep(opened, name)`: a picture of the page, for people to look at."""

    def to(shown: Opened, name: str) -> None:
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        shown.page.screenshot(path=ARTEFACTS / f"{name}.png", full_page="open" not in name)

    return to
