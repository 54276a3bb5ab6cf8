"""Columns of a row to the JSON document that a pipeline reads, and its passages back to columns.

Only what the pipeline reads goes to Python, and only passages come back: every other value of a row,
beside a passage or deep in a struct, is the one that was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import ArrayType, DataType, MapType, StringType, StructField, StructType

from jobs.opensearch.fields import STRINGS, Fields, Tree, child_type, is_strings, joined
from jobs.text_columns import is_invalid, quoted

_PARSING = {"mode": "FAILFAST", "maxStringLen": str(2**31 - 1)}
"""Without these a passage over 20 million characters, which Spark's parser refuses, would become null."""


def document_json(fields: Fields) -> Column:
    """The document as JSON: valid UTF-8, nulls left out."""
    row, reads = fields.row, fields.reads
    return F.to_json(
        F.struct(*(_kept(quoted(name), row[name].dataType, inner).alias(name) for name, inner in reads.items()))
    )


def is_repaired(fields: Fields) -> Column:
    """Whether a string of the document was not valid UTF-8."""
    row, reads = fields.row, fields.reads
    found = (_is_invalid(quoted(name), row[name].dataType, inner) for name, inner in reads.items())
    return reduce(Column.__or__, found)


def passages(document: Any, writes: Tree) -> Any:
    """What a pipeline has written in a document: the tree of outputs with their lists of passages."""
    if isinstance(document, list):
        return [passages(item, writes) for item in document]
    if not isinstance(document, Mapping):
        return None
    found: dict[str, Any] = {}
    for name, inner in writes.items():
        value = document.get(name)
        if inner is not None:
            found[name] = passages(value, inner)
        elif isinstance(value, list):
            found[name] = value
    return found


def parsed(passages_json: Column, fields: Fields) -> Column:
    """The JSON of `passages` as a struct of the outputs."""
    return F.from_json(passages_json, _struct(fields.row, fields.writes), _PARSING)


def with_passages(columns: Mapping[str, Column], fields: Fields, found: Column) -> list[Column]:
    """The row's columns, given by name, with the `parsed` passages beside what they were cut from."""
    made = dict(columns)
    for name, inner in fields.writes.items():
        made[name] = _written(columns.get(name), child_type(fields.row, name), inner, found[name])
    return [made[name].alias(name) for name in fields.columns]


def _kept(column: Column, kind: DataType, reads: Tree | None) -> Column:
    """The part of a value that is read; maps become structs of the keys that are."""
    if reads is None:
        return column
    if isinstance(kind, ArrayType):
        return F.transform(column, lambda item: _kept(item, kind.elementType, reads))
    inner = [_kept(column[name], _below(kind, name), below).alias(name) for name, below in reads.items()]
    return F.when(column.isNotNull(), F.struct(*inner))


def _is_invalid(column: Column, kind: DataType, reads: Tree | None) -> Column:
    if isinstance(kind, ArrayType):
        return F.exists(column, lambda item: _is_invalid(item, kind.elementType, reads))
    if reads is None:
        return F.coalesce(is_invalid(column.cast("string")), F.lit(False))
    inner = (_is_invalid(column[name], _below(kind, name), below) for name, below in reads.items())
    return F.coalesce(reduce(Column.__or__, inner), F.lit(False))


def _below(kind: DataType, name: str) -> DataType:
    child = child_type(kind, name)
    assert child is not None
    return child


def _written_type(kind: DataType, writes: Tree) -> DataType:
    if isinstance(kind, ArrayType):
        return ArrayType(_written_type(kind.elementType, writes))
    if isinstance(kind, MapType):
        return MapType(StringType(), _value_type(kind, writes))
    return _struct(kind, writes)


def _struct(kind: DataType, writes: Tree) -> StructType:
    return StructType([StructField(name, _field_type(kind, name, inner)) for name, inner in writes.items()])


def _value_type(kind: MapType, writes: Tree) -> DataType:
    """The values of a map have one type, with the outputs of all its keys."""
    if None in writes.values():
        return STRINGS
    return _written_type(kind.valueType, joined(inner for inner in writes.values() if inner is not None))


def _field_type(kind: DataType, name: str, writes: Tree | None) -> DataType:
    return STRINGS if writes is None else _written_type(_below(kind, name), writes)


def _written(column: Column | None, kind: DataType | None, writes: Tree | None, found: Column) -> Column:
    """A value with the passages that were found for it."""
    if column is None or kind is None:
        return found
    if writes is None:
        return F.coalesce(found, column) if is_strings(kind) else found
    if isinstance(kind, ArrayType):
        return F.transform(column, lambda item, place: _written(item, kind.elementType, writes, F.get(found, place)))
    if isinstance(kind, MapType):
        return _written_map(column, kind, writes, found)
    for name, inner in writes.items():
        child = child_type(kind, name)
        value = _written(column[name] if child is not None else None, child, inner, found[name])
        column = column.withField(_as_identifier(name), value)
    return column


def _written_map(column: Column, kind: MapType, writes: Tree, found: Column) -> Column:
    if None in writes.values():
        others = F.map_filter(column, lambda key, _: ~F.array_contains(F.map_keys(found), key))
        return F.coalesce(F.map_concat(others, found), column)
    inner = joined(tree for tree in writes.values() if tree is not None)
    return F.transform_values(column, lambda key, value: _written(value, kind.valueType, inner, found[key]))


def _as_identifier(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
