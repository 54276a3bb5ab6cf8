"""What a pipeline reads from an input's columns and what it writes beside them, worked out from their types.

`field_map` names keys of a document. On Spark a document is a row: keys are columns, fields of structs
(also inside arrays) and keys of maps. A tree of them is a mapping from name to None, for a field with text, or
to the tree below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pyspark.sql.types import (
    ArrayType,
    CharType,
    DataType,
    MapType,
    NullType,
    StringType,
    StructField,
    StructType,
    VarcharType,
)

from chunkers.errors import Problem, nearest
from chunkers.opensearch import Pipeline
from chunkers.opensearch.java import text_form
from chunkers.opensearch.processor import Processor

Tree: TypeAlias = "dict[str, Tree | None]"
Path: TypeAlias = tuple[str, ...]

STRINGS = ArrayType(StringType())


@dataclass(frozen=True)
class Fields:
    """What a pipeline reads and writes in rows of one type."""

    row: StructType
    reads: Tree
    writes: Tree

    @property
    def paths(self) -> list[str]:
        """The fields that are read, as `a.b`."""
        return [".".join(path) for path in _paths(self.reads)]

    @property
    def columns(self) -> list[str]:
        """The columns of the row with the outputs beside the inputs."""
        return [*self.row.names, *(name for name in self.writes if name not in self.row.names)]


def resolve(pipeline: Pipeline, row: StructType, *, writes_columns: bool) -> tuple[Fields, list[Problem]]:
    """Follow the pipeline through the types of the input's columns.

    With `writes_columns` the outputs become columns, which must be able to hold them. The problems are
    what can be right for no row: fields that are not there, and types that OpenSearch refuses.
    """
    found = _Found(writes_columns)
    kind: DataType = row
    several = len(pipeline.processors) > 1
    for n, processor in enumerate(pipeline.processors):
        name = f"text_chunking[{n}].field_map" if several else "field_map"
        kind = _Walk(processor, name, found).through(kind, processor.field_map, ())
    reads = _there(row, found.reads)
    if not reads and not found.problems:
        found.problems.append(Problem("field_map", "names no field of the input", nearest("", row.names)))
    return Fields(row, reads, found.writes), found.problems


def child_type(kind: DataType, name: str) -> DataType | None:
    """The type of a struct's field or of a map's values; None where there is none."""
    if isinstance(kind, MapType):
        return kind.valueType
    return kind[name].dataType if isinstance(kind, StructType) and name in kind.names else None


def _there(kind: DataType, tree: Tree) -> Tree:
    """The part of a tree that exists in this type."""
    if isinstance(kind, ArrayType):
        return _there(kind.elementType, tree)
    kept: Tree = {}
    for name, inner in tree.items():
        child = child_type(kind, name)
        if child is not None:
            below = None if inner is None else _there(child, inner)
            if below is None or below:
                kept[name] = below
    return kept


def is_strings(kind: DataType | None) -> bool:
    """Whether a type is that of passages; which of its values may be null doesn't matter."""
    return isinstance(kind, ArrayType) and isinstance(kind.elementType, StringType)


def joined(trees: Iterable[Tree]) -> Tree:
    """One tree with the names of all."""
    made: Tree = {}
    for tree in trees:
        for name, inner in tree.items():
            made[name] = None if inner is None else joined([made.get(name) or {}, inner])
    return made


@dataclass
class _Found:
    """What the walks through a pipeline's processors have found so far."""

    writes_columns: bool
    reads: Tree = field(default_factory=dict)
    writes: Tree = field(default_factory=dict)
    overwritten: set[Path] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


@dataclass
class _Walk:
    """One processor's way through the types."""

    processor: Processor
    name: str
    found: _Found

    def through(self, kind: DataType, field_map: Mapping[str, Any], path: Path) -> DataType:
        """The type of what is at `path` once the processor has written its outputs there."""
        if isinstance(kind, ArrayType):
            return ArrayType(self.through(kind.elementType, field_map, path))
        for name, target in field_map.items():
            there = child_type(kind, name)
            if there is None:
                self._report_missing(kind, name, path)
            if isinstance(target, Mapping):
                if there is not None and self._can_be_entered(there, (*path, name)):
                    kind = _with_child(kind, name, self.through(there, target, (*path, name)))
                continue
            if there is not None and not self._is_text(there, (*path, name)):
                continue
            self._read((*path, name))
            if self._can_be_written(kind, name, text_form(target), path):
                kind = _with_child(kind, text_form(target), STRINGS)
                self._written((*path, text_form(target)))
        return kind

    def _read(self, path: Path) -> None:
        if path not in self.found.overwritten:
            _put(self.found.reads, path)

    def _written(self, path: Path) -> None:
        _put(self.found.writes, path)
        if not (self.processor.ignore_missing or self.processor.ignore_failure):
            self.found.overwritten.add(path)

    def _report_missing(self, kind: DataType, name: str, path: Path) -> None:
        if not self.processor.ignore_missing:
            known = kind.names if isinstance(kind, StructType) else []
            place = _shown(path) if path else "the input"
            self._report((*path, name), f"{place} has no field {name!r}", nearest(name, known))

    def _can_be_entered(self, kind: DataType, path: Path) -> bool:
        """Whether the type has fields below it."""
        inner = kind.elementType if isinstance(kind, ArrayType) else kind
        if isinstance(inner, MapType) and not isinstance(inner.keyType, _TEXT):
            self._report(path, f"is {_words(kind)}, expected keys that are strings", "cast them in the input")
        elif not isinstance(inner, (StructType, MapType)):
            self._report(path, f"is {_words(kind)}, but field_map names fields in it", "expected a struct or a map")
        else:
            return True
        return False

    def _is_text(self, kind: DataType, path: Path) -> bool:
        """Whether the type can hold what OpenSearch chunks: a string or a list of strings."""
        inner = kind.elementType if isinstance(kind, ArrayType) else kind
        if isinstance(inner, _TEXT):
            return True
        self._report(path, f"is {_words(kind)}, expected string or array<string>", "every document would fail")
        return False

    def _can_be_written(self, kind: DataType, source: str, target: str, path: Path) -> bool:
        """Whether passages can be put under this name."""
        if not self.found.writes_columns:
            return True
        fault = _map_fault(kind) if isinstance(kind, MapType) else self._struct_fault(kind, source, target)
        if fault is not None:
            self._report((*path, target), *fault)
        return fault is None

    def _struct_fault(self, kind: DataType, source: str, target: str) -> tuple[str, str] | None:
        """Why a row or a struct can't have this output, and what to do about it."""
        names = kind.names if isinstance(kind, StructType) else []
        twin = next((name for name in names if name.lower() == target.lower()), target)
        if twin != target:
            return f"differs from {twin!r} in capitals only, which columns must not", "name the output differently"
        there = child_type(kind, target)
        may_stay = self.processor.ignore_failure or (self.processor.ignore_missing and source != target)
        if there is None or is_strings(there) or not may_stay:
            return None
        return (
            f"is {_words(there)} and stays so where nothing is written, but passages are array<string>",
            "name the output differently, or leave ignore_missing and ignore_failure out",
        )

    def _report(self, path: Path, message: str, hint: str) -> None:
        self.found.problems.append(Problem(f"{self.name}.{_shown(path)}", message, hint))


_TEXT = (StringType, CharType, VarcharType, NullType)


def _map_fault(kind: MapType) -> tuple[str, str] | None:
    """Why a map can't have passages as a value, and what to do about it."""
    if is_strings(kind.valueType):
        return None
    message = f"passages are array<string>, which a {_words(kind)} can't hold"
    return message, "use shape: chunks, or make it a struct in the input"


def _with_child(kind: DataType, name: str, child: DataType) -> DataType:
    """The type with a field of another type, or with one more."""
    if isinstance(kind, MapType):
        return MapType(kind.keyType, child)
    assert isinstance(kind, StructType)
    replaced = [StructField(f.name, child) if f.name == name else f for f in kind]
    return StructType(replaced if name in kind.names else [*replaced, StructField(name, child)])


def _paths(tree: Tree, above: Path = ()) -> Iterator[Path]:
    for name, inner in tree.items():
        yield from [(*above, name)] if inner is None else _paths(inner, (*above, name))


def _put(tree: Tree, path: Path) -> None:
    *parents, last = path
    for name in parents:
        below = tree.setdefault(name, {})
        # A pipeline can enter a field that it has read whole before, after overwriting it.
        tree = {} if below is None else below
    tree[last] = None


def _shown(path: Path) -> str:
    return ".".join(path)


def _words(kind: DataType) -> str:
    return kind.simpleString()
