"""Words as Lucene's StandardTokenizer cuts: UAX #29 on Unicode 12.1, emoji sequences whole.

Most tokens are found at once as runs of characters (word_runs.py). Where the grammar says more than
that, and where a token is over the limit, the grammar itself reads the text (word_break.py).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np

from chunkers.chunk import IntArray
from chunkers.tokenizers.base import WordTokenizer
from chunkers.tokenizers.character_classes import ClassTable, ranges
from chunkers.tokenizers.longest_match import State, longest, skip, start
from chunkers.tokenizers.runs import MAX_TOKEN_UNITS, Utf16, replaced
from chunkers.tokenizers.word_break import word_break_rules
from chunkers.tokenizers.word_runs import CLASSES, Stretch, word_runs


class StandardTokenizer(WordTokenizer):
    """Words, numbers, ideographs and emoji."""

    name = "standard"

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        classes = _table().of(text)
        starts, ends, stretches = word_runs(classes)
        long = np.flatnonzero(ends - starts > MAX_TOKEN_UNITS // 2)
        if not stretches and not len(long):
            return starts, ends
        utf16 = Utf16(text)
        long = long[utf16.lengths(starts[long], ends[long]) > MAX_TOKEN_UNITS]
        stretches.extend(_around(classes, starts[long], ends[long]))
        spans = [span for stretch in stretches for span in _read(classes, stretch, utf16)]
        return replaced(starts, ends, stretches, spans)


def _around(classes: bytes, starts: IntArray, ends: IntArray) -> Iterator[Stretch]:
    """Stretches from tokens over the limit to the next character that is never part of one."""
    done = 0
    for begin, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if begin >= done:
            found = classes.find(0, end)
            done = found if found >= 0 else len(classes)
            yield begin, done


def _read(classes: bytes, stretch: Stretch, utf16: Utf16) -> Iterator[Stretch]:
    """The tokens of a stretch, as the grammar reads them."""
    position, end = stretch
    while position < end:
        seen = min(end, utf16.floor(position))
        rule, matched, reached = longest(_start(), classes, position, seen)
        if rule >= 0:
            yield position, matched
            position = matched
        else:
            position = skip(_start(), classes, position, reached, seen, MAX_TOKEN_UNITS)


@functools.cache
def _table() -> ClassTable:
    table = ClassTable()
    for name, points in ranges("standard").items():
        table.assign(points, CLASSES[name])
    return table


@functools.cache
def _start() -> State:
    return start(word_break_rules({name: frozenset((number,)) for name, number in CLASSES.items()}))
