"""What the default branch's protection needs, which only a person with rights to it can set."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.remote import CONTEXT


def needs(branch: str, queue: bool, owned: bool) -> Iterator[str]:
    """Sentences, in the order to do them. `owned`: whether a CODEOWNERS file speaks of `.github`."""
    name = branch or "the default branch"
    yield f"Require the status `{CONTEXT}` on `{name}`, not the workflow's job: only the status is set in every case."
    yield "GitHub offers it once it has succeeded in the last seven days, so open a pull request first."
    yield "Let the rule cover the branches that other pull requests are built on, or only the last step is guarded."
    if queue:
        yield f"`{name}` seems to have a merge queue: the workflow must keep its `merge_group` trigger."
    if not owned:
        yield "Give `/.github/` an owner in CODEOWNERS: whoever may change it may change what is required."
