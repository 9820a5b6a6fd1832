"""A flag of an engine is switched off, or has nothing to act on, because of its other flags.

Engines accept flags that exclude each other and say so in one line of a long log, if at all. SGLang turns mixed chunks
off as soon as it decodes speculatively, so that long prefills stall every running stream again; vLLM keeps a tool call parser it
is given and uses it only when automatic tool choice is on, and refuses to start the other way round. Said where the
change brings the two together.

## Before

```yaml
services:
  engine:
    image: lmsysorg/sglang:v1
    command: sglang serve --model-path acme/meadow --enable-mixed-chunk
```

## Flagged

```yaml
services:
  engine:
    image: lmsysorg/sglang:v1
    command: >
      sglang serve --model-path acme/meadow --enable-mixed-chunk
      --speculative-algorithm EAGLE --speculative-num-steps 3
```

## Flagged: nothing speculates

```yaml
services:
  engine:
    image: lmsysorg/sglang:v1
    command: sglang serve --model-path acme/meadow --enable-mixed-chunk --speculative-num-steps 3
```

## Flagged: a parser that is never asked

```yaml
services:
  engine:
    image: vllm/vllm-openai:v1
    command: acme/meadow --tool-call-parser hermes
```

## Flagged: said in two ways

```yaml
services:
  engine:
    image: vllm/vllm-openai:v1
    command: acme/meadow --enable-prefix-caching --no-enable-prefix-caching
```

## Accepted

```yaml
services:
  engine:
    image: vllm/vllm-openai:v1
    command: acme/meadow --tool-call-parser hermes --enable-auto-tool-choice
```

## Accepted: one of the two

```yaml
services:
  engine:
    image: lmsysorg/sglang:v1
    command: sglang serve --model-path acme/meadow --speculative-algorithm EAGLE --speculative-num-steps 3
```

## Accepted: another program has its own rules

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model acme/meadow --enable-mixed-chunk --speculative-algorithm EAGLE
```
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bot.model.facts import Flag, Serving
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code
from bot.rulebook import rule


class _Pair(Struct, frozen=True):
    """Flags of an engine that do nothing beside one of `others`, or, when these are `needed`, without them."""

    engine: str
    flags: tuple[str, ...]
    others: tuple[str, ...]
    because: str
    needed: bool = False


_SPECULATES = ("--speculative-algorithm", "--speculative-algo")
_PAIRS = (
    _Pair("sglang", ("--enable-mixed-chunk",), _SPECULATES, "speculative decoding turns mixed chunks off"),
    _Pair("sglang", ("--enable-hierarchical-cache",), ("--disable-radix-cache",), "it extends the cache that is off"),
    _Pair(
        "sglang",
        ("--speculative-num-steps", "--speculative-eagle-topk", "--speculative-num-draft-tokens"),
        _SPECULATES,
        "nothing is decoded speculatively",
        needed=True,
    ),
    _Pair(
        "vllm",
        ("--tool-call-parser",),
        ("--enable-auto-tool-choice",),
        "only automatic tool choice asks the parser",
        needed=True,
    ),
    _Pair(
        "vllm",
        ("--enable-auto-tool-choice",),
        ("--tool-call-parser",),
        "vLLM refuses to start without one",
        needed=True,
    ),
)
# A file of settings may hold the other flag.
_ELSEWHERE = ("--config", "--config-file")
_NO = "--no-"


@rule(Project, level=Level.WARNING)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        for serving in service.facts.servings:
            if not any(name in serving.flags for name in _ELSEWHERE):
                yield from _pairs(service, serving)
            yield from _said_twice(service, serving)


def _pairs(service: Service, serving: Serving) -> Iterator[Found]:
    for pair in _PAIRS:
        flag = _first(serving, pair.flags)
        other = _first(serving, pair.others)
        if pair.engine == serving.engine and flag is not None and (other is None) is pair.needed:
            beside = f"without {code(pair.others[0])}" if other is None else f"beside {code(other.name)}"
            yield _found(service, serving, flag, other, f"has no effect {beside}: {pair.because}")


def _said_twice(service: Service, serving: Serving) -> Iterator[Found]:
    for name, flags in serving.flags.items():
        other = serving.flags.get(f"--{name.removeprefix(_NO)}") if name.startswith(_NO) and serving.engine else None
        if other:
            says = f"contradicts {code(other[0].name)}, and the later one counts"
            yield _found(service, serving, flags[0], other[0], says)


def _found(service: Service, serving: Serving, flag: Flag, other: Flag | None, says: str) -> Found:
    model = serving.repository or serving.model or service.name
    return Found(
        at=flag.at,
        about=(flag.name, other.name if other is not None else "", model),
        says=f"{code(flag.name)} of the engine of {code(model)} {says}.",
        do="Drop the one that is not meant." if other is not None else "Add the other flag, or drop this one.",
        service=service.name,
        related=(Related(other.at, "the other flag"),) if other is not None else (),
    )


def _first(serving: Serving, names: tuple[str, ...]) -> Flag | None:
    return next((serving.flags[name][0] for name in names if name in serving.flags), None)
