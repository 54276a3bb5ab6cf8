"""Sentences of a text in any language: where each one starts."""

from chunkers.text.sentences.languages import check_language
from chunkers.text.sentences.segmenter import sentence_starts

__all__ = ["check_language", "sentence_starts"]
