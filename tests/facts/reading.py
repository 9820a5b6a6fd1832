"""The facts of one service, written as a few lines of YAML and read by the real loader."""

from __future__ import annotations

from textwrap import indent

from bot.model.facts import Download, Facts, Serving
from tests.deploy.estates import estate


def facts(service: str, more: str = "", name: str = "thing") -> Facts:
    """`service` is the body of the service without indent, `more` what stands beside `services`."""
    (project,) = estate(f"services:\n  {name}:\n{indent(service.strip(chr(10)), '    ')}\n{more}").projects.values()
    assert project.problems == ()
    return project.services[name].facts


def scripted(script: str, options: str = "-c", more: str = "") -> Facts:
    """A service that hands this script to a shell; dollar signs are the shell's."""
    text = indent(script.strip("\n").replace("$", "$$"), "    ")
    return facts(f"image: tool\n{more}entrypoint: [sh, {options}]\ncommand:\n  - |\n{text}\n")


def fetched(found: Facts) -> list[tuple[str, bool]]:
    """Each download's reference, and whether its failure fails the service."""
    return [(each.ref, each.fatal) for each in found.downloads]


def download(found: Facts) -> Download:
    (each,) = found.downloads
    return each


def serving(found: Facts) -> Serving:
    (each,) = found.servings
    return each
