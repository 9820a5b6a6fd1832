"""A repository with stacked branches, GitHub's three ways to merge, and an author who pastes what was printed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from bot.local.ancestry import CloneAncestry
from bot.local.repository import Repository as Clone
from bot.model.pull import Pull, PullRef, PullState, Repository
from bot.model.review import Stack
from bot.stack.read import stack_of

Files = Mapping[str, str | bytes | None]
_WHO = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "dana",
    "GIT_AUTHOR_EMAIL": "dana@example.com",
    "GIT_COMMITTER_NAME": "dana",
    "GIT_COMMITTER_EMAIL": "dana@example.com",
    "GIT_MERGE_AUTOEDIT": "no",
    "GIT_EDITOR": "true",
}
# The part of `gh` that the printed commands use: it writes down what it was asked, and refuses all else.
_GH = """#!/bin/sh
printf '%s\\n' "$*" >> "$GH_LOG"
case "$1 $2" in "pr edit"|"pr close"|"pr merge"|"pr reopen"|"pr create") exit 0;; esac
exit 2
"""
METHODS = ("merge", "squash", "rebase")


class Live(CloneAncestry):
    """The repository itself knows which branches there are."""

    def __init__(self, repository: Clone) -> None:
        super().__init__(repository)
        self.tips: dict[str, str] = {}

    def tip(self, branch: str) -> str | None:
        return self.tips[branch] if branch in self.tips else super().tip(branch) or ""


def run(folder: Path, *args: str, data: bytes = b"", check: bool = True, **more: str) -> str:
    done = subprocess.run(
        args, cwd=folder, env={"PATH": os.environ["PATH"], **_WHO, **more}, input=data, capture_output=True
    )
    assert not check or done.returncode == 0, f"{args}: {done.stdout.decode()}{done.stderr.decode()}"
    return done.stdout.decode().strip("\n")


@dataclass
class Lab:
    """`origin` is what GitHub keeps, `author` the clone of the people who work. Pull requests are kept as plain facts."""

    folder: Path
    pulls: dict[int, PullRef] = field(default_factory=dict)
    held: dict[int, tuple[str, ...]] = field(default_factory=dict)  # the commits of a pull request, when it was merged
    former: dict[int, list[str]] = field(default_factory=dict)  # branches that a pull request had for its base
    knows_pushes: bool = True  # whether heads that were pushed away are known
    settings: Repository = field(default_factory=Repository)
    clock: int = 1_700_000_000

    def __post_init__(self) -> None:
        self.origin, self.author = self.folder / "origin.git", self.folder / "author"
        run(self.folder, "git", "-c", "init.defaultBranch=main", "init", "-q", "--bare", str(self.origin))
        self.commit("main", {"base.yaml": "services: {}\n"}, "begin")

    def git(self, *args: str, check: bool = True) -> str:
        return run(self.origin, "git", *args, check=check)

    def sha(self, name: str) -> str:
        return self._tip(name) or self.git("rev-parse", "--verify", f"{name}^{{commit}}")

    def _tip(self, name: str) -> str:
        """Empty where there is none."""
        loose = self.origin / "refs" / "heads" / name
        if loose.is_file():
            return loose.read_text().strip()
        return self.git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", check=False)

    # -- writing history -------------------------------------------------------------------------------------------

    def commit(
        self, branch: str, files: Files, subject: str, on: str = "", at: int | None = None, merging: str = ""
    ) -> str:
        """A commit on a branch; `on` starts it elsewhere (and pushes by force), `at` repeats an author's date."""
        self.clock += 60
        parent = on or branch
        known = self._tip(parent)
        stream = f"commit refs/heads/{branch}\n"
        stream += f"author dana <dana@example.com> {at or self.clock} +0000\n"
        stream += f"committer dana <dana@example.com> {self.clock} +0000\ndata {len(subject)}\n{subject}\n"
        stream += f"from {known}\n" if known else ""
        stream += f"merge {self.sha(merging)}\n" if merging else ""
        data = stream.encode()
        for path, text in files.items():
            content = text.encode() if isinstance(text, str) else text
            change = f"D {path}\n" if content is None else f"M 100644 inline {path}\ndata {len(content)}\n"
            data += change.encode() + (content + b"\n" if content is not None else b"")
        old = self._tip(branch)
        run(self.origin, "git", "fast-import", "--quiet", "--force", data=data)
        if old and on and self.knows_pushes:
            self._pushed_away(branch, old)
        return self.sha(branch)

    def _pushed_away(self, branch: str, old: str) -> None:
        for number, pull in self.pulls.items():
            if pull.head_ref == branch and pull.state is PullState.OPEN and old != self.sha(branch):
                self.pulls[number] = replace(pull, old_heads=(*pull.old_heads, old))

    def date(self, commit: str) -> int:
        return int(self.git("log", "-1", "--format=%at", commit))

    def merged_in(self, branch: str, other: str, subject: str = "") -> str:
        """`git merge other` on a branch, as an author would push it."""
        tree = self.git("merge-tree", "--write-tree", branch, other)
        made = self.git(
            *("commit-tree", tree, "-p", self.sha(branch), "-p", self.sha(other)),
            *("-m", subject or f"Merge {other}"),
        )
        self.git("update-ref", f"refs/heads/{branch}", made)
        return made

    # -- pull requests ---------------------------------------------------------------------------------------------

    def open(self, number: int, head: str, base: str = "main", **more: object) -> PullRef:
        made = PullRef(number, f"Change {number}", PullState.OPEN, "dana", base, head)
        self.pulls[number] = replace(made, **more)  # type: ignore[arg-type] # facts by name
        return self.pulls[number]

    def ref(self, number: int) -> PullRef:
        """With the head as it stands now, unless it was kept when the pull request ended."""
        pull = self.pulls[number]
        if pull.head_sha:
            return pull
        return replace(pull, head_sha=self._tip(pull.head_ref))

    def merge(self, number: int, method: str) -> str:
        """The button. Returns the commit that stands on the base afterwards."""
        pull = self.ref(number)
        base = pull.base_ref
        self.held[number] = tuple(self.git("rev-list", pull.head_sha, f"^{base}").split())
        if method == "rebase":
            made = self._replayed(base, pull.head_sha)
        else:
            tree = self.git("merge-tree", "--write-tree", base, pull.head_sha)
            parents = ("-p", self.sha(base), *(("-p", pull.head_sha) if method == "merge" else ()))
            made = self.git("commit-tree", tree, *parents, "-m", f"{pull.title} (#{number})")
        self.git("update-ref", f"refs/heads/{base}", made)
        self.git("update-ref", f"refs/pull/{number}/head", pull.head_sha)
        self.pulls[number] = replace(pull, state=PullState.MERGED, merge_sha=made)
        return made

    def _replayed(self, base: str, head: str) -> str:
        server = self.folder / "server"
        if not server.exists():
            run(self.folder, "git", "clone", "-q", str(self.origin), "server")
        run(server, "git", "fetch", "-q", "origin")
        run(server, "git", "switch", "-q", "--detach", f"origin/{base}")
        picked = self.git("rev-list", "--reverse", "--topo-order", "--no-merges", head, f"^{base}").split()
        run(server, "git", "cherry-pick", "--allow-empty", "--keep-redundant-commits", *picked)
        run(server, "git", "push", "-q", "-f", "origin", "HEAD:refs/kept/replayed")
        return run(server, "git", "rev-parse", "HEAD")

    def close(self, number: int) -> None:
        self.pulls[number] = replace(self.ref(number), state=PullState.CLOSED)

    def retarget(self, number: int, base: str) -> None:
        self.former.setdefault(number, []).append(self.pulls[number].base_ref)
        self.pulls[number] = replace(self.pulls[number], base_ref=base)

    def delete(self, branch: str) -> None:
        for number, pull in self.pulls.items():
            if pull.head_ref == branch:
                self.pulls[number] = self.ref(number)
                self.git("update-ref", f"refs/pull/{number}/head", self.pulls[number].head_sha)
        self.git("update-ref", "-d", f"refs/heads/{branch}")

    # -- what is said ----------------------------------------------------------------------------------------------

    def pull(self, number: int, **more: object) -> Pull:
        """The facts as GitHub would tell them of this pull request and those around it."""
        mine = self.ref(number)
        others = [self.ref(each) for each in self.pulls if each != number]
        named = {each.number: each for each in others if each.head_ref == mine.base_ref}
        for each in list(named.values()):
            named |= {above.number: above for above in others if above.head_ref == each.base_ref}
        children = [each for each in others if each.base_ref == mine.head_ref]
        found = Pull(
            number=number,
            title=mine.title,
            author=mine.author,
            base_ref=mine.base_ref,
            head_ref=mine.head_ref,
            head_sha=mine.head_sha,
            state=mine.state,
            from_fork=bool(mine.head_repository),
            repository=self.settings,
            parents=tuple(named.values()),
            children=tuple(children),
            line=tuple(self._line(children)),
            implicit=tuple(self._implicit(mine)),
            merge_sha=mine.merge_sha,
            auto_merge=mine.auto_merge,
            approvals=mine.approvals,
            old_heads=mine.old_heads,
        )
        return replace(found, **more)  # type: ignore[arg-type] # facts by name

    def _line(self, children: Sequence[PullRef]) -> list[PullRef]:
        found: list[PullRef] = []
        while len(children) == 1:
            below = children[0].head_ref
            children = [self.ref(each) for each, pull in self.pulls.items() if pull.base_ref == below]
            found += children
        return found

    def _implicit(self, mine: PullRef) -> list[PullRef]:
        """Who else holds the oldest commit, as `associatedPullRequests` tells it, and who starts at a former base."""
        own = self.git("rev-list", "--topo-order", mine.head_sha, f"^{mine.base_ref}", check=False).split()
        former = self.former.get(mine.number, [])
        others = [self.ref(each) for each in self.pulls if each != mine.number]
        return [each for each in others if each.head_ref in former or (own and own[-1] in self._commits(each.number))]

    def _commits(self, number: int) -> tuple[str, ...]:
        pull = self.ref(number)
        if number in self.held:
            return self.held[number]
        return tuple(self.git("rev-list", pull.head_sha, f"^{pull.base_ref}", check=False).split())

    @property
    def ancestry(self) -> Live:
        return Live(Clone(self.origin))

    def stack(self, number: int, **more: object) -> Stack:
        return stack_of(self.pull(number, **more), self.ancestry)

    # -- the author ------------------------------------------------------------------------------------------------

    def clone(self, *options: str, name: str = "author", branches: Sequence[str] = ()) -> Path:
        """A clone made now, with local branches of these names."""
        made = self.folder / name
        shutil.rmtree(made, ignore_errors=True)
        run(self.folder, "git", "clone", "-q", *options, f"file://{self.origin}", name)
        for branch in branches:
            run(made, "git", "branch", "-q", "--track", branch, f"origin/{branch}")
        return made

    def paste(
        self, commands: Sequence[str], shell: str = "bash", where: str = "author"
    ) -> subprocess.CompletedProcess[str]:
        """The commands as they stand, in the author's clone; what `gh` was told is applied here afterwards."""
        place = self.folder / "bin"
        if not place.exists():
            place.mkdir()
            (place / "gh").write_text(_GH)
            (place / "gh").chmod(0o755)
        log = self.folder / "gh.log"
        log.write_text("")
        script = "\n".join(commands)
        environment = {"PATH": f"{place}:{os.environ['PATH']}", **_WHO, "GH_LOG": str(log), "HOME": str(self.folder)}
        heads = {each: self.ref(each).head_sha for each in self.pulls}
        done = subprocess.run(
            [shell, "-c", script], cwd=self.folder / where, env=environment, capture_output=True, text=True
        )
        for line in log.read_text().splitlines():
            self._told(line.split())
        for number, old in heads.items():
            pull = self.pulls[number]
            if pull.state is PullState.OPEN and self.ref(number).head_sha != old and not self._within(old, number):
                self.pulls[number] = replace(pull, old_heads=(*pull.old_heads, old) if self.knows_pushes else ())
        return done

    def _within(self, old: str, number: int) -> bool:
        """Whether a head only moved on: no push by force."""
        return self.git("merge-base", old, self.ref(number).head_sha, check=False) == old

    def _told(self, words: list[str]) -> None:
        number = int(words[2]) if words[2].isdigit() else 0
        if words[1] == "edit":
            self.retarget(number, words[words.index("--base") + 1])
        elif words[1] in ("close", "reopen"):
            state = PullState.CLOSED if words[1] == "close" else PullState.OPEN
            self.pulls[number] = replace(self.pulls[number], state=state, head_sha="")
        elif words[1] == "merge":
            self.pulls[number] = replace(self.pulls[number], auto_merge=False)
        elif words[1] == "create":
            self.open(max(self.pulls) + 1, words[words.index("--head") + 1], words[words.index("--base") + 1])

    # -- what a person sees on GitHub ------------------------------------------------------------------------------

    def listed(self, number: int) -> list[str]:
        """The commits tab: subjects, oldest first."""
        pull = self.ref(number)
        form = ("log", "--reverse", "--topo-order", "--no-merges", "--format=%s")
        return self.git(*form, pull.head_sha, f"^{pull.base_ref}").splitlines()

    def files(self, number: int) -> list[str]:
        """The files tab: the three-dot diff."""
        pull = self.ref(number)
        return self.git("diff", "--name-only", f"{pull.base_ref}...{pull.head_sha}").splitlines()

    def mergeable(self, number: int) -> bool:
        pull = self.ref(number)
        done = subprocess.run(
            ["git", "merge-tree", "--write-tree", pull.base_ref, pull.head_sha], cwd=self.origin, capture_output=True
        )
        return done.returncode == 0

    def text(self, branch: str, path: str) -> str:
        return self.git("show", f"{branch}:{path}", check=False)
