"""Columns by their names, and texts that are not valid UTF-8."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812


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


def make_valid_by_decoding(text: Column) -> Column:
    """The same before Spark 4.0, where decoding replaces what is not UTF-8."""
    return F.decode(text.cast("binary"), "UTF-8")
