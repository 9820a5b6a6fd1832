"""`orphan-removal`: what leaves, what takes over from it, and whether it can."""

from __future__ import annotations

from bot.model.finding import Level
from tests.deploy.estates import PATH
from tests.rules.deploy.reviewing import findings, only

RULE = "orphan-removal"
GPU = 'deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}'
ENGINE = f"    image: vllm\n    command: vllm serve acme/tiny\n    stop_grace_period: 5m\n    {GPU}\n"
OLD = f"services:\n  old:\n{ENGINE}  web:\n    image: nginx\n    ports: ['80:80']\n"
NEW = OLD.replace("  old:", "  new:")


def test_an_unchanged_set_of_services_is_quiet() -> None:
    assert findings(RULE, OLD, OLD.replace("image: vllm", "image: vllm:2")) == []


def test_a_one_shot_that_leaves_has_ended_already() -> None:
    gate = "  fetch:\n    image: f\n    restart: 'no'\n"
    wait = "    depends_on: {fetch: {condition: service_completed_successfully}}\n"
    assert findings(RULE, OLD + wait + gate, OLD) == []


def test_an_exporter_on_the_same_gpus_takes_nothing_over() -> None:
    watch = f"  dcgm-old:\n    image: nvcr.io/nvidia/k8s/dcgm-exporter:4\n    {GPU}\n"
    found = only(RULE, OLD + watch, OLD + watch.replace("dcgm-old", "dcgm-new"))
    assert (found.level, found.about) == (Level.NOTE, ("removed", "dcgm-old"))


def test_a_renamed_engine_names_its_gpus_its_time_and_its_successor() -> None:
    found = only(RULE, OLD, NEW)
    assert found.level is Level.WARNING
    assert "`old` leaves the file: it is stopped (up to 5m)" in found.says
    assert "before `new` can start on GPU 0, 1." in found.says
    assert found.at.line == 2


def test_several_renames_in_several_files_are_one_finding() -> None:
    found = only(RULE, {PATH: OLD, "lab/b.yaml": OLD}, {PATH: NEW, "lab/b.yaml": NEW.replace("  web:", "  www:")})
    assert "3 services leave their files" in found.says
    assert found.about == ("old", "web")


def test_plain_removals_are_one_note() -> None:
    found = only(RULE, OLD, "services:\n  web:\n    image: nginx\n    ports: ['80:80']\n")
    assert (found.level, found.about) == (Level.NOTE, ("removed", "old"))
    assert "stopped (up to 5m)" in found.says


def test_an_orphan_that_stays_blocks_a_port_for_sure() -> None:
    found = only(RULE, OLD, OLD.replace("  web:", "  www:"), deploy="docker compose up -d")
    assert found.level is Level.ERROR
    assert "`web` is no longer in the file, but the deploy command does not remove orphans" in found.says
    assert "holds the host port `80`, which `www` needs" in found.says


def test_an_orphan_that_stays_on_the_gpus_leaves_no_memory() -> None:
    found = only(RULE, OLD, NEW, deploy="docker compose up -d")
    assert (found.level, found.about) == (Level.WARNING, ("kept", "old"))


def test_one_name_that_leaves_several_files_is_one_name() -> None:
    heal = OLD + "  heal:\n    image: h\n"
    found = only(RULE, {"a.yaml": heal, "lab/b.yaml": heal}, {"a.yaml": OLD, "lab/b.yaml": OLD})
    assert "`heal` leaves 2 files: the running containers are stopped" in found.says
