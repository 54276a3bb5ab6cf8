"""How fast the splitters are, in turn: one process a library, one thread each, token-exact."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import megabytes, texts
from benchmarks.rivals.environment import Worker
from benchmarks.rivals.inputs import inputs
from benchmarks.rivals.pieces import SPLITTERS, Splitter
from benchmarks.timing import ratio, table

LIMIT = 512
OVERLAP = 64
ROUNDS = 3
SAMPLE = 600_000
LONGEST = 50_000
SECONDS = 60
_SPECIAL = "<|endof"
CORPORA = ("docs_markdown", "multilingual", "books", "transcripts")
MARKDOWN = ("docs_markdown",)
GROUPS = {
    "recursive": (
        CORPORA,
        "RecursiveCharacterTextSplitter RecursiveChunker chunkerify TextSplitter SentenceSplitter",
    ),
    "structure": (MARKDOWN, "MarkdownSplitter MarkdownTextSplitter"),
    "sentence": (CORPORA, "SentenceChunker SentenceSplitter"),
}
"""Where each algorithm is measured, and beside what."""


def print_speeds() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = {corpus: _files(Path(folder), corpus) for corpus in CORPORA}
        workers = {splitter.library: Worker(splitter.library) for splitter in SPLITTERS}
        print(f"Limit {LIMIT} tokens, overlap {OVERLAP}. MB of UTF-8 a second of processor time.\n")
        rows = [row for name in GROUPS for corpus in GROUPS[name][0] for row in _beside(name, files[corpus], workers)]
        print(table(["algorithm", "corpus", "MB/s", "beside", "MB/s", "times as fast"], rows))
        print()
        print(
            table(
                ["splitter", "one document of 8 MB beside small ones", "1 MB without a space"],
                _large(Path(folder), workers),
            )
        )
        for worker in workers.values():
            worker.stop()


@dataclass(frozen=True)
class _Files:
    """One corpus in files of a round each, with their MB: all for chunkmill, a sample for the others.

    No document is in two rounds, since some libraries remember what they have seen.
    """

    corpus: str
    whole: list[tuple[str, float]]
    sample: list[tuple[str, float]]


def _files(folder: Path, corpus: str) -> _Files:
    # LangChain and chonkie raise an error where a text has such a token.
    documents = [text for text in texts(corpus) if _SPECIAL not in text]
    if corpus == "books":
        documents = [text[:LONGEST] for text in documents]
    parts = [documents[number::ROUNDS] for number in range(ROUNDS)]
    steps = [max(1, round(megabytes(part) * 1e6 / SAMPLE)) for part in parts]
    return _Files(
        corpus,
        [_written(folder / f"{corpus}-{n}.json", part) for n, part in enumerate(parts)],
        [
            _written(folder / f"{corpus}-{n}-sample.json", part[::step])
            for n, (part, step) in enumerate(zip(parts, steps, strict=True))
        ],
    )


def _written(path: Path, documents: list[str]) -> tuple[str, float]:
    """The documents as a file, and how many MB they are."""
    path.write_text(json.dumps(documents), encoding="utf-8")
    return str(path), megabytes(documents)


def _beside(name: str, files: _Files, workers: dict[str, Worker]) -> Iterable[list[str]]:
    """An algorithm of chunkmill and its rivals, round by round."""
    own = next(s for s in SPLITTERS if (s.library, s.name) == ("chunkmill", name))
    rivals = [s for s in SPLITTERS if s.library != "chunkmill" and s.name in GROUPS[name][1].split()]
    seconds: dict[Splitter, list[float]] = {splitter: [] for splitter in (own, *rivals)}
    for number in range(ROUNDS):
        for splitter, taken in seconds.items():
            path, size = (files.whole if splitter is own else files.sample)[number]
            needed = _seconds(splitter, path, workers)
            assert needed is not None, f"{splitter.title} took more than {SECONDS} s for {size:.1f} MB"
            taken.append(needed / size)
    mine = f"{1 / statistics.median(seconds[own]):.1f}"
    for rival in rivals:
        theirs = f"{1 / statistics.median(seconds[rival]):.2f}"
        yield [f"`{name}`", files.corpus, mine, rival.title, theirs, f"{ratio(seconds[rival], seconds[own]):.0f}"]


def _large(folder: Path, workers: dict[str, Worker]) -> Iterable[list[str]]:
    """One document of 8 MB against 2 MB in small ones, and one line of 1 MB."""
    text = "".join(texts("docs_markdown")).replace(_SPECIAL, "")
    small = _written(folder / "small.json", [text[at : at + 10_000] for at in range(0, 2_000_000, 10_000)])
    big = _written(folder / "big.json", [text[2_000_000:10_000_000]])
    line = _written(folder / "line.json", [inputs()[-1].text])
    names = {*GROUPS, *(name for _, names in GROUPS.values() for name in names.split())}
    for splitter in SPLITTERS:
        if splitter.name in names:
            many, one, long = (_seconds(splitter, path, workers) for path, _ in (small, big, line))
            assert many is not None
            cell = (
                f"{one / big[1] / (many / small[1]):.1f} times the time a byte"
                if one is not None
                else f"not done after {SECONDS} s"
            )
            yield [splitter.title, cell, f"{long:.1f} s" if long is not None else f"not done after {SECONDS} s"]


def _seconds(splitter: Splitter, path: str, workers: dict[str, Worker]) -> float | None:
    overlap = OVERLAP if splitter.overlap else 0
    answer = workers[splitter.library].ask(
        "time", SECONDS, library=splitter.library, name=splitter.name, limit=LIMIT, overlap=overlap, texts=path
    )
    return answer["seconds"] if answer else None
