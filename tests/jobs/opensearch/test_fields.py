"""What a pipeline reads and writes in columns, and what can be right for no row."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DateType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructType,
)

from chunkers.opensearch import read_pipeline
from jobs.opensearch.fields import STRINGS, Fields, resolve


def struct(**fields: DataType) -> StructType:
    made = StructType()
    for name, kind in fields.items():
        made = made.add(name, kind)
    return made


SECTION = struct(body=StringType(), number=IntegerType())
ROW = struct(
    title=StringType(),
    tags=STRINGS,
    size=LongType(),
    meta=struct(abstract=StringType(), pages=ArrayType(IntegerType())),
    sections=ArrayType(SECTION),
    names=MapType(StringType(), StringType()),
    lists=MapType(StringType(), STRINGS),
    parts=MapType(StringType(), SECTION),
    numbers=MapType(IntegerType(), StringType()),
    matrix=ArrayType(ArrayType(SECTION)),
)


def resolved(*field_maps: dict[str, Any], columns: bool = True, row: StructType = ROW, **flags: bool) -> Any:
    processors = [{"text_chunking": {"field_map": m, "algorithm": {}, **flags}} for m in field_maps]
    return resolve(read_pipeline({"processors": processors}), row, writes_columns=columns)


def fields(*field_maps: dict[str, Any], **options: Any) -> Fields:
    found, problems = resolved(*field_maps, **options)
    assert problems == []
    assert isinstance(found, Fields)
    return found


def problems(*field_maps: dict[str, Any], **options: Any) -> list[str]:
    return [str(problem) for problem in resolved(*field_maps, **options)[1]]


class TestTrees:
    def test_every_kind_of_nesting(self) -> None:
        found = fields(
            {
                "title": "a",
                "tags": "b",
                "meta": {"abstract": "c"},
                "sections": {"body": "d"},
                "lists": {"k": "e"},
                "parts": {"k": {"body": "f"}, "l": {"body": "g"}},
            }
        )
        assert found.reads == {
            "title": None,
            "tags": None,
            "meta": {"abstract": None},
            "sections": {"body": None},
            "lists": {"k": None},
            "parts": {"k": {"body": None}, "l": {"body": None}},
        }
        assert found.writes == {
            "a": None,
            "b": None,
            "meta": {"c": None},
            "sections": {"d": None},
            "lists": {"e": None},
            "parts": {"k": {"f": None}, "l": {"g": None}},
        }
        assert found.columns == [*ROW.names, "a", "b"]
        assert found.paths == [
            "title",
            "tags",
            "meta.abstract",
            "sections.body",
            "lists.k",
            "parts.k.body",
            "parts.l.body",
        ]

    def test_a_cascade_reads_what_is_in_the_input_only(self) -> None:
        found = fields({"title": "once"}, {"once": "twice"})
        assert (found.reads, found.writes) == ({"title": None}, {"once": None, "twice": None})

    def test_a_field_that_may_stay_is_read_too(self) -> None:
        assert fields({"title": "tags"}, {"tags": "x"}).reads == {"title": None}
        assert fields({"title": "tags"}, {"tags": "x"}, ignore_missing=True).reads == {"title": None, "tags": None}

    def test_missing_fields_may_be_missing(self) -> None:
        found = fields({"title": "a", "nothing": "b", "meta": {"no": "c"}, "none": {"x": "y"}}, ignore_missing=True)
        assert found.reads == {"title": None}
        assert found.writes == {"a": None, "b": None, "meta": {"c": None}}

    def test_target_that_is_no_string(self) -> None:
        assert fields({"title": 5}).writes == {"5": None}

    def test_dots_are_no_paths(self) -> None:
        row = StructType().add("a.b", StringType())
        assert fields({"a.b": "c.d"}, row=row).columns == ["a.b", "c.d"]


class TestProblems:
    @pytest.mark.parametrize(
        ("field_map", "problem"),
        [
            ({"titel": "x"}, "field_map.titel: the input has no field 'titel' (did you mean 'title'?)"),
            ({"Title": "x"}, "field_map.Title: the input has no field 'Title' (did you mean 'title'?)"),
            ({"meta.abstract": "x"}, "field_map.meta.abstract: the input has no field 'meta.abstract'"),
            (
                {"meta": {"abstrct": "x"}},
                "field_map.meta.abstrct: meta has no field 'abstrct' (did you mean 'abstract'?)",
            ),
            ({"section": {"body": "x"}}, "field_map.section: the input has no field 'section'"),
            ({"size": "x"}, "field_map.size: is bigint, expected string or array<string>"),
            ({"meta": "x"}, "field_map.meta: is struct<abstract:string,pages:array<int>>, expected string or"),
            ({"meta": {"pages": "x"}}, "field_map.meta.pages: is array<int>, expected string or array<string>"),
            ({"sections": "x"}, "field_map.sections: is array<struct<body:string,number:int>>, expected string"),
            ({"sections": {"number": "x"}}, "field_map.sections.number: is int, expected string"),
            ({"names": "x"}, "field_map.names: is map<string,string>, expected string"),
            ({"parts": {"k": "x"}}, "field_map.parts.k: is struct<body:string,number:int>, expected string"),
            ({"title": {"x": "y"}}, "field_map.title: is string, but field_map names fields in it"),
            ({"tags": {"x": "y"}}, "field_map.tags: is array<string>, but field_map names fields in it"),
            ({"matrix": {"body": "x"}}, "field_map.matrix: is array<array<struct"),
            ({"numbers": {"1": "x"}}, "field_map.numbers: is map<int,string>, expected keys that are strings"),
            ({"names": {"k": "x"}}, "field_map.names.x: passages are array<string>, which a map<string,string> can't"),
            ({"title": "Tags"}, "field_map.Tags: differs from 'tags' in capitals only"),
            ({}, "field_map: names no field of the input"),
        ],
    )
    def test_one(self, field_map: dict[str, Any], problem: str) -> None:
        (found,) = problems(field_map)
        assert found.startswith(problem)

    @pytest.mark.parametrize("kind", [BinaryType(), DateType(), ArrayType(BinaryType())])
    def test_what_would_be_a_string_in_json_is_none_here(self, kind: DataType) -> None:
        (found,) = problems({"x": "y"}, row=struct(x=kind))
        assert found.startswith(f"field_map.x: is {kind.simpleString()}, expected string or array<string>")

    def test_all_at_once_and_in_which_processor(self) -> None:
        assert [found.partition(": ")[0] for found in problems({"size": "x", "no": "y"}, {"meta": {"pages": "z"}})] == [
            "text_chunking[0].field_map.size",
            "text_chunking[0].field_map.no",
            "text_chunking[1].field_map.meta.pages",
        ]

    def test_only_columns_need_a_type(self) -> None:
        field_map = {"names": {"k": "x"}, "title": "Tags", "tags": "size"}
        assert problems(field_map, columns=False, ignore_missing=True) == []
        assert len(problems(field_map, ignore_missing=True)) == 3

    def test_a_column_of_another_type_that_may_stay(self) -> None:
        (found,) = problems({"title": "size"}, ignore_missing=True)
        assert found.startswith("field_map.size: is bigint and stays so where nothing is written")
        assert problems({"title": "size"}) == []
        assert problems({"title": "title"}, ignore_missing=True) == []
        (found,) = problems({"title": "title"}, ignore_failure=True)
        assert found.startswith("field_map.title: is string and stays so")

    def test_strings_that_are_never_null_are_strings(self) -> None:
        strict = ArrayType(StringType(), containsNull=False)
        row = struct(title=StringType(), old=strict, lists=MapType(StringType(), strict, valueContainsNull=False))
        assert problems({"title": "old", "lists": {"a": "b"}}, row=row, ignore_missing=True) == []

    def test_a_cascade_knows_what_was_written(self) -> None:
        assert problems({"title": "size"}, {"size": "x"}) == []
        (found,) = problems({"title": "once"}, {"onze": "twice"})
        assert found.startswith("text_chunking[1].field_map.onze: the input has no field 'onze' (did you mean 'once'?)")
