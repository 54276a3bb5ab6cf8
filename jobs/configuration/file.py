"""A configuration file as plain data: YAML without duplicate keys, and `--set` on top of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from chunkers.errors import Problem
from chunkers.parameters import shown

_KEY_PATH = re.compile(r"[^.\[\]=\s]+(?:\[\d+\])*(?:\.[^.\[\]=\s]+(?:\[\d+\])*)*")
_MOST_BYTES = 1_000_000
_MOST_VALUES = 100_000
_STEP = re.compile(r"\[(\d+)\]|[^.\[\]]+")


def read_configuration_file(path: Path, overrides: Sequence[str], problems: list[Problem]) -> Any:
    """The values of the file with the overrides set; None when there is nothing to go on with."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        text = content.decode("utf-8-sig") if len(content) <= _MOST_BYTES else None
    except OSError as error:
        problems.append(Problem(str(path), f"cannot be read: {error.strerror}", "give the path of a YAML file"))
        return None
    except UnicodeDecodeError as error:
        problems.append(Problem(str(path), f"is not UTF-8: byte {error.start}", "save the file as UTF-8"))
        return None
    if text is None:
        problems.append(Problem(str(path), f"is larger than {_MOST_BYTES:,} bytes", "give the path of a configuration"))
        return None
    before = len(problems)
    values = _parsed(text, str(path), problems)
    if len(problems) > before:
        return None
    values = {} if values is None else values
    if not isinstance(values, Mapping):
        problems.append(Problem(str(path), f"{shown(values)} is not a mapping of keys", "expected input:, chunk: ..."))
        return None
    for override in overrides:
        _set(values, override, problems)
    return values


class _TooMuchError(yaml.YAMLError):
    """YAML that stands for more than a configuration can have."""


class _Loader(yaml.SafeLoader):
    """Plain data only, and every key once."""

    def __init__(self, text: str, source: str, problems: list[Problem]) -> None:
        super().__init__(text)
        self.source = source
        self.problems = problems

    def get_single_node(self) -> yaml.Node | None:
        node: yaml.Node | None = super().get_single_node()
        if node is not None and _values(node, {}) > _MOST_VALUES:
            raise _TooMuchError
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        lines: dict[str, int] = {}
        for key, _ in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in lines:
                message = f"the key {key.value!r} is there already in line {lines[key.value]}"
                self.problems.append(Problem(f"{self.source}, line {line}", message, "keep one of the two"))
            lines.setdefault(key.value, line)
        return super().construct_mapping(node, deep)


def _values(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node stands for, those behind an alias counted every time."""
    if id(node) not in known:
        # What holds itself has no end.
        known[id(node)] = _MOST_VALUES
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        inner = node.value if isinstance(node, yaml.SequenceNode) else itertools.chain.from_iterable(pairs)
        known[id(node)] = 1 + sum(_values(child, known) for child in inner)
    return known[id(node)]


def _parsed(text: str, source: str, problems: list[Problem]) -> Any:
    """The data of a YAML text; what is wrong with it goes to `problems`, with the line."""
    try:
        loader = _Loader(text, source, problems)
        return loader.get_single_data()
    except _TooMuchError:
        message = f"stands for more than {_MOST_VALUES:,} values, with those behind aliases"
        problems.append(Problem(source, message, "write out what is meant"))
    except RecursionError:
        problems.append(Problem(source, "is nested too deeply", "a configuration has a few levels only"))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{source}, line {mark.line + 1}, column {mark.column + 1}" if mark else source
        problems.append(
            Problem(place, f"is not YAML: {error.problem or error.context}", "check indent, colons, quotes")
        )
    except (yaml.YAMLError, ValueError) as error:
        problems.append(Problem(source, f"is not YAML: {str(error).splitlines()[0]}"))
    return None


def _set(values: Any, override: str, problems: list[Problem]) -> None:
    """Set one `key.path=value`; mappings on the way are made."""
    source = f"--set {override}"
    keys, equals, text = override.partition("=")
    keys = keys.strip()
    if not equals or not _KEY_PATH.fullmatch(keys):
        problems.append(Problem(source, "is not key.path=value", "for example --set output.path=out/trial"))
        return
    before = len(problems)
    value = _parsed(text, source, problems)
    if len(problems) > before:
        return
    steps: list[str | int] = [int(m[1]) if m[1] else m[0] for m in _STEP.finditer(keys)]
    for step, following in itertools.pairwise(steps):
        if not _fits(values, step, source, problems):
            return
        if isinstance(step, str) and values.get(step) is None and isinstance(following, str):
            values[step] = {}
        values = values[step] if isinstance(step, int) else values.get(step)
    if _fits(values, steps[-1], source, problems):
        values[steps[-1]] = value


def _fits(values: Any, step: str | int, source: str, problems: list[Problem]) -> bool:
    """Whether `values` has a place for this step of a key path."""
    if isinstance(step, str):
        if isinstance(values, dict):
            return True
        problems.append(Problem(source, f"{step!r} can't be set: {shown(values)} is no mapping"))
        return False
    if not isinstance(values, list):
        problems.append(Problem(source, f"[{step}] can't be set: {shown(values)} is no list"))
        return False
    if step >= len(values):
        problems.append(Problem(source, f"[{step}] can't be set: the list has {len(values)} elements, from [0] on"))
        return False
    return True
