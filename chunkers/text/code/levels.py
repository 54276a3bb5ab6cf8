"""Levels of code by its grammar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from chunkers.chunk import BoolArray, IntArray
from chunkers.text.code.grammars import GRAMMARS, parser
from chunkers.text.code.lines import Lines, disjoint, piece_of
from chunkers.text.code.parsing import syntax_tree
from chunkers.text.code.plain import plain_levels
from chunkers.text.code.walk import CONTINUATION, DEFINITION, Unit, walk

_DEEPEST = 8
"""What is nested deeper counts as nested so deep."""

_Key = tuple[int, int]


def code_levels(text: str, start: int, end: int, language: str) -> list[IntArray] | None:
    """Cut positions inside `text[start:end]`, coarse to fine and disjoint.

    For each depth of nesting, the outermost first: before classes and functions (and what comes right
    after one), before statements and members below a blank line, before the others, before what
    continues a statement on a line of its own. Then before any other line of code, and at last inside
    comments and strings of several lines. Decorators, attributes and comments directly above stay with
    what they belong to; the first statement of a body stays with its head as long as it can.

    Positions are code points of `text`, ascending in each level. `language` is a name that
    `known_language` gives; None when no grammar is installed for it. Where most of the text is no
    code of that language, the levels are those of `plain_code_levels`.
    """
    made = parser(language)
    if made is None:
        return None
    piece = piece_of(text, start, end)
    lines = Lines.of(piece, start)
    tree = syntax_tree(made, piece)
    if tree is None:
        return plain_levels(lines)
    walked = walk(tree, GRAMMARS[language])
    if 2 * walked.error_rows > len(lines.blank):
        return plain_levels(lines)
    by_key: defaultdict[_Key, list[int]] = defaultdict(list)
    taken = np.zeros(len(lines.blank), np.bool_)
    taken[walked.heads] = True
    for first, last, key in _cuts(walked.units, lines):
        by_key[key].append(first)
        taken[first : last + 1] = True
    inside = _rows(walked.inside, len(taken))
    closing = np.zeros(len(taken), np.bool_)
    closing[walked.closing] = True
    below_blank = lines.after_blank()
    levels: list[IntArray | BoolArray] = [np.array(by_key[key]) for key in sorted(by_key)]
    return disjoint(lines, [*levels, ~(inside | closing | taken), inside & below_blank, ~lines.blank])


def _rows(spans: list[tuple[int, int]], count: int) -> BoolArray:
    """Which of `count` rows are in one of the spans, half-open and apart."""
    inside = np.zeros(count, np.bool_)
    for first, last in spans:
        inside[first:last] = True
    return inside


def _cuts(units: list[Unit], lines: Lines) -> Iterator[tuple[int, int, _Key]]:
    """Each unit with what is attached to it: the first row, the row it begins on itself, its key."""
    group: list[Unit] = []
    for unit in units:
        if group and not _touches(group[-1], unit, lines):
            yield group[0].row, group[-1].row, _key(group[0], group[0], lines)
            group = []
        if unit.attached:
            group.append(unit)
        else:
            first = group[0] if group else unit
            yield first.row, unit.row, _key(first, unit, lines)
            group = []
    if group:
        yield group[0].row, group[-1].row, _key(group[0], group[0], lines)


def _touches(above: Unit, unit: Unit, lines: Lines) -> bool:
    """Whether what is attached is right above; an attribute belongs to what follows at any distance."""
    return unit.row <= above.end_row + 1 or (above.attribute and bool(lines.blank[above.end_row + 1 : unit.row].all()))


def _key(first: Unit, unit: Unit, lines: Lines) -> _Key:
    """Depth and rank of a cut before `first`, which belongs to `unit`.

    The start of a body is as fine as what continues a statement one level deeper.
    """
    depth = min(unit.depth, _DEEPEST)
    if first.leads or unit.leads:
        return depth + 1, 3
    kind = min(first.kind, unit.kind) if first.depth == unit.depth else unit.kind
    if kind == DEFINITION:
        return depth, 0
    if kind == CONTINUATION:
        return depth, 3
    return depth, 1 if lines.blank[first.row - 1] else 2
