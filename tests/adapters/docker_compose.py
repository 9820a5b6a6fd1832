"""Takes the arguments of `docker compose … config` and answers from our model, so that both can be compared."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bot.commands.config import _yaml
from bot.commands.disk import NoFiles, enabled_by, from_disk
from bot.compose.active import NoSuchService, selected
from bot.compose.context import Context, Unset
from bot.compose.dotenv import DotenvError
from bot.compose.identity import identity
from bot.compose.render import Form, rendered
from bot.model.project import Project
from bot.model.service import Service

# Options of how docker compose talks: they change no answer.
SILENT = ("--dry-run", "--compatibility", "--verbose")
SILENT_VALUED = ("--ansi", "--progress", "--parallel")


def arguments(argv: list[str]) -> argparse.Namespace:
    """The options before the command and its own, in the spellings that docker compose takes."""
    outer = argparse.ArgumentParser(prog="docker compose", allow_abbrev=False)
    outer.add_argument("-f", "--file", dest="files", action="append", default=[])
    outer.add_argument("-p", "--project-name", dest="name")
    outer.add_argument("--profile", dest="profiles", action="append", default=[])
    outer.add_argument("--env-file", dest="env_files", action="append", default=[])
    outer.add_argument("--project-directory", "--workdir", dest="folder")
    outer.add_argument("--all-resources", action="store_true")
    for name in SILENT:
        outer.add_argument(name, action="store_true")
    for name in SILENT_VALUED:
        outer.add_argument(name)
    commands = outer.add_subparsers(required=True)
    config = commands.add_parser("config", aliases=["convert"], allow_abbrev=False)
    for name in ("interpolate", "normalize", "consistency", "path-resolution", "env-resolution"):
        config.add_argument(f"--no-{name}", action="store_true")
    for name in (
        "environment",
        "images",
        "models",
        "networks",
        "profiles",
        "services",
        "variables",
        "volumes",
        "dry-run",
    ):
        config.add_argument(f"--{name}", dest=f"list_{name.replace('-', '_')}", action="store_true")
    config.add_argument("-q", "--quiet", action="store_true")
    config.add_argument("--format")
    config.add_argument("--hash")
    config.add_argument("-o", "--output")
    config.add_argument("services", nargs="*")
    return outer.parse_args(argv)


def main(argv: list[str]) -> int:
    asked = arguments(argv)
    try:
        project, context = from_disk(
            tuple(asked.files),
            Path(),
            dict(os.environ),
            Unset.BLANK,
            env_files=tuple(asked.env_files),
            name=asked.name,
            project_folder=asked.folder,
            profiles=tuple(asked.profiles),
            names=tuple(asked.services),
            interpolate=not asked.no_interpolate,
            normalize=not asked.no_normalize,
            consistent=not asked.no_consistency,
            resolve_paths=not asked.no_path_resolution,
            resolve_environment=not asked.no_env_resolution,
        )
        services = _chosen(project, context, asked)
    except (NoFiles, DotenvError) as error:
        print(error, file=sys.stderr)
        return 1
    except NoSuchService as error:
        print(f"no such service: {error}", file=sys.stderr)
        return 1
    for warning in dict.fromkeys(context.warnings):
        print(f'time="x" level=warning msg={warning}', file=sys.stderr)
    if project.problems and not asked.list_variables:
        print(project.problems[0].says, file=sys.stderr)
        return 1
    text = "" if asked.quiet else _answer(project, context, services, asked)
    if asked.output:
        Path(asked.output).write_text(text)
    elif text:
        print(text)
    return 0


def _chosen(project: Project, context: Context, asked: argparse.Namespace) -> list[Service]:
    if asked.no_interpolate:  # no profile and no name narrows a model that is left as it is written
        return list(project.services.values())
    return selected(project, (*asked.profiles, *enabled_by(context.variables)), asked.services)


def _answer(project: Project, context: Context, services: list[Service], asked: argparse.Namespace) -> str:
    form = Form(
        interpolated=not asked.no_interpolate, normalized=not asked.no_normalize, unused=bool(asked.all_resources)
    )
    if asked.list_variables:
        return _variables(project, asked.format)
    if asked.hash:
        wanted = asked.hash.split(",")
        if missing := [name for name in wanted if name != "*" and name not in {each.name for each in services}]:
            raise SystemExit(f"no such service: {missing[0]}")
        return "\n".join(f"{each.name} {_hash(each)}" for each in services if wanted == ["*"] or each.name in wanted)
    if asked.list_environment:
        return "\n".join(sorted(f"{name}={value}" for name, value in context.variables.items()))
    if asked.list_services:
        return "\n".join(_in_order(services))
    if asked.list_images:
        return "\n".join(service.value.text("image") or "" for service in services)
    if asked.list_profiles:
        return "\n".join(sorted({name for service in project.services.values() for name in service.profiles}))
    model = rendered(project, services, form)
    for kind in ("volumes", "networks", "models"):
        if getattr(asked, f"list_{kind}"):
            return "\n".join(sorted(model.get(kind, {})))
    return json.dumps(model, indent=2) if asked.format == "json" else _yaml(model)


def _hash(service: Service) -> str:
    return hashlib.sha256(json.dumps(identity(service), sort_keys=True).encode()).hexdigest()


def _in_order(services: Iterable[Service]) -> list[str]:
    """By name, each after those it waits for."""
    waits = {service.name: {wait.service for wait in service.waits} for service in services}
    done: list[str] = []
    while len(done) < len(waits):
        done += sorted(name for name, needs in waits.items() if name not in done and needs & set(waits) <= set(done))
    return done


def _variables(project: Project, form: str | None) -> str:
    found: Mapping[str, dict[str, Any]] = {
        use.name: {
            "Name": use.name,
            "DefaultValue": use.default or "",
            "PresenceValue": use.presence or "",
            "Required": use.required,
        }
        for use in project.variables
    }
    if form == "json":
        return json.dumps(found)
    rows = [("NAME", "REQUIRED", "DEFAULT VALUE", "ALTERNATE VALUE")]
    rows += [
        (each["Name"], str(each["Required"]).lower(), each["DefaultValue"], each["PresenceValue"])
        for _, each in sorted(found.items())
    ]
    return "\n".join("".join(f"{cell:<20}" for cell in row[:-1]) + row[-1] for row in rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
