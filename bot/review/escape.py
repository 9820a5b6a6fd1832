"""The one door for text that we did not write: into Markdown, and into plain text.

Foreign text shows as it is and does nothing: it notifies nobody, refers to nothing, links nowhere, closes
no block and draws no markup. Findings speak our prose with foreign words between backticks; what stands
outside of backticks is held harmless as well, since a name can hold a backtick.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from urllib.parse import quote as percent_encoded

LIMIT = 200  # characters of one foreign value
PROSE_LIMIT = 2_000  # characters of a paragraph of ours

_BLANKS = re.compile(r"[ \t\n\r\x0b\x0c\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
# Printable for Python, and yet nothing is seen: joiners, fillers, selectors beyond the emoji one.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_SPECIAL = re.compile(r"([\\`*_\[\]<>&|~#])")
_BLOCK_START = re.compile(r"^(?:[-+=:]|\d+(?=[.)]))")
# What GitHub turns into more than text: mentions and references, formulas, links, emoji, commits.
_LIVE = re.compile(
    r"[@#$]|://|(?<![a-z0-9])(?:www\.|gh-\d)|:[\w+-]+:|(?<![0-9a-z])(?=[a-f]*\d)[0-9a-f]{7,64}(?![0-9a-z])",
    re.IGNORECASE,
)
_HALF_EMOJI = re.compile(r":[\w+-]+$")  # a colon of ours may follow
_EDGES = re.compile(r"^([(\[\"'“‘«]*)(.*?)([)\]\"'”’».,;:!?]*)$", re.DOTALL)
_DIGEST = re.compile(r"(?<=[@:])([0-9a-f]{7})(?:[0-9a-f]{33}|[0-9a-f]{57})(?![0-9a-f])")
_REFERENCE = re.compile(r"#(\d{1,9})")
_COMMAND = re.compile(r"::(?=[A-Za-z])")

_STRONG = re.compile(r"(?<!\S)\*\*(?=\S)(.+?)(?<=\S)\*\*(?=[\s,.;:]|$)")


class Safe(str):
    """Markdown that may be printed as it is. Only this module and the templates make it."""

    __slots__ = ()


NOTHING = Safe("")


def visible(text: str) -> str:
    """Text on one line, with every character that controls, reorders or hides shown by its number."""
    if not text.isprintable() or _UNSEEN.search(text):
        text = _BLANKS.sub(" ", text)
        text = "".join(_shown(letter) for letter in text)
    return text


def _shown(letter: str) -> str:
    if letter.isprintable() and not _UNSEEN.match(letter):
        return letter
    number = ord(letter)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def cut(text: str, limit: int = LIMIT) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def plain(text: str, limit: int = PROSE_LIMIT) -> str:
    """Foreign text for a terminal or a log: one line, nothing that a runner takes for a command."""
    return _COMMAND.sub(": :", cut(visible(text[: 2 * limit]), limit)).replace("##[", "# #[")


def code(text: str, table: bool = False) -> Safe:
    """Foreign text as inline code. In a table a bar would end the cell, also within code."""
    flat = _inert(cut(visible(text.strip()[: 2 * LIMIT]).strip()))
    if not flat:
        return Safe("(empty)")
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    if table:
        flat = flat.replace("|", "\\|")
    return Safe(f"{fence}{pad}{flat}{pad}{fence}")


def _inert(text: str) -> str:
    """No comment of HTML opens or ends here, so that our marker and state stand in a body just once."""
    return text.replace("<!--", "<!‑‑").replace("-->", "‑‑>")


def prose(
    text: str,
    links: Mapping[str, Safe] | None = None,
    references: Set[int] = frozenset(),
    table: bool = False,
    limit: int = PROSE_LIMIT,
    start: bool = True,
) -> Safe:
    """Our prose, with its code spans kept, and all else of it escaped.

    A span that `links` knows becomes that link. `#N` stays a reference for the numbers in `references`.
    `start` is whether the text may come first in its line, where some signs open a list or a heading.
    """
    flat = cut(_inert(visible(text.strip()[: 2 * limit])).strip(), limit)
    pieces: list[str] = []
    for inside, piece in spans(flat):
        if inside:
            pieces.append((links or {}).get(piece) or code(piece, table))
        else:
            pieces.append(_outside(piece, references, table, first=start and not pieces))
    return _side_by_side(pieces)


def spans(text: str) -> Iterator[tuple[bool, str]]:
    """The pieces of a text: whether each stands between backticks, and its content."""
    at = 0
    for span in _SPAN.finditer(text):
        if span.start() > at:
            yield False, text[at : span.start()]
        yield True, _unpadded(span[2])
        at = span.end()
    if at < len(text):
        yield False, text[at:]


def _unpadded(text: str) -> str:
    """A code span's content, as Markdown reads it: one blank at both ends belongs to the fence."""
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] == " " and text.strip() else text


def _side_by_side(pieces: Iterable[str]) -> Safe:
    """Pieces in a row; two fences that touched would be read as one."""
    whole = ""
    for piece in pieces:
        if whole.endswith("`") and piece.startswith("`"):
            whole += " "
        whole += piece
    return Safe(whole)


def _outside(text: str, references: Set[int], table: bool, first: bool) -> Safe:
    """Words outside of code: those that GitHub would bring to life become code, the rest is escaped."""
    words = [_word(word, references, table) for word in text.split(" ")]
    whole = _side_by_side([words[0], *(f" {word}" for word in words[1:])])
    return Safe(_BLOCK_START.sub(_escaped_start, whole)) if first else whole


def _escaped_start(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _word(word: str, references: Set[int], table: bool) -> Safe:
    if not (_LIVE.search(word) or _HALF_EMOJI.search(word)):
        return _escaped(word)
    edges = _EDGES.match(word)
    assert edges is not None  # the pattern takes any text
    before, core, after = edges.groups()
    if core.startswith(":") and after.startswith(":"):
        core, after = f"{core}:", after[1:]
    known = _REFERENCE.fullmatch(core)
    if known and int(known[1]) in references:
        return Safe(f"{_escaped(before)}{core}{_escaped(after)}")
    if not core:
        return code(word, table)
    return _side_by_side([_escaped(before), code(core, table), _escaped(after)])


def _escaped(text: str) -> Safe:
    return Safe(_SPECIAL.sub(r"\\\1", _inert(text)))


def shortened(text: str) -> str:
    """Our prose with the commits and digests in it cut to what a reader compares."""
    return _DIGEST.sub(r"\1…", text)


def quote(text: str) -> Safe:
    """A sentence that somebody else wrote, in quotation marks."""
    return Safe(f"“{prose(text, limit=LIMIT)}”")


def address(path: str) -> str:
    """A path as part of an address. Git's paths are bytes: those that are no UTF-8 came as lone surrogates."""
    try:
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = path.encode("utf-8", "surrogatepass")
    return percent_encoded(data, safe="/")


def link(label: str, url: str, table: bool = False) -> Safe:
    """A link that we make. `url` holds no character that could end it."""
    if re.search(r"[^A-Za-z0-9\-._~:/?#%=&,+]", url):
        raise ValueError("an address must be percent-encoded before it is linked")
    label = label[: 2 * LIMIT]
    shown = code(label, table) if _LIVE.search(label) else _escaped(cut(visible(label)))
    return Safe(f"[{shown}]({url})")


def block(lines: str, language: str = "") -> Safe:
    """Several lines as a code block, to be pasted or drawn."""
    assert re.fullmatch("[a-z]*", language)
    body = "\n".join(visible(line) for line in lines.split("\n"))
    longest = max((len(run) for run in re.findall("`{3,}", body)), default=2)
    fence = "`" * (longest + 1)
    body = body.replace("<!--", "<!‑‑")  # an arrow of a drawing ends in `-->` and must stay one
    return Safe(f"{fence}{language}\n{body}\n{fence}")


def hidden(comment: str) -> Safe:
    """Our marker or state: the only comments of HTML that we write."""
    if not re.fullmatch(
        r"<!-- compose-review:(?:sticky|state|line|stack|after|after-end) v\d+(?: [A-Za-z0-9+/=,]+)* -->", comment
    ):
        raise ValueError("this is neither our marker nor our state")
    return Safe(comment)


def ours(words: str, *numbers: int) -> Safe:
    """A phrase that we wrote, with numbers in it."""
    assert re.fullmatch(r"[A-Za-z {},.·()\[\]-]*", words)
    return Safe(words.format(*(int(number) for number in numbers)))


def emphasised(text: str, references: Set[int] = frozenset()) -> Safe:
    """`prose` for sentences of ours that set what matters most between double stars."""
    whole = ""
    for index, part in enumerate(_STRONG.split(text)):
        shown = prose(part, references=references, start=not whole)
        if index % 2:
            whole += f"**{shown}**"
        else:
            whole += (
                f"{' ' * (whole != '' and part[:1] == ' ')}{shown}{' ' * (part[-1:] == ' ' and part.strip() != '')}"
            )
    return Safe(whole.strip())


def joined(separator: str, parts: Iterable[Safe]) -> Safe:
    """Parts that came through the door, in a row. The separator is ours."""
    listed = list(parts)
    for part in listed:
        if not isinstance(part, Safe):
            raise TypeError("a text reaches the page without coming through the door")
    return Safe(separator.join(listed))
