"""The templates of the Markdown pages. What they print must have come through the door."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bot.review.escape import LIMIT, Safe, block, code, prose, quote

if TYPE_CHECKING:
    from jinja2 import Environment


class NotEscaped(TypeError):
    """A template prints a text that did not come through the door: our bug."""


def rendered(template: str, **values: Any) -> Safe:
    """One part of a page, without blank lines around it."""
    return Safe(_environment().get_template(f"{template}.jinja").render(values).strip("\n"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # costs 90 ms, and only Markdown needs it

    # HTML is no danger that autoescape could see to: `@`, backticks and bars are, and the filters do that.
    environment = Environment(
        loader=PackageLoader("bot.review", "."),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        finalize=_printable,
    )
    environment.filters.update(
        code=code,
        cell=lambda text: code(text, table=True),
        prose=prose,
        title=lambda text: prose(text, limit=LIMIT),
        inline=lambda text: prose(text, start=False),
        cell_prose=lambda text: prose(text, table=True),
        quote=quote,
        block=block,
    )
    return environment


def _printable(value: object) -> object:
    if isinstance(value, Safe) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise NotEscaped(f"a template prints a bare {type(value).__name__}")
