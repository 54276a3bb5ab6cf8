"""`recursive`: a cut at the coarsest separator that a chunk can reach."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any, Literal

from chunkers.errors import Problem
from chunkers.parameters import parameter
from chunkers.sized import OverlappingChunker, Packing, PackingChunker, TokenSizedChunker
from chunkers.text.headings import parts_heading
from chunkers.text.levels import LevelCuts
from chunkers.text.packing import Budget, pack_parts
from chunkers.text.separators import SCHEMA, levels, read_separators
from chunkers.text.sizes import CharacterSizes, Sizes

_TOKEN_LIMIT = 512


@dataclass(frozen=True, kw_only=True)
class Recursive(TokenSizedChunker, OverlappingChunker, PackingChunker):
    """Chunks that end at the coarsest separator within reach, as full as that allows.

    From where a chunk starts, the last separator of the coarsest kind within the limit ends it; where
    there is none, one of the next finer kind does, and at last a token. So pieces that fit stay whole,
    small neighbours are together, and only a piece that is too big is cut by finer means. No chunk ends
    with a Markdown heading whose text is in the next. The method is the field's recursive splitting
    (LangChain's RecursiveCharacterTextSplitter gave it the name), walked once from left to right.
    """

    name = "recursive"
    summary = "A cut at the coarsest separator that fits: paragraphs, lines, sentences, words, tokens."

    token_limit: int | None = parameter(
        None,
        minimum=1,
        doc=f"Most tokens of a chunk, context and special tokens included; {_TOKEN_LIMIT} without char_limit.",
    )
    char_limit: int | None = parameter(
        None, minimum=1, doc="In place of token_limit: most code points of a chunk, context included."
    )
    min_tokens: int = parameter(
        0, minimum=0, doc="A piece with fewer tokens joins a neighbour that has room. At most half of token_limit."
    )
    separators: Any = parameter(
        "plaintext",
        parse=read_separators,
        schema=SCHEMA,
        doc="What parts pieces, coarse to fine: `plaintext`, `markdown`, `code`, or a list of literals, "
        "`{regex: ...}` and `{boundary: paragraph | line | sentence | word}`.",
    )
    keep: Literal["start", "end"] = parameter(
        "start", doc="Where a separator goes: to the start of the piece behind it, or the end of the one before it."
    )

    @property
    def limit(self) -> int:
        return self.char_limit or self.token_limit or _TOKEN_LIMIT

    @property
    def unit(self) -> str:
        return "characters" if self.char_limit else super().unit

    def sizes(self, text: str) -> Sizes:
        return CharacterSizes(text) if self.char_limit else super().sizes(text)

    def tokenizers(self) -> set[str]:
        return set() if self.char_limit else super().tokenizers()

    def check(self, path: str) -> list[Problem]:
        """One limit at most, with room, and a minimum that two neighbours can have within it."""
        if self.char_limit:
            problems = (
                [] if self.token_limit is None else [Problem(f"{path}.char_limit", "and token_limit are both given")]
            )
            if self.min_tokens:
                problems.append(Problem(f"{path}.min_tokens", "is in tokens, but the limit is char_limit"))
            return problems
        problems = super().check(path)
        if self.min_tokens > self.limit / 2:
            message = f"{self.min_tokens} is more than half of token_limit ({self.limit})"
            problems.append(Problem(f"{path}.min_tokens", message, f"allowed: 0 to {self.limit // 2}"))
        return problems

    @functools.cached_property
    def budget(self) -> Budget:
        return dataclasses.replace(super().budget, min_size=self.min_tokens)

    def packing(self, sizes: Sizes) -> Packing:
        text = sizes.text
        tears = functools.partial(parts_heading, text)
        cuts = LevelCuts(text, levels(text, self.separators), self.keep == "end", tears)
        return functools.partial(pack_parts, sizes, self.budget, cuts)
