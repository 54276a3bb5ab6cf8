"""Scanners: the longest match of the first rule, compared with what `re` matches in full."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkers.tokenizers.expressions import Expression, parse, words
from chunkers.tokenizers.longest_match import Failures, longest, skip, start

# The same grammar in two notations.
PATTERNS = {
    "[ab]+ | 'a' '.' | [^a]": r"[ab]+|[aA]\.|[^a]",
    "('a' | 'ab') ('c' | 'bcd')*": r"(?:[aA]|[aA][bB])(?:[cC]|[bB][cC][dD])*",
    "(('a'* 'b')* 'c')? 'd'": r"(?:(?:[aA]*[bB])*[cC])?[dD]",
    "'ab'{2} 'c'{0,3} 'a'?": r"(?:[aA][bB]){2}[cC]{0,3}[aA]?",
    "('a'+ 'b'?)+ '.'": r"(?:[aA]+[bB]?)+\.",
}
TEXTS = st.text("aAbcd.", max_size=12).map(str.encode)


def rule(text: str, **names: Expression) -> Expression:
    return parse(text, names)


@pytest.mark.parametrize("text", PATTERNS)
@given(symbols=TEXTS)
def test_the_longest_match(text: str, symbols: bytes) -> None:
    pattern = re.compile(PATTERNS[text].encode())
    ends = [end for end in range(1, len(symbols) + 1) if pattern.fullmatch(symbols, 0, end)]
    found, end, reached = longest(start([rule(text)]), symbols, 0, len(symbols))
    assert (found, end) == ((0, max(ends)) if ends else (-1, 0))
    assert end <= reached <= len(symbols)


def test_of_two_rules_the_longer_match_wins_and_of_equal_ones_the_first() -> None:
    first = start([rule("[a-z]+"), rule("'if'"), rule("'iffy!'")])
    assert longest(first, b"if", 0, 2)[:2] == (0, 2)
    assert longest(first, b"iffy!", 0, 5)[:2] == (2, 5)
    assert longest(first, b"iffy?", 0, 5)[:2] == (0, 4)


def test_words_in_either_case() -> None:
    first = start([parse("known '!'", {"known": words(frozenset((b"co", b"com", b"de")))})])
    assert [longest(first, text, 0, len(text))[0] for text in (b"co!", b"COM!", b"c!", b"dec!", b"de!")] == [
        0,
        0,
        -1,
        -1,
        0,
    ]


@given(TEXTS)
def test_remembered_failures_change_no_match(symbols: bytes) -> None:
    text = symbols * 12
    first = start([rule("'a'"), rule("('a' | 'b' | 'c' | '.')+ 'd' 'd'")])
    failures: Failures = set()
    for begin in range(len(text)):
        fresh = longest(first, text, begin, len(text))
        assert longest(first, text, begin, len(text), failures)[:2] == fresh[:2]


@given(st.text("ab.", max_size=40).map(str.encode), st.integers(1, 9))
def test_nothing_matches_where_a_skip_passes(symbols: bytes, window: int) -> None:
    first = start([rule("'a'* '.' 'a'"), rule("'b' 'b'")])

    def at(begin: int) -> tuple[int, int, int]:
        return longest(first, symbols, begin, min(len(symbols), begin + window))

    for begin in range(len(symbols)):
        found, _, reached = at(begin)
        if found < 0:
            after = skip(first, symbols, begin, reached, min(len(symbols), begin + window), window)
            assert after > begin
            assert all(at(passed)[0] < 0 for passed in range(begin, min(after, len(symbols))))
