"""The house: which room may import what, and how large its pieces may be."""

from __future__ import annotations

import ast
import statistics
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# room -> (our rooms it may import, third parties it may import). This is the table of the design page.
MODEL = {"bot.model"}
# What records are made of (docs/decisions/014), allowed in every room as the standard library's dataclasses would be.
RECORDS = {"msgspec"}
ROOMS: dict[str, tuple[set[str], set[str]]] = {
    "bot.model": (MODEL, set()),
    "bot.ports": (MODEL, set()),
    "bot.document": (MODEL, {"ruamel", "_ruamel_yaml"}),
    "bot.change": (MODEL | {"bot.ports", "bot.document", "bot.local.git"}, {"unidiff"}),
    "bot.compose": (MODEL | {"bot.ports", "bot.document"}, {"jsonschema_rs"}),
    "bot.facts": (
        MODEL | {"bot.document"},
        {"tree_sitter", "tree_sitter_bash", "crossplane", "ruamel"},
    ),
    "bot.contracts": (MODEL | {"bot.document", "bot.intake.section", "bot.intake.globs"}, {"cel", "crossplane"}),
    "bot.deploy": (MODEL | {"bot.compose.identity"}, set()),
    "bot.prose": (MODEL | {"bot.document"}, set()),
    "bot.stack": (MODEL, set()),
    "bot.rulebook": (MODEL | {"rules"}, set()),
    "rules": (MODEL | {"bot.rulebook", "rules"}, set()),
    "bot.rounds": (MODEL, set()),
    "bot.suggest": (MODEL | {"rules._traits", "rules._peers"}, set()),
    "bot.review": (MODEL | {"bot.rounds", "bot.version"}, {"jinja2", "rich", "markupsafe"}),
    "bot.publish": (MODEL | {"bot.ports", "bot.rounds"}, set()),
    "bot.forge": (MODEL | {"bot.ports", "bot.intake.json_fields", "bot.stack.ancestry"}, {"github", "requests"}),
    "bot.local": (MODEL | {"bot.ports", "bot.intake", "bot.stack.ancestry"}, set()),
    "bot.setup": (MODEL | {"bot.document"}, set()),
    "bot.intake": (MODEL | {"bot.document", "bot.ports"}, set()),
}
# These join the rooms and may import all of them.
JOINERS = {
    "bot.app",
    "bot.action",
    "bot.audit",
    "bot.cli",
    "bot.__main__",
    "bot.commands",
    "bot.exit",
    "bot.promises",
    "bot.replay",
    "bot.version",
}


def modules() -> dict[str, Path]:
    found = {}
    for top in ("bot", "rules"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def room_of(name: str, rooms: set[str]) -> str | None:
    fits = [room for room in rooms if name == room or name.startswith(f"{room}.")]
    return max(fits, key=len, default=None)


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            # `from bot.x import y` may import the module bot.x.y
            found |= {full for alias in node.names if (full := f"{node.module}.{alias.name}") in MODULES}
    return found


def test_the_sweep_finds_modules() -> None:
    assert len(MODULES) > 40


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_room_imports_only_what_the_table_allows(name: str) -> None:
    if room_of(name, JOINERS) or name in ("bot", "rules"):
        return
    room = room_of(name, set(ROOMS))
    assert room, f"{name} belongs to no room of the table"
    ours, third = ROOMS[room]
    for imported in imports(MODULES[name]):
        top = imported.split(".")[0]
        if top in ("bot", "rules"):
            assert imported in ("bot", "rules") or room_of(imported, ours | {room}), f"{name} imports {imported}"
        elif top not in sys.stdlib_module_names:
            assert top in third | RECORDS, f"{name} imports {imported}"


def test_package_roots_are_empty() -> None:
    for path in ROOT.glob("bot/**/__init__.py"):
        assert path.read_text() == "", path


def sizes() -> dict[Path, int]:
    return {path: path.read_text().count("\n") for path in MODULES.values() if path.name != "__init__.py"}


def test_files_are_small() -> None:
    counted = sizes()
    assert max(counted.values()) <= 400, max(counted, key=lambda path: counted[path])
    assert statistics.median(counted.values()) < 120


def test_functions_are_short() -> None:
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                assert length < 60, f"{path}: {node.name} has {length} lines"


def test_every_module_says_in_a_sentence_what_it_is_for() -> None:
    for path in MODULES.values():
        if path.name != "__init__.py":
            assert ast.get_docstring(ast.parse(path.read_text())), path


def test_there_is_one_broad_except() -> None:
    broad = []
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ExceptHandler):
                caught = node.type
                names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
                if any(name is None or getattr(name, "id", "") in ("Exception", "BaseException") for name in names):
                    broad.append(path.name)
    assert broad == ["rulebook.py"]


def test_heavy_libraries_are_not_imported_at_start_up() -> None:
    import subprocess

    code = "import sys, bot.__main__; print(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    out = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {
        "github",
        "requests",
        "jinja2",
        "rich",
        "cel",
        "tree_sitter",
        "tree_sitter_bash",
        "crossplane",
        "jsonschema_rs",
    }
    assert not heavy & set(out)
    assert "bot" in out
