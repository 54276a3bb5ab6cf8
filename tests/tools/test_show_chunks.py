"""What `make run` prints of its output."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tools.show_chunks import shown


def row(doc_id: str, start: int, text: str) -> dict[str, object]:
    return {
        "doc_id": doc_id,
        "start_char": start,
        "end_char": start + len(text),
        "token_count": 3,
        "section_path": ["Guide", "Setup"],
        "context": "Guide\n",
        "text": text,
    }


def test_chunk_in_the_middle_of_each_document(tmp_path: Path) -> None:
    rows = [row("c", 0, ""), row("b", 0, "one\n\n" + "more\n" * 7), row("a", 5, "second"), row("a", 0, "first")]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "part-0.parquet")
    assert list(shown(str(tmp_path), count=2)) == [
        "",
        "a[5:11]  3 tokens",
        "  section  Guide > Setup",
        "  context  Guide",
        "  text     second",
        "",
        "b[0:40]  3 tokens",
        "  section  Guide > Setup",
        "  context  Guide",
        "  text     one",
        *["           more"] * 5,
        "           ...",
    ]
