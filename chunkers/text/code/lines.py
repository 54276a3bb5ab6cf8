"""The lines of a text as arrays, and what it takes to say where code may be cut."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from chunkers.chunk import BoolArray, IntArray

_LONE_CR = re.compile(r"\r(?!\n)")


def piece_of(text: str, start: int, end: int) -> str:
    """`text[start:end]`, each line of which ends with a newline: a carriage return alone is one."""
    piece = text[start:end]
    return _LONE_CR.sub("\n", piece) if "\r" in piece else piece


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a piece that begins at `start` (n rows).

    `starts` are code points of the whole text, `indents` the white space before the first other
    character, which is the whole line in a `blank` one.
    """

    starts: IntArray
    indents: IntArray
    blank: BoolArray
    first: list[str]
    """The first character that is no white space; empty in a blank line."""

    @classmethod
    def of(cls, piece: str, start: int) -> Lines:
        rows = piece.split("\n")
        stripped = [row.lstrip() for row in rows]
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        left = np.fromiter(map(len, stripped), np.int64, len(rows))
        starts = start + np.concatenate([[0], np.cumsum(lengths[:-1] + 1)])
        return cls(starts, lengths - left, left == 0, [row[:1] for row in stripped])

    def after_blank(self) -> BoolArray:
        """Rows right below a blank one."""
        return np.concatenate([[False], self.blank[:-1]])


def disjoint(lines: Lines, levels: list[IntArray | BoolArray]) -> list[IntArray]:
    """Levels of rows as levels of positions.

    Each row stays in the first level that has it. The first row and blank rows are in none, and no
    level is empty.
    """
    free = ~lines.blank
    free[0] = False
    made = []
    for level in levels:
        rows = np.zeros(len(free), np.bool_)
        rows[level] = True
        rows &= free
        free &= ~rows
        if rows.any():
            made.append(lines.starts[rows])
    return made
