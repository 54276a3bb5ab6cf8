"""Regular expressions over symbols (bytes), for grammars whose longest match wins.

An expression knows its partial derivatives: what may follow a symbol (V. Antimirov, Partial
derivatives of regular expressions and finite automaton constructions, 1996).
"""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

Symbols = frozenset[int]


class Expression(ABC):
    """A regular expression; equal ones are the same object."""

    __slots__ = ("nullable",)
    nullable: bool

    @abstractmethod
    def after(self, symbol: int) -> frozenset[Expression]:
        """What may follow once `symbol` has been read."""


class _Empty(Expression):
    __slots__ = ()

    def __init__(self) -> None:
        self.nullable = True

    def after(self, symbol: int) -> frozenset[Expression]:
        return frozenset()


EMPTY = _Empty()


class _OneOf(Expression):
    __slots__ = ("_symbols",)

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.nullable = False

    def after(self, symbol: int) -> frozenset[Expression]:
        return frozenset((EMPTY,)) if symbol in self._symbols else frozenset()


class _Choice(Expression):
    __slots__ = ("_options",)

    def __init__(self, options: frozenset[Expression]) -> None:
        self._options = options
        self.nullable = any(option.nullable for option in options)

    def after(self, symbol: int) -> frozenset[Expression]:
        return frozenset[Expression]().union(*(option.after(symbol) for option in self._options))


class _Sequence(Expression):
    __slots__ = ("_first", "_rest")

    def __init__(self, first: Expression, rest: Expression) -> None:
        self._first, self._rest = first, rest
        self.nullable = first.nullable and rest.nullable

    def after(self, symbol: int) -> frozenset[Expression]:
        found = frozenset(sequence(part, self._rest) for part in self._first.after(symbol))
        return found | self._rest.after(symbol) if self._first.nullable else found


class _Repeated(Expression):
    __slots__ = ("_item",)

    def __init__(self, item: Expression) -> None:
        self._item = item
        self.nullable = True

    def after(self, symbol: int) -> frozenset[Expression]:
        return frozenset(sequence(part, self) for part in self._item.after(symbol))


class _Words(Expression):
    """One of many words, in upper or lower case; they are spelled out only as far as a text needs."""

    __slots__ = ("_words",)

    def __init__(self, words: frozenset[bytes]) -> None:
        self._words = words
        self.nullable = b"" in words

    def after(self, symbol: int) -> frozenset[Expression]:
        letter = bytes((symbol,)).lower()
        rest = frozenset(word[1:] for word in self._words if word[:1] == letter)
        return frozenset((words(rest),)) if rest else frozenset()


one_of = functools.cache(_OneOf)
repeated = functools.cache(_Repeated)
words = functools.cache(_Words)
_choice = functools.cache(_Choice)
_sequence = functools.cache(_Sequence)


def choice(options: Iterable[Expression]) -> Expression:
    distinct = frozenset(options)
    return next(iter(distinct)) if len(distinct) == 1 else _choice(distinct)


def sequence(first: Expression, rest: Expression) -> Expression:
    if first is EMPTY:
        return rest
    return first if rest is EMPTY else _sequence(first, rest)


_MARKS = re.compile(
    r"""\s*(?:(?P<name>\w+)|(?P<set>\[(?:\\.|[^\]])+\])|'(?P<text>[^']+)'|\{(?P<times>[\d,]+)\}|(?P<mark>.))"""
)


def parse(text: str, names: Mapping[str, Expression]) -> Expression:
    """An expression from its text.

    A name stands for what `names` says, `[a-z]` for ASCII characters as in `re`, `'text'` for
    itself in upper or lower case; `( ) | * + ? {3} {0,3}` mean what they mean in `re`, and spaces
    nothing.
    """
    return _Parser(text, names).choice()


class _Parser:
    def __init__(self, text: str, names: Mapping[str, Expression]) -> None:
        self._marks = list(_MARKS.finditer(text.strip()))
        self._names = names
        self._next = 0

    def _mark(self) -> str | None:
        return self._marks[self._next]["mark"] if self._next < len(self._marks) else ")"

    def choice(self) -> Expression:
        options = [self._sequence()]
        while self._mark() == "|":
            self._next += 1
            options.append(self._sequence())
        self._next += 1
        return choice(options)

    def _sequence(self) -> Expression:
        items: list[Expression] = []
        while self._mark() not in ("|", ")"):
            items.append(self._quantified())
        return _all(items)

    def _quantified(self) -> Expression:
        item = self._item()
        while self._next < len(self._marks):
            match = self._marks[self._next]
            if match["times"]:
                low, _, high = match["times"].partition(",")
                item = _times(item, int(low), int(high or low))
            elif match["mark"] == "*":
                item = repeated(item)
            elif match["mark"] == "+":
                item = sequence(item, repeated(item))
            elif match["mark"] == "?":
                item = choice((item, EMPTY))
            else:
                break
            self._next += 1
        return item

    def _item(self) -> Expression:
        match = self._marks[self._next]
        self._next += 1
        if match["name"]:
            return self._names[match["name"]]
        if match["set"]:
            inside = re.compile(match["set"]).match
            return one_of(frozenset(symbol for symbol in range(128) if inside(chr(symbol))))
        if match["text"]:
            return _all([one_of(frozenset((ord(c.lower()), ord(c.upper())))) for c in match["text"]])
        return self.choice()


def _all(items: list[Expression]) -> Expression:
    result: Expression = EMPTY
    for item in reversed(items):
        result = sequence(item, result)
    return result


def _times(item: Expression, low: int, high: int) -> Expression:
    result: Expression = EMPTY
    for n in range(high, 0, -1):
        result = sequence(item, result)
        if n > low:
            result = choice((result, EMPTY))
    return result
