"""The answer of `_simulate`."""

from __future__ import annotations

import re
from typing import Any

import pytest

from chunkers.errors import ConfigurationError
from chunkers.opensearch import RequestError, simulate
from tests.chunkers.opensearch.pipelines import commas, pipeline, processor

BODY = pipeline(commas())


def test_document() -> None:
    (answer,) = simulate(BODY, [{"_index": "i", "_id": 7, "_routing": "r", "_source": {"a": "1,2"}}])["docs"]
    timestamp = answer["doc"].pop("_ingest")["timestamp"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", timestamp)
    source = {"a": "1,2", "b": ["1,", "2"]}
    assert answer == {"doc": {"_index": "i", "_id": "7", "_routing": "r", "_source": source}}


def test_index_and_id_have_names() -> None:
    (answer,) = simulate(BODY, [{"_source": {}}])["docs"]
    assert (answer["doc"]["_index"], answer["doc"]["_id"]) == ("_index", "_id")


def test_failed_document_among_others() -> None:
    first, second = simulate(BODY, [{"_source": {"a": 1}}, {"_source": {"a": "x"}}])["docs"]
    reason = "map type field [a] is neither string nor nested type, cannot process it"
    cause = {"type": "illegal_argument_exception", "reason": reason}
    assert first == {"error": {"root_cause": [cause], **cause}}
    assert second["doc"]["_source"]["b"] == ["x"]


def test_too_many_tokens() -> None:
    words = pipeline(processor({"a": "b"}, "fixed_token_length"))
    source = {"a": "x " * 10_001}
    (answer,) = simulate(words, [{"_source": source}])["docs"]
    error = answer["error"]
    assert error["type"] == error["root_cause"][0]["type"] == error["caused_by"]["type"] == "illegal_state_exception"
    assert error["reason"] == f"analyzer standard throws exception: {error['caused_by']['reason']}"
    (answer,) = simulate(words, [{"_source": source}], max_token_count=None)["docs"]
    assert len(answer["doc"]["_source"]["b"]) == 27


def test_depth_of_a_server() -> None:
    source: dict[str, Any] = {"a": "x"}
    field_map: dict[str, Any] = {"a": "b"}
    for _ in range(20):
        source, field_map = {"n": source}, {"n": field_map}
    body = pipeline(commas(field_map=field_map))
    (answer,) = simulate(body, [{"_source": source}])["docs"]
    assert answer["error"]["reason"] == "map type field [n] reaches max depth limit, cannot process it"
    assert "doc" in simulate(body, [{"_source": source["n"]}])["docs"][0]


@pytest.mark.parametrize(
    ("docs", "message"),
    [
        ([], r"must specify at least one document in \[docs\]"),
        ({"_source": {}}, r"must specify at least one document in \[docs\]"),
        ([{"_source": {}}, 5], r"docs\[1\] is not an object"),
        ([{"a": "x"}], r"docs\[0\]: \[_source\] required property is missing"),
        ([{"_source": "x"}], r"docs\[0\]: \[_source\] property isn't a map, but of type \[java.lang.String\]"),
        ([{"_source": {}, "_id": True}], r"\[_id\] property isn't a string or int, but of type \[java.lang.Boolean\]"),
    ],
)
def test_documents_that_are_none(docs: Any, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        simulate(BODY, docs)


def test_pipeline_with_faults() -> None:
    with pytest.raises(ConfigurationError, match=r"pipeline\.processors\[0\]\.text_embedding"):
        simulate({"processors": [{"text_embedding": {}}, *BODY["processors"]]}, [{"_source": {}}])
