"""`chunk: {opensearch_pipeline: ...}`: an OpenSearch ingest pipeline as a chunk definition.

The driver reads the pipeline's file when it loads the configuration; from then on the definition holds the
pipeline itself, so that workers, manifests and later runs need no file.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from chunkers.errors import ConfigurationError, Problem
from chunkers.opensearch import Pipeline, read_pipeline
from chunkers.parameters import join, parameter, read, shown
from jobs.opensearch.json_files import read_json

KEY = "opensearch_pipeline"


def _parse_pipeline(value: Any, path: str, problems: list[Problem]) -> Any:
    """The pipeline itself, read from its file when a path is given."""
    if isinstance(value, Mapping):
        return value
    if not isinstance(value, str) or not value:
        message = f"{shown(value)} is neither the path of a pipeline's JSON file nor the pipeline itself"
        problems.append(Problem(path, message))
        return None
    try:
        return read_json(value)
    except ValueError as error:
        hint = "expected what GET _ingest/pipeline/<id> answers; a relative path starts where the command runs"
        problems.append(Problem(path, f"the file {value} {error}", hint))
        return None


@dataclass(frozen=True, kw_only=True)
class PipelineDefinition:
    """An OpenSearch ingest pipeline with `text_chunking` processors, run on every document as OpenSearch does."""

    opensearch_pipeline: str | Mapping[str, Any] = parameter(
        parse=_parse_pipeline,
        schema={"type": ["string", "object"], "minLength": 1},
        doc="Path of a JSON file with the body of `PUT _ingest/pipeline/x`, or with what `GET` answers; or that "
        "body itself. Its `field_map` says what is read, so there is no `input.text`.",
    )
    skip_processors: tuple[str, ...] = parameter(
        (), doc="Other kinds of processors in the pipeline, to be left out; any that is not listed is an error."
    )
    shape: Literal["chunks", "documents"] = parameter(
        "chunks",
        doc="What the output has: a row for each passage, or the rows of the input with a column of passages for each "
        "output field, nested as `field_map` says.",
    )
    max_token_count: int | None = parameter(
        None,
        minimum=1,
        doc="Most tokens of one text; a document above it fails. A server has 10,000, the job no limit.",
    )
    max_depth: int | None = parameter(
        None, minimum=1, doc="Deepest nesting of a text; a document below it fails. A server has 20, the job no limit."
    )

    @property
    def has_documents(self) -> bool:
        """Whether the output has the rows of the input."""
        return self.shape == "documents"

    def as_json(self) -> str:
        """Plain text for a worker, which `definition_of` takes back."""
        return json.dumps(dataclasses.asdict(self))


def is_pipeline(chunk: Any) -> bool:
    """Whether a chunk definition is an OpenSearch pipeline, be it a right one or not."""
    return isinstance(chunk, Mapping) and KEY in chunk


def read_definition(value: Mapping[str, Any], path: str, problems: list[Problem]) -> Any:
    """The definition as plain data, the pipeline in it; its faults are added to `problems`."""
    definition = read(PipelineDefinition, value, path, problems)
    if definition is None:
        _report_pipeline(value, path, problems)
        return value
    _make(definition, path, problems)
    return dataclasses.asdict(definition)


def definition_of(chunk: Any) -> PipelineDefinition | None:
    """The pipeline definition in a loaded configuration; None for another chunk definition."""
    if not is_pipeline(chunk):
        return None
    problems: list[Problem] = []
    definition = read(PipelineDefinition, chunk, "chunk", problems)
    if definition is None:
        raise ConfigurationError(problems)
    return definition


def pipeline_of(definition: PipelineDefinition) -> Pipeline:
    """The pipeline to run; raises ConfigurationError for a wrong one."""
    problems: list[Problem] = []
    pipeline = _make(definition, "chunk", problems)
    if pipeline is None:
        raise ConfigurationError(problems)
    return pipeline


def normalized_pipeline(definition: PipelineDefinition) -> list[Any]:
    """What a definition does, as plain data: names, tags and ways to write a number left out."""
    pipeline = pipeline_of(definition)
    processors = [
        {
            **dataclasses.asdict(processor),
            "field_map": json.dumps(processor.field_map),  # its order matters
            "algorithm": {processor.algorithm.name: vars(processor.algorithm)},
        }
        for processor in pipeline.processors
    ]
    return [definition.shape, dataclasses.asdict(pipeline.limits), processors]


def pipeline_words(definition: PipelineDefinition) -> str:
    """`OpenSearch pipeline of delimiter, then fixed_token_length; shape documents`"""
    stages = ", then ".join(processor.algorithm.name for processor in pipeline_of(definition).processors)
    return f"OpenSearch pipeline of {stages}; shape {definition.shape}"


def _make(definition: PipelineDefinition, path: str, problems: list[Problem]) -> Pipeline | None:
    return read_pipeline(
        definition.opensearch_pipeline,
        definition.skip_processors,
        join(path, KEY),
        problems,
        max_token_count=definition.max_token_count,
        max_depth=definition.max_depth,
    )


def _report_pipeline(value: Mapping[str, Any], path: str, problems: list[Problem]) -> None:
    """Add the pipeline's own faults when another key is wrong; those of its file have been reported."""
    body = _parse_pipeline(value[KEY], path, [])
    skipped = value.get("skip_processors")
    if body is not None:
        names = [skipped] if isinstance(skipped, str) else skipped if isinstance(skipped, list) else []
        read_pipeline(body, [name for name in names if isinstance(name, str)], join(path, KEY), problems)
