from __future__ import annotations

from pathlib import Path
from typing import Any

from jobs.manifest import fingerprint, normalized
from tests.jobs.documents import configuration


def _of(chunk: Any, **sections: Any) -> str:
    return fingerprint(configuration("in", Path("out"), chunk=chunk, **sections))


def test_two_ways_to_write_the_same() -> None:
    assert _of({"fixed_char_length": {}}) == _of({"fixed_char_length": {"char_limit": 2048}})
    assert _of({"fixed_char_length": {}}) == _of({"fixed_char_length": None}, input={"where": "x"}, failed=0.1)


def test_what_changes_chunks_changes_it() -> None:
    other = [
        {"fixed_char_length": {"char_limit": 7}},
        [{"delimiter": {}}, {"fixed_char_length": {}}],
        {"delimiter": {}},
    ]
    found = {_of({"fixed_char_length": {}}), *map(_of, other), _of({"delimiter": {}}, context={"lead_chars": 1})}
    assert len(found) == 5


def test_a_cascade_is_a_list() -> None:
    from chunkers import create_algorithm

    made = normalized(create_algorithm([{"delimiter": {}}, {"fixed_char_length": {"char_limit": 7}}]))
    assert [next(iter(stage)) for stage in made] == ["delimiter", "fixed_char_length"]
    assert made[1]["fixed_char_length"]["char_limit"] == 7
