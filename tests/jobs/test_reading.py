"""What is wrong with an input is said at once, before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

from jobs.configuration import Configuration
from jobs.errors import InputError
from jobs.input_faults import input_faults
from jobs.reading import read_source
from jobs.text_columns import is_invalid, make_valid
from tests.jobs.documents import configuration, write_documents

pytestmark = pytest.mark.spark


def _problems(spark: SparkSession, source: str, **sections: dict[str, object]) -> str:
    with pytest.raises(InputError) as raised, read_source(spark, configuration(source, Path("out"), **sections)):
        pass
    return str(raised.value)


def test_a_folder_without_data(spark: SparkSession, tmp_path: Path) -> None:
    assert _problems(spark, str(tmp_path)).endswith(f"(parquet files at {tmp_path}): no file with data is there")


def test_every_missing_or_wrong_column_at_once(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(
        tmp_path / "in.parquet",
        key=pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int32())),
        text=[b"bytes"],
        title=["t"],
        Tags=[["a"]],
    )
    text = _problems(
        spark, source, input={"id": ["key", "ids"], "columns": ["titel"]}, context={"columns": ["tags", "lnag"]}
    )
    for words in (
        "input.id: the input has no column 'ids'",
        "input.id: 'key' is map<string,int>",
        "input.text: 'text' is binary, expected string (write it as CAST(`text` AS STRING)",
        "input.columns: the input has no column 'titel' (did you mean 'title'?)",
        "context.columns: the input has no column 'lnag'",
        "context.columns: 'Tags' is array<string>",
        "It has: key (map<string,int>), text (binary), title (string), Tags (array<string>)",
    ):
        assert words in text


def test_a_path_that_is_a_pattern_by_mistake(spark: SparkSession, tmp_path: Path) -> None:
    name = "in[1]{a}"
    write_documents(tmp_path / name / "part.parquet", id=["a"], text=["rye"])
    assert r"The [ makes a pattern of the path, in which \[ is the sign itself." in _problems(
        spark, f"{tmp_path}/{name}"
    )
    escaped = re.sub(r"([\[{])", r"\\\1", f"{tmp_path}/{name}")
    with read_source(spark, configuration(escaped, Path("out"))) as source:
        assert source.frame.count() == 1


def test_no_such_path_table_or_format(spark: SparkSession, tmp_path: Path) -> None:
    assert "PATH_NOT_FOUND" in _problems(spark, str(tmp_path / "nowhere"))
    assert "paquet" in _problems(spark, str(tmp_path), input={"format": "paquet"})
    assert "table nowhere" in _problems(spark, "", input={"path": None, "table": "nowhere"})


def test_a_condition_that_cannot_be_used(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1], text=["a"])
    assert "input.where" in _problems(spark, source, input={"where": "no_such_column = 1"})
    assert "input.where" in _problems(spark, source, input={"where": "id = = 1"})


def _read(spark: SparkSession, config: Configuration) -> None:
    with read_source(spark, config) as found:
        found.frame.collect()


def test_rows_that_fail_when_they_are_read(
    spark: SparkSession, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = write_documents(tmp_path / "in" / "a.parquet", id=["secret"], text=["a"])
    config = configuration(source, Path("out"), input={"where": "cast(id AS int) > 1"})
    spark.conf.set("spark.sql.ansi.enabled", "true")  # the default since Spark 4.0
    try:
        with pytest.raises(InputError, match=r"CAST_INVALID_INPUT.*cast\(id AS int\) > 1") as raised:
            _read(spark, config)
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")
    assert "secret" not in str(raised.value)
    assert "secret" not in "".join(capfd.readouterr())
    (tmp_path / "in" / "b.parquet").write_bytes(b"PAR1 no footer PAR1")
    said = (
        r"file:\S+/b\.parquet: .*\. Repair it" if spark.version >= "4" else r"corrupted file: .*\. Find it, and repair"
    )
    with pytest.raises(InputError, match=f"can't be read: {said}"):
        _read(spark, configuration(str(tmp_path / "in"), Path("out")))
    with pytest.raises(ZeroDivisionError), read_source(spark, configuration(source, Path("out"))):
        raise ZeroDivisionError


def test_a_broken_file_of_the_output_is_no_fault_of_the_input() -> None:
    config = configuration("in", Path("/out"))
    for path, expected in (("/in/a%20b.parquet", InputError), ("/out/runs/1/chunks/a.parquet", PySparkException)):
        error = PySparkException(f"Encountered error while reading file file://{path}. SQLSTATE: KD001")
        with pytest.raises(expected), input_faults(config):
            raise error


def test_capitals_do_not_matter_unless_two_columns_differ_by_them(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", Id=[1], TEXT=["a"], Lang=["x"])
    with read_source(spark, configuration(source, Path("out"), input={"columns": ["lang"]})) as found:
        assert (found.ids, found.text, found.carried) == (("Id",), "TEXT", ("Lang",))
    twice = write_documents(tmp_path / "twice.parquet", id=[1], text=["a"], Text=["b"])
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        assert "'text' can be 'text' or 'Text'" in _problems(spark, twice)
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_a_table_of_the_catalog(spark: SparkSession) -> None:
    spark.createDataFrame([("a", "b")], "id string, text string").createOrReplaceTempView("documents_view")
    config = configuration("", Path("out"), input={"path": None, "table": "documents_view"})
    with read_source(spark, config) as found:
        assert found.frame.count() == 1
    spark.catalog.dropTempView("documents_view")


BAD_BYTES = [b"fine", b"caf\xe9", b"\xed\xa0\x80 surrogate", b"cut \xf0\x9f\x91", b"\xc0\x80", None, "\ufffd".encode()]


@pytest.mark.parametrize("way", ["functions of Spark 4", "decoding, as before"])
def test_bytes_that_are_not_utf8(
    spark: SparkSession, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "functions of Spark 4" and not hasattr(F, "make_valid_utf8"):
        pytest.skip("Spark before 4.0 has no such functions")
    if way == "decoding, as before":
        monkeypatch.delattr(F, "make_valid_utf8", raising=False)
        monkeypatch.delattr(F, "is_valid_utf8", raising=False)
    source = write_documents(tmp_path / "in.parquet", text=pa.array(BAD_BYTES, pa.binary()).view(pa.string()))
    # Spark 4 made decoding strict; this is how 3.5 decodes.
    spark.conf.set("spark.sql.legacy.codingErrorAction", "true")
    try:
        frame = spark.read.parquet(source).select(
            make_valid(F.col("text")).alias("text"), is_invalid(F.col("text")).alias("repaired")
        )
        found = frame.collect()
    finally:
        spark.conf.unset("spark.sql.legacy.codingErrorAction")
    expected = [None if b is None else b.decode(errors="replace") for b in BAD_BYTES]
    if way == "decoding, as before":
        expected[2] = "\ufffd surrogate"  # Java takes the three bytes of a surrogate as one fault
    assert [row.text for row in found] == expected
    assert [row.repaired for row in found] == [False, True, True, True, True, None, False]
