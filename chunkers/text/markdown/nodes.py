"""One pass over the parser's events: every block of a text, containers and what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from pyromark import Markdown, Options

from chunkers.text.markdown.parsable import parsable

Kind = Literal[
    "front_matter", "heading", "paragraph", "code", "table", "list", "item", "quote", "html", "footnote", "rule"
]

_PARSER = Markdown(options=Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES | Options.ENABLE_STRIKETHROUGH)
_KINDS: dict[str, Kind] = {
    "Paragraph": "paragraph",
    "Heading": "heading",
    "CodeBlock": "code",
    "Table": "table",
    "List": "list",
    "Item": "item",
    "BlockQuote": "quote",
    "HtmlBlock": "html",
    "FootnoteDefinition": "footnote",
}
_CONTAINERS = frozenset({"list", "item", "quote", "footnote"})
_BLANKS = re.compile(r"[ \t\r\n]{2,}|[\t\r\n]")
"""What becomes one space; a space alone is one, and most titles have no other."""

_ANCHOR = re.compile(r" ?\{ ?#[^\s{}]+ ?\}$")


@dataclass(slots=True)
class Nodes:
    """The blocks that the parser sees, in order, containers before what is in them, as columns (n each).

    `starts` are behind indentation and the marks of containers, `ends` as the parser has them: blank
    lines may be in them. `depths` counts the containers around (a list and its item are one each).
    `titles` has level and title of the headings in no container by row, `infos` the info strings of
    fenced code.
    """

    kinds: list[Kind] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    titles: dict[int, tuple[int, str]] = field(default_factory=dict)
    infos: dict[int, str] = field(default_factory=dict)


def nodes(text: str, body_start: int) -> Nodes:
    """The blocks of `text` from `body_start` on; positions are code points of the text."""
    body = text[body_start:]
    found = _nodes(parsable(body))
    if not body.isascii():
        found.starts, found.ends = _code_points(body, [found.starts, found.ends])
    if body_start:
        found.starts = [body_start + start for start in found.starts]
        found.ends = [body_start + end for end in found.ends]
    return found


def _code_points(text: str, offsets: list[list[int]]) -> list[list[int]]:
    """The code points of the text at these bytes; each is where a character starts, or the end."""
    # Listing the bytes that go on with a character, few in most texts, takes a third of the time of adding up all.
    inside = np.flatnonzero(np.frombuffer(text.encode(), np.int8) <= -65)
    found: list[list[int]] = (offsets - np.searchsorted(inside, offsets)).tolist()
    return found


def _nodes(body: str) -> Nodes:
    """The nodes, with positions in bytes.

    Events are names, or mappings of one key whose value is again a name or such a mapping, so that
    `in` asks the right thing of both.
    """
    found = Nodes()
    kinds, starts, ends, depths = found.kinds, found.starts, found.ends, found.depths
    around: list[int] = []
    events: Iterator[tuple[Any, Any]] = _PARSER.events_with_range(body)
    for event, span in events:
        if "Start" in event:
            tag = event["Start"]
            kind = _KINDS.get(tag if type(tag) is str else next(iter(tag)))
            if kind is None:
                continue
        elif event == "Rule":
            kind = "rule"
        else:
            continue
        start, end = span.values()
        while around and around[-1] <= start:
            around.pop()
        if kind == "heading" and not around:
            found.titles[len(kinds)] = int(tag["Heading"]["level"][1:]), _title(events)
        elif kind == "code" and "Fenced" in tag["CodeBlock"]:
            found.infos[len(kinds)] = tag["CodeBlock"]["Fenced"]
        kinds.append(kind)
        starts.append(start)
        ends.append(end)
        depths.append(len(around))
        if kind in _CONTAINERS:
            around.append(end)
    return found


def _title(events: Iterator[tuple[Any, Any]]) -> str:
    """The visible text up to the end of the heading that has just started.

    An anchor that documentation tools take off (`## Use {#use}`) is not visible. pyromark's own option
    for it is no help: it takes the `{id}` off `/users/{id}` too.
    """
    pieces: list[str] = []
    last: Any = ""
    for event, _ in events:
        if "Text" in event:
            pieces.append(event["Text"])
        elif "End" in event:
            if "Heading" in event["End"]:
                break
        elif "Code" in event:
            pieces.append(event["Code"])
        elif event in ("SoftBreak", "HardBreak") or event.get("InlineHtml", "").startswith("<br"):
            pieces.append(" ")
        last = event
    title = _BLANKS.sub(" ", "".join(pieces)).strip()
    return title if not title.endswith("}") or "Code" in last else _ANCHOR.sub("", title)
