"""Markdown by a real CommonMark parser: the blocks that chunking looks at, with their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from pyromark import Markdown, Options

from chunkers.text.front_matter import BOM, front_matter_span

_PARSER = Markdown(options=Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES | Options.ENABLE_STRIKETHROUGH)
_CONTAINERS = frozenset({"BlockQuote", "List", "FootnoteDefinition"})

# Possessive, so that a long run of blanks takes no time to turn down.
_CELL = r":?-++:?[ \t]*+"
_DELIMITER_ROW = re.compile(
    rf"^([ \t>]*+)(?!-[ \t])(\|?[ \t]*+{_CELL}(?:\|[ \t]*+{_CELL})*+\|?[ \t]*+)(?=\r?$)", re.MULTILINE
)
_LONE_CR = re.compile(r"\r(?!\n)")
_BLANKS = re.compile(r"[ \t\r\n]+")
_ANCHOR = re.compile(r" ?\{ ?#[^\s{}]+ ?\}$")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the document itself, not of a quote, list or footnote in it.

    `start` is where its first line starts, `end` is behind its last line's end. `title` is what a
    reader sees of it, on one line.
    """

    level: int
    start: int
    end: int
    title: str


@dataclass(frozen=True, slots=True)
class Blocks:
    """What was found in one Markdown text; all positions are code points of it."""

    front_matter: tuple[int, int] | None
    headings: list[Heading]


def parse(text: str) -> Blocks:
    """Find the blocks of a Markdown text: CommonMark, with GFM's tables and footnotes."""
    front_matter = front_matter_span(text)
    if front_matter:
        body_start = front_matter[1]
    else:
        body_start = len(BOM) if text.startswith(BOM) else 0
    return Blocks(front_matter, _headings(text, body_start))


def _headings(text: str, body_start: int) -> list[Heading]:
    encoded = text.encode()
    body_offset = len(text[:body_start].encode())
    found = list(_top_headings(_parsable(text[body_start:])))
    offsets = [body_offset + offset for _, span, _ in found for offset in span]
    places = offsets if len(encoded) == len(text) else _code_points(encoded, offsets)
    return [
        Heading(level, _line_start(text, start), end, title)
        for (level, _, title), start, end in zip(found, places[::2], places[1::2], strict=True)
    ]


def _code_points(encoded: bytes, offsets: list[int]) -> list[int]:
    """Code points of ascending byte offsets, at each of which a character starts or the text ends."""
    lengths = (len(encoded[start:end].decode()) for start, end in pairwise([0, *offsets]))
    return list(accumulate(lengths))


def _top_headings(body: str) -> Iterator[tuple[int, tuple[int, int], str]]:
    """Level, span in bytes and title of every heading that is in no container.

    Events are names, or mappings of one key whose value is again a name or such a mapping, so that
    `in` asks the right thing of both.
    """
    events: Iterator[tuple[Any, Any]] = _PARSER.events_with_range(body)
    container_end = 0
    for event, span in events:
        if "Start" not in event or span["start"] < container_end:
            continue
        tag = event["Start"]
        if "Heading" in tag:
            yield int(tag["Heading"]["level"][1:]), (span["start"], span["end"]), _title(events)
        elif type(tag) is dict and not _CONTAINERS.isdisjoint(tag):
            container_end = span["end"]


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
        elif "Code" in event:
            pieces.append(event["Code"])
        elif event in ("SoftBreak", "HardBreak") or event.get("InlineHtml", "").startswith("<br"):
            pieces.append(" ")
        elif "End" in event and "Heading" in event["End"]:
            break
        last = event
    title = _BLANKS.sub(" ", "".join(pieces)).strip()
    return title if "Code" in last else _ANCHOR.sub("", title)


def _line_start(text: str, position: int) -> int:
    """Where the line starts, given where its indentation ends."""
    while position and text[position - 1] in " \t":
        position -= 1
    return position


def _parsable(body: str) -> str:
    """The same text, as long in bytes, without what the parser misreads.

    That is a carriage return for a line end (it loses fences and tables) and tabs in the delimiter
    row of a table (it sees no table). A row that begins like a list item is one.
    """
    if "\r" in body:
        body = _LONE_CR.sub("\n", body)
    if "\t" in body:
        body = _DELIMITER_ROW.sub(lambda row: row[1] + row[2].replace("\t", " "), body)
    return body
