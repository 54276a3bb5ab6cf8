"""A configuration is checked whole: every problem at once, each where it is."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from chunkers import ConfigurationError
from jobs.configuration import Configuration, from_mapping, load
from jobs.configuration.summary import summary_lines
from jobs.output_columns import OUTPUT_COLUMN_NAMES

GOOD = """\
input:
  path: data/documents
  id: doc_id
  text: body
  columns: [source, lang]
chunk:
  fixed_char_length: {char_limit: 100}
context: {columns: [title], lead_chars: 20}
output:
  path: out/chunks
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "job.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def problems_of(values: Any) -> list[str]:
    """The problems of a configuration, without their hints."""
    with pytest.raises(ConfigurationError) as raised:
        from_mapping(values)
    return [f"{problem.path}: {problem.message}" for problem in raised.value.problems]


def changed(**sections: Mapping[str, Any]) -> dict[str, Any]:
    """The good configuration with keys of its sections replaced."""
    values = yaml.safe_load(GOOD)
    for name, keys in sections.items():
        values[name] = {**values.get(name, {}), **keys}
    return dict(values)


class TestGood:
    def test_values_and_defaults(self, write: Callable[[str], Path]) -> None:
        config = load(write(GOOD))
        assert config.input.path == "data/documents"
        assert (config.input.id, config.input.text, config.input.columns) == (("doc_id",), "body", ("source", "lang"))
        assert (config.input.table, config.input.where, config.input.limit) == (None, None, None)
        assert (config.input.format, config.input.options) == ("parquet", {})
        assert config.chunk == {"fixed_char_length": {"char_limit": 100}}
        assert (config.context.columns, config.context.lead_chars) == (("title",), 20)
        assert (config.output.path, config.output.columns) == ("out/chunks", ())
        assert (config.limits.max_document_mb, config.limits.max_failed_rate) == (64, 0.01)

    def test_plain_data_makes_the_same_configuration_again(self) -> None:
        config = from_mapping(changed(input={"options": {"mergeSchema": True, "x": 3}}))
        assert from_mapping(config.as_dict()) == config
        assert pickle.loads(pickle.dumps(config)) == config
        assert config.input.options == {"mergeSchema": "true", "x": "3"}

    def test_a_table(self) -> None:
        config = from_mapping(changed(input={"path": None, "table": "lake.db.documents"}))
        assert config.input.table == "lake.db.documents"
        assert from_mapping(config.as_dict()) == config

    def test_several_ids_of_which_one_is_carried_too(self) -> None:
        config = from_mapping(changed(input={"id": ["site", "page"], "columns": ["site"]}))
        assert config.input.id == ("site", "page")

    def test_a_cascade(self) -> None:
        stages = [{"delimiter": None}, {"fixed_char_length": {"char_limit": 9}}]
        assert from_mapping({**changed(), "chunk": stages}).chunk == stages

    def test_the_size_cap_is_in_millions_of_bytes(self) -> None:
        assert from_mapping(changed(limits={"max_document_mb": 0.5})).limits.max_document_bytes == 500_000


class TestEveryProblemAtOnce:
    def test_in_one_report(self) -> None:
        values = {
            "input": {"path": "a", "table": "b", "id": [], "text": "body", "columns": ["Body", "x", "X"], "limit": 0},
            "chunk": [{"delimiter": {"delimter": ","}}, {"fixed_char_length": {"char_limit": 0}}, {"bye": {}}],
            "context": {"lead_chars": "many"},
            "output": {"columns": ["texts"]},
            "limits": {"max_failed_rate": 1.5},
            "inputs": {},
        }
        assert problems_of(values) == [
            "inputs: unknown parameter",
            "input.limit: 0 is out of bounds",
            "input.id: must not be empty",
            "chunk[0].delimiter.delimter: unknown parameter",
            "chunk[1].fixed_char_length.char_limit: 0 is out of bounds",
            "chunk[2].bye: unknown algorithm 'bye'",
            "context.lead_chars: 'many' is not a whole number",
            "output.path: is required",
            "limits.max_failed_rate: 1.5 is out of bounds",
            "input: has both path and table",
            "input.columns[2]: 'X' is there already at input.columns[1]",
            "input.columns[0]: 'Body' is the column to chunk (input.text)",
            "output.columns[0]: 'texts' is neither an output nor a carried column",
        ]

    def test_with_hints(self) -> None:
        with pytest.raises(ConfigurationError) as raised:
            from_mapping({**changed(limits={"max_failed_rates": 1}), "chunk": {"no_such": {}}})
        message = str(raised.value)
        assert "limits.max_failed_rates: unknown parameter (did you mean 'max_failed_rate'?)" in message
        assert "chunk.no_such: unknown algorithm 'no_such' (known: delimiter, " in message
        assert message.startswith("2 problems in the configuration:")

    def test_bounds_are_named(self) -> None:
        with pytest.raises(ConfigurationError, match=r"limits\.max_failed_rate: -1 .* \(allowed: 0\.0 to 1\.0\)"):
            from_mapping(changed(limits={"max_failed_rate": -1}))

    def test_of_an_empty_file(self, write: Callable[[str], Path]) -> None:
        with pytest.raises(ConfigurationError) as raised:
            load(write("# nothing yet\n"))
        assert [problem.path for problem in raised.value.problems] == ["input", "chunk", "output"]

    @pytest.mark.parametrize(
        "values", [[], "text", 3, {1: 2}, {"input": []}, {"chunk": [[]], "output": {"columns": 1}}]
    )
    def test_of_what_is_no_configuration(self, values: Any) -> None:
        assert problems_of(values)


class TestColumns:
    @pytest.mark.parametrize("name", OUTPUT_COLUMN_NAMES)
    def test_a_carried_column_named_as_an_output_column(self, name: str) -> None:
        values = changed(input={"columns": ["lang", name.upper()]})
        assert f"input.columns[1]: {name.upper()!r} is the name of an output column" in problems_of(values)

    def test_an_id_spelled_in_two_ways(self) -> None:
        values = changed(input={"id": "page", "columns": ["Page"]})
        assert problems_of(values) == ["input.columns[0]: 'Page' is 'page' in input.id"]

    def test_an_id_twice(self) -> None:
        values = changed(input={"id": ["page", "PAGE"]})
        assert problems_of(values) == ["input.id[1]: 'PAGE' is there already at input.id[0]"]

    @pytest.mark.parametrize(("section", "key"), [("input", "id"), ("input", "columns"), ("context", "columns")])
    def test_the_text_is_nothing_else(self, section: str, key: str) -> None:
        values = changed(**{section: {key: ["BODY"]}})
        assert problems_of(values) == [f"{section}.{key}[0]: 'BODY' is the column to chunk (input.text)"]

    def test_the_output_takes_output_and_carried_columns(self) -> None:
        config = from_mapping(changed(output={"columns": ["doc_id", "index_text", "lang"]}))
        assert config.output.columns == ("doc_id", "index_text", "lang")
        values = changed(output={"columns": ["doc_id", "title", "doc_id"]})
        assert problems_of(values) == [
            "output.columns[2]: 'doc_id' is there already at output.columns[0]",
            "output.columns[1]: 'title' is neither an output nor a carried column",
        ]


class TestPaths:
    def test_neither_path_nor_table(self) -> None:
        assert problems_of(changed(input={"path": None})) == ["input: names no documents"]

    def test_a_format_beside_a_table(self) -> None:
        values = changed(input={"path": None, "table": "db.documents", "format": "json"})
        assert problems_of(values) == ["input.format: goes with path: a table knows its own format"]

    @pytest.mark.parametrize("path", ["data/documents", "data/documents/", "./data/documents/chunks"])
    def test_an_output_in_the_input(self, path: str) -> None:
        assert problems_of(changed(output={"path": path})) == [f"output.path: {path!r} lies in input.path"]

    @pytest.mark.parametrize(
        ("source", "target", "inside"),
        [
            ("/in/g/*", "/in/g/out", True),
            ("/in/g/*", "/in/g/a/b", True),
            ("/in/*/[ab]", "/in/x/a/out", True),
            ("/in/*.parquet", "/in/out", False),
            ("/in/{a,b}/x", "/in/a/x/out", True),
            ("/in/g/*", "/in/out", False),
            ("/in", "/in2", False),
            ("/", "/out", True),
            ("data", str(Path.cwd() / "data" / "out"), True),
            (str(Path.cwd() / "data"), "data/../data/out", True),
            ("file:///in", "/in/out", True),
            ("/in", "file:/in/out", True),
            ("s3a://bucket/in/", "s3a://bucket/in/out", True),
            ("s3a://bucket/in", "/in/out", False),
        ],
    )
    def test_an_output_in_a_pattern_or_in_a_path_spelled_otherwise(
        self, source: str, target: str, inside: bool
    ) -> None:
        values = changed(input={"path": source}, output={"path": target})
        if inside:
            assert problems_of(values) == [f"output.path: {target!r} lies in input.path"]
        else:
            assert from_mapping(values).output.path == target

    def test_more_rows_than_spark_can_take(self) -> None:
        assert from_mapping(changed(input={"limit": 2**31 - 1})).input.limit == 2**31 - 1
        assert problems_of(changed(input={"limit": 2**31})) == ["input.limit: 2147483648 is out of bounds"]

    def test_options_are_scalars(self) -> None:
        values = changed(input={"options": {"schema": ["a"]}})
        assert problems_of(values) == ["input.options.schema: ['a'] is not a string, number, true or false"]


class TestFile:
    def test_missing(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match=r"none\.yaml: cannot be read: No such file or directory"):
            load(tmp_path / "none.yaml")

    def test_not_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "job.yaml"
        path.write_bytes("input: caf\u00e9".encode("latin-1"))
        with pytest.raises(ConfigurationError, match=r"job\.yaml: is not UTF-8: byte 10"):
            load(path)

    def test_a_byte_order_mark_is_fine(self, write: Callable[[str], Path]) -> None:
        assert load(write("\ufeff" + GOOD)) == load(write(GOOD))

    def test_not_yaml(self, write: Callable[[str], Path]) -> None:
        with pytest.raises(ConfigurationError, match=r"job\.yaml, line 3, column \d+: is not YAML: "):
            load(write("input:\n  path: a\n   id: b\n"))

    @pytest.mark.parametrize(
        "text", ["input: \x00", "a: 2026-13-45", "a: !!python/object:os.system {}", "[1]: {[2]: 3}"]
    )
    def test_yaml_that_cannot_be_used(self, write: Callable[[str], Path], text: str) -> None:
        with pytest.raises(ConfigurationError, match=r"job\.yaml"):
            load(write(text))

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("a: " + "[" * 5000 + "]" * 5000, "is nested too deeply"),
            ("a: [" + "1," * 60_000 + "]", None),
            ("a: [" + "1," * 100_000 + "]", "stands for more than 100,000 values"),
            ("a: &a [*a]", "stands for more than 100,000 values"),
            (
                "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)),
                "stands for more than 100,000 values",
            ),
            ("# " + "\u00e9" * 500_000, "is larger than 1,000,000 bytes"),
        ],
    )
    def test_more_than_a_configuration_can_be(
        self, write: Callable[[str], Path], text: str, problem: str | None
    ) -> None:
        with pytest.raises(ConfigurationError) as raised:
            load(write(text))
        messages = [found.message for found in raised.value.problems]
        if problem is None:
            assert "unknown parameter" in messages
        else:
            assert len(messages) == 1
            assert messages[0].startswith(problem)

    @pytest.mark.parametrize("text", ["[a]", "- input: {}", "just words", "3"])
    def test_what_is_no_mapping_is_told_with_its_file(self, write: Callable[[str], Path], text: str) -> None:
        path = write(text)
        with pytest.raises(ConfigurationError) as raised:
            load(path, ["output.path=x"])
        assert [(problem.path, problem.message) for problem in raised.value.problems] == [
            (str(path), f"{yaml.safe_load(text)!r} is not a mapping of keys")
        ]

    def test_keys_that_are_there_twice(self, write: Callable[[str], Path]) -> None:
        with pytest.raises(ConfigurationError) as raised:
            load(write(GOOD + "chunk: {delimiter: {trim: true, trim: false}}\n"))
        found = [(problem.path.rpartition("/")[2], problem.message) for problem in raised.value.problems]
        assert sorted(found) == [
            ("job.yaml, line 11", "the key 'chunk' is there already in line 6"),
            ("job.yaml, line 11", "the key 'trim' is there already in line 11"),
        ]


class TestSet:
    def load(self, write: Callable[[str], Path], *overrides: str) -> Configuration:
        return load(write(GOOD), overrides)

    def test_values_are_yaml(self, write: Callable[[str], Path]) -> None:
        config = self.load(
            write,
            "output.path=out/x",
            "input.columns=[a, b]",
            "input.where=lang = 'en'",
            "input.limit=10",
            "limits.max_failed_rate=0.5",
            "chunk.fixed_char_length.overlap_rate=0.25",
        )
        assert (config.output.path, config.input.columns) == ("out/x", ("a", "b"))
        assert (config.input.where, config.input.limit) == ("lang = 'en'", 10)
        assert config.limits.max_failed_rate == 0.5
        assert config.chunk == {"fixed_char_length": {"char_limit": 100, "overlap_rate": 0.25}}

    def test_null_unsets(self, write: Callable[[str], Path]) -> None:
        config = self.load(write, "input.path=null", "input.table=db.documents")
        assert (config.input.path, config.input.table) == (None, "db.documents")

    def test_the_last_one_wins(self, write: Callable[[str], Path]) -> None:
        assert self.load(write, "output.path=a", "output.path=b").output.path == "b"

    def test_reaches_into_lists(self, write: Callable[[str], Path]) -> None:
        config = self.load(write, "chunk=[{delimiter: }, {delimiter: }]", "chunk[1].delimiter.delimiter='. '")
        assert config.chunk == [{"delimiter": None}, {"delimiter": {"delimiter": ". "}}]

    @pytest.mark.parametrize(
        ("override", "problem"),
        [
            ("output.path", "--set output.path: is not key.path=value"),
            ("=x", "--set =x: is not key.path=value"),
            ("output..path=x", "--set output..path=x: is not key.path=value"),
            ("output.path=[", "--set output.path=[, line 1, column 2: is not YAML: "),
            (
                "output.path={a: 1, a: 2}",
                "--set output.path={a: 1, a: 2}, line 1: the key 'a' is there already in line 1",
            ),
            ("output.pth=x", "output.pth: unknown parameter"),
            ("outputs.path=x", "outputs: unknown parameter"),
            ("output.path.deep=x", "--set output.path.deep=x: 'deep' can't be set: 'out/chunks' is no mapping"),
            ("chunk[0].delimiter=x", "--set chunk[0].delimiter=x: [0] can't be set: "),
            ("input.columns[2]=x", "--set input.columns[2]=x: [2] can't be set: the list has 2 elements, from [0] on"),
        ],
    )
    def test_wrong(self, write: Callable[[str], Path], override: str, problem: str) -> None:
        with pytest.raises(ConfigurationError) as raised:
            self.load(write, override)
        assert any(str(found).startswith(problem) for found in raised.value.problems), str(raised.value)

    def test_its_problems_come_with_those_of_the_file(self, write: Callable[[str], Path]) -> None:
        with pytest.raises(ConfigurationError) as raised:
            self.load(write, "nonsense", "input.limit=0")
        assert [problem.path for problem in raised.value.problems] == ["--set nonsense", "input.limit"]


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
KEYS = st.sampled_from(["path", "table", "id", "text", "columns", "limit", "options", "format", "delimiter", "x"])
DATA = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4))


@given(st.dictionaries(st.sampled_from(["input", "chunk", "context", "output", "limits"]), DATA))
def test_whatever_is_wrong_is_a_configuration_error(values: Any) -> None:
    with pytest.raises(ConfigurationError):
        from_mapping({**values, "unknown": 1})


@pytest.mark.parametrize(
    ("definition", "installed", "expected"),
    [
        ({"structure": {}}, ["python", "go"], ["grammars python, go"]),
        ([{"markdown": {}}, {"structure": {}}], [], ["grammars none: source code is cut at blank lines"]),
        ({"parent_child": {"parent": {"structure": {}}}}, ["go"], ["grammars go"]),
        ({"recursive": {}}, ["go"], []),
    ],
)
def test_the_summary_says_which_grammars_are_there(
    monkeypatch: pytest.MonkeyPatch, definition: Any, installed: list[str], expected: list[str]
) -> None:
    monkeypatch.setattr("jobs.configuration.summary.installed_languages", lambda: installed)
    lines = summary_lines(from_mapping({**yaml.safe_load(GOOD), "chunk": definition}))
    found = [line for line in lines if line.startswith("grammars")]
    assert [line[: len(words)] for line, words in zip(found, expected, strict=True)] == expected
