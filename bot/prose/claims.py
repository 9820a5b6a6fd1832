"""Sentences to claims: only forms that can be decided from the model, each with its own pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bot.model.prose import Claim, ClaimKind
from bot.prose.names import roles_of

_HAS = (
    r"(?:(?:now|also|already|still|always|then|in turn)\s+)*"
    r"(?P<verb>fetch(?:es)?|downloads?|pulls?|pre-?(?:stage|fetch|load)e?s?|stages?|loads?|gets?|uses?|runs?|sets?|"
    r"has|have|carry|carries|includes?|contains?|mounts?|pins?|serves?|needs?|passes|pass|keeps?)\b"
)
_NOUN = (
    r"(?:compose\s+)?(?:files?|stacks?|packs?|configs?|configurations?|deployments?|recipes?|engines?|services?|"
    r"replicas?|downloaders?|proxies|proxy|hosts?)"
)
_ALL = r"\b(?:every|each(?:\s+of\s+the)?|all(?:\s+of)?(?:\s+the)?|any)\b"
_EVERY = re.compile(
    rf"{_ALL}\s+(?P<subject>(?:[\w.+/`*-]+\s+){{0,6}}?)(?P<noun>{_NOUN})"
    rf"(?P<own>['’]s|['’])?(?:\s+(?P<of>model-?downloaders?|downloaders?|engines?|prox(?:y|ies)))?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LIKE = re.compile(r"\b(?:like|as|same\s+as|as\s+in|just\s+like)\s*$", re.IGNORECASE)
_PREDICATE = re.compile(rf"^\s*(?:\((?P<aside>[^)]*)\)\s*)?{_HAS}\s+(?P<object>.+)$", re.IGNORECASE | re.DOTALL)
_AFTER_LIKE = re.compile(rf"\)?,?\s*{_HAS}\s+(?P<object>.+)$", re.IGNORECASE | re.DOTALL)
_OBJECT_END = re.compile(
    r"[,;:(]|\.(?:\s|$)|\s(?:so|because|which|that|when|while|before|after|unless|until|for|to|on|in|at)\s"
)
_EXCEPT = re.compile(
    r"\b(?:not|except(?:\s+for)?|excluding|but\s+not|other\s+than|apart\s+from|without|save\s+for|unlike)\s+(?P<what>[^,;()]+)",
    re.IGNORECASE,
)

_ROLES = r"(?P<what>(?:[\w`*-]+(?:\s+(?:or|and|nor|&)\s+|\s*,\s*(?:(?:or|and|nor)\s+)?|\s*/\s*))*[\w`*-]+)"
_NO_CHANGE = (
    re.compile(rf"\bno\s+{_ROLES}\s+(?:\w+\s+)?(?:changes?|edits?|modifications?)\b", re.IGNORECASE),
    re.compile(rf"\bno\s+changes?\s+(?:to|in|for)\s+(?:the\s+|any\s+)?{_ROLES}", re.IGNORECASE),
    re.compile(
        rf"\b{_ROLES}\s+(?:(?:is|are|stays?|remains?|were|was)\s+)?"
        r"(?:completely\s+|entirely\s+)?(?:untouched|unchanged|not\s+(?:touched|changed))\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:does\s+not|doesn['’]t|do\s+not|don['’]t)\s+(?:touch|change)\s+(?:the\s+|any\s+)?{_ROLES}",
        re.IGNORECASE,
    ),
)
_UNAFFECTED = re.compile(
    r"\b(?:unaffected|untouched|unchanged|not\s+(?:affected|touched|changed|included|covered|part\s+of)|no\s+action|nothing\s+to\s+do)\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"\b(?:not|except(?:\s+for)?|excluding|excludes?|excluded|other\s+than|apart\s+from|without|out\s+of\s+scope|left\s+(?:out|alone|as)|"
    r"leav(?:e|es|ing)|stays?|keeps?|remains?|separate(?:ly)?|follow[- ]?up|later|deliberate(?:ly)?|intentional(?:ly)?|"
    r"on\s+purpose|does\s+not\s+need|doesn['’]t\s+need|skip(?:s|ped)?|superseded|deprecated|retired|will\s+follow)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(r"\b(?:exactly|only)\s+once\b", re.IGNORECASE)
_COMMENTS = re.compile(
    r"\bcomments?[- ]only\b|\bonly\s+(?:\w+\s+){0,4}comment(?:s|\s+lines?)?\b"
    r"|\b(?:yaml\s+|compose\s+)?model\s+is\s+(?:unchanged|identical|the\s+same)\b"
    r"|\b(?:documentation|docs?|whitespace|formatting)[- ]only\b|\bno\s+functional\s+changes?\b",
    re.IGNORECASE,
)
_NO_EFFECT = re.compile(
    r"\bno\s+(?:runtime|production|operational|deploy(?:ment)?)\s+(?:effect|impact|change)s?\b|\bnothing\s+(?:that\s+is\s+)?running\s+is\s+(?:affected|touched)\b"
    r"|\b(?:existing|running|deployed|current)\s+(?:hosts?|services?|containers?|deployments?|engines?)\s+(?:are|is)\s+(?:not\s+affected|unaffected)\b",
    re.IGNORECASE,
)
_FREES = re.compile(r"\bfrees?\s+(?:up\s+)?(?P<what>(?:gpus?|ports?|devices?)\s+[\d,\s–-]*\d)", re.IGNORECASE)
_EVERYWHERE = re.compile(r"(?P<what>[^.;,]*)\beverywhere\b", re.IGNORECASE)


class Spoken(Struct, frozen=True):
    """A claim with the part of the sentence that makes it."""

    claim: Claim
    start: int
    end: int


# What every form of a claim has in it: most sentences have none of these and cost no search.
_EVERY_WORDS = ("every", "each", "all", "any")
_CHANGE_WORDS = ("chang", "edit", "modif", "touch")
_ONCE_WORDS = ("once",)
_COMMENTS_WORDS = ("only", "model", "functional")
_NO_EFFECT_WORDS = ("effect", "impact", "change", "affected", "touched")
_UNAFFECTED_WORDS = ("affected", "touched", "changed", "not", "action")
_LEFT_OUT_WORDS = (
    *("not", "n't", "n’t", "exce", "excl", "other", "apart", "without", "scope", "left", "leav", "stay", "keep"),
    *("remain", "separate", "follow", "later", "deliberate", "intentional", "purpose", "skip", "superseded"),
    *("deprecated", "retired"),
)


def claims(text: str) -> Iterator[Spoken]:
    """The claims of one sentence. Most sentences make none."""
    low = text.lower()
    if any(word in low for word in _EVERY_WORDS):
        yield from _every(text)
    if any(word in low for word in _CHANGE_WORDS):
        yield from _no_change(text)
    for kind, words, pattern in (
        (ClaimKind.EXACTLY_ONCE, _ONCE_WORDS, _ONCE),
        (ClaimKind.COMMENTS_ONLY, _COMMENTS_WORDS, _COMMENTS),
        (ClaimKind.NO_EFFECT, _NO_EFFECT_WORDS, _NO_EFFECT),
    ):
        if any(word in low for word in words) and (found := pattern.search(text)):
            yield Spoken(Claim(kind, subject=text[: found.start()].strip()), 0, len(text))
    if "free" in low and (found := _FREES.search(text)):
        yield Spoken(Claim(ClaimKind.FREES, subject=found["what"].strip()), found.start(), found.end())
    if "everywhere" in low and (found := _EVERYWHERE.search(text)):
        yield Spoken(Claim(ClaimKind.EVERYWHERE, subject=found["what"].strip()), found.start(), found.end())
    if any(word in low for word in _UNAFFECTED_WORDS) and (found := _UNAFFECTED.search(text)):
        yield Spoken(Claim(ClaimKind.UNAFFECTED, subject=text), 0, len(text))
    elif any(word in low for word in _LEFT_OUT_WORDS) and (found := _LEFT_OUT.search(text)):
        yield Spoken(Claim(ClaimKind.LEFT_OUT, subject=text[found.start() :], object=text), 0, len(text))


def _every(text: str) -> Iterator[Spoken]:
    found = _EVERY.search(text)
    if not found:
        return
    exceptions = tuple(part["what"].strip() for part in _EXCEPT.finditer(text))
    # "Its downloader (like every … file's) also fetches X": the set stands in an aside, what it has after it.
    like = _LIKE.search(text[: found.start()])
    predicate = (_AFTER_LIKE.search if like else _PREDICATE.match)(found["rest"])
    if predicate is None:
        return
    spoken = predicate["object"]
    ends = _OBJECT_END.search(spoken)
    what = spoken[: ends.start()] if ends else spoken
    begin = like.start() if like else found.start()
    end = found.start("rest") + predicate.start("object") + len(what.rstrip(" ."))
    subject = " ".join((found["subject"] + found["noun"]).split())
    yield Spoken(Claim(ClaimKind.EVERY, subject, f"{predicate['verb']} {what.strip(' .')}", exceptions), begin, end)


def _no_change(text: str) -> Iterator[Spoken]:
    for pattern in _NO_CHANGE:
        found = pattern.search(text)
        if not found:
            continue
        words = [word for word in re.split(r"\s*(?:,|/|&|\bor\b|\band\b|\bnor\b)\s*", found["what"]) if word]
        if words and all(roles_of(word) for word in words):
            yield Spoken(Claim(ClaimKind.NO_CHANGE, ", ".join(words)), found.start(), found.end())
            return
