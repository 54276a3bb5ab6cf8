"""The pages that `make run` chunks."""

from __future__ import annotations

from pathlib import Path

from tools.pack_pages import SCHEMA, pages


def page(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def test_one_row_a_page_ordered_by_path(tmp_path: Path) -> None:
    page(tmp_path, "docs/more/b.md", "no heading\r\n")
    page(tmp_path, "README.md", "intro\n\n# The title\n")
    page(tmp_path, "docs/a.md", "## First\n")
    page(tmp_path, "docs/a.txt", "not a page")
    table = pages(tmp_path)
    assert table.schema == SCHEMA
    assert table.to_pylist() == [
        {
            "doc_id": "README.md",
            "source": "readme",
            "title": "The title",
            "format": "markdown",
            "text": "intro\n\n# The title\n",
        },
        {"doc_id": "docs/a.md", "source": "docs", "title": "First", "format": "markdown", "text": "## First\n"},
        {
            "doc_id": "docs/more/b.md",
            "source": "docs",
            "title": "docs/more/b.md",
            "format": "markdown",
            "text": "no heading\r\n",
        },
    ]


def test_pages_of_this_repository() -> None:
    table = pages(Path(__file__).resolve().parents[2])
    assert table["title"][0].as_py() == "chunkmill"
    assert table.num_rows > 1
