"""Byte offsets and code points: what Python's own decoding says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkers.text.offsets import code_points
from tests.strategies import texts

SHIP = "a\u00e9\u20ac\U0001f6a2"  # characters of 1, 2, 3 and 4 bytes


def decoded(encoded: bytes, end: int) -> int:
    """Whole characters before this byte."""
    return len(encoded[:end].decode(errors="ignore"))


def test_ends_in_bytes_become_ends_in_code_points() -> None:
    encoded = SHIP.encode()
    assert len(encoded) == 10
    assert code_points(encoded, np.array([1, 3, 6, 10]), ascii_only=False).tolist() == [1, 2, 3, 4]


def test_an_end_inside_a_character_moves_back_to_its_start() -> None:
    assert code_points(SHIP.encode(), np.array([2, 5, 7, 9, 10]), ascii_only=False).tolist() == [1, 2, 3, 3, 4]


def test_bytes_of_ascii_are_its_code_points() -> None:
    offsets = np.array([1, 2, 3])
    assert code_points(b"abc", offsets, ascii_only=True) is offsets


@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_offsets_give_none(ascii_only: bool) -> None:
    assert code_points(b"", np.empty(0, np.int64), ascii_only=ascii_only).tolist() == []


@given(text=texts().filter(bool), data=st.data())
def test_decoding_is_the_oracle(text: str, data: st.DataObject) -> None:
    encoded = text.encode()
    ends = sorted({*data.draw(st.lists(st.integers(1, len(encoded)), max_size=20)), len(encoded)})
    found = code_points(encoded, np.array(ends), ascii_only=text.isascii()).tolist()
    assert found == [decoded(encoded, end) for end in ends]
