"""Downloads in the spellings that people use: words that only look like one first."""

from __future__ import annotations

import pytest

from tests.facts.reading import download, facts, fetched, scripted


@pytest.mark.parametrize(
    "script",
    [
        "echo hf download a/b",
        "# hf download a/b",
        "huggingface-cli scan-cache",
        "hf upload a/b .",
        "cat <<'EOF' > run.sh\nhf download a/b\nEOF",
        "grep 'hf download a/b' log.txt",
        "curl -fsS http://engine:8000/v1/models",
        "git clone https://git.example.com/a/b.git",
        "python3 -c 'print(\"snapshot_download\")'",
        "python3 script.py <<'EOF'\nsnapshot_download('a/b')\nEOF",
        "fetch() { hf download a/b; }",
        "exit 0\nhf download a/b",
    ],
)
def test_what_only_looks_like_a_download(script: str) -> None:
    assert fetched(scripted(script)) == []


@pytest.mark.parametrize(
    ("service", "reference"),
    [
        ("command: hf download a/b", "a/b"),
        ("command: hf download a/b --revision abc --quiet", "a/b@abc"),
        ("command: [hf, download, a/b, x.json, --revision=abc]", "a/b/x.json@abc"),
        ("command: huggingface-cli download --repo-type model a/b", "a/b"),
        ("command: uvx --from huggingface_hub hf download a/b", "a/b"),
        ("command: timeout 60 hf download a/b", "a/b"),
        ("command: python -m huggingface_hub.commands.huggingface_cli download a/b", "a/b"),
        ("command: git clone https://huggingface.co/a/b", "a/b"),
        ("command: curl -fLO https://huggingface.co/a/b/resolve/abc/x.gguf", "a/b/x.gguf@abc"),
        ("command: [ollama, pull, 'llama3:8b']", "llama3@8b"),
        ("command: modelscope download --model a/b --revision abc", "a/b@abc"),
        ("entrypoint: [uvx, hf]\ncommand: [download, a/b]", "a/b"),
        ("entrypoint: bash -lc\ncommand: ['hf download a/b --revision abc']", "a/b@abc"),
    ],
)
def test_spellings_on_a_command_line(service: str, reference: str) -> None:
    assert fetched(facts(f"image: tool\n{service}")) == [(reference, True)]


@pytest.mark.parametrize(
    ("script", "references"),
    [
        ('M=a/b\nR=abc\nhf download "$M" --revision "${R}"', ["a/b@abc"]),
        ("for m in a/b c/d; do hf download $m; done", ["a/b", "c/d"]),
        ('fetch() { hf download "$1" --revision "$2"; }\nfetch a/b abc\nfetch c/d def', ["a/b@abc", "c/d@def"]),
        (
            "while read -r m r; do hf download $m --revision $r; done <<'EOF'\na/b abc\nc/d def\nEOF",
            ["a/b@abc", "c/d@def"],
        ),
        ("HF_HUB_ENABLE_HF_TRANSFER=1 hf download a/b", ["a/b"]),
        ("hf download a/b \\\n  --revision abc", ["a/b@abc"]),
        ("hf download a/b --include '*.json' '*.model' --exclude '*.bin'", ["a/b/*.json a/b/*.model"]),
        (
            "python3 - <<'EOF'\nfrom huggingface_hub import snapshot_download\nsnapshot_download('a/b', revision='abc')\nEOF",
            ["a/b@abc"],
        ),
        ("python -c \"import huggingface_hub as h; h.hf_hub_download('a/b', 'x.json')\"", ["a/b/x.json"]),
    ],
)
def test_spellings_in_a_script(script: str, references: list[str]) -> None:
    assert [each.ref for each in scripted(script).downloads] == references


def test_variables_of_the_service_are_filled_in_and_others_are_not_known() -> None:
    found = download(scripted("hf download $MODEL --revision abc", more="environment: {MODEL: a/b}\n"))
    assert (found.ref, found.known) == ("a/b@abc", True)
    found = download(scripted("hf download $MODEL --revision abc"))
    assert not found.known
    found = download(facts("image: tool\ncommand: hf download a/b --revision ${REVISION}"))
    assert not found.known


@pytest.mark.parametrize(
    ("script", "fatal"),
    [
        ("hf download a/b || true", False),
        ("hf download a/b || echo skipped", False),
        ("hf download a/b || exit 1", True),
        ("hf download a/b || { echo no; exit 1; }", True),
        ("hf download a/b; echo done", False),
        ("hf download a/b\necho done", False),
        ("set -e\nhf download a/b\necho done", True),
        ("set -euo pipefail\nhf download a/b | tee log", True),
        ("set -e\nhf download a/b | tee log", False),
        ("set -e\nhf download a/b &\nwait", False),
        ("set -e\nset +e\nhf download a/b\nset -e\necho done", False),
        ("set -e\nif hf download a/b; then echo yes; fi", False),
        ("if ! hf download a/b; then echo no; exit 1; fi\necho done", True),
        ("if ! hf download a/b; then echo no; fi\necho done", False),
        ("if hf download a/b; then echo yes; else exit 1; fi\necho done", True),
        ("until hf download a/b; do sleep 5; done\necho done", True),
        ("while ! hf download a/b; do sleep 5; done\necho done", True),
        ("until hf download a/b; do n=$((n+1)); [ $n -gt 3 ] && break; done\necho done", False),
        ("while hf download a/b; do break; done\necho done", False),
        ("set -e\nhf download a/b && echo yes\necho done", False),
        ("hf download a/b && echo done", True),
        ("test -d /models/b || hf download a/b", True),
        ("set -e\nfetch() { hf download a/b; }\nfetch\necho done", True),
        ("set -e\nfetch() { hf download a/b; }\nfetch || true\necho done", False),
        ("for n in 1 2 3; do hf download a/b && exit 0; done\nexit 1", True),
        ("for n in 1 2 3; do hf download a/b && exit 0; done\necho gone", False),
        ("set -e\n(hf download a/b)\necho done", True),
        ("exec hf download a/b", True),
        (
            "python3 - <<'EOF' || true\nfrom huggingface_hub import snapshot_download\nsnapshot_download('a/b')\nEOF\necho done",
            False,
        ),
        (
            "set -e\npython3 - <<'EOF'\nfrom huggingface_hub import snapshot_download\nsnapshot_download('a/b')\nEOF\necho done",
            True,
        ),
        (
            "set -e\npython3 - <<'EOF'\nfrom huggingface_hub import snapshot_download\ntry:\n  snapshot_download('a/b')\nexcept Exception:\n  pass\nEOF",
            False,
        ),
    ],
)
def test_whether_a_failure_fails_the_service(script: str, fatal: bool) -> None:
    assert fetched(scripted(script)) == [("a/b", fatal)]


def test_the_shell_s_own_options_count() -> None:
    assert fetched(scripted("hf download a/b\necho done", "-ec")) == [("a/b", True)]
    assert fetched(scripted("hf download a/b\necho done", "-c")) == [("a/b", False)]


def test_a_download_stands_at_its_lines_and_its_step_begins_with_what_announces_it() -> None:
    found = download(scripted('set -e\necho "fetching"\nhf download a/b \\\n  --revision abc'))
    assert (found.at.line, found.at.end_line, found.step.line) == (9, 10, 8)


def test_a_script_in_an_inline_config_is_read_where_the_service_runs_it() -> None:
    configs = "configs:\n  fetch:\n    content: |\n      set -e\n      hf download a/b --revision abc\n"
    service = "image: tool\ncommand: [bash, /fetch.sh]\nconfigs: [{source: fetch, target: /fetch.sh}]"
    found = download(facts(service, configs))
    assert (found.ref, found.fatal, found.at.line) == ("a/b@abc", True, 10)


def test_where_it_is_put_is_kept() -> None:
    assert download(facts("image: tool\ncommand: hf download a/b --local-dir /models/b")).target == "/models/b"
    assert download(facts("image: tool\ncommand: hf download a/b --cache-dir=/cache")).target == "/cache"
    assert download(facts("image: tool\ncommand: hf download a/b")).target is None
