"""Work without a clock: how many characters are given to the encoder while a text is chunked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

import chunkers
from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.byte_pair import BytePairTokenizer


def encoded_characters(
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    *,
    name: str = "fixed_token_length",
    tokenizer: str = "cl100k_base",
    **parameters: object,
) -> int:
    """Characters encoded by an algorithm with a byte-pair encoding."""
    algorithm = chunkers.create(name, tokenizer=tokenizer, **parameters)
    return encoded_while(monkeypatch, lambda: algorithm.spans(text), tokenizer)


def encoded_while(monkeypatch: pytest.MonkeyPatch, run: Callable[[], object], tokenizer: str = "cl100k_base") -> int:
    """Characters that a byte-pair encoding is given while something runs."""
    made = create_tokenizer(tokenizer)
    assert isinstance(made, BytePairTokenizer)
    encode = made.encode_ids
    given = 0

    def counted(encoded: bytes) -> npt.NDArray[np.uint32]:
        nonlocal given
        given += len(encoded.decode())
        return encode(encoded)

    with monkeypatch.context() as patch:
        patch.setattr(made, "encode_ids", counted)
        run()
    return given
