"""Tables of GitHub Flavored Markdown: rows are lines, cells stand between pipes."""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER_ROW = re.compile(r"[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?>(?:\|[ \t]*+:?-++:?[ \t]*+)*)\|?[ \t]*+\Z")


def row_starts(text: str, start: int, end: int) -> list[int]:
    """Where the lines of a table start: the header's, the delimiter row's, then those of the rows."""
    return [line.start() for line in _LINE.finditer(text, start, end) if line.start() < line.end()]


def cells(row: str) -> list[str]:
    """The cells of one row, as written between its pipes."""
    inner = row.strip().removeprefix("|")
    found = _PIPE.split(inner)
    return found[:-1] if len(found) > 1 and not found[-1].strip() else found


def cell_starts(text: str, start: int, end: int) -> list[int]:
    """Where a row may be cut between cells: in front of each pipe that has a cell before and behind it."""
    row = text[start:end]
    low, high = len(row) - len(row.lstrip("> \t")), len(row.rstrip())
    return [start + pipe.start() for pipe in _PIPE.finditer(row, low + 1, max(high - 1, 0))]


def is_delimiter_row(line: str) -> bool:
    return "|" in line and _DELIMITER_ROW.match(line.rstrip("\r\n")) is not None


def table_in_paragraph(text: str, start: int, end: int) -> int | None:
    """Where a table starts in what the parser took for a paragraph, if one does.

    A header row without a pipe in front ends a paragraph on GitHub too; the parser only sees it where a
    block starts.
    """
    lines = row_starts(text, start, end)
    for n, line in enumerate(lines[1:], 1):
        after = lines[n + 1] if n + 1 < len(lines) else end
        row = text[line:after]
        if is_delimiter_row(row) and len(cells(row)) == len(cells(text[lines[n - 1] : line])):
            return lines[n - 1]
    return None
