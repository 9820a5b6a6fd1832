"""The reviewed repository: where its objects are, what its names mean, how its commits relate."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from bot.local.failure import LocalError, WrongRequest
from bot.local.git import Answer, GitFailed, call
from bot.local.store import ObjectStore

_FETCH = "fetch the rest with `git fetch --unshallow`, or `fetch-depth: 0` in actions/checkout"
_ORIGIN, _LOCAL = "refs/remotes/origin/", "refs/heads/"
# Tried in this order where the remote does not say which branch is its default.
USUAL_BRANCHES = ("main", "master", "trunk", "develop")


class Branch(Struct, frozen=True):
    """A branch: the reference to look up, and its name as a person says it (`main`)."""

    reference: str
    name: str


class Repository:
    """A Git repository, with or without a working tree. `folder` may lie anywhere inside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            told = self._ask(
                *("rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--is-shallow-repository"),
                *("--show-object-format", "--path-format=absolute", "--git-common-dir"),
            )
        except GitFailed as error:
            if "not a git repository" in error.answer.says:
                raise WrongRequest(
                    f"{folder} is not in a Git repository; name one, or two folders to compare"
                ) from None
            raise
        bare, inside, shallow, self._algorithm, common = told.line.split("\n", 4)
        if common.startswith("--path-format"):  # an older Git echoes an option it does not know
            raise LocalError("this Git is too old: it takes 2.31 to read a repository, and 2.38 to simulate a merge")
        self.bare, self.shallow, self._common = bare == "true", shallow == "true", Path(common)
        if not self.bare and inside != "true":
            raise WrongRequest(f"{folder} lies inside a repository's own .git folder")

    def _ask(self, *args: str, accept: tuple[int, ...] = (0,)) -> Answer:
        return call(*args, folder=self.folder, accept=accept)

    @cached_property
    def top(self) -> Path | None:
        """The folder of the working tree, None for a bare repository."""
        return None if self.bare else Path(self._ask("rev-parse", "--show-toplevel").line)

    @cached_property
    def store(self) -> ObjectStore:
        return ObjectStore(self._common / "objects", self._common / "shallow", self._algorithm)

    def commit(self, revision: str) -> str:
        """The full name of the commit that a revision means. WrongRequest when there is none."""
        found = self._commit(revision)
        if found is None:
            raise WrongRequest(self._unknown(revision))
        return found

    def has(self, revision: str) -> bool:
        return self.find(revision) is not None

    def find(self, revision: str) -> str | None:
        """The full name of the commit that a revision means, None where there is none."""
        return self._commit(revision)

    def _commit(self, revision: str) -> str | None:
        if revision.startswith(":/"):  # a search in messages, which takes what follows for its pattern
            revision = self._lookup(revision) or revision
        return self._lookup(f"{revision}^{{commit}}")

    def _lookup(self, revision: str) -> str | None:
        if revision.startswith("-") or "\n" in revision or "\0" in revision:
            return None
        found = self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", revision, accept=(0, 1, 128))
        return found.line if found.code == 0 else None

    def _unknown(self, revision: str) -> str:
        says = f"there is no revision `{revision}` in {self.top or self.folder}"
        names = self._ask("for-each-ref", "--format=%(refname:short)").line.splitlines()
        near = get_close_matches(revision, names, n=1, cutoff=0.75)
        if near:
            says += f"; did you mean `{near[0]}`?"
        if self.shallow:
            says += f"; the clone is shallow: {_FETCH}"
        return says

    def branch_of(self, revision: str) -> str:
        """A revision's name as a branch (`origin/main` is `main`), empty when it is none."""
        full = self._ask("rev-parse", "--symbolic-full-name", "--end-of-options", revision, accept=(0, 128)).line
        full = full.rsplit("\n", 1)[-1]
        if full.startswith("refs/heads/"):
            return full.removeprefix("refs/heads/")
        remote, _, name = full.removeprefix("refs/remotes/").partition("/")
        return name if full.startswith("refs/remotes/") and remote else ""

    def branches(self) -> list[tuple[str, str]]:
        """Branches with their tips: origin's as last fetched, else our own; each name once."""
        told = self._ask("for-each-ref", "--format=%(objectname) %(refname)", _ORIGIN, _LOCAL).line
        found: dict[str, str] = {}
        for row in filter(None, told.split("\n")):
            sha, _, reference = row.partition(" ")
            name = reference.removeprefix(_ORIGIN).removeprefix(_LOCAL)
            if name != "HEAD" and (reference.startswith(_ORIGIN) or name not in found):
                found[name] = sha
        return sorted(found.items())

    @cached_property
    def default_branch(self) -> Branch | None:
        """What `origin` calls its default, else the first of the usual names, remote before local."""
        told = self._ask("symbolic-ref", "--quiet", f"{_ORIGIN}HEAD", accept=(0, 1, 128)).line
        usual = [f"{place}{name}" for name in USUAL_BRANCHES for place in (_ORIGIN, _LOCAL)]
        candidates = [told, *usual] if told.startswith(_ORIGIN) else usual
        there = set(self._ask("for-each-ref", "--format=%(refname)", *candidates).line.split("\n"))
        found = next((reference for reference in candidates if reference in there), None)
        if found is None:
            return None
        return Branch(found, found.removeprefix(_ORIGIN if found.startswith(_ORIGIN) else _LOCAL))

    def merge_bases(self, one: str, other: str) -> tuple[str, ...]:
        """The best common ancestors of two commits; none when their histories are unrelated.

        LocalError where a shallow clone ends before the histories meet.
        """
        found = self.store.run("merge-base", "--all", one, other, accept=(0, 1)).line.split()
        if not found and self.shallow:
            raise LocalError(f"the clone is shallow and ends before {one[:12]} and {other[:12]} meet: {_FETCH}")
        return tuple(found)
