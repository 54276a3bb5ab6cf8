"""Tokenizers: word tokenizers as Lucene cuts, byte-pair encodings, tokenizer files.

`create_tokenizer("cl100k_base").spans(text)` gives the starts and ends of the tokens in code points.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

from chunkers.errors import ConfigurationError, Problem, nearest
from chunkers.parameters import fields, parameter, shown
from chunkers.tokenizers.backends import BACKENDS, byte_pair_tokenizer
from chunkers.tokenizers.base import Tokenizer, Tokens
from chunkers.tokenizers.files import TokenizerFile, supplied, supply
from chunkers.tokenizers.vocabularies import ENCODINGS, file_encoding, named_vocabulary
from chunkers.tokenizers.words import WORD_TOKENIZERS

BACKEND_VARIABLE = "CHUNKMILL_TOKEN_BACKEND"

_ASKED_FOR: ContextVar[set[str]] = ContextVar("asked_for")

__all__ = [
    "BACKENDS",
    "Tokenizer",
    "TokenizerFile",
    "Tokens",
    "asked_for",
    "create_tokenizer",
    "names",
    "supply",
    "tokenizer_file",
    "tokenizer_parameter",
    "tokenizers_of",
]


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
    asked = _ASKED_FOR.get(None)
    if asked is not None:
        asked.add(name)
    chosen = backend or os.environ.get(BACKEND_VARIABLE) or "auto"
    if chosen not in BACKENDS:
        path = "backend" if backend else BACKEND_VARIABLE
        raise ConfigurationError([Problem(path, f"unknown backend {chosen!r}", nearest(chosen, BACKENDS))])
    return _create(name, chosen, supplied(name))


@contextmanager
def asked_for() -> Iterator[set[str]]:
    """The names that `create_tokenizer` is asked for inside the `with`."""
    names: set[str] = set()
    before = _ASKED_FOR.set(names)
    try:
        yield names
    finally:
        _ASKED_FOR.reset(before)


@functools.cache
def tokenizer_file(name: str) -> TokenizerFile | None:
    """The file that `create_tokenizer(name)` reads, to `supply` another process with; None for word tokenizers.

    Raises ConfigurationError as `create_tokenizer` does.
    """
    if name in WORD_TOKENIZERS:
        return None
    return TokenizerFile.of(name, named_vocabulary(name) if name in ENCODINGS else _contents(name))


@functools.cache
def _create(name: str, backend: str, file: TokenizerFile | None) -> Tokenizer:
    """`file` is the one supplied: with another of the same name, another tokenizer is made."""
    if name in WORD_TOKENIZERS:
        return WORD_TOKENIZERS[name]()
    if name in ENCODINGS:
        return byte_pair_tokenizer(ENCODINGS[name], named_vocabulary(name), backend)
    if name == "thai":
        raise _problem(
            "the tokenizer 'thai' takes its words from the Java runtime, each version of which cuts others",
            "standard (a run of Thai is one token) or a byte-pair encoding, as cl100k_base",
        )
    path, pattern = _path(name)
    if path.name.endswith(".tiktoken"):
        data = _contents(name)
        return byte_pair_tokenizer(file_encoding(path, data, pattern), data, backend)
    from chunkers.tokenizers.tokenizer_json import TokenizerJson

    return TokenizerJson(path.name, _contents(name))


def tokenizer_parameter(default: str, use: str = "") -> Any:
    """The parameter `tokenizer` of an algorithm; `use` says more about what it is used for."""
    doc = "What counts tokens: a name, a path to a tokenizer.json, or a path to a .tiktoken rank file."
    return parameter(default, parse=_parse, schema={"type": "string"}, doc=f"{doc} {use}".strip())


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


def tokenizers_of(made: Any) -> set[str]:
    """The tokenizers that the parameters of `made` name (those declared by `tokenizer_parameter`)."""
    declared = (field.name for field in fields(cast(Hashable, type(made))) if field.declaration.parse is _parse)
    return {name for name in (getattr(made, field) for field in declared) if name is not None}


def _path(name: str) -> tuple[Path, str | None]:
    """The file that a name names, and the split pattern behind it."""
    path, _, pattern = name.partition("@")
    if path.endswith(".tiktoken"):
        return Path(path), pattern or None
    if name.endswith(".json"):
        return Path(name), None
    raise _problem(f"unknown tokenizer {name!r}", f"{nearest(name, names())}; or a path to .json or .tiktoken")


def _contents(name: str) -> bytes:
    """The bytes of the file that a name names: the one supplied, else the one at its path."""
    file = supplied(name)
    if file is not None:
        return file.contents()
    path, _ = _path(name)
    if not path.is_file():
        raise _problem(f"no file {str(path)!r}", "give the path of a tokenizer.json or .tiktoken file")
    return path.read_bytes()


def _problem(message: str, hint: str) -> ConfigurationError:
    return ConfigurationError([Problem("tokenizer", message, hint)])
