"""Levels of code without a grammar."""

from __future__ import annotations

import numpy as np

from chunkers.chunk import BoolArray, IntArray
from chunkers.text.code.lines import Lines, disjoint, piece_of

CLOSINGS = frozenset(")]}")


def plain_code_levels(text: str, start: int, end: int) -> list[IntArray]:
    """Cut positions inside `text[start:end]` without a grammar, coarse to fine and disjoint.

    Before lines without indentation below a blank line; before other lines below one; where the
    indentation becomes smaller; before any line. What all lines have is no indentation, and a line
    that only closes a bracket stays with what it closes as long as it can. Positions are code points
    of `text`, ascending in each level.
    """
    return plain_levels(Lines.of(piece_of(text, start, end), start))


def plain_levels(lines: Lines) -> list[IntArray]:
    """As `plain_code_levels`, of lines."""
    closing = np.fromiter((first in CLOSINGS for first in lines.first), np.bool_, len(lines.first))
    after_blank = lines.after_blank() & ~closing
    written = lines.indents[~lines.blank]
    unindented = lines.indents == (written.min() if len(written) else 0)
    return disjoint(lines, [after_blank & unindented, after_blank, _dedents(lines, closing), ~closing, ~lines.blank])


def _dedents(lines: Lines, closing: BoolArray) -> BoolArray:
    """Lines that are less indented than the one before, brackets that close passed over."""
    rows = np.flatnonzero(~lines.blank & ~closing)
    indents = lines.indents[rows]
    smaller = np.zeros(len(lines.blank), np.bool_)
    smaller[rows[1:]] = indents[1:] < indents[:-1]
    return smaller
