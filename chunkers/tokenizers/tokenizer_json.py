"""Hugging Face `tokenizer.json` files, by the `tokenizers` package (extra `huggingface`).

What such a file says about cutting and padding is for feeding a model, so it is switched off:
every character of a text is counted. Dropout is for training one, so it is too.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import numpy as np

from chunkers.chunk import IntArray
from chunkers.errors import ConfigurationError, Problem
from chunkers.tokenizers.base import Tokenizer, Tokens

if TYPE_CHECKING:
    import tokenizers

_UNUSUAL = "a \u05d0 \u4e00 \U0001f600 \ue000 \x00"
_PIECE = 1 << 18


class TokenizerJson(Tokenizer):
    """The tokenizer of a `tokenizer.json` file: its name and its contents.

    `count` includes the special tokens that the file's post-processor adds ([CLS], [SEP] ...);
    `spans` does not. Text that looks like a special token is plain text. Raises ConfigurationError
    when the file holds no tokenizer, or one that fails on unusual characters.
    """

    def __init__(self, name: str, contents: bytes) -> None:
        self.name = name
        self._encoder = _load(name, contents)
        self.added_tokens = self._encoder.num_special_tokens_to_add(is_pair=False)

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        encoding = self._encoder.encode(text, add_special_tokens=False)
        return _ascending(np.array(encoding.offsets, np.int64).reshape(-1, 2), len(text))

    def count(self, text: str) -> int:
        # The batch call is the one that leaves out the offsets, which take most of the time.
        return len(self._encoder.encode_batch_fast([text])[0])

    def tokenize(self, text: str) -> Tokens:
        """Tokenize `text` piece by piece, since an encoding takes up to 1 kB for each character.

        Starts are where to try a cut, so a token that a piece's end splits does no harm.
        """
        pieces = range(0, max(len(text), 1), _PIECE)
        starts = [self.spans(text[at : at + _PIECE])[0] + at for at in pieces]
        return Tokens(text, np.concatenate(starts), self.count)


def _load(name: str, contents: bytes) -> tokenizers.Tokenizer:
    if importlib.util.find_spec("tokenizers") is None:
        raise _problem(f"{name} needs the tokenizers package", "pip install chunkmill[huggingface]")
    import tokenizers

    try:
        encoder = tokenizers.Tokenizer.from_buffer(contents)
    except ValueError as error:
        raise _problem(f"{name} holds no tokenizer: {error}", "expected a Hugging Face tokenizer.json") from error
    encoder.no_truncation()
    encoder.no_padding()
    encoder.encode_special_tokens = True
    if isinstance(encoder.model, tokenizers.models.BPE):
        encoder.model.dropout = None
    try:
        encoder.encode(_UNUSUAL)
    except Exception as error:  # The package raises nothing more precise.
        hint = "give its model an unknown token (unk_token, unk_id)"
        raise _problem(f"{name} can't encode every text: {error}", hint) from error
    return encoder


def _ascending(offsets: IntArray, length: int) -> tuple[IntArray, IntArray]:
    """Starts and ends of the tokens.

    Tokens that share a character (its bytes, or what a normalizer made of it) all have that
    character's offsets: all but the last one end where it starts. Normalizers that take characters
    out or put them in promise nothing, so the order is made sure of.
    """
    starts = np.maximum.accumulate(np.clip(offsets[:, 0], 0, length))
    ends = np.clip(offsets[:, 1], starts, length)
    ends[:-1] = np.minimum(ends[:-1], starts[1:])
    return starts, ends


def _problem(message: str, hint: str) -> ConfigurationError:
    return ConfigurationError([Problem("tokenizer", message, hint)])
