"""The `chunking` of a `semantic` field in an index mapping, as the pipeline that cuts alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkers.errors import ConfigurationError, Problem, nearest
from chunkers.opensearch.algorithms import ALGORITHMS, FixedTokenLength
from chunkers.opensearch.pipeline import read_pipeline
from chunkers.parameters import shown


def semantic_field_pipeline(chunking: Any, field: str, output: str) -> dict[str, Any]:
    """The body of a pipeline that chunks `field` into `output` as a `semantic` field with this `chunking` does.

    `chunking` is true (one stage with all defaults) or a list of `{"algorithm": ..., "parameters": {...}}`,
    whose stages run one after the other. Raises ConfigurationError with everything that is wrong.
    """
    problems: list[Problem] = []
    stages = [{FixedTokenLength.name: {}}] if chunking is True else _stages(chunking, problems)
    if problems:
        raise ConfigurationError(problems)
    sources = [field, *[output] * (len(stages) - 1)]
    processors = [
        {"text_chunking": {"field_map": {source: output}, "algorithm": algorithm}}
        for source, algorithm in zip(sources, stages, strict=True)
    ]
    body = {"processors": processors}
    read_pipeline(body, path="chunking")
    return body


def _stages(chunking: Any, problems: list[Problem]) -> list[dict[str, Any]]:
    if not chunking or not isinstance(chunking, list) or not all(isinstance(stage, Mapping) for stage in chunking):
        hint = f"{shown(chunking)} says nothing to chunk"
        problems.append(Problem("chunking", "[chunking] must be either a List of Maps or a Boolean", hint))
        return []
    return [_stage(stage, f"chunking[{n}]", problems) for n, stage in enumerate(chunking)]


def _stage(stage: Mapping[str, Any], path: str, problems: list[Problem]) -> dict[str, Any]:
    name = stage.get("algorithm")
    if unknown := [key for key in stage if key not in ("algorithm", "parameters")]:
        message = f"[chunking] does not support parameters [[{', '.join(map(str, unknown))}]]"
        problems.append(Problem(path, message, "expected algorithm and parameters"))
    elif not isinstance(name, str) or name not in ALGORITHMS:
        message = f"[algorithm] must be one of [{', '.join(ALGORITHMS)}]"
        problems.append(Problem(f"{path}.algorithm", message, nearest(name, ALGORITHMS)))
    parameters = stage.get("parameters")
    return {str(name): {} if parameters is None else parameters}
