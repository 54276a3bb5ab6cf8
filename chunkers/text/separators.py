"""Separators as a definition names them: a preset, or a list of literals, patterns and boundaries."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import regex

from chunkers.errors import DocumentError, Problem, nearest
from chunkers.parameters import shown
from chunkers.text.levels import BlankLines, Found, Level, Lines, Literal, Sentences, Words
from chunkers.text.markdown import parse


@dataclass(frozen=True)
class Pattern:
    """A regular expression, in the syntax of the `regex` module; a match is a separator."""

    regex: str


@dataclass(frozen=True)
class Boundary:
    """What no literal finds: `paragraph`, `line`, `sentence` or `word`."""

    boundary: str


@dataclass(frozen=True)
class Headings:
    """Markdown headings of one level, as a CommonMark parser finds them."""

    level: int


Entry = str | Pattern | Boundary | Headings

PARAGRAPH, LINE, SENTENCE, WORD = (Boundary(name) for name in ("paragraph", "line", "sentence", "word"))

PRESETS: dict[str, tuple[Entry, ...]] = {
    "plaintext": (PARAGRAPH, LINE, SENTENCE, WORD),
    "markdown": (*(Headings(level) for level in range(1, 7)), PARAGRAPH, LINE, SENTENCE, WORD),
    # A blank line before a line that is neither indented nor closes a block parts definitions.
    "code": (Pattern(r"(?>\r\n?|\n)[ \t]*(?>\r\n?|\n)+(?=[^\s)\]}])"), PARAGRAPH, LINE, WORD),
}

_BOUNDARIES = ("paragraph", "line", "sentence", "word")

SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"enum": list(PRESETS)},
        {
            "type": "array",
            "minItems": 1,
            "items": {
                "anyOf": [
                    {"type": "string", "minLength": 1},
                    {
                        "type": "object",
                        "properties": {"regex": {"type": "string", "minLength": 1}},
                        "required": ["regex"],
                        "additionalProperties": False,
                    },
                    {
                        "type": "object",
                        "properties": {"boundary": {"enum": list(_BOUNDARIES)}},
                        "required": ["boundary"],
                        "additionalProperties": False,
                    },
                ]
            },
        },
    ]
}


def read_separators(value: Any, path: str, problems: list[Problem]) -> str | tuple[Entry, ...]:
    """A preset's name or the entries of a list; what is wrong is added to `problems`."""
    if isinstance(value, str):
        if value not in PRESETS:
            hint = f"{nearest(value, PRESETS)}; one separator of your own is a list: [{shown(value)}]"
            problems.append(Problem(path, f"unknown preset {value!r}", hint))
        return value
    if not isinstance(value, Sequence) or not value:
        problems.append(Problem(path, f"{shown(value)} is no preset and no list of separators"))
        return ()
    return tuple(_entry(item, f"{path}[{n}]", problems) for n, item in enumerate(value))


def _entry(item: Any, path: str, problems: list[Problem]) -> Entry:
    if item == "":
        hint = "leave it out: what no separator parts is cut at the limit anyway"
        problems.append(Problem(path, "is empty, which separates nothing", hint))
    if isinstance(item, (str, Pattern, Boundary)):
        return item
    if isinstance(item, Mapping) and set(item) == {"regex"} and isinstance(item["regex"], str) and item["regex"]:
        try:
            _compiled(item["regex"])
        except regex.error as error:
            problems.append(Problem(f"{path}.regex", f"{shown(item['regex'])} is no regular expression: {error}"))
        return Pattern(item["regex"])
    if isinstance(item, Mapping) and set(item) == {"boundary"}:
        if item["boundary"] not in _BOUNDARIES:
            problems.append(
                Problem(
                    f"{path}.boundary", f"{shown(item['boundary'])} is not one of {', '.join(map(repr, _BOUNDARIES))}"
                )
            )
        return Boundary(str(item["boundary"]))
    problems.append(Problem(path, f"{shown(item)} is no separator", "expected a text, {regex: ...} or {boundary: ...}"))
    return ""


def levels(text: str, separators: str | Sequence[Entry], language: str | None = None) -> list[Level]:
    """The levels of a text, coarse to fine. Raises DocumentError when a pattern takes too long on it."""
    entries = PRESETS[separators] if isinstance(separators, str) else separators
    headings = _heading_levels(text) if any(isinstance(entry, Headings) for entry in entries) else {}
    made = [_level(text, entry, headings, language) for entry in entries if entry != ""]
    return [level for level in made if level is not None]


def _level(text: str, entry: Entry, headings: Mapping[int, Found], language: str | None) -> Level | None:
    if isinstance(entry, str):
        return Literal(text, entry)
    if isinstance(entry, Pattern):
        return matches(text, entry.regex)
    if isinstance(entry, Headings):
        return headings.get(entry.level)
    return _LEVELS[entry.boundary](text, language)


def _sentences(text: str, language: str | None) -> Level:
    from chunkers.text.sentences import sentence_starts

    return Sentences(text, lambda piece: sentence_starts(piece, language).tolist())


_LEVELS: dict[str, Callable[[str, str | None], Level]] = {
    "paragraph": lambda text, _: BlankLines(text),
    "line": lambda text, _: Lines(text),
    "sentence": _sentences,
    "word": lambda text, _: Words(text),
}


def _heading_levels(text: str) -> dict[int, Found]:
    by_level: dict[int, list[int]] = {}
    for heading in parse(text).headings:
        by_level.setdefault(heading.level, []).append(heading.start)
    return {level: Found(starts) for level, starts in by_level.items()}


_SECONDS = 5.0
_SECONDS_A_MEGABYTE = 5.0


def matches(text: str, pattern: str) -> Found:
    """The matches of a pattern; a match of nothing is a mere place."""
    seconds = _SECONDS + _SECONDS_A_MEGABYTE * len(text) / 1e6
    try:
        spans = [match.span() for match in _compiled(pattern).finditer(text, timeout=seconds)]
    except TimeoutError as error:
        raise DocumentError(
            "separator_timeout",
            f"the separator {shown(pattern)} took more than {seconds:.0f} s on a text of {len(text)} characters; "
            "write it so that it can match in one way only",
        ) from error
    return Found([start for start, _ in spans], [end for _, end in spans])


@functools.cache
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)
