"""Sentences to claims: the forms that are understood, and the near misses that are left alone."""

from __future__ import annotations

import pytest

from bot.model.prose import ClaimKind
from bot.prose.claims import claims


def kinds(text: str) -> list[ClaimKind]:
    return [spoken.claim.kind for spoken in claims(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The downloader fetches the weights before the engine starts.",
        "Every now and then the cache fills up.",
        "All of this is explained in the handbook.",
        "Each request is logged once per hop.",
        "No changelog entry is needed.",
    ],
)
def test_other_sentences_claim_nothing(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize(
    ("text", "subject", "thing"),
    [
        ("Every Meadow 2 file also fetches the INT4 snapshot (~4 GiB).", "Meadow 2 file", "fetches the INT4 snapshot"),
        (
            "All Meadow 2 stacks now download `acme/small`, before the switch.",
            "Meadow 2 stacks",
            "download `acme/small`",
        ),
        ("Each dedicated file sets `HF_HUB_OFFLINE=1`.", "dedicated file", "sets `HF_HUB_OFFLINE=1`"),
        (
            "Its downloader (like every Meadow 2 file's) also pre-stages the `acme/small` snapshot (4 GiB).",
            "Meadow 2 file",
            "pre-stages the `acme/small` snapshot",
        ),
    ],
)
def test_what_every_file_is_said_to_have(text: str, subject: str, thing: str) -> None:
    (spoken,) = [spoken for spoken in claims(text) if spoken.claim.kind is ClaimKind.EVERY]
    assert (spoken.claim.subject, spoken.claim.object) == (subject, thing)


def test_exceptions_that_the_sentence_makes_itself() -> None:
    found = list(claims("Every Meadow 2 file (not prod/pack.yaml) also fetches the INT4 snapshot."))
    (every,) = [spoken for spoken in found if spoken.claim.kind is ClaimKind.EVERY]
    assert every.claim.exceptions == ("prod/pack.yaml",)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("No engine, proxy, routing or telemetry change.", "engine, proxy, routing, telemetry"),
        ("There are no changes to the engines.", "engines"),
        ("Engines are untouched.", "Engines"),
        ("This does not touch the proxy.", "proxy"),
    ],
)
def test_kinds_of_services_that_are_said_not_to_change(text: str, subject: str) -> None:
    (spoken,) = [spoken for spoken in claims(text) if spoken.claim.kind is ClaimKind.NO_CHANGE]
    assert spoken.claim.subject == subject


def test_words_that_are_no_kind_of_service_make_no_such_claim() -> None:
    assert ClaimKind.NO_CHANGE not in kinds("No API change and no schema change.")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ordering only, no runtime effect.", ClaimKind.NO_EFFECT),
        ("New file only, nothing running is affected.", ClaimKind.NO_EFFECT),
        ("Each download runs exactly once.", ClaimKind.EXACTLY_ONCE),
        ("The trial file only gains comment lines.", ClaimKind.COMMENTS_ONLY),
        ("Frees GPU 7.", ClaimKind.FREES),
        ("Pins the engine everywhere.", ClaimKind.EVERYWHERE),
        ("Host seven uses prod/pack.yaml and is unaffected.", ClaimKind.UNAFFECTED),
    ],
)
def test_other_claims(text: str, kind: ClaimKind) -> None:
    assert kind in kinds(text)
