"""`compose-review rules`: the catalogue, or one rule's page."""

from __future__ import annotations

from difflib import get_close_matches

import click

from bot.rulebook import catalogue


@click.command("rules")
@click.argument("rule", required=False)
def command(rule: str | None) -> int:
    """List the rules, or print one rule's page: why it bites, and examples."""
    rules = {each.id: each for each in catalogue()}
    if rule is None:
        width = max(map(len, rules))
        for each in rules.values():
            click.echo(f"{each.id:<{width}}  {each.level.word:<7}  {each.title}")
        return 0
    if rule not in rules:
        close = get_close_matches(rule, rules, n=1)
        raise click.ClickException(f"there is no rule {rule!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
    found = rules[rule]
    click.echo(f"# {found.id} ({found.level.word})\n\n{found.page.strip()}")
    return 0
