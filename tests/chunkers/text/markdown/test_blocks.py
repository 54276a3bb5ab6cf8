"""Blocks of Markdown texts: they tile the text, and a second parser finds the same ones."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from hypothesis import example, given

from chunkers.text.markdown import parse
from tests.markdown_documents import blocks as other_blocks
from tests.markdown_documents import markdown, placed
from tests.shared_data import shared
from tests.strategies import texts

COMPARED = ("heading", "table", "code")


def kinds(text: str) -> list[tuple[str, str]]:
    """Kind and text of the tiles."""
    return [(tile.kind, text[tile.start : tile.end]) for tile in parse(text).tiles()]


def assert_both_parsers_agree(text: str) -> None:
    found = parse(text)
    nodes, start = found.nodes, found.body_start
    spans = [(tile.kind, True, max(tile.start, start), tile.end) for tile in found.tiles() if tile.kind != "heading"]
    spans += [("heading", True, heading.start, heading.end) for heading in found.headings]
    inner = zip(nodes.kinds, nodes.depths, nodes.starts, nodes.ends, strict=True)
    spans += [(kind, False, low, high) for kind, depth, low, high in inner if depth]
    assert placed(text, start, (span for span in spans if span[0] in COMPARED)) == other_blocks(text, start)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\n\nc", [("paragraph", "a\nb\n\n\n"), ("paragraph", "c")]),
        ("\n\n  a\n", [("paragraph", "\n\n  a\n")]),
        ("# T\ntext\n", [("heading", "# T\n"), ("paragraph", "text\n")]),
        (
            "a\n\n    code\n\n    code\n\nb",
            [("paragraph", "a\n\n"), ("code", "    code\n\n    code\n\n"), ("paragraph", "b")],
        ),
        ("  ```py\n  x\n  ```  \n\ny\n", [("code", "  ```py\n  x\n  ```  \n\n"), ("paragraph", "y\n")]),
        ("- a\n\n  - b\n\ntext\n", [("list", "- a\n\n  - b\n\n"), ("paragraph", "text\n")]),
        ("> a\n> b\nlazy\n\nc\n", [("quote", "> a\n> b\nlazy\n\n"), ("paragraph", "c\n")]),
        ("<div>\n\nx\n\n</div>\n", [("html", "<div>\n\n"), ("paragraph", "x\n\n"), ("html", "</div>\n")]),
        ("a[^1]\n\n[^1]: b\n\n    c\n", [("paragraph", "a[^1]\n\n"), ("footnote", "[^1]: b\n\n    c\n")]),
        ("a\n\n***\n\nb\n", [("paragraph", "a\n\n"), ("rule", "***\n\n"), ("paragraph", "b\n")]),
        ("[x]: /u\n\n\n[y]: /v\na\n", [("paragraph", "[x]: /u\n\n\n[y]: /v\n"), ("paragraph", "a\n")]),
        ("a\n\n[x]: /u\n", [("paragraph", "a\n\n"), ("paragraph", "[x]: /u\n")]),
        ("---\nt: x\n---\n\n# T\n", [("front_matter", "---\nt: x\n---\n\n"), ("heading", "# T\n")]),
        ("\ufeff# T\n\na", [("heading", "\ufeff# T\n\n"), ("paragraph", "a")]),
        ("\ufeff", [("paragraph", "\ufeff")]),
        (
            "\u05d0\n\n| \U0001f600 | b |\n|-|-|\n| c | d |\n",
            [("paragraph", "\u05d0\n\n"), ("table", "| \U0001f600 | b |\n|-|-|\n| c | d |\n")],
        ),
        ("text\na | b\n---|---\nc | d\n", [("paragraph", "text\n"), ("table", "a | b\n---|---\nc | d\n")]),
        ("text\na | b\n---|---|---\nc | d\n", [("paragraph", "text\na | b\n---|---|---\nc | d\n")]),
        ("", []),
    ],
)
def test_tiles(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_what_is_in_a_container_is_told() -> None:
    text = "- a\n  - b\n\n  ```py\n  x\n  ```\n1. c\n"
    found = parse(text)
    first, second = found.tiles()
    inner = [
        (found.nodes.kinds[row], found.nodes.depths[row], text[found.nodes.starts[row]])
        for row in range(first.row, first.last)
    ]
    assert inner == [
        ("list", 0, "-"),
        ("item", 1, "-"),
        ("paragraph", 2, "a"),
        ("list", 2, "-"),
        ("item", 3, "-"),
        ("code", 2, "`"),
    ]
    assert list(found.nodes.infos.values()) == ["py"]
    assert found.nodes.kinds[second.row] == "list"


@given(markdown())
@example("a | b\n---|---\n\nc")
def test_tiles_are_whole_lines_and_all_of_the_text(text: str) -> None:
    tiles = parse(text).tiles()
    assert "".join(text[tile.start : tile.end] for tile in tiles) == text
    assert all(tile.start < tile.end for tile in tiles)
    assert all(tile.start <= int(text.startswith("\ufeff")) or text[tile.start - 1] in "\r\n" for tile in tiles)


@given(texts())
def test_tiles_are_all_of_any_text(text: str) -> None:
    assert "".join(text[tile.start : tile.end] for tile in parse(text).tiles()) == text


@given(markdown())
def test_agrees_with_markdown_it(text: str) -> None:
    assert_both_parsers_agree(text)


CORPORA = ("docs_markdown", "multilingual", "transcripts", "hostile")

KNOWN_DIFFERENCES = {
    # The first cell of the header is a no-break space. That is a cell on GitHub; markdown-it-py takes it off
    # with the white space, counts a cell less, and sees no table.
    "md-49f8f0ac334d7e",
    "md-d09fd73af50636",
}


def documents(corpus: str) -> list[tuple[str, str]]:
    """Ids and texts of the Markdown of a corpus; markdown-it-py takes minutes for the longest."""
    rows = pq.read_table(shared(f"corpora/{corpus}.parquet"), columns=["doc_id", "format", "text"]).to_pylist()
    markdown_rows = [row for row in rows if row["format"] == "markdown" and 0 < len(row["text"] or "") < 300_000]
    return [(row["doc_id"], row["text"]) for row in markdown_rows if row["doc_id"] not in KNOWN_DIFFERENCES]


@pytest.mark.parametrize("corpus", CORPORA)
def test_agrees_with_markdown_it_on_every_tenth_document(corpus: str) -> None:
    for _, text in documents(corpus)[::10]:
        assert_both_parsers_agree(text)


@pytest.mark.corpora
@pytest.mark.parametrize("corpus", CORPORA)
def test_agrees_with_markdown_it_on_every_document(corpus: str) -> None:
    for _, text in documents(corpus):
        assert_both_parsers_agree(text)


def test_a_cell_may_be_a_no_break_space() -> None:
    """The known difference: see `KNOWN_DIFFERENCES`."""
    text = " \u00a0 | Used for\n---|---\n q | expressions\n"
    assert kinds(text) == [("table", text)]
    assert other_blocks(text) == []


@pytest.mark.parametrize(
    "text",
    ["a | b\n" * 50_000, "a | b\n-|-|-\n" * 30_000, "| a\n" + "-|" * 300_000, "[a]: b\n\n" * 50_000, "> - " * 3_000],
    ids=lambda text: repr(text[:12]),
)
def test_long_runs_do_not_hang(text: str) -> None:
    assert "".join(text[tile.start : tile.end] for tile in parse(text).tiles()) == text
