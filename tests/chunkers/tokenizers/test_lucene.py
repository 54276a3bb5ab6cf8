"""The real Lucene on fresh random texts: the same tokens.

Runs where the environment variable CHUNKMILL_LUCENE_JAR names a jar with Lucene 9.9.1 (and Java is
on the path); ../shared/field/lucene_oracle/README.md says where to get one.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.words import WORD_TOKENIZERS
from tests.chunkers.tokenizers.hurting_texts import hurting
from tests.shared_data import shared

NAMES = sorted(set(WORD_TOKENIZERS) - {"lowercase"})


@pytest.fixture(scope="module")
def jar() -> Path:
    place = os.environ.get("CHUNKMILL_LUCENE_JAR")
    if not place or not shutil.which("java"):
        pytest.skip("no Lucene: set CHUNKMILL_LUCENE_JAR to a jar with Lucene 9.9.1, and have java on the path")
    return Path(place)


def lucene(jar: Path, texts: list[str]) -> list[dict[str, list[tuple[int, int]]]]:
    oracle = shared("field/lucene_oracle/TokenOracle.java")
    lines = "".join(base64.b64encode(text.encode()).decode() + "\n" for text in texts)
    command = ["java", "-cp", str(jar), str(oracle), *NAMES]
    answers = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    return [
        {name: [(token[2], token[3]) for token in found] for name, found in json.loads(answer).items()}
        for answer in answers
    ]


def assert_same(jar: Path, texts: list[str]) -> None:
    for text, expected in zip(texts, lucene(jar, texts), strict=True):
        for name in NAMES:
            starts, ends = create_tokenizer(name).spans(text)
            assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == expected[name], (name, text)


@settings(max_examples=5, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(texts=st.lists(hurting, min_size=500, max_size=500))
def test_random_texts(jar: Path, texts: list[str]) -> None:
    assert_same(jar, texts)


def test_every_code_point(jar: Path) -> None:
    """Each alone, and between letters, in texts of a thousand."""
    points = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    blocks = [points[n : n + 1000] for n in range(0, len(points), 1000)]
    assert_same(jar, [form for block in blocks for form in (" ".join(block), " ".join(f"a{c}1" for c in block))])
