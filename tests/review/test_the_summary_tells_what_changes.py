"""The sentences of "what changes", from the model; what does not change comes first."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.model.change import Change, FileStatus, Move
from bot.model.facts import Role
from bot.model.place import Place
from bot.model.project import Problem, ProblemKind
from bot.model.prose import Claim, ClaimKind, Judgement, Medium, Statement
from bot.review.summary import summarise
from tests.review.factory import Made, at, change, changed, downloader, engine, image, move, plain, project

ONE = "acme/Meadow@5d2c8e1f0a9b47c6d3e2f1a0b9c8d7e6f5a4b3c2"
OTHER = "acme/Meadow@ffffffff0a9b47c6d3e2f1a0b9c8d7e6f5a4b3c2"
TWO = "acme/Larch@9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d"


def text(*moves: Move, **more: object) -> str:
    return summarise(change(*moves, **more)).text  # type: ignore[arg-type]


def turned(before: Made, after: Made, name: str = "web", path: str = "a.yaml") -> Move:
    return move(project(path, {name: before}), project(path, {name: after}))


def said(before: Made, after: Made) -> str:
    """The first sentence about one service in one file, without its subject."""
    subject = "`web` in `a.yaml` "
    sentence = text(turned(before, after)).split(". ")[0].rstrip(".")
    assert sentence.startswith(subject), sentence
    return sentence.removeprefix(subject)


def test_nothing_at_all_says_nothing() -> None:
    assert text() == ""


def test_an_identical_model_is_said_to_be() -> None:
    same = project("a.yaml", {"web": plain(Role.OTHER)})
    assert text(move(same, same)) == "`a.yaml` is written differently; its model is identical."
    only = (changed("a.yaml", comments_only=True),)
    assert text(move(same, same), files=only) == "`a.yaml` changes in comments only; its model is identical."


def test_other_files_alone_are_no_compose_change() -> None:
    assert text(files=(changed("README.md"),)) == "No Compose file changes; 1 other file does: `README.md`."


def test_other_files_come_last() -> None:
    found = text(
        turned(plain(Role.PROXY), plain(Role.PROXY, restart="no")), files=(changed("README.md"), changed("x.py"))
    )
    assert found.endswith(" `README.md` and `x.py` change too.")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (downloader(ONE), downloader(ONE, TWO), "also downloads `acme/Larch` at `9c8d7e6`"),
        (downloader(ONE, TWO), downloader(ONE), "no longer downloads `acme/Larch`"),
        (downloader(ONE), downloader(OTHER), "downloads `acme/Meadow` at `fffffff` instead of `5d2c8e1`"),
        (downloader(ONE), downloader("acme/Meadow"), "downloads `acme/Meadow` without a revision instead of `5d2c8e1`"),
        (engine(tp="4"), engine(tp="8"), "changes `--tp` from `4` to `8`"),
        (engine(tp="4"), engine(tp="4", metrics="on"), "adds `--metrics on`"),
        (engine(tp="4", metrics="on"), engine(tp="4"), "drops `--metrics`"),
        (engine(api_key="one"), engine(api_key="two"), "changes `--api-key`"),
        (
            image("r.example/a/b:1", plain(Role.OTHER)),
            image("r.example/a/b:2", plain(Role.OTHER)),
            "moves `r.example/a/b` from `1` to `2`",
        ),
        (
            plain(Role.OTHER),
            plain(Role.OTHER).but(image="r.example/new:1"),
            "runs the image `r.example/new:1` instead of `registry.example/other:1`",
        ),
        (plain(Role.OTHER), plain(Role.OTHER, environment={"A": "1"}), "sets `A`"),
        (
            plain(Role.OTHER, environment={"A": "1"}),
            plain(Role.OTHER, environment={"A": "2"}),
            "changes the value of `A`",
        ),
        (plain(Role.OTHER, environment={"A": "1"}), plain(Role.OTHER, environment={}), "no longer sets `A`"),
        (
            plain(Role.OTHER, restart="no"),
            plain(Role.OTHER, restart="always"),
            "changes `restart` from `no` to `always`",
        ),
        (plain(Role.OTHER), plain(Role.OTHER, ports=["80"], cap_add=["X"]), "changes `cap_add` and `ports`"),
        (
            plain(Role.OTHER),
            plain(Role.OTHER, depends_on={"db": {"condition": "service_healthy", "required": "true"}}),
            "also waits for `db`",
        ),
        (
            plain(Role.OTHER, depends_on={"db": {"condition": "service_healthy"}}),
            plain(Role.OTHER, depends_on={"db": {"condition": "service_started"}}),
            "changes `depends_on`",
        ),
    ],
)
def test_facts_are_told_before_fields(before: Made, after: Made, words: str) -> None:
    assert said(before, after) == words


def test_values_of_variables_are_never_repeated() -> None:
    found = summarise(
        change(turned(plain(Role.OTHER, environment={"A": "hush"}), plain(Role.OTHER, environment={"A": "hushed"})))
    )
    assert "hush" not in str(found)


def test_inline_configs_are_told_by_who_mounts_them() -> None:
    mounts = plain(Role.WEB_SERVER, configs=[{"source": "routes", "target": "/etc/nginx.conf"}])
    before = project("a.yaml", {"web": mounts}, configs={"routes": {"content": "old"}})
    after = project("a.yaml", {"web": mounts}, configs={"routes": {"content": "new"}})
    assert text(move(before, after)) == "`web` in `a.yaml` mounts the inline config `routes` with changed content."


def test_networks_and_volumes_are_told_too() -> None:
    before = project("a.yaml", {}, volumes={"old": {}, "kept": {"name": "a"}})
    after = project("a.yaml", {}, volumes={"kept": {"name": "b"}}, networks={"inner": {}})
    found = summarise(change(move(before, after)))
    assert found.text == (
        "The network `inner` is new in `a.yaml`; the volume `kept` changes in `a.yaml`; the volume `old` is removed from `a.yaml`."
    )
    assert [(each.kind, each.name, each.change.value) for each in found.resources] == [
        ("networks", "inner", "added"),
        ("volumes", "kept", "modified"),
        ("volumes", "old", "removed"),
    ]


def test_equal_changes_are_one_clause() -> None:
    paths = [f"prod/meadow-two-mini-{name}.yaml" for name in ("alpha", "beta", "gamma")]
    found = text(*(turned(downloader(ONE), downloader(ONE, TWO), "fetch", path) for path in paths))
    assert found == "`fetch` in 3 files (`alpha`, `beta`, `gamma`) also downloads `acme/Larch` at `9c8d7e6`."


def test_several_services_speak_in_the_plural() -> None:
    before = {name: plain(Role.PROXY, restart="no") for name in ("p1", "p2")}
    after = {name: plain(Role.PROXY, restart="always") for name in ("p1", "p2")}
    found = text(move(project("a.yaml", before), project("a.yaml", after)))
    assert found == "`p1` and `p2` in `a.yaml` change `restart` from `no` to `always`."


def test_services_come_and_go_with_what_they_are_for() -> None:
    before = {"old": engine(), "web": plain(Role.OTHER)}
    after = {"new": engine(), "web": plain(Role.OTHER)}
    found = text(move(project("a.yaml", before), project("a.yaml", after)))
    assert found == "`new` (engine) is new in `a.yaml`; `old` (engine) is removed from `a.yaml`."


def test_whole_files_are_one_clause() -> None:
    services = {"e": engine(), "p": plain(Role.PROXY)}
    new, gone = project("new.yaml", services), project("gone.yaml", services)
    was, now = project("was.yaml", services), project("now.yaml", services)
    found = text(
        move(None, new),
        move(gone, None),
        move(was, now),
        files=(
            changed("new.yaml", FileStatus.ADDED),
            changed("gone.yaml", FileStatus.DELETED),
            changed("now.yaml", FileStatus.RENAMED, old="was.yaml"),
        ),
    )
    assert found == (
        "`new.yaml` is new, with 2 services, 1 engine among them; `gone.yaml` is deleted, with 2 services, 1 engine among them; "
        "`was.yaml` is now `now.yaml`."
    )


def test_engines_come_before_telemetry_and_the_rest_is_counted() -> None:
    roles = (Role.TELEMETRY, Role.OTHER, Role.PROXY, Role.ENGINE, Role.DATABASE)
    before = {role.value: plain(role, restart=f"{role.value} 1") for role in roles}
    after = {role.value: plain(role, restart=f"{role.value} 2") for role in roles}
    found = summarise(change(move(project("a.yaml", before), project("a.yaml", after))))
    places = [found.text.index(f"`{name}` in") for name in ("engine", "proxy", "database")]
    assert places == sorted(places)
    assert "2 more changes are listed below." in found.text
    assert not found.all_told


def no_change(holds: bool | None) -> Judgement:
    return Judgement(
        Statement(Medium.PULL_REQUEST, "No proxy change.", Claim(ClaimKind.NO_CHANGE, "proxy"), None, True), holds
    )


@pytest.mark.parametrize(
    ("holds", "sentence"),
    [
        (True, "No engine, routing or telemetry service changes, as the description says."),
        (None, "No engine, routing or telemetry service changes."),
        (False, "No engine, routing or telemetry service changes."),
    ],
)
def test_kinds_that_stay_are_named(holds: bool | None, sentence: str) -> None:
    kept = {"e": engine(), "n": plain(Role.WEB_SERVER), "r": plain(Role.REGISTRAR), "t": plain(Role.TELEMETRY)}
    before, after = {**kept, "p": plain(Role.PROXY)}, {**kept, "p": plain(Role.PROXY, restart="no")}
    found = text(move(project("a.yaml", before), project("a.yaml", after)), judgements=(no_change(holds),))
    assert found.endswith(sentence)


def test_routing_changes_when_one_of_its_services_does() -> None:
    before = {"n": plain(Role.WEB_SERVER), "r": plain(Role.REGISTRAR)}
    after = {"n": plain(Role.WEB_SERVER, restart="no"), "r": plain(Role.REGISTRAR)}
    assert "routing" not in text(move(project("a.yaml", before), project("a.yaml", after)))


def test_a_broken_file_is_not_told_as_if_it_were_read() -> None:
    before = project("a.yaml", {"web": plain(Role.OTHER)})
    problem = Problem(ProblemKind.SCHEMA, "is wrong", Place.of_line("a.yaml", 3), ("x",))
    after = replace(project("a.yaml", {}), problems=(problem,))
    assert text(move(before, after)).endswith("`a.yaml` is not valid Compose: what is said of it may be incomplete.")


def lines(subject: Change) -> list[tuple[str, bool]]:
    return [(line.quote, line.holds) for line in summarise(subject).statements]


def test_statements_are_listed_once_and_only_where_they_are_decided() -> None:
    def judged(quote: str, holds: bool | None, medium: Medium = Medium.PULL_REQUEST, touched: bool = True) -> Judgement:
        place = None if medium is Medium.PULL_REQUEST else at("a.yaml:3")
        return Judgement(Statement(medium, quote, Claim(ClaimKind.UNAFFECTED, ""), place, touched), holds)

    subject = change(
        judgements=(
            judged("decided", True),
            judged("decided", True),
            judged("not decided", None),
            judged("old comment", True, Medium.COMMENT, touched=False),
            judged("new comment", False, Medium.COMMENT),
        )
    )
    assert lines(subject) == [("decided", True), ("new comment", False)]
