"""`python -m bench`: the ratios. On the recorded history where it is there, else on a made-up estate."""

from __future__ import annotations

import compileall
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.estate import write_estate
from bench.history import CASES, history
from bench.peers import peers
from bench.reading import growth, parsing
from bench.whole import ignored_event, review_against_lint, start_up

ROOT = Path(__file__).parents[1]


def main() -> None:
    for room in ("bot", "rules"):
        compileall.compile_dir(ROOT / room, quiet=1)  # an edited module would else be compiled in every run
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        base, head = folder / "base", folder / "head"
        if (CASES / "history").is_dir():
            with history() as recorded:
                recorded.tree(base)
                recorded.tree(head)
        else:
            write_estate(base, 250)
            write_estate(head, 250)
        for lines in (
            start_up(),
            ignored_event(folder),
            parsing(base),
            growth(folder / "growth"),
            review_against_lint(base, head),
            peers(folder / "peers"),
        ):
            for line in lines:
                print(line, flush=True)


if __name__ == "__main__":
    main()
