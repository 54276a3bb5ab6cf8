"""`chunkmill simulate`: a pipeline and documents from files, the answer of `_simulate` on stdout."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TextIO

from chunkers.errors import ConfigurationError, Problem
from chunkers.opensearch import simulate
from jobs.errors import InputError
from jobs.opensearch.json_files import read_json


def simulate_files(
    pipeline: str, docs: str, out: TextIO, *, max_token_count: int, skip_processors: Collection[str]
) -> None:
    """Write the answer for the documents of one file, a list of them or a whole `_simulate` body.

    Raises ConfigurationError for the pipeline, InputError and RequestError for the documents.
    """
    try:
        body = read_json(pipeline)
    except ValueError as error:
        raise ConfigurationError([Problem(pipeline, str(error))]) from error
    try:
        documents = read_json(docs)
    except ValueError as error:
        raise InputError(f"{docs}: {error}") from error
    if isinstance(documents, dict) and "docs" in documents:
        documents = documents["docs"]
    try:
        answer = simulate(body, documents, max_token_count=max_token_count, skip_processors=skip_processors)
        text = json.dumps(answer, ensure_ascii=False, indent=2)
    except RecursionError as error:
        raise InputError(f"{docs} is nested too deeply to be simulated, or {pipeline} is") from error
    out.write(f"{text}\n")
