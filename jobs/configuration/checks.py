"""What must hold between the keys of a configuration.

The checks read the raw values, so that they find their faults beside those of single keys; a value of
the wrong type has been reported already and is passed over here.
"""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Mapping, Sequence
from typing import Any

from chunkers.errors import Problem, nearest
from jobs.opensearch.definition import is_pipeline
from jobs.output_columns import OUTPUT_COLUMN_NAMES


def check_paths(values: Mapping[str, Any], problems: list[Problem]) -> None:
    """One place to read from, and another one to write to."""
    given = _section(values, "input")
    if given is None:
        return
    path, table = given.get("path"), given.get("table")
    if path is None and table is None:
        problems.append(Problem("input", "names no documents", "give path, or table"))
    if path is not None and table is not None:
        problems.append(Problem("input", "has both path and table", "keep one of the two"))
    if path is None and table is not None and given.get("format") not in (None, "parquet"):
        problems.append(Problem("input.format", "goes with path: a table knows its own format", "leave it out"))
    output = (_section(values, "output") or {}).get("path")
    if isinstance(path, str) and isinstance(output, str) and path and output and lies_in(output, path):
        problems.append(Problem("output.path", f"{output!r} lies in input.path", "chunks would be read as documents"))


def lies_in(output: str, pattern: str) -> bool:
    """Whether the output, or a folder that it is in, is a path of the input or fits its pattern."""
    source, target = _absolute(pattern).split("/"), _absolute(output).split("/")
    if source[-1] == "":
        return _absolute(output).startswith(_absolute(pattern))
    return len(target) >= len(source) and all(map(_fits, target, source))


def _fits(name: str, pattern: str) -> bool:
    """Whether a name may fit one of Hadoop's patterns; alternatives in braces are taken to fit always."""
    return name == pattern or "{" in pattern or fnmatch.fnmatchcase(name, pattern.replace("[^", "[!"))


def _absolute(path: str) -> str:
    """The path spelled in one way: a local one from the root, another one with its scheme."""
    scheme, colon, rest = path.partition(":")
    if colon and scheme.lower() == "file":
        return posixpath.abspath("/" + rest.lstrip("/"))
    return posixpath.normpath(path) if "://" in path else posixpath.abspath(path)


def check_text(values: Mapping[str, Any], problems: list[Problem]) -> None:
    """A column to chunk, unless a pipeline says what is chunked."""
    given = _section(values, "input")
    if given is not None and given.get("text") is None and not is_pipeline(values.get("chunk")):
        problems.append(Problem("input.text", "is required", "the column with the text to chunk"))


def check_pipeline(values: Mapping[str, Any], problems: list[Problem]) -> None:
    """What has no place beside an OpenSearch pipeline."""
    chunk = values.get("chunk")
    if not is_pipeline(chunk):
        return
    given, context = _section(values, "input") or {}, _section(values, "context") or {}
    if given.get("text") is not None:
        message = "is not used with a pipeline, whose field_map says what is read"
        problems.append(Problem("input.text", message, "leave it out"))
    if any(context.values()):
        message = "is not allowed with a pipeline: OpenSearch puts nothing in front of its passages"
        problems.append(Problem("context", message, "leave it out"))
    if _has_documents(chunk) and given.get("columns"):
        message = "is not used with shape: documents, whose rows have all columns of the input"
        problems.append(Problem("input.columns", message, "leave it out, or choose with output.columns"))


def check_columns(values: Mapping[str, Any], problems: list[Problem]) -> None:
    """Columns that are named once, and no output column twice."""
    given = _section(values, "input") or {}
    text = given.get("text") if isinstance(given.get("text"), str) else None
    ids, carried = _Columns("input.id", given.get("id")), _Columns("input.columns", given.get("columns"))
    context = _Columns("context.columns", (_section(values, "context") or {}).get("columns"))
    wanted = _Columns("output.columns", (_section(values, "output") or {}).get("columns"))
    for columns in (ids, carried, context, wanted):
        problems.extend(columns.repeated())
    for columns in (ids, carried, context):
        problems.extend(columns.that_are_text(text))
    problems.extend(carried.that_clash_with_output())
    problems.extend(carried.that_differ_in_case(ids))
    if _has_documents(values.get("chunk")):
        return
    known = [*OUTPUT_COLUMN_NAMES, *carried.names.values()]
    for path, name in wanted.names.items():
        if name not in known:
            problems.append(Problem(path, f"{name!r} is neither an output nor a carried column", nearest(name, known)))


class _Columns:
    """The column names at one key, each with its key path; Spark does not tell `Id` from `id`."""

    def __init__(self, path: str, value: Any) -> None:
        items = [value] if isinstance(value, str) else value if isinstance(value, Sequence) else []
        self.names = {f"{path}[{n}]": item for n, item in enumerate(items) if isinstance(item, str)}

    def repeated(self) -> list[Problem]:
        seen: dict[str, str] = {}
        return [
            Problem(path, f"{name!r} is there already at {first}", "name every column once; capitals don't matter")
            for path, name in self.names.items()
            if (first := seen.setdefault(name.lower(), path)) != path
        ]

    def that_are_text(self, text: str | None) -> list[Problem]:
        return [
            Problem(path, f"{name!r} is the column to chunk (input.text)", "leave it out; every chunk has its own text")
            for path, name in self.names.items()
            if text is not None and name.lower() == text.lower()
        ]

    def that_clash_with_output(self) -> list[Problem]:
        return [
            Problem(path, f"{name!r} is the name of an output column", "rename it in the input or leave it out")
            for path, name in self.names.items()
            if name.lower() in OUTPUT_COLUMN_NAMES
        ]

    def that_differ_in_case(self, ids: _Columns) -> list[Problem]:
        spelled = {name.lower(): name for name in ids.names.values()}
        return [
            Problem(path, f"{name!r} is {spelled[name.lower()]!r} in input.id", "write it the same way")
            for path, name in self.names.items()
            if spelled.get(name.lower(), name) != name
        ]


def _has_documents(chunk: Any) -> bool:
    return is_pipeline(chunk) and chunk.get("shape") == "documents"


def _section(values: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    section = values.get(name)
    return section if isinstance(section, Mapping) else None
