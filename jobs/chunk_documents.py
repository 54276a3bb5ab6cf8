"""The main job: documents in, chunks out.

    spark-submit jobs/chunk_documents.py --config conf/handbook.yaml [--set key=value] [--dry-run]

is the same as `chunkmill run conf/handbook.yaml`.
"""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

if __name__ == "__main__":
    # spark-submit puts this folder on the path, not the one that has the packages.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from pyspark.sql import DataFrame, SparkSession

from jobs.configuration import Configuration
from jobs.connect import check_output_is_shared, send_code
from jobs.document_table import document_table, survey
from jobs.errors import InputError, QualityError
from jobs.giants import giant_bytes
from jobs.manifest import Manifest, make_manifest
from jobs.opensearch.definition import definition_of
from jobs.opensearch.documents import StagedRows, output_rows
from jobs.progress import progress
from jobs.publishing import Run, current_run, exclusive, new_run, publish, removed_on_failure, write_manifest
from jobs.reading import Source, read_source
from jobs.session import job_settings, one_document_a_batch, row_by_row, spark_session
from jobs.staging import STAGING, PreviousChunks, Staging
from jobs.storage import open_storage
from jobs.summary import plan_text, summary_text
from jobs.termination import jobs_stopped_on_exit, sigterm_as_exit
from jobs.writing import CHUNKS, DOCUMENTS, chunk_rows, giant_rows, staging_column, write_staged


@dataclass(frozen=True)
class Result:
    """A published run: `path` is where its chunks are."""

    run_id: str
    path: str
    manifest: Manifest


def run(
    config: Configuration, spark: SparkSession | None = None, *, dry_run: bool = False, stream: TextIO | None = None
) -> Result | None:
    """Chunk the documents and publish the chunks; with `dry_run` check everything and print the plan.

    The summary goes to `stream` (standard output), progress to standard error. Raises InputError,
    QualityError or OutputBusyError; the run that was current then stays so.
    """
    stream = stream if stream is not None else sys.stdout
    spark = spark if spark is not None else spark_session("chunkmill")
    send_code(spark)
    with job_settings(spark), read_source(spark, config) as source:
        if dry_run:
            print(plan_text(config, source, survey(source)), file=stream)
            return None
        this = new_run(open_storage(config.output.path, spark))
        with sigterm_as_exit(), exclusive(this), removed_on_failure(this), jobs_stopped_on_exit(spark):
            check_output_is_shared(this, spark)
            result = _write(this, source, config)
    print(summary_text(result.manifest, result.path), file=stream)
    return result


def _write(this: Run, source: Source, config: Configuration) -> Result:
    """Write everything in one pass, check it, and publish it."""
    spark = source.frame.sparkSession
    previous = current_run(this.storage)
    before = PreviousChunks(spark, previous)
    pipeline = definition_of(config.chunk)
    with row_by_row(spark):
        known = survey(source)
        documents = document_table(source, config.limits, known, giant_bytes(spark) if pipeline is None else None)
        with progress(spark, known.documents):
            staging = _staged(this, documents, source, config)
    counts = staging.documents()
    if counts.documents != known.documents:
        raise _not_the_same_twice(known.documents, counts.documents)
    if counts.failed_rate > config.limits.max_failed_rate:
        staging.delete()
        rejected = make_manifest(this, "rejected", config, spark, known, counts)
        write_manifest(this, rejected.as_dict())
        raise _too_many_failed(this, rejected)
    chunks = staging.chunks(counts, config.output.columns)
    changes = staging.changes(before)
    staging.delete()
    manifest = dataclasses.replace(
        make_manifest(this, "published", config, spark, known, counts),
        chunks=chunks,
        changes=changes,
        previous_run_id=previous.run_id if previous is not None else None,
        files=staging.files(),
        notes=before.notes,
    )
    publish(this, manifest.as_dict())
    return Result(this.run_id, this.path(CHUNKS), manifest)


def _staged(this: Run, documents: DataFrame, source: Source, config: Configuration) -> Staging | StagedRows:
    """Chunk, and write everything into the staging folder."""
    pipeline = definition_of(config.chunk)
    if pipeline is not None and pipeline.has_documents:
        return StagedRows.write(this, output_rows(documents, source, pipeline))
    column = staging_column(source)
    rows = chunk_rows(documents, source, config)
    write_staged(rows, this.path(STAGING), column)
    staging = Staging(this, rows.drop(column), column)
    giants = staging.giants()
    if giants is not None:
        with one_document_a_batch(rows.sparkSession):
            write_staged(giant_rows(giants, source, config), this.path(STAGING), column, mode="append")
    return staging


def _not_the_same_twice(surveyed: int, written: int) -> InputError:
    return InputError(
        f"The input had {surveyed:,} documents when their ids were compared, and {written:,} came out of the write. "
        "Either it changed meanwhile: run again. Or input.where does not choose the same rows twice, as rand() without "
        "a seed."
    )


def _too_many_failed(run: Run, manifest: Manifest) -> QualityError:
    counts, allowed = manifest.documents, manifest.config["limits"]["max_failed_rate"]
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in counts.failed_by_reason.items())
    return QualityError(
        f"{counts.failed:,} of {counts.documents:,} documents failed ({counts.failed_rate:.2%}; limits.max_failed_rate "
        f"allows {allowed:.2%}): {reasons}. Nothing is published. Which ones: {run.path(DOCUMENTS)}"
    )


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script())
