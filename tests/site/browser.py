"""TAP: the site in a browser, without a window: browser.py FOLDER, where FOLDER/html is the site.

Every page is loaded from a server of this process: links lead somewhere, pictures load, nothing is asked of another host,
and the console has no error. The search finds words, and a page made of the blocks that notebooks show folds and is
legible, light and dark.
"""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

import notebook_page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SEARCHES = {  # words, and a page that must be among those found
    "overlap": "doc/concepts.html",
    "sv_view_permute": "c/view.html",
    "StridedMemoryView": "python/views.html",
    "DataLoader": "doc/recipes.html",
}

# What a page says of itself: links, pictures that did not load, and the ids that links may name.
FACTS = """() => ({
    title: document.title,
    links: [...document.querySelectorAll('a[href]')].map(a => a.href),
    broken: [...document.images].filter(i => !(i.complete && i.naturalWidth > 0)).map(i => i.src),
    pictures: document.images.length,
    ids: [...document.querySelectorAll('[id], a[name]')].map(e => e.id || e.name),
})"""

# Contrast of a text with what is behind it, as WCAG defines it, of all texts of the blocks outside their pictures.
CONTRAST = """() => {
    const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => numbers(colour).slice(0, 3).map(c => c / 255)
        .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
    const behind = element => {
        for (; element; element = element.parentElement) {
            const colour = getComputedStyle(element).backgroundColor, parts = numbers(colour);
            if (parts.length < 4 || parts[3] > 0) return colour;
        }
        return getComputedStyle(document.documentElement).colorScheme.includes('dark') &&
            matchMedia('(prefers-color-scheme: dark)').matches ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)';
    };
    return Math.min(...[...document.querySelectorAll('.strideview td, .strideview th, .strideview summary, .strideview b')]
        .map(e => [light(getComputedStyle(e).color), light(behind(e))].sort((a, b) => a - b))
        .map(([dark, bright]) => (bright + .05) / (dark + .05)));
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and writes no log."""

    def log_message(self, *arguments: Any) -> None:
        pass


class Site:
    """The pages of the folder, each loaded once."""

    def __init__(self, browser: Any, folder: Path, base: str) -> None:
        self.browser, self.folder, self.base = browser, folder, base
        self.faults: list[str] = []
        self.pages: dict[str, dict[str, Any]] = {}

    def open(self, scheme: str = "light") -> Any:
        """A tab that notes errors, requests that fail and requests of other hosts."""
        page = self.browser.new_page(color_scheme=scheme)
        page.on("console", lambda m: m.type == "error" and self.faults.append(f"{page.url}: console: {m.text}"))
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        # What the next page was loaded before is aborted, and no fault.
        page.on("requestfailed", lambda r: "ERR_ABORTED" in (r.failure or "") or
                self.faults.append(f"{page.url}: {r.url} failed: {r.failure}"))
        page.on("response", lambda r: r.status >= 400 and self.faults.append(f"{page.url}: {r.url}: {r.status}"))
        page.on("request", lambda r: r.url.startswith((self.base, "data:", "blob:")) or
                self.faults.append(f"{page.url}: asks {r.url}"))
        return page

    def load(self) -> None:
        page = self.open()
        for path in sorted(self.folder.joinpath("html").rglob("*.html")):
            url = self.base + path.relative_to(self.folder).as_posix()
            page.goto(url)
            self.pages[url] = page.evaluate(FACTS)
        page.close()


# --- what is tested: each yields what is wrong -------------------------------------

def pages_load(site: Site) -> Iterator[str]:
    """pages load without an error, a request that fails, or one of another host"""
    yield from site.faults
    yield from (f"{url} has no title" for url, facts in site.pages.items() if not facts["title"])
    if len(site.pages) < 40:
        yield f"only {len(site.pages)} pages"


def links_lead_somewhere(site: Site) -> Iterator[str]:
    """every link within the site leads to a file, and to a place in it"""
    count = 0
    for url, facts in site.pages.items():
        for link in facts["links"]:
            target, anchor = urldefrag(urljoin(url, link))
            if not target.startswith(site.base):
                continue
            count += 1
            target = target.split("?")[0]
            if not (site.folder / unquote(target.removeprefix(site.base))).is_file():
                yield f"{url}: {link} is not there"
            elif anchor and target in site.pages and unquote(anchor) not in site.pages[target]["ids"]:
                yield f"{url}: {link}: no such place"
    if count < 1000:
        yield f"only {count} links"


def pictures_load(site: Site) -> Iterator[str]:
    """every picture loads"""
    yield from (f"{url}: {source}" for url, facts in site.pages.items() for source in facts["broken"])
    if sum(facts["pictures"] for facts in site.pages.values()) < 8:
        yield "there are hardly any pictures"


def search_finds_words(site: Site) -> Iterator[str]:
    """the search finds words of documents, of C and of Python"""
    for words, wanted in SEARCHES.items():
        page = site.open()
        page.goto(f"{site.base}html/search.html?q={words}")
        page.wait_for_selector("#search-results ul.search li a", timeout=20_000)
        page.wait_for_function("document.querySelector('#search-results .search-summary').textContent.includes('ound')")
        found = page.eval_on_selector_all("#search-results ul.search li a", "all => all.map(a => a.href)")
        if not any(wanted in address for address in found):
            yield f"{words}: not in {wanted}, but in {found[:5]}"
        page.close()
    page = site.open()
    page.goto(f"{site.base}html/search.html?q=zyzzyva")
    page.wait_for_function("document.querySelector('#search-results .search-summary').textContent.includes('did not match')")
    page.close()


def search_box_leads_to_results(site: Site) -> Iterator[str]:
    """what is typed into the search box of the first page is searched"""
    page = site.open()
    page.set_viewport_size({"width": 1300, "height": 900})
    page.goto(f"{site.base}html/index.html")
    page.fill("input[name=q]", "strides")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("#search-results ul.search li a", timeout=20_000)
    if "q=strides" not in page.url:
        yield page.url
    page.close()


def notebooks_fold(site: Site) -> Iterator[str]:
    """sections of the blocks in notebooks fold at a click, and nothing is wider than the page"""
    page = site.open()
    page.set_viewport_size({"width": 900, "height": 900})
    page.goto(f"{site.base}notebook.html")
    sections = page.locator(".strideview details")
    if sections.count() < 15:
        yield f"only {sections.count()} sections"
    for i in range(sections.count()):
        before = sections.nth(i).evaluate("d => d.open")
        sections.nth(i).locator("summary").click()
        content = sections.nth(i).locator("> div")
        if sections.nth(i).evaluate("d => d.open") == before or content.is_visible() == before:
            yield f"section {i} does not fold"
        if before:
            sections.nth(i).locator("summary").click()
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        yield "the page is wider than the window"
    if page.evaluate("[...document.querySelectorAll('.strideview svg')].some(s => !s.getBoundingClientRect().width)"):
        yield "a picture has no size"
    page.close()


def notebooks_are_legible(site: Site) -> Iterator[str]:
    """texts of the blocks have a contrast of 4.5 and more, light and dark"""
    for scheme in ("light", "dark"):
        page = site.open(scheme)
        page.goto(f"{site.base}notebook.html")
        contrast = page.evaluate(CONTRAST)
        if not contrast >= 4.5:
            yield f"{scheme}: {contrast}"
        page.close()


def nothing_was_wrong_meanwhile(site: Site) -> Iterator[str]:
    """none of these steps left an error"""
    yield from site.faults


CHECKS: list[Callable[[Site], Iterator[str]]] = [
    pages_load, links_lead_somewhere, pictures_load, search_finds_words, search_box_leads_to_results, notebooks_fold,
    notebooks_are_legible, nothing_was_wrong_meanwhile]


def run(folder: Path, program: str) -> bool:
    from playwright.sync_api import Error, sync_playwright
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    good = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        site = Site(browser, folder, f"http://127.0.0.1:{server.server_port}/")
        site.load()
        for number, check in enumerate(CHECKS, 1):
            try:
                wrong = list(check(site))
            except Error as error:
                wrong = str(error).splitlines()
            print("".join(f"# {line}\n" for line in wrong[:40]), end="")
            name = re.sub(r"\s+", " ", check.__doc__ or "")
            print(f"{'not ok' if wrong else 'ok'} {number} - {name}", flush=True)
            good = good and not wrong
        browser.close()
    server.shutdown()
    return good


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    (folder / "notebook.html").write_text(notebook_page.page())
    if program is None:
        print("1..1\nok 1 # SKIP no Chromium: ./bootstrap --site installs it")
        return 0
    print(f"1..{len(CHECKS)}")
    return 0 if run(folder, program) else 1


if __name__ == "__main__":
    sys.exit(main())
