"""What every splitter is made to give, and what is known of one: plain data that goes from process to process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Piece:
    """One chunk as a library gives it; None for what it does not give.

    `text` is what is shown, `index_text` what gets embedded. `headings` are those that the library
    says stand above the chunk or begin it.
    """

    text: str
    start: int | None = None
    end: int | None = None
    index_text: str | None = None
    id: str | None = None
    headings: tuple[str, ...] | None = None

    @property
    def embedded(self) -> str:
        return self.text if self.index_text is None else self.index_text


@dataclass(frozen=True)
class Splitter:
    """A splitter of a library: whether it has a token limit, what its overlap is counted in, if it reads Markdown."""

    library: str
    name: str
    is_sized: bool = True
    overlap: Literal["tokens", "sentences"] | None = "tokens"
    is_markdown: bool = False

    @property
    def title(self) -> str:
        return f"{self.library} `{self.name}`"


SPLITTERS = [
    Splitter("chunkmill", "fixed_token_length"),
    Splitter("chunkmill", "recursive"),
    Splitter("chunkmill", "sentence", overlap="sentences"),
    Splitter("chunkmill", "structure", is_markdown=True),
    Splitter("LangChain", "RecursiveCharacterTextSplitter"),
    Splitter("LangChain", "TokenTextSplitter"),
    Splitter("LangChain", "MarkdownTextSplitter", is_markdown=True),
    Splitter("LangChain", "MarkdownHeaderTextSplitter", is_sized=False, overlap=None, is_markdown=True),
    Splitter("LlamaIndex", "SentenceSplitter", overlap="sentences"),
    Splitter("LlamaIndex", "TokenTextSplitter"),
    Splitter("LlamaIndex", "MarkdownNodeParser", is_sized=False, overlap=None, is_markdown=True),
    Splitter("chonkie", "TokenChunker"),
    Splitter("chonkie", "RecursiveChunker"),
    Splitter("chonkie", "SentenceChunker", overlap="sentences"),
    Splitter("semchunk", "chunkerify"),
    Splitter("semantic-text-splitter", "TextSplitter"),
    Splitter("semantic-text-splitter", "MarkdownSplitter", is_markdown=True),
]

DISTRIBUTIONS = {
    "LangChain": "langchain-text-splitters",
    "LlamaIndex": "llama-index-core",
    "chonkie": "chonkie",
    "semchunk": "semchunk",
    "semantic-text-splitter": "semantic-text-splitter",
}
