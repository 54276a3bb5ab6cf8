"""What `POST _ingest/pipeline/_simulate` answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from chunkers.errors import ChunkmillError, DocumentError
from chunkers.opensearch.algorithms import token_count_message
from chunkers.opensearch.java import class_name
from chunkers.opensearch.pipeline import Pipeline, read_pipeline
from chunkers.opensearch.reading import METADATA


class RequestError(ChunkmillError):
    """The documents are none that `_simulate` takes."""

    exit_code = 3


def simulate(
    pipeline: Any,
    docs: Sequence[Any],
    *,
    max_token_count: int | None = 10_000,
    max_depth: int | None = 20,
    skip_processors: Collection[str] = (),
) -> dict[str, Any]:
    """Run documents through a pipeline and answer as the server does.

    `pipeline` is a body as `read_pipeline` takes it; each of `docs` has a `_source` and may have
    `_index` and `_id`. The result is `{"docs": [...]}` with a `doc` for each document, or an `error`.
    `max_token_count` and `max_depth` are the settings `index.analyze.max_token_count` and
    `index.mapping.depth.limit`, with the server's defaults; None is no limit.

    Raises ConfigurationError for the pipeline and RequestError for the documents.
    """
    read = read_pipeline(pipeline, skip_processors, "pipeline", max_token_count=max_token_count, max_depth=max_depth)
    if isinstance(docs, str) or not isinstance(docs, Sequence) or not docs:
        raise RequestError("must specify at least one document in [docs]: expected a list of {_source: {...}}")
    requests = [_checked(document, n) for n, document in enumerate(docs)]
    return {"docs": [_answer(read, *request) for request in requests]}


def _checked(document: Any, number: int) -> tuple[dict[str, str], dict[str, Any]]:
    """The metadata as text, and the source."""
    place = f"docs[{number}]"
    if not isinstance(document, dict):
        raise RequestError(f"{place} is not an object: expected {{_source: {{...}}}}")
    source = document.get("_source")
    if source is None:
        raise RequestError(f"{place}: [_source] required property is missing")
    if not isinstance(source, dict):
        raise RequestError(f"{place}: [_source] property isn't a map, but of type [{class_name(source)}]")
    metadata: dict[str, str] = {}
    for name in METADATA:
        value = document.get(name)
        value = name if value is None and name in ("_index", "_id") else value
        if isinstance(value, bool) or not isinstance(value, str | int | None):
            kind = class_name(value)
            raise RequestError(f"{place}: [{name}] property isn't a string or int, but of type [{kind}]")
        if value is not None:
            metadata[name] = str(value)
    return metadata, source


def _answer(pipeline: Pipeline, metadata: dict[str, str], source: dict[str, Any]) -> dict[str, Any]:
    timestamp = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    try:
        result = pipeline.run(source)
    except DocumentError as error:
        return {"error": _failure(error, pipeline.limits.max_token_count)}
    return {"doc": {**metadata, "_source": result, "_ingest": {"timestamp": timestamp}}}


def _failure(error: DocumentError, max_token_count: int | None) -> dict[str, Any]:
    """The exception that the server would have thrown, as it renders one."""
    if error.reason != "max_token_count_exceeded" or max_token_count is None:
        cause = {"type": "illegal_argument_exception", "reason": error.detail}
        return {"root_cause": [cause], **cause}
    cause = {"type": "illegal_state_exception", "reason": error.detail}
    inner = {"type": "illegal_state_exception", "reason": token_count_message(max_token_count)}
    return {"root_cause": [cause], **cause, "caused_by": inner}
