"""Passages that `max_chunk_limit` left uncut say so."""

from __future__ import annotations

from typing import Any

import pytest

from chunkers.opensearch import read_pipeline

SOURCE = {"a": "1, 2, 3", "b": "4, 5, 6"}


def flags(name: str, limit: int, **parameters: Any) -> list[tuple[str, bool]]:
    algorithm = {name: {**parameters, "max_chunk_limit": limit}}
    body = {"processors": [{"text_chunking": {"field_map": {"a": "x", "b": "y"}, "algorithm": algorithm}}]}
    return [(passage.text, passage.over_limit) for passage in read_pipeline(body).passages(SOURCE)]


@pytest.mark.parametrize(
    ("name", "parameters", "limit", "expected"),
    [
        ("delimiter", {"delimiter": ","}, 3, [("1,", False), (" 2, 3", True), ("4, 5, 6", True)]),
        ("fixed_char_length", {"char_limit": 3}, 4, [("1, ", False), ("2, ", False), ("3", False), ("4, 5, 6", True)]),
        ("fixed_token_length", {"token_limit": 2}, 2, [("1, 2, 3", True), ("4, 5, 6", True)]),
        ("fixed_token_length", {"token_limit": 2}, 3, [("1, 2, ", False), ("3", False), ("4, 5, 6", True)]),
    ],
)
def test_merged_rests(name: str, parameters: Any, limit: int, expected: list[tuple[str, bool]]) -> None:
    assert flags(name, limit, **parameters) == expected


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("delimiter", {"delimiter": ","}),
        ("fixed_char_length", {"char_limit": 4, "overlap_rate": 0.5}),
        ("fixed_token_length", {"token_limit": 2, "overlap_rate": 0.5}),
    ],
)
def test_none_where_the_limit_is_just_reached_or_off(name: str, parameters: Any) -> None:
    whole = flags(name, -1, **parameters)
    assert not any(over for _, over in whole)
    assert flags(name, len(whole), **parameters) == whole
    assert any(over for _, over in flags(name, len(whole) - 1, **parameters))
