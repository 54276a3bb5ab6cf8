"""The libraries that encode: gigatoken where it is installed and agrees, else tiktoken."""

from __future__ import annotations

import base64
import functools
import importlib.util
import itertools
import logging
import re
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chunkers.errors import ConfigurationError, Problem
from chunkers.tokenizers.byte_pair import BytePairTokenizer, EncodeIds
from chunkers.tokenizers.vocabularies import Encoding, ranks

log = logging.getLogger("chunkmill")

BACKENDS = ("auto", "gigatoken", "tiktoken")

_PROBE = (
    "It's 12,345.67 words\u00a0here:  tabs\t\tand\r\n\r\nlines \u2028 \u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"
    " \u4f60\u597d\uff0c\u4e16\u754c\u3002 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0928\u092e\u0938\u094d\u0924\u0947 "
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 <|endoftext|> \x00\x1f a\u0301e\u0308 ''' WE'LL you\u017f "
    + "=" * 300
    + " " * 70
    + "x" * 400
)

# Letters, marks and digits that Unicode 17 added, in UTF-8 and with a few neighbours: gigatoken 0.10
# knows them, tiktoken 0.14 does not. Each pattern begins with a fixed byte, which makes it fast.
_YOUNG = (
    re.compile(rb"\xe0[\xa2\xb1\xb3][\x8f\x9c]").search,
    re.compile(rb"\xe1\xab[\x8f-\xab]").search,
    re.compile(rb"\xea\x9f[\x8e-\xb1]").search,
    re.compile(
        rb"\xf0(?:\x90[\xa5\xbb]|\x91[\xad\xb6\xb7]|\x96[\xba\xbb\xbf]|\x98[\x9f\xb4\xb6\xb7]"
        rb"|\x9e\x9b|\xab\x9c|\xac\xba|\xb2[\x8e-\xbf]|\xb3[\x80-\x91])"
    ).search,
)


def byte_pair_tokenizer(encoding: Encoding, data: bytes, backend: str) -> BytePairTokenizer:
    """A tokenizer of this rank file; `backend` is `auto`, `gigatoken` or `tiktoken`."""
    mergeable = ranks(data, encoding.name)
    encode_ids = _tiktoken(encoding, mergeable)
    if backend != "tiktoken":
        try:
            encode_ids = _checked_gigatoken(encoding, mergeable, encode_ids)
        except _UnusableError as reason:
            if backend == "gigatoken":
                raise ConfigurationError([Problem("backend", str(reason), "use backend auto or tiktoken")]) from reason
            log.warning("%s: %s is encoded by tiktoken, about ten times slower", reason, encoding.name)
    return BytePairTokenizer(encoding.name, encode_ids, {rank: token for token, rank in mergeable.items()})


class _UnusableError(Exception):
    """Why gigatoken is not to be used."""


def _tiktoken(encoding: Encoding, mergeable: dict[bytes, int]) -> EncodeIds:
    import tiktoken

    core = tiktoken.Encoding(encoding.name, pat_str=encoding.pattern, mergeable_ranks=mergeable, special_tokens={})

    def encode_ids(encoded: bytes) -> npt.NDArray[np.uint32]:
        return np.array(core.encode_ordinary(encoded.decode()), np.uint32)

    return encode_ids


def _checked_gigatoken(encoding: Encoding, mergeable: dict[bytes, int], reference: EncodeIds) -> EncodeIds:
    """gigatoken's encoder, once it has given the same ids as tiktoken for texts made to hurt."""
    if importlib.util.find_spec("gigatoken") is None:
        raise _UnusableError("gigatoken is not installed")
    try:
        encode_ids = _gigatoken(encoding, mergeable)
        agrees = all(np.array_equal(encode_ids(text), reference(text)) for text in (_PROBE.encode(), _sweep()))
    except Exception as error:  # A young library: whatever it raises, there is tiktoken.
        raise _UnusableError(f"gigatoken fails on {encoding.name} ({error})") from error
    if not agrees:
        raise _UnusableError(f"gigatoken and tiktoken differ on {encoding.name}")
    return _guarded(encode_ids, reference)


def _guarded(fast: EncodeIds, reference: EncodeIds) -> EncodeIds:
    """`fast`, but `reference` for texts with characters that the two libraries class differently."""

    def encode_ids(encoded: bytes) -> npt.NDArray[np.uint32]:
        return fast(encoded) if encoded.isascii() or not has_young(encoded) else reference(encoded)

    return encode_ids


def has_young(encoded: bytes) -> bool:
    """Whether UTF-8 text may hold a character that gigatoken knows and tiktoken does not."""
    first, second, third, fourth = _YOUNG
    return bool(first(encoded) or second(encoded) or third(encoded) or fourth(encoded))


@functools.cache
def _sweep() -> bytes:
    """Characters from all over Unicode, each where its class decides about the ids.

    A library that has come to know a newer Unicode than the other shows here.
    """
    points = (point for point in range(0, 0x40000, 13) if not 0xD800 <= point < 0xE000)
    lines = (f"{chr(point)}'s{chr(point)}1234\n".encode() for point in points)
    return b"".join(line for line in lines if not has_young(line))


def _gigatoken(encoding: Encoding, mergeable: dict[bytes, int]) -> EncodeIds:
    import gigatoken

    with tempfile.TemporaryDirectory(prefix="chunkmill-") as folder:
        path = Path(folder) / f"{encoding.scheme}.tiktoken"
        path.write_bytes(_dense_ranks(mergeable))
        encode: EncodeIds = gigatoken.Tokenizer.from_tiktoken(path, pretokenizer=encoding.scheme).encode
    return encode


def _dense_ranks(mergeable: dict[bytes, int]) -> bytes:
    """The rank file with its gaps filled, as gigatoken wants it (p50k_base has one).

    The fillers are runs of 0xFF, a byte that UTF-8 never holds, so no text can give them; each is
    the one before and one more byte, so that it can be merged of two tokens, as every token must.
    """
    fillers = (run for run in (b"\xff" * n for n in itertools.count(2)) if run not in mergeable)
    by_rank = {rank: token for token, rank in mergeable.items()}
    tokens = (by_rank.get(rank) or next(fillers) for rank in range(max(by_rank) + 1))
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))
