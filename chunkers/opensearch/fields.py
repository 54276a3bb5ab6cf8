"""`field_map`: which strings of a document are read, and where the chunks go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from chunkers.errors import DocumentError
from chunkers.opensearch.java import class_name, text_form

Path = tuple[str, ...]
FieldMap = Mapping[str, Any]


class Leaf(NamedTuple):
    """A place that a field map names in a document: `container[key]` is read, `container[target]` written.

    `parents` are the keys that lead to the container, `in_array` says that an array is among them.
    """

    container: dict[str, Any]
    key: str
    target: str
    parents: Path
    in_array: bool

    @property
    def value(self) -> Any:
        return self.container.get(self.key)


def leaves(document: dict[str, Any], field_map: FieldMap, parents: Path = (), in_array: bool = False) -> Iterator[Leaf]:
    """The leaves in the order in which OpenSearch comes to them; each is looked up when it is its turn."""
    for key, target in field_map.items():
        if not isinstance(target, Mapping):
            yield Leaf(document, key, text_form(target), parents, in_array)
            continue
        value = document.get(key)
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from leaves(inner, target, (*parents, key), in_array or isinstance(value, list))


def paths(field_map: FieldMap, parents: Path = ()) -> Iterator[tuple[Path, Path]]:
    """The path read and the path written of every leaf that a field map can name."""
    for key, target in field_map.items():
        if isinstance(target, Mapping):
            yield from paths(target, (*parents, key))
        else:
            yield (*parents, key), (*parents, text_form(target))


def string_count(document: dict[str, Any], field_map: FieldMap) -> int:
    """How many non-empty strings a document has for a field map."""
    values = (leaf.value for leaf in leaves(document, field_map))
    return sum(len([text for text in (value if isinstance(value, list) else [value]) if text]) for value in values)


def writable(value: Any, field_map: FieldMap) -> Any:
    """A copy that shares with `value` all that the field map does not write to."""
    if isinstance(value, dict):
        inner = {key: target for key, target in field_map.items() if isinstance(target, Mapping) and key in value}
        return {**value, **{key: writable(value[key], target) for key, target in inner.items()}}
    if isinstance(value, list):
        return [writable(element, field_map) for element in value]
    return value


def check(document: dict[str, Any], field_map: FieldMap, max_depth: int | None) -> None:
    """Raise DocumentError where a value is not what the field map expects; other fields don't matter."""
    _check_map("field_map", document, field_map, 1, max_depth)


def _check_map(name: str, value: dict[str, Any], target: Any, depth: int, max_depth: int | None) -> None:
    _check_depth(name, depth, max_depth)
    if not isinstance(target, Mapping):
        message = (
            f"[{name}] configuration doesn't match actual value type, configuration type is: "
            f"{class_name(target)}, actual value type is: {class_name(value)}"
        )
        raise DocumentError("type_mismatch_with_field_map", message)
    for key, following in target.items():
        inner = value.get(key)
        if isinstance(inner, list):
            _check_list(key, inner, following, depth + 1, max_depth)
        elif isinstance(inner, dict):
            _check_map(key, inner, following, depth + 1, max_depth)
        elif inner is not None and not isinstance(inner, str):
            kind = "value_not_string_or_nested"
            raise DocumentError(kind, f"map type field [{key}] is neither string nor nested type, cannot process it")


def _check_list(name: str, value: list[Any], target: Any, depth: int, max_depth: int | None) -> None:
    _check_depth(name, depth, max_depth)
    for element in value:
        if isinstance(element, dict):
            _check_map(name, element, target, depth + 1, max_depth)
        elif element is None:
            raise DocumentError("list_has_null", f"list type field [{name}] has null, cannot process it")
        elif isinstance(element, list):
            raise DocumentError("nested_list", f"list type field [{name}] is nested list type, cannot process it")
        elif not isinstance(element, str):
            kind = "list_has_non_string"
            raise DocumentError(kind, f"list type field [{name}] has non string value, cannot process it")


def _check_depth(name: str, depth: int, max_depth: int | None) -> None:
    if max_depth is not None and depth > max_depth:
        message = f"map type field [{name}] reaches max depth limit, cannot process it"
        raise DocumentError("max_depth_exceeded", message)
