"""Cuts between grapheme clusters: what `regex` finds with `\\X` over the whole text."""

from __future__ import annotations

import itertools

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunkers.text import graphemes
from tests.strategies import CLUSTERS, SCRIPTS, slices, texts

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # five code points, one cluster
ACCENTED = "e\u0301"


def oracle(text: str) -> list[int]:
    """All boundaries, both ends included."""
    return [0, *(match.end() for match in regex.finditer(r"\X", text))]


# floor and ceil


def test_floor_moves_a_cut_back_to_where_the_cluster_starts() -> None:
    text = f"ab{FAMILY}c"
    assert [graphemes.floor(text, position, 0) for position in range(9)] == [0, 1, 2, 2, 2, 2, 2, 7, 8]


def test_ceil_moves_a_cut_on_to_where_the_cluster_ends() -> None:
    text = f"ab{FAMILY}c"
    assert [graphemes.ceil(text, position, 0, 8) for position in range(9)] == [0, 1, 2, 7, 7, 7, 7, 7, 8]


def test_the_bounds_count_as_boundaries() -> None:
    text = f"ab{FAMILY}c"
    assert graphemes.floor(text, 5, 4) == 4
    assert graphemes.floor(text, 3, 4) == 4
    assert graphemes.ceil(text, 4, 2, 5) == 5
    assert graphemes.ceil(text, 6, 0, 5) == 5


def test_behind_the_end_is_the_end() -> None:
    assert graphemes.floor("abc", 9, 0) == 3
    assert graphemes.ceil("abc", 9, 0, 3) == 3


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        (ACCENTED, [1]),
        ("\r\n", [1]),
        (FAMILY, [1, 2, 3, 4]),
        ("\U0001f1ee\U0001f1f1\U0001f1ef\U0001f1f5", [1, 3]),
        ("\u1112\u1161\u11ab", [1, 2]),
        ("\u0e19\u0e49\u0e33", [1, 2]),
        ("\u0915\u094d\u0937\u093f", [1, 2, 3]),
        ("1\ufe0f\u20e3", [1, 2]),
        ("\u0600" + "1", [1]),
    ],
    ids=["accent", "line-end", "family", "two-flags", "hangul", "thai", "conjunct", "keycap", "prepended"],
)
def test_no_cut_inside(text: str, inside: list[int]) -> None:
    moved = [position for position in range(1, len(text)) if graphemes.floor(text, position, 0) != position]
    assert moved == inside


# boundaries


def test_positions_inside_a_cluster_are_left_out() -> None:
    text = f"{ACCENTED}a\r\nb"
    assert list(graphemes.boundaries(text, [0, 1, 2, 3, 4, 5, 6])) == [0, 2, 3, 5, 6]
    assert list(graphemes.boundaries(text, [])) == []


# Against the oracle


@given(texts())
def test_every_position_without_bounds(text: str) -> None:
    found = set(oracle(text))
    positions = range(len(text) + 1)
    assert list(graphemes.boundaries(text, list(positions))) == sorted(found)
    for position in positions:
        assert graphemes.floor(text, position, 0) == max(edge for edge in found if edge <= position)
        assert graphemes.ceil(text, position, 0, len(text)) == min(edge for edge in found if edge >= position)


_BREAKS = (
    *("CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark"),
    *("L", "V", "T", "LV", "LVT", "Other"),
)
_CONJUNCT_BREAKS = ("Consonant", "Linker", "Extend")


def representatives() -> list[str]:
    """One character for each combination of the properties that the rules for clusters ask for, in each plane."""
    patterns = [
        *(rf"\p{{Grapheme_Cluster_Break={kind}}}" for kind in _BREAKS),
        *(rf"\p{{Indic_Conjunct_Break={kind}}}" for kind in _CONJUNCT_BREAKS),
        r"\p{Extended_Pictographic}",
    ]
    properties = [regex.compile(pattern, regex.V1) for pattern in patterns]
    found: dict[tuple[bool, ...], str] = {}
    for point in (*range(0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE0200)):
        character = chr(point)
        is_so = (point > 0xFFFF, *(prop.match(character) is not None for prop in properties))
        found.setdefault(is_so, character)
    return list(found.values())


def test_every_rule_for_three_neighbours() -> None:
    for text in map("".join, itertools.product(representatives(), repeat=3)):
        assert list(graphemes.boundaries(text, [0, 1, 2, 3])) == oracle(text), ascii(text)


@given(st.lists(st.sampled_from([*CLUSTERS, *SCRIPTS, "a", "\r", "\n"]), min_size=1, max_size=12).map("".join))
def test_a_boundary_as_bound_changes_nothing(text: str) -> None:
    edges = oracle(text)
    for low in edges:
        for position in range(low, len(text) + 1):
            expected = max(edge for edge in edges if edge <= position)
            assert graphemes.floor(text, position, low) == expected


@given(slices(), st.data())
def test_results_stay_within_the_bounds(piece: tuple[str, int, int], data: st.DataObject) -> None:
    text, low, high = piece
    position = data.draw(st.integers(low, high))
    floor, ceil = graphemes.floor(text, position, low), graphemes.ceil(text, position, low, high)
    assert low <= floor <= position <= ceil <= high
    edges = oracle(text)
    assert floor == low or floor in [low + edge for edge in oracle(text[low:])]
    assert ceil in (floor, high, *edges, *(low + edge for edge in oracle(text[low:])))


@given(texts(), st.data())
def test_some_positions(text: str, data: st.DataObject) -> None:
    positions = data.draw(st.lists(st.integers(0, len(text)), unique=True).map(sorted))
    assert list(graphemes.boundaries(text, positions)) == sorted(set(positions) & set(oracle(text)))
