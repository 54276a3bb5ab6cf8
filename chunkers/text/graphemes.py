"""Cuts between grapheme clusters (UAX #29, extended), looked for only near the cut.

A plain character (no mark, joiner, jamo, flag, emoji, conjunct letter or prepended sign) always has a
boundary before it, but behind a prepended sign, and one behind it, but before a mark or joiner. So most
cuts need one look; the others are found by matching clusters from the nearest such place.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

import regex

_CLUSTER = regex.compile(r"\X", regex.V1)
_PLAIN = regex.compile(
    r"[\p{Grapheme_Cluster_Break=Other}--[\p{Extended_Pictographic}\p{Indic_Conjunct_Break=Consonant}"
    r"\p{Indic_Conjunct_Break=Linker}\p{Indic_Conjunct_Break=Extend}]]+",
    regex.V1,
)
_CONTROL = regex.compile(r"[\r\n\p{Grapheme_Cluster_Break=Control}]+", regex.V1)
_NO_PREPEND = regex.compile(r"[^\p{Grapheme_Cluster_Break=Prepend}]+", regex.V1)
_NO_EXTENSION = regex.compile(
    r"[^\p{Grapheme_Cluster_Break=Extend}\p{Grapheme_Cluster_Break=ZWJ}\p{Grapheme_Cluster_Break=SpacingMark}]+",
    regex.V1,
)


def floor(text: str, position: int, low: int) -> int:
    """The last cluster boundary in `[low, position]`; `low` counts as one."""
    if position <= low:
        return low
    if position >= len(text):
        return len(text)
    if _pair(text, position):
        return position
    anchor = boundary = _anchor(text, position, low)
    # A slice, for `\X` looks back over all flags before it; nothing behind `text[position]` matters.
    for cluster in _CLUSTER.finditer(text[anchor : position + 1]):
        if anchor + cluster.end() > position:
            return anchor + cluster.start()
        boundary = anchor + cluster.end()
    return boundary


def ceil(text: str, position: int, low: int, high: int) -> int:
    """The first cluster boundary in `[position, high]`; `low` and `high` count as such.

    `low <= position`. The bound keeps a cluster of a million marks from being read for every cut.
    """
    if position >= high:
        return high
    start = floor(text, position, low)
    if start == position:
        return position
    cluster = _CLUSTER.match(text[start:high])
    return start + cluster.end() if cluster else high


def boundaries(text: str, positions: Iterable[int]) -> Iterator[int]:
    """Those of the ascending positions at which a cut leaves every cluster whole."""
    low = inside = 0
    for position in positions:
        if position < inside:
            continue
        low = floor(text, position, low)
        if low == position:
            yield position
        else:
            inside = ceil(text, position, low, len(text))


def _pair(text: str, position: int) -> bool:
    """Whether there is surely a boundary at `position`."""
    after = text[position]
    if after < "\x7f" and text[position - 1] < "\x7f":
        return after != "\n" or text[position - 1] != "\r"
    return _sure_pair().match(text, position - 1) is not None


@functools.cache
def _sure_pair() -> re.Pattern[str]:
    """A plain character behind what takes in none, or before what joins none; or a control behind all but CR."""
    plain, controls = _basic_plane(_PLAIN), _basic_plane(_CONTROL)
    return re.compile(
        f"[{_basic_plane(_NO_PREPEND)}][{plain}]|[{plain}][{_basic_plane(_NO_EXTENSION)}]|[^\\r][{controls}]"
    )


def _basic_plane(runs: regex.Pattern[str]) -> str:
    """The body of a set with the characters of the basic plane: `re` tests such a set faster than `regex` does."""
    plane = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x10000))))
    return "".join(f"\\u{ord(run[0][0]):04x}-\\u{ord(run[0][-1]):04x}" for run in runs.finditer(plane))


def _anchor(text: str, position: int, low: int) -> int:
    """A sure boundary before `position`, or `low`."""
    while position - 1 > low:
        position -= 1
        if _pair(text, position):
            return position
    return low
