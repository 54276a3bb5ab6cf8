"""The parameters of an algorithm, read as leniently as OpenSearch reads them and refused in its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkers.errors import Problem
from chunkers.opensearch.java import decode_double, decode_integer, text_form
from chunkers.parameters import join, shown

_NULL = "null has no text form, where OpenSearch itself fails; leave the key out for the default"


class Parameters:
    """The parameters of one algorithm.

    A parameter that is missing or wrong gives the default; what is wrong goes to `problems`.
    """

    def __init__(self, values: Mapping[str, Any], path: str, problems: list[Problem]) -> None:
        self._values = values
        self._path = path
        self._problems = problems

    def refuse(self, name: str, message: str, hint: str = "") -> None:
        self._problems.append(Problem(join(self._path, name), message, hint))

    def string(self, name: str, default: str) -> str:
        """A text that is not empty."""
        if name not in self._values:
            return default
        value = self._values[name]
        if not isinstance(value, str):
            self.refuse(name, _type(name, "String"), f"found {shown(value)}")
            return default
        if not value:
            self.refuse(name, f"Parameter [{name}] should not be empty.", "leave the key out for the default")
            return default
        return value

    def integer(self, name: str, default: int) -> int:
        """A number, or a text that `Integer.decode` takes."""
        if name not in self._values:
            return default
        value = self._values[name]
        number = None if value is None else decode_integer(text_form(value))
        if number is None:
            hint = _NULL if value is None else f"found {shown(value)}; expected a whole number, as {default}"
            self.refuse(name, _type(name, "Integer"), hint)
            return default
        return number

    def positive(self, name: str, default: int) -> int:
        number = self.integer(name, default)
        if number > 0:
            return number
        self.refuse(name, f"Parameter [{name}] must be positive.", f"found {number}")
        return default

    def double(self, name: str, default: float) -> float:
        """A number, or a text that `Double.valueOf` takes."""
        if name not in self._values:
            return default
        value = self._values[name]
        number = None if value is None else decode_double(text_form(value))
        if number is None:
            hint = _NULL if value is None else f"found {shown(value)}; expected a number, as 0.1"
            self.refuse(name, _type(name, "Double"), hint)
            return default
        return number

    def overlap_rate(self, *, show_value: bool) -> float:
        """From 0 to 0.5; NaN passes, as in OpenSearch, and is no overlap."""
        name = "overlap_rate"
        rate = self.double(name, 0.0)
        if not (rate < 0 or rate > 0.5):
            return rate
        value = f", but was {text_form(rate)}" if show_value else ""
        self.refuse(name, f"Parameter [{name}] must be between 0.0 and 0.5{value}", f"found {text_form(rate)}")
        return 0.0

    def max_chunk_limit(self) -> int:
        name = "max_chunk_limit"
        limit = self.integer(name, 100)
        if limit > 0 or limit == -1:
            return limit
        message = f"Parameter [{name}] must be positive or -1 to disable this parameter"
        self.refuse(name, message, f"found {limit}")
        return -1


def _type(name: str, java: str) -> str:
    return f"Parameter [{name}] must be of java.lang.{java} type"
