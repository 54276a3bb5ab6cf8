"""Sentence boundaries by rules: one expression finds the candidates, a look around decides on each.

A candidate is a stop with white space behind it (or without, where a script has none), or a line that
stands for itself. The word before the stop and the word after it decide.
"""

from __future__ import annotations

import re

import numpy as np

from chunkers.chunk import IntArray
from chunkers.text import graphemes
from chunkers.text.sentences.candidates import candidates, first_line
from chunkers.text.sentences.languages import resolve
from chunkers.text.sentences.rules import Kind, Rules, rules_of

_ELLIPSIS = "\u2026"
_OPENING = "\"'\u201c\u2018\u00ab\u201e\u2039\u201a([{\u00bf\u00a1*_`\u300c\u300e\uff08-\u2013\u2014/"
_OMITTED = ("[", "(")  # what an ellipsis in brackets stands behind: words were left out
_CLOSING_QUOTES = ('"', "\u201d", "\u00bb")
# Those in which a stop of the same width may stand, and what opens them; a straight one opens itself.
_QUOTES = {
    '"': '"', "\u201d": "\u201c", "\u2019": "\u2018", "\u00bb": "\u00ab", "\uff63": "\uff62",
    "\u300d": "\u300c", "\u300f": "\u300e", "\u300b": "\u300a", "\u3009": "\u3008",
}  # fmt: skip
_SPACELESS = ("end", "unspaced")  # kinds of stops that need no white space behind them
_SPACED_QUESTIONS = "!?\u061f\u1367"
_IDEOGRAPHIC_FULL_STOPS = "\u3002\uff0e\uff61"
_IDEOGRAPHIC_STOPS = "!?\uff01\uff1f" + _IDEOGRAPHIC_FULL_STOPS
_INTRODUCING = tuple(":,\u3001\uff0c\uff1a")

_SPACE = re.compile(r"\s*+")
_WORD = re.compile(r"[^\w]*+([^\W\d_]++(?:['\u2019][^\W\d_]++)?)")
_ENUMERATOR = re.compile(
    r"[-*+#>(\s]*+(?:\d{1,3}(?:\.\d{1,3})*|[^\W\d_\u3041-\uffdc]|[IVXLC]+|[ivxlc]+|[가나다라마바사])"
)
_COMPOUND = re.compile(r".+['\u2019-](.+)")
_INITIAL = re.compile(r"[^\W\d_]\.\s")
_LETTERS = re.compile(r"-?[^\W\d_]\D{0,2}")
_ROMAN = re.compile(r"[IVXLC]+")
# "(5)", "[1, 2]", but not "(5 of them came)".
_BRACKETED_NUMBER = re.compile(r"[(\[]\d[^\s()\[\]]*+(?>(?:\s[\d\u2013-][^\s()\[\]]*+)*)[)\]]")
_SPEAKER = re.compile(r"I(?:['\u2019][a-z]+)?")

_LONGEST_WORD = 16
_LONGEST_ENUMERATOR = 12
_LONGEST_QUOTE = 500


def sentence_starts(text: str, language: str | None = None) -> IntArray:
    """Starts of the sentences of `text` (n, code points, ascending; the first is 0).

    They tile the text: white space after a sentence belongs to it, and what is in front of the first
    one to the first. A blank line ends a sentence; a single line break does not, but list items,
    headings, table rows and code fences stand for themselves. No start lies inside a grapheme
    cluster. An empty text has none.

    `language` is a BCP 47 code; None means that the script decides. DocumentError `unknown_language`
    for what `check_language` finds unknown.
    """
    if not text:
        return np.empty(0, np.int64)
    starts = _starts(text, rules_of(resolve(language, text)))
    return np.array(starts if text.isascii() else _between_clusters(text, starts), np.int64)


def _starts(text: str, rules: Rules) -> list[int]:
    begin = _next(text, 0)
    starts = [0]
    position = first_line(text, begin)
    if position > begin:
        begin = _next(text, position)
        starts.append(begin)
    # Somebody who writes without capitals starts sentences without them.
    cased = rules.cased and not text.islower()
    for found in candidates(cased, rules.spaces, rules.stops).finditer(text, position):
        kind = found.lastgroup or ""
        start = found.start(kind)
        if kind == "stop":
            if not _ends(text, found, start, begin, rules):
                continue
        elif text[found.end() - 1] in _QUOTES and kind in _SPACELESS and _goes_on(text, found, start, begin, rules):
            continue
        if kind != "underline" and start > starts[-1]:
            starts.append(start)
        if start < found.end():
            start = _next(text, found.end())
            if start > starts[-1]:
                starts.append(start)
        begin = start
    while len(starts) > 1 and starts[-1] == len(text):
        starts.pop()
    return starts


def _next(text: str, position: int) -> int:
    """Where the white space at `position` ends."""
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _ends(text: str, found: re.Match[str], end: int, begin: int, rules: Rules) -> bool:
    """Whether the sentence from `begin` ends with the stop, where the next could start at `end`."""
    stop = found.start()
    mark, follower = text[stop], text[stop + 1]
    if mark == _ELLIPSIS or mark == follower == ".":
        if text[stop - 1 : stop] in _OMITTED:
            return False
        return (text.startswith("....", stop) and not text[end].isdecimal()) or _resumes(text, end)
    if mark == "." and follower not in "?!":
        return _full_stop_ends(text, stop, end, begin, rules)
    if rules.cased or text[end] in _OPENING:
        return True
    # Without capitals nothing tells '"Who?" asked she' from an end, and it is what stands there mostly.
    return not text[stop : found.end()].lstrip("!?").startswith(_CLOSING_QUOTES)


def _goes_on(text: str, found: re.Match[str], end: int, begin: int, rules: Rules) -> bool:
    """Whether the sentence goes on behind a quote that closes behind its stop, as in `“走吧。”他说。`."""
    if text[end] in _OPENING:
        return False
    stop, closed = found.span()
    if closed < end:
        return text[stop] in _SPACED_QUESTIONS and not rules.cased
    return text[stop] in _IDEOGRAPHIC_STOPS and not _is_introduced(text, stop, begin, _QUOTES[text[closed - 1]])


def _is_introduced(text: str, stop: int, begin: int, opening: str) -> bool:
    """Whether words lead to the quote, so that its stop is the sentence's; also where it opens unseen.

    Before a full stop any words do, before other stops those with a colon or comma.
    """
    low = max(0, stop - _LONGEST_QUOTE)
    if opening == '"':
        # Of an even number the last one has closed a quote, or opens one.
        if begin < low or text.count(opening, begin, stop) % 2 == 0:
            return True
        low = begin
    else:
        low = max(low, text.rfind("\n", low, stop) + 1)
    opened = text.rfind(opening, low, stop)
    if opened < 0:
        return True
    before = text[low:opened].rstrip()[-1:]
    return before in _INTRODUCING or (text[stop] in _IDEOGRAPHIC_FULL_STOPS and before.isalnum())


def _resumes(text: str, end: int) -> bool:
    """Whether a sentence starts behind an ellipsis: with a capital, of which "I" is no sign."""
    word = _following(text, end)
    return word[:1].isupper() and not _SPEAKER.fullmatch(word)


def _full_stop_ends(text: str, stop: int, end: int, begin: int, rules: Rules) -> bool:
    before = text[max(begin, stop - _LONGEST_WORD) : stop]
    if not before or (stop - begin <= _LONGEST_ENUMERATOR and _ENUMERATOR.fullmatch(text, begin, stop)):
        return False
    if before[-1].isspace():
        # An ellipsis of dots with spaces between, or a stop with a space in front.
        return not before.rstrip().endswith(".") or before.endswith(". . . ") or _resumes(text, end)
    word = before.rsplit(None, 1)[-1].lstrip(_OPENING)
    kind = _kind(word, rules)
    if kind is Kind.TITLE or (kind is Kind.NUMBERED and _is_number(text, end)):
        return False
    if kind is Kind.INNER or _is_letters(word) or (rules.ordinals and rules.ordinals.fullmatch(word)):
        return _starts_sentence(text, end, rules) or "".join(before.split()).endswith(rules.closing)
    return not (len(word) == 2 and word[0] in rules.prefixes and _INITIAL.match(text, end))


def _kind(word: str, rules: Rules) -> Kind | None:
    """What a word is, or its last part when it is a compound or has a short word in front."""
    lower = word.lower()
    kind = rules.words.get(lower)
    if kind is not None:
        return kind
    if lower.endswith(rules.endings):
        return Kind.NUMBERED
    if word[:1] in rules.prefixes:
        return rules.words.get(word[1:])
    compound = _COMPOUND.match(lower)
    return rules.words.get(compound[1]) if compound else None


def _is_letters(word: str) -> bool:
    """Whether a word is an initial or dotted letters: "J", "U.S", "z.B", "J.-P"."""
    if len(word) == 1:
        return word.isalpha() and word < "\u3041"
    return "." in word and all(map(_LETTERS.fullmatch, word.split(".")))


def _is_number(text: str, end: int) -> bool:
    if text[end].isdecimal() or _BRACKETED_NUMBER.match(text, end):
        return True
    word = _following(text, end)
    return _ROMAN.fullmatch(word) is not None or (len(word) == 1 and word.isupper())


def _starts_sentence(text: str, end: int, rules: Rules) -> bool:
    """Whether the next word begins sentences, and is no initial of a name."""
    word = _following(text, end).replace("\u2019", "'").lower()
    return word in rules.starters and not (len(word) == 1 and _INITIAL.match(text, end))


def _following(text: str, end: int) -> str:
    """The first word from `end` on, without what opens it; empty when there is none."""
    found = _WORD.match(text, end)
    return found[1] if found else ""


def _between_clusters(text: str, starts: list[int]) -> list[int]:
    """The starts without those inside a grapheme cluster (a mark that follows white space or a stop)."""
    kept = [0]
    low = 0
    for start in starts[1:]:
        # Below are no marks, and nothing that ends a sentence joins what follows it.
        low = start if text[start] < "\u0300" else graphemes.floor(text, start, low)
        if low == start:
            kept.append(start)
    return kept
