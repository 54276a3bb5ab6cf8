"""The three algorithms of `text_chunking`, to the letter.

They differ from those of the same names in `chunkers`: no care for graphemes or blank pieces, a
budget of chunks, token-less text dropped.
"""

from __future__ import annotations

import itertools
import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from chunkers.chunk import IntArray
from chunkers.errors import DocumentError, nearest
from chunkers.opensearch.parameters import Parameters
from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.runs import Utf16
from chunkers.tokenizers.words import WORD_TOKENIZERS

Span = tuple[int, int]


class Algorithm(ABC):
    """Cuts one string."""

    name: str

    @classmethod
    @abstractmethod
    def read(cls, parameters: Parameters) -> Algorithm:
        """The algorithm with these parameters; faults go to where `parameters` collects them."""

    @abstractmethod
    def cut(self, text: str, most: int | None, max_token_count: int | None) -> list[Span]:
        """Spans of the chunks, in code points.

        There are at most `most`, the last of which then takes the rest. A text of more tokens than
        `max_token_count` raises DocumentError.
        """


@dataclass(frozen=True)
class FixedTokenLength(Algorithm):
    """A chunk every `token_limit` tokens, each up to where the next one's first token starts."""

    name = "fixed_token_length"

    token_limit: int
    overlap_rate: float
    tokenizer: str

    @classmethod
    def read(cls, parameters: Parameters) -> FixedTokenLength:
        return cls(
            parameters.positive("token_limit", 384),
            parameters.overlap_rate(show_value=False),
            _tokenizer(parameters),
        )

    def cut(self, text: str, most: int | None, max_token_count: int | None) -> list[Span]:
        starts, _ = create_tokenizer(self.tokenizer).spans(text)
        if max_token_count is not None and len(starts) > max_token_count:
            raise DocumentError("max_token_count_exceeded", self._too_many(max_token_count))
        firsts, lasts = _windows(len(starts), self.token_limit, self.overlap_rate, most)
        edges = np.append(starts, len(text))
        begins, ends = edges[firsts], edges[lasts]
        begins[:1] = 0
        return list(zip(begins.tolist(), ends.tolist(), strict=True))

    def _too_many(self, max_token_count: int) -> str:
        return f"analyzer {self.tokenizer} throws exception: {token_count_message(max_token_count)}"


@dataclass(frozen=True)
class FixedCharLength(Algorithm):
    """A chunk every `char_limit` UTF-16 code units; a cut inside a surrogate pair is moved before it."""

    name = "fixed_char_length"

    char_limit: int
    overlap_rate: float

    @classmethod
    def read(cls, parameters: Parameters) -> FixedCharLength:
        return cls(parameters.positive("char_limit", 2048), parameters.overlap_rate(show_value=True))

    def cut(self, text: str, most: int | None, max_token_count: int | None) -> list[Span]:
        utf16 = Utf16(text)
        units = int(utf16.lengths(np.array([0]), np.array([len(text)]))[0])
        firsts, lasts = _windows(units, self.char_limit, self.overlap_rate, most)
        return list(zip(utf16.points(firsts).tolist(), utf16.points(lasts).tolist(), strict=True))


@dataclass(frozen=True)
class Delimiter(Algorithm):
    """A chunk up to and with each literal delimiter, and one for the rest."""

    name = "delimiter"

    delimiter: str

    @classmethod
    def read(cls, parameters: Parameters) -> Delimiter:
        return cls(parameters.string("delimiter", "\n\n"))

    def cut(self, text: str, most: int | None, max_token_count: int | None) -> list[Span]:
        found = re.finditer(re.escape(self.delimiter), text)
        ends = [match.end() for match in itertools.islice(found, None if most is None else most - 1)]
        if text and (not ends or ends[-1] < len(text)):
            ends.append(len(text))
        return list(itertools.pairwise([0, *ends]))


ALGORITHMS: dict[str, type[Algorithm]] = {
    algorithm.name: algorithm for algorithm in (FixedTokenLength, FixedCharLength, Delimiter)
}


def token_count_message(max_token_count: int) -> str:
    return (
        f"The number of tokens produced by calling _analyze has exceeded the allowed maximum of [{max_token_count}]. "
        "This limit can be set by changing the [index.analyze.max_token_count] index level setting."
    )


def _windows(length: int, size: int, rate: float, most: int | None) -> tuple[IntArray, IntArray]:
    """Starts and ends of the windows over `length` units.

    The last window ends with the units: nothing follows that would only repeat.
    """
    if not length:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    step = size - (0 if math.isnan(rate) else math.floor(size * rate))
    count = 1 - min(0, (size - length) // step)
    count = count if most is None else min(count, most)
    firsts = np.arange(count, dtype=np.int64) * step
    lasts = firsts + size
    lasts[-1] = length
    return firsts, lasts


def _tokenizer(parameters: Parameters) -> str:
    """The name of a tokenizer that `text_chunking` knows."""
    name = parameters.string("tokenizer", "standard")
    if name in WORD_TOKENIZERS:
        return name
    if name == "thai":
        message = "Tokenizer [thai] takes its words from the Java runtime, each version of which cuts others."
        hint = f"use one of {', '.join(WORD_TOKENIZERS)}; or, in a chunk definition of your own, cl100k_base"
        parameters.refuse("tokenizer", message, hint)
    else:
        message = f"Tokenizer [{name}] is not supported for [{FixedTokenLength.name}] algorithm."
        supported = f"Supported tokenizers are [{', '.join(WORD_TOKENIZERS)}]"
        parameters.refuse("tokenizer", f"{message} {supported}", nearest(name, WORD_TOKENIZERS))
    return "standard"
