"""Every word tokenizer: the golden cases, what all promise, long hostile texts."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkers.errors import ConfigurationError
from chunkers.tokenizers import blocks, create_tokenizer
from chunkers.tokenizers.base import WordTokenizer
from chunkers.tokenizers.words import WORD_TOKENIZERS
from tests.chunkers.tokenizers.hurting_texts import hurting
from tests.shared_data import shared

NAMES = sorted(WORD_TOKENIZERS)
CUT_SAFE = sorted(name for name, tokenizer in WORD_TOKENIZERS.items() if issubclass(tokenizer, WordTokenizer))
MILLION = 1_000_000


def spans(name: str, text: str) -> list[tuple[int, int]]:
    starts, ends = create_tokenizer(name).spans(text)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def test_what_the_words_tokenizers_are() -> None:
    assert NAMES == ["classic", "letter", "lowercase", "standard", "uax_url_email", "whitespace"]
    assert set(NAMES) - set(CUT_SAFE) == {"uax_url_email"}


@pytest.mark.parametrize("name", NAMES)
def test_golden_cases(name: str) -> None:
    """All texts whose tokens Lucene was asked for."""
    golden = "letter" if name == "lowercase" else name
    lines = shared("golden/lucene_tokens.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    wrong = [case["id"] for case in cases if spans(name, case["text"]) != [tuple(s) for s in case["tokens"][golden]]]
    assert wrong == []
    assert len(cases) > 400


@pytest.mark.parametrize("name", NAMES)
@given(text=hurting)
def test_tokens_ascend_and_do_not_overlap(name: str, text: str) -> None:
    found = spans(name, text)
    assert all(start < end for start, end in found)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(found))
    assert not found or (found[0][0] >= 0 and found[-1][1] <= len(text))


@pytest.mark.parametrize("name", CUT_SAFE)
@given(text=hurting)
def test_a_cut_at_a_token_start_changes_no_token(name: str, text: str) -> None:
    found = spans(name, text)
    for n, (cut, _) in enumerate(found[:50]):
        assert spans(name, text[:cut]) == found[:n]
        assert [(start + cut, end + cut) for start, end in spans(name, text[cut:])] == found[n:]


@pytest.mark.parametrize("name", NAMES)
@given(text=hurting)
def test_counts_of_slices_are_those_of_a_fresh_count(name: str, text: str) -> None:
    tokenizer = create_tokenizer(name)
    tokens = tokenizer.tokenize(text)
    cuts = sorted({0, len(text), len(text) // 2, *tokens.starts[:4].tolist()})
    for start, end in itertools.combinations(cuts, 2):
        assert tokens.count(start, end) == tokenizer.count(text[start:end])


@pytest.mark.parametrize("name", CUT_SAFE)
@given(text=hurting, block=st.integers(1, 40))
def test_a_text_tokenized_in_blocks_has_the_tokens_of_the_whole(name: str, text: str, block: int) -> None:
    expected = [start for start, _ in spans(name, text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK", block)
        assert create_tokenizer(name).tokenize(text).starts.tolist() == expected


def test_a_cut_at_a_token_start_may_change_uax_url_email() -> None:
    """What follows a host decides whether it is one, so counts of slices are counted afresh."""
    assert spans("uax_url_email", "1-2.com\u6f22") == [(0, 1), (2, 3), (4, 7), (7, 8)]
    assert spans("uax_url_email", "1-2.com") == [(0, 7)]


PER_TOKEN = 255
HOSTILE = {
    "letters": ("a" * MILLION, {"classic": 0}, -(-MILLION // PER_TOKEN)),
    "spaces": (" " * MILLION, {}, 0),
    "marks": ("\u0301" * MILLION, {"whitespace": -(-MILLION // PER_TOKEN)}, 0),
    "Thai": ("\u0e01" * MILLION, {"classic": 0}, -(-MILLION // PER_TOKEN)),
    "flags": (
        "\U0001f1e6" * 250_000,
        {"whitespace": -(-250_000 // 128), "standard": 125_000, "uax_url_email": 125_000},
        0,
    ),
    "low lines": ("_" * MILLION, {"whitespace": -(-MILLION // PER_TOKEN)}, 0),
    "joiners": ("\u200d" * MILLION, {"whitespace": -(-MILLION // PER_TOKEN)}, 0),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_million_of_one_character(kind: str, name: str) -> None:
    """Quadratic work would not end here."""
    text, exceptions, usual = HOSTILE[kind]
    assert create_tokenizer(name).count(text) == exceptions.get(name, usual)


MANY = 200_000
IN_VAIN = ("_" * MANY + "a", "\u200d" * MANY + "\U0001f600", "a-" * MANY + "@")


@pytest.mark.parametrize("text", IN_VAIN, ids=["low lines", "joiners", "no address"])
def test_many_characters_read_in_vain(text: str) -> None:
    """A scanner that starts again from each of them would not end here."""
    assert create_tokenizer("standard").count(text) in (1, MANY)
    assert len(spans("classic", text)) == text.count("a")


def test_no_text_no_tokens() -> None:
    for name in NAMES:
        assert spans(name, "") == []
        assert spans(name, " \r\n\t") == []


def test_thai_is_refused_with_what_to_use_instead() -> None:
    with pytest.raises(ConfigurationError, match="thai") as caught:
        create_tokenizer("thai")
    (problem,) = caught.value.problems
    assert "Java" in problem.message
    assert "standard" in str(problem.hint)
