"""Texts that break others: no spaces, one letter, one grapheme cluster, and documents of 20 MB."""

from __future__ import annotations

import random
import time
from typing import Any

import chunkers
from benchmarks.corpora import megabytes, texts
from benchmarks.timing import in_turn, ratio, table

TOKENS: dict[str, Any] = {"token_limit": 512, "overlap_rate": 0.125, "tokenizer": "cl100k_base"}
ALGORITHMS: dict[str, dict[str, Any]] = {
    "fixed_token_length": TOKENS,
    "fixed_char_length": {"char_limit": 2048, "overlap_rate": 0.125},
    "delimiter": {},
    "markdown": {},
    "recursive": {"token_limit": 512, "overlap_rate": 0.125},
    "sentence": {},
    "structure": {},
    "parent_child": {},
}


def hostile() -> dict[str, str]:
    """One million code points each."""
    letters = random.Random(1)
    line = "".join(letters.choices("abcdefghijklmnopqrstuvwxyz0123456789+/", k=1_000_000))
    return {
        "a line without spaces": line,
        "one letter": "a" * 1_000_000,
        "lines of blanks": "a" + " \n" * 499_999 + "b",
        "spaces": "a" + " " * 999_998 + "b",
        "Han without spaces": "\u4f60\u597d\u4e16\u754c" * 250_000,
        "one letter with marks": "e" + "\u0301" * 999_999,
        "a table of two wide rows": "|" + " a |" * 125_000 + "\n|" + "-|" * 125_000 + "\n|" + " b" * 125_000,
        "lists in lists on one line": "- " * 500_000 + "x",
        "families of emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 142_858,
    }


def main() -> None:
    made = {name: chunkers.create(name, **parameters) for name, parameters in ALGORITHMS.items()}
    for algorithm in made.values():
        algorithm.chunk("warm")
    rows: list[list[object]] = []
    for title, text in hostile().items():
        seconds = [f"{_seconds(algorithm, text):.2f}" for algorithm in made.values()]
        rows.append([title, *seconds])
    print(table(["1,000,000 characters of", *(f"`{name}` s" for name in made)], rows))
    print()
    small = texts("docs_markdown")
    big = ["".join(small)[:20_000_000]]
    head = ["algorithm", "speed per byte of one 20 MB document against small ones"]
    print(table(head, [[f"`{name}`", f"{_speed(algorithm, big, small):.2f}"] for name, algorithm in made.items()]))


def _seconds(algorithm: chunkers.Algorithm, text: str) -> float:
    start = time.process_time()
    algorithm.chunk_batch([text])
    return time.process_time() - start


def _speed(algorithm: chunkers.Algorithm, big: list[str], small: list[str]) -> float:
    seconds = in_turn({"big": lambda: algorithm.chunk_batch(big), "small": lambda: algorithm.chunk_batch(small)}, 4)
    return ratio(seconds["small"][1:], seconds["big"][1:]) * megabytes(big) / megabytes(small)
