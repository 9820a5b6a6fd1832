"""Fetches from model hubs, in the spellings that people use."""

from __future__ import annotations

import re

from bot.facts.programs import Ran
from bot.facts.python import PythonCall
from bot.model.facts import Command, Download, Word
from bot.model.place import Place

_SAYING = {"echo", "printf", "log", "info"}
_RUNNERS = {
    "uvx",
    "uv",
    "pipx",
    "pdm",
    "poetry",
    "python",
    "python3",
    "sudo",
    "env",
    "timeout",
    "retry",
    "nice",
    "time",
    "exec",
    "command",
}
_HUB_MODULES = {"huggingface_hub", "huggingface_hub.commands.huggingface_cli", "huggingface_hub.cli.hf"}
_HUB_PROGRAMS = {"hf", "huggingface-cli"}
# Options of the hub's client that take a value, and those that take several.
_VALUED = {
    "--revision",
    "--repo-type",
    "--cache-dir",
    "--local-dir",
    "--token",
    "--max-workers",
    "--local-dir-use-symlinks",
}
_SEVERAL = {"--include", "--exclude"}
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_RESOLVE = re.compile(r"https?://(?:huggingface\.co|hf-mirror\.com)/([\w.-]+/[\w.-]+)/resolve/([^/\s]+)/([^\s?\"']+)")
_CLONE = re.compile(r"https?://(?:[^@/\s]*@)?(?:huggingface\.co|hf-mirror\.com)/([\w.-]+/[\w.-]+?)(?:\.git)?/?$")


def downloads(ran: Ran) -> tuple[Download, ...]:
    """Every download, in the order written, with the message that announces it."""
    found = []
    said: Place | None = None
    for command in ran.commands:
        each = _download(command, said)
        if each is not None:
            found.append(each)
        said = _announced(command, said)
    found.extend(each for call in ran.calls if (each := _called(call)) is not None)
    return tuple(found)


def _announced(command: Command, said: Place | None) -> Place | None:
    """Where the messages directly before the next command begin."""
    if command.name not in _SAYING:
        return None
    return (
        said
        if said is not None and said.file == command.at.file and said.end_line + 1 >= command.at.line
        else command.at
    )


def _download(command: Command, said: Place | None) -> Download | None:
    words = list(command.argv)
    index = _hub_command(words)
    if index is not None:
        return _hub(command, words[index + 1 :], said)
    return _by_address(command, words, said) or _by_puller(command, words, said)


def _hub_command(words: list[Word]) -> int | None:
    """The index of `download` in `… hf download`, None when this is no such command."""
    for index, word in enumerate(words):
        name = word.text.rsplit("/", 1)[-1]
        following = words[index + 1].text if index + 1 < len(words) else ""
        is_module = word.text == "-m" and following in _HUB_MODULES
        if is_module and index + 2 < len(words) and words[index + 2].text == "download":
            return index + 2
        if name in _HUB_PROGRAMS and following == "download":
            return index + 1
        if index == 0 and name not in _RUNNERS and name not in _HUB_PROGRAMS and not name.startswith("python"):
            return None
    return None


def _hub(command: Command, words: list[Word], said: Place | None) -> Download | None:
    options: dict[str, Word] = {}
    plain: list[Word] = []
    included: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        name, sign, value = word.text.partition("=")
        if name in _SEVERAL:
            values = [value] if sign else []
            while not sign and index + 1 < len(words) and not words[index + 1].text.startswith("--"):
                index += 1
                values.append(words[index].text)
            included += values if name == "--include" else []
        elif name in _VALUED and sign:
            options[name] = Word(value, word.known, word.at)
        elif name in _VALUED and index + 1 < len(words):
            index += 1
            options[name] = words[index]
        elif not word.text.startswith("-"):
            plain.append(word)
        index += 1
    if not plain:
        return None
    revision = options.get("--revision")
    target = options.get("--local-dir") or options.get("--cache-dir")
    return Download(
        repository=plain[0].text,
        revision=revision.text if revision is not None else None,
        files=(*(word.text for word in plain[1:]), *included),
        target=target.text if target is not None else None,
        known=plain[0].known and (revision is None or revision.known),
        fatal=command.fatal,
        at=command.at,
        step=_step(command, said),
    )


def _by_address(command: Command, words: list[Word], said: Place | None) -> Download | None:
    """`curl …/resolve/<revision>/<file>`, `wget …`, `git clone https://…`."""
    if command.name not in ("curl", "wget", "aria2c", "git"):
        return None
    for word in words[1:]:
        if resolved := _RESOLVE.search(word.text):
            repository, revision, file = resolved.groups()
            return Download(
                repository, revision, (file,), ".", word.known, command.fatal, command.at, _step(command, said)
            )
        if command.name == "git" and "clone" in [each.text for each in words] and (cloned := _CLONE.match(word.text)):
            return Download(cloned[1], None, (), ".", word.known, command.fatal, command.at, _step(command, said))
    return None


def _by_puller(command: Command, words: list[Word], said: Place | None) -> Download | None:
    texts = [word.text for word in words]
    if command.name == "ollama" and texts[1:2] == ["pull"] and len(texts) > 2:
        name, _, tag = texts[2].partition(":")
        return Download(name, tag or None, (), None, words[2].known, command.fatal, command.at, _step(command, said))
    if command.name == "modelscope" and texts[1:2] == ["download"]:
        values = {name: texts[index + 1] for index, name in enumerate(texts[:-1]) if name.startswith("--")}
        model = values.get("--model") or next((text for text in texts[2:] if _REPOSITORY.fullmatch(text)), None)
        if model is not None:
            target = values.get("--local_dir") or values.get("--cache_dir")
            return Download(
                model, values.get("--revision"), (), target, True, command.fatal, command.at, _step(command, said)
            )
    return None


def _step(command: Command, said: Place | None) -> Place:
    """From the announcing message to the end of the command, where one follows the other."""
    if said is None or said.file != command.at.file or said.line > command.at.line:
        return command.at
    return said.through(command.at)


def _called(call: PythonCall) -> Download | None:
    repository = call.arguments.get("repo_id")
    if "repo_id" not in call.arguments:
        return None
    file = call.arguments.get("filename")
    revision = call.arguments.get("revision")
    known = repository is not None and not ("revision" in call.arguments and revision is None)
    target = call.arguments.get("local_dir") or call.arguments.get("cache_dir")
    files = (file,) if file else ()
    return Download(repository or "?", revision, files, target, known, not call.caught, call.at, call.at)
