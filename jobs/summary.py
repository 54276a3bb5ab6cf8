"""What a run did, on one screen; and what it would do, for `--dry-run`."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql.types import StructType

from jobs.configuration import Configuration
from jobs.document_table import Survey, document_table
from jobs.manifest import ChunkCounts, Manifest, Sizes
from jobs.opensearch.definition import definition_of, pipeline_words
from jobs.opensearch.documents import output_rows
from jobs.reading import Source
from jobs.writing import PARENTS, chunk_rows, staging_column


def summary_text(manifest: Manifest, path: str) -> str:
    """The summary of a published run whose chunks are at `path`."""
    lines = [f"Run {manifest.run_id} is published.", ""]
    lines += [f"  {name:<10} {words}" for name, words in _facts(manifest) if words]
    lines += ["", f"  chunks are at  {path}", f'  read them with spark.read.parquet("{path}")']
    if PARENTS in manifest.files:
        lines.append(f"  their parents are beside them, in {PARENTS}/")
    return "\n".join(lines)


def plan_text(config: Configuration, source: Source, known: Survey) -> str:
    """What a run would read and write."""
    columns = _output_columns(config, source, known)
    kept = [field for field in columns if not config.output.columns or field.name in config.output.columns]
    width = max(len(field.name) for field in kept)
    return "\n".join(
        [
            "The configuration fits the input. A run would",
            "",
            f"  read   {known.documents:,} documents of {config.input.table or config.input.path}"
            f" ({known.splits:,} {'task' if known.splits == 1 else 'tasks'} with rows), {_texts(source)}",
            *_duplicates(known.duplicate_ids),
            f"  cut    {_stages(config)}",
            f"  write  to {config.output.path}/runs/<run_id>/chunks, with these columns:",
            "",
            *(f"    {field.name:<{width}}  {field.dataType.simpleString()}" for field in kept),
            "",
            "Nothing was written.",
        ]
    )


def _output_columns(config: Configuration, source: Source, known: Survey) -> StructType:
    documents = document_table(source, config.limits, known)
    pipeline = definition_of(config.chunk)
    if pipeline is not None and pipeline.has_documents:
        return output_rows(documents, source, pipeline).select("row.*").schema
    return chunk_rows(documents, source, config).drop(staging_column(source)).schema


def _texts(source: Source) -> str:
    return f"text in {source.text!r}" if source.fields is None else f"texts in {', '.join(source.fields.paths)}"


def _duplicates(count: int) -> list[str]:
    ids = "1 id is" if count == 1 else f"{count:,} ids are"
    return [f"         {ids} there more than once: their rows fail"] if count else []


def _stages(config: Configuration) -> str:
    pipeline = definition_of(config.chunk)
    if pipeline is not None:
        return pipeline_words(pipeline)
    stages = [config.chunk] if isinstance(config.chunk, Mapping) else config.chunk
    return ", then ".join(next(iter(stage)) for stage in stages)


def _facts(manifest: Manifest) -> list[tuple[str, str]]:
    documents, chunks = manifest.documents, manifest.chunks
    statuses = {"chunked": documents.chunked, "empty": documents.empty, "failed": documents.failed}
    facts = [
        ("documents", f"{documents.documents:,}: {_counted(statuses)}"),
        ("failed", _counted(documents.failed_by_reason)),
        ("repaired", f"{documents.repaired:,} were not valid UTF-8" if documents.repaired else ""),
    ]
    if chunks is not None:
        facts += _chunk_facts(chunks, documents.tokens)
    if manifest.changes is not None:
        against = f"against {manifest.previous_run_id}" if manifest.previous_run_id else "(the first run)"
        facts.append(("changes", f"{_counted(manifest.changes) or 'none'} {against}"))
    written = manifest.files.get("chunks")
    if written is not None:
        facts.append(("files", f"{written.files:,} of chunks, {_megabytes(written.bytes)}"))
    rate = documents.documents / max(manifest.seconds, 0.1)
    facts.append(("time", f"{manifest.seconds:,.1f} s, {rate:,.{0 if rate >= 10 else 1}f} documents/s"))
    return facts


def _chunk_facts(chunks: ChunkCounts, tokens: int | None) -> list[tuple[str, str]]:
    flags = {"over the limit": chunks.over_limit, "with context cut": chunks.context_cut}
    flagged = _counted(flags)
    return [
        ("chunks", f"{chunks.chunks:,}{f' ({flagged})' if flagged else ''}"),
        ("tokens", "" if tokens is None else f"{tokens:,}, a chunk has {_spread(chunks.tokens)}"),
        ("characters", f"a chunk has {_spread(chunks.chars)}" if chunks.chunks else ""),
    ]


def _spread(sizes: Sizes) -> str:
    if sizes.min is None or sizes.max is None:
        return "none"
    return f"{sizes.min:,} to {sizes.max:,}, half have at most {sizes.p50:,}, 95% at most {sizes.p95:,}"


def _counted(counts: Mapping[str, int]) -> str:
    """`2 added, 1 removed`; what there is none of is left out."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} KB"
