"""Tokenizers: word tokenizers as Lucene cuts, byte-pair encodings, tokenizer files.

`create_tokenizer("cl100k_base").spans(text)` gives the starts and ends of the tokens in code points.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any

from chunkers.errors import ConfigurationError, Problem, nearest
from chunkers.parameters import parameter, shown
from chunkers.tokenizers.backends import BACKENDS, byte_pair_tokenizer
from chunkers.tokenizers.base import Tokenizer, Tokens
from chunkers.tokenizers.vocabularies import ENCODINGS, file_encoding, named_vocabulary
from chunkers.tokenizers.words import WORD_TOKENIZERS

BACKEND_VARIABLE = "CHUNKMILL_TOKEN_BACKEND"

__all__ = ["BACKENDS", "Tokenizer", "Tokens", "create_tokenizer", "names", "tokenizer_parameter"]


def names() -> list[str]:
    """Names that `create_tokenizer` knows, files aside."""
    return sorted([*WORD_TOKENIZERS, *ENCODINGS])


def create_tokenizer(name: str, *, backend: str | None = None) -> Tokenizer:
    """The tokenizer of this name, made once per process.

    `name` is one of `names()`, a path to a `tokenizer.json`, or a path to a `.tiktoken` rank file
    (`ranks.tiktoken@cl100k_base` names the split pattern of one that is not published by OpenAI).
    `backend` says what encodes byte pairs: `auto` (gigatoken where installed), `gigatoken`,
    `tiktoken`; not given, the environment variable CHUNKMILL_TOKEN_BACKEND says it, else `auto`.
    Raises ConfigurationError for an unknown name or backend, a missing or damaged file.
    """
    chosen = backend or os.environ.get(BACKEND_VARIABLE) or "auto"
    if chosen not in BACKENDS:
        path = "backend" if backend else BACKEND_VARIABLE
        raise ConfigurationError([Problem(path, f"unknown backend {chosen!r}", nearest(chosen, BACKENDS))])
    return _create(name, chosen)


@functools.cache
def _create(name: str, backend: str) -> Tokenizer:
    if name in WORD_TOKENIZERS:
        return WORD_TOKENIZERS[name]()
    if name in ENCODINGS:
        return byte_pair_tokenizer(ENCODINGS[name], named_vocabulary(name), backend)
    if name == "thai":
        raise _problem(
            "the tokenizer 'thai' takes its words from the Java runtime, each version of which cuts others",
            "standard (a run of Thai is one token) or a byte-pair encoding, as cl100k_base",
        )
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
