"""A long text block by block: what is made of a block stays in cache, and of the whole only positions are kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from chunkers.chunk import IntArray
from chunkers.memory import check_memory

_BLOCK = 1 << 18


def blocks(text: str, end: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Starts and ends of parts of a long text, each but the last ended by a match of `end`."""
    start = 0
    while len(text) - start > 2 * _BLOCK and (match := end.search(text, start + _BLOCK)):
        check_memory()
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def joined(parts: Iterable[IntArray]) -> IntArray:
    """The positions of all parts (n, int32) in an array that grows, so that no two copies of it exist."""
    parts = iter(parts)
    first, second = next(parts), next(parts, None)
    if second is None:
        return first.astype(np.int32, copy=False)
    grown = bytearray(first.astype(np.int32, copy=False).data)
    for part in chain([second], parts):
        grown += part.astype(np.int32, copy=False).data
    return np.frombuffer(grown, np.int32)
