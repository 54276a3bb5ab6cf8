"""The chunking of a `semantic` field as a pipeline."""

from __future__ import annotations

from typing import Any

import pytest

from chunkers.errors import ConfigurationError
from chunkers.opensearch import read_pipeline, semantic_field_pipeline


def test_true_is_one_stage_with_all_defaults() -> None:
    algorithm: dict[str, Any] = {"fixed_token_length": {}}
    processor = {"field_map": {"a": "b"}, "algorithm": algorithm}
    assert semantic_field_pipeline(True, "a", "b") == {"processors": [{"text_chunking": processor}]}


def test_stages_run_one_after_the_other() -> None:
    stages = [
        {"algorithm": "delimiter", "parameters": {"delimiter": ","}},
        {"algorithm": "fixed_char_length", "parameters": {"char_limit": 2}},
    ]
    pipeline = read_pipeline(semantic_field_pipeline(stages, "a", "b"))
    assert pipeline.run({"a": "ab,cd,e"})["b"] == ["ab", ",", "cd", ",", "e"]
    assert [passage.start for passage in pipeline.passages({"a": "ab,cd,e"})] == [0, 2, 3, 5, 6]


@pytest.mark.parametrize(
    ("chunking", "message"),
    [
        (False, r"must be either a List of Maps or a Boolean \(False says nothing to chunk"),
        (["delimiter"], "must be either a List of Maps or a Boolean"),
        ([{"algorithm": "delimiter"}, {"parameters": {}}], r"chunking\[1\]\.algorithm: \[algorithm\] must be one of"),
        ([{"algorithm": "delimiter", "parameters": 5}], r"parameters for \[delimiter\] algorithm must be an object"),
        ([{"algorithm": "delimiter", "x": 1}], r"chunking\[0\]: \[chunking\] does not support parameters \[\[x\]\]"),
    ],
)
def test_faults(chunking: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        semantic_field_pipeline(chunking, "a", "b")
