"""One side of a comparison: what `--base` and `--head` may name."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from msgspec import Struct, field

from bot.local.failure import WrongRequest
from bot.local.repository import USUAL_BRANCHES, Repository
from bot.local.work_tree import snapshot
from bot.model.finding import Gap


class CommitSide(Struct, frozen=True):
    """A commit to read: a revision, or the snapshot of a working tree. `tip` is what the latter stands on."""

    repository: Repository
    commit: str
    tip: str
    name: str
    branch: str = ""
    conflicts: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = field(default=())

    @property
    def sha(self) -> str:
        """The commit's name where others know it too: empty for a working tree that differs from HEAD."""
        return self.commit if self.commit == self.tip else ""


class FolderSide(Struct, frozen=True):
    path: Path
    name: str


Side = CommitSide | FolderSide


class Sides:
    """Looks up sides; `repo` is where revisions are meant."""

    def __init__(self, repo: Path) -> None:
        self._repo = repo

    @cached_property
    def repository(self) -> Repository:
        return Repository(self._repo)

    def named(self, text: str) -> Side:
        """A revision, or a folder; the folder of a working tree means that working tree.

        Where both exist, WrongRequest asks to say which.
        """
        path = Path(text)
        if _is_surely_folder(text):
            if not path.is_dir():
                raise WrongRequest(f"there is no folder {text}")
            return self._folder(path, text)
        if not path.is_dir():
            return self._revision(text)
        if self._has(text):
            raise WrongRequest(f"`{text}` is a revision and a folder; write ./{text} or heads/{text} for what you mean")
        return self._folder(path, text)

    def working_tree(self, repository: Repository | None = None) -> CommitSide:
        """The working tree as it stands. WrongRequest for a bare repository."""
        repository = repository or self.repository
        if repository.top is None:
            raise WrongRequest(f"{repository.folder} is a bare repository, without a working tree; name a --head")
        taken = snapshot(repository)
        branch = repository.branch_of("HEAD") if taken.tip else ""
        return CommitSide(repository, taken.commit, taken.tip, "working tree", branch, taken.conflicts, taken.gaps)

    def default_base(self, repository: Repository, tip: str) -> CommitSide:
        """Where a commit left the default branch."""
        if not tip:
            raise WrongRequest(f"{repository.folder} has no commit yet; name a folder to compare with --base")
        branch = repository.default_branch
        if branch is None:
            tried = ", ".join(USUAL_BRANCHES)
            raise WrongRequest(f"cannot tell the default branch (no origin/HEAD, and none of {tried}); name a --base")
        common = repository.merge_bases(repository.commit(branch.reference), tip)
        if not common:
            raise WrongRequest(f"head has no commit in common with `{branch.name}`; name a base with --base")
        name = f"{branch.name} (merge base {common[0][:12]})"
        return CommitSide(repository, common[0], common[0], name, branch.name)

    def _revision(self, text: str) -> CommitSide:
        commit = self.repository.commit(text)
        return CommitSide(self.repository, commit, commit, text, self.repository.branch_of(text))

    def _has(self, revision: str) -> bool:
        try:
            return self.repository.has(revision)
        except WrongRequest:
            return False

    def _folder(self, path: Path, name: str) -> Side:
        if not (path / ".git").exists():
            return FolderSide(path, name)
        repository = Repository(path)
        return self.working_tree(self.repository if self._is_ours(repository) else repository)

    def _is_ours(self, repository: Repository) -> bool:
        try:
            return self.repository.top == repository.top
        except WrongRequest:
            return False


def _is_surely_folder(text: str) -> bool:
    path = Path(text)
    return path.is_absolute() or text in (".", "..") or text.startswith(("./", "../")) or text.endswith("/")
