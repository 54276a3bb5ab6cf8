"""Work without a clock: how many characters are given to the encoder while a text is chunked."""

from __future__ import annotations

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
        chunkers.create(name, tokenizer=tokenizer, **parameters).spans(text)
    return given
