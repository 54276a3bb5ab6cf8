"""One library in a process of its own: `python -m benchmarks.rivals.worker`.

Each line of standard input is a request, each line of standard output its answer, both JSON:
`{"do": "pieces", ...}` gives the pieces of one text, `{"do": "time", ...}` the processor seconds that
a file of texts takes. A request that takes more than its processor seconds ends the process.
"""

from __future__ import annotations

import dataclasses
import functools
import gc
import importlib.metadata
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.rivals.inputs import inputs
from benchmarks.rivals.libraries import Split, batches, splitter


def main() -> None:
    answers = sys.stdout
    # What a library prints is no answer.
    sys.stdout = sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        _allow(request.pop("seconds"))
        answer = _DO[request.pop("do")](**request)
        print(json.dumps(answer), file=answers, flush=True)


def _allow(seconds: int) -> None:
    """Let this process run for so many more processor seconds."""
    used = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + seconds + 1, resource.RLIM_INFINITY))


@functools.cache
def _splitter(library: str, name: str, limit: int, overlap: int) -> Split:
    return splitter(library, name, limit, overlap)


def _pieces(library: str, name: str, limit: int, overlap: int, text: str) -> dict[str, Any]:
    """The pieces of one of the inputs, or what was raised instead."""
    (given,) = [given for given in inputs() if given.name == text]
    split = _splitter(library, name, limit, overlap)
    try:
        return {"pieces": [dataclasses.asdict(piece) for piece in split(given.text)]}
    except Exception as error:
        first = str(error).strip().partition("\n")[0]
        return {"error": f"{type(error).__name__}: {first}"}


def _time(library: str, name: str, limit: int, overlap: int, texts: str) -> dict[str, Any]:
    """Processor seconds for all texts of a file, once: some libraries remember what they have seen."""
    given: list[str] = json.loads(Path(texts).read_text(encoding="utf-8"))
    work: Callable[[list[str]], None] = (
        batches(name, limit, overlap)
        if library == "chunkmill"
        else functools.partial(_each, _splitter(library, name, limit, overlap))
    )
    work(["Warm."])
    gc.collect()
    start = time.process_time()
    work(given)
    return {"seconds": time.process_time() - start}


def _each(split: Split, texts: list[str]) -> None:
    for text in texts:
        split(text)


def _version(distribution: str) -> dict[str, Any]:
    return {"version": importlib.metadata.version(distribution)}


_DO: dict[str, Callable[..., dict[str, Any]]] = {"pieces": _pieces, "time": _time, "version": _version}

if __name__ == "__main__":
    main()
