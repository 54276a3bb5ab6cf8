"""`recursive`: coarse cuts before fine ones, headings with their text, small pieces, patterns that hang."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkers
from chunkers.errors import ConfigurationError
from tests.promises.equations import check, fresh_count
from tests.promises.variants import asked

PARAGRAPHS = "One two three.\n\nFour five six seven.\n\nEight nine ten eleven twelve."


def pieces(text: str, **parameters: Any) -> list[str]:
    given_limit = {"token_limit", "char_limit"} & set(parameters)
    chunker = chunkers.create("recursive", **({} if given_limit else {"token_limit": 8}), **parameters)
    return [chunk.text for chunk in chunker.chunk(text)]


def test_paragraphs_that_fit_stay_together_and_the_blank_line_goes_to_the_next() -> None:
    assert pieces(PARAGRAPHS, token_limit=11) == [
        "One two three.\n\nFour five six seven.",
        "\n\nEight nine ten eleven twelve.",
    ]
    assert pieces(PARAGRAPHS, token_limit=100) == [PARAGRAPHS]


def test_a_separator_can_stay_with_the_piece_before_it() -> None:
    assert pieces(PARAGRAPHS, token_limit=12, keep="end") == [
        "One two three.\n\nFour five six seven.\n\n",
        "Eight nine ten eleven twelve.",
    ]


def test_a_finer_separator_where_a_piece_is_too_big() -> None:
    text = "Short.\n\nFirst line of a long paragraph\nsecond line of it\nthird."
    assert pieces(text, token_limit=8) == [
        "Short.",
        "\n\nFirst line of a long paragraph",
        "\nsecond line of it\nthird.",
    ]


def test_sentences_before_words_before_tokens() -> None:
    assert pieces("Dr. Noe went home. He slept till noon.", token_limit=8) == [
        "Dr. Noe went home.",
        " He slept till noon.",
    ]
    assert pieces("one two three four five six", token_limit=3) == ["one two three", " four five six"]
    assert pieces("abcdefgh" * 3, char_limit=10) == ["abcdefghab", "cdefghabcd", "efgh"]


def test_overlap_counts_inside_the_limit_and_starts_at_a_word() -> None:
    text = " ".join(f"word{n % 10}" for n in range(60))
    chunks = chunkers.create("recursive", token_limit=16, overlap_rate=0.25).chunk(text)
    assert all(chunk.token_count is not None and chunk.token_count <= 16 for chunk in chunks)
    assert all(0 < fresh_count("cl100k_base", text[c.start : c.start + c.overlap_chars]) <= 4 for c in chunks[1:])
    assert all(chunk.text.startswith(" word") for chunk in chunks[1:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Intro text here.\n\n## Use\n\nRun it now.", ["Intro text here.", "\n\n## Use\n\nRun it now."]),
        ("Intro text.\n\n# A\n\n## B\n\nBody one two.", ["Intro text.", "\n\n# A\n\n## B\n\nBody one two."]),
        ("Intro text here go.\n\n## A\n\n## B", ["Intro text here go.\n\n## A", "\n\n## B"]),
    ],
    ids=["heading", "two-levels", "empty-section"],
)
def test_no_chunk_ends_with_a_heading_whose_text_is_in_the_next(text: str, expected: list[str]) -> None:
    assert pieces(text, token_limit=12 if "# A\n\n## B\n\nBody" in text else 8) == expected


def test_min_tokens_joins_small_pieces_to_neighbours_with_room() -> None:
    text = "Yes.\n\nThe mill grinds wheat. The wheel turns all day. The stone is worn. The miller sleeps.\n\nNo."
    sizes = [chunk.token_count for chunk in chunkers.create("recursive", token_limit=16, min_tokens=6).chunk(text)]
    assert min(size for size in sizes if size is not None) >= 6
    assert pieces(text, token_limit=16)[0] == "Yes."


def test_own_separators_are_literal() -> None:
    assert pieces("a.b.c.d|e.f", char_limit=7, separators=["|", "."]) == ["a.b.c.d", "|e.f"]
    assert pieces("a.b.c.d.e", char_limit=4, separators=["."], keep="end") == ["a.b.", "c.d.", "e"]
    assert pieces("axbyc", char_limit=3, separators=["[xy]"]) == ["axb", "yc"]


def test_patterns_and_boundaries() -> None:
    assert pieces("axbyczd", char_limit=4, separators=[{"regex": "[xyz]"}]) == ["axb", "yczd"]
    assert pieces("ab1cd2ef", char_limit=5, separators=[{"regex": r"(?=\d)"}]) == ["ab1cd", "2ef"]
    assert pieces("Go on. Stop it.", char_limit=12, separators=[{"boundary": "sentence"}]) == ["Go on.", " Stop it."]


def test_a_pattern_that_would_hang_fails_the_document_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.text.separators._SECONDS", 0.2)
    chunker = chunkers.create("recursive", separators=[{"regex": r"(?:a|aa|a?a)+$"}])
    hanging, good = chunker.chunk_batch(["a" * 5000 + "b", "mill"]).to_pylist()
    assert [row["text"] for row in good] == ["mill"]
    assert hanging[0]["error"].startswith("separator_timeout: ")


def test_a_comment_in_a_fence_is_no_heading_of_the_preset() -> None:
    text = "# Mill\n\n```\n# no heading\nrun\n```\n\n# Wheel\n\nWater."
    assert pieces(text, char_limit=40, separators="markdown") == [
        "# Mill\n\n```\n# no heading\nrun\n```\n\n",
        "# Wheel\n\nWater.",
    ]


def test_code_is_cut_between_definitions() -> None:
    text = "def a():\n    x = 1\n\n    return x\n\n\ndef b():\n    return 2\n"
    assert pieces(text, char_limit=45, separators="code") == [
        "def a():\n    x = 1\n\n    return x",
        "\n\n\ndef b():\n    return 2\n",
    ]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"token_limit": 9, "char_limit": 9}, "recursive.char_limit: and token_limit are both given"),
        ({"char_limit": 9, "min_tokens": 2}, "recursive.min_tokens: is in tokens, but the limit is char_limit"),
        ({"token_limit": 9, "min_tokens": 5}, "recursive.min_tokens: 5 is more than half of token_limit (9)"),
        ({"separators": "plain"}, "recursive.separators: unknown preset 'plain'"),
        ({"separators": []}, "recursive.separators: [] is no preset"),
        ({"separators": [{"regex": "("}]}, "recursive.separators[0].regex: '(' is no regular expression"),
        ({"separators": [{"boundary": "page"}]}, "recursive.separators[0].boundary: 'page' is not one of"),
        ({"separators": [3]}, "recursive.separators[0]: 3 is no separator"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        chunkers.create("recursive", **parameters)
    assert message in str(raised.value)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"], ids=["crlf", "cr"])
@pytest.mark.parametrize("separators", ["plaintext", "markdown", "code"])
def test_one_line_end_is_no_blank_line(line_end: str, separators: str) -> None:
    text = "mill mill mill\n\nmill mill mill mill mill\nmill\n\n\nmill"
    expected = pieces(text, char_limit=44, separators=separators)
    found = pieces(text.replace("\n", line_end), char_limit=42 + 2 * len(line_end), separators=separators)
    assert [piece.replace(line_end, "\n") for piece in found] == expected
    assert expected[0] == "mill mill mill"


@example("mill mill mill\n\nmill mill # A mill mill mill\nmill")
@given(st.lists(st.sampled_from(["mill", "wheel.", " ", "\n", "\n\n", "# A", "grinds,"]), max_size=60).map("".join))
def test_line_ends_of_either_kind_give_the_same_cuts(text: str) -> None:
    with_lf = pieces(text, token_limit=10, tokenizer="whitespace")
    with_crlf = pieces(text.replace("\n", "\r\n"), token_limit=10, tokenizer="whitespace")
    assert [piece.replace("\r\n", "\n") for piece in with_crlf] == with_lf


PARTS = st.sampled_from(
    [
        "# Mill",
        "## Water wheel",
        "Gears\n=====",
        "Sails and ropes\n---",
        "### Stones",
        "Grain.",
        "The mill grinds. The wheel turns.",
        "- oats\n- rye",
        "word " * 40,
    ]
)


@example(["Grain."] * 4 + ["# Mill", "word " * 40], 12, 0.25, 0.0)
@example(["The mill grinds. The wheel turns."] * 2 + ["## Water wheel", "word " * 40], 12, 0.5, 0.0)
@given(
    st.lists(PARTS, min_size=1, max_size=30),
    st.integers(12, 40),
    st.sampled_from([0.0, 0.25, 0.5]),
    st.sampled_from([0.0, 0.3, 0.5]),
)
def test_no_chunk_of_any_text_ends_with_a_heading_whose_text_is_in_the_next(
    parts: list[str], limit: int, overlap_rate: float, least: float
) -> None:
    text = "\n\n".join(parts)
    chunks = chunkers.create(
        "recursive", token_limit=limit, overlap_rate=overlap_rate, min_tokens=int(limit * least)
    ).chunk(text)
    for chunk, following in itertools.pairwise(chunks):
        rest = text[max(chunk.end, following.start) :].lstrip()
        level = heading_level(text[: chunk.end].rstrip().rpartition("\n\n")[2])
        if level and "\n\n" in chunk.text.strip():
            assert 0 < heading_level(rest.partition("\n\n")[0]) <= level
        assert not rest.startswith(("===", "---"))


def heading_level(block: str) -> int:
    """The level of the heading that a block is, 0 for another one."""
    if block.startswith("#"):
        return block.index(" ")
    return {"===": 1, "---": 2}.get(block[-3:], 0) if "\n" in block else 0


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"token_limit": 8, "separators": ["|"]}, "| don't | a1b2 | x y z | w |"),
        ({"char_limit": 9, "separators": ["; "]}, "one two ; a b c"),
        ({"char_limit": 9, "separators": [{"regex": r"\| "}]}, "| don't | a"),
        ({"token_limit": 1, "separators": [";"]}, " ; c"),
    ],
    ids=str,
)
def test_white_space_before_a_separator_that_ends_a_piece(parameters: dict[str, Any], text: str) -> None:
    assert "".join(pieces(text, keep="end", **parameters)) == text


@given(st.lists(st.sampled_from(["a", "bc", " ", "\n", "|", "; "]), max_size=30).map("".join), st.integers(1, 12))
def test_own_separators_among_white_space(text: str, limit: int) -> None:
    for keep in ("start", "end"):
        found = pieces(text, keep=keep, char_limit=limit, separators=["|", "; "])
        assert "".join("".join(found).split()) == "".join(text.split())


@pytest.mark.parametrize("min_tokens", range(0, 17))
def test_a_minimum_ends_no_chunk_with_a_heading(min_tokens: int) -> None:
    text = (
        "The miller sleeps on his sacks.\n\n# Stone\n\nThe stone grinds the grain into flour all day long. "
        "It is very heavy and it was cut by hand.\n"
    )
    found = pieces(text, token_limit=32, min_tokens=min_tokens)
    assert not [piece for piece in found if piece.rstrip().endswith("# Stone")]


def test_white_space_goes_where_context_is_said_by_nearer_context() -> None:
    definition = {"recursive": {"token_limit": 20, "context_share": 0.9}}
    text, context = (
        "# \r\n# two words [link](https://example.org)\r\n####### word\r\n",
        ("A title\n", "one\ntwo\nthree\n"),
    )
    chunks = chunkers.create_algorithm(definition).chunk(text, context, headings=True)
    check(text, context, chunks, asked(definition))
