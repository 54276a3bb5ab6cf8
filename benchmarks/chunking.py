"""How fast the algorithms are, as a ratio to plain tiktoken on the same text in the same run.

One process, one thread, Arrow columns built, limits proven. The first pass has cold caches, as a
worker has on its first documents; the later ones are its steady state.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import tiktoken

import chunkers
from benchmarks.corpora import megabytes, texts
from benchmarks.timing import in_turn, ratio, table
from chunkers.tokenizers.vocabularies import ENCODINGS, named_vocabulary, ranks

BATCH = 100
ROUNDS = 4
TOKENS = {"fixed_token_length": {"token_limit": 512, "overlap_rate": 0.125, "tokenizer": "cl100k_base"}}
RECURSIVE = {"recursive": {"token_limit": 512, "overlap_rate": 0.125, "tokenizer": "cl100k_base"}}
STRUCTURE = {"structure": {"token_limit": 512, "overlap_rate": 0.125, "tokenizer": "cl100k_base"}}
PARENTS: dict[str, dict[str, Any]] = {
    "`recursive` 2048": {"recursive": {"token_limit": 2048}},
    "`structure` 2048": {"structure": {"token_limit": 2048}},
}
CHILDREN: dict[str, dict[str, Any]] = {
    "`recursive` 256": {"recursive": {"token_limit": 256}},
    "`recursive` 512": {"recursive": {"token_limit": 512}},
    "`sentence` 256": {"sentence": {"token_limit": 256}},
}
WORDS = {"fixed_token_length": {"token_limit": 384}}
CASES: list[tuple[str, dict[str, dict[str, Any]], str]] = [
    *(("auto", TOKENS, corpus) for corpus in ("docs_markdown", "multilingual", "books", "transcripts")),
    *(("tiktoken", TOKENS, corpus) for corpus in ("docs_markdown", "multilingual", "books", "transcripts")),
    *(("auto", WORDS, corpus) for corpus in ("docs_markdown", "multilingual")),
    *(("auto", RECURSIVE, corpus) for corpus in ("docs_markdown", "multilingual", "books", "transcripts")),
    *(("auto", {"sentence": {"overlap_sentences": 1}}, corpus) for corpus in ("books", "transcripts", "multilingual")),
    *(("auto", STRUCTURE, corpus) for corpus in ("docs_markdown", "multilingual")),
    ("auto", {"sentence_window": {}}, "transcripts"),
    ("auto", {"delimiter": {}}, "docs_markdown (ASCII)"),
    ("auto", {"fixed_char_length": {}}, "docs_markdown (ASCII)"),
    ("auto", {"markdown": {}}, "docs_markdown"),
]


def main() -> None:
    rows = [measured(*case) for case in CASES]
    head = ["algorithm", "corpus", "backend", "MB", "ratio to tiktoken", "first pass", "MB/s"]
    print(table(head, rows))
    print()
    documents = texts("docs_markdown")
    print(
        table(
            ["parents", "children", "time to that of the parents alone"],
            [[above, below, children(above, below, documents)] for above in PARENTS for below in CHILDREN],
        )
    )


def children(above: str, below: str, documents: list[str]) -> str:
    """How much longer parents take with children than without."""
    parents = chunkers.create_algorithm(PARENTS[above])
    both = chunkers.create("parent_child", parent=PARENTS[above], child=CHILDREN[below])
    seconds = in_turn(
        {"parents": partial(in_batches, parents, documents), "both": partial(in_batches, both, documents)}, ROUNDS
    )
    return f"{ratio(seconds['both'][1:], seconds['parents'][1:]):.1f}"


def measured(backend: str, definition: dict[str, dict[str, Any]], corpus: str) -> list[object]:
    """One row: the algorithm against `tiktoken.encode_ordinary` on the same texts."""
    documents = [text for text in texts(corpus.split(maxsplit=1)[0]) if "ASCII" not in corpus or text.isascii()]
    if backend == "tiktoken":
        documents = documents[:: max(1, len(documents) // 800)]
    algorithm = chunkers.create_algorithm(definition)
    use_backend(algorithm, backend)
    chunk = partial(in_batches, algorithm, documents)
    seconds = in_turn({"tiktoken": plain_tiktoken(documents), "chunkmill": chunk}, ROUNDS)
    size, own, rival = megabytes(documents), seconds["chunkmill"], seconds["tiktoken"]
    ((name, _),) = definition.items()
    limit = next((f" {v}" for d in definition.values() for k, v in d.items() if k == "token_limit"), "")
    tokenizer = next((f" {d['tokenizer']}" for d in definition.values() if "tokenizer" in d), "")
    return [
        f"`{name}`{limit}{tokenizer}",
        corpus,
        "gigatoken" if backend == "auto" and tokenizer else backend if tokenizer else "",
        f"{size:.1f}",
        f"{ratio(rival[1:], own[1:]):.1f}",
        f"{rival[0] / own[0]:.1f}",
        f"{size / statistics.median(own[1:]):.0f}",
    ]


def in_batches(algorithm: chunkers.Algorithm, documents: list[str]) -> None:
    for start in range(0, len(documents), BATCH):
        algorithm.chunk_batch(documents[start : start + BATCH])


def use_backend(algorithm: chunkers.Algorithm, backend: str) -> None:
    """Make the tokenizer beforehand, by this backend: loading is not what is measured."""
    from chunkers.sized import TokenSizedChunker
    from chunkers.tokenizers import create_tokenizer

    if isinstance(algorithm, TokenSizedChunker):
        algorithm.__dict__["_tokenizer"] = create_tokenizer(algorithm.tokenizer, backend=backend)


def plain_tiktoken(documents: list[str]) -> Callable[[], None]:
    """The yardstick: ids of every document, nothing else."""
    known = ENCODINGS["cl100k_base"]
    encoding = tiktoken.Encoding(
        known.name,
        pat_str=known.pattern,
        mergeable_ranks=ranks(named_vocabulary(known.name), known.name),
        special_tokens={},
    )

    def encode() -> None:
        for text in documents:
            encoding.encode_ordinary(text)

    return encode
