"""`parent_child`: large parents to return, small children to search."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from chunkers.cascade import carried, joined
from chunkers.chunk import Context, Spans, joined_numbers, joined_values
from chunkers.chunker import Algorithm, Chunker
from chunkers.errors import Problem
from chunkers.parameters import parameter
from chunkers.sized import PackingChunker, SizedChunker
from chunkers.text.packing import Part
from chunkers.text.placed import PlacedContext, located, part_of, placed
from chunkers.text.sizes import Sizes


def _read_algorithm(value: Any, path: str, problems: list[Problem]) -> Algorithm | None:
    from chunkers.registry import read_algorithm

    if isinstance(value, Algorithm):
        return value
    found = read_algorithm(value, path, problems)
    if isinstance(found, ParentChild):
        problems.append(Problem(path, "is parent_child again", "there are two levels: parents and children"))
    return found


def _recursive(token_limit: int) -> Algorithm:
    from chunkers.registry import create

    return create("recursive", token_limit=token_limit)


_SCHEMA = {"$ref": "#/$defs/definition"}


@dataclass(frozen=True, kw_only=True)
class ParentChild(Chunker):
    """Chunks on two levels: parents (level 1), and children (level 0) cut from each parent.

    Children are what gets embedded and searched, parents what is given to the model. A child never
    crosses its parent; what max_chunk_limit joins to the last child joins its parent too. Where parents
    overlap, the shared text has its children in the first of them, so that nothing is found twice. The
    method is known as small-to-big or parent document retrieval (LangChain, LlamaIndex).
    """

    name = "parent_child"
    summary = "Large parents to return, small children to search."

    parent: Algorithm = parameter(
        factory=functools.partial(_recursive, 2048),
        parse=_read_algorithm,
        schema=_SCHEMA,
        doc="Algorithm of the parents, or a cascade. Not given, it is `{recursive: {token_limit: 2048}}`.",
    )
    child: Algorithm = parameter(
        factory=functools.partial(_recursive, 256),
        parse=_read_algorithm,
        schema=_SCHEMA,
        doc="Algorithm that cuts each parent, or a cascade. Not given, it is `{recursive: {token_limit: 256}}`.",
    )

    @property
    def columns(self) -> frozenset[str]:
        return self.parent.columns | self.child.columns

    def for_document(self, values: Mapping[str, str | None]) -> Self:
        parent, child = self.parent.for_document(values), self.child.for_document(values)
        return dataclasses.replace(self, parent=parent, child=child) if self.columns else self

    def check(self, path: str) -> list[Problem]:
        problems = []
        if self.trim:
            hint = f"set it in {path}.parent and {path}.child"
            problems.append(Problem(f"{path}.trim", "is a matter of the two algorithms", hint))
        if isinstance(self.parent, SizedChunker) and isinstance(self.child, SizedChunker):
            problems += _size_problems(self.parent, self.child, f"{path}.child")
        return problems

    def cut(self, text: str, context: Context) -> Spans:
        sizes = self._shared_sizes(text)
        parents = self._parents(text, context, sizes)
        children, rows = self._children(text, context, parents, sizes)
        parents = self.parent.without_said(text, placed(parents, context))
        if 0 < self.max_chunk_limit < len(children) and self.on_limit == "merge_tail":
            children = self.child.first(text, children, self.max_chunk_limit)
            parents = self.parent.first(text, parents, rows[self.max_chunk_limit - 1] + 1)
        return _two_levels(text, children, rows[: len(children)], parents)

    def spans(self, text: str, context: Context = ()) -> Spans:
        return self.pieces(text, context)

    def _shared_sizes(self, text: str) -> Sizes | None:
        """The text measured once for all children, where they are packed; for their parents too, in the same unit."""
        if not isinstance(self.child, PackingChunker) or self.child.max_chunk_limit > 0:
            return None
        sizes = self.child.sizes(text)
        sizes.place()
        return sizes

    def _parents(self, text: str, context: Context, sizes: Sizes | None) -> Spans:
        parent, child = self.parent, self.child
        if (
            sizes is None
            or not (isinstance(parent, PackingChunker) and isinstance(child, PackingChunker))
            or parent.unit != child.unit
        ):
            return parent.pieces(text, context)
        found, _ = parent.packing(sizes)([(context, 0, len(text))])
        return parent.completed(text, found, context)

    def _children(self, text: str, context: Context, parents: Spans, sizes: Sizes | None) -> tuple[Spans, list[int]]:
        """Children of all parents (n), and which parent each is of (n). What parents share is the first one's."""
        ends = parents.ends.tolist()
        starts = [max(start, done) for start, done in zip(parents.starts.tolist(), [0, *ends[:-1]], strict=True)]
        handed = located(parents, context)
        contexts = _contexts(handed, context)
        parts = zip(contexts, starts, ends, strict=True)
        if sizes is None or not isinstance(self.child, PackingChunker):
            found, rows = self._one_by_one(text, parts)
        else:
            found, rows = self.child.packing(sizes)(parts)
            found = self.child.completed(text, found, ())
            found = self.child.without_said(text, placed(found, context) if parents.section_paths is None else found)
        return carried(found, handed, rows), rows

    def _one_by_one(self, text: str, parts: Iterable[Part]) -> tuple[Spans, list[int]]:
        found: list[tuple[int, Spans]] = []
        rows: list[int] = []
        for row, (context, start, end) in enumerate(parts):
            children = self.child.spans(text[start:end], part_of(context, start))
            if len(children):
                found.append((start, children))
                rows += [row] * len(children)
        return joined(found), rows


def _size_problems(parent: SizedChunker, child: SizedChunker, path: str) -> list[Problem]:
    """A child that may be larger than its parent is one by mistake."""
    if parent.unit != child.unit or child.limit <= parent.limit:
        return []
    return [Problem(path, f"has a limit of {child.limit}, more than the {parent.limit} of the parents that it cuts")]


def _contexts(parents: Spans, context: Context) -> list[Context]:
    """What the children of each parent are given: its context, with what it has left out because its text says it."""
    if parents.contexts is None or (isinstance(context, PlacedContext) and parents.section_paths is None):
        return [context] * len(parents)
    is_cut = np.zeros(len(parents), np.bool_) if parents.context_cut is None else parents.context_cut
    return [
        own if cut else (*(part for part in context if part not in own), *own)
        for own, cut in zip(parents.contexts, is_cut.tolist(), strict=True)
    ]


def _two_levels(text: str, children: Spans, rows: list[int], parents: Spans) -> Spans:
    """The children, and behind them the parents."""
    both = [children, parents]
    keys = _keys(text, parents)
    return Spans(
        np.concatenate([children.starts, parents.starts]),
        np.concatenate([children.ends, parents.ends]),
        token_counts=joined_numbers(both, "token_counts", missing=-1),
        contexts=joined_values(both, "contexts", ()),
        section_paths=joined_values(both, "section_paths", ()),
        kinds=joined_values(both, "kinds", "text"),
        over_limit=joined_numbers(both, "over_limit"),
        context_cut=joined_numbers(both, "context_cut"),
        levels=np.repeat([0, 1], [len(children), len(parents)]),
        parents=np.concatenate([np.array(rows, np.int64), np.full(len(parents), -1)]),
        parent_keys=[*(keys[row] for row in rows), *[None] * len(parents)],
        window_starts=joined_numbers(both, "window_starts", missing=-1),
        window_ends=joined_numbers(both, "window_ends", missing=-1),
    )


def _keys(text: str, parents: Spans) -> list[str]:
    """What tells each parent from others: how many before it have its text, and the SHA-256 of that."""
    seen: Counter[str] = Counter()
    keys = []
    for start, end in zip(parents.starts.tolist(), parents.ends.tolist(), strict=True):
        digest = hashlib.sha256(text[start:end].encode()).hexdigest()
        keys.append(f"{seen[digest]}\n{digest}")
        seen[digest] += 1
    return keys
