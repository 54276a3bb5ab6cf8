"""`standard`: examples of its rules, and the fast way against the grammar."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.character_classes import ClassTable, ranges
from chunkers.tokenizers.longest_match import longest, start
from chunkers.tokenizers.runs import Utf16
from chunkers.tokenizers.word_break import word_break_rules
from tests.chunkers.tokenizers.hurting_texts import hurting

EXAMPLES = {
    "Joe's files, e.g. notes_2024.txt": ["Joe's", "files", "e.g", "notes_2024", "txt"],
    "v1.2.3 a.1 1.5 12:34 1,000.5 f:g a:1": ["v1.2.3", "a", "1", "1.5", "12", "34", "1,000.5", "f:g", "a", "1"],
    "state-of-the-art @user __init__ ___": ["state", "of", "the", "art", "user", "__init__"],
    "a\u0301b \u0301 x\u00ady": ["a\u0301b", "x\u00ady"],
    "\u6f22\u5b57\u304b\u306a\u30ab\u30bf\u30ab\u30ca_x": [
        "\u6f22",
        "\u5b57",
        "\u304b",
        "\u306a",
        "\u30ab\u30bf\u30ab\u30ca_x",
    ],
    "\ud55c\uad6d\uc5b4 3\uac1c": ["\ud55c\uad6d\uc5b4", "3\uac1c"],
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 ab\u0e31": ["\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "ab\u0e31"],
    "\u05e6\u05d4\"\u05dc \u05e8' \u05d2'\u05d9": ['\u05e6\u05d4"\u05dc', "\u05e8'", "\u05d2'\u05d9"],
    '\u05d0"\u05d1"\u05d2': ['\u05d0"\u05d1', "\u05d2"],
    "\U0001f468\u200d\U0001f469 \U0001f44d\U0001f3fd": ["\U0001f468\u200d\U0001f469", "\U0001f44d\U0001f3fd"],
    "\U0001f3f4\ufe0f\U000e0067\U000e0062\U000e007f": ["\U0001f3f4\ufe0f\U000e0067\U000e0062\U000e007f"],
    "\U0001f1e9\U0001f1ea\U0001f1eb": ["\U0001f1e9\U0001f1ea"],
    "1\ufe0f\u20e3 12\ufe0f\u20e3 #\u20e3 #": ["1\ufe0f\u20e3", "12\ufe0f\u20e3", "#\u20e3"],
    "\u00a9 \u2122 \u2713 \u00bd \u2163": ["\u00a9", "\u2122", "\u2163"],
    "\u200d\U0001f600 a\u200d\U0001f600": ["\u200d\U0001f600", "a\u200d", "\U0001f600"],
}


def tokens(text: str) -> list[str]:
    starts, ends = create_tokenizer("standard").spans(text)
    return [text[begin:end] for begin, end in zip(starts.tolist(), ends.tolist(), strict=True)]


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples(text: str) -> None:
    assert tokens(text) == EXAMPLES[text]


def test_a_token_is_cut_at_255_code_units() -> None:
    assert [len(token) for token in tokens("a" * 600)] == [255, 255, 90]
    assert [len(token) for token in tokens("\U00010400" * 130)] == [127, 3]


def test_a_sign_out_of_sight_does_not_join() -> None:
    assert tokens("a" * 254 + ".b") == ["a" * 254, "b"]
    assert tokens("a" * 253 + ".b") == ["a" * 253 + ".b"]


def test_low_lines_before_a_letter_are_part_of_it_as_far_as_one_sees() -> None:
    assert tokens("_" * 400 + "a") == ["_" * 254 + "a"]


@settings(max_examples=400)
@given(hurting)
def test_the_arrays_find_what_the_grammar_reads(text: str) -> None:
    assert tokens(text) == _as_the_grammar_reads(text)


def _as_the_grammar_reads(text: str) -> list[str]:
    """Every position read by the grammar."""
    table = ClassTable()
    numbers = {name: frozenset((number,)) for number, name in enumerate(ranges("standard"), 1)}
    for name, points in ranges("standard").items():
        table.assign(points, min(numbers[name]))
    first, classes, utf16 = start(word_break_rules(numbers)), table.of(text), Utf16(text)
    found, position = [], 0
    while position < len(text):
        rule, end, _ = longest(first, classes, position, min(len(text), utf16.floor(position)))
        if rule >= 0:
            found.append(text[position:end])
        position = max(end, position + 1)
    return found
