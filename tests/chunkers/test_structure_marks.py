"""`structure`: marks that open and close, and paragraphs without words, stay where they belong."""

from __future__ import annotations

from typing import Any

import pytest

import chunkers

NOTE = "Never run the mill at night without a lamp. Ask the miller for one.\n"
LIST = "- wheat, which becomes flour\n- oats, which are flattened first\n- barley, which is only broken\n"
LONG_LIST = "".join(f"- grain number {n}, which is ground\n" for n in range(20))


def pieces(text: str, **parameters: Any) -> list[str]:
    return [chunk.text for chunk in chunkers.create("structure", **parameters).chunk(text)]


@pytest.mark.parametrize(
    "closed",
    [
        f":::tip\n\n{NOTE}\n:::\n\n",
        f":::tip\n{NOTE}:::\n\n",
        f"{{% if night %}}\n\n{NOTE}\n{{% endif %}}\n\n",
        f"{{{{< tip >}}}}\n\n{NOTE}\n{{{{< /tip >}}}}\n\n",
        f"<Tip>\n\n{NOTE}</Tip>\n\n",
    ],
)
def test_what_closes_introduces_no_list(closed: str) -> None:
    assert pieces(closed + LIST, token_limit=40) == [closed, LIST]


@pytest.mark.parametrize(
    "silent",
    [
        ":::",
        "Grind.\n:::",
        "{%- endif -%}",
        "{{% /tip %}}",
        "Grind.\n</Tip>",
        '<Tip\n  label="a>b">',
        "![The mill](mill.png)",
        "[![built](a.svg)](b) [![tested][c]][d]\n![seen](e(f).svg)",
        "$$\na = b\n$$",
    ],
)
def test_nothing_without_words_is_context_of_a_list(silent: str) -> None:
    chunks = chunkers.create("structure", token_limit=40).chunk(f"{silent}\n\n{LONG_LIST}")
    assert {chunk.context for chunk in chunks} == {""}


@pytest.mark.parametrize(
    "sentence",
    [
        "It grinds these:",
        "It grinds (most of the time)",
        ":::tip\nIt grinds these:",
        "![small](a.png) It grinds these",
        "$$a$$ and $$b$$",
        "<b>These</b> are ground in <b>May</b>",
        "{% if rye %}Rye{% endif %} and {{ grain }}",
        "<https://mill.example>",
    ],
)
def test_what_has_words_introduces_a_list(sentence: str) -> None:
    chunks = chunkers.create("structure", token_limit=60).chunk(f"{sentence}\n\n{LONG_LIST}")
    assert {chunk.context for chunk in chunks[1:]} == {f"{sentence}\n"}


def test_a_closing_directive_introduces_no_table() -> None:
    table = "| grain | use |\n|---|---|\n| wheat | flour |\n| oats | porridge |\n"
    assert pieces(f":::tip\n\n{NOTE}\n:::\n\n{table}", token_limit=32) == [f":::tip\n\n{NOTE}\n:::\n\n", table]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<Item>\n\n", "\n</Item>\n"),
        ("<Item>\n\nGrind.\n\n", "</Item>\n"),
        (":::tip\n\n", "\n:::\n"),
        (":::tip\n\nGrind.\n\n", ":::\n"),
        ("{% tab %}\n\n", "\n{% endtab %}\n"),
        ("{{< tab >}}\n\nGrind.\n\n", "{{< /tab >}}\n"),
    ],
)
def test_what_closes_and_what_opens_on_the_next_line_are_parted(opening: str, closing: str, line_end: str) -> None:
    one = (opening + NOTE + closing).replace("\n", line_end)
    assert pieces(one * 3, token_limit=40) == [one] * 3


def test_tabs_are_cut_between_their_items() -> None:
    first = f'<Tabs>\n<TabItem value="mac">\n\n{NOTE}\n</TabItem>\n'
    second = f'<TabItem value="linux">\n\n{NOTE}\n</TabItem>\n</Tabs>\n'
    assert pieces(f"# Install\n\n{first}{second}", token_limit=44) == [f"# Install\n\n{first}", second]


def test_html_that_is_one_block_stays_whole() -> None:
    row = "<tr><td>wheat</td></tr>\n"
    table = f"<table>\n{row}{row}</table>\n"
    before = f"<p>\n\n{NOTE}{NOTE}\n</p>\n\n"
    assert pieces(before + table, token_limit=44) == [before, table]


def test_text_between_two_rules_is_no_front_matter() -> None:
    text = "---\n\nNote: the mill has moved to the river.\n\n---\n\nIt grinds there.\n"
    assert pieces(text, front_matter="drop") == [text]
