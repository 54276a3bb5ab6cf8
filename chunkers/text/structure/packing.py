"""What the packing of one section needs: its own sizes, and what goes in front of its chunks."""

from __future__ import annotations

import dataclasses
import math

from chunkers.chunk import Context
from chunkers.text.context import once
from chunkers.text.packing import Budget, Front
from chunkers.text.sizes import Sizes


class PartSizes:
    """The sizes of a part of a text, measured by itself, at positions of the whole text (`sizes.Sizes`)."""

    def __init__(self, whole: Sizes, start: int, end: int) -> None:
        self.text = whole.text
        self.counts_tokens = whole.counts_tokens
        self.added = whole.added
        self.size_of = whole.size_of
        self._part = whole.part(start, end)
        self._start = start

    def size(self, start: int, end: int, before: str = "") -> int:
        return self._part.size(start - self._start, end - self._start, before)

    def advance(self, position: int, units: int) -> int:
        return self._start + self._part.advance(position - self._start, units)

    def retreat(self, position: int, units: int) -> int:
        return self._start + self._part.retreat(position - self._start, units)

    def place(self) -> None:
        self._part.place()

    def part(self, start: int, end: int) -> Sizes:
        return self._part.part(start - self._start, end - self._start)


class Fronts:
    """Contexts made to fit, each of them once."""

    def __init__(self, sizes: Sizes, budget: Budget) -> None:
        self._sizes = sizes
        self._budget = budget
        self._share = math.floor(budget.limit * budget.context_share)
        self._known: dict[tuple[Context, bool], Front] = {}
        self._uncounted: dict[Context, Front] = {}

    def fits(self, part: str) -> bool:
        """Whether a part is within what context may take."""
        return self._sizes.size_of(part) <= self._share

    def whole(self, parts: Context) -> Front:
        """As `of`, for a chunk whose room nobody asks for."""
        if parts not in self._uncounted:
            self._uncounted[parts] = Front.whole(once(parts), self._sizes, self._budget)
        return self._uncounted[parts]

    def of(self, parts: Context, shortened: bool = False) -> Front:
        """The front of these parts, flagged as cut when one of them was `shortened` before."""
        key = parts, shortened
        if key not in self._known:
            front = Front.of(once(parts), self._sizes, self._budget)
            self._known[key] = dataclasses.replace(front, cut=True) if shortened else front
        return self._known[key]
