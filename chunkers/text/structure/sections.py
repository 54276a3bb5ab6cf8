"""Sections: what stands under one heading, up to the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from chunkers.text.blanks import words_start
from chunkers.text.front_matter import BOM
from chunkers.text.markdown import Heading
from chunkers.text.structure.source import Source

Path = tuple[Heading, ...]


class Section(NamedTuple):
    """Text whose bounds no chunk crosses, and the headings that it is under, from the root down.

    Its own heading is the last one of the path, when it has one.
    """

    start: int
    end: int
    path: Path


def sections(source: Source, start: int) -> list[Section]:
    """The sections of a source from `start` on, in order and without gaps.

    What precedes the first heading is a section without a path. A heading that has nothing under it but a
    heading of a lower level begins the section of that one.
    """
    text = source.text
    found: list[Section] = []
    path: list[Heading] = []
    low = start
    body = start + len(BOM) if text.startswith(BOM, start) else start
    for heading in source.headings:
        has_body = words_start(text, min(body, heading.start), heading.start) < heading.start
        if has_body or (path and path[-1].level >= heading.level):
            found.append(Section(low, heading.start, tuple(path)))
            low = heading.start
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        body = heading.end
    found.append(Section(low, len(text), tuple(path)))
    return found


Fits = Callable[[Section], bool]


def merged(parts: list[Section], fits: Fits) -> list[Section]:
    """The same sections, small ones that are next to each other under one parent made one section of the parent.

    A part of the tree that fits is one section; else its parts are looked at one by one.
    """
    return list(_merged(parts, 0, fits))


def _merged(parts: list[Section], depth: int, fits: Fits) -> Iterator[Section]:
    """As `merged`, of sections that have the first `depth` headings in common."""
    run: Section | None = None
    for subtree in _subtrees(parts, depth):
        whole = subtree[0] if len(subtree) == 1 else _joined(subtree[0], subtree[-1], depth + 1)
        if run is not None and fits(longer := _joined(run, whole, depth)):
            run = longer
            continue
        if run is not None:
            yield run
        run = whole if len(subtree) == 1 or fits(whole) else None
        if run is None:
            yield from _merged(subtree, depth + 1, fits)
    if run is not None:
        yield run


def _subtrees(parts: list[Section], depth: int) -> Iterator[list[Section]]:
    """What is right under the heading at `depth`, and below it the subtree of each heading."""
    low = 0
    for n in range(1, len(parts) + 1):
        if n == len(parts) or not _same_subtree(parts[low], parts[n], depth):
            yield parts[low:n]
            low = n


def _same_subtree(one: Section, other: Section, depth: int) -> bool:
    return len(one.path) > depth and len(other.path) > depth and one.path[depth] is other.path[depth]


def _joined(first: Section, last: Section, depth: int) -> Section:
    return Section(first.start, last.end, first.path[:depth])
