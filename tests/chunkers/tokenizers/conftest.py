"""Encoders that the tokenizers are measured against, and places without vocabularies."""

from __future__ import annotations

import functools
import hashlib
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import tiktoken

from chunkers.tokenizers import vocabularies
from chunkers.tokenizers.vocabularies import named_vocabulary

Encode = Callable[[str], list[int]]

URL = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tiktoken.Encoding]:
    """tiktoken's own encoding of this name, split pattern included, made of the bundled ranks."""
    cache = tmp_path_factory.mktemp("tiktoken-cache")

    @functools.cache
    def encoding(name: str) -> tiktoken.Encoding:
        (cache / hashlib.sha1(URL.format(name).encode()).hexdigest()).write_bytes(named_vocabulary(name))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
            return tiktoken.get_encoding(name)

    return encoding


@pytest.fixture
def bundle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder in the place of the package's vocabularies."""
    folder = tmp_path / "package" / "vocabularies"
    folder.mkdir(parents=True)
    monkeypatch.setattr(vocabularies.importlib.resources, "files", lambda package: folder.parent)
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    return folder


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise AssertionError("a socket was asked for")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
