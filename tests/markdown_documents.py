"""Generated Markdown, and a second parser that says which blocks are in it.

markdown-it-py is slow but close to the letter of CommonMark, and shares no code with pyromark.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_LINE_END = re.compile(r"\r\n?|\n")

Found = tuple[int, int, str]


def headings(text: str, start: int = 0) -> list[Found]:
    """Level, start and title of the headings in no container, in `text` from `start` on."""
    lines = [start, *(match.end() for match in _LINE_END.finditer(text, start))]
    tokens = _PARSER.parse(text[start:])
    return [
        (int(opening.tag[1]), lines[opening.map[0]], _title(inline.children or []))
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open" and opening.level == 0 and opening.map
    ]


_BLOCKS_OF_TOKENS = {"heading_open": "heading", "table_open": "table", "fence": "code", "code_block": "code"}


Placed = tuple[str, bool, int, int]


def blocks(text: str, start: int = 0) -> list[Placed]:
    """Headings, tables and code of `text` from `start` on, as `placed` gives them, by their first lines."""
    lines = [*line_starts(text, start), len(text)]
    tokens = [token for token in _PARSER.parse(text[start:]) if token.type in _BLOCKS_OF_TOKENS and token.map]
    spans = [(token, *(token.map or (0, 0))) for token in tokens]
    found = [(_BLOCKS_OF_TOKENS[token.type], token.level == 0, lines[low], lines[high]) for token, low, high in spans]
    return placed(text, start, found)


def placed(text: str, start: int, spans: Iterable[tuple[str, bool, int, int]]) -> list[Placed]:
    """Kind, whether in no container, first and last line that is not blank, of blocks that are `[low, high)`."""
    lines = line_starts(text, start)
    found = []
    for kind, top, low, high in spans:
        block = text[low:high].rstrip(" \t\r\n>")
        first = low + len(block) - len(block.lstrip(" \t\r\n"))
        found.append((kind, top, bisect_right(lines, first), bisect_right(lines, low + len(block))))
    return sorted(found)


def line_starts(text: str, start: int) -> list[int]:
    return [start, *(match.end() for match in _LINE_END.finditer(text, start))]


def comparable(title: str) -> str:
    """A title as both parsers give it: CommonMark replaces NUL, which a chunk's text must not."""
    return title.replace("\0", "\ufffd")


def _title(tokens: Sequence[Token]) -> str:
    title = re.sub(r"[ \t\r\n]+", " ", _visible(tokens)).strip()
    if tokens and tokens[-1].type == "text":
        title = re.sub(r"\s?{\s?#[^\s{}]+\s?}$", "", title)
    return comparable(title)


def _visible(tokens: Sequence[Token]) -> str:
    pieces = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            pieces.append(token.content)
        elif token.type == "image":
            pieces.append(_visible(token.children or []))
        elif token.type in ("softbreak", "hardbreak") or token.content.startswith("<br"):
            pieces.append(" ")
    return "".join(pieces)


_INLINES = st.lists(
    st.sampled_from(
        (
            "word",
            "two words",
            "`code # x`",
            "*em* and **strong**",
            "[link](https://example.org)",
            "![picture](a.png)",
            "&amp; &eacute;",
            "a<br>b",
            "<b>bold</b>",
            "~~gone~~",
            "\\# escaped",
            "C#",
            "\u4f60\u597d",
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "e\u0301",
            "\u05e9\u05dc\u05d5\u05dd",
            "/users/{id}",
            "{#anchor}",
        )
    ),
    min_size=1,
    max_size=3,
).map(" ".join)


def _atx() -> st.SearchStrategy[str]:
    indent = st.sampled_from(("", "", "", " ", "   ", "    "))
    marks = st.integers(1, 7).map("#".__mul__)
    title = st.one_of(_INLINES, st.just(""))
    closing = st.sampled_from(("", "", " #", " ####", "#", " # ", "  ", "\t"))
    return st.builds("{}{} {}{}\n".format, indent, marks, title, closing)


def _setext() -> st.SearchStrategy[str]:
    title = st.lists(_INLINES, min_size=1, max_size=2).map("\n".join)
    return st.builds("{}\n{}\n".format, title, st.sampled_from(("=", "---", "  ===  ", "-", "=\t")))


def _fence() -> st.SearchStrategy[str]:
    return st.builds(
        "{}{}{}\n{}{}\n".format,
        st.sampled_from(("", "  ")),
        st.sampled_from(("```", "````", "~~~", "~~~~")),
        st.sampled_from(("", "python", " sh")),
        st.sampled_from(("# comment\n", "```\n# comment\n", "~~~\n# comment\n", "\n\n# comment\n===\n")),
        st.sampled_from(("```", "````", "~~~", "~~~~", "  `````")),
    )


_BLOCKS = st.one_of(
    _atx(),
    _atx(),
    _setext(),
    _fence(),
    _INLINES.map("{}\n".format),
    st.sampled_from(
        (
            "\n",
            "\n\n",
            "    # indented code\n",
            "\t# indented code\n",
            "> # quoted\n> text\nlazy\n",
            "> Quoted\n> ===\n",
            "- item\n- # in an item\n\n  # in it too\n",
            "1. one\n   1. two\n      # in a list\n",
            "* loose\n\n  Under\n  ---\n",
            "| a | b |\n|---|---|\n| c | d |\n",
            "| a | b |\n|---\t|:--\t|\n| c | d |\n---\n",
            "\na | b\n--\t|\t--\nc | d\n---\n",
            "<div>\n# in HTML\n</div>\n",
            "<!-- comment\n\n# hidden\n-->\n",
            "[name]: https://example.org\n\n",
            "***\n",
            "---\n",
            "text  \nafter a hard break\n",
            "nul \0 here\n",
            "\u00a0# no heading\n",
            "#\u2028no heading\n",
        )
    ),
)

_FRONT_MATTER = st.sampled_from(
    (
        "---\ntitle: Demo\n# a comment\n---\n",
        "---\n\n# first\n'key': [a]\n...\n",
        "+++\ntitle = 'Demo'\n# a comment\n+++\n",
    )
)


@st.composite
def markdown(draw: st.DrawFn) -> str:
    """A document of headings, fences, lists, quotes, tables and HTML, in one or mixed line ends."""
    body = "".join(draw(st.lists(_BLOCKS, max_size=14)))
    text = draw(st.sampled_from(("", "", "\ufeff"))) + draw(st.one_of(st.just(""), _FRONT_MATTER)) + body
    ending = draw(st.sampled_from(("\n", "\n", "\r\n", "\r", "mixed")))
    if ending == "mixed":
        endings = draw(st.lists(st.sampled_from(("\n", "\r\n", "\r")), min_size=1, max_size=5))
        lines = text.split("\n")
        return "".join(line + endings[n % len(endings)] for n, line in enumerate(lines[:-1])) + lines[-1]
    return text.replace("\n", ending)
