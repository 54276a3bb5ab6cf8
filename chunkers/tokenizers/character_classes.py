"""Character classes that tokenizers tell apart, pinned to the Unicode versions that Lucene's grammars name.

Read off Lucene 9.9.1's own scanners, code point by code point; the Unicode version that happens to
come with Python plays no part.
"""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

_CODE_POINTS = 0x110000


def ranges(tokenizer: str) -> dict[str, list[range]]:
    """The code points of each class of a tokenizer, by the class's name."""
    place = importlib.resources.files("chunkers.tokenizers") / "character_classes.json"
    tables: dict[str, Any] = json.loads(place.read_text(encoding="ascii"))
    return {name: list(_ranges(text)) for name, text in tables[tokenizer]["classes"].items()}


def _ranges(text: str) -> Iterator[range]:
    for part in text.split():
        first, _, last = part.partition("-")
        yield range(int(first, 16), int(last or first, 16) + 1)


class ClassTable:
    """A number (0..255) for every code point."""

    def __init__(self) -> None:
        self._numbers = np.zeros(_CODE_POINTS, np.uint8)
        self._ascii = bytes(128)

    def assign(self, points: list[range], number: int) -> None:
        for run in points:
            self._numbers[run.start : run.stop] = number
        self._ascii = self._numbers[:128].tobytes() + bytes(128)

    def flag(self, points: list[range], bits: int) -> None:
        """Set bits of the numbers of these code points, beyond ASCII."""
        for run in points:
            self._numbers[run.start : run.stop] |= bits

    def of(self, text: str) -> bytes:
        """The numbers of a text's characters (n, one byte each)."""
        if text.isascii():
            return text.encode("ascii").translate(self._ascii)
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        return np.asarray(self._numbers[points]).tobytes()
