"""Words as Lucene's ClassicTokenizer cuts: acronyms, companies, hosts, e-mail addresses, part numbers.

Its letters and digits are those of Unicode 3.0; each Chinese or Japanese character is a token.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

import numpy as np

from chunkers.chunk import IntArray
from chunkers.tokenizers.base import WordTokenizer
from chunkers.tokenizers.character_classes import ClassTable, ranges
from chunkers.tokenizers.expressions import Expression, one_of, parse
from chunkers.tokenizers.longest_match import Failures, State, longest, start
from chunkers.tokenizers.runs import MAX_TOKEN_UNITS

# Beyond ASCII, whose characters stand for themselves.
_SYMBOLS = {"Letter": 128, "Digit": 129, "Thai_Sign": 130, "CJ": 131}

_RULES = (
    ("letter", "Letter | [A-Za-z]"),
    ("digit", "Digit | [0-9]"),
    ("alphanumeric", "(letter | digit | Thai_Sign)+"),
    ("with_digit", "(letter | digit)* digit (letter | digit)*"),
    ("apostrophe", "letter+ (['] letter+)+"),
    ("acronym", "letter '.' (letter '.')+ | alphanumeric '.' (alphanumeric '.')+"),
    ("company", "letter+ [&@] letter+"),
    ("email", "alphanumeric ([.\\-_] alphanumeric)* '@' alphanumeric ([.\\-] alphanumeric)+"),
    ("host", "alphanumeric ('.' alphanumeric)+"),
    ("sign", "[_\\-/.,]"),
    ("plain_first", "alphanumeric (sign with_digit sign alphanumeric)* (sign with_digit)?"),
    ("digit_first", "with_digit (sign alphanumeric sign with_digit)* (sign alphanumeric)?"),
    ("token", "plain_first | digit_first | apostrophe | acronym | company | email | host | CJ"),
)

_ALPHANUMERIC = rb"0-9A-Za-z\x80-\x82"
# A word that no rule can make longer, or the start of something that one may.
_NEXT = re.compile(rb"([%b]++(?![-&'@_/.,][%b]))|[%b\x83]" % ((_ALPHANUMERIC,) * 3))


class ClassicTokenizer(WordTokenizer):
    """Words and what was thought one in the first years of web search."""

    name = "classic"

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        found = np.fromiter((edge for span in _tokens(_table().of(text)) for edge in span), np.int64)
        starts, ends = found[::2], found[1::2]
        kept = ends - starts <= MAX_TOKEN_UNITS
        return starts[kept], ends[kept]


def _tokens(symbols: bytes) -> Iterator[tuple[int, int]]:
    failures: Failures = set()
    position = 0
    while match := _NEXT.search(symbols, position):
        begin, position = match.span()
        if match.lastindex is None:
            _, position, _ = longest(_start(), symbols, begin, len(symbols), failures)
        yield begin, position


@functools.cache
def _table() -> ClassTable:
    table = ClassTable()
    for name, points in ranges("classic").items():
        table.assign(points, _SYMBOLS[name])
    for symbol in range(128):
        table.assign([range(symbol, symbol + 1)], symbol)
    return table


@functools.cache
def _start() -> State:
    names: dict[str, Expression] = {name: one_of(frozenset((symbol,))) for name, symbol in _SYMBOLS.items()}
    for name, text in _RULES:
        names[name] = parse(text, names)
    return start([names["token"]])
