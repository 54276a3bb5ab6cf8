"""Algorithms by name, and every fault of a definition at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import chunkers
from chunkers import Chunker, ConfigurationError, Context, Spans, registry
from chunkers.cascade import Cascade
from chunkers.delimiter import Delimiter
from chunkers.fixed_char_length import FixedCharLength
from chunkers.parameters import parameter


def problems(definition: Any, path: str = "chunk") -> list[tuple[str, str, str]]:
    """Path, message and hint of every fault."""
    with pytest.raises(ConfigurationError) as error:
        chunkers.create_algorithm(definition, path)
    return [(problem.path, problem.message, problem.hint) for problem in error.value.problems]


def test_names_are_known_in_order() -> None:
    assert chunkers.names()[:4] == ["fixed_token_length", "fixed_char_length", "delimiter", "markdown"]
    assert all(registry.algorithm(name).name == name for name in chunkers.names())


def test_create_makes_the_named_algorithm() -> None:
    assert chunkers.create("delimiter", delimiter="!") == Delimiter(delimiter="!")


def test_a_definition_is_one_name_with_its_parameters() -> None:
    assert chunkers.create_algorithm({"delimiter": {"delimiter": "!"}}) == Delimiter(delimiter="!")
    assert chunkers.create_algorithm({"delimiter": None}) == Delimiter()


def test_a_list_of_them_is_a_cascade() -> None:
    made = chunkers.create_algorithm([{"delimiter": {}}, {"fixed_char_length": {"char_limit": 9}}])
    assert isinstance(made, Cascade)
    assert [stage.name for stage in made.stages] == ["delimiter", "fixed_char_length"]
    again = chunkers.create_cascade([("delimiter", {}), ("fixed_char_length", {"char_limit": 9})])
    assert isinstance(again, Cascade)
    assert again.stages == made.stages


def test_every_fault_is_told_at_once() -> None:
    faulty = {"token_limit": 0, "overlap_rate": 0.9, "tokeniser": "x", "tokenizer": "cl100k"}
    assert sorted(problems({"fixed_token_length": faulty})) == [
        ("chunk.fixed_token_length.overlap_rate", "0.9 is out of bounds", "allowed: 0.0 to 0.5"),
        ("chunk.fixed_token_length.token_limit", "0 is out of bounds", "allowed: 1 or more"),
        ("chunk.fixed_token_length.tokeniser", "unknown parameter", "did you mean 'tokenizer'?"),
        (
            "chunk.fixed_token_length.tokenizer",
            "unknown tokenizer 'cl100k'",
            "did you mean 'cl100k_base'?; or a path to .json or .tiktoken",
        ),
    ]


def test_every_stage_of_a_cascade_is_read() -> None:
    stages = [{"delimiter": {"delimiter": ""}}, {"markdown": {"max_depth": "3"}}, {"delimiter": 3}, {"markdwn": {}}]
    assert [path for path, _, _ in problems(stages)] == [
        "chunk[0].delimiter.delimiter",
        "chunk[1].markdown.max_depth",
        "chunk[2].delimiter",
        "chunk[3].markdwn",
    ]


def test_an_unknown_name_gets_the_nearest_known_one() -> None:
    assert problems({"fixed_tokens_length": {}}) == [
        ("chunk.fixed_tokens_length", "unknown algorithm 'fixed_tokens_length'", "did you mean 'fixed_token_length'?")
    ]
    ((_, _, hint),) = problems({"zzz": {}})
    assert hint.startswith("known: ")
    assert all(name in hint for name in chunkers.names())


@pytest.mark.parametrize("definition", ["delimiter", [], None, 3])
def test_what_is_no_definition(definition: object) -> None:
    ((path, message, hint),) = problems(definition)
    assert (path, message) == ("chunk", f"{definition!r} is not a chunk definition")
    assert "{algorithm: {parameters}}" in hint


def test_a_definition_names_an_algorithm() -> None:
    assert problems({}) == [("chunk", "{} does not name one algorithm", "expected {algorithm: {parameters}}")]


def test_a_definition_names_one_algorithm() -> None:
    assert problems({"delimiter": {}, "markdown": {}}) == [
        ("chunk", "names 2 algorithms: 'delimiter', 'markdown'", "keep one; a list of them is a cascade")
    ]
    stages = [{"delimiter": {}}, {"markdown": None, "sentence": None, "recursive": None}]
    assert [(path, message) for path, message, _ in problems(stages)] == [
        ("chunk[1]", "names 3 algorithms: 'markdown', 'sentence', 'recursive'")
    ]


def test_parameters_beside_their_algorithm() -> None:
    assert problems({"recursive": None, "token_limit": 512}) == [
        (
            "chunk",
            "has 2 keys where one names the algorithm: 'recursive', 'token_limit'",
            "no algorithm is 'token_limit': parameters are indented below their algorithm",
        )
    ]


@pytest.mark.parametrize("name", ["delimiter", "markdown", "sentence_window"])
def test_a_tokenizer_counts_for_a_limit(name: str) -> None:
    hint = "give token_limit, or leave tokenizer out: without a limit no tokens are counted"
    assert problems({name: {"tokenizer": "o200k_base"}}) == [
        (f"chunk.{name}.tokenizer", "is given, but token_limit is not", hint)
    ]
    # The default cannot be told from what was not given.
    for parameters in ({"tokenizer": "cl100k_base"}, {"tokenizer": "o200k_base", "token_limit": 9}):
        chunkers.create_algorithm({name: parameters})


def test_an_empty_separator_is_none() -> None:
    ((path, message, hint),) = problems({"recursive": {"separators": ["\n\n", ""]}})
    assert (path, message) == ("chunk.recursive.separators[1]", "is empty, which separates nothing")
    assert hint.startswith("leave it out")


def test_the_path_may_start_elsewhere() -> None:
    ((path, _, _),) = problems([{"delimiter": {"delimiter": ""}}], "chunk.by.cases.text")
    assert path == "chunk.by.cases.text[0].delimiter.delimiter"


def test_the_message_counts_and_lists() -> None:
    with pytest.raises(ConfigurationError) as error:
        chunkers.create("delimiter", delimiter="", trim=1)
    assert str(error.value).splitlines()[0] == "2 problems in the configuration:"
    assert "  delimiter.trim: 1 is not true or false" in str(error.value).splitlines()


@dataclass(frozen=True, kw_only=True)
class Halves(Chunker):
    """An algorithm of one's own, as a user writes it."""

    name = "halves"
    summary = "Two halves."

    parts: int = parameter(2, minimum=1, doc="How many.")

    def cut(self, text: str, context: Context) -> Spans:
        edges = np.linspace(0, len(text), self.parts + 1).astype(np.int64)
        return Spans(edges[:-1], edges[1:])


@pytest.fixture
def halves() -> Iterator[None]:
    chunkers.register("halves", Halves)
    yield
    del registry._ALGORITHMS["halves"]


@pytest.mark.usefixtures("halves")
def test_a_registered_algorithm_works_as_the_others_do() -> None:
    assert chunkers.names()[-1] == "halves"
    assert [chunk.text for chunk in chunkers.create("halves").chunk("abcd")] == ["ab", "cd"]
    cascade = chunkers.create_cascade([("delimiter", {"delimiter": "!"}), ("halves", {})])
    assert [chunk.text for chunk in cascade.chunk("ab!cd")] == ["a", "b!", "c", "d"]
    assert problems({"halves": {"parts": 0}}) == [("chunk.halves.parts", "0 is out of bounds", "allowed: 1 or more")]


@pytest.mark.parametrize("other", [dict, "Halves", Halves(parts=2)])
def test_only_classes_of_chunkers_can_be_registered(other: Any) -> None:
    with pytest.raises(TypeError, match=r"not a class derived from chunkers\.Chunker"):
        chunkers.register("mine", other)
    assert "mine" not in chunkers.names()


def test_a_built_in_algorithm_is_not_replaced() -> None:
    with pytest.raises(ValueError, match="'markdown' is an algorithm of chunkmill itself"):
        chunkers.register("markdown", FixedCharLength)
