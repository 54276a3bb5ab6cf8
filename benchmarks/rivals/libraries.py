"""The splitters, each made as its documentation says: token-exact with cl100k_base, offsets asked for.

Imported only in a worker process, and each library only in its own.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import tiktoken

from benchmarks.rivals.pieces import Piece

Split = Callable[[str], list[Piece]]

_OWN_HEADING = re.compile(r"#{1,6}[ \t]+(.*)")


def splitter(library: str, name: str, limit: int, overlap: int) -> Split:
    """One splitter with a limit and an overlap in tokens."""
    made: dict[str, Callable[[str, int, int], Split]] = {
        "chunkmill": _chunkmill,
        "LangChain": _langchain,
        "LlamaIndex": _llama_index,
        "chonkie": _chonkie,
        "semchunk": _semchunk,
        "semantic-text-splitter": _semantic_text_splitter,
    }
    return made[library](name, limit, overlap)


def batches(name: str, limit: int, overlap: int) -> Callable[[list[str]], None]:
    """One of chunkmill's algorithms as a job runs it: Arrow columns of 100 texts at a time."""
    from benchmarks.chunking import in_batches

    algorithm = _algorithm(name, limit, overlap)
    return lambda texts: in_batches(algorithm, texts)


def _algorithm(name: str, limit: int, overlap: int) -> Any:
    import chunkers

    parameters: dict[str, Any] = {"token_limit": limit, "tokenizer": "cl100k_base"}
    if name == "sentence":
        parameters["overlap_sentences"] = int(overlap > 0)
    else:
        parameters["overlap_rate"] = overlap / limit
    return chunkers.create(name, **parameters)


def _chunkmill(name: str, limit: int, overlap: int) -> Split:
    algorithm = _algorithm(name, limit, overlap)
    return lambda text: [
        Piece(chunk.text, chunk.start, chunk.end, chunk.index_text, headings=chunk.section_path)
        for chunk in algorithm.chunk(text)
    ]


def _library(module: str) -> Any:
    """A library that is not there where the types are checked."""
    return importlib.import_module(module)


def _langchain(name: str, limit: int, overlap: int) -> Split:
    langchain = _library("langchain_text_splitters")

    if name == "MarkdownHeaderTextSplitter":
        levels = [("#" * level, str(level)) for level in range(1, 7)]
        by_headings = langchain.MarkdownHeaderTextSplitter(levels, strip_headers=False)
        return lambda text: [
            Piece(document.page_content, headings=tuple(document.metadata.values()))
            for document in by_headings.split_text(text)
        ]
    sizes: dict[str, Any] = {"chunk_size": limit, "chunk_overlap": overlap, "add_start_index": True}
    encoding = {"encoding_name": "cl100k_base"}
    kind = getattr(langchain, name)
    made = kind(**encoding, **sizes) if name == "TokenTextSplitter" else kind.from_tiktoken_encoder(**encoding, **sizes)

    def split(text: str) -> list[Piece]:
        pieces = []
        for document in made.create_documents([text]):
            start = document.metadata["start_index"]
            pieces.append(Piece(document.page_content, start, start + len(document.page_content), id=document.id))
        return pieces

    return split


def _llama_index(name: str, limit: int, overlap: int) -> Split:
    llama_index = _library("llama_index.core")
    node_parser = llama_index.node_parser

    if name == "MarkdownNodeParser":
        by_headings = node_parser.MarkdownNodeParser()

        def parse(text: str) -> list[Piece]:
            pieces = []
            for node in by_headings.get_nodes_from_documents([llama_index.Document(text=text, id_="document")]):
                own = _OWN_HEADING.match(node.text)
                above = [title for title in node.metadata["header_path"].split("/") if title]
                pieces.append(
                    Piece(
                        node.text,
                        node.start_char_idx,
                        node.end_char_idx,
                        None,
                        node.id_,
                        (*above, own[1]) if own else tuple(above),
                    )
                )
            return pieces

        return parse
    encode = tiktoken.get_encoding("cl100k_base").encode_ordinary
    made = getattr(node_parser, name)(chunk_size=limit, chunk_overlap=overlap, tokenizer=encode)
    return lambda text: [
        Piece(node.text, node.start_char_idx, node.end_char_idx, id=node.id_)
        for node in made.get_nodes_from_documents([llama_index.Document(text=text, id_="document")])
    ]


def _chonkie(name: str, limit: int, overlap: int) -> Split:
    chonkie = _library("chonkie")

    encoding = tiktoken.get_encoding("cl100k_base")
    if name == "RecursiveChunker" and overlap:
        # It has no overlap of its own: a second step puts it in front, for which there must be room.
        alone = chonkie.RecursiveChunker(encoding, chunk_size=limit - overlap)
        refinery = chonkie.OverlapRefinery(encoding, context_size=overlap, method="prefix")

        def chunks(text: str) -> Any:
            return refinery.refine(alone.chunk(text))

    else:
        sizes = {"chunk_size": limit} if name == "RecursiveChunker" else {"chunk_size": limit, "chunk_overlap": overlap}
        chunks = getattr(chonkie, name)(encoding, **sizes).chunk
    return lambda text: [
        Piece(chunk.text, chunk.start_index, chunk.end_index, id=getattr(chunk, "id", None)) for chunk in chunks(text)
    ]


def _semchunk(name: str, limit: int, overlap: int) -> Split:
    semchunk = _library("semchunk")

    made = getattr(semchunk, name)(tiktoken.get_encoding("cl100k_base"), limit)

    def split(text: str) -> list[Piece]:
        texts, spans = made(text, offsets=True, overlap=overlap or None)
        return [Piece(piece, start, end) for piece, (start, end) in zip(texts, spans, strict=True)]

    return split


def _semantic_text_splitter(name: str, limit: int, overlap: int) -> Split:
    semantic_text_splitter = _library("semantic_text_splitter")

    # "gpt-4" is how it knows cl100k_base.
    made = getattr(semantic_text_splitter, name).from_tiktoken_model("gpt-4", limit, overlap)
    return lambda text: [Piece(piece, start, start + len(piece)) for start, piece in made.chunk_indices(text)]
