"""What changes in one service, told by its facts first and by its fields where no fact covers them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from bot.model.change import ServiceMove
from bot.model.facts import Download, Flag, ImageRef
from bot.model.service import Service
from bot.model.text import code, codes, listed

MAX_VALUE = 60  # characters of a value that a sentence quotes

_SECRET = re.compile(r"key|token|secret|passw|credential", re.IGNORECASE)
_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Edit(Struct, frozen=True):
    """One difference. `verb` fits one service, `verbs` several; `rest` and `detail` as below.

    `rest` ends the sentence, our prose; `detail` is the fact without prose, one line of it each.
    """

    verb: str
    verbs: str
    rest: str
    detail: tuple[str, ...]
    fields: frozenset[str]  # the fields that it accounts for

    def said(self, several: bool) -> str:
        return f"{self.verbs if several else self.verb} {self.rest}"


def edits(move: ServiceMove) -> tuple[Edit, ...]:
    """The differences of a service that both sides have, in the order a reader needs them."""
    before, after = move.before, move.after
    if before is None or after is None:
        return ()
    told = [*_downloads(before, after), *_image(before, after), *_flags(before, after), *_waits(before, after)]
    told += [*_environment(before, after), *_configs(before, after)]
    covered = {field for edit in told for field in edit.fields}
    left = [name for name in move.fields if name not in covered]
    return (*told, *_fields(left, before, after))


def short(revision: str) -> str:
    """A commit or digest as people quote it; a tag or branch as it is."""
    return revision[:7] if _DIGEST.fullmatch(revision) else revision


def _downloads(before: Service, after: Service) -> Iterator[Edit]:
    old, new = _by_name(before), _by_name(after)
    added = [each for name, each in new.items() if name not in old]
    removed = [each for name, each in old.items() if name not in new]
    moved = [(old[name], each) for name, each in new.items() if name in old and old[name].ref != each.ref]
    fields = frozenset({"command", "entrypoint"})
    if added:
        names = listed([_fetched(each) for each in added])
        detail = tuple(f"+ download {each.ref}" for each in added)
        yield Edit("also downloads", "also download", names, detail, fields)
    if removed:
        names = codes(each.named for each in removed)
        detail = tuple(f"- download {each.ref}" for each in removed)
        yield Edit("no longer downloads", "no longer download", names, detail, fields)
    for was, now in moved:
        at = f"{_fetched(now)} instead of {_revision(was)}"
        yield Edit("downloads", "download", at, (f"- download {was.ref}", f"+ download {now.ref}"), fields)


def _by_name(service: Service) -> Mapping[str, Download]:
    return {download.named: download for download in service.facts.downloads}


def _fetched(download: Download) -> str:
    if download.revision is None:
        return f"{code(download.named)} without a revision"
    return f"{code(download.named)} at {_revision(download)}"


def _revision(download: Download) -> str:
    return "no fixed revision" if download.revision is None else code(short(download.revision))


def _image(before: Service, after: Service) -> Iterator[Edit]:
    old, new = before.value.text("image") or "", after.value.text("image") or ""
    if old == new:
        return
    detail = (f"~ image {old or '(none)'} → {new or '(none)'}",)
    was, now = before.facts.image, after.facts.image
    if was and now and was.known and now.known and _untagged(was) == _untagged(now):
        rest = f"{code(_untagged(was))} from {code(_version(was.tag, was.digest))} to {code(_version(now.tag, now.digest))}"
        yield Edit("moves", "move", rest, detail, frozenset({"image"}))
    else:
        rest = f"the image {code(new) if new else 'nothing'} instead of {code(old) if old else 'none'}"
        yield Edit("runs", "run", rest, detail, frozenset({"image"}))


def _untagged(image: ImageRef) -> str:
    return image.text.split("@")[0].removesuffix(f":{image.tag}")


def _version(tag: str | None, digest: str | None) -> str:
    parts = [tag] if tag else []
    if digest:
        algorithm, _, hexadecimal = digest.partition(":")
        parts.append(f"{algorithm}:{hexadecimal[:12]}")
    return "@".join(parts) or "latest"


def _flags(before: Service, after: Service) -> Iterator[Edit]:
    old, new = _all_flags(before), _all_flags(after)
    fields = frozenset({"command", "entrypoint"})
    added = [name for name in new if name not in old]
    removed = [name for name in old if name not in new]
    changed = [name for name in new if name in old and _values(new[name]) != _values(old[name])]
    if added:
        named = listed([_flag(name, new[name]) for name in added])
        detail = tuple(f"+ flag {_bare(name, new[name])}" for name in added)
        yield Edit("adds", "add", named, detail, fields)
    if removed:
        detail = tuple(f"- flag {_bare(name, old[name])}" for name in removed)
        yield Edit("drops", "drop", codes(removed), detail, fields)
    if changed:
        named = listed([_from_to(name, _values(old[name]), _values(new[name])) for name in changed], 3)
        detail = tuple(f"~ flag {_bare(name, old[name])} → {_bare(name, new[name])}" for name in changed)
        yield Edit("changes", "change", named, detail, fields)


def _all_flags(service: Service) -> Mapping[str, tuple[Flag, ...]]:
    return {name: flags for serving in service.facts.servings for name, flags in serving.flags.items()}


def _values(flags: tuple[Flag, ...]) -> str:
    return " ".join(flag.value for flag in flags if flag.value is not None)


def _flag(name: str, flags: tuple[Flag, ...]) -> str:
    return code(_bare(name, flags))


def _bare(name: str, flags: tuple[Flag, ...]) -> str:
    value = _values(flags)
    return name if not value or len(value) > MAX_VALUE or _SECRET.search(name) else f"{name} {value}"


def _from_to(name: str, old: str, new: str) -> str:
    if _SECRET.search(name) or not (old and new) or max(len(old), len(new)) > MAX_VALUE:
        return code(name)
    return f"{code(name)} from {code(old)} to {code(new)}"


def _waits(before: Service, after: Service) -> Iterator[Edit]:
    old = {wait.service: wait for wait in before.waits if wait.via == "depends_on"}
    new = {wait.service: wait for wait in after.waits if wait.via == "depends_on"}
    added, removed = [name for name in new if name not in old], [name for name in old if name not in new]
    fields = frozenset({"depends_on"})
    if added:
        detail = tuple(f"+ waits for {name} ({new[name].condition})" for name in added)
        yield Edit("also waits for", "also wait for", codes(added), detail, fields)
    if removed:
        detail = tuple(f"- waits for {name} ({old[name].condition})" for name in removed)
        yield Edit("no longer waits for", "no longer wait for", codes(removed), detail, fields)


def _environment(before: Service, after: Service) -> Iterator[Edit]:
    """By name only: values of variables are not repeated."""
    old, new = before.environment, after.environment
    fields = frozenset({"environment"})
    added, removed = [name for name in new if name not in old], [name for name in old if name not in new]
    changed = [name for name in new if name in old and not new[name].same(old[name])]
    for verb, verbs, sign, names in (
        ("sets", "set", "+", added),
        ("no longer sets", "no longer set", "-", removed),
        ("changes the value of", "change the value of", "~", changed),
    ):
        if names:
            yield Edit(verb, verbs, codes(names), tuple(f"{sign} environment {name}" for name in names), fields)


def _configs(before: Service, after: Service) -> Iterator[Edit]:
    old, new = before.bodies, after.bodies
    changed = [name for name in new if name in old and old[name] != new[name]]
    if changed:
        detail = tuple(f"~ config {name}" for name in changed)
        same_grants = before.value.get("configs") is not None and _plain(before, "configs") == _plain(after, "configs")
        fields = frozenset({"configs"}) if same_grants else frozenset[str]()
        what = f"the inline config{'s' if len(changed) > 1 else ''} {codes(changed)} with changed content"
        yield Edit("mounts", "mount", what, detail, fields)


def _fields(names: list[str], before: Service, after: Service) -> Iterator[Edit]:
    if not names:
        return
    phrases, detail = [], []
    for name in names:
        old, new = before.value.text(name), after.value.text(name)
        if old is not None and new is not None and max(len(old), len(new)) <= MAX_VALUE:
            phrases.append(_from_to(name, old, new))
            detail.append(f"~ {name} {old} → {new}")
        else:
            sign = "+" if _plain(before, name) is None else "-" if _plain(after, name) is None else "~"
            phrases.append(code(name))
            detail.append(f"{sign} {name}")
    yield Edit("changes", "change", listed(phrases), tuple(detail), frozenset(names))


def _plain(service: Service, name: str) -> object:
    found = service.value.get(name)
    return None if found is None else found.plain()
