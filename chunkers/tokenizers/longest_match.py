"""Scanners whose longest match wins, as scanner generators make them.

Python's `re` takes the first alternative that matches, not the longest, and may need exponential
time to find it. Here an automaton reads every position; it is built on the way, as far as texts need.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from chunkers.tokenizers.expressions import Expression


class State:
    """What has been read so far: `rule` is the first rule that matches it, or -1."""

    __slots__ = ("_terms", "next", "rule")

    def __init__(self, terms: frozenset[tuple[int, Expression]]) -> None:
        self._terms = terms
        self.rule = min((rule for rule, term in terms if term.nullable), default=-1)
        self.next: dict[int, State | None] = {}

    def read(self, symbol: int) -> State | None:
        """The state after `symbol`; None when no rule can match any more."""
        terms = frozenset((rule, rest) for rule, term in self._terms for rest in term.after(symbol))
        state = _state(terms) if terms else None
        self.next[symbol] = state
        return state


_state = functools.cache(State)


def start(rules: Iterable[Expression]) -> State:
    """The state of a scanner that has read nothing."""
    return _state(frozenset(enumerate(rules)))


Failures = set[tuple[State, int]]
"""States at positions from which no rule matches, however far one reads."""

_LONG_SEARCH = 32


def longest(
    state: State, symbols: bytes, begin: int, end: int, failures: Failures | None = None
) -> tuple[int, int, int]:
    """The rule with the longest match from `begin` (the earlier rule of two), where it ends, how far was read.

    The rule is -1 and its end `begin` when none matches. `failures`, kept from call to call while
    `end` stays the same, makes the scan of a whole text linear (T. Reps, "Maximal-munch"
    tokenization in linear time, 1998).
    """
    rule, matched, position = -1, begin, begin
    before = matching = state
    for position in range(begin, end):
        symbol = symbols[position]
        following = before.next[symbol] if symbol in before.next else before.read(symbol)
        if following is None or (failures and (following, position) in failures):
            break
        before = following
        if before.rule >= 0:
            rule, matched, matching = before.rule, position + 1, before
    else:
        position = end
    if failures is not None and position - matched > _LONG_SEARCH:
        failures.update(_read_in_vain(matching, symbols, matched, position))
    return rule, matched, position


def _read_in_vain(state: State, symbols: bytes, begin: int, end: int) -> Iterator[tuple[State, int]]:
    for position in range(begin, end):
        following = state.next[symbols[position]]
        if following is None:
            return
        state = following
        yield state, position


_RUN = re.compile(rb"(.)\1*", re.DOTALL)


def skip(first: State, symbols: bytes, begin: int, reached: int, end: int, window: int) -> int:
    """Where a match may start next when `longest` has found none from `begin`.

    In a run of one symbol that leaves the automaton where it is, what holds at the run's first
    symbol holds at the others, as far as they see no further: a match sees `window` symbols.
    """
    state = first.next[symbols[begin]]
    if state is None:
        while begin < end and first.next.get(symbols[begin], first) is None:
            begin += 1
        return begin
    if state.next.get(symbols[begin]) is not state:
        return begin + 1
    run = _RUN.match(symbols, begin)
    run_end = run.end() if run else begin + 1
    return run_end if reached < end else max(begin + 1, run_end - window + 1)
