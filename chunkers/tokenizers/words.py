"""Word tokenizers by name."""

from __future__ import annotations

from chunkers.tokenizers.base import WordTokenizer
from chunkers.tokenizers.whitespace import WhitespaceTokenizer

WORD_TOKENIZERS: dict[str, type[WordTokenizer]] = {"whitespace": WhitespaceTokenizer}
