"""Sentences: how fast, and how often right on the cases of the tests, beside other libraries.

`pip install sentencex tors`, then `python -m benchmarks.sentences`. The others are judged by where
sentences start only: white space that they put elsewhere, or leave out, is no mistake here.
"""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable
from types import ModuleType

import pyarrow.parquet as pq

from benchmarks.corpora import CORPORA, megabytes
from benchmarks.timing import in_turn, table
from chunkers.text.sentences import sentence_starts
from tests.chunkers.text.sentences.cases import LANGUAGES, cases, parted

ROUNDS = 3
LARGEST = 3_000_000
SPEEDS = {
    "books": ("en", "de", "he"),
    "transcripts": ("en",),
    "docs_markdown": ("en",),
    "multilingual": ("he", "ar", "hi", "zh", "ja", "th", "ru", "fr"),
}

Segmenter = Callable[[str, str | None], set[int]]


def main() -> None:
    segmenters: dict[str, Segmenter] = {
        "chunkmill": lambda text, language: set(sentence_starts(text, language).tolist()),
        "chunkmill, by script": lambda text, language: set(sentence_starts(text, None).tolist()),
        "sentencex": _sentencex(_rival("sentencex")),
        "tors": _tors(_rival("tors")),
    }
    head = ["language", "cases", "starts", *(f"{name}: right, found + false" for name in segmenters)]
    print(table(head, [_row(language, segmenters) for language in LANGUAGES]))
    print()
    head = ["texts", "MB", *(f"{name}, MB/s" for name in segmenters)]
    pairs = [(corpus, language) for corpus, languages in SPEEDS.items() for language in languages]
    print(table(head, [_speed(*pair, segmenters) for pair in pairs]))


def _row(language: str, segmenters: dict[str, Segmenter]) -> list[object]:
    expected = [parted(case) for case in cases(language)]
    row: list[object] = [language, len(expected), sum(len(starts) - 1 for _, starts in expected)]
    for segmenter in segmenters.values():
        pairs = [(segmenter(text, language) | {0}, set(starts)) for text, starts in expected]
        right = sum(got == wanted for got, wanted in pairs)
        found = sum(len(got & wanted) - 1 for got, wanted in pairs)
        row.append(f"{right}, {found} + {sum(len(got - wanted) for got, wanted in pairs)}")
    return row


def _speed(corpus: str, language: str, segmenters: dict[str, Segmenter]) -> list[object]:
    texts = _texts(corpus, language)
    runs = {name: lambda each=each: [each(text, language) for text in texts] for name, each in segmenters.items()}
    seconds = in_turn(runs, ROUNDS)
    size = megabytes(texts)
    return [
        f"{corpus}, {language}",
        f"{size:.1f}",
        *(f"{size / statistics.median(seconds[name]):.1f}" for name in runs),
    ]


def _texts(corpus: str, language: str) -> list[str]:
    rows = pq.read_table(CORPORA / f"{corpus}.parquet", columns=["lang", "text"]).to_pylist()
    texts: list[str] = []
    size = 0
    for row in rows:
        if row["lang"] == language and row["text"] and size < LARGEST:
            texts.append(row["text"][:LARGEST])
            size += len(texts[-1])
    return texts


def _rival(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise SystemExit(f"{name} is not installed: pip install sentencex tors") from None


def _sentencex(rival: ModuleType) -> Segmenter:
    return lambda text, language: (
        {_without_space(text, found["start_index"]) for found in rival.get_sentence_boundaries(language, text)}
        - {len(text)}
    )


def _tors(rival: ModuleType) -> Segmenter:
    return lambda text, language: (
        {_without_space(text, start) for start, _ in rival.sentence_bounds(text)} - {len(text)}
    )


def _without_space(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


if __name__ == "__main__":
    main()
