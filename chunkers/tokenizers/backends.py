"""The libraries that encode: gigatoken where it is installed and agrees, else tiktoken."""

from __future__ import annotations

import base64
import importlib.util
import itertools
import logging
import tempfile
from pathlib import Path

import numpy as np

from chunkers.chunk import IntArray
from chunkers.errors import ConfigurationError, Problem
from chunkers.tokenizers.byte_pair import BytePairTokenizer, EncodeIds
from chunkers.tokenizers.vocabularies import Encoding, ranks

log = logging.getLogger("chunkmill")

BACKENDS = ("auto", "gigatoken", "tiktoken")

_PROBE = (
    "It's 12,345.67 words\u00a0here:  tabs\t\tand\r\n\r\nlines \u2028 \u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd "
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0928\u092e\u0938\u094d\u0924\u0947 "
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 <|endoftext|> \x00\x1f a\u0301e\u0308 ''' WE'LL you\u017f "
    + "=" * 300
    + " " * 70
    + "x" * 400
)


def byte_pair_tokenizer(encoding: Encoding, data: bytes, backend: str) -> BytePairTokenizer:
    """A tokenizer of this rank file; `backend` is `auto`, `gigatoken` or `tiktoken`."""
    mergeable = ranks(data, encoding.name)
    reference = _tiktoken(encoding, mergeable)
    encode_ids = reference if backend == "tiktoken" else _checked_gigatoken(encoding, mergeable, reference, backend)
    return BytePairTokenizer(encoding.name, encode_ids, _byte_lengths(mergeable))


def _byte_lengths(mergeable: dict[bytes, int]) -> IntArray:
    lengths = np.zeros(max(mergeable.values()) + 1, np.int64)
    lengths[list(mergeable.values())] = [len(token) for token in mergeable]
    return lengths


def _tiktoken(encoding: Encoding, mergeable: dict[bytes, int]) -> EncodeIds:
    import tiktoken

    core = tiktoken.Encoding(
        encoding.name, pat_str=encoding.pattern, mergeable_ranks=mergeable, special_tokens={}
    )

    def encode_ids(encoded: bytes) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
        return np.array(core.encode_ordinary(encoded.decode()), np.uint32)

    return encode_ids


def _checked_gigatoken(
    encoding: Encoding, mergeable: dict[bytes, int], reference: EncodeIds, backend: str
) -> EncodeIds:
    """gigatoken's encoder, once it has given the same ids as tiktoken for a text made to hurt."""
    if importlib.util.find_spec("gigatoken") is None:
        if backend == "gigatoken":
            raise ConfigurationError(
                [Problem("backend", "gigatoken is not installed", "pip install gigatoken, or backend auto or tiktoken")]
            )
        log.warning("gigatoken is not installed: %s is encoded by tiktoken, about ten times slower", encoding.name)
        return reference
    encode_ids = _gigatoken(encoding, mergeable)
    probe = _PROBE.encode()
    if np.array_equal(encode_ids(probe), reference(probe)):
        return encode_ids
    if backend == "gigatoken":
        raise ConfigurationError(
            [Problem("backend", f"gigatoken and tiktoken differ on {encoding.name}", "use backend auto or tiktoken")]
        )
    log.warning("gigatoken differs from tiktoken on %s: tiktoken is used instead, about ten times slower", encoding.name)
    return reference


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
