"""Small estates from text, read by the real loader, and the plans made of them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.app import moves_of
from bot.change.files import changed_files
from bot.compose.load import Cache, load_estate
from bot.deploy.plans import plans
from bot.facts.read import read_facts
from bot.model.plan import Plan, PlanKind
from bot.model.project import Estate
from bot.model.settings import Settings
from tests.support.memory_tree import MemoryTree

Files = str | Mapping[str, str]
PATH = "prod/pack.yaml"


def files(text: Files) -> Mapping[str, str]:
    return {PATH: text} if isinstance(text, str) else text


def estate(text: Files, settings: Settings | None = None) -> Estate:
    return load_estate(MemoryTree(files(text)), settings or Settings(), read_facts, Cache())[0]


def planned(before: Files, after: Files, deploy: str | None = None, **settings: object) -> tuple[Plan, ...]:
    """Every plan of a change, under a deploy command (the usual one by default)."""
    asked = Settings(**({"deploy": deploy} if deploy else {}), **settings)  # type: ignore[arg-type]
    old, new = MemoryTree(files(before)), MemoryTree(files(after))
    base, head = (load_estate(tree, asked, read_facts, Cache())[0] for tree in (old, new))
    return plans(base, head, moves_of(base, head, changed_files(old, new)), asked)


def warm(before: Files, after: Files, deploy: str | None = None, **settings: object) -> Plan:
    """The one warm plan of a change of one file."""
    (found,) = (plan for plan in planned(before, after, deploy, **settings) if plan.kind is PlanKind.WARM)
    return found


def verbs(plan: Plan) -> dict[str, str]:
    """What happens to each service, as words."""
    return {each.service: each.verb.value for each in reversed(plan.operations)}
