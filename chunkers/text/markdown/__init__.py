"""Markdown by a real CommonMark parser: the blocks of a document, with their positions."""

from chunkers.text.markdown.blocks import Block, Blocks, Heading, parse
from chunkers.text.markdown.nodes import Kind, Nodes

__all__ = ["Block", "Blocks", "Heading", "Kind", "Nodes", "parse"]
