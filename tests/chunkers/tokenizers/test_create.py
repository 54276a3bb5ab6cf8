"""Tokenizers by name."""

from __future__ import annotations

from pathlib import Path

import pytest

import chunkers
from chunkers.errors import ConfigurationError
from chunkers.tokenizers import BACKEND_VARIABLE, Tokenizer, create_tokenizer, names
from chunkers.tokenizers.vocabularies import ENCODINGS


@pytest.mark.parametrize("name", names())
def test_every_name_makes_a_tokenizer(name: str) -> None:
    tokenizer = create_tokenizer(name)
    assert isinstance(tokenizer, Tokenizer)
    assert tokenizer.name == name
    assert tokenizer.count("two words") == 2


def test_the_encodings_are_among_the_names() -> None:
    assert {*ENCODINGS, "whitespace", "standard"} <= set(names())


def test_a_tokenizer_is_made_once() -> None:
    assert create_tokenizer("r50k_base") is create_tokenizer("r50k_base")


def test_the_environment_chooses_where_no_backend_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(BACKEND_VARIABLE, raising=False)
    automatic, plain = create_tokenizer("r50k_base", backend="auto"), create_tokenizer("r50k_base", backend="tiktoken")
    assert automatic is not plain
    assert create_tokenizer("r50k_base") is automatic
    monkeypatch.setenv(BACKEND_VARIABLE, "tiktoken")
    assert create_tokenizer("r50k_base") is plain
    assert create_tokenizer("r50k_base", backend="auto") is automatic
    monkeypatch.setenv(BACKEND_VARIABLE, "")
    assert create_tokenizer("r50k_base") is automatic


def test_an_unknown_backend_is_an_error_where_it_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        ConfigurationError, match=r"  backend: unknown backend 'tictoken' \(did you mean 'tiktoken'\?\)"
    ):
        create_tokenizer("r50k_base", backend="tictoken")
    monkeypatch.setenv(BACKEND_VARIABLE, "gigatokens")
    with pytest.raises(ConfigurationError, match=f"{BACKEND_VARIABLE}: unknown backend 'gigatokens'"):
        create_tokenizer("r50k_base")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "cl100kbase",
            r"unknown tokenizer 'cl100kbase' \(did you mean 'cl100k_base'\?; or a path to .json or .tiktoken",
        ),
        ("", "unknown tokenizer ''"),
        ("missing/tokenizer.json", "no file 'missing/tokenizer.json'"),
        ("missing/ranks.tiktoken", "no file 'missing/ranks.tiktoken'"),
        ("missing/ranks.tiktoken@cl100k_base", "no file 'missing/ranks.tiktoken'"),
    ],
)
def test_unknown_names_and_missing_files_are_errors(name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        create_tokenizer(name)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").mkdir()
    with pytest.raises(ConfigurationError, match="no file"):
        create_tokenizer(str(tmp_path / "tokenizer.json"))


@pytest.mark.parametrize(("value", "message"), [("cl100kbase", "unknown tokenizer"), (7, "7 is not a string")])
def test_an_algorithm_reports_a_bad_tokenizer_at_its_key(value: object, message: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        chunkers.create_algorithm({"fixed_token_length": {"tokenizer": value, "token_limit": 0}})
    found = {problem.path: problem.message for problem in error.value.problems}
    assert set(found) == {"chunk.fixed_token_length.tokenizer", "chunk.fixed_token_length.token_limit"}
    assert message in found["chunk.fixed_token_length.tokenizer"]
