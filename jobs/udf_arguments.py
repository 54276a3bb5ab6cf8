"""What a query may pass to the function that chunks: a text and, if wanted, a struct of columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pyarrow as pa

from jobs.errors import ArgumentsError

_EXPECTED = (
    "Expected are a text, which is a string, and, if wanted, a struct of columns: chunk(text), or chunk(text, "
    "struct(title))."
)


def arrow_arguments(columns: Any) -> tuple[pa.Array, pa.Array | None]:
    """The texts, and the metadata or None, as Arrow arrays of n rows; raises ArgumentsError."""
    text, metadata = _arguments(columns)
    if pa.types.is_null(text.type):
        text = text.cast(pa.string())
    if not (pa.types.is_string(text.type) or pa.types.is_large_string(text.type)):
        raise _wrong_text(text.type)
    if metadata is not None and not pa.types.is_struct(metadata.type):
        raise _wrong_metadata(metadata.type)
    return text, metadata


def null_fields(metadata: pa.Array | None) -> Mapping[str, object]:
    """The fields of a row whose struct is null: they are there, and null."""
    return {} if metadata is None else dict.fromkeys(field.name for field in metadata.type)


def pandas_arguments(columns: Any) -> tuple[pd.Series, pd.DataFrame | None]:
    """The texts, and the metadata or None, as pandas has them (n rows); raises ArgumentsError."""
    text, metadata = _arguments(columns)
    if (kind := _pandas_kind(text)) not in ("string", "empty"):
        raise _wrong_text(kind)
    if metadata is not None and (kind := _pandas_kind(metadata)) != "struct":
        raise _wrong_metadata(kind)
    return text, metadata


def _pandas_kind(column: pd.Series | pd.DataFrame) -> str:
    """What a column holds, in pandas' words; `empty` for nothing but nulls of no type."""
    return "struct" if isinstance(column, pd.DataFrame) else str(pd.api.types.infer_dtype(column, skipna=True))


def _arguments(columns: Any) -> tuple[Any, Any]:
    given = columns if isinstance(columns, tuple) else (columns,)
    if len(given) not in (1, 2):
        count = "no argument" if not given else f"{len(given)} arguments"
        raise ArgumentsError(f"The function that chunks was called with {count}. {_EXPECTED}")
    return given[0], given[1] if len(given) > 1 else None


def _wrong_text(kind: object) -> ArgumentsError:
    return ArgumentsError(
        f"The first argument of the function that chunks is of type {kind}, not a string: CAST it AS STRING, or name "
        f"the column of the texts. {_EXPECTED}"
    )


def _wrong_metadata(kind: object) -> ArgumentsError:
    return ArgumentsError(
        f"The second argument of the function that chunks is of type {kind}, not a struct. {_EXPECTED}"
    )
