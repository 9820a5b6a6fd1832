"""What services do, as contracts see it: facts with plain field names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.contracts.located import Located, of_plain
from bot.model.facts import Command, Download, Scrape, Serving, Snapshot, Upstream
from bot.model.place import Place
from bot.model.service import Service


def _role(service: Service) -> Located:
    return Located(str(service.facts.role), service.at)


def _image_ref(service: Service) -> Located:
    image = service.facts.image
    if image is None:
        return Located(None, service.at)
    data = {
        "text": image.text,
        "registry": image.registry,
        "repository": image.repository,
        "tag": image.tag or "",
        "digest": image.digest or "",
        "known": image.known,
    }
    return of_plain(data, image.at)


def _commands(service: Service) -> Located:
    return Located([_command(each) for each in service.facts.commands], service.at)


def _command(command: Command) -> Located:
    data = {
        "name": command.name,
        "text": command.text,
        "guards": sorted(guard.value for guard in command.guards),
        "fatal": command.fatal,
        "understood": command.understood,
        "script": command.script,
        "argv": [Located(word.text, word.at) for word in command.argv],
    }
    return of_plain(data, command.at)


def _downloads(service: Service) -> Located:
    return Located([_download(each) for each in service.facts.downloads], _command_place(service))


def _command_place(service: Service) -> Place:
    command = service.value.get("command") or service.value.get("entrypoint")
    return command.whole if command is not None else service.at


def _download(download: Download) -> Located:
    data = {
        "ref": download.ref,
        "refs": download.refs,
        "named": download.named,
        "repository": download.repository,
        "revision": download.revision or "",
        "files": download.files,
        "target": download.target or "",
        "known": download.known,
        "fatal": download.fatal,
    }
    return of_plain(data, download.at)


def _snapshots(service: Service) -> Located:
    return Located([_snapshot(each) for each in service.facts.snapshots], service.at)


def _snapshot(snapshot: Snapshot) -> Located:
    data = {
        "ref": snapshot.ref,
        "repository": snapshot.repository,
        "revision": snapshot.revision,
        "file": snapshot.file,
    }
    return of_plain(data, snapshot.at)


def _serves(service: Service) -> Located:
    return Located([_serving(each) for each in service.facts.servings], service.at)


def _serving(serving: Serving) -> Located:
    data = {
        "engine": serving.engine,
        "model": serving.model or "",
        "repository": serving.repository or "",
        "revision": serving.revision or "",
        "names": serving.names,
        "parallel": serving.parallel or 0,
        "port": serving.port or "",
        "flags": {name: Located(uses[-1].value or "", uses[-1].at) for name, uses in serving.flags.items() if uses},
    }
    return of_plain(data, serving.at)


def _upstreams(service: Service) -> Located:
    return Located([_upstream(each) for each in service.facts.upstreams], service.at)


def _upstream(upstream: Upstream) -> Located:
    data = {
        "host": upstream.host,
        "port": upstream.port or "",
        "scheme": upstream.scheme or "",
        "path": upstream.path,
        "literal": upstream.literal,
        "source": upstream.source,
    }
    return of_plain(data, upstream.at)


def _scrapes(service: Service) -> Located:
    return Located([_scrape(each) for each in service.facts.scrapes], service.at)


def _scrape(scrape: Scrape) -> Located:
    labels = {name: Located(node.text, node.at) for name, node in scrape.labels.items()}
    data = {"job": scrape.job, "host": scrape.host, "port": scrape.port, "path": scrape.path, "labels": labels}
    return of_plain(data, scrape.at)


def _gpus(service: Service) -> Located:
    """`ids` and `count` of the GPUs that the service reserves; `count` is -1 for all of the host's."""
    reservations = [each for each in service.reservations if "gpu" in each.capabilities or each.driver == "nvidia"]
    ids = [device for each in reservations for device in each.device_ids]
    counts = [each.count for each in reservations if each.count is not None]
    count = -1 if -1 in counts else len(ids) + sum(counts)
    return of_plain({"ids": ids, "count": count}, reservations[0].at if reservations else service.at)


FACT_VIEWS: Mapping[str, Callable[[Service], Located]] = {
    "role": _role,
    "image_ref": _image_ref,
    "commands": _commands,
    "downloads": _downloads,
    "snapshots": _snapshots,
    "serves": _serves,
    "upstreams": _upstreams,
    "scrapes": _scrapes,
    "gpus": _gpus,
}
