"""A rule's page: its examples, ready to be reviewed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_SECTION = re.compile(r"^## (Before|Flagged|Accepted)(?::\s*(.+))?$", re.MULTILINE)
_FENCE = re.compile(r"^```(\w+)(?:[ \t]+(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Names for what is no file of the tree: the pull request's own text, and the configuration at base.
PULL = "pull-request"
CONFIG = "configuration"
DEFAULT = {"yaml": "compose.yaml", "markdown": "README.md", "text": PULL}


@dataclass(frozen=True)
class Example:
    """One way the tree may look after the change, and what the rule must do about it."""

    kind: str  # "Flagged" or "Accepted"
    name: str
    before: dict[str, str]
    after: dict[str, str] = field(default_factory=dict)


def examples(page: str) -> list[Example]:
    """The page's examples. A file that an example does not show is as it was before; `gone` deletes it."""
    before: dict[str, str] = {}
    found = []
    marks = list(_SECTION.finditer(page))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        body = page[mark.end() : following.start() if following else len(page)]
        files = {name or DEFAULT[language]: text for language, name, text in _FENCE.findall(body)}
        if mark[1] == "Before":
            before = files
        else:
            after = {path: text for path, text in {**before, **files}.items() if text.strip() != "gone"}
            found.append(Example(mark[1], mark[2] or mark[1].lower(), before, after))
    return found
