"""The libraries in a virtual environment of their own, and the processes that run them."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.rivals.pieces import DISTRIBUTIONS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv-rivals"
PYTHON = FOLDER / "bin" / "python"
_READY = FOLDER / "ready"
_VOCABULARY = FOLDER / "vocabulary"
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"

# Each library on one thread, and none asks a network for anything.
_SETTINGS = {
    "TIKTOKEN_CACHE_DIR": str(_VOCABULARY),
    "HF_HUB_OFFLINE": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_NUM_THREADS": "1",
}


def install() -> None:
    """Make the environment, unless it is there: the newest of each library that the package index has."""
    if _READY.exists():
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(FOLDER)], check=True)
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "tiktoken", *DISTRIBUTIONS.values()]
    subprocess.run(command, check=True)
    # Where tiktoken looks for a vocabulary before it asks for one.
    _VOCABULARY.mkdir()
    packed = ROOT / "chunkers" / "tokenizers" / "vocabularies" / "cl100k_base.tiktoken.gz"
    name = hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
    (_VOCABULARY / name).write_bytes(gzip.decompress(packed.read_bytes()))
    _READY.touch()


class Worker:
    """A process with one library in it."""

    def __init__(self, library: str) -> None:
        self.library = library
        self._process: subprocess.Popen[str] | None = None

    def ask(self, do: str, seconds: int = 60, **request: Any) -> dict[str, Any] | None:
        """The answer to a request; None when it takes more than its processor seconds."""
        process = self._process or self._start()
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps({"do": do, "seconds": seconds, **request}) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        code = process.wait()
        self._process = None
        if code != -_OUT_OF_TIME:
            raise SystemExit(f"the process of {self.library} ended with {code}: {do} {request}")
        return None

    def stop(self) -> None:
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait()

    def _start(self) -> subprocess.Popen[str]:
        python = sys.executable if self.library == "chunkmill" else str(PYTHON)
        self._process = subprocess.Popen(
            [python, "-m", "benchmarks.rivals.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env={**os.environ, **_SETTINGS, "PYTHONPATH": str(ROOT)},
        )
        return self._process


_OUT_OF_TIME = 24
"""SIGXCPU."""
