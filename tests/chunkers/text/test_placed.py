"""Headings above a chunk as its context, for any algorithm."""

from __future__ import annotations

from typing import Any

import pytest

import chunkers
from chunkers.text.placed import Outline, PlacedContext, context_at
from tests.promises.equations import fresh_count

TEXT = """\
Before.

# Mill

It grinds wheat all day.

## Wheel

The wheel turns. It is made of oak.

# River

It runs."""


def chunks(definition: dict[str, Any], *context: str) -> list[tuple[str, str, tuple[str, ...]]]:
    found = chunkers.create_algorithm(definition).chunk(TEXT, context, headings=True)
    return [(chunk.context, chunk.text.strip(), chunk.section_path) for chunk in found]


def test_each_chunk_has_the_headings_above_that_it_does_not_show() -> None:
    assert chunks({"delimiter": {}}, "T") == [
        ("T\n", "Before.", ()),
        ("T\n", "# Mill", ("Mill",)),
        ("T\n# Mill\n", "It grinds wheat all day.", ("Mill",)),
        ("T\n# Mill\n", "## Wheel", ("Mill", "Wheel")),
        ("T\n# Mill\n## Wheel\n", "The wheel turns. It is made of oak.", ("Mill", "Wheel")),
        ("T\n", "# River", ("River",)),
        ("T\n# River\n", "It runs.", ("River",)),
    ]


def test_headings_count_in_the_limit() -> None:
    found = chunkers.create("recursive", token_limit=14).chunk(TEXT, headings=True)
    assert "# Mill\n## Wheel\n" in {chunk.context for chunk in found}
    assert all(
        fresh_count("cl100k_base", chunk.index_text) == chunk.token_count <= 14 for chunk in found if chunk.token_count
    )
    assert "".join(chunk.text for chunk in found) == TEXT


def test_children_have_the_headings_of_their_own_place() -> None:
    definition = {"parent_child": {"parent": {"recursive": {}}, "child": {"delimiter": {}}}}
    assert ("# Mill\n## Wheel\n", "The wheel turns. It is made of oak.", ("Mill", "Wheel")) in chunks(definition)


@pytest.mark.parametrize("name", ["markdown", "structure"])
def test_an_algorithm_with_headings_of_its_own_keeps_them(name: str) -> None:
    algorithm = chunkers.create(name)
    assert algorithm.chunk(TEXT, headings=True) == algorithm.chunk(TEXT)


def test_an_outline_knows_the_heading_of_a_place() -> None:
    outline = Outline.of(TEXT)
    assert [outline.paths[row] for row in range(3)] == [("Mill",), ("Mill", "Wheel"), ("River",)]
    placed = PlacedContext(("T\n",), outline)
    assert tuple(placed) == ("T\n",)
    assert context_at(placed, 0) == ("T\n",)
    assert context_at(placed, TEXT.index("turns")) == ("T\n", "# Mill\n", "## Wheel\n")
    assert context_at(placed.behind(TEXT.index("turns")), 0) == ("T\n", "# Mill\n", "## Wheel\n")
