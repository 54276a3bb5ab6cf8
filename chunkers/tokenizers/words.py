"""Word tokenizers by name."""

from __future__ import annotations

from chunkers.tokenizers.base import Tokenizer
from chunkers.tokenizers.classic import ClassicTokenizer
from chunkers.tokenizers.letter import LetterTokenizer, LowercaseTokenizer
from chunkers.tokenizers.standard import StandardTokenizer
from chunkers.tokenizers.uax_url_email import UaxUrlEmailTokenizer
from chunkers.tokenizers.whitespace import WhitespaceTokenizer

WORD_TOKENIZERS: dict[str, type[Tokenizer]] = {
    tokenizer.name: tokenizer
    for tokenizer in (
        StandardTokenizer,
        LetterTokenizer,
        LowercaseTokenizer,
        WhitespaceTokenizer,
        ClassicTokenizer,
        UaxUrlEmailTokenizer,
    )
}
