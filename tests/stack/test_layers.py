"""Each pull request of a stack answers for its own layer: what it inherits, and what a later one repairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.stack.github import Site
from tests.stack.lab import Lab
from tests.support.run import compose_review

SOUND = """\
services:
  web:
    image: registry.example/web@sha256:{digest}
    depends_on:
      api: {{condition: service_started}}
  api:
    image: registry.example/api@sha256:{digest}
""".format(digest="4a" * 32)
BROKEN = SOUND.replace("      api: {condition", "      apo: {condition")


def layers(lab: Lab) -> None:
    """#1 breaks a reference, #2 on it changes something else."""
    lab.commit("main", {"compose.yaml": SOUND}, "sound")
    lab.commit("a", {"compose.yaml": BROKEN}, "breaks", on="main")
    lab.open(1, "a")
    lab.commit("b", {"compose.yaml": BROKEN.replace("api@", "api-two@")}, "other", on="a")
    lab.open(2, "b", "a")


def test_what_the_parent_still_owes_is_inherited(hosted: Site) -> None:
    layers(hosted.lab)
    assert (hosted.told(1, "opened").code, hosted.status(1)) == (1, "failure")
    assert (hosted.told(2, "opened").code, hosted.status(2)) == (0, "success")
    assert "blocking" not in hosted.sticky(2).split("\n")[2]


def test_the_summary_is_of_the_own_layer(hosted: Site) -> None:
    layers(hosted.lab)
    hosted.told(2, "opened")
    (changes,) = (line for line in hosted.sticky(2).split("\n") if line.startswith("**What changes.**"))
    assert "`web`" not in changes
    assert "`api`" in changes


def test_a_finding_that_a_later_part_repairs_weighs_less_and_says_so(hosted: Site) -> None:
    layers(hosted.lab)
    hosted.lab.commit("b", {"compose.yaml": SOUND.replace("api@", "api-two@")}, "repairs")
    ran = hosted.told(1, "opened")
    assert (ran.code, hosted.status(1)) == (0, "success")
    assert "`#2`, which builds on this, repairs it" in hosted.sticky(1)
    assert "optional follow-up" in hosted.sticky(1)


def test_a_later_part_that_lacks_the_last_commits_repairs_nothing(hosted: Site) -> None:
    """Its tree is of the time before the fault."""
    lab = hosted.lab
    lab.commit("main", {"compose.yaml": SOUND}, "sound")
    lab.commit("a", {"other.yaml": SOUND}, "a1", on="main")
    lab.open(1, "a")
    lab.commit("b", {"b.txt": "b\n"}, "b1", on="a")
    lab.open(2, "b", "a")
    lab.commit("a", {"compose.yaml": BROKEN}, "breaks")
    assert hosted.told(1, "synchronize").code == 1
    assert "repairs it" not in hosted.sticky(1)


def test_a_later_part_that_cannot_be_read_repairs_nothing(hosted: Site) -> None:
    layers(hosted.lab)
    hosted.lab.commit("b", {"compose.yaml": "services: [\n"}, "unreadable")
    assert hosted.told(1, "opened").code == 1
    assert "repairs it" not in hosted.sticky(1)


def test_trees_of_children_are_read_only_where_there_is_a_finding(hosted: Site) -> None:
    lab = hosted.lab
    lab.commit("main", {"compose.yaml": SOUND}, "sound")
    lab.commit("a", {"compose.yaml": f"{SOUND}# a word\n"}, "fine", on="main")
    lab.open(1, "a")
    lab.commit("b", {"b.txt": "b\n"}, "b1", on="a")
    lab.open(2, "b", "a")
    hosted.told(1, "opened")
    assert sum("/git/trees" in call.route for call in hosted.hub.log) == 2


def test_the_same_holds_in_a_clone(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layers(lab)
    lab.commit("b", {"compose.yaml": SOUND.replace("api@", "api-two@")}, "repairs")
    clone = lab.clone()
    facts = {
        "number": 1,
        "base": {"ref": "main"},
        "head": {"ref": "a"},
        "stack": {"children": [{"number": 2, "base": {"ref": "a"}, "head": {"ref": "b", "sha": lab.sha("b")}}]},
    }
    (tmp_path / "pr.json").write_text(json.dumps(facts))
    monkeypatch.chdir(clone)
    ran = compose_review(
        *("review", "--base", "origin/main", "--head", "origin/a", "--pr", tmp_path / "pr.json", "--format", "json")
    )
    assert ran.code == 0
    assert [each["level"] for each in ran.json["findings"]] == ["warning"]
