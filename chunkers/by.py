"""`by`: which algorithm cuts a document, chosen by the value of a column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chunkers.chunk import Context, Spans
from chunkers.chunker import Algorithm
from chunkers.errors import DocumentError, Problem, nearest
from chunkers.parameters import join, shown

KEY = "by"
_KEYS = ("column", "cases", "default")


@dataclass(frozen=True)
class By(Algorithm):
    """One algorithm a value of `column`; `default` for other values and null, which else fail the document."""

    column: str
    cases: Mapping[str, Algorithm]
    default: Algorithm | None = None

    @property
    def columns(self) -> frozenset[str]:
        return frozenset([self.column]).union(*(algorithm.columns for algorithm in self._algorithms()))

    def tokenizers(self) -> set[str]:
        return set().union(*(algorithm.tokenizers() for algorithm in self._algorithms()))

    def for_document(self, values: Mapping[str, str | None]) -> Algorithm:
        value = values.get(self.column)
        found = self.default if value is None else self.cases.get(value, self.default)
        if found is None:
            known = ", ".join(map(repr, self.cases))
            raise DocumentError("unknown_case", f"{self._found(values)}, the cases are {known}")
        return found.for_document(values)

    def spans(self, text: str, context: Context = ()) -> Spans:
        return self.for_document({}).spans(text, context)

    def pieces(self, text: str, context: Context) -> Spans:
        return self.for_document({}).pieces(text, context)

    def without_said(self, text: str, spans: Spans) -> Spans:
        return self.for_document({}).without_said(text, spans)

    def first(self, text: str, spans: Spans, count: int) -> Spans:
        return self.for_document({}).first(text, spans, count)

    def _found(self, values: Mapping[str, str | None]) -> str:
        """What a document has in place of a case; in Python the column can be forgotten, which is no null."""
        if self.column in values:
            return f"{self.column} is {shown(values[self.column])}"
        given = f"only {', '.join(map(repr, values))}" if values else "nor was any other"
        return f"the column {self.column!r} was not given to for_document ({given})"

    def _algorithms(self) -> list[Algorithm]:
        return [*self.cases.values(), *([] if self.default is None else [self.default])]


def read_by(value: Any, path: str, problems: list[Problem]) -> By | None:
    """A `By` of `{column, cases, default}`; what is wrong is added to `problems`."""
    from chunkers.registry import read_algorithm

    if not isinstance(value, Mapping):
        problems.append(Problem(path, f"{shown(value)} is not a mapping", "expected {column, cases, default}"))
        return None
    before = len(problems)
    problems.extend(Problem(join(path, key), "unknown key", nearest(key, _KEYS)) for key in value if key not in _KEYS)
    column, cases, default = (value.get(key) for key in _KEYS)
    if column is None:
        problems.append(Problem(join(path, "column"), "is required", "the column whose value chooses"))
    elif not isinstance(column, str) or not column:
        problems.append(Problem(join(path, "column"), f"{shown(column)} is no column's name"))
    if cases is None:
        problems.append(Problem(join(path, "cases"), "is required", "what cuts the documents with each value"))
        return None
    if not isinstance(cases, Mapping) or not cases:
        problems.append(Problem(join(path, "cases"), f"{shown(cases)} is not a mapping of values to algorithms"))
        return None
    problems.extend(_boolean(join(path, "cases"), case) for case in cases if isinstance(case, bool))
    made = {
        str(case): read_algorithm(definition, join(join(path, "cases"), case), problems)
        for case, definition in cases.items()
    }
    otherwise = None if default is None else read_algorithm(default, join(path, "default"), problems)
    if len(problems) > before:
        return None
    assert isinstance(column, str)
    return By(column, {case: algorithm for case, algorithm in made.items() if algorithm is not None}, otherwise)


def _boolean(path: str, case: bool) -> Problem:
    words = "yes, on and true" if case else "no, off and false"
    return Problem(path, f"has {case} as a value: YAML reads {words} so", "put the value in quotes, as 'no'")
