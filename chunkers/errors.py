"""One root for every error, and the problems that a configuration can have."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


class ChunkmillError(Exception):
    """Root of all errors that chunkmill raises on purpose."""

    exit_code = 1


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in a configuration.

    `path` is the key's path (`chunk.recursive.token_limit`), `message` says what was found and what
    was expected, `hint` what to do about it.
    """

    path: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.path}: {self.message}{hint}" if self.path else f"{self.message}{hint}"


class ConfigurationError(ChunkmillError):
    """Everything that is wrong with a definition or a configuration, all at once."""

    exit_code = 2

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        head = "1 problem" if count == 1 else f"{count} problems"
        super().__init__("\n".join([f"{head} in the configuration:", *(f"  {p}" for p in self.problems)]))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems,)


class DocumentError(ChunkmillError):
    """One document can't be chunked; the others can.

    `reason` is a short code for the documents table (`max_chunk_limit`), `detail` a sentence.
    """

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.detail)


def nearest(name: object, known: Iterable[str]) -> str:
    """A hint that names the closest known word, or lists all of them."""
    options = sorted(known)
    close = difflib.get_close_matches(str(name), options, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(options)}"


_SURROGATE = re.compile("[\ud800-\udfff]")


def invalid_unicode(text: str) -> DocumentError:
    """The failure of a document that can't be encoded."""
    found = _SURROGATE.search(text)
    return DocumentError(
        "invalid_unicode",
        f"a lone surrogate at character {found.start()}" if found else "a lone surrogate in the context",
    )
