"""Tokenizer files from elsewhere: what a driver hands to its workers."""

from __future__ import annotations

import dataclasses
import pickle
import shutil
from pathlib import Path

import pytest

import chunkers
from chunkers.errors import ConfigurationError
from chunkers.tokenizers import TokenizerFile, create_tokenizer, files, supply, tokenizer_file
from chunkers.tokenizers.words import WORD_TOKENIZERS
from tests.chunkers.tokenizers.test_vocabularies import SINGLE_BYTES, bundled

TEXT = "The mill grinds grain, 12 sacks a day."


@pytest.fixture(autouse=True)
def nothing_supplied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_SUPPLIED", {})


def files_of(*names: str) -> list[TokenizerFile]:
    """The files as they come out of a pickle."""
    made: list[TokenizerFile] = pickle.loads(pickle.dumps([tokenizer_file(name) for name in names]))
    return made


def test_a_named_vocabulary_needs_no_bundle(bundle: Path, no_network: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(Path(chunkers.__file__).parent / "tokenizers/vocabularies/p50k_base.tiktoken.gz", bundle)
    tokenizer_file.cache_clear()
    (file,) = files_of("p50k_base")
    (bundle / "p50k_base.tiktoken.gz").unlink()
    monkeypatch.setattr("tiktoken.load.read_file_cached", lambda *arguments: pytest.fail("a download was tried"))
    supply(file)
    assert create_tokenizer("p50k_base").count(TEXT) == 11
    assert len(file.data) < len(bundled("p50k_base")) / 2


@pytest.mark.parametrize("name", ["ranks.tiktoken@cl100k_base", "tokenizer.json"])
def test_a_file_need_not_be_where_it_was(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(name.partition("@")[0])
    path.write_bytes(SINGLE_BYTES if path.suffix == ".tiktoken" else _tokenizer_json())
    before, (file,) = create_tokenizer(f"{tmp_path}/{name}"), files_of(name)
    path.unlink()
    with pytest.raises(ConfigurationError, match="no file"):
        create_tokenizer(name)
    supply(file)
    there = create_tokenizer(name)
    assert there.name == before.name
    assert there.count(TEXT) == before.count(TEXT) > 1
    assert create_tokenizer(name) is there


def test_another_file_of_the_same_name_is_another_tokenizer() -> None:
    with_pair = SINGLE_BYTES + b"YWI= 256\n"
    for ranks, tokens in ((SINGLE_BYTES, 2), (with_pair, 1), (SINGLE_BYTES, 2)):
        supply(TokenizerFile.of("anywhere/x.tiktoken@r50k_base", ranks))
        assert create_tokenizer("anywhere/x.tiktoken@r50k_base").count("ab") == tokens


def test_word_tokenizers_need_no_file() -> None:
    assert [tokenizer_file(name) for name in WORD_TOKENIZERS] == [None] * len(WORD_TOKENIZERS)


def test_what_is_supplied_is_checked() -> None:
    supply(TokenizerFile.of("r50k_base", SINGLE_BYTES))
    with pytest.raises(ConfigurationError, match=r"r50k_base has SHA-256 .*, expected 306cd27f"):
        create_tokenizer("r50k_base")
    for data in (b"", TokenizerFile.of("x.json", b"other").data):
        supply(dataclasses.replace(TokenizerFile.of("x.json", b"{}"), data=data))
        with pytest.raises(ConfigurationError, match=r"x\.json that was supplied is not the one with SHA-256 44136fa3"):
            create_tokenizer("x.json")


def _tokenizer_json() -> bytes:
    from tests.tokenizer_files import wordpiece

    contents: str = wordpiece().to_str()
    return contents.encode()
