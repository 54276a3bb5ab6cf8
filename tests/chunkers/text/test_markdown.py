"""Headings of Markdown texts: the known traps, and agreement with a second parser."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from hypothesis import example, given

from chunkers.text.markdown import parse
from tests.markdown_documents import comparable, markdown
from tests.markdown_documents import headings as other_headings
from tests.shared_data import shared
from tests.strategies import texts


def found(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in parse(text).headings]


def assert_both_parsers_agree(text: str) -> None:
    blocks = parse(text)
    body_start = blocks.front_matter[1] if blocks.front_matter else int(text.startswith("\ufeff"))
    mine = [(heading.level, heading.start, comparable(heading.title)) for heading in blocks.headings]
    assert mine == other_headings(text, body_start)


@pytest.mark.parametrize(
    "text",
    [
        "~~~~\n# in a fence\n~~~\n# still\n~~~~\n# Real\n",
        "````\n```\n# in a fence\n```\n````\n# Real\n",
        "```sh\n# a comment\n```\n# Real\n",
        "    # indented code\n\n# Real\n",
        "\t# indented code\n\n# Real\n",
        "text\n    # goes on\n\n# Real\n",
        "> # quoted\n\n# Real\n",
        "- # in a list\n\n  ## in it too\n\n# Real\n",
        "See[^1].\n\n[^1]: # in a footnote\n\n    # in it too\n\n# Real\n",
        "<div>\n# in HTML\n</div>\n\n# Real\n",
        "<!--\n\n# in a comment\n\n-->\n# Real\n",
        "#no blank\n####### seven\n\\# escaped\n#\u00a0odd blank\n\n# Real\n",
        "text\u2028# no line\u2028\n# Real\n",
        "---\ntitle: Demo\n# note: kept short\n---\n\n# Real\n",
        "+++\n# a comment\n+++\n# Real\n",
        "---\n\n# Real\n\n---\n",
        "| a | b |\n|---\t|:-:\t|\n| c | d |\n---\n# Real\n",
        "text\n\na\t| b\n--\t|\t--\nc | d\n---\n# Real\n",
        "> | a | b |\r\n> |---\t|---|\r\n> | c | d |\r\n> ---\r\n\r\n# Real\r\n",
        "-\t| --- |\n\n\t# in the list\n\n  # Real\n",
        "```\r# in a fence\r```\r# Real\r",
        "Real\n=\n",
        "[name]: https://example.org\nReal\n===\n",
        "# Real #####   \n",
        "\ufeff# Real\n",
        "   # Real",
        "Some\n# Real\ntext\n",
    ],
)
def test_the_only_heading_is_real(text: str) -> None:
    assert found(text) == [(1, "Real")]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# `code #` and *two* **words** ~~here~~\n", "code # and two words here"),
        ("# A [link](https://example.org) and ![a *picture*](p.png)\n", "A link and a picture"),
        ("# R&amp;D &eacute; \\* &nbsp;\n", "R&D \u00e9 *"),
        ("# one<br>two<br/>three <b>four</b>\n", "one two three four"),
        ("two\nlines  \nand\\\na break\n===\n", "two lines and a break"),
        ("# [ref] and note[^1]\n\n[ref]: https://example.org\n\n[^1]: Note.\n", "ref and note"),
        ("# C# ##\n", "C#"),
        ("# \\#\n", "#"),
        ("#\n", ""),
        ("#  # \n", ""),
        ("#\tTab\tinside \n", "Tab inside"),
        ("# nul\0byte\r\n", "nul\0byte"),
        ("# Use it {#use-it}\n", "Use it"),
        ("# \u4f7f\u7528{ #use }\n", "\u4f7f\u7528"),
        ("# GET /users/{id}\n", "GET /users/{id}"),
        ("# {{ page.title }}\n", "{{ page.title }}"),
        ("# The anchor `{#use}`\n", "The anchor {#use}"),
        ("# Costs $5 or $6\n", "Costs $5 or $6"),
    ],
)
def test_title_is_what_a_reader_sees(text: str, title: str) -> None:
    assert found(text) == [(1, title)]


@pytest.mark.parametrize(
    ("text", "slices"),
    [
        ("a\n  # b\nc\n", ["  # b\n"]),
        ("# \u05e9\u05dc\r\n\r\n\U0001f600\n\nTwo\nlines\n---\r\nend", ["# \u05e9\u05dc\r\n", "Two\nlines\n---\r\n"]),
        ("\ufeff# \u00e9\r# b", ["# \u00e9\r", "# b"]),
        ("---\nt: \u00e9\n---\n# a ##\n", ["# a ##\n"]),
        ("[x]: /u\n\tfar in\n===\n", ["\tfar in\n===\n"]),
        ("|\ta\t|\n|-\t|\n# b\n", ["# b\n"]),
    ],
)
def test_heading_spans_whole_lines(text: str, slices: list[str]) -> None:
    assert [text[heading.start : heading.end] for heading in parse(text).headings] == slices


def test_front_matter_is_told() -> None:
    assert parse("\ufeff---\na: b\n---\n# c\n").front_matter == (1, 14)
    assert parse("# c\n").front_matter is None


def test_underline_below_a_line_with_a_pipe_makes_a_heading() -> None:
    """As on GitHub; the second parser sees a table of one column."""
    assert found("| a\n---\n") == [(2, "| a")]


@given(markdown())
@example("# a\r\n\r\n```\r# b\r```\r\n# c")
def test_agrees_with_markdown_it(text: str) -> None:
    assert_both_parsers_agree(text)


@given(texts())
def test_agrees_with_markdown_it_on_any_text(text: str) -> None:
    assert_both_parsers_agree(text)


@given(markdown())
def test_headings_are_whole_lines_in_order(text: str) -> None:
    end = 0
    for heading in parse(text).headings:
        assert end <= heading.start < heading.end
        assert heading.start == int(text.startswith("\ufeff")) or text[heading.start - 1] in "\r\n"
        assert heading.end == len(text) or text[heading.end - 1] in "\r\n"
        end = heading.end


CORPORA = ("docs_markdown", "multilingual", "transcripts", "hostile")


def documents(corpus: str) -> list[str]:
    rows = pq.read_table(shared(f"corpora/{corpus}.parquet"), columns=["format", "text"]).to_pylist()
    return [row["text"] for row in rows if row["format"] == "markdown" and 0 < len(row["text"] or "") < 300_000]


@pytest.mark.parametrize("corpus", CORPORA)
def test_agrees_with_markdown_it_on_every_tenth_document(corpus: str) -> None:
    for text in documents(corpus)[::10]:
        assert_both_parsers_agree(text)


@pytest.mark.corpora
@pytest.mark.parametrize("corpus", CORPORA)
def test_agrees_with_markdown_it_on_every_document(corpus: str) -> None:
    for text in documents(corpus):
        assert_both_parsers_agree(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("[" * 100_000, 0),
        ("[a]" * 100_000, 0),
        ("![" * 100_000, 0),
        (">" * 20_000, 0),
        ("- " * 2_000 + "a\n", 0),
        ("".join(f"{'  ' * depth}- a\n" for depth in range(2_000)), 0),
        ("#" * 1_000_000, 0),
        ("# " + "#" * 500_000 + " a", 1),
        ("# " + " {#" * 200_000, 1),
        ("# a\n" * 20_000, 20_000),
        ("*a_" * 100_000, 0),
        ("".join("`" * width + " " for width in range(1_000)), 0),
        ("\t" * 1_000_000, 0),
        ("|" + "-\t" * 500_000 + "x", 0),
        ("|-" + "\t" * 1_000_000 + "x", 0),
        ("|a" * 20_000 + "\n" + "|-\t" * 20_000 + "\n", 0),
        ("\r" * 1_000_000, 0),
        ("---\n" + "# a\n" * 20_000, 20_000),
        ("---\n" + " \t" * 500_000, 0),
        ("---\n" + "a" * 1_000_000 + "\n---\n", 1),
        ("a\n" * 100_000 + "===", 1),
        ("[^a]: " * 20_000, 0),
        ("<!-" * 100_000, 0),
        ("&#" * 500_000, 0),
    ],
    ids=lambda value: repr(value[:12]) if isinstance(value, str) else "",
)
def test_long_runs_do_not_hang(text: str, count: int) -> None:
    assert len(parse(text).headings) == count
