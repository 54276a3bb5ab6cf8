"""Base of the algorithms that look for sentences."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from chunkers.chunk import IntArray
from chunkers.chunker import Chunker
from chunkers.errors import DocumentError, Problem
from chunkers.parameters import parameter, shown
from chunkers.text.sentences import check_language, sentence_starts


def _read_language(value: Any, path: str, problems: list[Problem]) -> Any:
    wrong = check_language(value) if isinstance(value, str) else f"{shown(value)} is no language code, as 'en'"
    if wrong:
        problems.append(Problem(path, wrong))
    return value


@dataclass(frozen=True, kw_only=True)
class LanguageChunker(Chunker):
    """An algorithm whose cuts depend on the language of a text."""

    language: str | None = parameter(
        None,
        parse=_read_language,
        schema={"type": "string", "minLength": 2},
        doc="Language of the texts (BCP 47, as `en` or `he`). Not given, the script of each text decides.",
    )
    language_column: str | None = parameter(
        None, doc="Column with the language of each document; where it is null, `language` holds."
    )

    @property
    def columns(self) -> frozenset[str]:
        return frozenset() if self.language_column is None else frozenset([self.language_column])

    def for_document(self, values: Mapping[str, str | None]) -> Self:
        language = values.get(self.language_column) if self.language_column is not None else None
        if language is None or language == self.language:
            return self
        if wrong := self.wrong_language(language):
            raise DocumentError("unknown_language", f"{wrong} (column {self.language_column})")
        return dataclasses.replace(self, language=language)

    def wrong_language(self, language: str) -> str | None:
        """What is wrong with a language code; None when it is fine."""
        return check_language(language)

    def sentence_starts(self, text: str) -> IntArray:
        """Starts of the sentences (n, code points)."""
        return sentence_starts(text, self.language)
