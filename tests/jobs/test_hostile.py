"""hostile.parquet through the job: every row is accounted for, no character is lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tests.jobs.documents import configuration, rows, run_job
from tests.shared_data import shared

pytestmark = pytest.mark.spark

DEFINITIONS = {
    "tokens": {"fixed_token_length": {"token_limit": 64, "overlap_rate": 0.1, "tokenizer": "cl100k_base"}},
    "delimiter": {"delimiter": {"delimiter": "\n\n"}},
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_hostile_documents(spark: SparkSession, tmp_path: Path, name: str) -> None:
    path = shared("corpora/hostile.parquet")
    ids, given = pq.read_table(path, columns=["doc_id", "text"]).to_pydict().values()
    expected = Counter(_reason(doc_id, text, ids.count(doc_id)) for doc_id, text in zip(ids, given, strict=True))
    result = run_job(spark, configuration(str(path), tmp_path / "out", chunk=DEFINITIONS[name], input={"id": "doc_id"}))
    documents = rows(spark, result, "documents")
    assert Counter(row["reason"] for row in documents) == expected

    spans: dict[str, list[tuple[int, int]]] = {}
    texts = dict(zip(ids, given, strict=True))
    columns = ["doc_id", "start_char", "end_char", "text"]
    for doc_id, start, end, text in spark.read.parquet(result.path).select(*columns).orderBy(*columns).collect():
        assert texts[doc_id][start:end] == text
        spans.setdefault(doc_id, []).append((start, end))
    for document in documents:
        found = [] if document["doc_id"] is None else spans.get(document["doc_id"], [])
        assert document["chunks"] == len(found)
        if document["status"] != "failed":
            assert _is_covered(texts[document["doc_id"]], found)


def _reason(doc_id: str | None, text: str | None, count: int) -> str | None:
    if doc_id is None:
        return "null_id"
    if count > 1:
        return "duplicate_id"
    return "null_text" if text is None else None


def _is_covered(text: str, spans: list[tuple[int, int]]) -> bool:
    """Whether all that is not white space lies in a span."""
    reached = 0
    for start, end in spans:
        if text[reached:start].strip():
            return False
        reached = max(reached, end)
    return not text[reached:].strip()
