"""Parameters declared once: type, default, bounds and meaning.

A dataclass whose fields are made by `parameter` is enough to validate a mapping (`read`), to write
its JSON schema (`json_schema`) and its reference page (`describe`).
"""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Any, TypeVar

from chunkers.errors import Problem, nearest

T = TypeVar("T")
Parser = Callable[[Any, str, list[Problem]], Any]


@dataclass(frozen=True)
class Declaration:
    """What `parameter` keeps beside a field's default."""

    doc: str
    minimum: float | None = None
    maximum: float | None = None
    allowed: tuple[float, ...] = ()
    not_empty: bool = False
    parse: Parser | None = None
    schema: Mapping[str, Any] | None = None


def parameter(
    default: Any = MISSING,
    *,
    doc: str,
    minimum: float | None = None,
    maximum: float | None = None,
    allowed: Sequence[float] = (),
    not_empty: bool = False,
    factory: Callable[[], Any] | None = None,
    parse: Parser | None = None,
    schema: Mapping[str, Any] | None = None,
) -> Any:
    """Declare one field: without `default` or `factory` it must be given.

    `allowed` are numbers outside the bounds that are fine all the same (-1 for "off").
    `parse(value, path, problems)` replaces the check by type where a value has a shape of its own;
    `schema` is then its JSON schema.
    """
    declaration = Declaration(doc, minimum, maximum, tuple(allowed), not_empty, parse, schema)
    metadata = {"declaration": declaration}
    if factory is not None:
        return dataclasses.field(default_factory=factory, metadata=metadata)
    if default is MISSING:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Field:
    """A declared field with its resolved type."""

    name: str
    type: Any
    default: Any
    declaration: Declaration

    @property
    def required(self) -> bool:
        return self.default is MISSING


@functools.cache
def fields(cls: Any) -> tuple[Field, ...]:
    """The declared fields of a dataclass, in order."""
    hints = typing.get_type_hints(cls)
    return tuple(
        Field(f.name, hints[f.name], _default(f), f.metadata["declaration"])
        for f in dataclasses.fields(cls)
        if "declaration" in f.metadata
    )


def read(cls: type[T], values: Any, path: str, problems: list[Problem]) -> T | None:
    """Make a `cls` of a mapping; every fault found is added to `problems`.

    Returns None when this mapping had a fault.
    """
    if values is None:
        values = {}
    if not isinstance(values, Mapping):
        problems.append(Problem(path, f"{shown(values)} is not a mapping of parameters"))
        return None
    before = len(problems)
    known = {f.name: f for f in fields(typing.cast(Hashable, cls))}
    for name in values:
        if name not in known:
            problems.append(Problem(join(path, name), "unknown parameter", nearest(name, known)))
    arguments = {}
    for name, field in known.items():
        if values.get(name) is not None:
            arguments[name] = _read_field(field, values[name], join(path, name), problems)
        elif field.required:
            problems.append(Problem(join(path, name), "is required", field.declaration.doc))
    if len(problems) > before:
        return None
    made = cls(**arguments)
    check = getattr(made, "check", None)
    if check is not None:
        problems.extend(check(path))
    return made if len(problems) == before else None


def join(path: str, name: object) -> str:
    return f"{path}.{name}" if path else str(name)


def shown(value: Any) -> str:
    """A value as an error message shows it, cut short."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return MISSING if field.default_factory is MISSING else field.default_factory()


def _read_field(field: Field, value: Any, path: str, problems: list[Problem]) -> Any:
    declaration = field.declaration
    if declaration.parse is not None:
        return declaration.parse(value, path, problems)
    return _read_value(field.type, declaration, value, path, problems)


def _read_value(kind: Any, declaration: Declaration, value: Any, path: str, problems: list[Problem]) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        return _read_value(next(a for a in arguments if a is not type(None)), declaration, value, path, problems)
    if origin is typing.Literal:
        if value not in arguments:
            problems.append(Problem(path, f"{shown(value)} is not one of {', '.join(map(repr, arguments))}"))
        return value
    if origin is tuple:
        return _read_items(arguments[0], declaration, value, path, problems)
    if dataclasses.is_dataclass(kind):
        return read(typing.cast(type, kind), value, path, problems)
    return _read_scalar(kind, declaration, value, path, problems)


def _read_items(kind: Any, declaration: Declaration, value: Any, path: str, problems: list[Problem]) -> Any:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, Sequence):
        problems.append(Problem(path, f"{shown(value)} is not a list"))
        return ()
    if declaration.not_empty and not items:
        problems.append(Problem(path, "must not be empty"))
    return tuple(_read_value(kind, declaration, item, f"{path}[{n}]", problems) for n, item in enumerate(items))


_WORDS = {int: "a whole number", float: "a number", str: "a string", bool: "true or false"}


def _read_scalar(kind: Any, declaration: Declaration, value: Any, path: str, problems: list[Problem]) -> Any:
    fits = isinstance(value, (int, float) if kind is float else kind)
    if not fits or (isinstance(value, bool) and kind is not bool):
        problems.append(Problem(path, f"{shown(value)} is not {_WORDS[kind]}"))
    elif kind is str and declaration.not_empty and not value:
        problems.append(Problem(path, "must not be empty"))
    elif kind in (int, float):
        _check_bounds(declaration, value, path, problems)
        return kind(value) if math.isfinite(value) else value
    return value


def _check_bounds(declaration: Declaration, value: float, path: str, problems: list[Problem]) -> None:
    low, high = declaration.minimum, declaration.maximum
    inside = math.isfinite(value) and (low is None or value >= low) and (high is None or value <= high)
    if not inside and value not in declaration.allowed:
        problems.append(Problem(path, f"{shown(value)} is out of bounds", f"allowed: {bounds(declaration)}"))


def bounds(declaration: Declaration) -> str:
    """The allowed numbers in words: `1 or more, or -1`."""
    low, high = declaration.minimum, declaration.maximum
    if low is not None and high is not None:
        words = f"{low} to {high}"
    elif low is not None:
        words = f"{low} or more"
    else:
        words = "" if high is None else f"{high} or less"
    return ", or ".join([words, *(str(number) for number in declaration.allowed)]) if words else ""


_JSON_TYPES = {int: "integer", float: "number", str: "string", bool: "boolean"}


def json_schema(cls: type) -> dict[str, Any]:
    """JSON schema (2020-12) of the mapping that `read(cls, ...)` takes."""
    declared = fields(cls)
    schema: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {f.name: _field_schema(f) for f in declared},
    }
    required = [f.name for f in declared if f.required]
    return {**schema, "required": required} if required else schema


def _field_schema(field: Field) -> dict[str, Any]:
    declaration = field.declaration
    schema = dict(declaration.schema) if declaration.schema is not None else _type_schema(field.type, declaration)
    schema["description"] = declaration.doc
    if isinstance(field.default, (bool, int, float, str)):
        schema["default"] = field.default
    return schema


def _type_schema(kind: Any, declaration: Declaration) -> dict[str, Any]:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        inner = _type_schema(next(a for a in arguments if a is not type(None)), declaration)
        return {"anyOf": [inner, {"type": "null"}]}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        least = {"minItems": 1} if declaration.not_empty else {}
        return {
            "anyOf": [{"type": "array", "items": _type_schema(arguments[0], declaration), **least}, {"type": "string"}]
        }
    if dataclasses.is_dataclass(kind):
        return json_schema(typing.cast(type, kind))
    return {"type": _JSON_TYPES[kind], **_bounds_schema(kind, declaration)}


def _bounds_schema(kind: Any, declaration: Declaration) -> dict[str, Any]:
    if kind is str:
        return {"minLength": 1} if declaration.not_empty else {}
    limits = {"minimum": declaration.minimum, "maximum": declaration.maximum}
    within = {key: value for key, value in limits.items() if value is not None}
    if not declaration.allowed or not within:
        return within
    return {"anyOf": [within, {"enum": list(declaration.allowed)}]}


def describe(cls: type) -> list[dict[str, str]]:
    """Rows of a reference table: name, type, default, bounds, meaning."""
    return [
        {
            "name": f.name,
            "type": type_words(f.type)
            if f.declaration.schema is None or f.type is not Any
            else _schema_words(f.declaration.schema),
            "default": "required" if f.required else _default_words(f.default),
            "bounds": bounds(f.declaration),
            "meaning": f.declaration.doc,
        }
        for f in fields(cls)
    ]


def _schema_words(schema: Mapping[str, Any]) -> str:
    """Of a parameter that may be several things."""
    kinds = {"array": "list", "object": "mapping"}
    types = [option.get("type", "string") for option in schema["anyOf"]]
    return " or ".join(kinds.get(kind, kind) for kind in types)


def type_words(kind: Any) -> str:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return type_words(next(a for a in arguments if a is not type(None)))
    if origin is typing.Literal:
        return " or ".join(f"`{a}`" for a in arguments)
    if origin is tuple:
        return f"list of {type_words(arguments[0])}"
    return {int: "integer", float: "number", str: "string", bool: "boolean"}.get(kind, "mapping")


def _default_words(value: Any) -> str:
    if dataclasses.is_dataclass(value):
        return "see its meaning"
    if value is None or value == ():
        return "none"
    return f"`{str(value).lower()}`" if isinstance(value, bool) else f"`{value!r}`".replace("'", '"')
