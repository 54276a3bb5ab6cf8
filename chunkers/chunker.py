"""What every chunking algorithm is made of, and what it gives."""

from __future__ import annotations

import copy
import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar, Literal, Self

import numpy as np
import pyarrow as pa

from chunkers import arrow
from chunkers.chunk import Chunk, Context, IntArray, Spans
from chunkers.errors import DocumentError, invalid_unicode
from chunkers.parameters import parameter
from chunkers.text.blanks import trimmed
from chunkers.text.context import as_parts, once, unsaid
from chunkers.text.placed import Outline, PlacedContext, placed
from chunkers.tokenizers import tokenizers_of


class Algorithm(ABC):
    """Something that chunks a text: one algorithm, or a cascade of several."""

    @abstractmethod
    def spans(self, text: str, context: Context = ()) -> Spans:
        """The spans chosen in `text`; none for a blank one."""

    @abstractmethod
    def pieces(self, text: str, context: Context) -> Spans:
        """The spans with all their context, as those want them who cut them on.

        Headings that a placed context knows are not among it: each span finds its own.
        """

    @abstractmethod
    def without_said(self, text: str, spans: Spans) -> Spans:
        """Leave out the context that a chunk's own text says, unless that costs the limit."""

    @abstractmethod
    def first(self, text: str, spans: Spans, count: int) -> Spans:
        """The first `count` of the spans, the rest of the text joined to the last of them."""

    @abstractmethod
    def tokenizers(self) -> set[str]:
        """Names of the tokenizers it counts with, those of its parts too; a job ships their files."""

    @property
    def columns(self) -> frozenset[str]:
        """Names of the columns that `for_document` looks at."""
        return frozenset()

    def for_document(self, values: Mapping[str, str | None]) -> Algorithm:
        """This algorithm as a document wants it whose columns have these values; raises DocumentError."""
        return self

    def chunk(self, text: str, context: Sequence[str] = (), *, headings: bool = False) -> list[Chunk]:
        """Cut one text into chunks.

        `context` are texts that go in front of every chunk, the farthest first, each on lines of its
        own. With `headings` the Markdown headings above a chunk follow them, where the algorithm has no
        headings of its own. Raises DocumentError for a text that can't be chunked, TypeError for what is no text.
        """
        if not isinstance(text, str):
            raise TypeError(f"a text is a str, not {type(text).__name__}")
        parts = as_parts(context)
        try:
            return _chunks(text, self.spans(text, PlacedContext(parts, Outline.of(text)) if headings else parts))
        except UnicodeEncodeError as error:
            raise invalid_unicode(text) from error

    def chunk_batch(
        self,
        texts: Sequence[str | None],
        contexts: Sequence[Context] | None = None,
        values: Sequence[Mapping[str, str | None]] | None = None,
    ) -> pa.ListArray:
        """Cut many texts: a list of `CHUNK_TYPE` structs for each (n texts, n lists).

        `values` are those of the `columns` of each text's document (n). A text that fails gives one
        struct with `error` set and the rest null, so that it never stops the others.
        """
        if values is None:
            return arrow.chunk_batch(self.spans, texts, contexts)
        given = list(zip(contexts if contexts is not None else repeat(()), values, strict=contexts is not None))
        return arrow.chunk_batch(self.spans_of, texts, given)

    def spans_of(self, text: str, given: Any) -> Spans:
        """The spans of a document; `given` are its context and the values of its columns."""
        context, values = given
        return self.for_document(values).spans(text, context)


@dataclass(frozen=True, kw_only=True)
class Chunker(Algorithm):
    """Base of the algorithms: a frozen dataclass whose fields are its parameters.

    An algorithm writes `cut`; blank texts, `trim` and `max_chunk_limit` are taken care of here.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    max_chunk_limit: int = parameter(
        -1, minimum=1, allowed=(-1,), doc="Most chunks that one text may give; -1 for no limit."
    )
    on_limit: Literal["merge_tail", "error"] = parameter(
        "merge_tail",
        doc="What happens at max_chunk_limit: the rest joins the last chunk (flagged `over_limit` when that "
        "is over a size), or the document fails.",
    )
    trim: bool = parameter(False, doc="Leave out the white space at both ends of every chunk.")

    @abstractmethod
    def cut(self, text: str, context: Context) -> Spans:
        """Choose the spans of a text that is not blank."""

    def spans(self, text: str, context: Context = ()) -> Spans:
        return self.without_said(text, placed(self.pieces(text, context), context))

    def for_document(self, values: Mapping[str, str | None]) -> Self:
        return self

    def tokenizers(self) -> set[str]:
        parts = [value for value in vars(self).values() if isinstance(value, Algorithm)]
        return tokenizers_of(self).union(*(part.tokenizers() for part in parts))

    def pieces(self, text: str, context: Context) -> Spans:
        if not text or text.isspace():
            return Spans.none()
        found = self.cut(text, context)
        if not type(self).__module__.startswith("chunkers."):
            _check_spans(text, found)
        return self.completed(text, found, context)

    def completed(self, text: str, found: Spans, context: Context) -> Spans:
        """What `cut` found, with what all algorithms have in common."""
        if context and found.contexts is None and not isinstance(context, PlacedContext):
            found = dataclasses.replace(found, contexts=[context] * len(found))
        if self.trim:
            found = _trimmed(text, found)
        if 0 < self.max_chunk_limit < found.of_level_0:
            found = self._limited(text, found)
        return found

    def without_said(self, text: str, spans: Spans) -> Spans:
        if spans.contexts is None or not any(spans.contexts):
            return spans
        contexts = list(spans.contexts)
        counts = None if spans.token_counts is None else spans.token_counts.copy()
        over = None if spans.over_limit is None else spans.over_limit.copy()
        given = contexts[0]
        distinct = once(given)
        for row, (start, end) in enumerate(zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)):
            if contexts[row] != given:
                given = contexts[row]
                distinct = once(given)
            piece = text[start:end]
            kept = unsaid(distinct, piece)
            if len(kept) == len(given) or (size := self.size_within(piece, kept)) is None:
                continue
            contexts[row] = kept
            if counts is not None:
                counts[row] = size
            if over is not None:
                over[row] = False
        return dataclasses.replace(spans, contexts=contexts, token_counts=counts, over_limit=over)

    def size_within(self, text: str, context: Context) -> int | None:
        """The size of `text` with this context in front, None when that is over the limit.

        What has no limit gives 0.
        """
        return 0

    def resized(self, text: str, spans: Spans) -> Spans:
        """The same spans after the last one was made longer; an algorithm with a limit recounts it."""
        return spans

    def _limited(self, text: str, found: Spans) -> Spans:
        if self.on_limit == "error":
            raise DocumentError(
                "max_chunk_limit", f"{found.of_level_0} chunks, allowed are {self.max_chunk_limit} (max_chunk_limit)"
            )
        return self.first(text, found, self.max_chunk_limit)

    def first(self, text: str, spans: Spans, count: int) -> Spans:
        if count >= len(spans):
            return spans
        kept = _first(spans, count)
        kept.ends[-1] = spans.ends[-1]
        return self.resized(text, kept)

    def __getstate__(self) -> dict[str, Any]:
        """Parameters only: tokenizers and other parts made on demand are made again."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}


def _check_spans(text: str, spans: Spans) -> None:
    """Somebody's own algorithm is held to what all promise: spans in order, in the text, nothing left out."""
    last_start, last_end = -1, 0
    for start, end in zip(spans.starts.tolist(), spans.ends.tolist(), strict=True):
        if not (last_start < start < end <= len(text) and last_end < end):
            raise DocumentError(
                "wrong_spans", f"[{start}, {end}) after [{max(last_start, 0)}, {last_end}) of {len(text)} characters"
            )
        if text[last_end:start].strip():
            raise DocumentError("wrong_spans", f"text from {last_end} to {start} is in no span")
        last_start, last_end = start, end
    if text[last_end:].strip():
        raise DocumentError("wrong_spans", f"text from {last_end} to {len(text)} is in no span")


def _first(spans: Spans, count: int) -> Spans:
    """The first `count` rows, copied."""
    columns = {field.name: getattr(spans, field.name) for field in dataclasses.fields(spans)}
    kept: dict[str, Any] = {name: None if column is None else column[:count] for name, column in columns.items()}
    return copy.deepcopy(Spans(**kept))


def _trimmed(text: str, spans: Spans) -> Spans:
    if not len(spans):
        return spans
    edges = np.array([trimmed(text, s, e) for s, e in zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)])
    return dataclasses.replace(spans, starts=edges[:, 0], ends=edges[:, 1])


def _chunks(text: str, spans: Spans) -> list[Chunk]:
    """Chunk objects of columns."""
    count = len(spans)
    paths = spans.section_paths or [()] * count
    kinds = spans.kinds or ["text"] * count
    overlaps, indexes = spans.overlaps(), spans.indexes()
    made = []
    for n, (start, end) in enumerate(zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)):
        piece = text[start:end]
        made.append(
            Chunk(
                start,
                end,
                piece,
                "" if spans.contexts is None else "".join(spans.contexts[n]),
                _optional(spans.token_counts, n),
                tuple(paths[n]),
                kinds[n],
                0 if spans.levels is None else int(spans.levels[n]),
                int(indexes[n]),
                int(overlaps[n]),
                spans.over_limit is not None and bool(spans.over_limit[n]),
                spans.context_cut is not None and bool(spans.context_cut[n]),
                _optional(spans.parents, n),
                _optional(spans.window_starts, n),
                _optional(spans.window_ends, n),
            )
        )
    return made


def _optional(column: IntArray | None, row: int) -> int | None:
    return None if column is None or column[row] < 0 else int(column[row])
