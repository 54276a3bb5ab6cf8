"""Pipelines at work: which fields, which order, where each passage comes from."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given

from chunkers.errors import DocumentError
from chunkers.opensearch import Passage, read_pipeline
from tests.chunkers.opensearch.pipelines import DOCUMENTS, PIPELINES, commas, pipeline, processor


def run(source: dict[str, Any], *processors: dict[str, Any], **limits: int) -> dict[str, Any]:
    return read_pipeline(pipeline(*processors), **limits).run(source)


def passages(source: dict[str, Any], *processors: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Field, index, start, end and text of each passage."""
    return [passage[:5] for passage in read_pipeline(pipeline(*processors)).passages(source)]


class TestPaths:
    def test_what_an_earlier_processor_writes_is_no_input(self) -> None:
        first = commas(field_map={"a": "b", "n": {"m": {"x": "y"}}})
        second = commas(field_map={"b": "c", "n": {"m": {"y": "z", "w": "b"}}})
        found = read_pipeline(pipeline(first, second))
        assert found.input_paths == (("a",), ("n", "m", "x"), ("n", "m", "w"))
        assert found.output_paths == (("b",), ("n", "m", "y"), ("c",), ("n", "m", "z"), ("n", "m", "b"))

    def test_output_in_the_place_of_the_input(self) -> None:
        found = read_pipeline(pipeline(commas(field_map={"a": "a"}), commas(field_map={"a": "a"})))
        assert (found.input_paths, found.output_paths) == ((("a",),), (("a",),))


class TestRun:
    def test_cascade(self) -> None:
        second = processor({"b": "c"}, "fixed_char_length", char_limit=2)
        assert run({"a": "abc,d"}, commas(), second) == {"a": "abc,d", "b": ["abc,", "d"], "c": ["ab", "c,", "d"]}

    def test_fields_of_one_processor_see_each_other(self) -> None:
        result = run({"a": "1,2"}, commas(field_map={"a": "b", "b": "c"}))
        assert result["c"] == ["1,", "2"]

    def test_output_inside_what_has_become_a_list(self) -> None:
        assert run({"a": "1,2"}, commas(field_map={"a": "b", "b": {"c": "d"}})) == {"a": "1,2", "b": ["1,", "2"]}

    def test_target_that_is_no_string(self) -> None:
        result = run({"a": "x", "b": "y", "c": "z"}, commas(field_map={"a": 5, "b": [1.0, "k"], "c": True}))
        assert (result["5"], result["[1.0, k]"], result["true"]) == (["x"], ["y"], ["z"])

    def test_no_break_spaces_are_not_blank(self) -> None:
        for space in "\u00a0\u2007\u202f\x85":
            assert run({"a": f" {space}"}, commas())["b"] == [f" {space}"]
        assert run({"a": " \t\u2003\u3000\u2028\x1c"}, commas())["b"] == []

    def test_what_is_empty_is_not_missing(self) -> None:
        ignoring = {**commas(field_map={"a": "b", "c": "d", "e": "f"}), "ignore_missing": True}
        assert run({"a": "", "c": []}, ignoring) == {"a": "", "c": [], "b": [], "d": []}

    def test_depth_is_a_setting(self) -> None:
        source: dict[str, Any] = {"n": [{"a": "x"}]}
        body = commas(field_map={"n": {"a": "b"}})
        assert run(source, body)["n"] == run(source, body, max_depth=3)["n"] == [{"a": "x", "b": ["x"]}]
        with pytest.raises(DocumentError, match=r"^max_depth_exceeded: map type field \[n\] reaches max depth limit"):
            run(source, body, max_depth=2)

    def test_map_where_a_string_is_configured(self) -> None:
        message = r"configuration type is: java\.lang\.String, actual value type is: java\.util\.HashMap$"
        with pytest.raises(DocumentError, match=message):
            run({"a": {"x": "y"}}, commas())


class TestIgnoreFailure:
    def test_of_a_document_that_is_refused(self) -> None:
        ignoring = {**commas(), "ignore_failure": True}
        assert run({"a": 1, "c": "1,2"}, ignoring, commas(field_map={"c": "d"})) == {
            "a": 1,
            "c": "1,2",
            "d": ["1,", "2"],
        }
        with pytest.raises(DocumentError):
            run({"a": 1}, commas())

    def test_what_was_written_before_the_failure_stays(self) -> None:
        words = {**processor({"a": "b", "c": "d"}, "fixed_token_length"), "ignore_failure": True}
        assert run({"a": "x", "c": "y z"}, words, max_token_count=1) == {"a": "x", "c": "y z", "b": ["x"]}

    def test_passages_of_a_cascade_that_failed(self) -> None:
        body = pipeline(commas(), {**processor({"b": "c"}, "fixed_token_length"), "ignore_failure": True})
        found = read_pipeline(body, max_token_count=1).passages({"a": "x y,z"})
        assert [passage.text for passage in found] == ["x y,", "z"]


class TestPassages:
    def test_cascade_keeps_the_places_of_the_document(self) -> None:
        second = processor({"b": "c"}, "fixed_char_length", char_limit=2)
        body = pipeline(commas(), second)
        assert read_pipeline(body).passages({"a": "abc,d"}) == [
            Passage("a", None, 0, 2, "ab", "c"),
            Passage("a", None, 2, 4, "c,", "c"),
            Passage("a", None, 4, 5, "d", "c"),
        ]

    def test_array_of_strings(self) -> None:
        assert passages({"a": ["x", "", "y,z"]}, commas()) == [
            ("a", 0, 0, 1, "x"),
            ("a", 2, 0, 2, "y,"),
            ("a", 2, 2, 3, "z"),
        ]

    def test_array_of_objects(self) -> None:
        source = {"n": [{"a": "x"}, {}, {"a": ["y", "z"]}, {"a": "w"}]}
        found = passages(source, {**commas(field_map={"n": {"a": "b"}}), "ignore_missing": True})
        assert found == [("n.a", 0, 0, 1, "x"), ("n.a", 2, 0, 1, "y"), ("n.a", 3, 0, 1, "z"), ("n.a", 4, 0, 1, "w")]

    def test_two_outputs_of_one_field(self) -> None:
        second = processor({"a": "c"}, "fixed_char_length", char_limit=3)
        found = read_pipeline(pipeline(commas(), second)).passages({"a": "x,y"})
        assert [(passage.output, passage.text) for passage in found] == [("b", "x,"), ("b", "y"), ("c", "x,y")]

    def test_output_that_is_overwritten_unread(self) -> None:
        assert passages({"a": "x", "c": "y"}, commas(field_map={"a": "b", "c": "b"})) == [("c", None, 0, 1, "y")]


@given(PIPELINES, DOCUMENTS)
def test_generated(body: dict[str, Any], source: dict[str, Any]) -> None:
    """The same result twice, an input as it was, and passages that are slices of the input."""
    before = copy.deepcopy(source)
    found = pickle.loads(pickle.dumps(read_pipeline(body)))
    try:
        result = found.run(source)
    except DocumentError as error:
        assert source == before
        with pytest.raises(DocumentError, match=f"^{error.reason}: "):
            found.passages(source)
        return
    assert source == before
    assert json.loads(json.dumps(result)) == result == read_pipeline(body).run(before)
    written = {text for path in found.output_paths for text in _texts(result, path)}
    for passage in found.passages(source):
        texts = list(_texts(source, passage.field.split(".")))
        text = texts[passage.source_index or 0]
        assert text[passage.start : passage.end] == passage.text
        assert passage.text in written


def _values(document: Any, path: Sequence[str]) -> Iterator[Any]:
    for value in document if isinstance(document, list) else [document]:
        if isinstance(value, dict):
            inner = value.get(path[0])
            yield from _values(inner, path[1:]) if len(path) > 1 else [inner]


def _texts(document: Any, path: Sequence[str]) -> Iterator[Any]:
    for value in _values(document, path):
        yield from value if isinstance(value, list) else [value]
