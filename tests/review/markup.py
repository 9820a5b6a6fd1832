"""What GitHub's Markdown parser makes of a page, and what may not come of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from cmarkgfm import github_flavored_markdown_to_html
from cmarkgfm.cmark import Options

OURS = "https://github.com/example/deployments/"
TAGS = frozenset(
    [
        "h3",
        "p",
        "a",
        "strong",
        "em",
        "code",
        "pre",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ol",
        "ul",
        "li",
        "details",
        "summary",
        "sub",
        "del",
        "br",
    ]
)

# GitHub's own parser knows none of these: they come to life later, in text outside of code.
LIVE = re.compile(r"(?<![A-Za-z0-9/])(?:@[A-Za-z0-9]|#\d|gh-\d)|[\w.-]+/[\w.-]+[#@]\w|\$|:[\w+-]+:", re.IGNORECASE)


class Rendered(HTMLParser):
    """Tags, addresses, and the text outside of code."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.comments: list[str] = []
        self.depth = 0
        self.text = ""
        self.stray: list[str] = []
        self._open: list[str] = []
        self.feed(github_flavored_markdown_to_html(page, Options.CMARK_OPT_UNSAFE))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]
        self._open.append(tag)
        self.text += "\n"  # what comes to life does so within one text node
        if tag in ("code", "pre"):
            self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        self.text += "\n"
        if not self._open or self._open.pop() != tag:
            self.stray.append(tag)
        if tag in ("code", "pre"):
            self.depth -= 1

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.text += data


def assert_inert(page: str, references: frozenset[int] = frozenset({13})) -> Rendered:
    """Nothing on the page that we did not mean: no tag, link, image, comment, mention or reference."""
    seen = Rendered(page)
    assert set(seen.tags) <= TAGS, set(seen.tags) - TAGS
    assert not seen.stray, seen.stray
    assert all(link.startswith(OURS) for link in seen.links), seen.links
    assert seen.attributes <= {"href", "lang", "start", "class"}, seen.attributes
    assert all(comment.startswith(" compose-review:") for comment in seen.comments), seen.comments
    text = seen.text
    for number in references:
        text = text.replace(f"#{number}", "")
    found = LIVE.search(text)
    assert found is None, text[max(0, found.start() - 40) : found.end() + 40]
    return seen


def assert_whole(page: str, number: int = 12) -> None:
    """The page's own structure stands: marker, state, folds and foot."""
    lines = page.split("\n")
    assert page.endswith("\n")
    assert lines[0] == f"<!-- compose-review:sticky v1 pr={number} -->"
    assert page.count("<!-- compose-review:sticky") == 1
    assert page.count("<!-- compose-review:state v1 ") == 1
    assert lines[-2].startswith("<!-- compose-review:state v1 ")
    assert lines[-2].endswith(" -->")
    seen = Rendered(page)
    assert seen.tags.count("details") == len(re.findall("^<details><summary>[A-Z]", page, re.MULTILINE))
    assert not seen.stray
    assert "sub" in seen.tags
    assert all(letter.isprintable() or letter == "\n" for letter in page)
    page.encode()
