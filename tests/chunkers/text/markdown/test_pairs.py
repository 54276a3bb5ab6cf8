"""Pairs of marks that hold blocks together."""

from __future__ import annotations

import pytest
from hypothesis import given

from chunkers.text.markdown import parse
from chunkers.text.markdown.pairs import pairs
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
    ],
    ids=lambda text: repr(text[:12]),
)
def test_long_runs_do_not_hang(text: str) -> None:
    assert len(held(text[: len(text) // 4])) <= len(text)
    pairs(text, parse(text).tiles())
