"""The models that a service answers for, read from engines' command lines and from proxies' variables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bot.facts.words import beside, options, several
from bot.model.facts import Command, Flag, ImageRef, Serving, Word
from bot.model.service import Service

_SNAPSHOT = re.compile(r"models--([\w.-]+)/snapshots/([\w.-]+)")
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_FOLDER = re.compile(r"/(?!(?:usr|s?bin|opt|app|entrypoint)(?:/|$))[\w.-]+(?:/[\w.-]+)+")
_SCRIPTS = (".sh", ".py", ".bash")

# Words of a command line that say which engine runs.
_PROGRAMS: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"(?:^|/)vllm$|vllm\.entrypoints"), "vllm"),
    (re.compile(r"(?:^|/)sglang$|sglang\.launch_server|sglang_router"), "sglang"),
    (re.compile(r"text-generation-launcher"), "tgi"),
    (re.compile(r"text-embeddings-router"), "tei"),
    (re.compile(r"llama-server|llama_cpp\.server"), "llama.cpp"),
    (re.compile(r"(?:^|/)tritonserver$"), "triton"),
    (re.compile(r"trtllm-serve"), "tensorrt-llm"),
    (re.compile(r"(?:^|/)lmdeploy$"), "lmdeploy"),
    (re.compile(r"infinity_emb"), "infinity"),
    (re.compile(r"(?:^|/)ollama$"), "ollama"),
)
_IMAGES: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"(?:^|[/_-])vllm(?:-openai|-cpu|-rocm)?$|/vllm/"), "vllm"),
    (re.compile(r"(?:^|[/_-])sglang$"), "sglang"),
    (re.compile(r"text-generation-inference"), "tgi"),
    (re.compile(r"text-embeddings-inference"), "tei"),
    (re.compile(r"llama\.cpp|llama-cpp"), "llama.cpp"),
    (re.compile(r"tritonserver"), "triton"),
    (re.compile(r"(?:^|/)infinity$"), "infinity"),
    (re.compile(r"(?:^|/)ollama$"), "ollama"),
)
_MODEL = (
    "--model-path",
    "--model",
    "--model-id",
    "--hf-repo",
    "-hf",
    "-m",
    "--model-repository",
    "--model_name_or_path",
)
_NAMES = ("--served-model-name", "--served_model_name", "--alias", "--model-name")
# Without one of these, the command line of no known program serves anything.
_SAID = (*_MODEL, *_NAMES)
_TENSOR = ("--tensor-parallel-size", "--tp-size", "--tp", "-tp", "--num-shard", "--tensor_parallel_size")
_PIPELINE = ("--pipeline-parallel-size", "--pp-size", "--pp", "-pp")
_DATA = ("--data-parallel-size", "--dp-size", "--dp", "-dp")
_SIZE = re.compile(r"[0-9]{1,5}")
_REVISION = ("--revision", "--model-revision")
# Programs that take such words along and serve nothing.
_SPEAKING = frozenset({"echo", "printf", "curl", "wget", "hf", "huggingface-cli", "grep", "test", "["})
_SWITCHES = frozenset(
    {
        "--trust-remote-code",
        "--enable-metrics",
        "--enable-prefix-caching",
        "--enable-auto-tool-choice",
        "--disable-log-requests",
    }
)
# Variables by which proxies and engines learn the name of a model.
_VARIABLES = re.compile(r"(?:.*_)?(?:SERVED_MODEL_NAME|MODEL_NAME|MODEL_ID|LLM_MODEL|OPENAI_MODEL)|MODEL")


def servings(service: Service, commands: Sequence[Command], image: ImageRef | None) -> tuple[Serving, ...]:
    """What the command lines serve; where they serve nothing, what the variables name."""
    found = [serving for command in commands if (serving := _serving(command, image)) is not None]
    return tuple(found) or _by_variables(service, image)


def _serving(command: Command, image: ImageRef | None) -> Serving | None:
    engine, words = _engine(command, image)
    if command.name in _SPEAKING or (not engine and not any(word.text.startswith(_SAID) for word in words)):
        return None
    flags = options(words)
    model = _first(flags, _MODEL) or _positional(engine, words)
    names = tuple(dict.fromkeys(name for option in _NAMES for name in several(words, option)))
    if not engine and not (model and (names or "--model-path" in flags or "--model" in flags)):
        return None
    if not model and not names and engine not in ("triton", "ollama"):
        return None
    repository, revision = _repository(model)
    return Serving(
        engine=engine,
        model=model,
        repository=repository,
        revision=_first(flags, _REVISION) or revision,
        names=names,
        tensor=_size(_first(flags, _TENSOR)),
        parallel=_parallel(flags, engine),
        port=_first(flags, ("--port", "-p")),
        flags=flags,
        at=command.at,
    )


def _engine(command: Command, image: ImageRef | None) -> tuple[str, tuple[Word, ...]]:
    """The engine, and the words that are its own."""
    for index, word in enumerate(command.argv[:12]):
        engine = _program(word.text)
        if engine is not None:
            return engine, command.argv[index + 1 :]
    first = command.argv[0].text if command.argv else ""
    if image is not None and (first.startswith("-") or first == "serve" or _names_model(command)):
        return _engine_of(image), command.argv
    return "", command.argv


def _names_model(command: Command) -> bool:
    """Whether a model stands where a program would: the arguments of an image that starts its engine itself."""
    first, *rest = (word.text for word in command.argv)
    if not (_REPOSITORY.fullmatch(first) or _FOLDER.fullmatch(first)) or first.endswith(_SCRIPTS):
        return False
    return not rest or rest[0].startswith("-")


def _engine_of(image: ImageRef | None) -> str:
    """What an image starts when nothing else is said; empty when its name says nothing."""
    name = f"{image.registry}/{image.repository}" if image is not None else ""
    return next((engine for pattern, engine in _IMAGES if pattern.search(name)), "")


@lru_cache(maxsize=4096)  # the same few words begin most commands
def _program(word: str) -> str | None:
    return next((engine for pattern, engine in _PROGRAMS if pattern.search(word)), None)


def _positional(engine: str, words: Sequence[Word]) -> str | None:
    """`vllm serve MODEL`, `lmdeploy serve api_server MODEL`."""
    plain = [word.text for word in beside(words, _SWITCHES)]
    if plain[:1] == ["serve"]:
        rest = [text for text in plain[1:] if text not in ("api_server",)]
        return rest[0] if rest else None
    if engine in ("tensorrt-llm",) and plain:
        return plain[-1]
    if engine == "vllm" and words and plain[:1] == [words[0].text]:
        return plain[0]  # `vllm/vllm-openai MODEL --port …`: the image says `serve` itself
    return None


def _first(flags: Mapping[str, tuple[Flag, ...]], names: Sequence[str]) -> str | None:
    for name in names:
        for flag in flags.get(name, ()):
            if flag.value:
                return flag.value
    return None


def _repository(model: str | None) -> tuple[str | None, str | None]:
    """The repository and revision that a model's name or path stands for."""
    if model is None:
        return None, None
    if inside := _SNAPSHOT.search(model):
        organisation, _, name = inside[1].partition("--")
        return (f"{organisation}/{name}" if name else organisation), inside[2]
    return (model, None) if _REPOSITORY.fullmatch(model) else (None, None)


def _parallel(flags: Mapping[str, tuple[Flag, ...]], engine: str) -> int | None:
    """The GPUs of one replica, None where no size is stated. Data parallel ranks multiply, unless attention shares them."""
    sizes = [_first(flags, names) for names in (_TENSOR, _PIPELINE, _DATA)]
    if not any(sizes):
        return None
    tensor, pipeline, data = (_size(size) if size else 1 for size in sizes)
    if tensor is None or pipeline is None or data is None:
        return None
    shares = engine == "sglang" and "--enable-dp-attention" in flags
    return tensor * pipeline * (1 if shares else data)


def _size(stated: str | None) -> int | None:
    return int(stated) if stated and _SIZE.fullmatch(stated) else None


def _by_variables(service: Service, image: ImageRef | None) -> tuple[Serving, ...]:
    engine = _engine_of(image)
    found = []
    for key, value in service.environment.items():
        text = value.as_text
        if not text or value.unknown or not _VARIABLES.fullmatch(key) or text.startswith("/"):
            continue
        model = text if engine else None
        found.append(Serving(engine, model, _repository(model)[0], None, (text,), None, None, None, {}, value.whole))
    return tuple(found)
