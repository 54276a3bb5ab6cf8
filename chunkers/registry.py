"""Algorithms by name, and definitions made into algorithms."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from chunkers import by
from chunkers.cascade import Cascade
from chunkers.chunker import Algorithm, Chunker
from chunkers.delimiter import Delimiter
from chunkers.errors import ConfigurationError, Problem, nearest
from chunkers.fixed_char_length import FixedCharLength
from chunkers.fixed_token_length import FixedTokenLength
from chunkers.markdown import Markdown
from chunkers.parameters import join, read, shown
from chunkers.parent_child import ParentChild
from chunkers.recursive import Recursive
from chunkers.sentence import Sentence
from chunkers.sentence_window import SentenceWindow
from chunkers.structure import Structure

_ALGORITHMS: dict[str, type[Chunker]] = {
    algorithm.name: algorithm
    for algorithm in (
        FixedTokenLength,
        FixedCharLength,
        Delimiter,
        Markdown,
        Recursive,
        ParentChild,
        Sentence,
        SentenceWindow,
        Structure,
    )
}
_BUILT_IN = frozenset(_ALGORITHMS)


def names() -> list[str]:
    """Names of the registered algorithms, in the order of registration."""
    return list(_ALGORITHMS)


def algorithm(name: str) -> type[Chunker]:
    """The class registered under this name."""
    return _ALGORITHMS[name]


def register(name: str, chunker: type[Chunker]) -> None:
    """Make one's own algorithm known under `name`, in every job of this process.

    `chunker` is a frozen dataclass derived from `chunkers.Chunker`. Raises ValueError for the name of
    a built-in algorithm.
    """
    if name == by.KEY:
        raise ValueError(f"{name!r} chooses between algorithms: register {chunker.__name__} under another name")
    if not (isinstance(chunker, type) and issubclass(chunker, Chunker)):
        raise TypeError(f"{chunker!r} is not a class derived from chunkers.Chunker")
    if name in _BUILT_IN:
        raise ValueError(
            f"{name!r} is an algorithm of chunkmill itself: register {chunker.__name__} under another name"
        )
    for kind in chunker.__mro__:
        if not kind.__module__.startswith("chunkers.") and "__annotations__" in vars(kind):
            # Here the names in them are known; a worker may get the class without the module around it.
            kind.__annotations__ = inspect.get_annotations(kind, eval_str=True)
    _ALGORITHMS[name] = chunker


def create(name: str, **parameters: Any) -> Chunker:
    """One algorithm with its parameters; raises ConfigurationError with everything that is wrong."""
    problems: list[Problem] = []
    made = _read_stage(name, parameters, name, problems)
    if made is None:
        raise ConfigurationError(problems)
    return made


def create_cascade(stages: Sequence[tuple[str, Mapping[str, Any]]]) -> Algorithm:
    """A cascade of `(name, parameters)` stages; raises ConfigurationError."""
    return create_algorithm([{name: parameters} for name, parameters in stages])


def create_algorithm(definition: Any, path: str = "chunk") -> Algorithm:
    """What a definition says: `{name: parameters}`, a list of those for a cascade, or `{by: ...}`.

    Raises ConfigurationError with every fault, each with its key path below `path`.
    """
    problems: list[Problem] = []
    made = read_algorithm(definition, path, problems)
    if made is None:
        raise ConfigurationError(problems)
    return made


def read_algorithm(definition: Any, path: str, problems: list[Problem]) -> Algorithm | None:
    """As `create_algorithm`, adding the faults to `problems`."""
    if isinstance(definition, Mapping):
        if set(definition) == {by.KEY}:
            return by.read_by(definition[by.KEY], join(path, by.KEY), problems)
        return _read_single(definition, path, problems)
    if not isinstance(definition, Sequence) or isinstance(definition, str) or not definition:
        problems.append(
            Problem(
                path, f"{shown(definition)} is not a chunk definition", "expected {algorithm: {parameters}} or a list"
            )
        )
        return None
    stages = [_read_single(stage, f"{path}[{n}]", problems) for n, stage in enumerate(definition)]
    made = [stage for stage in stages if stage is not None]
    misplaced = _misplaced(made, path)
    problems.extend(misplaced)
    return Cascade(made) if len(made) == len(stages) and not misplaced else None


def _misplaced(stages: Sequence[Chunker], path: str) -> list[Problem]:
    """What can't be where it is in a cascade."""
    problems = [
        Problem(f"{path}[{n}]", "parent_child is no stage of a cascade", "give it the earlier stages as its parent")
        for n, stage in enumerate(stages)
        if isinstance(stage, ParentChild)
    ]
    for n, stage in enumerate(stages[:-1]):
        if isinstance(stage, SentenceWindow):
            hint = "its windows are positions of whole chunks"
            problems.append(Problem(f"{path}[{n}]", "only the last stage can be sentence_window", hint))
        problems += [
            Problem(
                f"{path}[{n}].{stage.name}.{key}", "only the last stage can overlap", "else what is shared is cut twice"
            )
            for key in ("overlap_rate", "overlap_sentences")
            if getattr(stage, key, 0)
        ]
    return problems


def _read_single(definition: Any, path: str, problems: list[Problem]) -> Chunker | None:
    if isinstance(definition, Mapping) and len(definition) > 1:
        problems.append(_several(list(map(str, definition)), path))
        return None
    if isinstance(definition, Mapping) and by.KEY in definition:
        problems.append(Problem(path, "by is no stage of a cascade", "put the cascade into each of its cases"))
        return None
    if not isinstance(definition, Mapping) or len(definition) != 1:
        problems.append(
            Problem(path, f"{shown(definition)} does not name one algorithm", "expected {algorithm: {parameters}}")
        )
        return None
    ((name, parameters),) = definition.items()
    return _read_stage(str(name), parameters, join(path, name), problems)


def _several(keys: Sequence[str], path: str) -> Problem:
    """The problem of a definition with several keys: two algorithms, or parameters beside their algorithm."""
    found = ", ".join(map(repr, keys))
    others = [key for key in keys if key not in _ALGORITHMS and key != by.KEY]
    if others:
        hint = f"no algorithm is {' or '.join(map(repr, others))}: parameters are indented below their algorithm"
        return Problem(path, f"has {len(keys)} keys where one names the algorithm: {found}", hint)
    return Problem(path, f"names {len(keys)} algorithms: {found}", "keep one; a list of them is a cascade")


def _read_stage(name: str, parameters: Any, path: str, problems: list[Problem]) -> Chunker | None:
    if name not in _ALGORITHMS:
        problems.append(Problem(path, f"unknown algorithm {name!r}", nearest(name, _ALGORITHMS)))
        return None
    return read(_ALGORITHMS[name], parameters, path, problems)
