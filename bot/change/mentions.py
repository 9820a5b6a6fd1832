"""Lines of head that still name a file which the change renames or deletes: workflows, scripts, comments, mounts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from posixpath import basename, dirname, join, normpath

from bot.change.hunks import lines_of
from bot.model.change import FileChange, FileStatus, Mention
from bot.model.place import Place
from bot.ports import Tree

MOST_GONE = 50  # files that are looked for; a change that moves more is about nothing else
_LONGEST = 400_000  # bytes of a file that is looked through; longer ones are not written by hand
_WORD = re.compile(r"[\w./+-]*[\w+-]")


def mentions(base: Tree, head: Tree, files: Sequence[FileChange]) -> tuple[Mention, ...]:
    """By file and line, each file that is gone once for a line.

    A path counts when it leads from the root, or from the folder of the file that names it, to what is gone; a
    bare name when it was the only file of that name and none has it now.
    """
    gone = gone_files(files, head)
    if not gone:
        return ()
    before, after = (Counter(basename(path) for path in tree.entries) for tree in (base, head))
    own = {basename(path): path for path in gone if before[basename(path)] == 1 and not after[basename(path)]}
    gone = dict(islice(gone.items(), MOST_GONE))
    found = head.find([basename(path).encode() for path in gone])
    return tuple(
        mention
        for path, content in sorted(found.items())
        if len(content) <= _LONGEST and b"\0" not in content
        for mention in _in_file(path, lines_of(content), gone, own)
    )


def gone_files(files: Sequence[FileChange], head: Tree) -> dict[str, FileChange]:
    """The renamed and deleted files, by the path that leads nowhere now."""
    moved = (FileStatus.DELETED, FileStatus.RENAMED)
    return {each.old_path: each for each in files if each.status in moved and each.old_path not in head.entries}


def _in_file(
    path: str, lines: Sequence[str], gone: Mapping[str, FileChange], own: Mapping[str, str]
) -> Iterator[Mention]:
    names = {basename(each) for each in gone}
    for number, line in enumerate(lines, start=1):
        seen: dict[str, bool] = {}
        for word in _WORD.findall(line):
            target, sure = _led_to(word, path, gone, own) if basename(word) in names else (None, False)
            if target is not None:
                seen[target] = seen.get(target, False) or sure
        for target, sure in seen.items():
            now = gone[target].path if gone[target].status is FileStatus.RENAMED else None
            yield Mention(target, now, Place.of_line(path, number), sure)


def _led_to(word: str, path: str, gone: Mapping[str, FileChange], own: Mapping[str, str]) -> tuple[str | None, bool]:
    """The file that a word leads to, and whether that is beyond doubt."""
    for way in (word, join(dirname(path), word)):
        target = normpath(way)
        if target in gone and ("/" in word or target in own.values()):
            return target, "/" in word
    # Behind a variable or the path of a checkout: `$ROOT/prod/web.yaml`.
    behind = word
    while "/" in behind:
        if behind in gone and "/" in behind:
            return behind, False
        behind = behind.partition("/")[2]
    return own.get(word), False
