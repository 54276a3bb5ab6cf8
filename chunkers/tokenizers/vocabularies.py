"""Vocabulary files: where they are found, and proof that they are the right ones.

A named vocabulary is looked for in what this process was supplied with, in this package's bundle, in
`TIKTOKEN_CACHE_DIR`, and by tiktoken's own download, in that order; its SHA-256 must be that of the
file which OpenAI publishes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.resources
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

from chunkers.errors import ConfigurationError, Problem, nearest
from chunkers.tokenizers.files import supplied

_PUBLISHED = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"

_DAMAGED = "the file is damaged: install chunkmill anew, or clear TIKTOKEN_CACHE_DIR"
_MOST_GAPS = 1000

_R50K_PATTERN = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
_CL100K_PATTERN = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"""
    r"""|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)
_O200K_PATTERN = (
    r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"""
    r"""|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"""
    r"""|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
)


@dataclass(frozen=True)
class Encoding:
    """A published byte-pair encoding: its split pattern, gigatoken's name for it, its file's hash."""

    name: str
    pattern: str
    scheme: str
    sha256: str


ENCODINGS = {
    encoding.name: encoding
    for encoding in (
        Encoding(
            "cl100k_base", _CL100K_PATTERN, "cl100k", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
        ),
        Encoding(
            "o200k_base", _O200K_PATTERN, "o200k", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
        ),
        Encoding(
            "p50k_base", _R50K_PATTERN, "r50k", "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069"
        ),
        Encoding(
            "r50k_base", _R50K_PATTERN, "r50k", "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"
        ),
    )
}


def named_vocabulary(name: str) -> bytes:
    """The rank file of a published encoding, checked by its hash."""
    encoding = ENCODINGS[name]
    file = supplied(name)
    found = _bundled(name) if file is None else file.contents()
    if found is None:
        found = _cached(name)
    if found is None:
        found = _downloaded(encoding)
    if sha256(found) != encoding.sha256:
        raise _problem(
            f"the vocabulary file of {name} has SHA-256 {sha256(found)}, expected {encoding.sha256}", _DAMAGED
        )
    return found


def file_encoding(path: Path, data: bytes, pattern: str | None) -> Encoding:
    """Which encoding a `.tiktoken` file belongs to: by its hash, else by the pattern's name given."""
    digest = sha256(data)
    for encoding in ENCODINGS.values():
        if encoding.sha256 == digest and pattern in (None, encoding.name):
            return encoding
    if pattern in ENCODINGS:
        known = ENCODINGS[pattern]
        return Encoding(path.name, known.pattern, known.scheme, digest)
    message = f"{path.name} holds ranks but no split pattern" if pattern is None else f"no pattern {pattern!r}"
    hint = "name it behind an @, as in ranks.tiktoken@cl100k_base" if pattern is None else nearest(pattern, ENCODINGS)
    raise _problem(message, hint)


def ranks(data: bytes, source: str) -> dict[bytes, int]:
    """Token bytes and their ranks, from the lines of a rank file."""
    try:
        pairs = (line.split() for line in data.splitlines() if line)
        found = {base64.b64decode(token, validate=True): int(rank) for token, rank in pairs}
    except ValueError as error:
        message = f"{source} is not a rank file: {error}"
        raise _problem(message, "expected lines of base64 token and rank") from error
    if any(bytes([byte]) not in found for byte in range(256)):
        raise _problem(f"{source} lacks tokens of a single byte", "expected all 256, so that any text can be encoded")
    values = set(found.values())
    if len(values) < len(found) or min(values) < 0 or max(values) >= len(found) + _MOST_GAPS:
        raise _problem(f"{source} has ranks that are doubled, negative or far apart", "expected 0, 1, 2 ...")
    return found


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _bundled(name: str) -> bytes | None:
    place = importlib.resources.files("chunkers.tokenizers") / "vocabularies" / f"{name}.tiktoken.gz"
    if not place.is_file():
        return None
    try:
        return gzip.decompress(place.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise _problem(f"the vocabulary file of {name} can't be unpacked: {error}", _DAMAGED) from error


def _cached(name: str) -> bytes | None:
    folder = os.environ.get("TIKTOKEN_CACHE_DIR")
    if not folder:
        return None
    place = Path(folder) / hashlib.sha1(_PUBLISHED.format(name).encode(), usedforsecurity=False).hexdigest()
    return place.read_bytes() if place.is_file() else None


def _downloaded(encoding: Encoding) -> bytes:
    from tiktoken.load import read_file_cached

    try:
        return read_file_cached(_PUBLISHED.format(encoding.name), encoding.sha256)
    except (OSError, ValueError, ImportError) as error:  # What the requests library raises are OSErrors.
        raise _problem(
            f"no vocabulary file of {encoding.name} in the package or TIKTOKEN_CACHE_DIR, nor by download: {error}",
            "install chunkmill anew, or give the path of a .tiktoken file",
        ) from error


def _problem(message: str, hint: str) -> ConfigurationError:
    return ConfigurationError([Problem("tokenizer", message, hint)])
