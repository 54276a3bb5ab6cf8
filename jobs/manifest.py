"""What a run leaves behind about itself: counts and sizes, configuration, versions."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from chunkers import Algorithm, Chunker, create_algorithm
from chunkers.by import By
from chunkers.cascade import Cascade
from jobs.configuration import Configuration
from jobs.document_table import Survey
from jobs.opensearch.definition import definition_of, is_pipeline, normalized_pipeline
from jobs.publishing import Run

_LIBRARIES = (
    *("chunkmill", "pyarrow", "pandas", "tiktoken", "gigatoken", "tokenizers", "pyromark", "regex", "tree-sitter"),
    *(f"tree-sitter-{name}" for name in ("go", "java", "javascript", "python", "rust", "typescript")),
)


@dataclass(frozen=True)
class Sizes:
    """How a size is spread over the chunks; None when there are none, or no tokenizer."""

    min: int | None
    p50: int | None
    p95: int | None
    max: int | None


@dataclass(frozen=True)
class DocumentCounts:
    """Documents by status, and what they gave."""

    documents: int
    chunked: int
    empty: int
    failed: int
    failed_by_reason: dict[str, int]
    repaired: int
    chunks: int
    tokens: int | None

    @property
    def failed_rate(self) -> float:
        return self.failed / self.documents if self.documents else 0.0


@dataclass(frozen=True)
class ChunkCounts:
    """What the rows of the chunk table add up to."""

    chunks: int
    over_limit: int
    context_cut: int
    tokens: Sizes
    chars: Sizes


@dataclass(frozen=True)
class Files:
    """Data files of one table."""

    files: int
    bytes: int

    @classmethod
    def of(cls, sizes: Sequence[int]) -> Files:
        return cls(len(sizes), sum(sizes))


@dataclass(frozen=True)
class Manifest:
    """The content of `manifest.json`."""

    run_id: str
    status: str
    started_at: str
    finished_at: str
    seconds: float
    config: dict[str, Any]
    fingerprint: str
    versions: dict[str, str]
    input: dict[str, Any]
    documents: DocumentCounts
    chunks: ChunkCounts | None = None
    changes: dict[str, int] | None = None
    previous_run_id: str | None = None
    files: dict[str, Files] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain data: counts together, sizes together."""
        values = dataclasses.asdict(self)
        counts, chunks = values.pop("documents"), values.pop("chunks") or {}
        sizes = {name: chunks.pop(name) for name in ("tokens", "chars") if name in chunks}
        files, changes = values.pop("files"), values.pop("changes")
        return {**values, "counts": {**counts, **chunks}, "sizes": sizes, "changes": changes, "files": files}


def count_documents(documents: DataFrame) -> DocumentCounts:
    """Add up the documents table."""
    status = F.col("status")
    rows = (
        documents.groupBy("status", "reason")
        .agg(
            F.count(F.lit(1)).alias("n"),
            F.count(F.when(F.col("repaired"), 1)).alias("repaired"),
            F.sum("chunks").alias("chunks"),
            F.sum("tokens").alias("tokens"),
            F.count(F.when((status == "chunked") & F.col("tokens").isNull(), 1)).alias("uncounted"),
        )
        .collect()
    )
    by_status = {
        name: sum(row["n"] for row in rows if row["status"] == name) for name in ("chunked", "empty", "failed")
    }
    has_tokens = by_status["chunked"] > 0 and not any(row["uncounted"] for row in rows)
    return DocumentCounts(
        documents=sum(row["n"] for row in rows),
        **by_status,
        failed_by_reason={row["reason"]: row["n"] for row in sorted(rows, key=_by_count) if row["status"] == "failed"},
        repaired=sum(row["repaired"] for row in rows),
        chunks=sum(row["chunks"] or 0 for row in rows),
        tokens=sum(row["tokens"] or 0 for row in rows) if has_tokens else None,
    )


def count_chunks(chunks: DataFrame) -> ChunkCounts:
    """Add up the written chunk table, from its numbers alone."""
    chars = F.col("end_char") - F.col("start_char")
    row = chunks.agg(
        F.count(F.lit(1)).alias("n"),
        F.count(F.when(F.col("over_limit"), 1)).alias("over_limit"),
        F.count(F.when(F.col("context_cut"), 1)).alias("context_cut"),
        *(_spread(F.col("token_count"), "tokens")),
        *(_spread(chars, "chars")),
    ).first()
    assert row is not None
    return ChunkCounts(row["n"], row["over_limit"], row["context_cut"], _sizes(row, "tokens"), _sizes(row, "chars"))


def make_manifest(
    run: Run, status: str, config: Configuration, spark: SparkSession, known: Survey, documents: DocumentCounts
) -> Manifest:
    """What holds for every run; chunks, changes and files are for `dataclasses.replace`."""
    finished = datetime.now(UTC)
    values = config.as_dict()
    values["chunk"] = config.chunk if is_pipeline(config.chunk) else normalized(create_algorithm(config.chunk))
    return Manifest(
        run_id=run.run_id,
        status=status,
        started_at=run.started.isoformat(timespec="seconds"),
        finished_at=finished.isoformat(timespec="seconds"),
        seconds=round((finished - run.started).total_seconds(), 1),
        config=values,
        fingerprint=fingerprint(config),
        versions={"python": platform.python_version(), "spark": spark.version, **_library_versions()},
        input={"documents": known.documents, "duplicate_ids": known.duplicate_ids, "splits": known.splits},
        documents=documents,
    )


def fingerprint(config: Configuration) -> str:
    """SHA-256 of how documents are cut and what goes in front: the same for two ways to write the same."""
    made = {
        "chunk": _cutting(config.chunk),
        "context": dataclasses.asdict(config.context),
        "text": config.input.text,
    }
    return hashlib.sha256(json.dumps(made, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _cutting(chunk: Any) -> Any:
    """What a chunk definition does, as plain data."""
    pipeline = definition_of(chunk)
    return normalized(create_algorithm(chunk)) if pipeline is None else normalized_pipeline(pipeline)


def normalized(value: Algorithm | Any) -> Any:
    """A definition as plain data with its defaults filled in."""
    if isinstance(value, Cascade):
        return [normalized(stage) for stage in value.stages]
    if isinstance(value, Chunker):
        return {value.name: {f.name: normalized(getattr(value, f.name)) for f in dataclasses.fields(value)}}
    if isinstance(value, By):
        cases = {case: normalized(algorithm) for case, algorithm in value.cases.items()}
        return {"by": {"column": value.column, "cases": cases, "default": normalized(value.default)}}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return [normalized(item) for item in value] if isinstance(value, (list, tuple)) else value


def _by_count(row: Any) -> tuple[int, str]:
    return -row["n"], str(row["reason"])


def _spread(column: Any, name: str) -> list[Any]:
    return [
        F.min(column).alias(f"{name}_min"),
        F.percentile(column, [0.5, 0.95]).alias(f"{name}_percentiles"),
        F.max(column).alias(f"{name}_max"),
    ]


def _sizes(row: Any, name: str) -> Sizes:
    percentiles = row[f"{name}_percentiles"] or (None, None)
    p50, p95 = (None if value is None else round(value) for value in percentiles)
    return Sizes(row[f"{name}_min"], p50, p95, row[f"{name}_max"])


def _library_versions() -> dict[str, str]:
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
