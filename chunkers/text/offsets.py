"""From byte offsets of UTF-8 to code points of the text."""

from __future__ import annotations

import numpy as np

from chunkers.chunk import IntArray


def code_points(encoded: bytes, byte_offsets: IntArray, *, ascii_only: bool) -> IntArray:
    """The code point that each byte offset of `encoded` lies in (n offsets, 0..len, any order).

    An offset inside a character gives the character's own index: an end is moved back to its start.
    """
    if ascii_only:
        return byte_offsets
    lead = (np.frombuffer(encoded, np.uint8) & 0xC0) != 0x80
    before = np.zeros(len(encoded) + 1, np.int32)
    np.cumsum(lead, dtype=np.int32, out=before[1:])
    inside = np.zeros(len(encoded) + 1, np.int32)
    inside[:-1] = ~lead
    before -= inside
    return before[byte_offsets].astype(np.int64)


def byte_offsets(encoded: bytes, offsets: IntArray, *, ascii_only: bool) -> IntArray:
    """The byte of `encoded` at which each code point starts (n offsets, 0..length of the text)."""
    if ascii_only:
        return offsets
    leads = np.flatnonzero((np.frombuffer(encoded, np.uint8) & 0xC0) != 0x80)
    return np.append(leads, len(encoded))[offsets]
