"""Sentences of real documents, in all the languages and formats of the corpora."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

from chunkers.text.sentences import check_language, sentence_starts
from tests.chunkers.text.sentences.test_sentences import hold
from tests.shared_data import shared

CORPORA = ("books", "docs_markdown", "docs_rst", "hostile", "html", "multilingual", "transcripts")
TEXTS_OF_A_SAMPLE = 12
LONGEST_OF_A_SAMPLE = 200_000


def corpus(name: str) -> list[tuple[str | None, str]]:
    """Languages and texts of one corpus; a code that is none is left out."""
    table = pq.read_table(shared(f"corpora/{name}.parquet"), columns=["lang", "text"])
    rows = zip(table["lang"].to_pylist(), table["text"].to_pylist(), strict=True)
    return [(code if code and not check_language(code) else None, text) for code, text in rows if text]


@pytest.mark.parametrize("name", CORPORA)
def test_sample(name: str) -> None:
    documents = [(code, text) for code, text in corpus(name) if len(text) <= LONGEST_OF_A_SAMPLE]
    for code, text in documents[:: 1 if name == "hostile" else max(1, len(documents) // TEXTS_OF_A_SAMPLE)]:
        hold(text, code)


@pytest.mark.corpora
@pytest.mark.parametrize("name", CORPORA)
def test_whole(name: str) -> None:
    for code, text in corpus(name):
        hold(text, code)
        hold(text)


@pytest.mark.corpora
def test_sentences_of_real_prose_are_of_a_length_that_people_write() -> None:
    """Neither cut to pieces nor left whole: the mean is 40 to 200 characters in every language."""
    lengths: dict[str, list[int]] = {}
    for name in ("books", "multilingual", "transcripts"):
        for code, text in corpus(name):
            lengths.setdefault(code or "", []).extend((len(text), len(sentence_starts(text, code))))
    means = {code: sum(found[::2]) / sum(found[1::2]) for code, found in lengths.items()}
    assert {code: round(mean) for code, mean in means.items() if not 40 <= mean <= 200} == {}
