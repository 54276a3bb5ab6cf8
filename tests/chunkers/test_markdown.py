"""`markdown`: the heading tree of the RFC, what goes in front, and the equations."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers
from chunkers import Chunk
from chunkers.errors import ConfigurationError
from chunkers.text import graphemes
from chunkers.text.context import once, unsaid
from chunkers.text.front_matter import front_matter_span
from tests.markdown_documents import Found, comparable, markdown
from tests.markdown_documents import headings as other_headings
from tests.promises.equations import check
from tests.promises.variants import asked

HANDBOOK = """\
# Harbour handbook
For those who work here.
## Boats
All kinds.
### Ferries
They run hourly.
### Tugs
They pull.
## Tides
Twice a day.
### Spring
The high ones.
### Neap
The low ones.
"""
ROOT = "# Harbour handbook\nFor those who work here.\n"
BOATS = "## Boats\nAll kinds.\n"
FERRIES = "### Ferries\nThey run hourly.\n"
TUGS = "### Tugs\nThey pull.\n"
TIDES = "## Tides\nTwice a day.\n"
SPRING = "### Spring\nThe high ones.\n"
NEAP = "### Neap\nThe low ones.\n"


def cut(text: str, max_depth: int = 3, context: tuple[str, ...] = (), **parameters: object) -> list[Chunk]:
    return chunkers.create("markdown", max_depth=max_depth, **parameters).chunk(text, context)


def paths(text: str, max_depth: int = 3) -> list[tuple[str, ...]]:
    return [chunk.section_path for chunk in cut(text, max_depth)]


def pairs(chunks: list[Chunk]) -> list[tuple[str, str]]:
    return [(chunk.context, chunk.text) for chunk in chunks]


def test_depth_1_is_the_first_example_of_the_rfc() -> None:
    assert pairs(cut(HANDBOOK, 1)) == [("", HANDBOOK)]


def test_depth_2_is_the_second_example_of_the_rfc() -> None:
    chunks = cut(HANDBOOK, 2)
    assert [chunk.index_text for chunk in chunks] == [ROOT + BOATS + FERRIES + TUGS, ROOT + TIDES + SPRING + NEAP]
    assert pairs(chunks) == [("", ROOT + BOATS + FERRIES + TUGS), (ROOT, TIDES + SPRING + NEAP)]


def test_depth_3_is_the_third_example_of_the_rfc_with_its_heading_marks() -> None:
    assert pairs(cut(HANDBOOK)) == [
        ("", ROOT + BOATS + FERRIES),
        (ROOT + BOATS, TUGS),
        (ROOT, TIDES + SPRING),
        (ROOT + TIDES, NEAP),
    ]
    assert paths(HANDBOOK) == [
        ("Harbour handbook", "Boats", "Ferries"),
        ("Harbour handbook", "Boats", "Tugs"),
        ("Harbour handbook", "Tides", "Spring"),
        ("Harbour handbook", "Tides", "Neap"),
    ]


def test_default_depth_is_3() -> None:
    assert chunkers.create("markdown") == chunkers.create("markdown", max_depth=3)


def test_depth_is_at_least_1() -> None:
    with pytest.raises(ConfigurationError, match="max_depth"):
        chunkers.create("markdown", max_depth=0)


def test_skipped_levels_do_not_count() -> None:
    text = "## A\n\n##### B\n\n###### C\n\n#### D\n\n# E\n"
    assert paths(text, 2) == [("A", "B"), ("A", "D"), ("E",)]


def test_leaves_above_max_depth_are_chunks() -> None:
    assert paths("# A\n## B\n### C\n## D\n# E/F\n", 6) == [("A", "B", "C"), ("A", "D"), ("E/F",)]


def test_each_top_heading_is_a_root() -> None:
    assert pairs(cut("# One\n1\n\n# Two\n2\n")) == [("", "# One\n1\n\n"), ("", "# Two\n2\n")]


def test_text_before_the_first_heading_is_said_once() -> None:
    text = "\ufeff---\ntitle: Demo\n# note: kept short\n---\n\nIntro.\n\n# A\n## B\n## C\n"
    start = text.index("## C")
    assert pairs(cut(text)) == [("", text[:start]), ("# A\n", "## C\n")]
    assert paths(text) == [("A", "B"), ("A", "C")]


def test_text_without_headings_is_one_chunk() -> None:
    text = "```sh\n# install first\n```\n\n> # quoted\n"
    (chunk,) = cut(text)
    assert (chunk.text, chunk.context, chunk.section_path) == (text, "", ())
    assert cut(text, context=("Guide\n",))[0].context == "Guide\n"


def test_blank_text_gives_no_chunk() -> None:
    assert cut(" \n\t\r\n") == []


def test_empty_headings_are_nodes() -> None:
    assert paths("#\n## A\n## \n") == [("", "A"), ("", "")]


def test_code_stays_whole_in_its_section() -> None:
    text = "# Setup\n\n~~~~sh\n# first\n~~~\n## then\n~~~~\n\n## Use\n\n```make\nall:\n\tcc -o x\n```\n"
    chunks = cut(text, 1)
    assert pairs(chunks) == [("", text)]
    assert paths(text) == [("Setup", "Use")]


def test_ancestors_are_parts_of_their_own_without_blank_edges() -> None:
    text = "\n  # A\r\n\r\n a1\r\n\r\n a2 \r\n\r\n\r\n  B\r\n---\r\n### C\r\n### D\r\n"
    assert cut(text)[1].context == "# A\r\n\r\n a1\r\n\r\n a2\nB\r\n---\n"


def test_context_that_came_in_goes_first() -> None:
    chunks = cut("# A\n## B\n## C\n", context=("Guide\n", "Part\n"))
    assert [chunk.context for chunk in chunks] == ["Guide\nPart\n", "Guide\nPart\n# A\n"]


def test_context_that_the_text_says_is_left_out() -> None:
    chunks = cut("# Guide\n## B\n## C\nsee `# Guide`\n## D\n", context=("Guide\n",))
    assert [chunk.context for chunk in chunks] == ["", "", "# Guide\n"]


def test_merged_tail_says_its_own_headings() -> None:
    chunks = cut("# A\n## B\n## C\n# D\n## E\n", context=("D\n",), max_chunk_limit=2)
    assert pairs(chunks) == [("D\n", "# A\n## B\n"), ("# A\n", "## C\n# D\n## E\n")]


def test_trim_leaves_out_blank_edges() -> None:
    chunks = cut("\n# A\n\ntext\n\n# B\n\n", trim=True)
    assert [(chunk.start, chunk.text) for chunk in chunks] == [(1, "# A\n\ntext"), (12, "# B")]


def test_later_stages_carry_sections_on() -> None:
    cascade = chunkers.create_cascade([("markdown", {"max_depth": 2}), ("delimiter", {"delimiter": "\n\n"})])
    chunks = cascade.chunk("# A\n## B\n\nb\n## C\n\nc\n\nd\n")
    assert [(chunk.text, chunk.context, chunk.section_path) for chunk in chunks] == [
        ("# A\n## B\n\n", "", ("A", "B")),
        ("b\n", "# A\n## B\n", ("A", "B")),
        ("## C\n\n", "# A\n", ("A", "C")),
        ("c\n\n", "# A\n## C\n", ("A", "C")),
        ("d\n", "# A\n## C\n", ("A", "C")),
    ]


def test_earlier_stages_may_leave_pieces_with_and_without_context() -> None:
    cascade = chunkers.create_cascade([("delimiter", {"delimiter": "%"}), ("markdown", {})])
    chunks = cascade.chunk("plain%# A\n## B\n## C\n%plain", ("Guide\n",))
    assert [chunk.context for chunk in chunks] == ["Guide\n", "Guide\n", "Guide\n# A\n", "Guide\n"]


def test_many_sections() -> None:
    chunks = cut("# A\n" + "## B\n" * 10_000, 2)
    assert len(chunks) == 10_000
    assert {chunk.context for chunk in chunks[1:]} == {"# A\n"}


class Expected(NamedTuple):
    start: int
    path: tuple[str, ...]
    ancestors: tuple[str, ...]


def expected(text: str, max_depth: int) -> list[Expected]:
    """The chunks by the rules as they are worded, from the headings that the second parser finds."""
    front_matter = front_matter_span(text)
    found = other_headings(text, front_matter[1] if front_matter else int(text.startswith("\ufeff")))
    lines = [ancestors(found, n) for n in range(len(found))]
    leaves = [n for n in range(len(found)) if is_leaf(lines, n, max_depth)]
    chunks = []
    for leaf in leaves:
        line = [*lines[leaf], leaf]
        first = [node for node in line if next(n for n in leaves if node in (*lines[n], n)) == leaf]
        parts = [own_text(text, found, node) for node in line if node not in first]
        start = found[first[0]][1] if chunks else 0
        chunks.append(Expected(start, tuple(found[node][2] for node in line), tuple(parts)))
    return chunks or [Expected(0, (), ())]


def ancestors(found: list[Found], node: int) -> list[int]:
    """Headings above a heading, from the root down: each the nearest before that has a lower level."""
    above: list[int] = []
    level = found[node][0]
    for n in range(node - 1, -1, -1):
        if found[n][0] < level:
            above.insert(0, n)
            level = found[n][0]
    return above


def is_leaf(lines: list[list[int]], node: int, max_depth: int) -> bool:
    depth = len(lines[node]) + 1
    return depth == max_depth or (depth < max_depth and not any(node in line for line in lines))


def own_text(text: str, found: list[Found], node: int) -> str:
    return f"{text[found[node][1] : found[node + 1][1]].strip()}\n"


@given(markdown(), st.integers(1, 7), st.sampled_from([(), ("Guide\n", "word\n")]))
def test_chunks_are_those_of_the_tree(text: str, max_depth: int, context: tuple[str, ...]) -> None:
    chunks = cut(text, max_depth, context)
    if not text.strip():
        assert chunks == []
        return
    sections = expected(text, max_depth)
    assert [chunk.start for chunk in chunks] == [section.start for section in sections]
    assert [tuple(map(comparable, chunk.section_path)) for chunk in chunks] == [section.path for section in sections]
    for chunk, section in zip(chunks, sections, strict=True):
        assert chunk.context == "".join(unsaid(once(context + section.ancestors), chunk.text))


@given(markdown(), st.integers(1, 7))
def test_chunks_are_slices_that_tile_the_text(text: str, max_depth: int) -> None:
    chunks = cut(text, max_depth)
    assert "".join(chunk.text for chunk in chunks) == (text if text.strip() else "")
    assert all(chunk.text == text[chunk.start : chunk.end] and chunk.text.strip() for chunk in chunks)
    assert all(before.end == after.start for before, after in pairwise(chunks))
    cuts = [chunk.start for chunk in chunks[1:]]
    assert list(graphemes.boundaries(text, cuts)) == cuts


def test_what_a_cascade_cuts_from_a_section_keeps_its_headings() -> None:
    stages = [("markdown", {}), ("fixed_char_length", {"char_limit": 40})]
    text = "# Mill\n\n## Stones\n\nTwo stones turn, one lies still, and the grain between them is ground.\n"
    chunks = chunkers.create_cascade(stages).chunk(text)
    assert chunks[0].context == ""
    assert [chunk.context for chunk in chunks[1:]] == ["# Mill\n## Stones\n"] * (len(chunks) - 1)
    assert len(chunks) > 2


def test_white_space_goes_where_context_is_left_out() -> None:
    text = "# word\n## word `code # x` # \n## *em* and **strong**\n"
    definition = {"markdown": {"token_limit": 9}}
    check(text, (), chunkers.create_algorithm(definition).chunk(text), asked(definition))
