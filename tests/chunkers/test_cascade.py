"""Cascades: each stage cuts the pieces of the one before, and spans stay those of the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers
from chunkers import Chunk, Chunker, Context, Spans
from chunkers.cascade import Cascade
from tests.promises.equations import check
from tests.promises.variants import asked
from tests.strategies import texts

LINES = ("delimiter", {"delimiter": "\n"})


def cut(text: str, *stages: tuple[str, dict[str, object]], context: Context = ()) -> list[Chunk]:
    return chunkers.create_cascade(stages).chunk(text, context)


def test_a_stage_cuts_what_the_one_before_cut() -> None:
    chunks = cut("abcdef\ngh\n", LINES, ("fixed_char_length", {"char_limit": 4}))
    assert [(chunk.start, chunk.end, chunk.text) for chunk in chunks] == [
        (0, 4, "abcd"),
        (4, 7, "ef\n"),
        (7, 10, "gh\n"),
    ]
    assert [chunk.index for chunk in chunks] == [0, 1, 2]


def test_there_may_be_many_stages() -> None:
    chunks = cut("ab.cd\nef", LINES, ("delimiter", {"delimiter": "."}), ("fixed_char_length", {"char_limit": 1}))
    assert [chunk.text for chunk in chunks] == ["a", "b", ".", "c", "d", "e", "f"]


def test_one_stage_is_that_algorithm() -> None:
    assert cut("a\nb", LINES) == chunkers.create("delimiter", delimiter="\n").chunk("a\nb")


def test_overlap_stays_within_a_piece() -> None:
    chunks = cut("abcde\nfghi", LINES, ("fixed_char_length", {"char_limit": 4, "overlap_rate": 0.5}))
    assert [(chunk.text, chunk.overlap_chars) for chunk in chunks] == [("abcd", 0), ("cde\n", 2), ("fghi", 0)]


def test_context_and_path_are_carried_on() -> None:
    text = "# Mill\nIt turns.\n## Wheel\nOf oak wood.\n## Stone\nOf grit."
    chunks = cut(text, ("markdown", {}), ("fixed_token_length", {"token_limit": 6}), context=("Guide\n",))
    assert [(chunk.context, chunk.text, chunk.section_path, chunk.context_cut) for chunk in chunks] == [
        ("Guide\n## Wheel\n", "# Mill\nIt turns.\n## ", ("Mill", "Wheel"), False),
        ("Guide\n# Mill\n## Wheel\n", "Wheel\nOf oak ", ("Mill", "Wheel"), False),
        ("Guide\n# Mill\n## Wheel\n", "wood.\n", ("Mill", "Wheel"), False),
        ("# Mill\nIt turns.\n", "## Stone\nOf grit.", ("Mill", "Stone"), True),
    ]


def test_headings_that_both_stages_find_are_in_the_path_once() -> None:
    text = "# A\n## B\ntext\n## C\nmore"
    chunks = cut(text, ("markdown", {"max_depth": 2}), ("markdown", {"max_depth": 2}))
    assert [chunk.section_path for chunk in chunks] == [("A", "B"), ("A", "C")]


def test_the_last_stage_counts_tokens_and_earlier_ones_do_not() -> None:
    tokens = ("fixed_token_length", {"token_limit": 9})
    assert [chunk.token_count for chunk in cut("one two\nthree", LINES, tokens)] == [2, 1]
    assert [chunk.token_count for chunk in cut("one two\nthree", tokens, LINES)] == [None, None]


def test_blank_texts_and_pieces_give_nothing() -> None:
    assert cut(" \n ", LINES, ("fixed_char_length", {"char_limit": 4})) == []


def test_white_space_that_fits_into_no_chunk_of_its_piece_goes_to_the_next_piece() -> None:
    chunks = cut("abc \nd", LINES, ("fixed_char_length", {"char_limit": 3}))
    assert [(chunk.start, chunk.end) for chunk in chunks] == [(0, 3), (3, 6)]


def test_with_trim_gaps_stay() -> None:
    chunks = cut("abc \nd", LINES, ("fixed_char_length", {"char_limit": 3, "trim": True}))
    assert [chunk.text for chunk in chunks] == ["abc", "d"]


def test_what_a_piece_says_is_still_context_of_what_is_cut_from_it() -> None:
    chunks = cut("Mill one two", LINES, ("fixed_token_length", {"token_limit": 2}), context=("Mill\n",))
    assert [(chunk.context, chunk.text) for chunk in chunks] == [("", "Mill "), ("Mill\n", "one "), ("Mill\n", "two")]


@dataclass(frozen=True, kw_only=True)
class Flagging(Chunker):
    """Says that context was cut, and of what kind its pieces are."""

    name = "flagging"
    summary = "For tests."

    def cut(self, text: str, context: Context) -> Spans:
        flags = np.array([True])
        return Spans(np.array([0]), np.array([len(text)]), kinds=["code"], context_cut=flags, section_paths=[("X",)])


def test_kind_path_and_the_flag_of_cut_context_outlive_later_stages() -> None:
    chars = chunkers.create("fixed_char_length", char_limit=2)
    chunks = Cascade([Flagging(), chars]).chunk("abcd")
    assert [(chunk.kind, chunk.section_path, chunk.context_cut) for chunk in chunks] == [("code", ("X",), True)] * 2


@given(texts(8), st.integers(1, 9))
def test_a_cascade_is_its_stages_run_by_hand(text: str, limit: int) -> None:
    lines = chunkers.create("delimiter", delimiter="\n")
    tokens = chunkers.create("fixed_token_length", token_limit=limit, trim=True)
    by_hand = [
        (line.start + chunk.start, line.start + chunk.end, chunk.token_count)
        for line in lines.chunk(text)
        for chunk in tokens.chunk(line.text)
    ]
    found = chunkers.create_cascade([LINES, ("fixed_token_length", {"token_limit": limit, "trim": True})]).chunk(text)
    assert [(chunk.start, chunk.end, chunk.token_count) for chunk in found] == by_hand


@pytest.mark.parametrize("stages", [[], [("delimiter", {"delimiter": ""}), ("markdwn", {})]])
def test_a_faulty_definition_is_refused(stages: list[tuple[str, dict[str, object]]]) -> None:
    with pytest.raises(chunkers.ConfigurationError):
        chunkers.create_cascade(stages)


SECTIONS = f"# A\n\n{'Intro of A. ' * 10}\n\n## B\n\n{'Text of B here. ' * 30}\n\n## C\n\n{'Text of C here. ' * 20}"
FIXED = {"fixed_token_length": {"token_limit": 110, "tokenizer": "cl100k_base"}}


@pytest.mark.parametrize(
    "definition",
    [
        [FIXED, {"recursive": {"token_limit": 40}}],
        [FIXED, {"sentence_window": {}}],
        [FIXED, FIXED, {"sentence": {"token_limit": 40}}],
        {"parent_child": {"parent": FIXED, "child": {"recursive": {"token_limit": 40}}}},
        {"parent_child": {"parent": FIXED, "child": {"delimiter": {"delimiter": ". "}}}},
        {"parent_child": {"parent": [FIXED, {"delimiter": {"delimiter": ". "}}], "child": FIXED}},
    ],
    ids=str,
)
def test_headings_as_context_are_those_above_each_chunk_whatever_piece_it_is_cut_from(definition: Any) -> None:
    places = {("A",): 0, ("A", "B"): SECTIONS.index("## B"), ("A", "C"): SECTIONS.index("## C")}
    for chunk in chunkers.create_algorithm(definition).chunk(SECTIONS, ["Title"], headings=True):
        start = chunk.start + len(chunk.text) - len(chunk.text.lstrip())
        path = max((path for path, place in places.items() if place <= start), key=lambda path: places[path])
        assert chunk.section_path == path
        shown = {"# A", "## B", "## C"} & set(chunk.text.splitlines())
        above = ["# A", f"## {path[-1]}"][: len(path)]
        assert chunk.context.splitlines() == ["Title", *(line for line in above if line not in shown)]
        assert not chunk.context_cut


def test_headings_of_a_stage_are_never_mixed_with_those_of_another_branch() -> None:
    algorithm = chunkers.create_algorithm([FIXED, {"structure": {"token_limit": 30}}])
    for chunk in algorithm.chunk(SECTIONS, headings=True):
        assert not {"B", "C"} <= set(chunk.section_path)
        assert "## B" not in chunk.context or chunk.start < SECTIONS.index("## C")


@pytest.mark.parametrize(
    "earlier", [{"fixed_char_length": {"overlap_rate": 0.5}}, {"sentence": {"overlap_sentences": 1}}], ids=str
)
def test_only_the_last_stage_can_overlap(earlier: Any) -> None:
    ((name, parameters),) = earlier.items()
    (key,) = parameters
    with pytest.raises(chunkers.ConfigurationError, match=rf"chunk\[0\]\.{name}\.{key}: only the last stage"):
        chunkers.create_algorithm([earlier, {"delimiter": {}}])
    chunkers.create_algorithm([{"delimiter": {}}, earlier])


def test_what_fits_with_its_white_space_is_not_over_the_limit() -> None:
    """A letter of three tokens has two with the space that it is given afterwards."""
    definition = [{"sentence": {"token_limit": 6}}, {"recursive": {"token_limit": 2}}]
    text = "l: \U0001f468\U0001f469"
    chunks = chunkers.create_algorithm(definition).chunk(text)
    check(text, (), chunks, asked(definition))
