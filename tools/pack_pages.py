"""Pack the repository's own pages, README.md and docs/**/*.md, into one Parquet file.

python -m tools.pack_pages out/pages.parquet
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = pa.schema([(name, pa.string()) for name in ("doc_id", "source", "title", "format", "text")])


def pages(root: Path) -> pa.Table:
    """One row a page, ordered by path: the same table for the same pages."""
    paths = sorted([root / "README.md", *(root / "docs").rglob("*.md")])
    return pa.Table.from_pylist([_page(path, root) for path in paths], SCHEMA)


def _page(path: Path, root: Path) -> dict[str, str]:
    text = path.read_bytes().decode("utf-8")
    name = path.relative_to(root).as_posix()
    source = "docs" if name.startswith("docs/") else "readme"
    return {"doc_id": name, "source": source, "title": _title(text, name), "format": "markdown", "text": text}


def _title(text: str, name: str) -> str:
    """The first heading, or the page's path when it has none."""
    return next((line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")), name)


def main(target: str) -> None:
    table = pages(ROOT)
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, target)
    print(f"packed {table.num_rows} pages into {target}")


if __name__ == "__main__":
    main(sys.argv[1])
