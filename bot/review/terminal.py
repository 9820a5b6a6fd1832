"""The review for a terminal: readable at 80 columns, and without a single control code when asked so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from rich.text import Text

from bot.model.finding import Check, CheckStatus, Finding
from bot.model.place import Place
from bot.model.review import Ending, Known, Review, Stack, StackEntry, Verdict
from bot.model.text import code, codes, counted
from bot.review import deploy, words
from bot.review.comment.findings import related
from bot.review.escape import plain, spans

if TYPE_CHECKING:  # a third of a page's time, and only colours need it
    from rich.console import Console

_NO_CONSOLE: Any = None  # wrapping asks it for nothing
MAX_FILES = 15
MAX_TWINS = 8
MAX_COMMAND = 10_000

_COLOURS = {Verdict.PASS: "bold green", Verdict.FAIL: "bold red", Verdict.INCOMPLETE: "bold yellow"}


def terminal(review: Review, width: int = 80, colour: bool = False) -> str:
    """The page as text, each line at most `width` columns wide where its words allow it."""
    page = _Page(max(width, 40), colour, {file.path: file.name or file.path for file in review.summary.files})
    _top(page, review)
    _findings(page, review)
    _deploy(page, review)
    _stack(page, review.stack)
    _rest(page, review)
    _unseen(page, review)
    return page.text()


class _Page:
    """Lines of prose, wrapped and indented. Backticks become colour where there is any."""

    def __init__(self, width: int, colour: bool, names: Mapping[str, str]) -> None:
        self.names = names
        self._width = width
        self._colour = colour
        self._lines: list[str] = []

    def say(self, prose: str, indent: int = 2, first: str = "", style: str = "") -> None:
        """A paragraph; `first` stands in front of its first line, within the indent."""
        lines = self._styled(prose, style).wrap(_NO_CONSOLE, self._width - indent)
        for number, line in enumerate(lines):
            line.rstrip()
            margin = first.rjust(indent) if number == 0 else " " * indent
            self._print(Text(margin, style) + line)

    def line(self, text: str, indent: int) -> None:
        """A line to be copied: it is not wrapped."""
        self._print(Text(f"{' ' * indent}{plain(text, MAX_COMMAND)}"))

    def places(self, places: Sequence[Place]) -> str:
        """Places by the short names of their files, the name only where it changes."""
        shown = []
        for before, at in zip([None, *places], places, strict=False):
            lines = str(at).removeprefix(f"{at.file}:")
            named = before is None or before.file != at.file
            shown.append(f"{self.names.get(at.file, at.file)}:{lines}" if named else lines)
        return codes(shown, MAX_TWINS)

    def heading(self, prose: str, style: str = "bold") -> None:
        self._print(Text())
        self.say(prose, 0, style=style)

    def _styled(self, prose: str, style: str) -> Text:
        whole = Text(style=style)
        for inside, piece in spans(prose):
            if inside and self._colour:
                whole.append(plain(piece), "cyan")
            else:
                whole.append(plain(code(piece)) if inside else plain(piece))
        return whole

    def text(self) -> str:
        return "".join(f"{line.rstrip()}\n" for line in self._lines)

    def _print(self, line: Text) -> None:
        self._lines.append(_coloured(line) if self._colour else line.plain)


@cache
def _console() -> Console:
    from rich.console import Console

    return Console(
        force_terminal=True,
        color_system="standard",
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )


def _coloured(line: Text) -> str:
    console = _console()
    with console.capture() as captured:
        console.print(line, soft_wrap=True, end="")
    return captured.get()


def _top(page: _Page, review: Review) -> None:
    page.say(f"Compose review: {words.headline(review)}", 0, style=_COLOURS[review.verdict])
    if unseen := words.unseen(review):
        page.say(f"This is no pass: {unseen}; see the end.", 0, style=_COLOURS[review.verdict])
    for row in review.activity[-3:]:
        parts = [f"round {row.round}", words.outcome(row), words.when(row.at)]
        commit = f"{code(words.sha(row.commit))} onto {code(row.base)}" if row.commit else ""
        page.say(" · ".join(part for part in (*parts, commit, words.asked(row.trigger)) if part), 0, style="dim")
    if review.note:
        page.say(review.note, 0)
    if review.summary.text:
        page.heading("What changes")
        page.say(review.summary.text)
        _files(page, review)


def _files(page: _Page, review: Review) -> None:
    files = review.summary.files
    for file in files[:MAX_FILES]:
        short = f" ({code(file.name)})" if file.name else ""
        was = f", was {code(file.old_path)}" if file.old_path else ""
        only = ", comments only" if file.comments_only else ""
        page.say(f"{code(file.path)}{short}{was}{only}", 14, f"  {file.status:<10}  ")
    if len(files) > MAX_FILES:
        page.say(f"and {counted(len(files) - MAX_FILES, 'more file')}", 14)
    for line in review.summary.statements:
        if not line.told:
            said = "the files bear out" if line.holds else "the files do not bear out"
            page.say(f"{said}: {code(line.quote)} ({line.said_in})", 4, "+ " if line.holds else "! ")
    if not review.summary.all_told:
        for each in review.summary.services:
            page.say(f"{code(each.file)}: {code(each.service)} {each.change} {codes(each.detail, 6)}", 4, "- ")
        for resource in review.summary.resources:
            page.say(f"{code(resource.file)}: {resource.kind} {code(resource.name)} {resource.change}", 4, "- ")


def _findings(page: _Page, review: Review) -> None:
    number = 1
    for found, heading, style in (
        (review.blocking, "Blocking", "bold red"),
        (review.follow_ups, "Optional follow-ups (non-blocking)", "bold yellow"),
        (review.notes, "Notes", "bold"),
        (review.owed_elsewhere, "Owed by the pull request this one builds on", "bold"),
    ):
        if found:
            page.heading(heading, style)
        for finding in found:
            _finding(page, finding, number)
            number += 1


def _finding(page: _Page, finding: Finding, number: int) -> None:
    aside = [finding.rule]
    if finding.certainty.value == "likely":
        aside.append("likely")
    if words.age(finding):
        aside.append(words.age(finding))
    page.say(f"{finding.title} ({', '.join(aside)})", 4, f"{number}. ", "bold")
    page.say(finding.says, 4)
    page.say(f"at {code(str(finding.at))}", 4)
    if finding.twins:
        page.say(f"{counted(len(finding.twins), 'twin')}: {page.places(finding.twins)}", 8, "    and ")
    for says, places in related(finding):
        page.say(f"{says}: {page.places(places)}", 6, "    ")
    page.say(finding.do, 6, "→ ")


def _deploy(page: _Page, review: Review) -> None:
    rows = deploy.rows(review.plans)
    if rows:
        page.heading("Deploy")
    commands = {row.plan.command for row in rows}
    for command in sorted(commands) if len(commands) == 1 else ():
        page.say(code(command))
    columns = deploy.columns(rows)
    for row in rows:
        page.say(deploy.subject(row, [plan.path for plan in row.plans]))
        if len(commands) > 1:
            page.say(code(row.plan.command), 4)
        for name in columns:
            if row.cells[name]:
                page.say(row.cells[name], 22, f"    {name:<18}")
        page.say(row.kept, 22, f"    {'kept':<18}")
    for danger in deploy.dangers(rows):
        page.say(danger, 4, "! ")
    if review.targeted:
        page.say(f"Only {code(review.targeted.service)} is touched: {code(review.targeted.command)} does just that.")
    if review.prerequisites:
        page.heading("Before the deploy")
    for text, found in deploy.needs(review.prerequisites).items():
        page.say(f"{text} ({page.places([each.at for each in found])})", 4, "- ")


def stack_text(stack: Stack, width: int = 80) -> str:
    """The stack alone, for the command that asks for nothing else."""
    page = _Page(width, False, {})
    _stack(page, stack)
    return page.text().strip("\n")


def _stack(page: _Page, stack: Stack) -> None:
    if not (stack.say or stack.parent or stack.children):
        return
    page.heading("Stack")
    if stack.say:
        page.say(stack.say.replace("**", ""))
    for entry in (*([stack.parent] if stack.parent else []), *stack.children):
        _entry(page, entry)


def _entry(page: _Page, entry: StackEntry) -> None:
    number = f"#{entry.number}: " if entry.number else ""
    page.say(f"{number}{entry.say.replace('**', '')}", 4, "- ")
    for command in entry.commands:
        for line in command.split("\n"):
            page.line(line, 6)


def _rest(page: _Page, review: Review) -> None:
    if review.checks or review.inherited:
        page.heading("Checks")
    for check in review.checks:
        _check(page, check)
    if review.inherited:
        verb = "is" if review.inherited == 1 else "are"
        page.say(f"{counted(review.inherited, 'finding')} that base has too {verb} not shown", 4, "- ")
    if review.excluded:
        page.heading("Left out, as stated")
    for rule, each in review.excluded:
        page.say(f"{code(each.file)}: {code(each.quote)} ({each.said_in}; {rule})", 4, "- ")
    if review.ignored:
        page.heading("Ignored on request")
    for ignored in review.ignored:
        ignore = ignored.ignore
        page.say(f"{ignored.finding.title} ({ignore.rule}): {code(ignore.by)} says {code(ignore.because)}", 4, "- ")
    if review.resolved:
        page.heading("Resolved since the last round")
    for gone in review.resolved:
        left_out = ", left out as stated" if gone.ending is Ending.EXCLUDED else ""
        page.say(f"{_known(gone.known)}{left_out}", 4, "- ")
    if review.not_rechecked:
        page.heading("Not re-checked this round")
    for missed in review.not_rechecked:
        page.say(f"{_known(missed.known)}: {missed.why}", 4, "- ")


def _check(page: _Page, check: Check) -> None:
    mark = {CheckStatus.PASSED: "✓ ", CheckStatus.FAILED: "✗ ", CheckStatus.SKIPPED: "- "}[check.status]
    paths = check.detail.split(", ")
    listed = all(path in page.names for path in paths)
    shown = codes((page.names[path] for path in paths), MAX_TWINS) if listed else check.detail
    detail = f": {shown}" if check.detail else ""
    why = f" (not made: {check.why})" if check.why else ""
    page.say(f"{check.name}{detail}{why}", 4, mark)


def _known(known: Known) -> str:
    title = f"{known.title} ({known.rule})" if known.title else known.rule
    return f"{title} in {code(known.file)}" if known.file else title


def _unseen(page: _Page, review: Review) -> None:
    if words.unseen(review):
        page.heading("Not looked at", _COLOURS[Verdict.INCOMPLETE])
    for gap in review.gaps:
        page.say(f"{gap.what}{f' at {code(str(gap.at))}' if gap.at else ''}: {gap.why}", 4, "! ")
    for path in review.conflicts:
        page.say(f"{code(path)} does not merge with the live base: what would land is not known", 4, "! ")
    for crash in review.crashes:
        fault = "This is a fault of Compose Review: please report it."
        page.say(f"rule {code(crash.rule)} failed on {code(crash.subject)}: {code(crash.error)}. {fault}", 4, "! ")
