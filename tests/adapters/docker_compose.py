"""Takes the arguments of `docker compose … config` and answers from our model, so that both can be compared."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bot.commands.config import DotenvError, NoFiles, from_disk
from bot.compose.active import NoSuchService, selected
from bot.compose.context import Unset
from bot.compose.identity import identity
from bot.compose.render import rendered

VALUED = {
    "-p": "name",
    "-f": "files",
    "--profile": "profiles",
    "--env-file": "env_files",
    "--format": "format",
    "--hash": "hash",
}


def arguments(argv: list[str]) -> tuple[dict[str, list[str]], set[str], list[str]]:
    valued: dict[str, list[str]] = {name: [] for name in VALUED.values()}
    flags, names = set(), []
    rest = iter(argv)
    for word in rest:
        if word in VALUED:
            valued[VALUED[word]].append(next(rest))
        elif word.startswith("-"):
            flags.add(word)
        elif word != "config":
            names.append(word)
    return valued, flags, names


def main(argv: list[str]) -> int:
    valued, flags, names = arguments(argv)
    profiles = tuple(valued["profiles"])
    try:
        project, context = from_disk(
            tuple(valued["files"]),
            Path(),
            dict(os.environ),
            Unset.BLANK,
            env_files=tuple(valued["env_files"]),
            name=valued["name"][0] if valued["name"] else None,
            profiles=profiles,
            interpolate="--no-interpolate" not in flags,
            resolve_paths="--no-path-resolution" not in flags,
            resolve_environment="--no-env-resolution" not in flags,
            names=tuple(names),
        )
        enabled = (*profiles, *filter(None, os.environ.get("COMPOSE_PROFILES", "").split(",")))
        services = selected(project, enabled, names)
    except (NoFiles, DotenvError) as error:
        print(error, file=sys.stderr)
        return 1
    except NoSuchService as error:
        print(f"no such service: {error}", file=sys.stderr)
        return 1
    for warning in dict.fromkeys(context.warnings):
        print(f'time="x" level=warning msg={warning}', file=sys.stderr)
    if "--variables" in flags:
        print(json.dumps(variables(project)))
        return 0
    if project.problems:
        print(project.problems[0].says, file=sys.stderr)
        return 1
    if valued["hash"]:
        for service in services:
            text = json.dumps(identity(service), sort_keys=True)
            print(service.name, hashlib.sha256(text.encode()).hexdigest())
        return 0
    return answer(project, services, flags)


def variables(project):  # type: ignore[no-untyped-def]
    return {
        use.name: {
            "Name": use.name,
            "DefaultValue": use.default or "",
            "PresenceValue": use.presence or "",
            "Required": use.required,
        }
        for use in project.variables
    }


def answer(project, services, flags: set[str]) -> int:  # type: ignore[no-untyped-def]
    if "-q" in flags:
        return 0
    if "--services" in flags:
        waits = {service.name: {wait.service for wait in service.waits} for service in services}
        done: list[str] = []
        while len(done) < len(waits):
            done += sorted(
                name for name, needs in waits.items() if name not in done and needs & set(waits) <= set(done)
            )
        print("\n".join(done))
    elif "--images" in flags:
        print("\n".join(service.value.text("image") or "" for service in services))
    elif "--profiles" in flags:
        print("\n".join(sorted({name for service in project.services.values() for name in service.profiles})))
    elif "--volumes" in flags:
        print("\n".join(rendered(project, services).get("volumes", {})))
    else:
        print(json.dumps(rendered(project, services), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
