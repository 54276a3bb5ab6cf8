"""`fixed_token_length`: a cut every N tokens, within the limit of a fresh encode, in linear work."""

from __future__ import annotations

from pathlib import Path

import pytest

import chunkers
from chunkers import Chunk, ConfigurationError
from chunkers.tokenizers import create_tokenizer
from tests.encoding_work import encoded_characters

SHIP = "\U0001f6a2"  # three tokens of cl100k_base, one code point


def cut(text: str, token_limit: int, context: tuple[str, ...] = (), **parameters: object) -> list[Chunk]:
    return chunkers.create("fixed_token_length", token_limit=token_limit, **parameters).chunk(text, context)


def pieces(text: str, token_limit: int, **parameters: object) -> list[str]:
    return [chunk.text for chunk in cut(text, token_limit, **parameters)]


def test_every_n_tokens_and_what_stands_between_two_words_stays_with_the_first() -> None:
    assert pieces("one two, three four five", 2) == ["one two, ", "three four ", "five"]
    assert [chunk.token_count for chunk in cut("one two, three four five", 2)] == [2, 2, 1]


def test_the_default_is_384_tokens_of_standard() -> None:
    chunks = chunkers.create("fixed_token_length").chunk("word " * 1000)
    assert [chunk.token_count for chunk in chunks] == [384, 384, 232]


def test_neighbours_share_the_overlap() -> None:
    first, second = cut("one two three four five six", 4, overlap_rate=0.5)
    assert (first.text, second.text) == ("one two three four ", "three four five six")
    assert second.overlap_chars == len("three four ")


def test_text_without_tokens_is_not_dropped() -> None:
    assert pieces("... --- ...", 2) == ["... --- ..."]
    assert pieces("!? one two three", 2) == ["!? one two ", "three"]


def test_the_tokenizer_decides_what_a_token_is() -> None:
    assert pieces("strawberry jam", 3, tokenizer="cl100k_base") == ["strawberry", " jam"]
    assert pieces("straw-berry jam", 2, tokenizer="whitespace") == ["straw-berry jam"]
    assert pieces("straw-berry jam", 2, tokenizer="letter") == ["straw-berry ", "jam"]


def test_the_limit_holds_for_a_fresh_encode() -> None:
    """A slice may have more tokens by itself than it has in the whole text."""
    text = "Zeilen\n\n\n  ends3 here's1234567890 xxx" * 8
    count = create_tokenizer("cl100k_base").count
    for limit in range(3, 12):
        chunks = cut(text, limit, tokenizer="cl100k_base")
        assert [chunk.token_count for chunk in chunks] == [count(chunk.text) for chunk in chunks]
        assert max(count(chunk.text) for chunk in chunks) <= limit
        assert "".join(chunk.text for chunk in chunks) == text


def test_one_character_over_the_limit_is_flagged() -> None:
    chunks = cut(f"{SHIP} a", 1, tokenizer="cl100k_base")
    assert [(chunk.text, chunk.token_count, chunk.over_limit) for chunk in chunks] == [
        (SHIP, 3, True),
        (" a", 1, False),
    ]


def test_context_is_part_of_the_limit_and_cut_to_its_share() -> None:
    chunks = cut("one two three four", 4, ("A title\n",))
    assert [(chunk.context, chunk.text, chunk.token_count, chunk.context_cut) for chunk in chunks] == [
        ("A title\n", "one two ", 4, False),
        ("A title\n", "three four", 4, False),
    ]
    first, *_ = cut("one two three four", 4, ("A much longer title\n",))
    assert (first.context, first.text, first.context_cut) == ("A much\n", "one two ", True)


def test_context_that_is_bare_markup_after_the_cut_is_left_out() -> None:
    chunks = cut("It turns.", 3, ("# Mill\n",), tokenizer="cl100k_base")
    assert [(chunk.context, chunk.context_cut) for chunk in chunks] == [("", True)] * len(chunks)


def test_a_limit_must_leave_room_beside_special_tokens(tmp_path: Path) -> None:
    from tests.tokenizer_files import wordpiece

    path = str(tmp_path / "tokenizer.json")
    wordpiece().save(path)
    with pytest.raises(ConfigurationError) as error:
        chunkers.create("fixed_token_length", token_limit=2, tokenizer=path)
    (problem,) = error.value.problems
    assert problem.path == "fixed_token_length.token_limit"
    assert problem.hint == "allowed: 3 or more"
    (chunk,) = cut("the miller", 40, tokenizer=path)
    assert chunk.token_count == create_tokenizer(path).count("the miller")


HOSTILE = {
    "letter": "a",
    "spaces": " ",
    "marks": "\u0301",
    "joiners": "\u200d",
    "families": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "han": "\u4f60\u597d\u4e16\u754c",
    "newlines": "\n",
    "line ends": "\r\n",
    "words": "word ",
}
MOST_WORK = 4.5
"""Characters encoded for each of the text: once for the whole, once a chunk with its overlap, and when
a chunk is over the limit by itself (marks, where no cut is between clusters), once more shorter."""


def long_text(unit: str, length: int) -> str:
    """Letters at both ends, so that white space is no blank text."""
    return f"x{unit * (length // len(unit))}x"


@pytest.mark.parametrize("token_limit", [8, 512])
@pytest.mark.parametrize("overlap_rate", [0.0, 0.5])
@pytest.mark.parametrize("name", HOSTILE)
def test_the_work_is_a_small_multiple_of_the_text(
    monkeypatch: pytest.MonkeyPatch, name: str, token_limit: int, overlap_rate: float
) -> None:
    text = long_text(HOSTILE[name], 200_000)
    work = encoded_characters(monkeypatch, text, token_limit=token_limit, overlap_rate=overlap_rate)
    assert len(text) <= work <= MOST_WORK * len(text)


def test_words_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between words counts follow from those of the whole text."""
    text = long_text("word ", 20_000)
    assert encoded_characters(monkeypatch, text, token_limit=8, overlap_rate=0.5) <= 1.05 * len(text)


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_is_twice_the_work(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    half, whole = (
        encoded_characters(monkeypatch, long_text(HOSTILE[name], length), token_limit=8, overlap_rate=0.5)
        for length in (50_000, 100_000)
    )
    assert whole == pytest.approx(2 * half, rel=0.02)
