"""`sentence` and `sentence_window`: whole sentences, overlap in sentences, windows, languages."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers
from chunkers.errors import ConfigurationError
from tests.promises.equations import fresh_count

TEXT = "Dr. Noe came home. He saw it. It was late. Then he slept."


def pieces(text: str, **parameters: Any) -> list[str]:
    return [chunk.text for chunk in chunkers.create("sentence", **parameters).chunk(text)]


def test_whole_sentences_up_to_the_limit() -> None:
    assert pieces(TEXT, token_limit=12) == ["Dr. Noe came home. He saw it. ", "It was late. Then he slept."]


def test_overlap_is_in_sentences() -> None:
    assert pieces(TEXT, token_limit=12, overlap_sentences=1) == [
        "Dr. Noe came home. He saw it. ",
        "He saw it. It was late. Then he slept.",
    ]


def test_overlap_gives_way_where_it_leaves_no_room_for_a_new_sentence() -> None:
    text = "One two three four five six. One two three four five seven."
    assert pieces(text, token_limit=8, overlap_sentences=1) == [text[:29], text[29:]]


def test_a_sentence_over_the_limit_is_cut_between_words_then_tokens() -> None:
    assert pieces("One two three four five six. Go.", token_limit=4) == ["One two three ", "four five ", "six. Go."]
    assert "".join(pieces("incomprehensibilities " * 3, token_limit=2)) == "incomprehensibilities " * 3


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (None, "\u05d3\u05f4\u05e8 \u05db\u05d4\u05df \u05d1\u05d0. \u05d4\u05d5\u05d0 \u05d9\u05e9\u05df.", 2),
        (None, "\u4ed6\u6765\u4e86\u3002\u5979\u8d70\u4e86\u3002", 2),
        (None, "\u092f\u0939 \u0918\u0930 \u0939\u0948\u0964 \u0935\u0939 \u0938\u094b\u092f\u093e\u0964", 2),
        ("en", "See Fig. 2 for it. Then go.", 2),
    ],
    ids=["hebrew", "chinese", "hindi", "english"],
)
def test_languages(language: str | None, text: str, expected: int) -> None:
    found = chunkers.create("sentence_window", language=language).chunk(text)
    assert len(found) == expected


def test_the_language_of_a_column() -> None:
    chunker = chunkers.create("sentence", language_column="lang")
    assert chunker.columns == {"lang"}
    values = [{"lang": "en"}, {"lang": None}, {"lang": "xq"}]
    good, by_script, wrong = chunker.chunk_batch(["Go on."] * 3, None, values).to_pylist()
    assert good[0]["text"] == by_script[0]["text"] == "Go on."
    assert wrong[0]["error"].startswith("unknown_language: ")
    assert "column lang" in wrong[0]["error"]


def test_windows_are_slices_and_shorter_at_the_edges() -> None:
    text = "Ab. Cd. Ef. Gh. Ij."
    chunks = chunkers.create("sentence_window", window=1).chunk(text)
    windows = [text[c.window_start : c.window_end] for c in chunks if c.window_start is not None]
    assert [chunk.text for chunk in chunks] == ["Ab. ", "Cd. ", "Ef. ", "Gh. ", "Ij."]
    assert windows == ["Ab. Cd. ", "Ab. Cd. Ef. ", "Cd. Ef. Gh. ", "Ef. Gh. Ij.", "Gh. Ij."]


def test_windows_in_the_columns_and_in_a_cascade() -> None:
    definition = [{"delimiter": {"delimiter": "\n"}}, {"sentence_window": {"window": 1}}]
    text = "Ab. Cd. Ef.\nGh. Ij."
    (rows,) = chunkers.create_algorithm(definition).chunk_batch([text]).to_pylist()
    assert [text[row["window_start_char"] : row["window_end_char"]] for row in rows] == [
        "Ab. Cd. ",
        "Ab. Cd. Ef.\n",
        "Cd. Ef.\n",
        "Gh. Ij.",
        "Gh. Ij.",
    ]


def test_a_sentence_over_the_limit_keeps_its_window() -> None:
    text = "One two three four. Go on."
    chunks = chunkers.create("sentence_window", window=1, token_limit=3).chunk(text)
    assert [(c.text, c.window_start, c.window_end) for c in chunks] == [
        ("One two three", 0, 26),
        (" four. ", 0, 26),
        ("Go on.", 0, 26),
    ]


def test_wrong_parameters() -> None:
    with pytest.raises(ConfigurationError, match=r"sentence.language: unknown language 'klingon'"):
        chunkers.create("sentence", language="klingon")
    with pytest.raises(ConfigurationError, match="only the last stage can be sentence_window"):
        chunkers.create_cascade([("sentence_window", {}), ("recursive", {})])
    with pytest.raises(ConfigurationError, match="parent_child is no stage"):
        chunkers.create_cascade([("delimiter", {}), ("parent_child", {})])


SENTENCES = [
    "The wheel turns.",
    "Rye, oats and barley are what the mill grinds on most days of the year.",
    "The miller sleeps beside the warm oven until the evening comes and the geese are home.",
    "\u6c34\u8f66\u5728\u6cb3\u91cc\u6162\u6162\u8f6c\u52a8\u3002",
    "\u05d4\u05d2\u05dc\u05d2\u05dc \u05de\u05e1\u05ea\u05d5\u05d1\u05d1 \u05dc\u05d0\u05d8 \u05d1\u05e0\u05d4\u05e8.",
]


@given(
    st.lists(st.sampled_from(SENTENCES), max_size=30),
    st.integers(20, 60),
    st.integers(0, 3),
    st.sampled_from([(), ("Mill",)]),
)
def test_a_sentence_that_fits_is_whole_whatever_the_overlap(
    sentences: list[str], limit: int, shared: int, context: tuple[str, ...]
) -> None:
    text = " ".join(sentences)
    chunks = chunkers.create("sentence", token_limit=limit, overlap_sentences=shared).chunk(text, context)
    ends = {chunk.end for chunk in chunks} | {chunk.start for chunk in chunks}
    start = 0
    for sentence in sentences:
        end = start + len(sentence) + 1
        if fresh_count("cl100k_base", "".join(f"{part}\n" for part in context) + text[start:end]) <= limit:
            assert not [cut for cut in ends if start < cut < min(end, len(text))]
        start = end


@pytest.mark.parametrize(
    ("text", "first"),
    [("x don't Wheel\r\n\r\n      - x x Dr. x", "x don't Wheel\r\n\r\n      "), ("\nn' W\n  - ", "\nn' W\n  ")],
    ids=["blanks-and-a-mark", "short"],
)
def test_a_sentence_that_has_just_the_limit_is_whole(text: str, first: str) -> None:
    assert fresh_count("cl100k_base", first) == 6
    assert pieces(text, token_limit=6)[0] == first


@pytest.mark.parametrize("shared", [1, 2, 3])
def test_more_overlap_is_never_less(shared: int) -> None:
    text = (
        "Good. We start at six. The stone grinds all of the grain all day. "
        "The miller sleeps on the sacks at night. Fin."
    )
    second = pieces(text, token_limit=24, overlap_sentences=shared)[1]
    assert second.startswith("The stone grinds")
