"""Hugging Face files: nothing cut or padded, special tokens counted, the promises kept on hostile texts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkers
from chunkers.errors import ConfigurationError
from chunkers.tokenizers import create_tokenizer, tokenizer_json
from tests.strategies import PIECES, slices, texts
from tests.tokenizer_files import KINDS, minilm, models, normalizers, tokenizers, unigram, wordpiece

each_kind = pytest.mark.parametrize("kind", KINDS)
ADDED = {"wordpiece": 2, "byte_level_bpe": 0, "unigram": 2, "whole_text_bpe": 1}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of each kind, all with truncation and padding stored."""
    folder = tmp_path_factory.mktemp("files")
    made = {}
    for kind, make in KINDS.items():
        tokenizer = make()
        tokenizer.enable_truncation(16)
        tokenizer.enable_padding(length=16)
        made[kind] = folder / f"{kind}.json"
        tokenizer.save(str(made[kind]))
    return made


@pytest.fixture(scope="module")
def plain(files: Files) -> dict[str, tokenizers.Tokenizer]:
    """The same tokenizers as the library has them, without truncation and padding.

    Read from the same files: training breaks ties differently each time.
    """
    made = {kind: tokenizers.Tokenizer.from_file(str(path)) for kind, path in files.items()}
    for tokenizer in made.values():
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True
    return made


Files = dict[str, Path]
Plain = dict[str, tokenizers.Tokenizer]


def save(tokenizer: tokenizers.Tokenizer, folder: Path) -> Path:
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder / "tokenizer.json"


@each_kind
@given(text=texts())
def test_counts_are_those_of_the_library(kind: str, text: str, files: Files, plain: Plain) -> None:
    tokenizer = create_tokenizer(str(files[kind]))
    assert tokenizer.count(text) == len(plain[kind].encode(text))
    assert tokenizer.count(text) == len(tokenizer.spans(text)[0]) + tokenizer.added_tokens
    assert tokenizer.added_tokens == ADDED[kind]


@each_kind
@given(found=slices(), before=texts(3))
def test_counts_of_slices_are_those_of_a_fresh_encode(
    kind: str, found: tuple[str, int, int], before: str, files: Files, plain: Plain
) -> None:
    text, start, end = found
    tokens = create_tokenizer(str(files[kind])).tokenize(text)
    assert tokens.count(start, end, before) == len(plain[kind].encode(before + text[start:end]))


@each_kind
@given(text=texts())
def test_spans_ascend_within_the_text(kind: str, text: str, files: Files) -> None:
    starts, ends = create_tokenizer(str(files[kind])).spans(text)
    assert len(starts) == len(ends)
    assert (np.diff(starts) >= 0).all()
    assert (starts <= ends).all()
    assert (ends[:-1] <= starts[1:]).all()
    assert not len(starts) or (starts[0] >= 0 and ends[-1] <= len(text))


@given(text=texts())
def test_byte_level_spans_are_byte_ends_moved_back_to_characters(text: str, files: Files, plain: Plain) -> None:
    starts, ends = create_tokenizer(str(files["byte_level_bpe"])).spans(text)
    sizes = [len(token) for token in plain["byte_level_bpe"].encode(text).tokens]  # one character a byte
    expected = [len(text.encode()[:end].decode(errors="ignore")) for end in np.cumsum(sizes, dtype=int).tolist()]
    assert ends.tolist() == expected
    assert starts.tolist() == [0, *expected[:-1]][: len(expected)]


@pytest.mark.parametrize(
    ("normalizer", "text", "starts"),
    [
        (normalizers.Lowercase(), "\u0130I\U00010400", [0, 0, 1, 2]),
        (normalizers.NFD(), "\u00e9x\uac01y", [0, 0, 1, 2, 2, 2, 3]),
        (normalizers.NFC(), "e\u0301xa\u0323\u0301y", [0, 2, 3, 5, 6]),
        (normalizers.NFKC(), "\ufb01x\u00bd", [0, 0, 1, 2, 2, 2]),
        (normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]), "\u00e9te\u0301x", [0, 1, 2, 4]),
        (normalizers.Prepend("\u2581"), "ab", [0, 0, 1]),
        (normalizers.Replace("ab", ""), "xabyabz", [0, 3, 6]),
    ],
)
def test_starts_are_those_of_the_text_before_normalizing(
    normalizer: normalizers.Normalizer, text: str, starts: list[int], tmp_path: Path
) -> None:
    every_character = tokenizers.Tokenizer(models.BPE(vocab={"?": 0}, merges=[], unk_token="?"))
    every_character.normalizer = normalizer
    tokenizer = create_tokenizer(str(save(every_character, tmp_path)))
    assert tokenizer.spans(text)[0].tolist() == starts
    assert tokenizer.spans(text)[1].tolist() == sorted(tokenizer.spans(text)[1].tolist())


@each_kind
def test_text_that_looks_like_a_special_token_is_plain_text(kind: str, files: Files) -> None:
    tokenizer = create_tokenizer(str(files[kind]))
    for entry in json.loads(files[kind].read_text())["added_tokens"]:
        assert len(tokenizer.spans(entry["content"])[0]) > 1, entry["content"]


@each_kind
def test_stored_truncation_and_padding_do_nothing(kind: str, files: Files) -> None:
    tokenizer = create_tokenizer(str(files[kind]))
    assert json.loads(files[kind].read_text())["truncation"]["max_length"] == 16
    assert tokenizer.count("") == tokenizer.added_tokens
    text = "the grain " * 200
    starts, ends = tokenizer.spans(text)
    assert tokenizer.count(text) >= 400
    assert starts[0] == 0
    assert ends[-1] >= len(text) - 1


def test_dropout_is_off(tmp_path: Path) -> None:
    made = KINDS["byte_level_bpe"]()
    made.model.dropout = 0.5
    tokenizer = create_tokenizer(str(save(made, tmp_path)))
    assert len({tokenizer.count("the grain of the valley" * 20) for _ in range(10)}) == 1


def test_a_text_of_many_pieces_has_the_starts_of_one(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = create_tokenizer(str(files["byte_level_bpe"]))
    text = " grain 12 \u05d7\u05d9\u05d8\u05d4" * 40
    whole = tokenizer.tokenize(text).starts.tolist()
    monkeypatch.setattr(tokenizer_json, "_PIECE", len(text) // 8)
    assert tokenizer.tokenize(text).starts.tolist() == whole
    monkeypatch.setattr(tokenizer_json, "_PIECE", 7)
    starts = tokenizer.tokenize(text).starts
    assert (np.diff(starts) >= 0).all()
    assert set(range(0, len(text), 7)) <= set(starts.tolist())


@each_kind
@pytest.mark.parametrize("rate", [0.0, 0.5])
@given(text=texts(30), limit=st.sampled_from([8, 13, 40]))
@example(text="x" * 350 + " " + "\u0e2a\u0e27" * 90, limit=8)
@example(text="[CLS] " * 40 + "<|endoftext|>" * 9, limit=13)
@example(text="e\u0301\u0323" * 60, limit=8)
def test_chunks_are_exact_lossless_and_within_the_limit(
    kind: str, rate: float, text: str, limit: int, files: Files, plain: Plain
) -> None:
    made = chunkers.create(
        "fixed_token_length", token_limit=limit, overlap_rate=rate, tokenizer=str(files[kind])
    ).chunk(text, ("A title\n",))
    done = 0
    for chunk in made:
        assert chunk.text == text[chunk.start : chunk.end]
        assert not text[done : chunk.start].strip()
        assert chunk.end > done
        done = chunk.end
        size = len(plain[kind].encode(chunk.index_text))
        assert size == chunk.token_count
        assert size <= limit or (chunk.over_limit and chunk.end == chunk.start + 1)
    assert not text[done:].strip()


def test_one_unknown_token_may_be_a_long_word(tmp_path: Path) -> None:
    tokenizer = create_tokenizer(str(save(wordpiece(), tmp_path)))
    assert tokenizer.spans("x" * 5000 + " grain")[0].tolist()[:2] == [0, 5001]


@pytest.mark.parametrize("data", [b"", b"not json", b"{}", b"[1]", b'{"vocab": {"a": 1}}', b"\xff\xfe\x00", b"null"])
def test_a_file_that_holds_no_tokenizer_is_an_error(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(data)
    with pytest.raises(ConfigurationError, match=r"tokenizer\.json holds no tokenizer: .*expected a Hugging Face"):
        create_tokenizer(str(tmp_path / "tokenizer.json"))


@pytest.mark.parametrize(
    "model",
    [models.WordPiece({"a": 0}, unk_token="[UNK]"), models.Unigram([("a", -1.0)]), models.WordLevel({"a": 0}, "?")],
)
def test_a_tokenizer_that_cannot_encode_every_text_is_an_error(model: models.Model, tmp_path: Path) -> None:
    path = save(tokenizers.Tokenizer(model), tmp_path)
    with pytest.raises(ConfigurationError, match=r"tokenizer\.json can't encode every text"):
        create_tokenizer(str(path))


def test_without_the_package_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(unigram(), tmp_path)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ConfigurationError, match=r"pip install chunkmill\[huggingface\]"):
        create_tokenizer(str(path))


def test_an_algorithm_takes_the_file_and_counts_its_special_tokens(files: Files) -> None:
    (chunk,) = chunkers.create("fixed_token_length", token_limit=16, tokenizer=str(files["wordpiece"])).chunk(
        "the grain"
    )
    assert chunk.token_count == create_tokenizer(str(files["wordpiece"])).count("the grain") == 4


def test_minilm_counts_whole_texts() -> None:
    stored = tokenizers.Tokenizer.from_file(str(minilm()))
    tokenizer = create_tokenizer(str(minilm()))
    assert len(stored.encode("word " * 500)) == len(stored.encode("word")) == 128
    assert tokenizer.count("word " * 500) == 502
    assert tokenizer.count("word") == 3
    assert tokenizer.spans("Caf\u00e9s, na\u00efve [SEP]")[0].tolist()[:3] == [0, 5, 7]


def test_minilm_keeps_the_limit_on_every_piece() -> None:
    chunker = chunkers.create("fixed_token_length", token_limit=32, overlap_rate=0.2, tokenizer=str(minilm()))
    tokenizer = create_tokenizer(str(minilm()))
    text = " ".join(piece * 9 for piece in PIECES)
    for chunk in chunker.chunk(text):
        assert chunk.text == text[chunk.start : chunk.end]
        assert tokenizer.count(chunk.index_text) == chunk.token_count <= 32
