"""The configuration of a job, checked whole before Spark starts.

`load("conf/handbook.yaml", ["output.path=out/x"])` gives a `Configuration`, or one
ConfigurationError with everything that is wrong.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkers.errors import ConfigurationError, Problem
from chunkers.parameters import join, parameter, read, shown
from chunkers.registry import read_algorithm
from jobs.configuration.checks import check_columns, check_paths, check_pipeline, check_text
from jobs.configuration.file import read_configuration_file
from jobs.opensearch.definition import is_pipeline, read_definition


def _parse_options(value: Any, path: str, problems: list[Problem]) -> dict[str, str]:
    """Options of `spark.read`, which takes strings: `true` and `3` are written as such."""
    if not isinstance(value, Mapping):
        problems.append(Problem(path, f"{shown(value)} is not a mapping of option names to values"))
        return {}
    for name, option in value.items():
        if not isinstance(option, (str, bool, int, float)):
            problems.append(Problem(join(path, name), f"{shown(option)} is not a string, number, true or false"))
    return {
        str(name): str(option).lower() if isinstance(option, bool) else str(option) for name, option in value.items()
    }


def _parse_chunk(value: Any, path: str, problems: list[Problem]) -> Any:
    """Check the definition by making its algorithm; the definition itself is what goes to the workers."""
    if is_pipeline(value):
        return read_definition(value, path, problems)
    read_algorithm(value, path, problems)
    return value


@dataclass(frozen=True, kw_only=True)
class InputConfig:
    """Which documents to read."""

    path: str | None = parameter(
        None, not_empty=True, doc="Where the documents are: a file, a folder or a pattern. Either this or `table`."
    )
    table: str | None = parameter(
        None, not_empty=True, doc="The documents as a table of the catalog: `catalog.db.documents`."
    )
    format: str = parameter("parquet", not_empty=True, doc="Format of the files at `path`, as `spark.read` knows it.")
    options: Mapping[str, str] = parameter(
        factory=dict,
        parse=_parse_options,
        schema={"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
        doc="Options for `spark.read`.",
    )
    where: str | None = parameter(None, not_empty=True, doc="SQL condition for the rows to take: `lang = 'en'`.")
    limit: int | None = parameter(None, minimum=1, maximum=2**31 - 1, doc="Most rows to take; for trying things out.")
    id: tuple[str, ...] = parameter(
        not_empty=True,
        doc="Column that identifies a document, or several: `doc_id` is then their canonical JSON array.",
    )
    text: str | None = parameter(
        None, not_empty=True, doc="Column with the text to chunk. Required, except for an `opensearch_pipeline`."
    )
    columns: tuple[str, ...] = parameter((), doc="Columns carried into every chunk as they are.")


@dataclass(frozen=True, kw_only=True)
class ContextConfig:
    """What goes in front of every chunk of a document."""

    columns: tuple[str, ...] = parameter(
        (), doc="Columns whose values go in front of every chunk, each on a line of its own, nulls left out."
    )
    headings: bool = parameter(
        False,
        doc="Put the Markdown headings above a chunk in front of it. `markdown` and `structure` do so by themselves.",
    )
    lead_chars: int = parameter(
        0, minimum=0, doc="Repeat this many characters of the document's beginning in front of every chunk."
    )


@dataclass(frozen=True, kw_only=True)
class OutputConfig:
    """Where the chunks go."""

    path: str = parameter(not_empty=True, doc="Folder of the output; every run gets a folder of its own in it.")
    columns: tuple[str, ...] = parameter(
        (), doc="Columns of the output table to write, output and carried ones; all of them when empty."
    )


@dataclass(frozen=True, kw_only=True)
class LimitsConfig:
    """When a document, or the run, fails."""

    max_document_mb: float = parameter(
        64.0,
        minimum=0.001,
        maximum=2000,
        doc="Largest document, in millions of bytes of UTF-8; a larger one fails as `too_large`.",
    )
    max_failed_rate: float = parameter(
        0.01,
        minimum=0.0,
        maximum=1.0,
        doc="Largest share of failed documents; a run above it publishes nothing and exits with 4.",
    )

    @property
    def max_document_bytes(self) -> int:
        return int(self.max_document_mb * 1_000_000)


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """Everything that a job is told."""

    input: InputConfig = parameter(doc="Which documents to read.")
    chunk: Any = parameter(
        parse=_parse_chunk,
        schema={"$ref": "#/$defs/chunk"},
        doc="How to chunk: one algorithm with its parameters, or a list of them, each of which cuts the pieces of the "
        "one before; or an OpenSearch pipeline.",
    )
    context: ContextConfig = parameter(factory=ContextConfig, doc="What goes in front of every chunk of a document.")
    output: OutputConfig = parameter(doc="Where the chunks go.")
    limits: LimitsConfig = parameter(factory=LimitsConfig, doc="When a document, or the run, fails.")

    def as_dict(self) -> dict[str, Any]:
        """Plain data for a manifest, defaults filled in; `from_mapping` takes it back."""
        return dataclasses.asdict(self)


def load(path: str | Path, overrides: Sequence[str] = ()) -> Configuration:
    """Read a configuration file and set what `overrides` (`a.b=value`, the value as YAML) say.

    Raises ConfigurationError with every problem: each with its key path, value and bounds.
    """
    problems: list[Problem] = []
    values = read_configuration_file(Path(path), overrides, problems)
    return _checked(values, problems)


def from_mapping(values: Mapping[str, Any]) -> Configuration:
    """The configuration that a mapping of keys describes; raises ConfigurationError as `load` does."""
    return _checked(values, [])


def _checked(values: Any, problems: list[Problem]) -> Configuration:
    made = read(Configuration, values, "", problems) if values is not None else None
    if isinstance(values, Mapping):
        check_paths(values, problems)
        check_text(values, problems)
        check_pipeline(values, problems)
        check_columns(values, problems)
    if made is None or problems:
        raise ConfigurationError(problems)
    return made
