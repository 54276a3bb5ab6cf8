"""A source as blocks that tile it: Markdown or code."""

from __future__ import annotations

from dataclasses import dataclass, field

from chunkers.text.markdown import Block, Heading, Nodes, parse
from chunkers.text.markdown.pairs import parted


@dataclass(frozen=True, slots=True)
class Source:
    """One text and its blocks, in order and without gaps. `headings` are those that part sections.

    `code_language` is the programming language of a text that is all code, `language` that of its sentences; None
    when it is not known.
    """

    text: str
    blocks: list[Block]
    headings: list[Heading] = field(default_factory=list)
    nodes: Nodes = field(default_factory=Nodes)
    code_language: str | None = None
    language: str | None = None


def markdown_source(text: str, language: str | None = None) -> Source:
    found = parse(text)
    return Source(text, parted(text, found.tiles()), found.headings, found.nodes, language=language)


def code_source(text: str, language: str) -> Source:
    return Source(text, [Block("code", 0, len(text), -1, -1)], code_language=language)
