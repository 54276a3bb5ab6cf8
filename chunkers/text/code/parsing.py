"""Parsing that takes no more than a text of its length may, whatever stands in it.

tree-sitter is linear on code, but on what is no code of the language it can take time and memory that
grow with the square of the text: 8 KB of `a=>` for Java take 2.3 GB. Two things prevent that. The
parser's own steps are counted and limited. And a text of more than a few lines is parsed window by
window first: where a window is mostly unknown to the grammar, the whole is not parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

_WINDOW = 1000
_LONGEST_LINE = 1024

# Code in seven languages takes at most 19 steps for each 1,000 bytes of a window, has chains of 15 nodes at
# its ends, and 97 nodes of it are in no syntax.
_STEPS_OF_WINDOW = 0.022
_STEPS_OF_TEXT = 0.05
_FIRST_STEPS = 100
_LONGEST_CHAIN = 100
_MOST_UNKNOWN = 250


def syntax_tree(parser: Parser, piece: str) -> Tree | None:
    """The tree of a piece of code, None where it cannot be parsed soundly.

    Rows are those of the piece; the middle of a line longer than 1,024 characters is left out.
    """
    rows = [row if len(row) <= _LONGEST_LINE else _without_middle(row) for row in piece.split("\n")]
    encoded = "\n".join(rows).encode()
    if len(encoded) > 2 * _WINDOW and not all(_is_sound(parser, window) for window in _windows(rows)):
        return None
    return _parse(parser, encoded, _FIRST_STEPS + int(len(encoded) * _STEPS_OF_TEXT))


def _without_middle(row: str) -> str:
    return row[: _LONGEST_LINE // 2] + row[-_LONGEST_LINE // 2 :]


def _windows(rows: list[str]) -> Iterator[bytes]:
    """All the rows, a few at a time."""
    window: list[str] = []
    size = 0
    for row in rows:
        window.append(row)
        size += len(row) + 1
        if size >= _WINDOW:
            yield "\n".join(window).encode()
            window, size = [], 0
    yield "\n".join(window).encode()


def _parse(parser: Parser, encoded: bytes, steps: int) -> Tree | None:
    """The tree, None when it takes the parser more steps, each of which are 100 of its own."""
    left = steps

    def is_too_long(_offset: int, _has_error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        return parser.parse(lambda offset, _point: encoded[offset : offset + 65_536], progress_callback=is_too_long)
    except ValueError:
        # What a parse stopped like this has done would be gone on with.
        parser.reset()
        return None


def _is_sound(parser: Parser, window: bytes) -> bool:
    """Whether a window is mostly code."""
    tree = _parse(parser, window, int(max(_WINDOW, len(window)) * _STEPS_OF_WINDOW))
    if tree is None:
        return False
    root = tree.root_node
    if not root.has_error:
        return True
    unknown = sum(node.child_count for node in (root, *root.children) if node.is_error)
    first, last = tree.walk(), tree.walk()
    return unknown <= _MOST_UNKNOWN and not (_is_long(first.goto_first_child) or _is_long(last.goto_last_child))


def _is_long(step: Callable[[], bool]) -> bool:
    """Whether a chain of nodes goes deeper than code does."""
    return all(step() for _ in range(_LONGEST_CHAIN))
