from __future__ import annotations

from jobs.manifest import ChunkCounts, DocumentCounts, Files, Manifest, Sizes
from jobs.summary import summary_text

MANIFEST = Manifest(
    run_id="20260131T100000Z-abc123",
    status="published",
    started_at="2026-01-31T10:00:00+00:00",
    finished_at="2026-01-31T10:00:20+00:00",
    seconds=20.0,
    config={},
    fingerprint="f",
    versions={},
    input={},
    documents=DocumentCounts(1200, 1190, 4, 6, {"null_text": 5, "too_large": 1}, 3, 9000, 450000),
    chunks=ChunkCounts(9000, 2, 0, Sizes(1, 50, 64, 70), Sizes(4, 200, 300, 999)),
    changes={"added": 12, "changed": 0, "moved": 3, "removed": 0},
    previous_run_id="before",
    files={"chunks": Files(4, 12_345_678)},
)


def test_summary_of_a_run() -> None:
    assert summary_text(MANIFEST, "out/chunks") == (
        "Run 20260131T100000Z-abc123 is published.\n"
        "\n"
        "  documents  1,200: 1,190 chunked, 4 empty, 6 failed\n"
        "  failed     5 null_text, 1 too_large\n"
        "  repaired   3 were not valid UTF-8\n"
        "  chunks     9,000 (2 over the limit)\n"
        "  tokens     450,000, a chunk has 1 to 70, half have at most 50, 95% at most 64\n"
        "  characters a chunk has 4 to 999, half have at most 200, 95% at most 300\n"
        "  changes    12 added, 3 moved against before\n"
        "  files      4 of chunks, 12.3 MB\n"
        "  time       20.0 s, 60 documents/s\n"
        "\n"
        "  chunks are at  out/chunks\n"
        '  read them with spark.read.parquet("out/chunks")'
    )


def test_the_manifest_puts_counts_and_sizes_together() -> None:
    values = MANIFEST.as_dict()
    assert values["counts"]["failed_by_reason"] == {"null_text": 5, "too_large": 1}
    assert (values["counts"]["chunks"], values["counts"]["over_limit"]) == (9000, 2)
    assert values["sizes"]["tokens"] == {"min": 1, "p50": 50, "p95": 64, "max": 70}
    assert values["files"]["chunks"] == {"files": 4, "bytes": 12_345_678}
