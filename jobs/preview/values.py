"""Values of Arrow columns as the job has them: strings made valid UTF-8, instants in UTC."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any

import pyarrow as pa


def read_column(column: pa.Array) -> tuple[list[object], list[bool]]:
    """The values (n), and whether there is a string in each that is not valid UTF-8 (n)."""
    values = column.cast(_with_bytes(column.type)).to_pylist()
    return [_valid(value, column.type) for value in values], [_is_invalid(value, column.type) for value in values]


def words(value: object) -> object:
    """A time as text, as the job writes it; any other value as it is."""
    if not isinstance(value, datetime):
        return value
    text = _utc(value).replace(tzinfo=None).isoformat(" ", "microseconds")
    return text.rstrip("0").rstrip(".")


def as_text(value: object) -> str | None:
    """A value as Spark casts it to a string; None for null."""
    if isinstance(value, list):
        return f"[{_joined(value)}]"
    if isinstance(value, dict):
        return f"{{{_joined(value.values())}}}"
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    return str(words(value))


def _joined(values: Iterable[object]) -> str:
    return ", ".join("null" if value is None else str(as_text(value)) for value in values)


def id_words(values: Sequence[object]) -> str | None:
    """The id that these columns make, with several of them their JSON array; None for a single null."""
    if len(values) > 1:
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=_in_json)
    return as_text(values[0])


def _in_json(value: object) -> str:
    if isinstance(value, datetime):
        text = _utc(value).replace(tzinfo=None).isoformat("T", "microseconds")
        return text if value.tzinfo is None else f"{text}Z"
    return value.isoformat() if isinstance(value, date) else str(value)


def _utc(value: datetime) -> datetime:
    return value if value.tzinfo is None else value.astimezone(UTC)


def _is_string(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _with_bytes(kind: pa.DataType) -> pa.DataType:
    """The same type with binary in place of strings, which Arrow would decode."""
    if _is_string(kind):
        return pa.large_binary()
    if pa.types.is_list(kind):
        return pa.list_(_with_bytes(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _with_bytes(field.type)) for field in kind])
    return kind


def _valid(value: Any, kind: pa.DataType) -> object:
    if value is None or not (isinstance(value, (bytes, list, dict))):
        return value
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if pa.types.is_list(kind):
        return [_valid(item, kind.value_type) for item in value]
    if pa.types.is_struct(kind):
        return {field.name: _valid(value[field.name], field.type) for field in kind}
    return value


def _is_invalid(value: Any, kind: pa.DataType) -> bool:
    if value is None:
        return False
    if _is_string(kind):
        try:
            value.decode()
        except UnicodeDecodeError:
            return True
        return False
    if pa.types.is_list(kind):
        return any(_is_invalid(item, kind.value_type) for item in value)
    return pa.types.is_struct(kind) and any(_is_invalid(value[field.name], field.type) for field in kind)
