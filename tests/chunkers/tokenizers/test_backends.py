"""gigatoken does the work only where it gives what tiktoken gives; otherwise it says so."""

from __future__ import annotations

import base64
import logging
import sys

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

from chunkers.errors import ConfigurationError
from chunkers.tokenizers import backends, create_tokenizer
from chunkers.tokenizers.backends import byte_pair_tokenizer, has_young
from chunkers.tokenizers.byte_pair import BytePairTokenizer
from chunkers.tokenizers.vocabularies import ENCODINGS, Encoding
from tests.strategies import PIECES, texts

TINY = Encoding("tiny", ENCODINGS["cl100k_base"].pattern, "cl100k", "")
SINGLE_BYTES = [bytes([byte]) for byte in range(256)]
TEXT = "the theme \u05d0 <|endoftext|>"


def rank_file(tokens: list[bytes]) -> bytes:
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))


DATA = rank_file([*SINGLE_BYTES, b"th", b"the"])


def tiktoken_ids(text: str) -> list[int]:
    return byte_pair_tokenizer(TINY, DATA, "tiktoken").encode_ids(text.encode()).tolist()


def both(name: str) -> tuple[BytePairTokenizer, BytePairTokenizer]:
    pytest.importorskip("gigatoken", reason="gigatoken is hidden: there is nothing to compare")
    pair = create_tokenizer(name, backend="gigatoken"), create_tokenizer(name, backend="tiktoken")
    assert all(isinstance(tokenizer, BytePairTokenizer) for tokenizer in pair)
    return pair  # type: ignore[return-value]


@pytest.mark.parametrize("name", ENCODINGS)
@settings(max_examples=300)
@given(text=texts())
def test_gigatoken_gives_the_ids_of_tiktoken(name: str, text: str) -> None:
    gigatoken, tiktoken = both(name)
    assert gigatoken.encode_ids(text.encode()).tolist() == tiktoken.encode_ids(text.encode()).tolist()


@pytest.mark.parametrize("name", ENCODINGS)
def test_gigatoken_gives_the_ids_of_tiktoken_for_long_runs(name: str) -> None:
    gigatoken, tiktoken = both(name)
    for piece in PIECES:
        encoded = (piece * (3000 // len(piece))).encode()
        assert gigatoken.encode_ids(encoded).tolist() == tiktoken.encode_ids(encoded).tolist(), ascii(piece)


def test_a_vocabulary_with_a_gap_is_encoded_with_its_own_ranks() -> None:
    tokens = dict.fromkeys(SINGLE_BYTES)
    data = rank_file([*tokens]) + base64.b64encode(b"ab") + b" 260\n"
    for backend in ("auto", "tiktoken"):
        tokenizer = byte_pair_tokenizer(TINY, data, backend)
        assert tokenizer.encode_ids(b"abb").tolist() == [260, ord("b")]
        assert tokenizer.spans("abb")[1].tolist() == [2, 3]


@pytest.fixture
def without_gigatoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gigatoken", None)


def test_without_gigatoken_tiktoken_encodes_and_a_warning_says_so(
    without_gigatoken: None, caplog: pytest.LogCaptureFixture
) -> None:
    tokenizer = byte_pair_tokenizer(TINY, DATA, "auto")
    assert tokenizer.encode_ids(TEXT.encode()).tolist() == tiktoken_ids(TEXT)
    assert warnings(caplog) == [
        "gigatoken is not installed: tiny is encoded by tiktoken, about ten times slower",
    ]


def test_gigatoken_asked_for_and_not_installed_is_an_error(without_gigatoken: None) -> None:
    with pytest.raises(ConfigurationError, match="backend: gigatoken is not installed"):
        byte_pair_tokenizer(TINY, DATA, "gigatoken")


def one_id_off(encoded: bytes) -> npt.NDArray[np.uint32]:
    ids = np.array(tiktoken_ids(encoded.decode()), np.uint32)
    ids[-1] += 1
    return ids


def fails(*arguments: object) -> None:
    raise RuntimeError("no such pattern")


@pytest.fixture(params=[("differs", "gigatoken and tiktoken differ on tiny"), ("fails", "gigatoken fails on tiny")])
def unusable_gigatoken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A gigatoken that is wrong or breaks; gives what is said about it."""
    how, message = request.param
    monkeypatch.setattr(backends.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(backends, "_gigatoken", fails if how == "fails" else lambda *arguments: one_id_off)
    return str(message)


def test_a_gigatoken_that_differs_or_fails_is_not_used_and_a_warning_says_so(
    unusable_gigatoken: str, caplog: pytest.LogCaptureFixture
) -> None:
    tokenizer = byte_pair_tokenizer(TINY, DATA, "auto")
    assert tokenizer.encode_ids(TEXT.encode()).tolist() == tiktoken_ids(TEXT)
    (warning,) = warnings(caplog)
    assert unusable_gigatoken in warning
    assert warning.endswith("tiny is encoded by tiktoken, about ten times slower")


def test_a_gigatoken_that_differs_or_fails_is_an_error_when_asked_for(unusable_gigatoken: str) -> None:
    with pytest.raises(ConfigurationError, match=unusable_gigatoken):
        byte_pair_tokenizer(TINY, DATA, "gigatoken")


def test_backend_tiktoken_does_not_touch_gigatoken(unusable_gigatoken: str, caplog: pytest.LogCaptureFixture) -> None:
    tokenizer = byte_pair_tokenizer(TINY, DATA, "tiktoken")
    assert tokenizer.encode_ids(TEXT.encode()).tolist() == tiktoken_ids(TEXT)
    assert not warnings(caplog)


def test_gigatoken_is_used_where_it_agrees(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    encoded: list[bytes] = []

    def agreeing(text: bytes) -> npt.NDArray[np.uint32]:
        encoded.append(text)
        return np.array(tiktoken_ids(text.decode()), np.uint32)

    monkeypatch.setattr(backends.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(backends, "_gigatoken", lambda *arguments: agreeing)
    for backend in ("auto", "gigatoken"):
        assert byte_pair_tokenizer(TINY, DATA, backend).count("the theme") == 5
        assert encoded[-1] == b"the theme"
    assert not warnings(caplog)


def test_a_gigatoken_of_a_newer_unicode_is_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    future = chr(13 * 19_000).encode()  # not assigned today: here it is a letter

    def newer(text: bytes) -> npt.NDArray[np.uint32]:
        return np.array(tiktoken_ids(text.replace(future, b"a").decode()), np.uint32)

    monkeypatch.setattr(backends.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(backends, "_gigatoken", lambda *arguments: newer)
    assert byte_pair_tokenizer(TINY, DATA, "auto").encode_ids(future).tolist() == list(future)
    assert "gigatoken and tiktoken differ on tiny" in warnings(caplog)[0]


@pytest.mark.parametrize("name", ["r50k_base", "o200k_base"])
def test_both_class_every_character_alike(name: str) -> None:
    gigatoken, tiktoken = both(name)
    for low in range(0, 0x40000, 0x4000):
        characters = (chr(point) for point in range(low, low + 0x4000) if not 0xD800 <= point < 0xE000)
        lines = [f"{character}'s{character}1234\n".encode() for character in characters]
        text = b"".join(line for line in lines if not has_young(line))
        assert np.array_equal(gigatoken.encode_ids(text), tiktoken.encode_ids(text)), (
            f"between {low:x} and {low + 0x4000:x}"
        )


@pytest.mark.parametrize("name", ENCODINGS)
def test_characters_that_they_class_differently_are_encoded_by_tiktoken(name: str) -> None:
    gigatoken, tiktoken = both(name)
    for (
        character
    ) in "\u088f\u0c5c\u0cdc\u1acf\ua7ce\U00010940\U00011de0\U00016ea0\U00018d80\U0001e6c0\U000323b0\U00033479":
        text = f"{character}'s{character}1234"
        assert gigatoken.encode_ids(text.encode()).tolist() == tiktoken.encode_ids(text.encode()).tolist(), ascii(
            character
        )


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
