"""Where the chunks of a document come from, through all processors."""

from __future__ import annotations

from typing import Any, NamedTuple


class Passage(NamedTuple):
    """A piece of a document, with the place it came from.

    `field` is the input field that the first processor read (`a.b`), `source_index` which of the
    field's strings it was, counted from 0 through the document, where an array is on the way (else
    None), `start` and `end` code points of that string, `output` the output field (`a.b_chunk`).
    `over_limit`: it holds the rest of its string, which `max_chunk_limit` left no room to cut.
    """

    field: str
    source_index: int | None
    start: int
    end: int
    text: str
    output: str
    over_limit: bool = False


class Trace:
    """The lists of chunks that processors wrote into one document."""

    def __init__(self) -> None:
        # By identity; the list is kept as well, so that no other one gets its identity.
        self._lists: dict[int, tuple[list[str], list[Passage]]] = {}
        self._read: set[int] = set()

    def produced(self, passages: list[Passage], source: Any) -> list[str]:
        """The list to write for these passages, which were cut from the value `source`."""
        texts = [passage.text for passage in passages]
        self._lists[id(texts)] = texts, passages
        if id(source) in self._lists:
            self._read.add(id(source))
        return texts

    def of(self, value: Any) -> list[Passage] | None:
        """The passages of a list that a processor wrote; None for a value of the document's own."""
        found = self._lists.get(id(value))
        return None if found is None else found[1]

    def final(self, value: Any) -> list[Passage]:
        """The passages of a list that no processor has cut further; a second call gives none."""
        found = self._lists.get(id(value))
        if found is None or id(value) in self._read:
            return []
        self._read.add(id(value))
        return found[1]
