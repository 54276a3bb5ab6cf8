"""Encoders that the tokenizers are measured against."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable

import pytest
import tiktoken

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
