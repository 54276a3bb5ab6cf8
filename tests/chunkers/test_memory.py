"""A process whose memory is limited: what does not fit fails by itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads what is taken from /proc")

SCRIPT = """
import json, resource
import chunkers
from chunkers.memory import _taken, reserve_no_memory

algorithm = chunkers.create({name!r}, **{parameters!r})
texts = ["one x two", "ax" * {pairs}, "three"]
algorithm.chunk_batch(texts[:1])
limit = _taken() + {spare} * 1_000_000
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
reserve_no_memory()
print(json.dumps([rows[0]["error"] for rows in algorithm.chunk_batch(texts).to_pylist()]))
"""


def _errors(name: str, parameters: dict[str, str], pairs: int, spare: int) -> list[str | None]:
    script = SCRIPT.format(name=name, parameters=parameters, pairs=pairs, spare=spare)
    done = subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE, text=True)
    found: list[str | None] = json.loads(done.stdout)
    return found


def test_a_document_that_takes_more_than_there_is() -> None:
    found = _errors("delimiter", {"delimiter": "x"}, 5_000_000, 250)
    assert (found[0], found[2]) == (None, None)
    assert found[1] is not None
    assert found[1].startswith("out_of_memory: 10,000,000 characters take more memory than a worker may have: give ")


def test_near_the_limit_nothing_is_asked_of_native_libraries() -> None:
    """They would end the process."""
    found = _errors("fixed_token_length", {"tokenizer": "cl100k_base"}, 10, 50)
    assert [str(error).partition(":")[0] for error in found] == ["out_of_memory"] * 3
