"""Where front matter ends, and what only looks like it."""

from __future__ import annotations

import pytest

from chunkers.text.front_matter import front_matter_span, front_matter_values


@pytest.mark.parametrize(
    "front_matter",
    [
        "---\ntitle: Demo\n---\n",
        "---\ntitle: Demo\n...\n",
        "---  \ntitle: Demo\n---\t\n",
        "---\r\ntitle: Demo\r\n---\r\n",
        "---\rtitle: Demo\r---\r",
        "---\n\ntitle: Demo\n---\n",
        "---\n# a comment\n\n  # another\ntitle: Demo\n---\n",
        "---\n title: Demo\n---\n",
        "---\n'title': Demo\n---\n",
        "---\n{title: Demo}\n---\n",
        "---\ntitle:\n  - one\n---\n",
        "---\ntext: |\n  ----\n  --- no end\n---\n",
        "---\n---\n",
        "---\ntitle: Demo\n\n---\n",
        "+++\n\ntitle = 'Demo'\n\n+++\n",
        "+++\ntitle = 'Demo'\n+++\n",
        "+++\n[table]\n+++\n",
    ],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_it_ends_behind_its_second_mark(front_matter: str, mark: str) -> None:
    assert front_matter_span(f"{mark}{front_matter}# Real\n---\n") == (len(mark), len(mark + front_matter))


def test_it_may_be_all_there_is() -> None:
    assert front_matter_span("---\ntitle: Demo\n---") == (0, 19)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\ntitle: never closed\n\n# Real\n",
        "+++\ntitle = 'never closed'\n---\n",
        "----\ntitle: Demo\n----\n",
        " ---\ntitle: Demo\n---\n",
        "\n---\ntitle: Demo\n---\n",
        "--- #\ntitle: Demo\n---\n",
        "---\ntitle: Demo\n --- \n--- x\n----\n",
        "---\n\n# Between two rules\n\n---\n\nText\n",
        "---\n\nA sentence between two rules.\n\n---\n",
        "---\n\nNote: this is between two rules.\n\n---\n",
        "--- \r\n \t\r\nNote: this too\r\n\t\r\n---\r\n",
        "---\r\rNote: this too\r\r---\r",
        "---\n\n---\n",
        "---\n- a list\n---\n",
        "---\nhttps://example.org\n---\n",
    ],
)
def test_no_front_matter(text: str) -> None:
    assert front_matter_span(text) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "---\ntitle: The mill\ndate: 2024-05-01\ntags: [a, 2]\n---\nbody",
            {"title": "The mill", "date": "2024-05-01", "tags": "a, 2"},
        ),
        ("\ufeff---\r\ntitle: >\r\n  two\r\n  lines\r\n...\r\n", {"title": "two lines"}),
        ("+++\r\ntitle = 'The mill'\r\ntags = ['a']\r\n+++\r\n", {"title": "The mill", "tags": "a"}),
        ("---\ntitle:\nnested: {a: b}\nlists: [[a]]\nnothing: [null]\n---\n", {}),
        ("---\n---\n", {}),
        ("---\ntitle: [\n---\n", None),
        ("+++\ntitle\n+++\n", None),
        ("---\na: " + "[" * 5_000 + "\n---\n", None),
        ("# no front matter\n", None),
    ],
)
def test_values(text: str, values: dict[str, str] | None) -> None:
    assert front_matter_values(text) == values
