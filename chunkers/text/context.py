"""What goes in front of a text: parts on lines of their own, the farthest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chunkers.chunk import Context
from chunkers.parameters import shown
from chunkers.text import graphemes
from chunkers.text.blanks import words_start


def as_parts(texts: Iterable[str | None]) -> Context:
    """Parts of these texts: blank ones left out, each ended by one newline. One string is no list of them."""
    if isinstance(texts, str):
        raise TypeError(f"{shown(texts)} is one string: give a list of texts, [{shown(texts)}]")
    given = [text for text in texts if text is not None]
    for text in given:
        if not isinstance(text, str):
            raise TypeError(f"{shown(text)} is no text: context is a list of strings")
    return tuple(f"{text.strip()}\n" for text in given if text.strip())


_LONGEST_UNIT = 256
"""No more characters a unit of the budget are looked at, so that a huge context costs no more than a large one."""


class Location(str):
    """A part of context that tells where a text stands: a heading above it, the header of its table, its fence.

    Words further down in the text may be the same, and are there for what follows them.
    """

    __slots__ = ()


def unsaid(parts: Context, text: str) -> Context:
    """The parts that `text` does not already say: a `Location` at its beginning, others as words of their own."""
    kept = []
    begin = -1
    for part in parts:
        words = part.strip()
        if type(part) is not Location:
            said = _says(text, words)
        else:
            if begin < 0:
                begin = words_start(text, 0, len(text))
            end = begin + len(words)
            said = text.startswith(words, begin) and not _joins(words[-1:], text[end : end + 1])
            begin = words_start(text, end, len(text)) if said else begin
        if not said:
            kept.append(part)
    return tuple(kept)


def once(parts: Context) -> Context:
    """The parts that no nearer part says again."""
    return tuple(part for n, part in enumerate(parts) if not any(_says(near, part.strip()) for near in parts[n + 1 :]))


def fit(parts: Context, count: Callable[[str], int], budget: int) -> tuple[Context, bool]:
    """The parts that fit into `budget` (units of `count`), and whether something was cut.

    What is nearest to the text is kept first: lines are taken from the last one backwards, and the
    first line that does not fit keeps as much of its beginning as does, unless that is bare markup
    (the `#` of `# Mill`).
    """
    if not parts:
        return parts, False
    lines, whole = _nearest_lines(parts, budget * _LONGEST_UNIT)
    if whole and count("".join(lines)) <= budget:
        return parts, False
    first = _first_fitting(lines, count, budget)
    kept = lines[first:]
    if not budget:
        return tuple(kept), True
    beginning = _beginning(lines[first - 1].rstrip(), "".join(kept), count, budget)
    return tuple([beginning, *kept] if beginning else kept), True


def _nearest_lines(parts: Context, most: int) -> tuple[list[str], bool]:
    """The last lines of the parts, about `most` characters of them, and whether those are all.

    When they are not, only the first may be longer than that: it does not fit.
    """
    lines: list[str] = []
    for part in reversed(parts):
        if len(part) > most:
            start = part.find("\n", len(part) - most - 1) + 1
            if start == len(part):
                start = part.rfind("\n", 0, -1) + 1
            return [*_lines(part[start:]), *lines], False
        lines = [*_lines(part), *lines]
        most -= len(part)
    return lines, True


def _lines(part: str) -> list[str]:
    """The lines of a part, each ended by a newline; no other sign ends one, unlike in `str.splitlines`."""
    return [type(part)(f"{line}\n") for line in part.removesuffix("\n").split("\n")]


def _says(text: str, words: str) -> bool:
    found = text.find(words)
    while found >= 0:
        end = found + len(words)
        if not (_joins(text[found - 1 : found], words[:1]) or _joins(words[-1:], text[end : end + 1])):
            return True
        # Long words found again so close overlap themselves, as in a text of one letter: trying each is quadratic.
        found = text.find(words, found + max(1, len(words) // 64))
    return False


def _joins(before: str, after: str) -> bool:
    """Whether two neighbours are of one word, or of one mark (`##` is not `#`)."""
    return before != "" and (before == after or (before.isalnum() and after.isalnum()))


def _first_fitting(lines: list[str], count: Callable[[str], int], budget: int) -> int:
    """The line after the first from which all to the end fit: a binary search, so few counts."""
    low, high = 1, len(lines)
    while low < high:
        middle = (low + high) // 2
        if count("".join(lines[middle:])) <= budget:
            high = middle
        else:
            low = middle + 1
    return low


def _beginning(line: str, after: str, count: Callable[[str], int], budget: int) -> str:
    """The longest beginning of `line`, as a line of its own, that fits before `after`; none that is bare markup."""
    low, high = 0, min(len(line), budget * 64)
    while low < high:
        middle = (low + high + 1) // 2
        if count(f"{line[:middle]}\n{after}") <= budget:
            low = middle
        else:
            high = middle - 1
    cut = _between_words(line, graphemes.floor(line, low, 0))
    beginning = line[:cut].rstrip()
    while beginning and count(f"{beginning}\n{after}") > budget:
        beginning = beginning[: graphemes.floor(beginning, len(beginning) - 1, 0)].rstrip()
    return f"{beginning}\n" if any(map(str.isalnum, beginning)) else ""


def _between_words(line: str, cut: int) -> int:
    """The cut, or the end of the word before it when it falls inside a word."""
    if cut == len(line) or not (line[cut - 1 : cut].isalnum() and line[cut].isalnum()):
        return cut
    return line.rfind(" ", 0, cut) + 1 or cut
