"""Cuts between grapheme clusters (UAX #29, extended), looked for only near the cut.

Two neighbours that are both plain (no mark, joiner, jamo, flag, emoji, conjunct letter or prepended
sign) always have a boundary between them, so most cuts need one look; the others are found by
matching clusters from the nearest such place.
"""

from __future__ import annotations

import regex

_PLAIN = (
    r"[\p{Grapheme_Cluster_Break=Other}--[\p{Extended_Pictographic}\p{Indic_Conjunct_Break=Consonant}"
    r"\p{Indic_Conjunct_Break=Linker}\p{Indic_Conjunct_Break=Extend}]]"
)
_PLAIN_PAIR = regex.compile(f"{_PLAIN}{{2}}|{_PLAIN}(?=\\p{{Grapheme_Cluster_Break=Control}})", regex.V1)
_CLUSTER = regex.compile(r"\X", regex.V1)
_WINDOW = 64


def floor(text: str, position: int, low: int) -> int:
    """The last cluster boundary in `[low, position]`; `low` counts as one."""
    if position <= low:
        return low
    if position >= len(text):
        return len(text)
    if _pair(text, position):
        return position
    boundary = _anchor(text, position, low)
    # Whether there is a boundary depends on nothing behind the character that follows it.
    for cluster in _CLUSTER.finditer(text, boundary, position + 1):
        if cluster.end() > position:
            return cluster.start()
        boundary = cluster.end()
    return boundary


def ceil(text: str, position: int, low: int, high: int) -> int:
    """The first cluster boundary in `[position, high]`; `low` and `high` count as such.

    `low <= position`. The bound keeps a cluster of a million marks from being read for every cut.
    """
    start = floor(text, position, low)
    if start == position or position >= high:
        return min(position, high)
    cluster = _CLUSTER.match(text, start, high)
    return cluster.end() if cluster else high


def boundaries(text: str, positions: list[int]) -> list[int]:
    """Those of the ascending positions at which a cut leaves every cluster whole."""
    kept: list[int] = []
    low = inside = 0
    for position in positions:
        if position < inside:
            continue
        low = floor(text, position, low)
        if low == position:
            kept.append(position)
        else:
            inside = ceil(text, position, low, len(text))
    return kept


def _pair(text: str, position: int) -> bool:
    before, after = text[position - 1], text[position]
    if before < "\x7f" and after < "\x7f":
        return not (before == "\r" and after == "\n")
    return _PLAIN_PAIR.match(text, position - 1) is not None


def _anchor(text: str, position: int, low: int) -> int:
    """A sure boundary before `position`, or `low`."""
    while position - 1 > low:
        position -= 1
        if _pair(text, position):
            return position
    return low
