"""Pairs of marks that hold blocks together."""

from __future__ import annotations

import pytest
from hypothesis import given

from chunkers.text.markdown import parse
from chunkers.text.markdown.pairs import pairs, parted
from tests.markdown_documents import markdown
from tests.strategies import texts


def held(text: str) -> list[str]:
    tiles = parse(text).tiles()
    return [text[tiles[first].start : tiles[last].end] for first, last in pairs(text, tiles)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\n<Tabs>\n\nb\n\n</Tabs>\n\nc\n", ["<Tabs>\n\nb\n\n</Tabs>\n\n"]),
        ("<details><summary>S</summary>\n\nb\n\n</details>\n", ["<details><summary>S</summary>\n\nb\n\n</details>\n"]),
        (
            "<Tabs>\n<Tab>\n\na\n\n</Tab>\n<Tab>\n\nb\n</Tab>\n</Tabs>\n",
            [
                "<Tabs>\n<Tab>\n\na\n\n</Tab>\n<Tab>\n\n",
                "</Tab>\n<Tab>\n\nb\n</Tab>\n</Tabs>\n",
                "<Tabs>\n<Tab>\n\na\n\n</Tab>\n<Tab>\n\nb\n</Tab>\n</Tabs>\n",
            ],
        ),
        (
            "<Tabs\n  items={[{label: 'a>b'}]}\n>\n\nb\n\n</Tabs>\n",
            ["<Tabs\n  items={[{label: 'a>b'}]}\n>\n\nb\n\n</Tabs>\n"],
        ),
        ("<Tabs>\n\n- a\n</Tabs>\n", ["<Tabs>\n\n- a\n</Tabs>\n"]),
        (":::note Read this\n\nb\n\n:::\n\nc\n", [":::note Read this\n\nb\n\n:::\n\n"]),
        (
            "::::tip\n\n:::note\n\nb\n\n:::\n\n::::\n",
            [":::note\n\nb\n\n:::\n\n", "::::tip\n\n:::note\n\nb\n\n:::\n\n::::\n"],
        ),
        (":::{note}\n\nb\n\n- c\n:::\n", [":::{note}\n\nb\n\n- c\n:::\n"]),
        ('{% tab "x" %}\n\nb\n\n{% endtab %}\n', ['{% tab "x" %}\n\nb\n\n{% endtab %}\n']),
        ("{{< tab >}}\n\nb\n\n{{< /tab >}}\n", ["{{< tab >}}\n\nb\n\n{{< /tab >}}\n"]),
        ("{{% alert %}}\n\nb\n\n{{% /alert %}}\n", ["{{% alert %}}\n\nb\n\n{{% /alert %}}\n"]),
        ("<Tabs>\n\nb\n", []),
        ("b\n\n</Tabs>\n", []),
        ("<Foo />\n\nb\n\n</Foo>\n", []),
        ("<br>\n\nb\n\n</br>\n", []),
        ("`<Tabs>`\n\nb\n\n`</Tabs>`\n", []),
        ("<!-- <Tabs> -->\n\nb\n\n</Tabs>\n", []),
        ("<Tabs>\n\n```\n</Tabs>\n```\n\nb\n", []),
        ("<Tabs>\n\nUse `</Tabs>` to close.\n", []),
        (":::note\nb\n:::\n\nc\n", []),
        ("<Tabs>\n<p>\n\nb\n\n</Tabs>\n", ["<Tabs>\n<p>\n\nb\n\n</Tabs>\n"]),
    ],
)
def test_pairs(text: str, expected: list[str]) -> None:
    assert held(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<A>\n\na\n\n</A>\n<B>\n\nb\n\n</B>\n", ["<A>\n\n", "a\n\n", "</A>\n", "<B>\n\n", "b\n\n", "</B>\n"]),
        (
            "<A>\n\na\n\n</A>\n<!-- b -->\n  <B>\n\nb\n\n</B>\n",
            ["<A>\n\n", "a\n\n", "</A>\n", "<!-- b -->\n  <B>\n\n", "b\n\n", "</B>\n"],
        ),
        (
            ":::a\n\na\n:::\n:::b\nb\n\nb\n\n:::\n",
            [":::a\n\n", "a\n:::\n", ":::b\nb\n\n", "b\n\n", ":::\n"],
        ),
        ("<A>\n\na\n\n</A><B>\n\nb\n\n</B>\n", ["<A>\n\n", "a\n\n", "</A><B>\n\n", "b\n\n", "</B>\n"]),
        ("<A>\n\na\n\n</A>\n<p>\n\nb\n", ["<A>\n\n", "a\n\n", "</A>\n<p>\n\n", "b\n"]),
        ("<b>\n\na\n\n</i>\n<B>\n\nb\n\n</B>\n", ["<b>\n\n", "a\n\n", "</i>\n<B>\n\n", "b\n\n", "</B>\n"]),
        ("<b>\n\n<A>\n<B>\n</B>\n<B>\n</B>\n</A>\n", ["<b>\n\n", "<A>\n<B>\n</B>\n<B>\n</B>\n</A>\n"]),
    ],
)
def test_a_tile_that_ends_one_pair_and_begins_another_is_two(text: str, expected: list[str]) -> None:
    assert [text[tile.start : tile.end] for tile in parted(text, parse(text).tiles())] == expected


@given(markdown() | texts())
def test_parted_tiles_are_all_of_the_text(text: str) -> None:
    tiles = parted(text, parse(text).tiles())
    assert "".join(text[tile.start : tile.end] for tile in tiles) == text
    assert all(tile.start < tile.end for tile in tiles)


@given(markdown() | texts())
def test_pairs_are_nested_ranges_of_tiles(text: str) -> None:
    tiles = parse(text).tiles()
    for first, last in pairs(text, tiles):
        assert 0 <= first < last < len(tiles)


@pytest.mark.parametrize(
    "text",
    [
        "<a>\n\n" * 20_000 + "</a>\n\n" * 20_000,
        "<a '" * 100_000,
        '<div "\n' * 100_000,
        "<div {{\n" * 100_000,
        "<div>\n" + "<!--" * 100_000,
        "<div>\n" + "{" * 200_000,
        ":" * 500_000,
        ":::a\n\n" * 20_000 + ":::\n\n" * 20_000,
        "<a>\n\n" + "</a>\n<a>\n\n" * 20_000,
        "<b>\n\n" + "</a>\n<a>\n" * 20_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_long_runs_do_not_hang(text: str) -> None:
    assert len(held(text[: len(text) // 4])) <= len(text)
    tiles = parse(text).tiles()
    pairs(text, parted(text, tiles))
