"""What goes in front of a text: parts made of raw strings, said once, cut to a budget."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkers import Context
from chunkers.text.context import as_parts, fit, once, unsaid
from tests.strategies import texts

MILLION = 1_000_000


def words(text: str) -> int:
    return len(text.split())


def quarters(text: str) -> int:
    """About as many as a byte-pair encoding has tokens."""
    return -(-len(text) // 4)


# as_parts


def test_each_text_becomes_a_part_ended_by_one_newline() -> None:
    assert as_parts(["Harbour", "  Boats\n\n"]) == ("Harbour\n", "Boats\n")


def test_lines_within_a_part_stay() -> None:
    assert as_parts(["one\n\ntwo"]) == ("one\n\ntwo\n",)


def test_missing_and_blank_texts_make_no_part() -> None:
    assert as_parts([None, "", " \n", "Tides"]) == ("Tides\n",)


# unsaid


def test_what_the_text_says_itself_is_left_out() -> None:
    assert unsaid(("Harbour\n", "Boats\n"), "All about Boats.") == ("Harbour\n",)


@pytest.mark.parametrize(
    ("part", "text"),
    [("Boat\n", "Boats leave."), ("Boat\n", "Steamboat"), ("eBoat\n", "meBoat"), ("# A\n", "## A"), ("A -\n", "A --")],
)
def test_a_part_of_a_word_or_of_a_mark_says_nothing(part: str, text: str) -> None:
    assert unsaid((part,), text) == (part,)


@pytest.mark.parametrize("text", ["Boat", "Boats and a Boat", "(Boat)", "Steamboat: Boat!", "Boat\nBoats"])
def test_words_of_their_own_are_found_wherever_they_stand(text: str) -> None:
    assert unsaid(("Boat\n",), text) == ()


def test_an_occurrence_that_overlaps_another_counts() -> None:
    assert unsaid(("a a\n",), "ba a a") == ()


def test_a_long_part_is_found_in_a_text_that_repeats_it() -> None:
    long = "ab " * 500 + "end"
    assert unsaid((f"{long}\n",), f"x{long} {long}") == ()


# once


def test_what_a_nearer_part_says_is_left_out() -> None:
    assert once(("Boats\n", "Tides\n", "# Boats\nAll kinds.\n")) == ("Tides\n", "# Boats\nAll kinds.\n")


def test_of_equal_parts_the_nearest_stays() -> None:
    assert once(("Boats\n", "Tides\n", "Boats\n")) == ("Tides\n", "Boats\n")


# fit


def test_what_fits_is_kept_as_it_is() -> None:
    parts = ("Harbour\n", "Boats and\nships\n")
    assert fit(parts, words, 4) == (parts, False)
    assert fit((), words, 4) == ((), False)


def test_the_nearest_lines_are_kept_first_and_the_cut_is_told() -> None:
    parts = ("Harbour handbook\n", "Boats\nFerries\n")
    assert fit(parts, words, 2) == (("Boats\n", "Ferries\n"), True)
    assert fit(parts, words, 1) == (("Ferries\n",), True)


def test_the_line_that_no_longer_fits_keeps_its_first_words() -> None:
    assert fit(("Harbour handbook\n", "Boats\n"), words, 2) == (("Harbour\n", "Boats\n"), True)
    assert fit(("Harbour handbook\n",), len, 12) == (("Harbour\n",), True)


def test_a_beginning_of_bare_markup_is_dropped() -> None:
    assert fit(("# Mill\n",), words, 1) == ((), True)
    assert fit(("## Mill\n", "Wheel\n"), len, 9) == (("Wheel\n",), True)
    assert fit(("## Old Mill\n", "Wheel\n"), len, 15) == (("## Old\n", "Wheel\n"), True)
    assert fit(("- 7 wheels\n",), words, 2) == (("- 7\n",), True)


def test_a_line_of_signs_that_fits_stays() -> None:
    assert fit(("Mill stones\n", "---\n"), words, 1) == (("---\n",), True)


def test_no_character_is_cut_in_two() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert fit((f"ab{family}\n",), len, 5) == (("ab\n",), True)
    assert fit((f"ab{family}c\n",), len, 8) == ((f"ab{family}\n",), True)


def test_only_newlines_end_a_line() -> None:
    assert fit(("Harbour\nBoats\rFerries\u2028Tugs\n",), words, 3) == (("Boats\rFerries\u2028Tugs\n",), True)


def test_without_a_budget_nothing_is_kept() -> None:
    assert fit(("Harbour\n",), words, 0) == ((), True)


@pytest.mark.parametrize(
    "parts",
    [
        ("a" * MILLION + "\n",),
        ("word " * (MILLION // 5) + "\n",),
        ("word word\n" * (MILLION // 10),),
        ("word word\n",) * (MILLION // 10),
        ("a" * MILLION + "\n", "Title\n"),
        ("Title\n", "a" * MILLION + "\n"),
        ("a" + " " * MILLION + "b\n",),
    ],
    ids=["letters", "words", "lines", "parts", "letters-title", "title-letters", "spaces"],
)
@pytest.mark.parametrize("size", [len, words, quarters])
def test_a_huge_context_costs_no_more_than_a_large_one(parts: Context, size: Callable[[str], int]) -> None:
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return size(text)

    kept, cut = fit(parts, count, 8)
    assert cut
    assert size("".join(kept)) <= 8
    assert counted < MILLION // 100


def test_a_million_letters_that_are_one_word_are_no_context() -> None:
    kept, cut = fit(("a" * MILLION + "\n",), words, 8)
    assert cut
    assert 0 < len("".join(kept)) < 1000


@given(
    parts=st.lists(texts(6), max_size=4).map(as_parts), budget=st.integers(0, 60), size=st.sampled_from([len, words])
)
def test_within_the_budget_and_from_the_near_end(parts: Context, budget: int, size: Callable[[str], int]) -> None:
    kept, cut = fit(parts, size, budget)
    whole, joined = "".join(parts), "".join(kept)
    assert size(joined) <= budget
    assert all(part.endswith("\n") for part in kept)
    assert cut == (joined != whole)
    first, *rest = kept or ("",)
    assert whole.endswith("".join(rest))
    assert not joined or first.rstrip() in whole


@given(parts=st.lists(texts(3), max_size=4).map(as_parts), text=texts(4))
def test_nothing_is_lost_by_saying_it_once(parts: Context, text: str) -> None:
    """What is left out is said by the text or by a part that stays."""
    for kept, said in ((once(parts), ""), (unsaid(parts, text), text)):
        assert all(part in kept or any(part.strip() in other for other in (said, *kept)) for part in parts)
