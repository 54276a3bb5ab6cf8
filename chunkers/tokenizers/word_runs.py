"""The tokens of the word break grammar where they are runs of one kind of character, found with arrays.

Letters, digits and low lines make one kind, Katakana, South-East Asian characters and each ideograph
others. Marks are taken out first and given back to the character before them. What the grammar
joins or parts beyond that is told to the caller as stretches.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from chunkers.chunk import IntArray
from chunkers.tokenizers.character_classes import ranges

CLASSES = {name: number for number, name in enumerate(ranges("standard"), 1)}
"""Numbers of the character classes; 0 is a character that is never part of a token."""

Stretch = tuple[int, int]


def _members(*names: str) -> bytes:
    return bytes(CLASSES[name] for name in names)


def _kinds(*members: bytes) -> bytes:
    """What translates class numbers to kinds: 1 for the first members, 2 for the second ..."""
    table = bytearray(256)
    for kind, numbers in enumerate(members, 1):
        for number in numbers:
            table[number] = kind
    return bytes(table)


def _flags(members: bytes) -> npt.NDArray[np.bool_]:
    return np.frombuffer(_kinds(members), np.bool_)


def _inside(members: bytes) -> bytes:
    """The body of a regular expression's set."""
    return b"".join(rb"\x%02x" % number for number in members)


_LETTERS = _members("ALetter", "Hangul", "Hebrew_Letter")
_DIGITS = _members("ASCII_Digit", "Numeric")
_LOW_LINE = _members("ExtendNumLet")
_KATAKANA = _members("Katakana")
_COMPLEX = _members("Complex_Context", "Complex_Extend")
_IDEOGRAPHS = _members("Han", "Hiragana")
_MARKS = _members("Extend", "ZWJ")
_MIDDLES = _members("MidLetter", "MidNumLet", "MidNum", "Single_Quote")

_WORD, _IDEOGRAPH, _NEXT_IDEOGRAPH = 1, 4, 5
_TO_KIND = _kinds(_LETTERS + _DIGITS + _LOW_LINE, _KATAKANA, _COMPLEX, _IDEOGRAPHS)
_TO_MIDDLE = _kinds(_MIDDLES)
_TO_KEPT = _kinds(_MARKS).translate(b"\1\0" + bytes(254))

_IS_LETTER, _IS_DIGIT = _flags(_LETTERS), _flags(_DIGITS)
_JOINS_LETTERS = _flags(_members("MidLetter", "MidNumLet", "Single_Quote"))
_JOINS_DIGITS = _flags(_members("MidNum", "MidNumLet", "Single_Quote"))

_IRREGULAR_CLASSES = _inside(
    _members("Emoji", "ALetter_Emoji", "Emoji_Modifier", "Emoji_Selector", "Text_Selector", "Keycap")
    + _members("Regional_Indicator", "Tag", "Tag_End")
)
_QUOTES = _inside(_members("Single_Quote", "Double_Quote"))
_HEBREW, _LOW, _KATA = (_inside(_members(name)) for name in ("Hebrew_Letter", "ExtendNumLet", "Katakana"))
_SIGN = _inside(_members("Complex_Extend"))
_BEFORE_SIGN = rb"\x00" + _inside(_COMPLEX + _members("Keycap_Base"))

# Emoji; a quote after a Hebrew letter; low lines next to Katakana; a vowel sign out of its script.
_IRREGULAR = re.compile(
    rb"[%b%b%b%b](?:" % (_IRREGULAR_CLASSES, _QUOTES, _LOW, _SIGN)
    + rb"(?<=[%b])" % _IRREGULAR_CLASSES
    + rb"|(?<=[%b][%b])" % (_HEBREW, _QUOTES)
    + rb"|(?<=[%b][%b])|(?<=[%b])(?=[%b])" % (_KATA, _LOW, _LOW, _KATA)
    + rb"|(?<=[^%b][%b]))" % (_BEFORE_SIGN, _SIGN)
)


def word_runs(classes: bytes) -> tuple[IntArray, IntArray, list[Stretch]]:
    """Starts and ends of the tokens (n each), and the stretches that hold others.

    A stretch is bounded by characters of class 0; tokens in it are not among the n.
    """
    bare = classes.translate(None, _MARKS)
    stretches = _irregular(bare)
    numbers = np.frombuffer(bare, np.uint8)
    kinds = np.frombuffer(bytearray(bare.translate(_TO_KIND)), np.uint8)
    _join(numbers, kinds)
    for start, end in stretches:
        kinds[start:end] = 0
    starts, ends = _tokens(numbers, kinds)
    if len(bare) == len(classes):
        return starts, ends, stretches
    kept = np.flatnonzero(np.frombuffer(classes.translate(_TO_KEPT), np.bool_))
    places = np.append(kept, len(classes))
    # Marks that open a stretch may belong to it: it starts right behind the character that bounds it.
    behind = [(int(places[start - 1]) + 1 if start else 0, int(places[end])) for start, end in stretches]
    return places[starts], places[ends], behind


def _irregular(bare: bytes) -> list[Stretch]:
    stretches: list[Stretch] = []
    end = 0
    while match := _IRREGULAR.search(bare, end):
        start = bare.rfind(0, end, match.start()) + 1 or end
        end = bare.find(0, match.end())
        end = len(bare) if end < 0 else end
        stretches.append((start, end))
    return stretches


def _tokens(bare: npt.NDArray[np.uint8], kinds: npt.NDArray[np.uint8]) -> tuple[IntArray, IntArray]:
    """Runs of one kind; `kinds` is changed."""
    ideographs = kinds == _IDEOGRAPH
    ideographs[::2] = False
    kinds[ideographs] = _NEXT_IDEOGRAPH
    edges = np.concatenate(([0], np.flatnonzero(kinds[1:] != kinds[:-1]) + 1, [len(kinds)]))
    inside = kinds[edges[:-1][: len(kinds)]] != 0
    starts, ends = edges[:-1][inside], edges[1:][inside]
    return _with_letters(bare, starts, ends)


def _join(bare: npt.NDArray[np.uint8], kinds: npt.NDArray[np.uint8]) -> None:
    """Make signs that join two letters, or two digits, part of the word."""
    middles = np.flatnonzero(np.frombuffer(bare.tobytes().translate(_TO_MIDDLE), np.bool_)[1:-1]) + 1
    left, sign, right = bare[middles - 1], bare[middles], bare[middles + 1]
    joins = _JOINS_LETTERS[sign] & _IS_LETTER[left] & _IS_LETTER[right]
    joins |= _JOINS_DIGITS[sign] & _IS_DIGIT[left] & _IS_DIGIT[right]
    kinds[middles[joins]] = _WORD


def _with_letters(bare: npt.NDArray[np.uint8], starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """The tokens that are more than low lines."""
    low = bare[starts] == _LOW_LINE[0]
    if not low.any():
        return starts, ends
    lines = np.flatnonzero(bare == _LOW_LINE[0])
    inside = lines.searchsorted(ends[low]) - lines.searchsorted(starts[low])
    kept = np.ones(len(starts), np.bool_)
    kept[low] = inside < ends[low] - starts[low]
    return starts[kept], ends[kept]
