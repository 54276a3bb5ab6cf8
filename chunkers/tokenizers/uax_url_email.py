"""Words as Lucene's UAX29URLEmailTokenizer cuts: those of `standard`, but URLs and e-mail addresses whole.

Only words, or lines, that may hold an address are read by the grammar.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field

from chunkers.chunk import IntArray
from chunkers.tokenizers.base import Tokenizer
from chunkers.tokenizers.character_classes import ClassTable, ranges
from chunkers.tokenizers.longest_match import State, longest, skip, start
from chunkers.tokenizers.runs import MAX_TOKEN_UNITS, Utf16, replaced
from chunkers.tokenizers.standard import StandardTokenizer
from chunkers.tokenizers.web_addresses import Match, address_rules
from chunkers.tokenizers.word_break import word_break_rules
from chunkers.tokenizers.word_runs import CLASSES

Span = tuple[int, int]

_ASCII_WORD = frozenset(map(ord, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"))

# No address is without one of these.
_ADDRESS = re.compile(rb"@|://|[0-9A-Za-z]\.[0-9A-Za-z]|\[[0-9A-Fa-f:]")

# An address goes over a space in quotes or brackets only, and over the end of a line only where that is escaped.
_QUOTED = re.compile(rb'"@|"\.[^ \n]|@\[')


class UaxUrlEmailTokenizer(Tokenizer):
    """Words, numbers, ideographs, emoji, URLs, hosts and e-mail addresses."""

    name = "uax_url_email"

    def __init__(self) -> None:
        self._standard = StandardTokenizer()

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        starts, ends = self._standard.spans(text)
        symbols = _table().of(text)
        if not _ADDRESS.search(symbols):
            return starts, ends
        scan = _Scan(symbols, Utf16(text))
        scan.read()
        return replaced(starts, ends, scan.stretches, scan.spans)


@dataclass
class _Scan:
    """One walk over the pieces with addresses; `stretches` are those pieces, `spans` their tokens."""

    symbols: bytes
    utf16: Utf16
    stretches: list[Span] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def __post_init__(self) -> None:
        # The same symbols, with a line end where a piece ends and nowhere else.
        old, new = (b"\\\n", b"\\ ") if _QUOTED.search(self.symbols) else (b" ", b"\n")
        self._pieces = self.symbols.replace(old, new)

    def read(self) -> None:
        position = 0
        while match := _ADDRESS.search(self.symbols, position):
            begin = self._pieces.rfind(b"\n", position, match.start()) + 1 or position
            position, hosts = self._read_piece(begin, hosts=True)
            while not hosts and position < len(self.symbols):
                position, hosts = self._read_piece(position, hosts=False)
            self.stretches.append((begin, position))

    def _read_piece(self, position: int, *, hosts: bool) -> tuple[int, bool]:
        """The end of the piece from `position`, and whether hosts are read as such after it."""
        usual, without_hosts = _scanners()
        end = self._pieces.find(b"\n", position) + 1 or len(self.symbols)
        while position < end:
            first, matches = usual if hosts else without_hosts
            seen = min(end, self.utf16.floor(position))
            rule, matched, reached = longest(first, self.symbols, position, seen)
            if rule < 0:
                position = skip(first, self.symbols, position, reached, seen, MAX_TOKEN_UNITS)
            elif matches[rule] is Match.NO_HOST:
                hosts = False
            else:
                matched = _token_end(matches[rule], position, matched)
                self.spans.append((position, matched))
                position, hosts = matched, True
        return position, hosts


def _token_end(match: Match, begin: int, end: int) -> int:
    if match is Match.MAILTO:
        return begin + len("mailto")
    return end - 1 if match is Match.BUT_LAST else end


_BEYOND_ASCII = 128


@functools.cache
def _table() -> ClassTable:
    """ASCII stands for itself, in lower case; beyond, the lowest bit says whether a character is part of a word."""
    table = ClassTable()
    table.assign([range(_BEYOND_ASCII, 0x110000)], _BEYOND_ASCII)
    for name, points in ranges("standard").items():
        table.assign(points, _BEYOND_ASCII + 2 * CLASSES[name])
    table.flag(ranges("uax_url_email")["Word"], 1)
    for symbol in range(_BEYOND_ASCII):
        table.assign([range(symbol, symbol + 1)], ord(chr(symbol).lower()))
    return table


@functools.cache
def _scanners() -> tuple[tuple[State, list[Match]], ...]:
    """Where to start, and what the matches of the rules are: the usual rules, and those without hosts."""
    words = [(rule, Match.TOKEN) for rule in word_break_rules(_class_symbols())]
    beyond = frozenset(range(_BEYOND_ASCII + 1, 256, 2))
    scanners = address_rules(_ASCII_WORD | beyond, frozenset(range(256)))
    return tuple(
        (start(expression for expression, _ in rules + words), [match for _, match in rules + words])
        for rules in scanners
    )


def _class_symbols() -> dict[str, frozenset[int]]:
    symbols = {}
    for name, points in ranges("standard").items():
        ascii_only = {point for run in points for point in run if point < _BEYOND_ASCII}
        beyond = _BEYOND_ASCII + 2 * CLASSES[name]
        symbols[name] = frozenset(ascii_only | {beyond, beyond + 1})
    return symbols
