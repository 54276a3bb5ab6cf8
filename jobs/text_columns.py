"""Columns by their names, and texts that are not valid UTF-8."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import ArrayType, CharType, DataType, StringType, StructType, TimestampType, VarcharType

MICROSECONDS = {
    "timeZone": "UTC",
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}
"""Options of to_json that keep all of a time; by default it ends at milliseconds, in the session's zone."""
_IN_WORDS = {"timeZone": "UTC", "timestampFormat": "yyyy-MM-dd HH:mm:ss.SSSSSS"}


def quoted(name: str) -> Column:
    """The column of exactly this name, dots and all."""
    return F.col("`" + name.replace("`", "``") + "`")


def make_valid(text: Column) -> Column:
    """The text with bytes that are not UTF-8 replaced by U+FFFD."""
    if hasattr(F, "make_valid_utf8"):
        return F.make_valid_utf8(text)
    return make_valid_by_decoding(text)


def is_invalid(text: Column) -> Column:
    """Whether the text has bytes that are not UTF-8."""
    if hasattr(F, "is_valid_utf8"):
        return ~F.is_valid_utf8(text)
    return text != make_valid_by_decoding(text)


def is_string(kind: DataType) -> bool:
    return isinstance(kind, (StringType, CharType, VarcharType))


def has_invalid(column: Column, kind: DataType) -> Column:
    """Whether a string in a value of any type is not valid UTF-8; false for null."""
    found = F.lit(False)
    if is_string(kind):
        found = is_invalid(column)
    elif isinstance(kind, ArrayType):
        found = F.exists(column, lambda item: has_invalid(item, kind.elementType))
    elif isinstance(kind, StructType):
        inner = (has_invalid(column.getField(field.name), field.dataType) for field in kind)
        found = reduce(Column.__or__, inner, found)
    return F.coalesce(found, F.lit(False))


def to_words(column: Column, kind: DataType) -> Column:
    """A value as text, an instant in UTC whatever the session's zone is."""
    if not isinstance(kind, TimestampType):
        return make_valid(column.cast("string"))
    in_array = F.to_json(F.array(column), _IN_WORDS)
    return F.when(column.isNotNull(), F.regexp_replace(F.substring_index(in_array, '"', 2), r'^\["|\.?0*$', ""))


def make_valid_by_decoding(text: Column) -> Column:
    """The same before Spark 4.0, where decoding replaces what is not UTF-8."""
    return F.decode(text.cast("binary"), "UTF-8")
