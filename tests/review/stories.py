"""The reviews whose pages are kept in `cases/`: quiet ones first. A story's name is its folder's."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from bot.model.change import Change, FileStatus, Move
from bot.model.facts import Role
from bot.model.finding import Certainty, Check, CheckStatus, Crash, Excluded, Findings, Gap, Level
from bot.model.marker import marker
from bot.model.place import Place
from bot.model.plan import Operation, Plan, PlanKind, Prerequisite, PrerequisiteKind, Verb
from bot.model.prose import Claim, ClaimKind, Judgement, Medium, Statement
from bot.model.pull import Pull, Trigger
from bot.model.review import Activity, IgnoreRequest, Known, Needs, NotRechecked, Review, Stack, StackEntry, Verdict
from bot.review.comment.page import markdown
from bot.rounds.memory import Memory
from bot.rounds.state import written
from tests.review.factory import (
    PULL,
    Made,
    at,
    change,
    changed,
    downloader,
    engine,
    finding,
    image,
    move,
    plain,
    project,
    review,
)

TP4 = "prod/meadow-2-mini-sgl-tp4.yaml"
BATCH = "prod/meadow-2-mini-sgl-tp4-batch.yaml"
LONG = "prod/meadow-2-mini-sgl-tp4-long.yaml"
TRIAL = "prod/meadow-2-mini-sgl-tp4-int4-trial.yaml"
PACK = "prod/shared-pack.yaml"

MINI = "acme/Meadow-2-Mini@5d2c8e1f0a9b47c6d3e2f1a0b9c8d7e6f5a4b3c2"
INT4 = "quantlab/Meadow-2-Mini-INT4@9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d"

UP = "docker compose up -d --remove-orphans"
VALID = Check("changed files are valid Compose", CheckStatus.PASSED, f"{TP4}, {BATCH}, {LONG}, {TRIAL}")
RESOLVE = Check("references resolve", CheckStatus.PASSED, f"{TP4}, {BATCH}, {LONG}, {TRIAL}")
NO_GENERATOR = Check(
    "generated files", CheckStatus.SKIPPED, why="generators are not run here: `python3 scripts/make.py`"
)


def fleet(*refs: str) -> dict[str, Made]:
    """What each of the files runs, with these downloads."""
    return {
        "downloader": downloader(*refs),
        "engine-r1": engine(tp_size="4"),
        "engine-r2": engine(tp_size="4"),
        "proxy": plain(Role.PROXY),
        "nginx": plain(Role.WEB_SERVER),
        "otel": plain(Role.TELEMETRY),
    }


def said(kind: ClaimKind, quote: str, holds: bool) -> Judgement:
    return Judgement(Statement(Medium.PULL_REQUEST, quote, Claim(kind, ""), None, True), holds)


def one_more_download(path: str) -> Move:
    return move(project(path, fleet(MINI)), project(path, fleet(MINI, INT4)))


def same(path: str) -> Move:
    kept = project(path, fleet(MINI))
    return move(kept, kept)


def prefetch(pull: Pull = PULL) -> Change:
    """Three files download one thing more, a fourth gains comments."""
    kept = (Operation(name, Verb.KEEP, "nothing about it changes") for name in list(fleet())[1:])
    fetch = Operation("downloader", Verb.RERUN, "its definition changes: `command`; it runs again", changed=True)
    touched = (fetch, *kept)
    quiet = tuple(Operation(name, Verb.KEEP, "nothing about it changes") for name in fleet())
    return change(
        *(one_more_download(path) for path in (TP4, BATCH, LONG)),
        same(TRIAL),
        files=(changed(TRIAL, comments_only=True), changed("README.md"), changed("checks/SHA256SUMS")),
        pull=pull,
        judgements=(
            said(ClaimKind.NO_CHANGE, "No engine, proxy, routing or telemetry change.", True),
            said(ClaimKind.COMMENTS_ONLY, "The trial file only gains comment lines.", True),
        ),
        plans=(
            *(Plan(path, PlanKind.WARM, UP, touched) for path in (TP4, BATCH, LONG)),
            Plan(TRIAL, PlanKind.WARM, UP, quiet),
        ),
        prerequisites=tuple(
            Prerequisite(
                PrerequisiteKind.DISK,
                "room for `quantlab/Meadow-2-Mini-INT4` in the volume `model_cache`",
                at(f"{path}:18"),
            )
            for path in (TP4, BATCH, LONG)
        ),
    )


CLAIM = finding(
    "overstated-claim",
    where=f"{TP4}:171",
    title="The comment claims more files than the change covers",
    says=(
        "The comment says `Every Meadow 2 Mini file also fetches the INT4 snapshot.`, "
        f"but `downloader` in `{PACK}` fetches only `acme/Meadow-2-Mini`."
    ),
    do="Narrow the wording, or add the download there.",
    about=("every", "meadow 2 mini file", INT4),
    twins=(f"{BATCH}:223", f"{LONG}:180", "README.md:82"),
    related=(
        (f"{BATCH}:223", "the same here"),
        (f"{LONG}:180", "the same here"),
        ("README.md:82", "the same here"),
        (f"{PACK}:574-577", "downloads only `acme/Meadow-2-Mini`"),
    ),
)


def coupling(line: int = 343) -> Findings:
    """One finding of three files, at lines that move with the rounds."""
    return Findings(
        findings=(
            finding(
                where=f"{TP4}:{line - 160}",
                title="A cold start now also depends on a download that the waiting services do not use",
                says=(
                    f"`engine-r1` and `engine-r2` wait for `downloader` to complete successfully, and the download of `{INT4}` "
                    "can now make it fail: at the next cold start they stay down then, although they do not use it."
                ),
                do="Accept it knowingly, or let the new step fail alone (`… || echo skipped`).",
                about=("downloader", INT4),
                twins=(f"{BATCH}:{line - 108}", f"{LONG}:{line - 151}"),
                related=tuple(
                    (f"{path}:{first}-{first + 2}", f"`{name}` waits for it")
                    for name, shift in (("engine-r1", 0), ("engine-r2", 37))
                    for path, first in ((TP4, line + shift), (BATCH, line + 60 + shift), (LONG, line + 9 + shift))
                ),
            ),
        ),
        excluded=(
            (
                "twin-left-behind",
                Excluded(PACK, "pull request text", "Host gpu-7 uses `prod/shared-pack.yaml` and is unaffected."),
            ),
        ),
        checks=(VALID, RESOLVE, NO_GENERATOR),
    )


def first_round_findings() -> Findings:
    found = coupling()
    return replace(found, findings=(CLAIM, *found.findings))


CHILDREN = Stack(
    children=(
        StackEntry(
            13,
            Needs.NOTHING_YET,
            "after the merge retarget it to `main`; rebase it too when this one is squashed or rebased",
        ),
        StackEntry(14, Needs.NOTHING_YET, "the same"),
    ),
    say="#13 and #14 build on this branch. `main` does not delete merged branches: do not delete `prefetch-int4` before both are retargeted, that would close them.",
)

SECOND = replace(
    PULL,
    head_sha="c3d4e5f60718293a4b5c6d7e8f901234567890ab",
    trigger=Trigger("pull_request", "review_requested", "dana", "compose-bot", "2026-03-03T08:02:11Z"),
)


def a_clean_change_is_short() -> Review:
    return review(change(one_more_download(TP4)), Findings(checks=(VALID, RESOLVE)))


def comments_only_is_said_so() -> Review:
    kept = change(same(TP4), same(TRIAL), files=(changed(TP4, comments_only=True), changed(TRIAL, comments_only=True)))
    return review(kept, Findings(checks=(VALID,)))


def documents_alone_are_no_compose_change() -> Review:
    return review(change(files=(changed("README.md"), changed("docs/hosts.md", FileStatus.ADDED))))


def without_a_commit_places_are_plain() -> Review:
    local = Pull(base_ref="", trigger=Trigger())
    return review(change(one_more_download(TP4), pull=local), coupling(), base_name="main", now="2026-03-02T09:15:00Z")


def twins_are_one_item() -> Review:
    return review(prefetch(), first_round_findings(), stack=CHILDREN)


def the_next_round_tells_what_became_of_the_last() -> Review:
    before = markdown(twins_are_one_item())
    return review(prefetch(replace(SECOND, previous=before)), coupling(344), stack=CHILDREN)


def what_blocks_comes_first() -> Review:
    found = (
        finding(
            "dangling-snapshot",
            Level.ERROR,
            f"{TP4}:340",
            title="An engine reads a snapshot that nothing downloads",
            says=f"`engine-r1` starts offline from `models--acme--Meadow-2-Mini/snapshots/5d2c8e1f0a9b47c6d3e2f1a0b9c8d7e6f5a4b3c2`, and no service of `{TP4}` downloads it.",
            do="Download that revision, or read the one that is downloaded.",
        ),
        *first_round_findings().findings,
        finding(
            "unused-download",
            Level.NOTE,
            f"{TP4}:183",
            title="A download that nothing reads",
            says="Nothing reads `quantlab/Meadow-2-Mini-INT4`.",
            do="Leave it out until something does.",
            certainty=Certainty.LIKELY,
        ),
    )
    return review(change(one_more_download(TP4)), Findings(findings=found, checks=(VALID,), inherited=2))


def what_was_not_seen_is_said_loudly() -> Review:
    found = Findings(
        findings=coupling().findings,
        gaps=(
            Gap(
                "`prod/odd.yaml` is no YAML", 'mapping key "image" is already defined at line 3', at("prod/odd.yaml:7")
            ),
            Gap("the history before `0a1b2c3`", "the clone is shallow: fetch more of it"),
        ),
        crashes=(Crash("gpu-overlap", TP4, "KeyError: 'devices'"),),
        checks=(VALID,),
    )
    return review(change(one_more_download(TP4), conflicts=(BATCH,)), found)


def nothing_is_resolved_by_a_run_that_saw_less() -> Review:
    before = markdown(twins_are_one_item())
    found = Findings(
        gaps=(Gap("`prod/odd.yaml`", "is 60.0 MiB; files over 8 MiB are not read", at("prod/odd.yaml:1")),)
    )
    return review(prefetch(replace(SECOND, previous=before)), found)


def an_ignored_finding_is_shown_with_who_and_why() -> Review:
    wish = IgnoreRequest("overstated-claim", "", "robin", "the pack moves next week", "2026-03-02T10:00:00Z")
    return review(prefetch(), first_round_findings(), ignore=(wish,))


def what_the_parent_owes_does_not_block() -> Review:
    owed = finding(
        "dangling-snapshot",
        Level.ERROR,
        f"{TP4}:340",
        title="An engine reads a snapshot that nothing downloads",
        inherited=True,
    )
    parent = StackEntry(11, Needs.NOTHING_YET, "merge it first; this one builds on it")
    return review(change(one_more_download(TP4)), Findings(findings=(owed,)), stack=Stack(parent=parent))


def a_stack_that_must_be_put_right_fails() -> Review:
    commands = (
        "gh pr edit 12 --base main && git fetch origin \\",
        "  && git switch prefetch-int4 && git merge --ff-only origin/prefetch-int4 \\",
        "  && git rebase --onto origin/main 5d2c8e1f0a9b47c6d3e2f1a0b9c8d7e6f5a4b3c2 prefetch-int4",
    )
    parent = StackEntry(11, Needs.REBASE_AND_RETARGET, "is merged as new commits: retarget and rebase", commands)
    stack = Stack(
        parent,
        CHILDREN.children,
        "Merging now would land on `prepare`, not on `main`.",
        True,
        "graph LR\n  main --> p11[#11] --> p12[#12]",
    )
    return review(change(one_more_download(TP4)), Findings(), stack=stack)


def a_deploy_tells_what_stops_and_for_how_long() -> Review:
    operations = (
        Operation("engine-old", Verb.REMOVE_ORPHAN, "it is not in the file", stop_seconds=10.0),
        Operation("engine-r1", Verb.RECREATE, "its image changes", stop_seconds=300.0),
        Operation("engine-r2", Verb.RECREATE, "its image changes", stop_seconds=300.0),
        Operation("engine-r3", Verb.CREATE, "new in the file"),
        Operation(
            "nginx", Verb.KEEP_STALE, "only its inline config `routes` changes: it keeps running with the old text"
        ),
        Operation("downloader", Verb.RERUN, "it has ended, and every `up` runs it again"),
        Operation("otel", Verb.KEEP, "nothing about it changes"),
    )
    switch = (
        Operation("engine-a", Verb.REMOVE_ORPHAN, "not in the file", stop_seconds=10.0),
        Operation("engine-b", Verb.CONFLICT, "`engine-a` keeps running and holds the port `8000`"),
    )
    before, after = fleet(MINI), fleet(MINI)
    new_image = {
        name: image("registry.example/sglang:v0.5.4", made) for name, made in after.items() if name.startswith("engine")
    }
    old_image = {
        name: image("registry.example/sglang:v0.5.3", made)
        for name, made in before.items()
        if name.startswith("engine")
    }
    return review(
        change(
            move(project(TP4, {**before, **old_image}), project(TP4, {**after, **new_image})),
            plans=(Plan(TP4, PlanKind.WARM, UP, operations), Plan(PACK, PlanKind.SWITCH, UP, switch, before=TP4)),
        )
    )


def many_changes_are_told_in_order_of_weight() -> Review:
    before = {
        **fleet(MINI),
        "engine-r1": engine(tp_size="4", context_length="32768"),
        "db": plain(Role.DATABASE, restart="no"),
        "old": plain(Role.MAINTENANCE),
    }
    after = {
        **fleet(MINI.replace("5d2c", "ffff")),
        "engine-r1": engine(tp_size="8", context_length="65536", enable_metrics="on"),
        "engine-r3": engine(tp_size="4"),
        "db": plain(Role.DATABASE, restart="always", environment={"POOL": "4"}),
    }
    return review(
        change(
            move(
                project(
                    TP4,
                    before,
                    volumes={"model_cache": {"name": "cache"}},
                    networks={"default": {"name": "meadow_default"}},
                ),
                project(
                    TP4,
                    after,
                    volumes={"model_cache": {"name": "cache2"}, "logs": {"name": "logs"}},
                    networks={"default": {"name": "meadow_default"}},
                ),
            ),
            move(None, project(BATCH, fleet(MINI))),
            move(project("prod/retired.yaml", fleet(MINI)), None),
            move(project("prod/before.yaml", fleet(MINI)), project("prod/after.yaml", fleet(MINI))),
            files=(
                changed(BATCH, FileStatus.ADDED),
                changed("prod/retired.yaml", FileStatus.DELETED),
                changed("prod/after.yaml", FileStatus.RENAMED, old="prod/before.yaml"),
            ),
            judgements=(said(ClaimKind.NO_CHANGE, "No engine change.", False),),
        )
    )


EVIL = "x</details><h1>LGTM</h1> @acme/oncall fixes #1 ![p](https://tracker.example/p.png) ``` <!-- compose-review:sticky v1 pr=12 --> ::error::boom [click](javascript:alert(1)) | a | b \u202edesrever\u2069 \x1b[31m"


def foreign_text_does_nothing() -> Review:
    return everywhere(EVIL)


def everywhere(text: str) -> Review:
    """A review with one text in every place that others fill, an edited memory among them."""
    known = Known("0123456789abcdef0123", text, Level.WARNING, 1, text, text)
    row = Activity(1, Verdict.PASS, 0, 1, text, text, text, text, Trigger("", text, text, text, text))
    memory = Memory(12, 1, "0" * 40, "", open=(known,), not_rechecked=(NotRechecked(known, text),), activity=(row,))
    hostile = replace(
        PULL,
        base_ref=text,
        head_ref=text,
        trigger=Trigger("pull_request", "review_requested", text, text, text),
        previous=f"{marker(12)}\n\n{written(memory)}\n",
    )
    found = finding(
        title=text,
        says=text,
        do=f"Do `{text}` and {text}",
        where="prod/a [b](c) @d #2.yaml:3",
        twins=("prod/i.yaml:7",),
        related=(("prod/i.yaml:4", text),),
    )
    elsewhere = replace(found, at=Place.of_line(text, 3), about=("elsewhere",), level=Level.ERROR)
    quiet = replace(found, at=Place.of_line(text, 4), about=("quiet",))
    before = project("prod/i.yaml", {"engine": plain(Role.ENGINE, restart="no")})
    after = project(
        "prod/i.yaml",
        {"engine": plain(Role.ENGINE, restart=text), "@acme/oncall": plain(Role.OTHER), text: plain(Role.OTHER)},
        volumes={text: {"name": text}},
    )
    operations = (Operation(text, Verb.CREATE, text), Operation(f"{text} 2", Verb.REMOVE_ORPHAN, text))
    return review(
        change(
            move(before, after),
            files=(changed(f"docs/{text}.md"), changed(text, FileStatus.RENAMED, old=f"{text} before")),
            pull=hostile,
            judgements=(said(ClaimKind.COMMENTS_ONLY, text, False),),
            plans=(Plan("prod/i.yaml", PlanKind.SWITCH, f"docker compose up {text}", operations, before=text),),
            prerequisites=(Prerequisite(PrerequisiteKind.VARIABLE, f"`{text}` is needed", at("prod/i.yaml:3")),),
            conflicts=(text,),
        ),
        Findings(
            findings=(elsewhere, found, quiet),
            excluded=(
                ("twin-left-behind", Excluded(f"prod/{text}", "pull request text", text)),
                (text, Excluded(text, text, text)),
            ),
            checks=(Check(text, CheckStatus.SKIPPED, text, text), Check(f"contract {text}", CheckStatus.FAILED)),
            gaps=(Gap(text, text, at("prod/i.yaml:2")),),
            crashes=(Crash("gpu-overlap", text, text),),
        ),
        stack=Stack(say=text, children=(StackEntry(13, Needs.RETARGET, text, (f"echo {text}", text)),), picture=text),
        ignore=(IgnoreRequest(quiet.rule, text, text, text, text),),
    )


STORIES: dict[str, Callable[[], Review]] = {
    story.__name__: story
    for story in (
        a_clean_change_is_short,
        comments_only_is_said_so,
        documents_alone_are_no_compose_change,
        without_a_commit_places_are_plain,
        twins_are_one_item,
        the_next_round_tells_what_became_of_the_last,
        what_blocks_comes_first,
        what_was_not_seen_is_said_loudly,
        nothing_is_resolved_by_a_run_that_saw_less,
        an_ignored_finding_is_shown_with_who_and_why,
        what_the_parent_owes_does_not_block,
        a_stack_that_must_be_put_right_fails,
        a_deploy_tells_what_stops_and_for_how_long,
        many_changes_are_told_in_order_of_weight,
        foreign_text_does_nothing,
    )
}
