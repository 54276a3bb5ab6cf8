"""`chunkmill simulate` as a whole process: what somebody waits for at the command line."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timing import table

RUNS = 7
PIPELINE = {
    "processors": [
        {"text_chunking": {"algorithm": {"fixed_token_length": {"token_limit": 10}}, "field_map": {"body": "passages"}}}
    ]
}
DOCUMENTS = [{"_index": "mills", "_id": "1", "_source": {"body": "The mill grinds grain when the wind is up. " * 50}}]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = {"pipeline.json": PIPELINE, "documents.json": DOCUMENTS}
        for name, content in files.items():
            Path(folder, name).write_text(json.dumps(content))
        command = [sys.executable, "-m", "jobs.cli", "simulate", *(str(Path(folder, name)) for name in files)]
        seconds = [_wall(command) for _ in range(RUNS)]
    rows = [["`chunkmill simulate`", f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}"]]
    print(table(["command", "median wall s", "slowest of 7"], rows))


def _wall(command: list[str]) -> float:
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start
