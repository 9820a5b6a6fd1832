"""Rules about commands, flags, environments, devices and caches, beyond the examples of their pages."""

from __future__ import annotations

import pytest

from bot.model.finding import Level
from tests.rules.deploy.reviewing import findings, only

TOOL = "services:\n  tool:\n    image: registry.example/tool:1\n"


def command(text: str) -> str:
    return f"{TOOL}    command: {text}\n"


@pytest.mark.parametrize(
    "text",
    [
        "serve 'a && b'",  # quoted: a word of its own
        "[serve, '&&', stop]",
        'sh -c "a; b | c > /d"',
        "bash -euo pipefail -c 'a && b'",
        "serve --url http://a/?b=c#d",
        "|\n      serve",
        "${WHOLE_COMMAND}",
        "sh -c 'serve $$A || exit 1'",
        "env A=b sh -c 'a && b'",
    ],
)
def test_a_command_that_reaches_its_end_is_left_alone(text: str) -> None:
    assert findings("command-cut-short", command("serve"), command(text)) == []


def test_a_command_that_was_cut_before_is_no_news() -> None:
    cut = command("migrate && serve")
    assert findings("command-cut-short", cut, cut + "    init: true\n") == []


@pytest.mark.parametrize(
    ("text", "lost", "line"),
    [
        ("migrate && serve --port 8000", "&& serve --port 8000", 4),
        ("serve > /log", "> /log", 4),
        ("serve; sleep 5", "; sleep 5", 4),
        (">\n      migrate\n      && serve", "&& serve", 6),
    ],
)
def test_what_compose_drops_is_quoted_with_its_line(text: str, lost: str, line: int) -> None:
    found = only("command-cut-short", command("serve"), command(text))
    assert (found.level, found.at.line) == (Level.ERROR, line)
    assert f"`{lost}` is dropped" in found.says


def test_options_on_a_line_of_their_own_do_not_reach_the_command() -> None:
    script = '    entrypoint: ["sh", "-c"]\n    command:\n      - |\n        exec serve a \\\n          --b 1%s\n          --c 2\n'
    assert findings("command-cut-short", TOOL + script % " \\", TOOL + script.replace("a", "d") % " \\") == []
    found = only("command-cut-short", TOOL + script % " \\", TOOL + script % "")
    assert found.at.line == 9
    assert "`--c 2` does not reach" in found.says


def sglang(flags: str) -> str:
    return f"services:\n  engine:\n    image: lmsysorg/sglang:1\n    command: sglang serve --model-path acme/mini {flags}\n"


def vllm(flags: str) -> str:
    return f"services:\n  engine:\n    image: vllm/vllm-openai:1\n    command: acme/mini {flags}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (sglang(""), sglang("--enable-mixed-chunk")),
        (sglang(""), sglang("--config /etc/all.yaml --speculative-num-steps 3")),  # the other may stand there
        (sglang(""), sglang("--disable-radix-cache")),
        (vllm(""), vllm("--enable-auto-tool-choice --tool-call-parser hermes")),
        (vllm(""), vllm("--no-enable-prefix-caching")),
        (vllm("--tool-call-parser hermes"), vllm("--tool-call-parser hermes --port 8001")),  # no news
        (vllm(""), sglang("--tool-call-parser qwen")),  # another engine, other rules
    ],
)
def test_flags_that_act_or_are_no_news_are_left_alone(before: str, after: str) -> None:
    assert findings("flag-without-effect", before, after) == []


@pytest.mark.parametrize(
    ("after", "flag", "other"),
    [
        (sglang("--enable-hierarchical-cache --disable-radix-cache"), "--enable-hierarchical-cache", "beside"),
        (sglang("--speculative-eagle-topk 4"), "--speculative-eagle-topk", "without `--speculative-algorithm`"),
        (vllm("--enable-auto-tool-choice"), "--enable-auto-tool-choice", "refuses to start"),
        (vllm("--no-enable-x --enable-x"), "--no-enable-x", "contradicts `--enable-x`"),
    ],
)
def test_a_flag_that_does_nothing_is_told_with_what_keeps_it_from_acting(after: str, flag: str, other: str) -> None:
    found = only("flag-without-effect", vllm(""), after)
    assert f"`{flag}`" in found.says
    assert other in found.says


def environment(*entries: str) -> str:
    return TOOL + "    environment:\n" + "".join(f"      - {each}\n" for each in entries)


def test_names_with_or_without_a_value_are_variables() -> None:
    quiet = environment("A=b", "TOKEN", "dotted.name=1", "with-dash=x", "'A_B=c:/d'", "'${NAME}=x'", "_X=1")
    assert findings("malformed-environment", environment("A=b"), quiet) == []


def test_a_map_has_only_names() -> None:
    assert findings("malformed-environment", TOOL, TOOL + "    environment: {A: b, C: }\n") == []


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("cache:/root/.cache", "looks like a mount"),
        ("./data:/data:ro", "looks like a mount"),
        ("--port", "looks like a flag"),
        ("two words", "is no name of a variable"),
    ],
)
def test_what_was_pasted_from_elsewhere_is_told_with_its_line(entry: str, says: str) -> None:
    found = only("malformed-environment", environment("A=b"), environment("A=b", entry))
    assert (found.level, found.at.line) == (Level.ERROR, 6)
    assert says in found.says


def test_an_entry_that_base_has_is_no_news() -> None:
    bad = environment("A=b", "cache:/c")
    assert findings("malformed-environment", bad, bad.replace("A=b", "A=c")) == []


def devices(ids: str, variable: str = "") -> str:
    reserve = f"{{driver: nvidia, device_ids: [{ids}], capabilities: [gpu]}}"
    return f"{TOOL}    deploy: {{resources: {{reservations: {{devices: [{reserve}]}}}}}}\n    environment: {{{variable}}}\n"


@pytest.mark.parametrize(
    ("ids", "variable"),
    [
        ('"0", "1"', ""),
        ('"2", "3"', 'NVIDIA_VISIBLE_DEVICES: "3,2"'),  # the same ones
        ('"2", "3"', "NVIDIA_VISIBLE_DEVICES: all"),
        ('"2", "3"', 'CUDA_VISIBLE_DEVICES: "0,1"'),  # counted within
        ('"2", "3"', 'CUDA_VISIBLE_DEVICES: "1"'),
        ('"2", "3"', "CUDA_VISIBLE_DEVICES: '${GPUS}'"),
        ('"2", "3"', "NVIDIA_VISIBLE_DEVICES: GPU-1a2b"),  # by its identity: not a number
    ],
)
def test_variables_that_agree_with_the_reservation_are_left_alone(ids: str, variable: str) -> None:
    assert findings("visible-devices-ignored", devices(ids), devices(ids, variable)) == []


def test_without_a_reservation_of_devices_the_variable_decides() -> None:
    assert findings("visible-devices-ignored", TOOL, TOOL + '    environment: {NVIDIA_VISIBLE_DEVICES: "4"}\n') == []


@pytest.mark.parametrize(
    ("variable", "says"),
    [
        ('NVIDIA_VISIBLE_DEVICES: "4,5"', "is overruled"),
        ('CUDA_VISIBLE_DEVICES: "2,3"', "sees devices `2, 3` as `0,1`"),
    ],
)
def test_a_variable_that_picks_other_devices_is_told(variable: str, says: str) -> None:
    found = only("visible-devices-ignored", devices('"2", "3"'), devices('"2", "3"', variable))
    assert found.at.line == 5
    assert says in found.says


def watched(engines: dict[str, str], exporters: dict[str, str]) -> str:
    reserve = (
        "deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: [%s], capabilities: [gpu]}]}}}"
    )
    text = "services:\n"
    for name, ids in engines.items():
        text += f"  {name}:\n    image: vllm/vllm-openai:1\n    command: acme/{name}\n    {reserve % ids}\n"
    for name, ids in exporters.items():
        text += f"  {name}:\n    image: registry.example/dcgm-exporter:4\n    {reserve % ids}\n"
    return text


BOTH = watched({"meadow": '"0", "1"', "brook": '"2"'}, {"dcgm-meadow": '"0", "1"', "dcgm-brook": '"2"'})


@pytest.mark.parametrize(
    "after",
    [
        watched({"meadow": '"4", "5"', "brook": '"2"'}, {"dcgm-meadow": '"5", "4"', "dcgm-brook": '"2"'}),
        watched({"meadow": '"0", "1"'}, {"dcgm-meadow": '"0", "1"'}),
        watched({"meadow": '"3", "4"', "brook": '"2"'}, {}),
    ],
)
def test_exporters_that_follow_their_engines_are_left_alone(after: str) -> None:
    assert findings("watched-gpus-differ", BOTH, after) == []


def test_an_exporter_that_never_was_the_mirror_has_its_reasons() -> None:
    wide = watched({"meadow": '"0", "1"'}, {"dcgm": '"0", "1", "2", "3"'})
    assert findings("watched-gpus-differ", wide, wide.replace('"0", "1"]', '"1", "2"]')) == []


def test_an_exporter_that_stays_behind_is_told_with_both_sets() -> None:
    after = watched({"meadow": '"4", "5"', "brook": '"2"'}, {"dcgm-meadow": '"0", "1"', "dcgm-brook": '"2"'})
    found = only("watched-gpus-differ", BOTH, after)
    assert "`dcgm-meadow` watches GPU `0, 1`; `meadow` runs on `4, 5`" in found.says


CACHE = """\
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
    volumes: ["hub:/root/.cache/huggingface"]
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini
    volumes: ["hub:%s"]
    environment: {%s}
volumes: {hub: {}}
"""
FOUND = CACHE % ("/root/.cache/huggingface", "")


@pytest.mark.parametrize(
    ("target", "variables"),
    [
        ("/home/user/.cache/huggingface", ""),
        ("/models", "HF_HOME: /models"),
        ("/models", "HF_HUB_CACHE: /models/hub"),
    ],
)
def test_an_engine_that_looks_where_its_cache_is_mounted_is_left_alone(target: str, variables: str) -> None:
    assert findings("cache-outside-volume", FOUND, CACHE % (target, variables)) == []


def test_a_flag_may_say_where_the_cache_is() -> None:
    after = (CACHE % ("/models", "")).replace("--model acme/mini", "--model acme/mini --download-dir /models")
    assert findings("cache-outside-volume", FOUND, after) == []


def test_a_cache_that_the_engine_does_not_look_into_is_told() -> None:
    found = only("cache-outside-volume", FOUND, CACHE % ("/models", ""))
    assert found.at.line == 9
    assert "it downloads the model again" in found.says
    assert [each.at.line for each in found.related] == [5]
