"""How a file that cannot be read is refused."""

from __future__ import annotations

from bot.model.place import Place
from bot.model.project import Problem, ProblemKind


class DocumentError(Exception):
    """A file, or a value in it, that cannot be read. `problem` holds what, and where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.at}: {problem.says}")
        self.problem = problem


def refuse(kind: ProblemKind, says: str, at: Place, *subject: str) -> DocumentError:
    return DocumentError(Problem(kind, says, at, subject or (str(kind), says)))
