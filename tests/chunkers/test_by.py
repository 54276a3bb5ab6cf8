"""`by`: the algorithm of a document by the value of a column."""

from __future__ import annotations

from typing import Any

import pytest

import chunkers
from chunkers.errors import ConfigurationError

DEFINITION: dict[str, Any] = {
    "by": {
        "column": "format",
        "cases": {
            "lines": {"delimiter": {"delimiter": "\n"}},
            "text": [{"delimiter": {}}, {"sentence": {"token_limit": 9, "language_column": "lang"}}],
        },
    }
}


def test_each_document_by_its_value() -> None:
    algorithm = chunkers.create_algorithm(DEFINITION)
    assert algorithm.columns == {"format", "lang"}
    assert algorithm.tokenizers() == {"cl100k_base"}
    values: list[dict[str, str | None]] = [{"format": "lines"}, {"format": "text", "lang": "en"}, {"format": "pdf"}, {}]
    rows = algorithm.chunk_batch(["a\nb"] * 4, None, values).to_pylist()
    assert [[row["text"] for row in chunks] for chunks in rows[:2]] == [["a\n", "b"], ["a\nb"]]
    assert [chunks[0]["error"] for chunks in rows[2:]] == [
        "unknown_case: format is 'pdf', the cases are 'lines', 'text'",
        "unknown_case: the column 'format' was not given to for_document (nor was any other), the cases are 'lines', "
        "'text'",
    ]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"format": None}, "format is None, the cases"),
        ({"lang": "en", "page": "3"}, "the column 'format' was not given to for_document (only 'lang', 'page'), the"),
    ],
)
def test_a_null_is_not_a_column_that_is_not_given(values: dict[str, str | None], found: str) -> None:
    with pytest.raises(chunkers.DocumentError) as raised:
        chunkers.create_algorithm(DEFINITION).for_document(values)
    assert str(raised.value).startswith(f"unknown_case: {found}")


def test_a_default_takes_the_others() -> None:
    definition = {"by": {**DEFINITION["by"], "default": {"fixed_char_length": {"char_limit": 1}}}}
    algorithm = chunkers.create_algorithm(definition)
    (rows,) = algorithm.chunk_batch(["ab"], None, [{"format": "pdf"}]).to_pylist()
    assert [row["text"] for row in rows] == ["a", "b"]
    assert [chunk.text for chunk in algorithm.chunk("ab")] == ["a", "b"]


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ({"by": 3}, "chunk.by: 3 is not a mapping"),
        ({"by": {"cases": {"a": {"delimiter": {}}}}}, "chunk.by.column: is required (the column whose value chooses)"),
        ({"by": {"column": 3, "cases": {"a": {"delimiter": {}}}}}, "chunk.by.column: 3 is no column's name"),
        ({"by": {"column": "c", "cases": {}}}, "chunk.by.cases: {} is not a mapping of values"),
        ({"by": {"column": "c"}}, "chunk.by.cases: is required"),
        ({"by": {"colum": "c"}}, "chunk.by.colum: unknown key (did you mean 'column'?)"),
        ({"by": {"column": "c", "cases": {"a": {"delimitr": {}}}}}, "chunk.by.cases.a.delimitr: unknown algorithm"),
        ({"by": {**DEFINITION["by"], "defualt": {}}}, "chunk.by.defualt: unknown key (did you mean 'default'?)"),
        (
            {"by": {"column": "c", "cases": {False: {"delimiter": {}}}}},
            "chunk.by.cases: has False as a value: YAML reads no, off and false so (put the value in quotes, as 'no')",
        ),
        ({**DEFINITION, "delimiter": {}}, "chunk: names 2 algorithms: 'by', 'delimiter'"),
        ([DEFINITION], "chunk[0]: by is no stage of a cascade"),
    ],
    ids=["mapping", "no column", "column", "cases", "no cases", "near", "case", "key", "boolean", "two", "stage"],
)
def test_wrong_definitions(definition: Any, message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        chunkers.create_algorithm(definition)
    assert message in str(raised.value)
