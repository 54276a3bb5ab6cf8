"""The real Lucene on fresh random texts: the same tokens.

Runs where the environment variable CHUNKMILL_LUCENE_JAR names a jar with Lucene 9.9.1 (and Java is
on the path); ../shared/field/lucene_oracle/README.md says where to get one.
"""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import string
import subprocess
from pathlib import Path

import pytest

from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.words import WORD_TOKENIZERS
from tests.chunkers.tokenizers.hurting_texts import ADDRESS_PIECES, OF_CLASSES, TIMES
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


def random_text(source: random.Random) -> str:
    """A few pieces, each several times, now and then one many times."""
    kinds = (OF_CLASSES, ADDRESS_PIECES, string.printable)
    pieces = [source.choice(source.choice(kinds)) for _ in range(source.choice((2, 3, 6, 12)))]
    if source.random() < 0.05:
        pieces.append(pieces[0] * source.choice(TIMES))
    return "".join(source.choices(pieces, k=source.randrange(source.choice((4, 8, 30)))))


def test_random_texts(jar: Path) -> None:
    source = random.Random()
    assert_same(jar, [random_text(source) for _ in range(20_000)])


def test_every_code_point(jar: Path) -> None:
    """Each of the planes in use, alone and between a letter and a digit."""
    planes = (range(0xD800), range(0xE000, 0x40000), range(0xE0000, 0xF0000))
    words = [f"{chr(point)} a{chr(point)}1" for plane in planes for point in plane]
    assert_same(jar, [" ".join(words[n : n + 1000]) for n in range(0, len(words), 1000)])
