"""The action as it is declared, documented, read, written and used in examples: one set of names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.action import outputs
from bot.document.parse import parse
from bot.intake import inputs
from bot.model.node import MappingNode, Node, ScalarNode, scalars
from bot.model.remote import CONTEXT
from bot.setup.workflow import ACTION, faults, parsed, workflow
from image.point import pointed
from lint.__main__ import workflows

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/installation.md").read_text()
WORKFLOWS = workflows(ROOT)
EXAMPLES = [path for path in WORKFLOWS if "examples" in path.parts]


def load(path: Path) -> MappingNode:
    root = parsed(path.name, path.read_bytes())
    assert root is not None
    return root


def at(node: Node | None, *path: str) -> Node | None:
    for key in path:
        assert isinstance(node, MappingNode)
        node = node.get(key)
    return node


def keys(node: Node | None) -> tuple[str, ...]:
    assert isinstance(node, MappingNode)
    return tuple(pair.key.text for pair in node.pairs)


ACTION_FILE = load(ROOT / "action.yml")


def table(page: str, head: str) -> dict[str, list[str]]:
    """The rows of a Markdown table whose first column is called so, by their first cell."""
    found = re.search(rf"^\| {head} \|.*\n\|[-|: ]+\|\n((?:\|.*\n)*)", page, re.MULTILINE)
    rows = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in (found[1].splitlines() if found else [])]
    return {row[0].strip("`| "): row for row in rows}


def scripts(text: str) -> list[str]:
    """What follows each `run:`, on its line or indented below it."""
    return re.findall(r"^ +(?:- )?run: (?:\|\n)?((?:.|\n {10,})*)", text, re.MULTILINE)


def test_the_sweep_finds_files() -> None:
    assert len(WORKFLOWS) >= 11
    assert len(EXAMPLES) >= 8
    assert sum(len(scripts(path.read_text())) for path in WORKFLOWS) >= 10


def test_declared_and_read_are_the_same_inputs() -> None:
    assert keys(at(ACTION_FILE, "inputs")) == inputs.NAMES
    everything = inputs.inputs_of({f"INPUT_{name.upper()}": value for name, value in _GOOD.items()})
    untouched = [name for name in inputs.NAMES if getattr(everything, name.replace("-", "_")) in (None, "", ())]
    assert untouched == []


_GOOD = {
    "token": "t",
    "config": "a.yaml",
    "fail-on": "never",
    "comment": "false",
    "annotations": "true",
    "inline-comments": "3",
    "reactions": "false",
    "drafts": "false",
    "reviewers": "kim",
    "deploy": "docker compose up -d",
    "pull-request": "7",
    "wait-seconds": "5",
}


def test_every_input_may_be_left_out() -> None:
    for name in inputs.NAMES:
        assert at(ACTION_FILE, "inputs", name, "required") is None
        default = at(ACTION_FILE, "inputs", name, "default")
        assert isinstance(default, ScalarNode)
        assert default.text == ("${{ github.token }}" if name == "token" else "")


def test_declared_and_written_are_the_same_outputs() -> None:
    assert keys(at(ACTION_FILE, "outputs")) == outputs.NAMES


@pytest.mark.parametrize(
    ("head", "names"), [("input", inputs.NAMES), ("output", outputs.NAMES)], ids=["inputs", "outputs"]
)
def test_the_pages_name_all_of_them_and_no_other(head: str, names: tuple[str, ...]) -> None:
    assert tuple(table(PAGE, head)) == names
    readme = table((ROOT / "README.md").read_text(), head)
    assert set(readme) <= set(names)


def test_the_page_tells_the_limits_and_defaults_of_the_code() -> None:
    rows = table(PAGE, "input")
    assert rows["inline-comments"][1] == f"0 to {inputs.MAX_INLINE_COMMENTS}"
    assert rows["wait-seconds"][1:3] == [f"0 to {inputs.MAX_WAIT_SECONDS}", f"{inputs.WAIT_SECONDS:.0f}"]
    assert f"`{outputs.REPORT}`" in table(PAGE, "output")["report"][1]


def test_the_page_shows_the_set_ups_that_there_are() -> None:
    folder = ROOT / "examples/workflows"
    there = {path.name + ("/" if path.is_dir() else "") for path in folder.iterdir()}
    assert set(table(PAGE, "file")) == there


def test_the_short_workflow_of_the_page_is_a_whole_one() -> None:
    (text,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    root = parsed("page", text.encode())
    assert root is not None
    assert list(faults(root, queue=False)) == []


@pytest.mark.parametrize("name", ["same-repository", "forks"])
def test_what_init_writes_is_the_example(name: str) -> None:
    assert workflow(name == "forks") == (ROOT / f"examples/workflows/{name}.yml").read_text()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_workflow_asks_for_nothing_and_each_job_for_what_it_needs(path: Path) -> None:
    root = load(path)
    assert keys(root.get("permissions")) == ()
    jobs = root.get("jobs")
    assert isinstance(jobs, MappingNode)
    for pair in jobs.pairs:
        assert at(pair.value, "permissions") is not None, pair.key.text
        name = at(pair.value, "name")
        assert isinstance(name, ScalarNode)
        assert CONTEXT not in (name.text.lower(), pair.key.text.lower()), "a check of the status's name is required too"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_run_that_writes_is_cancelled(path: Path) -> None:
    root = load(path)
    jobs = root.get("jobs")
    assert isinstance(jobs, MappingNode)
    grants = [
        pair for job in jobs.pairs if isinstance(p := at(job.value, "permissions"), MappingNode) for pair in p.pairs
    ]
    writes = any(isinstance(each.value, ScalarNode) and each.value.text == "write" for each in grants)
    cancels = at(root, "concurrency", "cancel-in-progress")
    assert isinstance(cancels, ScalarNode)
    assert cancels.text == "false" or (not writes and path.name == "ci.yml")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: str(path.relative_to(ROOT)))
def test_scripts_hold_no_expressions(path: Path) -> None:
    for script in scripts(path.read_text()):
        assert "${{" not in script


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_example_says_why_and_uses_inputs_that_exist(path: Path) -> None:
    text = path.read_text()
    said = text[: text.index("\nname:")]
    assert len(re.sub(r"^# ?", "", said, flags=re.MULTILINE).split()) > 40
    for uses, given in re.findall(r"uses: (\S+)(?:\n +with:\n((?: {10,}.*\n)+))?", text):
        if uses.startswith("compose-review/"):
            assert uses == ACTION
            assert set(re.findall(r"^ +([a-z-]+):", given, re.MULTILINE)) <= set(inputs.NAMES)


def test_examples_that_gate_pull_requests_pass_our_own_check() -> None:
    for name in ("same-repository.yml", "forks.yml", "two-step/publish.yml"):
        assert list(faults(load(ROOT / "examples/workflows" / name), queue=True)) == []


def test_the_image_starts_isolated_as_root_without_a_working_folder() -> None:
    text = (ROOT / "Dockerfile").read_text()
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", text, re.MULTILINE)
    program, *options = json.loads(entry)
    assert program.startswith("/")
    assert options == ["-I", "-m", "bot"]
    final = text[text.index("FROM scratch") :]
    assert not re.search(r"^(USER|WORKDIR|RUN) ", final, re.MULTILINE)
    assert "--require-hashes" in text


def test_nothing_reaches_the_build_that_the_dockerfile_does_not_copy() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    copied = re.findall(r"^COPY (?!--from)(\S+) ", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert lines[0] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == set(copied)


def test_a_release_names_its_image_by_digest() -> None:
    text = (ROOT / "action.yml").read_text()
    name = f"ghcr.io/Example/compose-review@sha256:{'0f' * 32}"
    root = parse("action.yml", pointed(text, name).encode()).roots[0]
    assert {each.text for each in scalars(at(root, "runs"))} == {"docker", f"docker://{name.lower()}"}
    with pytest.raises(ValueError, match="digest"):
        pointed(text, "ghcr.io/example/compose-review:1")
    with pytest.raises(ValueError, match="once"):
        pointed(pointed(text, name), name)
