"""What goes in front of a text: parts on lines of their own, the farthest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chunkers.chunk import Context
from chunkers.text import graphemes


def as_parts(texts: Iterable[str | None]) -> Context:
    """Parts of these texts: blank ones left out, each ended by one newline."""
    return tuple(f"{text.strip()}\n" for text in texts if text is not None and text.strip())


def unsaid(parts: Context, text: str) -> Context:
    """The parts that `text` does not already contain as words of its own."""
    return tuple(part for part in parts if not _says(text, part.strip()))


def fit(parts: Context, count: Callable[[str], int], budget: int) -> tuple[Context, bool]:
    """The parts that fit into `budget` (units of `count`), and whether something was cut.

    What is nearest to the text is kept first: lines are taken from the last one backwards, and the
    first line that does not fit keeps as much of its beginning as does.
    """
    if not parts or count("".join(parts)) <= budget:
        return parts, False
    lines = [line for part in parts for line in part.splitlines(keepends=True)]
    kept = lines[_first_fitting(lines, count, budget) :]
    dropped = lines[: len(lines) - len(kept)]
    beginning = _beginning(dropped[-1].rstrip(), "".join(kept), count, budget)
    return tuple([beginning, *kept] if beginning else kept), True


def _says(text: str, words: str) -> bool:
    found = text.find(words)
    while found >= 0:
        end = found + len(words)
        joined_before = found > 0 and words[0].isalnum() and text[found - 1].isalnum()
        joined_after = end < len(text) and words[-1].isalnum() and text[end].isalnum()
        if not (joined_before or joined_after):
            return True
        found = text.find(words, found + 1)
    return False


def _first_fitting(lines: list[str], count: Callable[[str], int], budget: int) -> int:
    """The first line from which all lines to the end fit: a binary search, so few counts."""
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high) // 2
        if count("".join(lines[middle:])) <= budget:
            high = middle
        else:
            low = middle + 1
    return low


def _beginning(line: str, after: str, count: Callable[[str], int], budget: int) -> str:
    """The longest beginning of `line`, as a line of its own, that fits before `after`."""
    low, high = 0, min(len(line), budget * 64)
    while low < high:
        middle = (low + high + 1) // 2
        if count(f"{line[:middle]}\n{after}") <= budget:
            low = middle
        else:
            high = middle - 1
    cut = graphemes.floor(line, low, 0)
    beginning = line[:cut].rstrip()
    while beginning and count(f"{beginning}\n{after}") > budget:
        beginning = beginning[: graphemes.floor(beginning, len(beginning) - 1, 0)].rstrip()
    return f"{beginning}\n" if beginning else ""
