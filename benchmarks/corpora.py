"""Real documents to measure on: ../shared/corpora, which is not part of the repository."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

CORPORA = Path(__file__).resolve().parents[2] / "shared" / "corpora"


def texts(name: str) -> list[str]:
    """The texts of one corpus, in order."""
    path = CORPORA / f"{name}.parquet"
    if not path.is_file():
        raise SystemExit(f"{path.name} is not at {CORPORA}: the benchmarks need the corpora beside the repository")
    return [text for text in pq.read_table(path, columns=["text"])["text"].to_pylist() if text is not None]


def megabytes(documents: list[str]) -> float:
    """Size in UTF-8, in millions of bytes."""
    return sum(len(text.encode()) for text in documents) / 1e6
