"""The stack of a pull request on GitHub: what must be asked besides for it, and what it then comes to."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from bot.action.ancestry import EitherAncestry
from bot.action.log import say
from bot.action.session import Session
from bot.forge.ancestry import ForgeAncestry
from bot.forge.neighbours import Further
from bot.forge.trees import Blobs, ForgeTree
from bot.intake.config import ConfigError, settings_of
from bot.intake.inputs import applied
from bot.model.pull import Pull, PullRef, PullState
from bot.model.remote import Remote
from bot.model.review import Stack
from bot.model.settings import Settings
from bot.rulebook import catalogue
from bot.stack.ancestry import Ancestry
from bot.stack.family import children_of
from bot.stack.names import is_tool_made, is_trunk
from bot.stack.read import own_ruling, stack_of
from bot.stack.table import Ruling


class Stacked(Struct, frozen=True):
    """A pull request with all of its stack that must be known, and what it needs itself."""

    pull: Pull
    git: Ancestry
    ruling: Ruling
    parent: PullRef | None

    @property
    def stack(self) -> Stack:
        return stack_of(self.pull, self.git)


def stacked(session: Session, remote: Remote, trunks: tuple[str, ...] = ()) -> Stacked:
    """No call more for a lone pull request on a trunk. `trunks` are those that the configuration names."""
    forge = ForgeAncestry(session.client, remote.pull.repository.full_name)
    forge.known(remote.tips)
    pull = _with_trunks(session, remote.pull, trunks)
    further = Further(session.client, pull.repository.full_name)
    on_trunk = is_trunk(pull.base_ref, pull.repository)
    below = [each for each in children_of(pull) if each.state is PullState.OPEN]
    if not on_trunk and not is_tool_made(pull.base_ref):
        pull = further.up(pull)
    if is_tool_made(pull.base_ref) and pull.base_sha:
        pull = further.beneath(pull, pull.base_sha)
    if on_trunk and remote.former_bases:
        pull = further.before(pull, remote.former_bases)
    related = not on_trunk or pull.implicit or below
    if len(below) == 1 and (not on_trunk or pull.implicit):
        pull = further.down(pull)
    if related and session.request.native_stack is None and pull.number is not None:
        pull = replace(pull, native_stack=session.pulls.native(pull.number))
    git = EitherAncestry(session.around.folder, forge)
    ruling, parent = own_ruling(pull, git)
    return Stacked(pull, git, ruling, parent)


def configured(session: Session, remote: Remote) -> Settings:
    """What the default branch's configuration says, looked up once a run."""
    if session.configured is None:
        repository = remote.pull.repository
        tip = remote.tips.get(repository.default_branch, "")
        settings = Settings()
        if tip:
            tree = ForgeTree(session.client, repository.full_name, tip, Blobs(session.client, repository.full_name))
            try:
                settings = settings_of(tree, {rule.id for rule in catalogue()}, path=session.around.inputs.config)
            except ConfigError as error:
                say(f"The configuration cannot be used: {error}")
        session.configured = applied(session.around.inputs, settings)
    return session.configured


def _with_trunks(session: Session, pull: Pull, trunks: tuple[str, ...]) -> Pull:
    """Protected branches live on. Asked of a base, and of a head that others target, where their names do not tell."""
    home = replace(pull.repository, trunks=(*pull.repository.trunks, *trunks))
    names = [pull.base_ref, *((pull.head_ref,) if pull.children and not pull.from_fork else ())]
    unknown = [name for name in names if name and not is_trunk(name, home) and not is_tool_made(name)]
    kept = tuple(name for name in unknown if session.pulls.protected(name))
    return replace(pull, repository=replace(home, trunks=(*home.trunks, *kept)))
