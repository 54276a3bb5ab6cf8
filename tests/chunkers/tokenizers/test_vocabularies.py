"""Where vocabulary files are found, and what becomes of damaged ones."""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.resources
from pathlib import Path

import pytest
import tiktoken.load

from chunkers.errors import ConfigurationError
from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.backends import byte_pair_tokenizer
from chunkers.tokenizers.vocabularies import ENCODINGS, file_encoding, named_vocabulary, ranks
from tests.chunkers.tokenizers.conftest import URL

each_encoding = pytest.mark.parametrize("name", ENCODINGS)
BUNDLE = importlib.resources.files("chunkers.tokenizers") / "vocabularies"
SINGLE_BYTES = b"".join(b"%s %d\n" % (base64.b64encode(bytes([byte])), byte) for byte in range(256))


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder that TIKTOKEN_CACHE_DIR names."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    return folder


def bundled(name: str) -> bytes:
    return gzip.decompress((BUNDLE / f"{name}.tiktoken.gz").read_bytes())


def cached(folder: Path, name: str) -> Path:
    return folder / hashlib.sha1(URL.format(name).encode()).hexdigest()


@each_encoding
def test_bundled_files_are_the_published_ones(name: str) -> None:
    assert hashlib.sha256(bundled(name)).hexdigest() == ENCODINGS[name].sha256
    assert named_vocabulary(name) == bundled(name)


@each_encoding
def test_bundled_vocabularies_need_no_network(name: str, no_network: None) -> None:
    tokenizer = byte_pair_tokenizer(ENCODINGS[name], named_vocabulary(name), "auto")
    assert tokenizer.count("no network") == 2


def test_the_bundle_comes_before_the_cache(cache: Path, no_network: None) -> None:
    cached(cache, "r50k_base").write_bytes(b"something else")
    assert named_vocabulary("r50k_base") == bundled("r50k_base")


def test_the_cache_comes_before_a_download(bundle: Path, cache: Path, no_network: None) -> None:
    cached(cache, "r50k_base").write_bytes(bundled("r50k_base"))
    assert named_vocabulary("r50k_base") == bundled("r50k_base")


def test_a_download_comes_last(bundle: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def download(url: str, expected_hash: str) -> bytes:
        asked.append((url, expected_hash))
        return bundled("r50k_base")

    monkeypatch.setattr(tiktoken.load, "read_file_cached", download)
    assert named_vocabulary("r50k_base") == bundled("r50k_base")
    assert asked == [(URL.format("r50k_base"), ENCODINGS["r50k_base"].sha256)]


def test_found_nowhere(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(url: str, expected_hash: str) -> bytes:
        raise ConnectionError("no route to host")

    monkeypatch.setattr(tiktoken.load, "read_file_cached", unreachable)
    with pytest.raises(ConfigurationError, match=r"no vocabulary file of r50k_base .* no route to host"):
        named_vocabulary("r50k_base")


def test_a_bundled_file_with_other_contents_is_an_error(bundle: Path, no_network: None) -> None:
    other = bundled("r50k_base").replace(b"IQ== 0\n", b"IQ== 1\n")
    (bundle / "r50k_base.tiktoken.gz").write_bytes(gzip.compress(other))
    with pytest.raises(ConfigurationError) as error:
        named_vocabulary("r50k_base")
    assert hashlib.sha256(other).hexdigest() in str(error.value)
    assert ENCODINGS["r50k_base"].sha256 in str(error.value)


@pytest.mark.parametrize("damage", [lambda data: data[:1000], lambda data: b"", lambda data: data[:99] + b"\xff" * 900])
def test_a_bundled_file_that_cannot_be_unpacked_is_an_error(bundle: Path, damage, no_network: None) -> None:  # type: ignore[no-untyped-def]
    packed = (BUNDLE / "r50k_base.tiktoken.gz").read_bytes()
    (bundle / "r50k_base.tiktoken.gz").write_bytes(damage(packed))
    with pytest.raises(ConfigurationError, match="vocabulary file of r50k_base"):
        named_vocabulary("r50k_base")


def test_a_damaged_cache_file_is_an_error_and_stays(bundle: Path, cache: Path, no_network: None) -> None:
    place = cached(cache, "r50k_base")
    place.write_bytes(b"damaged")
    with pytest.raises(ConfigurationError, match=r"SHA-256 .*, expected 306cd27f.*TIKTOKEN_CACHE_DIR"):
        named_vocabulary("r50k_base")
    assert place.read_bytes() == b"damaged"


@each_encoding
def test_a_published_file_is_known_by_its_hash(name: str, tmp_path: Path, no_network: None) -> None:
    place = tmp_path / "renamed.tiktoken"
    place.write_bytes(bundled(name))
    text = "It's 12345 \u05e9\u05dc\u05d5\u05dd  \n x"
    from_path = create_tokenizer(str(place))
    assert from_path.name == name
    assert from_path.tokenize(text).starts.tolist() == create_tokenizer(name).tokenize(text).starts.tolist()


@pytest.mark.parametrize(("pattern", "count"), [("cl100k_base", 2), ("r50k_base", 1)])
def test_ranks_of_ones_own_take_a_named_pattern(pattern: str, count: int, tmp_path: Path) -> None:
    tokens = [b"12", b"123", b"1234"]
    lines = b"".join(b"%s %d\n" % (base64.b64encode(token), 256 + n) for n, token in enumerate(tokens))
    (tmp_path / "own.tiktoken").write_bytes(SINGLE_BYTES + lines)
    tokenizer = create_tokenizer(f"{tmp_path / 'own.tiktoken'}@{pattern}")
    assert tokenizer.name == "own.tiktoken"
    assert tokenizer.count("1234") == count


def test_a_published_file_with_another_pattern_is_ones_own() -> None:
    encoding = file_encoding(Path("r50k.tiktoken"), bundled("r50k_base"), "cl100k_base")
    assert (encoding.name, encoding.pattern) == ("r50k.tiktoken", ENCODINGS["cl100k_base"].pattern)


@pytest.mark.parametrize(
    ("pattern", "message", "hint"),
    [
        ("", "own.tiktoken holds ranks but no split pattern", "ranks.tiktoken@cl100k_base"),
        ("@cl100kbase", "no pattern 'cl100kbase'", "did you mean 'cl100k_base'?"),
        ("@zzz", "no pattern 'zzz'", "known: cl100k_base, o200k_base, p50k_base, r50k_base"),
    ],
)
def test_unknown_patterns_are_errors(pattern: str, message: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "own.tiktoken").write_bytes(SINGLE_BYTES)
    with pytest.raises(ConfigurationError) as error:
        create_tokenizer(f"{tmp_path / 'own.tiktoken'}{pattern}")
    (problem,) = error.value.problems
    assert problem.message == message
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "lacks tokens of a single byte"),
        (b"YQ== 0\n", "lacks tokens of a single byte"),
        (b"not a rank file\n", "is not a rank file"),
        (b"YQ== x\n", "is not a rank file"),
        (b"Y! 0\n", "is not a rank file"),
        (b"\x1f\x8b\x00\xff", "is not a rank file"),
        (SINGLE_BYTES + base64.b64encode(b"ab") + b" 7\n", "has ranks that are doubled"),
        (SINGLE_BYTES + base64.b64encode(b"ab") + b" -1\n", "has ranks that are doubled, negative"),
        (
            SINGLE_BYTES + base64.b64encode(b"ab") + b" 4000000000\n",
            "has ranks that are doubled, negative or far apart",
        ),
    ],
)
def test_files_without_usable_ranks_are_errors(data: bytes, message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"own.tiktoken {message}"):
        ranks(data, "own.tiktoken")
