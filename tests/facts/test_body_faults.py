"""Inline configs that do not parse: which line, and how sure."""

from __future__ import annotations

from textwrap import indent

import pytest

from bot.model.facts import BodyFault
from tests.facts.reading import facts


def faults(target: str, body: str) -> list[BodyFault]:
    """Of a service that mounts `body`, whose first line is line 8 of the file."""
    text = indent(body.strip("\n"), "      ")
    more = f"configs:\n  settings:\n    content: |\n{text}\n"
    return list(facts(f"image: tool\nconfigs: [{{source: settings, target: {target}}}]", more).body_faults)


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("/etc/a.yaml", "a: [1, 2]\nb:\n  - c"),
        ("/etc/a.json", '{"a": [1]}'),
        ("/etc/nginx/conf.d/a.conf", "server {\n  listen 80;\n}"),
        ("/run.sh", 'set -e\nfor each in a b; do\n  echo "$${each}"\ndone'),
        ("/run.sh", "cat <<END\n  { not closed\nEND\n"),
        ("/notes.txt", "{ [ ( anything"),
        ("/etc/a.json", '{"a": ${PORT}}'),  # filled in at deploy time
        ("/etc/a.yaml", "a: [${PORT}]"),
        ("/run.sh", "if ${TEST}\n"),
    ],
)
def test_what_can_be_read_has_no_fault(target: str, body: str) -> None:
    assert faults(target, body) == []


@pytest.mark.parametrize(
    ("target", "body", "line", "says", "sure"),
    [
        ("/etc/a.yaml", "a: 1\nb: {c: 2\n", 9, "flow mapping", True),
        ("/etc/a.json", '{"a": 1,\n "b": 2,}', 9, "property name", True),
        ("/etc/nginx/conf.d/a.conf", "server {\n  listen 80\n}", 9, '"listen" is not ended by ";"', True),
        ("/etc/nginx/conf.d/a.conf", "server {\n  location / {\n  root /a;\n}", 8, "is not closed", True),
        ("/run.sh", "if true; then\n  echo a\n", 9, '"fi" is missing', False),
        ("/run.sh", "for each in a b; do\n  echo a\n\necho b", 11, '"done" is missing', False),
        ("/start", "#!/bin/bash\necho a\necho $(date\n", 10, '")" is missing', False),
        ("/run.sh", 'echo "a\n', 8, "breaks off", False),
    ],
)
def test_what_cannot_is_named_with_its_line(target: str, body: str, line: int, says: str, sure: bool) -> None:
    (found,) = faults(target, body)
    assert (found.at.line, found.sure) == (line, sure)
    assert says in found.says


def test_a_body_that_nobody_mounts_is_no_fault_of_a_service() -> None:
    assert facts("image: tool", "configs:\n  settings:\n    content: 'a: ['\n").body_faults == ()
