"""Cascades: each stage cuts the pieces of the one before, and spans stay those of the document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers
from chunkers import Chunk, Chunker, Context, Spans
from chunkers.cascade import Cascade
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
