"""What people look at while they tune: exact, quick, and no way for a document to take the terminal over."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers
from chunkers import Chunk
from jobs.configuration import Configuration, from_mapping
from jobs.document_context import document_context
from jobs.errors import InputError
from jobs.preview import preview, preview_lines
from jobs.preview.terminal import Style, cells, clipped, rows, safe, style_of
from jobs.preview.text import document_lines

PLAIN = Style(width=60)
ASCII = Style(width=60, unicode=False)

TEXT = """\
# Pump

Open the valve.

## Start

Press the green button and wait until the lamp is steady, then close the valve by a quarter turn.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of documents, as a table has them."""
    rows = [
        {"Doc_Id": "pump", "title": "Handbook", "pages": 3, "text": TEXT},
        {"Doc_Id": "blank", "title": None, "pages": None, "text": " \n"},
        {"Doc_Id": None, "title": None, "pages": None, "text": "x"},
        {"Doc_Id": "none", "title": None, "pages": None, "text": None},
        {"Doc_Id": "large", "title": None, "pages": 1, "text": "x" * 1001},
    ]
    for n, part in enumerate((rows[:2], rows[2:])):
        pq.write_table(pa.Table.from_pylist(part), tmp_path / f"part-{n}.parquet")
    return tmp_path


def configuration(path: object, **sections: Any) -> Configuration:
    values: dict[str, Any] = {
        "input": {"path": str(path), "id": "doc_id", "text": "text"},
        "chunk": [
            {"markdown": {}},
            {"fixed_token_length": {"token_limit": 16, "overlap_rate": 0.3, "tokenizer": "whitespace"}},
        ],
        "context": {"columns": ["title"]},
        "output": {"path": "out"},
        "limits": {"max_document_mb": 0.001},
    }
    return from_mapping({**values, **sections})


def lines(*arguments: Any, **options: Any) -> str:
    return "\n".join(preview_lines(*arguments, **options))


def test_a_document(folder: Path) -> None:
    assert (
        lines(configuration(folder), ASCII, documents=1)
        == """\
pump
133 characters, 3 chunks of 12 to 16 tokens, median 15
+- 0 -- ######.. 12 tokens -- 0 to 58 -- Pump > Start ------
: Handbook
| # Pump
|
| Open the valve.
|
| ## Start
|
| Press the green button
+- 1 -- ######## 16 tokens -- 41 to 98 -- 17 shared --------
: Handbook
: # Pump
: ## Start
^ the green button
| and wait until the lamp is steady, then
+- 2 -- ######## 15 tokens -- 82 to 133 -- 16 shared -------
: Handbook
: # Pump
: ## Start
^ is steady, then
| close the valve by a quarter turn.
+-----------------------------------------------------------
"""
    )


def test_all_documents_and_what_fails(folder: Path) -> None:
    shown = lines(configuration(folder), PLAIN, documents=9)
    assert shown.endswith("""\
blank
2 characters, no chunks

(no id)
fails as null_id: the id is null

none
fails as null_text: the text is null

large
fails as too_large: 1,001 bytes, allowed are 0.001 MB

5 documents, 3 failed: 3 chunks of 12 to 16 tokens, median 15""")


def test_line_drawing_and_colours(folder: Path) -> None:
    drawn = lines(configuration(folder), PLAIN, documents=1)
    assert "\u256d\u2500 0 \u2500\u2500 \u2588\u2588\u2588\u2588\u2588\u2588\u2591\u2591 12 tokens" in drawn
    assert "\x1b" not in drawn
    coloured = lines(configuration(folder), Style(width=60, colour=True), documents=1)
    assert "\x1b[2m\u250a Handbook\x1b[0m" in coloured
    assert "\x1b[36m\u2191 the green button\x1b[0m" in coloured


def test_nothing_but_a_terminal_gets_colours(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        encoding = "UTF-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    stream = io.StringIO()
    preview(configuration(folder), stream)
    assert "\x1b" not in stream.getvalue()
    assert style_of(Terminal()).colour
    assert style_of(Terminal()).unicode
    monkeypatch.setenv("NO_COLOR", "1")
    assert not style_of(Terminal()).colour


class TestInput:
    def test_a_file_a_pattern_and_a_folder(self, folder: Path) -> None:
        shown = lines(configuration(folder), ASCII)
        assert lines(configuration(folder / "part-*.parquet"), ASCII) == shown
        assert shown.startswith(lines(configuration(folder / "part-0.parquet"), ASCII, documents=1))

    def test_one_document_by_its_id(self, folder: Path) -> None:
        assert lines(configuration(folder), ASCII, doc_id="none").startswith("none\nfails as null_text")
        with pytest.raises(InputError, match=r"has no document with the id 'x'\."):
            lines(configuration(folder), ASCII, doc_id="x")

    def test_several_id_columns(self, folder: Path) -> None:
        source = {"path": str(folder), "id": ["doc_id", "pages"], "text": "text"}
        assert lines(configuration(folder, input=source), ASCII).startswith('["pump",3]\n')

    def test_missing_columns_are_all_named(self, folder: Path) -> None:
        source = {"path": str(folder), "id": "doc_id", "text": "text", "columns": ["TITLE", "pagse"]}
        config = configuration(folder, input=source, context={"columns": ["titel", "page"]})
        with pytest.raises(InputError) as raised:
            lines(config, ASCII)
        assert str(raised.value) == (
            f"The input {folder} lacks columns that the configuration names:\n"
            "  input.columns: the input has no column 'pagse' (did you mean 'pages'?)\n"
            "  context.columns: the input has no column 'titel' (did you mean 'title'?)\n"
            "  context.columns: the input has no column 'page' (did you mean 'pages'?)"
        )

    def test_a_text_column_of_another_type(self, folder: Path) -> None:
        source = {"path": str(folder), "id": "doc_id", "text": "pages"}
        with pytest.raises(InputError, match=r"The column pages of .* has the type int64"):
            lines(configuration(folder, input=source), ASCII)

    @pytest.mark.spark
    def test_what_needs_spark(self, folder: Path) -> None:
        (folder / "documents.json").write_text(
            '{"doc_id": 1, "title": "One", "text": "First."}\n{"doc_id": 2, "title": null, "text": "Second."}\n'
            '{"doc_id": 3, "title": "Three", "text": null}\n'
        )
        source = {"path": f"{folder}/documents.json", "format": "json", "id": "doc_id", "text": "text"}
        chunk = {"delimiter": None}
        shown = lines(configuration("", input={**source, "where": "doc_id < 2"}, chunk=chunk), ASCII)
        assert shown.splitlines()[:1] + shown.splitlines()[3:5] == ["1", ": One", "| First."]
        shown = lines(configuration("", input=source, chunk=chunk), ASCII, doc_id="2")
        assert "| Second." in shown
        shown = lines(configuration("", input=source, chunk=chunk), ASCII, doc_id="3")
        assert shown.startswith("3\nfails as null_text: the text is null")
        with pytest.raises(InputError, match="has no document with the id '4'"):
            lines(configuration("", input=source, chunk=chunk), ASCII, doc_id="4")

    def test_no_parquet(self, folder: Path) -> None:
        (folder / "x.txt").write_text("x")
        with pytest.raises(InputError, match="can't be read as Parquet"):
            lines(configuration(folder / "x.txt"), ASCII)

    def test_no_file(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        here = f"correct input.path, which starts in {folder}."
        for path, message in (
            (f"{folder}/none.parquet", f"The input {folder}/none.parquet does not exist: correct input.path."),
            ("none.parquet", f"The input none.parquet does not exist: {here}"),
            ("none*.parquet", f"No file fits the pattern none*.parquet: {here}"),
        ):
            with pytest.raises(InputError) as raised:
                lines(configuration(path), ASCII)
            assert str(raised.value) == message

    def test_no_documents(self, tmp_path: Path) -> None:
        pq.write_table(
            pa.table({"doc_id": pa.array([], pa.string()), "text": pa.array([], pa.string())}), tmp_path / "a.parquet"
        )
        with pytest.raises(InputError, match="has no documents"):
            lines(configuration(tmp_path, context={}), ASCII)

    def test_text_that_is_not_utf8(self, tmp_path: Path) -> None:
        bad = pa.array([b"One \xff two."], pa.binary()).view(pa.string())
        pq.write_table(pa.table({"doc_id": ["a"], "text": bad}), tmp_path / "a.parquet")
        assert "| One \ufffd two." in lines(configuration(tmp_path, context={}), ASCII)

    @pytest.mark.spark
    @pytest.mark.usefixtures("spark")
    @pytest.mark.parametrize("ids", [["name"], ["at", "name"], ["at"], ["local"], ["flag"], ["inner"], ["day", "n"]])
    def test_spark_and_arrow_show_the_same(self, tmp_path: Path, ids: list[str]) -> None:
        names = pa.array([b"caf\xe9", "caf\ufffd".encode(), b"x", None], pa.binary()).view(pa.string())
        micros = [0, 1, 1_120_000, 2_000_000]
        columns = {
            "name": names,
            "inner": pa.StructArray.from_arrays([names, pa.array([1, 2, 3, 4])], names=["a", "b"]),
            "at": pa.array(micros, pa.timestamp("us", "UTC")),
            "local": pa.array(micros, pa.timestamp("us")),
            "day": pa.array([0, 1, 2, 3], pa.date32()),
            "flag": [True, False, True, None],
            "n": [1, 2, 3, 4],
            "text": ["a", "b", "c", "d"],
        }
        pq.write_table(pa.table(columns), tmp_path / "a.parquet")
        context = {"columns": ["at", "local", "name", "day", "flag", "n"]}
        source = {"path": str(tmp_path), "id": ids, "text": "text"}
        shown = [
            lines(configuration("", input={**source, **where}, context=context, chunk={"delimiter": {}}), ASCII, 9)
            for where in ({}, {"where": "true"})
        ]
        assert shown[0] == shown[1]
        assert ("fails as invalid_id: the id is not valid UTF-8" in shown[0]) == ("name" in ids or ids == ["inner"])
        assert ": 1970-01-01 00:00:01.12" in shown[0]


class TestText:
    def test_a_long_text_shows_both_ends(self) -> None:
        text = "\n".join(f"line {n}" for n in range(1000))
        shown = self.body(text, ASCII)
        assert shown[:2] == ["| line 0", "| line 1"]
        assert shown[8] == "| ... 8,808 characters ..."
        assert shown[-1] == "| line 999"
        assert len(shown) == 12

    def test_nothing_hides_what_is_hidden(self) -> None:
        for count in range(1, 200):
            text = "".join(f"{n:x<9}" for n in range(count))
            shown = "".join(line[2:] for line in self.body(text, Style(width=42)) if "\u2026" not in line)
            hidden = [line for line in self.body(text, Style(width=42)) if "\u2026" in line]
            missing = int(hidden[0].split()[2].replace(",", "")) if hidden else 0
            assert len(shown) + missing == len(text)

    def test_of_very_many_chunks_those_at_both_ends(self) -> None:
        chunks = [Chunk(n, n + 1, "x", index=n) for n in range(1000)]
        shown = list(document_lines("id", "x" * 1000, chunks, ASCII))
        assert sum(line.startswith("+-") for line in shown) == 51
        assert "... 950 chunks ..." in shown
        assert shown[-3].startswith("+- 999 --")

    def test_parents_are_told_from_children(self) -> None:
        text = "One mill. Two mills. Three mills."
        chunks = chunkers.create(
            "parent_child", parent={"recursive": {"char_limit": 21}}, child={"recursive": {"char_limit": 10}}
        ).chunk(text)
        shown = list(document_lines("id", text, chunks, ASCII))
        assert shown[1].endswith("5 chunks of 4 to 9 characters, median 7; 2 parents of 13 to 20 characters, median 16")
        heads = [line.split(" -- ")[:2] for line in shown if line.startswith("+- ")]
        assert [head[0] for head in heads if "parent" in head[0]] == ["+- parent 0", "+- parent 1"]
        assert [head[1] for head in heads if "parent" not in head[0]] == ["of parent 0"] * 3 + ["of parent 1"] * 2

    def test_a_megabyte_without_a_break(self) -> None:
        assert len(self.body("x" * 1_000_000, ASCII)) == 12

    def test_wide_characters_fill_the_row(self) -> None:
        shown = self.body("\u6f22\u5b57" * 40, PLAIN)
        assert [cells(line) for line in shown] == [60, 60, 46]

    def test_no_control_reaches_the_terminal(self) -> None:
        chunk = Chunk(0, 9, "a\x1b[31mb\r\nc\td\u202ee\x07\u2028", context="\x1b]0;x\x07\n", section_path=("\x9b1m",))
        shown = "\n".join(document_lines("id\x1b[2J", chunk.text, [chunk], PLAIN))
        assert shown.replace("\n", "").isprintable()
        assert "a\\x1b[31mb\n\u2502 c    d\\u202ee\\x07\\u2028" in shown

    def test_flags_and_kinds(self) -> None:
        chunk = Chunk(5, 9, "text", kind="table", over_limit=True, context_cut=True, token_count=1)
        header = list(document_lines("id", "text", [chunk], Style(width=90, unicode=False)))[2]
        assert header.startswith("+- 0 -- ######## 1 token -- 5 to 9 -- table -- over limit -- context cut --")

    def test_a_long_section_path_keeps_its_end(self) -> None:
        chunk = Chunk(0, 4, "text", section_path=("A" * 40, "B" * 40, "End"))
        header = list(document_lines("id", "text", [chunk], PLAIN))[2]
        assert cells(header) == 60
        assert "BBB \u203a End \u2500\u2500" in header

    def body(self, text: str, style: Style) -> list[str]:
        """The rows of one chunk with this text."""
        return list(document_lines("id", text, [Chunk(0, len(text), text)], style))[3:-1]


HARD = st.text(st.sampled_from("ab \n\t\r\u6f22\u0301\U0001f469\u200d\U0001f680\x1b\u202e\u05d0"), max_size=120)


@given(HARD, st.integers(8, 30))
def test_rows_fit_and_lose_nothing(text: str, width: int) -> None:
    spans = list(rows(text, 0, len(text), width))
    assert all(cells(safe(text[start:end])) <= width for start, end in spans)
    covered = {position for start, end in spans for position in range(start, end)}
    assert {n for n, character in enumerate(text) if character != "\n"} == covered


@pytest.mark.parametrize("text", ["x" * 1_000_000, "\u6f22" * 1_000_000, "e" + "\u0301" * 1_000_000])
def test_a_megabyte_is_clipped_at_once(text: str) -> None:
    assert cells(clipped(text, 20, "...")) <= 20


@given(HARD, st.integers(4, 30))
def test_clipped_fits(text: str, width: int) -> None:
    shown = clipped(text, width, "...")
    assert cells(shown) <= width
    assert text.endswith(shown.removeprefix("..."))


class TestDocumentContext:
    def test_values_in_order_and_the_lead(self) -> None:
        found = document_context(
            "First words. More.", ["Title", None, 7, True, float("nan"), ["a", None, "b"], " "], 12
        )
        assert found == ("Title\n", "7\n", "true\n", "a, b\n", "First words.\n")

    def test_nothing(self) -> None:
        assert document_context("Text.", []) == ()
        assert document_context("  ", ["", None], 9) == ()

    @pytest.mark.parametrize(
        ("text", "lead_chars", "lead"),
        [
            ("Short.", 100, "Short."),
            ("Open the valve now", 14, "Open the valve"),
            ("Open the valve now", 12, "Open the"),
            ("x" * 40 + " y", 30, "x" * 30),
            ("\u6f22" * 9, 4, "\u6f22" * 4),
            ("ab\U0001f469\u200d\U0001f680", 4, "ab"),
        ],
    )
    def test_where_the_lead_ends(self, text: str, lead_chars: int, lead: str) -> None:
        assert document_context(text, [], lead_chars) == (f"{lead}\n",)

    @given(st.text(), st.integers(1, 40))
    def test_the_lead_is_a_beginning(self, text: str, lead_chars: int) -> None:
        for part in document_context(text, [], lead_chars):
            assert len(part) <= lead_chars + 1
            assert text.lstrip().startswith(part.removesuffix("\n"))

    def test_chunks_take_it(self) -> None:
        chunker = chunkers.create("delimiter")
        found = chunker.chunk("One.\n\nTwo.", document_context("One.\n\nTwo.", ["Title"], 4))
        assert [chunk.index_text for chunk in found] == ["Title\nOne.\n\n", "Title\nOne.\nTwo."]
