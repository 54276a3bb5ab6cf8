"""Documents of 200 MB in a real job: what its processes take is bounded, and a document that takes more is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.large_documents import ALGORITHMS, document, measured, write

pytestmark = pytest.mark.cluster

MOST_WORKER_MB = 1500
MOST_JVM_MB = 4000
"""A heap of 2 GB, and what the JVM takes beside it."""


@pytest.fixture(scope="module", params=["ASCII", "emoji"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document of 200 MB and a small one, in one row group."""
    place = tmp_path_factory.mktemp("giants") / "documents"
    write(place, {"giant": document(200, emoji=request.param == "emoji"), "small": document(0.1)})
    return place


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_document_of_200_mb(folder: Path, algorithm: str) -> None:
    found = measured(folder, {algorithm: ALGORITHMS[algorithm]})
    assert (found["documents"], found["failed"]) == (2, {})
    assert found["worker_mb"] < MOST_WORKER_MB
    assert found["jvm_mb"] < MOST_JVM_MB


def test_one_document_of_three_million_chunks(tmp_path: Path) -> None:
    write(tmp_path / "documents", {"lines": "x\n" * 3_000_000, "small": "a\nb\n"})
    found = measured(tmp_path / "documents", {"delimiter": {"delimiter": "\n"}})
    assert (found["chunks"], found["failed"]) == (3_000_002, {})
    assert found["worker_mb"] < MOST_WORKER_MB
    assert found["jvm_mb"] < MOST_JVM_MB


def test_a_document_that_takes_more_than_a_worker_may_have(tmp_path: Path) -> None:
    texts = {"giant": document(100, emoji=True), "large": document(12), **{f"{n}": document(0.1) for n in range(20)}}
    write(tmp_path / "documents", texts)
    chunk: dict[str, Any] = {"fixed_token_length": ALGORITHMS["fixed_token_length"]}
    # In a local session each worker may have all of it.
    found = measured(tmp_path / "documents", chunk, **{"spark.executor.pyspark.memory": "1000m"})
    assert (found["documents"], found["failed"]) == (22, {"out_of_memory": 1})
