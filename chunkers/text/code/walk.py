"""What begins each line of a parsed text: a walk over the syntax tree with no recursion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chunkers.text.code.grammars import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

DEFINITION, STATEMENT, CONTINUATION = range(3)

_OPENINGS = frozenset("({")
_CLOSINGS = frozenset(")]}")

_MOST_HOLDERS = 6
"""How deep a function may be in what holds it: `export const f = memo(...)` has four."""


@dataclass(slots=True)
class Unit:
    """Something named that begins on `row` as the first thing in its line.

    `kind` is DEFINITION for a class, a function and what comes right after one, STATEMENT for another
    statement or member, CONTINUATION for what stands inside a statement. `depth` counts the
    statements around it. `leads` says that it is the first in its body.
    """

    row: int
    end_row: int
    depth: int
    kind: int
    leads: bool
    attached: bool
    attribute: bool


@dataclass(slots=True)
class Walked:
    """What a walk found.

    Units by row; rows that go on with the head of a class or function; spans of rows that begin
    inside a token; rows that close what is above; how many rows are no code.
    """

    units: list[Unit] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    inside: list[tuple[int, int]] = field(default_factory=list)
    closing: list[int] = field(default_factory=list)
    error_rows: int = 0


@dataclass(slots=True)
class _Frame:
    """A node whose children are being walked; `is_head` until its body begins."""

    is_body: bool
    is_head: bool
    in_error: bool
    counted_row: int
    depth: int
    fresh: bool = True
    after_definition: bool = False


def walk(tree: Tree, grammar: Grammar) -> Walked:
    """Find what begins each line. Only nodes of several lines are gone into."""
    found = Walked()
    cursor = tree.walk()
    is_error = tree.root_node.is_error
    frames = [_Frame(True, False, is_error, -1, 0, fresh=False)]
    if is_error:
        found.error_rows = tree.root_node.end_point.row + 1
    if not cursor.goto_first_child():
        return found
    touched = -1
    while True:
        node = cursor.node
        assert node is not None
        row, end_row = _rows(node)
        kind = node.type
        is_body = kind in grammar.bodies or kind == "ERROR"
        if row > touched and not is_body and kind not in grammar.clauses:
            _begin(found, frames[-1], node, row, end_row, grammar)
            touched = row
        if row < end_row:
            if kind in grammar.opaque:
                found.inside.append((row + 1, end_row + 1))
            elif cursor.goto_first_child():
                frames.append(_entered(frames[-1], kind, row, grammar))
                if frames[-1].in_error and not frames[-2].in_error:
                    found.error_rows += end_row - row + 1
                continue
        touched = max(touched, end_row)
        if kind in _OPENINGS:
            frames[-1].is_head = False
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
            frames.pop()


def _rows(node: Node) -> tuple[int, int]:
    """First and last row; a newline that ends a node is still of the last one."""
    row, (end_row, end_column) = node.start_point[0], node.end_point
    return row, end_row - 1 if end_column == 0 and end_row > row else end_row


def _begin(found: Walked, frame: _Frame, node: Node, row: int, end_row: int, grammar: Grammar) -> None:
    """Note what a line begins with."""
    kind = node.type
    if kind in _CLOSINGS or kind in grammar.closings:
        found.closing.append(row)
        return
    if frame.is_head and "comment" not in kind:
        found.heads.append(row)
        return
    if not node.is_named:
        return
    attached = kind in grammar.attached
    rank = CONTINUATION
    leads = False
    if frame.is_body:
        is_definition = not attached and _is_definition(node, grammar)
        rank = DEFINITION if is_definition or frame.after_definition else STATEMENT
        leads, frame.fresh, frame.after_definition = frame.fresh, False, is_definition
    found.units.append(Unit(row, end_row, frame.depth, rank, leads, attached, attached and "comment" not in kind))


def _is_definition(node: Node, grammar: Grammar) -> bool:
    held: Node | None = node
    for _ in range(_MOST_HOLDERS):
        if held is None or held.type in grammar.definitions:
            return held is not None
        if held.type not in grammar.holders:
            return False
        held = held.named_child(held.named_child_count - 1) if held.named_child_count else None
    return False


def _entered(frame: _Frame, kind: str, row: int, grammar: Grammar) -> _Frame:
    """The frame of a node of several lines inside `frame`."""
    is_error = kind == "ERROR"
    is_body = kind in grammar.bodies or is_error
    is_wrapper = kind in grammar.wrappers
    counts = row != frame.counted_row and not (is_body or is_wrapper or kind in grammar.clauses)
    return _Frame(
        is_body,
        is_wrapper or kind in grammar.definitions or kind == "modifiers",
        frame.in_error or is_error,
        row if counts else frame.counted_row,
        frame.depth + counts,
        fresh=not is_error,
    )
