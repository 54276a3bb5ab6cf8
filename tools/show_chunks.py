"""Print a few rows of a folder of chunks.

python -m tools.show_chunks out/chunks/runs/.../chunks
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow.dataset as ds

COLUMNS = ["doc_id", "start_char", "end_char", "token_count", "section_path", "context", "text"]
MOST_LINES = 6


def shown(folder: str, count: int = 3) -> Iterator[str]:
    """The chunk in the middle of each of the first `count` documents."""
    table = ds.dataset(folder, format="parquet").to_table(COLUMNS)
    rows = table.sort_by([("doc_id", "ascending"), ("start_char", "ascending")]).to_pylist()
    documents = [list(found) for _, found in groupby(rows, key=itemgetter("doc_id"))]
    for chunks in documents[:count]:
        yield from _chunk(chunks[len(chunks) // 2])


def _chunk(row: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield f"{row['doc_id']}[{row['start_char']}:{row['end_char']}]  {row['token_count']} tokens"
    yield from _lines("  section  ", " > ".join(row["section_path"]))
    yield from _lines("  context  ", row["context"])
    yield from _lines("  text     ", row["text"])


def _lines(label: str, text: str) -> Iterator[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    cut = [*lines[:MOST_LINES], "..."] if len(lines) > MOST_LINES else lines
    for n, line in enumerate(cut):
        yield f"{label if n == 0 else ' ' * len(label)}{line}"


if __name__ == "__main__":
    print("\n".join(shown(sys.argv[1])))
