"""`parent_child`: two levels, children in their parents, context for both, nothing found twice."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

import chunkers
from chunkers import Chunk
from chunkers.errors import ConfigurationError
from tests.promises import equations
from tests.promises.variants import asked

TEXT = "# Mill\n\nThe wheel turns. The stone grinds. The miller sleeps.\n\nThe river runs. The wheel turns."


def levels(text: str, **parameters: Any) -> tuple[list[Chunk], list[Chunk]]:
    chunks = chunkers.create("parent_child", **parameters).chunk(text)
    return [c for c in chunks if c.level == 0], [c for c in chunks if c.level == 1]


def test_children_are_cut_from_each_parent() -> None:
    children, parents = levels(
        TEXT, parent={"delimiter": {"delimiter": "sleeps.\n\n"}}, child={"sentence": {"token_limit": 10}}
    )
    assert [parent.text for parent in parents] == [TEXT[:63], TEXT[63:]]
    assert [(child.parent_index, child.text) for child in children] == [
        (0, "# Mill\n\nThe wheel turns. "),
        (0, "The stone grinds. The miller sleeps.\n\n"),
        (1, "The river runs. The wheel turns."),
    ]
    assert [child.index for child in children] == [0, 1, 2]
    assert [parent.index for parent in parents] == [0, 1]


def test_parents_that_overlap_have_each_child_once() -> None:
    children, parents = levels(
        "abcdefghijklmnop",
        parent={"fixed_char_length": {"char_limit": 8, "overlap_rate": 0.5}},
        child={"fixed_char_length": {"char_limit": 4}},
    )
    assert [parent.text for parent in parents] == ["abcdefgh", "efghijkl", "ijklmnop"]
    assert [(child.parent_index, child.text) for child in children] == [
        (0, "abcd"),
        (0, "efgh"),
        (1, "ijkl"),
        (2, "mnop"),
    ]


def test_headings_of_the_parent_are_context_of_the_children_that_do_not_show_them() -> None:
    children, parents = levels(
        "# Mill\n\nThe wheel turns.\n\nThe stone grinds.", parent={"markdown": {}}, child={"delimiter": {}}
    )
    assert [parent.context for parent in parents] == [""]
    assert [child.context for child in children] == ["", "# Mill\n", "# Mill\n"]
    assert {child.section_path for child in children} == {("Mill",)}


def test_a_title_that_the_parent_says_is_context_of_its_children() -> None:
    chunker = chunkers.create("parent_child", parent={"recursive": {}}, child={"delimiter": {}})
    chunks = chunker.chunk("Old Mill\n\nIt grinds wheat.", ["Old Mill"])
    assert [(chunk.level, chunk.context) for chunk in chunks] == [(0, ""), (0, "Old Mill\n"), (1, "")]


def test_the_key_of_a_parent_tells_twins_apart() -> None:
    chunker = chunkers.create(
        "parent_child", parent={"delimiter": {"delimiter": "\n"}}, child={"fixed_char_length": {"char_limit": 3}}
    )
    rows = chunker.chunk_batch(["abcdef\nabcdef\n", None, "x"]).to_pylist()[0]
    digest = hashlib.sha256(b"abcdef\n").hexdigest()
    assert [row["parent_key"] for row in rows if row["level"] == 0] == [
        *[f"0\n{digest}"] * 2,
        *[f"1\n{digest}"] * 2,
    ]
    assert [(row["chunk_index"], row["chunk_count"], row["occurrence"]) for row in rows if row["level"] == 1] == [
        (0, 2, 0),
        (1, 2, 1),
    ]


def test_children_measured_with_their_parents_are_those_measured_alone() -> None:
    text = "The wheel's turned, 1,234 times. \u05e9\u05dc\u05d5\u05dd \U0001f6a2! " * 30
    for tokenizer in ("cl100k_base", "o200k_base", "standard", "whitespace"):
        parent = {"token_limit": 60, "tokenizer": tokenizer}
        child = {"token_limit": 11, "tokenizer": tokenizer, "overlap_rate": 0.25}
        children, parents = levels(text, parent={"fixed_token_length": parent}, child={"recursive": child})
        alone = [c for p in parents for c in chunkers.create("recursive", **child).chunk(p.text)]
        assert [(c.text, c.token_count) for c in children] == [(c.text, c.token_count) for c in alone]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"parent": {"recursiv": {}}, "child": {"recursive": {}}}, "parent_child.parent.recursiv: unknown algorithm"),
        (
            {
                "parent": {"recursive": {}},
                "child": {"parent_child": {"parent": {"delimiter": {}}, "child": {"delimiter": {}}}},
            },
            "parent_child.child: is parent_child again",
        ),
        (
            {"parent": {"recursive": {}}, "child": {"recursive": {}}, "trim": True},
            "parent_child.trim: is a matter of the two algorithms",
        ),
        (
            {"parent": {"recursive": {"token_limit": 20}}, "child": {"sentence": {"token_limit": 200}}},
            "parent_child.child: has a limit of 200, more than the 20 of the parents that it cuts",
        ),
    ],
    ids=["unknown", "nested", "trim", "limits"],
)
def test_wrong_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        chunkers.create("parent_child", **parameters)
    assert message in str(raised.value)


def test_a_merged_tail_is_in_its_parent() -> None:
    children, parents = levels(
        "ab cd ef gh",
        parent={"delimiter": {"delimiter": " "}},
        child={"fixed_char_length": {"char_limit": 1}},
        max_chunk_limit=4,
    )
    assert [(child.parent_index, child.text, child.over_limit) for child in children] == [
        (0, "a", False),
        (0, "b", False),
        (1, "c", False),
        (1, "d ef gh", True),
    ]
    assert [parent.text for parent in parents] == ["ab ", "cd ef gh"]


@pytest.mark.parametrize(
    ("parent", "child", "text"),
    [
        ({"structure": {"token_limit": 4}}, {"recursive": {"token_limit": 4}}, "# Use it now please\n\nText"),
        ({"structure": {"token_limit": 1}}, {"structure": {"token_limit": 1}}, "# e"),
        ({"recursive": {"token_limit": 100, "context_share": 0}}, {"recursive": {"token_limit": 20}}, "a b"),
        ({"recursive": {"token_limit": 9}}, {"recursive": {"token_limit": 9, "context_share": 0}}, "a b"),
        (
            {"recursive": {"char_limit": 15, "context_share": 0.1}},
            {"fixed_char_length": {"char_limit": 9, "context_share": 0.3}},
            "a",
        ),
    ],
    ids=str,
)
def test_each_level_keeps_its_own_limit_with_its_context(parent: Any, child: Any, text: str) -> None:
    definition = {"parent_child": {"parent": parent, "child": child}}
    for context in ((), ("A title that is much longer than what may go in front\n",)):
        chunks = chunkers.create_algorithm(definition).chunk(text, context)
        equations.check(text, context, chunks, asked(definition))


def test_children_keep_their_windows() -> None:
    text = "A mill. It grinds. It stops.\n\nRye grows. Oats grow."
    child = {"sentence_window": {"window": 1}}
    both = chunkers.create_algorithm({"parent_child": {"parent": {"delimiter": {}}, "child": child}}).chunk(text)
    cascade = chunkers.create_algorithm([{"delimiter": {}}, child]).chunk(text)
    children = [(chunk.start, chunk.end, chunk.window_start, chunk.window_end) for chunk in both if chunk.level == 0]
    assert children == [(chunk.start, chunk.end, chunk.window_start, chunk.window_end) for chunk in cascade]
    assert {(chunk.window_start, chunk.window_end) for chunk in both if chunk.level == 1} == {(None, None)}


def test_windows_hold_what_the_last_child_takes_in() -> None:
    algorithm = chunkers.create(
        "parent_child", parent={"delimiter": {}}, child={"sentence_window": {"window": 0}}, max_chunk_limit=2
    )
    text = "A mill. It grinds. It stops.\n\nRye grows."
    _, last, _ = algorithm.chunk(text)
    assert (last.start, last.end, last.window_end) == (8, len(text), len(text))


def test_an_empty_heading_comes_in_by_no_second_door() -> None:
    definition = {
        "parent_child": {
            "parent": {"structure": {"token_limit": 128}},
            "child": {"sentence": {"token_limit": 32, "context_share": 0.0}},
        }
    }
    text = f"#\n{' rye and oats' * 40} "
    chunks = chunkers.create_algorithm(definition).chunk(text, headings=True)
    equations.check(text, (), chunks, asked(definition))
