"""What a one-shot service does, step by step: the things that those who wait for it depend on."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.facts import Command, Download, Guard, Step
from bot.model.place import Place

# Commands that cannot fail in a way that matters, or say nothing of what the service is for.
_SMALL = {
    "", "set", "echo", "printf", "cd", "export", ":", "true", "false", "[", "[[", "test", "trap", "sleep", "date", "exit", "umask",
    "ulimit", "local", "declare", "read", "shift", "return", "unset", "wait", "pwd", "id", "whoami", "hostname", "env", "df", "du", "ls",
}  # fmt: skip


def steps(commands: Sequence[Command], downloads: Sequence[Download]) -> tuple[Step, ...]:
    """Each download, and each other command worth naming, in the order written."""
    waiting: dict[Place, list[Download]] = {}  # a loop runs one line several times
    for each in downloads:
        waiting.setdefault(each.at, []).append(each)
    found = []
    for command in commands:
        if waiting.get(command.at):
            download = waiting[command.at].pop(0)
            found.append(Step(download.ref, download.ref, download, download.step, command.fatal))
        elif command.name not in _SMALL and Guard.CONDITION not in command.guards:
            text = " ".join(command.text.split())
            found.append(Step(text, text, None, command.at, command.fatal))
    left = [each for group in waiting.values() for each in group]  # in scripts of another language
    return (*found, *(Step(each.ref, each.ref, each, each.step, each.fatal) for each in left))
