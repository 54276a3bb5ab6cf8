"""From byte offsets of UTF-8 to code points of the text."""

from __future__ import annotations

import numpy as np

from chunkers.chunk import BoolArray, IntArray


def code_points(encoded: bytes, ends: IntArray, *, ascii_only: bool) -> IntArray:
    """Code points of byte offsets (n, ascending from 1 or more; the last is the length of `encoded`).

    An offset inside a character gives the character's own index: an end is moved back to its start.
    """
    if ascii_only or not len(ends):
        return ends
    lead = _lead(encoded)
    # Widened first: numpy adds up int32 ten times as fast as it casts while adding.
    leads = lead.astype(np.int32).cumsum(dtype=np.int32)
    points = leads.take(ends - 1)
    points -= ~lead.take(ends, mode="clip")
    points[-1] = leads[-1]
    return points


def _lead(encoded: bytes) -> BoolArray:
    """Which bytes start a character: all but 0x80..0xBF, which are -128..-65 when signed."""
    lead: BoolArray = np.frombuffer(encoded, np.int8) > -65
    return lead
