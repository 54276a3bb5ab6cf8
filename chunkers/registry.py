"""Algorithms by name, and definitions made into algorithms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chunkers.cascade import Cascade
from chunkers.chunker import Algorithm, Chunker
from chunkers.delimiter import Delimiter
from chunkers.errors import ConfigurationError, Problem, nearest
from chunkers.fixed_char_length import FixedCharLength
from chunkers.fixed_token_length import FixedTokenLength
from chunkers.markdown import Markdown
from chunkers.parameters import join, read, shown

_ALGORITHMS: dict[str, type[Chunker]] = {
    algorithm.name: algorithm for algorithm in (FixedTokenLength, FixedCharLength, Delimiter, Markdown)
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
    if not (isinstance(chunker, type) and issubclass(chunker, Chunker)):
        raise TypeError(f"{chunker!r} is not a class derived from chunkers.Chunker")
    if name in _BUILT_IN:
        raise ValueError(
            f"{name!r} is an algorithm of chunkmill itself: register {chunker.__name__} under another name"
        )
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
    """What a definition says: `{name: parameters}`, or a list of those for a cascade.

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
    return Cascade(made) if len(made) == len(stages) else None


def _read_single(definition: Any, path: str, problems: list[Problem]) -> Chunker | None:
    if not isinstance(definition, Mapping) or len(definition) != 1:
        problems.append(
            Problem(path, f"{shown(definition)} does not name one algorithm", "expected {algorithm: {parameters}}")
        )
        return None
    ((name, parameters),) = definition.items()
    return _read_stage(str(name), parameters, join(path, name), problems)


def _read_stage(name: str, parameters: Any, path: str, problems: list[Problem]) -> Chunker | None:
    if name not in _ALGORITHMS:
        problems.append(Problem(path, f"unknown algorithm {name!r}", nearest(name, _ALGORITHMS)))
        return None
    return read(_ALGORITHMS[name], parameters, path, problems)
