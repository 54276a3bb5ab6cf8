"""Linear: twice the text takes about twice the work, counted without a clock.

Work is calls of functions, Python's and C's, and characters that are given to the encoder. How much one
call does is not seen: `benchmarks/giants.py` has the seconds.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import pytest

import chunkers
from tests.encoding_work import encoded_while
from tests.promises.variants import sample

SIZE = 4_000
_MOST_ENCODED = 8

_FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

REPEATED = {
    "one letter": "a",
    "one sign": "(",
    "dots": ".",
    "dashes": "-",
    "prose": "The mill grinds grain. Nobody, e.g. the miller, minds. ",
    "abbreviations": "Mr. ",
    "Hebrew": "\u05e9\u05dc\u05d5\u05dd. ",
    "Han": "\u78e8\u574a\u5728\u6cb3\u8fb9",
    "Thai": "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "conjuncts": "\u0915\u094d",
    "marks": "\u0301",
    "families": _FAMILY,
    "flags": "\U0001f1e6",
    "blanks": " ",
    "line ends": "\n",
    "blank lines": " \n",
    "CRLF": "rye\r\n",
    "line separators": "rye\u2028",
    "headings": "# Rye\n",
    "sections": "# Mill\n\n## Rye\n\nIt is ground here.\n\n",
    "underlined headings": "Rye\n===\n",
    "rows": "| rye | oats |\n",
    "tables": "| rye | oats |\n|---|---|\n| 1 | 2 |\n\n",
    "fences": "```\nrye\n```\n",
    "open fences": "```\n\n",
    "indented code": "    rye\n\n",
    "items": "- rye\n",
    "introduced lists": "There are:\n\n- rye\n- oats\n\n",
    "introductions": "There are:\n\n",
    "quotes": "> rye\n",
    "deep quotes": ">",
    "deep lists": "- ",
    "HTML": "<div>\n\nrye\n\n</div>\n\n",
    "open HTML": "<div>\n",
    "open comments": "<!-- rye\n",
    "open tags": '<a b="rye\n',
    "directives": ":::note\n\n",
    "links": "[rye](oats) ",
    "brackets": "[",
    "emphasis": "*rye_ ",
    "callouts": "> [!NOTE]\n> rye\n\n",
}


def _one_table(size: int) -> str:
    return "| rye | oats |\n|---|---|\n" + "| 1 | 2 |\n" * (size // 10)


def _wide_table(size: int) -> str:
    cells = size // 12
    return "|" + " a |" * cells + "\n|" + "---|" * cells + "\n|" + " b |" * cells + "\n"


def _one_fence(size: int) -> str:
    return "```python\n" + "def rye(x):\n    return x\n\n" * (size // 26) + "```\n"


def _front_matter(size: int) -> str:
    return "---\n" + "rye: oats\n" * (size // 10) + "---\nflour\n"


def _repeated(piece: str) -> Callable[[int], str]:
    return lambda size: "a" + piece * (size // len(piece)) + "b"


TEXTS: dict[str, Callable[[int], str]] = {
    **{name: _repeated(piece) for name, piece in REPEATED.items()},
    **{made.__name__[1:]: made for made in (_one_table, _wide_table, _one_fence, _front_matter)},
}


@pytest.mark.parametrize("name", chunkers.names())
def test_twice_the_text_takes_twice_the_calls(name: str) -> None:
    algorithm = chunkers.create(name, **sample(name))
    for title, made in TEXTS.items():
        once, twice = [made(SIZE)], [made(2 * SIZE)]
        # What is remembered, as compiled patterns and counts of short texts, is there for both.
        algorithm.chunk_batch(twice)
        calls = _calls(functools.partial(algorithm.chunk_batch, once))
        double = _calls(functools.partial(algorithm.chunk_batch, twice))
        assert double <= 2.25 * calls + 500, f"{title}: {calls} calls, {double} for twice the text"


@pytest.mark.parametrize("name", chunkers.names())
def test_no_character_is_encoded_again_and_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    algorithm = chunkers.create(name, **sample(name))
    for title, made in TEXTS.items():
        text = made(4 * SIZE)
        encoded = encoded_while(monkeypatch, functools.partial(algorithm.chunk_batch, [text]))
        assert encoded <= _MOST_ENCODED * len(text), f"{title}: {encoded} characters for {len(text)}"


def test_what_is_quadratic_is_seen() -> None:
    def quadratic(size: int) -> None:
        for n in range(size):
            for _ in range(n):
                len("")

    assert _calls(functools.partial(quadratic, 200)) > 3.5 * _calls(functools.partial(quadratic, 100))


def _calls(run: Callable[[], Any]) -> int:
    """How many functions are called while something runs."""
    calls = 0

    def count(_frame: object, event: str, _of: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls
