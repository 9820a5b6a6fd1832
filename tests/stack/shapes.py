"""What can happen to a parent between the day its child is made and the day it is merged."""

from __future__ import annotations

from tests.stack.lab import Lab

OWN = ["b1", "b2"]
OWN_FILES = ["b1.yaml", "b2.yaml"]
SHAPES = ("untouched", "amended", "grown", "pushed-by-force", "rebased", "merged-into-child")


def stacked(lab: Lab) -> None:
    """#1 on main, #2 on #1; two commits each."""
    lab.commit("a", {"a1.yaml": "a: 1\n"}, "a1", on="main")
    lab.commit("a", {"a2.yaml": "a: 2\n", "shared.yaml": "x: 1\n"}, "a2")
    lab.open(1, "a")
    lab.commit("b", {"b1.yaml": "b: 1\n"}, "b1", on="a")
    lab.commit("b", {"b2.yaml": "b: 2\n"}, "b2")
    lab.open(2, "b", "a")


def reshape(lab: Lab, shape: str) -> None:
    first, last = lab.sha("a~1"), lab.sha("a")
    if shape == "amended":
        lab.commit("a", {"a2.yaml": "a: 3\n", "shared.yaml": "x: 2\n"}, "a2", on=first, at=lab.date(last))
    elif shape == "grown":
        lab.commit("a", {"a3.yaml": "a: 3\n"}, "a3")
    elif shape == "pushed-by-force":
        lab.commit("a", {"a9.yaml": "a: 9\n", "shared.yaml": "x: 9\n"}, "written anew", on="main")
    elif shape == "rebased":
        lab.commit("main", {"other.yaml": "m: 1\n"}, "m1")
        one = lab.commit("rebased", {"a1.yaml": "a: 1\n"}, "a1", on="main", at=lab.date(first))
        lab.commit("a", {"a2.yaml": "a: 2\n", "shared.yaml": "x: 1\n"}, "a2", on=one, at=lab.date(last))
        lab.git("update-ref", "-d", "refs/heads/rebased")
    elif shape == "merged-into-child":
        lab.commit("a", {"a3.yaml": "a: 3\n"}, "a3")
        lab.merged_in("b", "a")


def clean(lab: Lab, number: int = 2, own: list[str] = OWN, files: list[str] = OWN_FILES) -> bool:
    """Whether a pull request shows its own commits and files and nothing else, and merges."""
    return lab.listed(number) == own and lab.files(number) == files and lab.mergeable(number)
