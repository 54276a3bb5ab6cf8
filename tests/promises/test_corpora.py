"""Every registered algorithm keeps every promise on real documents and on hostile ones."""

from __future__ import annotations

from typing import Any

import pyarrow.parquet as pq
import pytest

import chunkers
from chunkers.text.context import as_parts
from tests.promises.equations import check
from tests.promises.variants import CASCADES, asked, sample
from tests.shared_data import shared

CORPORA = ("books", "docs_markdown", "docs_rst", "hostile", "html", "multilingual", "transcripts")
DEFINITIONS = [*({name: sample(name)} for name in chunkers.names()), CASCADES[1]]
TEXTS_OF_A_SAMPLE = 12
LONGEST_OF_A_SAMPLE = 200_000


def corpus(name: str) -> list[tuple[str | None, str | None]]:
    """Titles and texts of one corpus."""
    table = pq.read_table(shared(f"corpora/{name}.parquet"), columns=["title", "text"])
    return list(zip(table["title"].to_pylist(), table["text"].to_pylist(), strict=True))


def run(definition: Any, documents: list[tuple[str | None, str | None]]) -> None:
    algorithm, expected = chunkers.create_algorithm(definition), asked(definition)
    for title, text in documents:
        if text is not None:
            context = as_parts([title])
            check(text, context, algorithm.chunk(text, context), expected)


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize("definition", DEFINITIONS, ids=str)
def test_sample(definition: Any, name: str) -> None:
    documents = [(title, text) for title, text in corpus(name) if text is None or len(text) <= LONGEST_OF_A_SAMPLE]
    step = 1 if name == "hostile" else max(1, len(documents) // TEXTS_OF_A_SAMPLE)
    run(definition, documents[::step])


@pytest.mark.corpora
@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize("definition", DEFINITIONS, ids=str)
def test_whole(definition: Any, name: str) -> None:
    run(definition, corpus(name))
