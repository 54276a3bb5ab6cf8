"""`markdown`: a chunk for each section of the heading tree, as OpenSearch's Markdown RFC wants it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.parameters import parameter
from chunkers.text.markdown import Heading, parse
from chunkers.unsized import UnsizedChunker


@dataclass(frozen=True, slots=True)
class _Section:
    """A chunk to be: it starts here and ends where the next one starts."""

    start: int
    path: tuple[str, ...]
    context: Context


@dataclass(frozen=True, slots=True)
class _Node:
    """A heading on the way from the root down, with its own title and body as a part of context."""

    heading: Heading
    part: str


@dataclass(frozen=True, kw_only=True)
class Markdown(UnsizedChunker):
    """Sections of the heading tree, cut at `max_depth`; each leaf is a chunk with its whole subtree.

    Depth counts ancestor headings, not heading marks, so a skipped level is none. What an ancestor
    says before its first child belongs to the chunk of its first leaf, and is context of the others.
    Text before the first heading belongs to the first chunk. Source of the method: OpenSearch's RFC
    "Markdown Chunking Algorithm" (neural-search, issue 751).
    """

    name = "markdown"
    summary = "A chunk for each section of a Markdown document, down to max_depth headings."

    max_depth: int = parameter(
        3, minimum=1, doc="Depth in the tree of headings at which sections are no longer divided; a root has depth 1."
    )

    def divide(self, text: str, context: Context) -> Spans:
        sections = list(_sections(text, parse(text).headings, self.max_depth)) or [_Section(0, (), ())]
        starts = [section.start for section in sections]
        ends = [*starts[1:], len(text)]
        return Spans(
            np.array(starts),
            np.array(ends),
            contexts=[context + section.context for section in sections],
            section_paths=[section.path for section in sections],
        )


def _sections(text: str, headings: list[Heading], max_depth: int) -> Iterator[_Section]:
    """A section for each leaf; `start` is None once a leaf has taken all that came before it."""
    nodes: list[_Node] = []
    start: int | None = 0
    for n, heading in enumerate(headings):
        while nodes and nodes[-1].heading.level >= heading.level:
            nodes.pop()
        if len(nodes) == max_depth:
            continue
        if start is None:
            start = heading.start
        following = headings[n + 1] if n + 1 < len(headings) else None
        is_leaf = len(nodes) + 1 == max_depth or following is None or following.level <= heading.level
        own_end = heading.end if is_leaf or following is None else following.start
        nodes.append(_Node(heading, _part(text, heading.start, own_end)))
        if is_leaf:
            yield _Section(start, tuple(node.heading.title for node in nodes), _context(text, nodes, start))
            start = None


def _context(text: str, nodes: list[_Node], start: int) -> Context:
    """What the headings on the way say, and of those that the section itself holds the headings alone.

    The section shows these; what a later stage of a cascade cuts from it may not.
    """
    return tuple(
        node.part if node.heading.start < start else _part(text, node.heading.start, node.heading.end) for node in nodes
    )


def _part(text: str, start: int, end: int) -> str:
    return f"{text[start:end].strip()}\n"
