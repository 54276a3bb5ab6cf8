"""Pipeline bodies: what is a definition, and what is refused with which words."""

from __future__ import annotations

from typing import Any

import pytest

from chunkers.errors import ConfigurationError, Problem
from chunkers.opensearch import read_pipeline
from tests.chunkers.opensearch.pipelines import commas, pipeline, processor


def faults(body: Any, *skip: str) -> dict[str, str]:
    """Messages by path."""
    problems: list[Problem] = []
    assert read_pipeline(body, skip, "p", problems) is None
    assert len({problem.path for problem in problems}) == len(problems)
    return {problem.path: problem.message for problem in problems}


class TestBody:
    def test_get_returns_it_under_its_id(self) -> None:
        body = {"description": "d", "version": 3, **pipeline({**commas(), "tag": "t", "description": None})}
        assert read_pipeline({"my-pipeline": body}).run({"a": "1,2"}) == read_pipeline(body).run({"a": "1,2"})

    def test_id_is_part_of_the_path(self) -> None:
        place = "p.x.processors[0].text_chunking.algorithm"
        assert faults({"x": pipeline({"field_map": {}})}) == {place: "[algorithm] required property is missing"}

    def test_several_pipelines(self) -> None:
        assert faults({"x": pipeline(commas()), "y": pipeline(commas())}) == {"p": "several pipelines: x, y"}

    @pytest.mark.parametrize("body", [None, [], "processors"])
    def test_no_object(self, body: Any) -> None:
        assert faults(body) == {"p": f"{body!r} is not a pipeline"}

    def test_several_processors_in_one_object(self) -> None:
        body = {"processors": [{"text_chunking": commas(), "set": {"field": "x", "value": 1}}]}
        assert faults(body) == {"p.processors[0].set": "the processor set is none that chunks"}
        assert read_pipeline(body, ["set"]).run({"a": "1,2"})["b"] == ["1,", "2"]

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "[processors] required property is missing"),
            ({"processors": {}}, "[processors] property isn't a list, but of type [java.util.HashMap]"),
            ({"processors": []}, "no text_chunking processor"),
            ({"processors": [{"set": {}}]}, "no text_chunking processor"),
        ],
    )
    def test_without_processors(self, body: Any, message: str) -> None:
        assert faults(body, "set") == {"p.processors": message}


class TestProcessor:
    def test_everything_at_once(self) -> None:
        body = pipeline(
            {"field_map": 1, "algorithm": {"delimiter": {"delimiter": ""}}, "ignore_mising": True},
            {"field_map": {}, "algorithm": [], "ignore_missing": "true", "tag": 5},
        )
        first, second = "p.processors[0].text_chunking.", "p.processors[1].text_chunking."
        key = "processor [text_chunking] doesn't support one or more provided configuration parameters [ignore_mising]"
        assert faults(body) == {
            f"{first}ignore_mising": key,
            f"{first}field_map": "[field_map] property isn't a map, but of type [java.lang.Integer]",
            f"{first}algorithm.delimiter.delimiter": "Parameter [delimiter] should not be empty.",
            f"{second}tag": "[tag] property isn't a string, but of type [java.lang.Integer]",
            f"{second}ignore_missing": "[ignore_missing] property isn't a boolean, but of type [java.lang.String]",
            f"{second}algorithm": "[algorithm] property isn't a map, but of type [java.util.ArrayList]",
        }

    def test_conditions_are_not_for_this_place(self) -> None:
        body = {**pipeline({**commas(), "if": "ctx.x", "on_failure": [{"set": {}}]}), "on_failure": [{"set": {}}]}
        assert faults(body) == {
            "p.on_failure": "on_failure runs only on the server",
            "p.processors[0].text_chunking.if": "if runs only on the server",
            "p.processors[0].text_chunking.on_failure": "on_failure runs only on the server",
        }
        assert read_pipeline(body, ["if", "on_failure"]).run({"a": "1,2"})["b"] == ["1,", "2"]

    def test_metadata_is_no_field(self) -> None:
        body = pipeline(commas(field_map={"_id": "x", "y": "_index", "n": {"_id": "z"}}))
        place = "p.processors[0].text_chunking.field_map."
        assert faults(body) == {
            f"{place}_id": "_id is the document's metadata, which only the server has",
            f"{place}y": "_index is the document's metadata, which only the server has",
        }

    def test_field_names_of_yaml(self) -> None:
        body = pipeline(commas(field_map={"n": {1: "x"}}))
        assert faults(body) == {"p.processors[0].text_chunking.field_map.n.1": "the field 1 is not a string"}


class TestParameters:
    def test_all_of_an_algorithm(self) -> None:
        values = {"token_limit": "0x", "overlap_rate": "0.6f", "max_chunk_limit": 0, "tokenizer": "keyword"}
        place = "p.processors[0].text_chunking.algorithm.fixed_token_length."
        assert faults(pipeline(processor({}, "fixed_token_length", **values))) == {
            f"{place}token_limit": "Parameter [token_limit] must be of java.lang.Integer type",
            f"{place}overlap_rate": "Parameter [overlap_rate] must be between 0.0 and 0.5",
            f"{place}tokenizer": "Tokenizer [keyword] is not supported for [fixed_token_length] algorithm. Supported "
            "tokenizers are [standard, letter, lowercase, whitespace, classic, uax_url_email]",
            f"{place}max_chunk_limit": "Parameter [max_chunk_limit] must be positive or -1 to disable this parameter",
        }

    def test_thai_names_what_there_is_instead(self) -> None:
        with pytest.raises(ConfigurationError, match=r"Java runtime.*use one of standard, letter.*cl100k_base"):
            read_pipeline(pipeline(processor({}, "fixed_token_length", tokenizer="thai")))

    def test_null_is_explained(self) -> None:
        with pytest.raises(ConfigurationError, match="leave the key out for the default"):
            read_pipeline(pipeline(processor({}, "fixed_char_length", char_limit=None)))
