"""The body of a pipeline, checked and read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chunkers.errors import Problem, nearest
from chunkers.opensearch.algorithms import ALGORITHMS, Algorithm, FixedTokenLength
from chunkers.opensearch.java import class_name
from chunkers.opensearch.parameters import Parameters
from chunkers.opensearch.processor import Processor
from chunkers.parameters import join, shown

TYPE = "text_chunking"
METADATA = ("_index", "_id", "_routing", "_version", "_version_type", "_if_seq_no", "_if_primary_term")
"""Fields of a document on the server that are not in its `_source`."""

_PIPELINE_KEYS = ("description", "version", "processors", "on_failure")
_PROCESSOR_KEYS = (
    "field_map",
    "algorithm",
    "ignore_missing",
    "ignore_failure",
    "tag",
    "description",
    "if",
    "on_failure",
)


def read_processors(body: Any, skip: frozenset[str], path: str, problems: list[Problem]) -> list[Processor]:
    """The `text_chunking` processors, in order; what is wrong goes to `problems`."""
    unwrapped = _unwrapped(body, path, problems)
    if unwrapped is None:
        return []
    pipeline, path = unwrapped
    _check_keys(pipeline, _PIPELINE_KEYS, "pipeline", path, problems)
    _refuse_unless_skipped(pipeline, ("on_failure",), skip, path, problems)
    entries = pipeline.get("processors")
    if not isinstance(entries, list):
        problems.append(_property(pipeline, "processors", "list", path))
        return []
    found = list(_entries(entries, join(path, "processors"), problems))
    for name, _, place in found:
        if name != TYPE and name not in skip:
            hint = f"take it out, or list {name} in skip_processors to have it passed over"
            problems.append(Problem(place, f"the processor {name} is none that chunks", hint))
    chunking = [(config, place) for name, config, place in found if name == TYPE and TYPE not in skip]
    if not chunking:
        problems.append(Problem(join(path, "processors"), f"no {TYPE} processor", "there is nothing to chunk"))
    processors = [_processor(config, skip, place, problems) for config, place in chunking]
    return [processor for processor in processors if processor is not None]


def _unwrapped(body: Any, path: str, problems: list[Problem]) -> tuple[Mapping[str, Any], str] | None:
    """The pipeline itself, which `GET` returns under its id."""
    hint = "expected the body of PUT _ingest/pipeline/<id>, or what GET returns"
    if not isinstance(body, Mapping):
        problems.append(Problem(path, f"{shown(body)} is not a pipeline", hint))
        return None
    by_id = {name: inner for name, inner in body.items() if isinstance(inner, Mapping) and "processors" in inner}
    if "processors" in body or not by_id:
        return body, path
    if len(body) > 1:
        problems.append(Problem(path, f"several pipelines: {', '.join(map(str, body))}", "keep one"))
        return None
    ((name, pipeline),) = by_id.items()
    return pipeline, join(path, name)


def _entries(entries: list[Any], path: str, problems: list[Problem]) -> Iterator[tuple[str, Any, str]]:
    """Type, configuration and path of each processor."""
    for n, entry in enumerate(entries):
        if isinstance(entry, Mapping):
            yield from ((str(name), config, f"{path}[{n}].{name}") for name, config in entry.items())
        else:
            problems.append(Problem(f"{path}[{n}]", f"{shown(entry)} is not a processor", "expected {type: {...}}"))


def _processor(config: Any, skip: frozenset[str], path: str, problems: list[Problem]) -> Processor | None:
    if not isinstance(config, Mapping):
        problems.append(Problem(path, f"property isn't a map, but of type [{class_name(config)}]"))
        return None
    _check_keys(config, _PROCESSOR_KEYS, f"processor [{TYPE}]", path, problems)
    _refuse_unless_skipped(config, ("if", "on_failure"), skip, path, problems)
    for name in ("tag", "description"):
        if not isinstance(config.get(name), str | None):
            problems.append(_property(config, name, "string", path))
    ignore_missing = _flag(config, "ignore_missing", path, problems)
    ignore_failure = _flag(config, "ignore_failure", path, problems)
    if not isinstance(field_map := config.get("field_map"), Mapping):
        problems.append(_property(config, "field_map", "map", path))
    else:
        _check_field_map(field_map, join(path, "field_map"), problems)
    if not isinstance(definition := config.get("algorithm"), Mapping):
        problems.append(_property(config, "algorithm", "map", path))
        return None
    algorithm = _algorithm(definition, join(path, "algorithm"), problems)
    if algorithm is None or not isinstance(field_map, Mapping):
        return None
    return Processor(field_map, *algorithm, ignore_missing, ignore_failure)


def _algorithm(definition: Mapping[str, Any], path: str, problems: list[Problem]) -> tuple[Algorithm, int] | None:
    """The algorithm and its `max_chunk_limit`; keys that it does not know are passed over, as OpenSearch does."""
    if len(definition) > 1:
        message = f"Unable to create {TYPE} processor as [algorithm] contains multiple algorithms"
        problems.append(Problem(path, message, f"keep one of {', '.join(map(str, definition))}"))
        return None
    ((name, values),) = definition.items() or [(FixedTokenLength.name, {})]
    if not isinstance(values, Mapping):
        message = f"Unable to create {TYPE} processor as parameters for [{name}] algorithm must be an object"
        problems.append(Problem(join(path, name), message, f"found {shown(values)}; expected {{...}}"))
        return None
    if name not in ALGORITHMS:
        supported = f"Supported chunking algorithms are [{', '.join(ALGORITHMS)}]"
        message = f"Chunking algorithm [{name}] is not supported. {supported}"
        problems.append(Problem(join(path, name), message, nearest(name, ALGORITHMS)))
        return None
    parameters = Parameters(values, join(path, name), problems)
    return ALGORITHMS[name].read(parameters), parameters.max_chunk_limit()


def _check_field_map(field_map: Mapping[Any, Any], path: str, problems: list[Problem]) -> None:
    _check_field_names(field_map, path, problems)
    for key, target in field_map.items():
        for name in {key, target if isinstance(target, str) else key}.intersection(METADATA):
            message = f"{name} is the document's metadata, which only the server has"
            problems.append(Problem(join(path, key), message, "name a field of _source"))


def _check_field_names(field_map: Mapping[Any, Any], path: str, problems: list[Problem]) -> None:
    """Keys of a JSON body are strings; those of a body written as YAML need not be."""
    for key, target in field_map.items():
        if not isinstance(key, str):
            problems.append(Problem(join(path, key), f"the field {shown(key)} is not a string", "put it in quotes"))
        if isinstance(target, Mapping):
            _check_field_names(target, join(path, key), problems)


def _check_keys(
    values: Mapping[str, Any], known: tuple[str, ...], owner: str, path: str, problems: list[Problem]
) -> None:
    for name in values:
        if name not in known:
            message = f"{owner} doesn't support one or more provided configuration parameters [{name}]"
            problems.append(Problem(join(path, name), message, nearest(name, known)))


def _refuse_unless_skipped(
    values: Mapping[str, Any], names: tuple[str, ...], skip: frozenset[str], path: str, problems: list[Problem]
) -> None:
    for name in names:
        if values.get(name) is not None and name not in skip:
            hint = f"take it out, or list {name} in skip_processors to have it passed over"
            problems.append(Problem(join(path, name), f"{name} runs only on the server", hint))


def _flag(config: Mapping[str, Any], name: str, path: str, problems: list[Problem]) -> bool:
    value = config.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    problems.append(_property(config, name, "boolean", path))
    return False


def _property(values: Mapping[str, Any], name: str, kind: str, path: str) -> Problem:
    """A property that is missing or of the wrong type, in OpenSearch's words."""
    value = values.get(name)
    what = "required property is missing" if value is None else f"property isn't a {kind}, but of type"
    found = "" if value is None else f" [{class_name(value)}]"
    return Problem(join(path, name), f"[{name}] {what}{found}", f"expected a {kind}")
