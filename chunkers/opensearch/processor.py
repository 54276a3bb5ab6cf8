"""One `text_chunking` processor at work on one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chunkers.opensearch.algorithms import Algorithm
from chunkers.opensearch.budget import Budget
from chunkers.opensearch.fields import FieldMap, Leaf, check, leaves, string_count
from chunkers.opensearch.java import is_blank
from chunkers.opensearch.trace import Passage, Trace


@dataclass(frozen=True)
class Limits:
    """What the server sets, not the pipeline; None is off."""

    max_token_count: int | None
    max_depth: int | None


@dataclass(frozen=True)
class Processor:
    """What a `text_chunking` processor says."""

    field_map: FieldMap
    algorithm: Algorithm
    max_chunk_limit: int
    ignore_missing: bool
    ignore_failure: bool

    def execute(self, document: dict[str, Any], trace: Trace, limits: Limits) -> None:
        """Write the chunks into `document`.

        Raises DocumentError; fields that were done before stay written, as in OpenSearch.
        """
        check(document, self.field_map, limits.max_depth)
        budget = Budget(self.max_chunk_limit, string_count(document, self.field_map))
        seen: Counter[tuple[str, ...]] = Counter()
        for leaf in leaves(document, self.field_map):
            value = leaf.value
            sources = _sources(leaf, trace.of(value), seen)
            if value is None and self.ignore_missing:
                continue
            output = ".".join((*leaf.parents, leaf.target))
            passages = [
                Passage(
                    source.field, source.source_index, source.start + start, source.start + end, text, output, merged
                )
                for source in sources
                for start, end, text, merged in self._cut(source.text, budget, limits)
            ]
            leaf.container[leaf.target] = trace.produced(passages, value)

    def _cut(self, text: str, budget: Budget, limits: Limits) -> Iterator[tuple[int, int, str, bool]]:
        """Start, end and text of each chunk, and whether it took a rest that the budget left uncut."""
        most = budget.most
        spans = self.algorithm.cut(text, most, limits.max_token_count)
        budget.spend(len(spans))
        merged = len(spans) == most and len(self.algorithm.cut(text[spans[-1][0] :], 2, None)) > 1
        # A span is empty where OpenSearch would have left half a surrogate pair in it.
        return ((start, end, text[start:end], merged and end == len(text)) for start, end in spans if start < end)


def _sources(leaf: Leaf, chunks: list[Passage] | None, seen: Counter[tuple[str, ...]]) -> list[Passage]:
    """The strings of a leaf that are to be cut, each as the passage that it is of its source."""
    if chunks is not None:
        return chunks
    path = (*leaf.parents, leaf.key)
    value = leaf.value
    texts = value if isinstance(value, list) else [value]
    first = seen[path]
    seen[path] += len(texts)
    if isinstance(value, str) and is_blank(value):
        return []
    numbered = leaf.in_array or isinstance(value, list)
    return [
        Passage(".".join(path), number if numbered else None, 0, len(text), text, "")
        for number, text in enumerate(texts, first)
        if text
    ]
