"""Open the input and find the columns that the configuration names; everything wrong is said at once."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import (
    ArrayType,
    AtomicType,
    BinaryType,
    CharType,
    DataType,
    MapType,
    NullType,
    StringType,
    StructType,
    VarcharType,
)

from chunkers import create_algorithm
from chunkers.errors import Problem, nearest
from jobs.configuration import Configuration, InputConfig
from jobs.connect import on_server
from jobs.errors import InputError
from jobs.input_faults import input_faults
from jobs.opensearch.definition import definition_of, pipeline_of
from jobs.opensearch.fields import Fields, resolve
from jobs.output_columns import OUTPUT_COLUMN_NAMES
from jobs.reasons import first_line
from jobs.session import row_by_row


@dataclass(frozen=True)
class Source:
    """The input with the columns that the job uses, spelled as the input spells them."""

    frame: DataFrame
    ids: tuple[str, ...]
    text: str
    context: tuple[str, ...]
    carried: tuple[str, ...]
    asked: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Columns that the algorithm looks at (a language, what `by` chooses by), by the names that it gives them."""
    fields: Fields | None = None
    """What an OpenSearch pipeline reads and writes; there is no column `text` then."""

    @property
    def has_metadata(self) -> bool:
        """Whether columns beside the text go to the algorithm."""
        return bool(self.context or self.asked)

    @property
    def types(self) -> Mapping[str, DataType]:
        return {field.name: field.dataType for field in self.frame.schema}


@contextmanager
def read_source(spark: SparkSession, config: Configuration) -> Iterator[Source]:
    """The rows to chunk.

    Raises InputError when there is no such input, a column is missing or of a wrong type, or rows can't be read.
    """
    with input_faults(config):
        source = _resolved(_opened(spark, config.input), config)
        frame = _filtered(source.frame, config.input.where)
        if config.input.limit is None:
            yield dataclasses.replace(source, frame=frame)
            return
        # Two scans could take different rows; kept ones stay the same. Planned here, they are read as planned.
        with row_by_row(spark):
            limited = frame.limit(config.input.limit).persist()
        try:
            yield dataclasses.replace(source, frame=limited)
        finally:
            limited.unpersist()


def _filtered(frame: DataFrame, condition: str | None) -> DataFrame:
    if condition is None:
        return frame
    try:
        kept = frame.where(condition)
        kept.isLocal()  # Spark Connect looks at the condition only when it is asked something
    except PySparkException as error:
        raise InputError(f"input.where can't be used: {first_line(error)}") from error
    return kept


def _opened(spark: SparkSession, config: InputConfig) -> DataFrame:
    try:
        if config.table is not None:
            frame = spark.table(config.table)
        else:
            path = on_server(str(config.path), spark)
            frame = spark.read.format(config.format).options(**config.options).load(path)
        frame.schema  # noqa: B018 - Spark Connect looks at the input only now
    except Exception as error:  # an unknown format is an error of Java, not of PySpark
        place = f"table {config.table}" if config.table is not None else f"{config.format} files at {config.path}"
        raise InputError(f"The input can't be opened ({place}): {_why(error, config)}") from error
    return frame


_PATTERN = re.compile(r"[\[{*?]")


def _why(error: Exception, config: InputConfig) -> str:
    why = first_line(error)
    if "UNABLE_TO_INFER_SCHEMA" in why:
        return "no file with data is there"
    if "PATH_NOT_FOUND" in why and (sign := _PATTERN.search(str(config.path))):
        return f"{why} The {sign[0]} makes a pattern of the path, in which \\{sign[0]} is the sign itself."
    return why


def _resolved(frame: DataFrame, config: Configuration) -> Source:
    """The columns by their names in the input; capitals don't matter, as in Spark."""
    finder = _Finder(frame.schema)
    pipeline = definition_of(config.chunk)
    carried = finder.find("input.columns", config.input.columns)
    source = Source(
        frame,
        finder.find("input.id", config.input.id),
        "".join(finder.find("input.text", [] if config.input.text is None else [config.input.text])),
        finder.find("context.columns", config.context.columns),
        tuple(frame.columns) if pipeline is not None and pipeline.has_documents else carried,
        {} if pipeline is not None else _asked(finder, config),
    )
    problems = [*finder.problems, *_type_problems(source)]
    if pipeline is None or not pipeline.has_documents:
        problems += _name_problems(source)
    if pipeline is not None:
        fields, wrong = resolve(pipeline_of(pipeline), frame.schema, writes_columns=pipeline.has_documents)
        source = dataclasses.replace(source, fields=fields)
        problems += wrong
        problems += _output_problems(fields, config) if pipeline.has_documents else []
    if problems:
        lines = "\n".join(f"  {problem}" for problem in problems)
        raise InputError(f"The input has not what the configuration says:\n{lines}\n  It has: {_columns(frame)}")
    return source


def _asked(finder: _Finder, config: Configuration) -> dict[str, str]:
    names = sorted(create_algorithm(config.chunk).columns)
    return {name: found for name in names for found in finder.find("chunk", [name])}


class _Finder:
    """Finds columns and collects what is wrong."""

    def __init__(self, schema: StructType) -> None:
        self.spellings: dict[str, list[str]] = {}
        for field in schema:
            self.spellings.setdefault(field.name.lower(), []).append(field.name)
        self.known = schema.names
        self.problems: list[Problem] = []

    def find(self, path: str, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(found for name in names for found in self._find(path, name))

    def _find(self, path: str, name: str) -> list[str]:
        found = self.spellings.get(name.lower(), [])
        if not found:
            self.problems.append(Problem(path, f"the input has no column {name!r}", nearest(name, self.known)))
        elif len(found) > 1:
            self.problems.append(
                Problem(path, f"{name!r} can be {' or '.join(map(repr, found))}", "rename one of them in the input")
            )
            return []
        return found


def _type_problems(source: Source) -> list[Problem]:
    types = source.types
    problems = [
        Problem("input.id", f"{name!r} is {_words(types[name])}, by which rows can't be told apart", "name another")
        for name in source.ids
        if not _is_groupable(types[name])
    ]
    if source.text and not isinstance(types[source.text], (StringType, CharType, VarcharType, NullType)):
        problems.append(_text_problem(source.text, types[source.text]))
    problems += [
        Problem(path, f"{name!r} is {_words(types[name])}", "expected text, a number, a date or a boolean")
        for path, name in [
            *(("context.columns", name) for name in source.context),
            *(("chunk", name) for name in source.asked.values()),
        ]
        if not isinstance(types[name], (AtomicType, NullType)) or isinstance(types[name], BinaryType)
    ]
    return problems


def _text_problem(name: str, kind: DataType) -> Problem:
    found = f"{name!r} is {_words(kind)}, expected string"
    if isinstance(kind, BinaryType):
        return Problem("input.text", found, f"write it as CAST(`{name}` AS STRING) first; bad bytes are repaired")
    return Problem("input.text", found, "name a column of strings")


def _name_problems(source: Source) -> list[Problem]:
    """Names that would be twice in the output, where Spark fails only when it writes."""
    return [
        Problem("input.columns", f"{name!r} is the name of an output column", "rename it in the input or leave it out")
        for name in source.carried
        if name.lower() in OUTPUT_COLUMN_NAMES
    ]


def _output_problems(fields: Fields, config: Configuration) -> list[Problem]:
    return [
        Problem(f"output.columns[{n}]", f"the output has no column {name!r}", nearest(name, fields.columns))
        for n, name in enumerate(config.output.columns)
        if name not in fields.columns
    ]


def _is_groupable(kind: DataType) -> bool:
    if isinstance(kind, StructType):
        return all(_is_groupable(field.dataType) for field in kind)
    if isinstance(kind, ArrayType):
        return _is_groupable(kind.elementType)
    return not isinstance(kind, MapType) and kind.typeName() not in ("variant", "geometry", "geography")


def _words(kind: DataType) -> str:
    return kind.simpleString()


def _columns(frame: DataFrame) -> str:
    return ", ".join(f"{field.name} ({_words(field.dataType)})" for field in frame.schema)
