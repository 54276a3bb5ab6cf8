"""Tokenizers: word tokenizers as Lucene cuts, byte-pair encodings, tokenizer files.

`create_tokenizer("cl100k_base").spans(text)` gives the starts and ends of the tokens in code points.
"""

from __future__ import annotations

import functools
from pathlib import Path

from typing import Any

from chunkers.errors import ConfigurationError, Problem, nearest
from chunkers.parameters import parameter, shown
from chunkers.tokenizers.backends import BACKENDS, byte_pair_tokenizer
from chunkers.tokenizers.base import Tokenizer, Tokens
from chunkers.tokenizers.vocabularies import ENCODINGS, file_encoding, named_vocabulary
from chunkers.tokenizers.words import WORD_TOKENIZERS

__all__ = ["BACKENDS", "Tokenizer", "Tokens", "create_tokenizer", "names", "tokenizer_parameter"]


def names() -> list[str]:
    """Names that `create_tokenizer` knows, files aside."""
    return sorted([*WORD_TOKENIZERS, *ENCODINGS])


@functools.cache
def create_tokenizer(name: str, *, backend: str = "auto") -> Tokenizer:
    """The tokenizer of this name, made once per process.

    `name` is one of `names()`, a path to a `tokenizer.json`, or a path to a `.tiktoken` rank file
    (`ranks.tiktoken@cl100k_base` names the split pattern of one that is not published by OpenAI).
    `backend` says what encodes byte pairs: `auto` (gigatoken where installed), `gigatoken`,
    `tiktoken`. Raises ConfigurationError for an unknown name, a missing or damaged file.
    """
    if backend not in BACKENDS:
        raise _problem(f"unknown backend {backend!r}", nearest(backend, BACKENDS))
    if name in WORD_TOKENIZERS:
        return WORD_TOKENIZERS[name]()
    if name in ENCODINGS:
        return byte_pair_tokenizer(ENCODINGS[name], named_vocabulary(name), backend)
    path, _, pattern = name.partition("@")
    if path.endswith(".tiktoken"):
        data = _file(path).read_bytes()
        return byte_pair_tokenizer(file_encoding(Path(path), data, pattern or None), data, backend)
    if name.endswith(".json"):
        from chunkers.tokenizers.tokenizer_json import TokenizerJson

        return TokenizerJson(_file(name))
    raise _problem(f"unknown tokenizer {name!r}", f"{nearest(name, names())}; or a path to .json or .tiktoken")


def tokenizer_parameter(default: str) -> Any:
    """The parameter `tokenizer` of an algorithm."""
    return parameter(
        default,
        parse=_parse,
        schema={"type": "string"},
        doc="What counts tokens: a name, a path to a tokenizer.json, or a path to a .tiktoken rank file.",
    )


def _parse(value: Any, path: str, problems: list[Problem]) -> Any:
    """Check that the tokenizer exists by making it; it is needed anyway."""
    if not isinstance(value, str):
        problems.append(Problem(path, f"{shown(value)} is not a string"))
        return value
    try:
        create_tokenizer(value)
    except ConfigurationError as error:
        problems.extend(Problem(path, problem.message, problem.hint) for problem in error.problems)
    return value


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise _problem(f"no file {name!r}", "give the path of a tokenizer.json or .tiktoken file")
    return path


def _problem(message: str, hint: str) -> ConfigurationError:
    return ConfigurationError([Problem("tokenizer", message, hint)])
