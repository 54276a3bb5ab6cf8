"""`structure`: sections, tables, code, lists, front matter, and what stands in front of their parts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkers
from chunkers import Chunk
from chunkers.text.markdown import parse
from tests.encoding_work import encoded_characters
from tests.markdown_documents import markdown
from tests.promises import equations
from tests.promises.variants import asked
from tests.strategies import texts


def cut(text: str, context: tuple[str, ...] = (), **parameters: Any) -> list[Chunk]:
    """The chunks, which keep all promises."""
    chunks = chunkers.create("structure", **parameters).chunk(text, context)
    if parameters.get("front_matter", "keep") == "keep":
        equations.check(text, context, chunks, asked({"structure": parameters}))
    return chunks


def shown(text: str, **parameters: Any) -> list[tuple[str, str]]:
    """Context and text of the chunks."""
    return [(chunk.context, chunk.text) for chunk in cut(text, **parameters)]


def pieces(text: str, **parameters: Any) -> list[str]:
    return [chunk.text for chunk in cut(text, **parameters)]


# Sections


def test_a_chunk_never_runs_over_a_heading() -> None:
    text = "# Mill\nOld.\n## Wheel\nOak.\n### Axle\nIron.\n## Stone\nGrit.\n# Barn\nRed.\n"
    found = cut(text)
    assert [(chunk.section_path, chunk.text) for chunk in found] == [
        (("Mill",), "# Mill\nOld.\n"),
        (("Mill", "Wheel"), "## Wheel\nOak.\n"),
        (("Mill", "Wheel", "Axle"), "### Axle\nIron.\n"),
        (("Mill", "Stone"), "## Stone\nGrit.\n"),
        (("Barn",), "# Barn\nRed.\n"),
    ]
    assert [chunk.context for chunk in found] == ["", "# Mill\n", "# Mill\n## Wheel\n", "# Mill\n", ""]


def test_neither_for_min_tokens() -> None:
    text = "# A\na\n\n# B\nb\n\n# C\nc\n"
    assert pieces(text, min_tokens=200) == ["# A\na\n\n", "# B\nb\n\n", "# C\nc\n"]


def test_a_heading_without_text_goes_with_the_first_one_below_it() -> None:
    text = "# A\n\n## B\n\n### C\nc\n\n## D\n\n# E\n\n# F\nf\n"
    found = cut(text)
    assert [(chunk.section_path, chunk.text) for chunk in found] == [
        (("A", "B", "C"), "# A\n\n## B\n\n### C\nc\n\n"),
        (("A", "D"), "## D\n\n"),
        (("E",), "# E\n\n"),
        (("F",), "# F\nf\n"),
    ]


def test_text_before_the_first_heading_is_a_section_of_its_own() -> None:
    assert [(chunk.section_path, chunk.text) for chunk in cut("\ufeffintro\n\n# A\na\n")] == [
        ((), "\ufeffintro\n\n"),
        (("A",), "# A\na\n"),
    ]
    assert pieces("\ufeff\n\n# A\na\n") == ["\ufeff\n\n# A\na\n"]


def test_headings_above_are_context_of_later_chunks_too() -> None:
    text = "# A\n## B\n" + "".join(f"Sentence number {n} of many.\n\n" for n in range(20))
    found = cut(text, ("Handbook",), token_limit=40)
    assert found[0].context == "Handbook\n"
    assert {chunk.context for chunk in found[1:]} == {"Handbook\n# A\n## B\n"}
    assert {chunk.section_path for chunk in found} == {("A", "B")}


@pytest.mark.parametrize(
    ("template", "context"),
    [("{marks} {title}", "# A\n"), ("{title}", "A\n"), ("Section {level}: {title}", "Section 1: A\n"), ("", "")],
)
def test_the_template_says_how_headings_look(template: str, context: str) -> None:
    assert cut("# A\na\n## B\nb\n", heading_template=template)[1].context == context


def test_a_cascade_carries_the_headings_on() -> None:
    text = "# A\n## B\n" + "word " * 60
    algorithm = chunkers.create_cascade([("structure", {}), ("fixed_token_length", {"token_limit": 40})])
    assert [chunk.context for chunk in algorithm.chunk(text)] == ["", "# A\n## B\n"]


def test_children_of_a_section_carry_its_headings() -> None:
    text = "# A\n## B\n" + "word " * 60
    child = {"fixed_token_length": {"token_limit": 40, "tokenizer": "cl100k_base"}}
    chunks = chunkers.create("parent_child", parent={"structure": {}}, child=child).chunk(text)
    assert [chunk.context for chunk in chunks if chunk.level == 0] == ["", "# A\n## B\n"]
    assert [chunk.context for chunk in chunks if chunk.level == 1] == [""]


def test_small_siblings_merge_under_their_parent() -> None:
    text = "# A\nIntro.\n## B\nb\n### C\nc\n## D\nd\n"
    (whole,) = cut(text, merge_sections=True)
    assert (whole.text, whole.section_path) == (text, ("A",))
    long = "# A\n## B\n" + "b " * 36 + "\n## C\nc\n## D\nd\n### E\ne\n## F\n" + "f " * 30 + "\n"
    assert [(chunk.section_path, chunk.text[:4]) for chunk in cut(long, merge_sections=True, token_limit=44)] == [
        (("A", "B"), "# A\n"),
        (("A",), "## C"),
        (("A", "F"), "## F"),
    ]


@given(markdown(), st.sampled_from((7, 30, 512)))
def test_nothing_but_headings_is_in_front_of_a_heading(text: str, limit: int) -> None:
    headings = parse(text).headings
    for chunk in chunkers.create("structure", token_limit=limit, min_tokens=3).chunk(text):
        inside = [heading for heading in headings if chunk.start <= heading.start < chunk.end]
        assert [heading.level for heading in inside] == sorted({heading.level for heading in inside})
        cut_heading = max((heading.end for heading in headings if heading.start < chunk.start), default=0)
        edges = [max(chunk.start, cut_heading), *(edge for heading in inside for edge in (heading.start, heading.end))]
        between = [text[low:high] for low, high in zip(edges[:-1:2], edges[1::2], strict=True)]
        assert not "".join(between).strip("\ufeff \t\r\n")


# Blocks


def test_blocks_that_fit_stay_whole() -> None:
    text = "# A\n" + "".join(f"Paragraph {n} has some words in it. It goes on.\n\n" for n in range(8))
    assert all(piece.endswith("\n\n") for piece in pieces(text, token_limit=40))


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = "# A\n\n" + " ".join(f"This is sentence {n}." for n in range(20)) + "\n"
    assert all(piece.rstrip().endswith(".") for piece in pieces(text, token_limit=30))


def test_min_tokens_joins_what_is_small() -> None:
    text = "Short.\n\n" + " ".join(f"This is sentence {n}." for n in range(12)) + "\n"
    assert pieces("Short.\n\n" + "- item " * 30 + "\n", token_limit=40, min_tokens=10)[0] != "Short.\n\n"
    assert all(chunk.token_count and chunk.token_count >= 10 for chunk in cut(text, token_limit=40, min_tokens=10))


def test_a_heading_stays_with_the_text_below_it() -> None:
    text = "## Use\n\n" + "x" * 10 + "\n\n" + "Then something else that is long enough. " * 6
    assert all(not piece.rstrip().endswith("Use") for piece in pieces(text, token_limit=12))


# Tables

TABLE = "| name | size |\n|------|-----:|\n" + "".join(f"| mill {n} | {n * 7} |\n" for n in range(20))


def test_a_table_that_fits_is_whole() -> None:
    text = "# A\n\n" + "Some words before it. " * 14 + "\n\n" + TABLE + "\nEnd.\n"
    found = cut(text, token_limit=240, overlap_rate=0.25)
    assert sum(TABLE in chunk.text for chunk in found) == 1


def test_a_table_is_split_between_rows_with_its_header_in_front() -> None:
    first, *others = cut("# A\n\n" + TABLE, token_limit=70)
    assert first.text.startswith("# A\n\n| name")
    assert {chunk.context for chunk in others} == {"# A\n| name | size |\n|------|-----:|\n"}
    assert {chunk.kind for chunk in (first, *others)} == {"table"}
    for chunk in (first, *others):
        assert re.fullmatch(r"(\| mill \d+ \| \d+ \|\n)+", chunk.text[chunk.text.index("| mill") :])
    assert not any(chunk.context_cut for chunk in others)


def test_a_table_without_outer_pipes_and_one_in_a_list() -> None:
    rows = "".join(f"mill {n} | {n}\n" for n in range(20))
    assert cut("name | size\n--- | ---\n" + rows, token_limit=60)[1].context == "name | size\n--- | ---\n"
    inside = "- a\n\n  | name | size |\n  |---|---|\n" + "".join(f"  | mill {n} | {n} |\n" for n in range(20))
    context = cut(inside, token_limit=70)[1].context
    assert context.endswith("| name | size |\n|---|---|\n")


def test_a_wide_header_is_shortened_by_columns() -> None:
    names = "|".join(f" column {n} " for n in range(30))
    rows = "".join("|" + "|".join(f" v{n}{m} " for m in range(30)) + "|\n" for n in range(5))
    text = f"|{names}|\n|{'---|' * 30}\n{rows}"
    found = cut(text, token_limit=60)
    later = [chunk for chunk in found if chunk.context]
    assert {chunk.context for chunk in later} == {
        "| column 0 | column 1 | column 2 | column 3 | \u2026 |\n|---|---|---|---|---|\n"
    }
    assert all(chunk.context_cut for chunk in later)
    assert all(not re.search(r"\w$", chunk.text) for chunk in later), "a cell is cut"
    assert all(chunk.token_count and chunk.token_count > 30 for chunk in found[:-1])


def test_a_row_over_the_limit_is_cut_between_cells_then_inside() -> None:
    cells = ["short one", "another cell", "long " * 30, "end"]
    text = f"| a | b | c | d |\n|-|-|-|-|\n| {' | '.join(cells)} |\n"
    found = pieces(text, token_limit=40)
    assert any(piece.startswith("| long") for piece in found)
    assert all(piece.lstrip().startswith(("| ", "long")) for piece in found)


# Code

CODE = "".join(f"def turn_{n}(wheel):\n    wheel.turn({n})\n\n    return wheel\n\n\n" for n in range(8))


def test_a_fence_that_fits_is_whole() -> None:
    fenced = f"```python\n{CODE}```\n"
    text = "# A\n\n" + "Some words before it. " * 14 + f"\n\n{fenced}\nEnd.\n"
    assert sum(fenced in piece for piece in pieces(text, token_limit=220, overlap_rate=0.25)) == 1


@pytest.mark.parametrize("info", ["python", "unknown", ""])
def test_code_is_cut_between_functions_with_its_fence_in_front(info: str) -> None:
    first, *others = cut(f"# A\n\n```{info}\n{CODE}```\n", token_limit=60)
    assert first.text.startswith(f"# A\n\n```{info}\ndef ")
    for chunk in others:
        assert chunk.context == f"# A\n```{info}\n" or (not info and chunk.text.endswith("```\n"))
        assert chunk.text.startswith("def ")
        assert chunk.kind == "code"


def test_decorators_and_indentation_stay() -> None:
    methods = "".join(f"    @cached\n    def part_{n}(self):\n        return self.wheel[{n}]\n\n" for n in range(8))
    found = pieces(f"```python\nclass Mill:\n{methods}```\n", token_limit=50)
    assert len(found) > 2
    assert all(piece.startswith("    @cached\n    def ") for piece in found[1:])


def test_a_whole_source_file() -> None:
    found = cut(CODE, language="python", token_limit=60)
    assert all(chunk.text.startswith("def ") and chunk.kind == "code" and chunk.context == "" for chunk in found)
    comment = "# not a heading\nx = 1\n"
    assert [chunk.section_path for chunk in cut(comment, language=".py")] == [()]


def test_a_column_names_the_language() -> None:
    chunker = chunkers.create("structure", language_column="lang", token_limit=60)
    assert chunker.columns == {"lang"}
    assert {chunk.kind for chunk in chunker.for_document({"lang": "python"}).chunk(CODE)} == {"code"}
    assert {chunk.kind for chunk in chunker.for_document({"lang": "he"}).chunk("a\n")} == {"text"}
    assert chunker.for_document({"lang": None}) is chunker
    with pytest.raises(chunkers.errors.DocumentError, match="unknown_language"):
        chunker.for_document({"lang": "cobol 60"})


# Lists

ITEMS = "".join(f"- item {n} of the list\n" for n in range(20))


def test_a_list_stays_with_the_sentence_that_introduces_it() -> None:
    text = "# A\n\n" + "Something else. " * 20 + "Do these steps:\n\n" + "- a\n- b\n- c\n"
    assert pieces(text, token_limit=70)[-1].lstrip() == "Do these steps:\n\n- a\n- b\n- c\n"
    text = "# A\n\n" + "Something else. " * 20 + "\n\nDo these steps:\n\n" + "- a\n- b\n- c\n"
    assert pieces(text, token_limit=70)[-1] == "Do these steps:\n\n- a\n- b\n- c\n"


def test_a_list_is_split_between_items_with_its_introduction_in_front() -> None:
    first, *others = cut("# A\n\nIt has parts. These are they:\n\n" + ITEMS, token_limit=50)
    assert first.text.startswith("# A\n\nIt has parts. These are they:\n\n- item 0")
    assert {chunk.context for chunk in others} == {"# A\nThese are they:\n"}
    assert {chunk.kind for chunk in (first, *others)} == {"list"}
    assert all(chunk.text.startswith("- item ") and chunk.text.endswith(" list\n") for chunk in others)


def test_nested_items_stay_with_their_parent() -> None:
    text = "".join(f"- parent {n}\n  - child {n} a\n  - child {n} b\n" for n in range(8))
    assert all(piece.startswith("- parent") for piece in pieces(text, token_limit=40))
    deep = "- the parent item\n" + "".join(f"  - child number {n}\n" for n in range(20))
    first, *others = cut("Intro:\n\n" + deep, token_limit=40)
    assert first.text.startswith("Intro:\n\n- the parent item\n  - child number 0\n")
    assert {chunk.context for chunk in others} == {"Intro:\n- the parent item\n"}


# Front matter, HTML, callouts, MDX, footnotes

FRONT = "---\ntitle: The mill\ntags: [a, b]\n---\n\n"


def test_front_matter_is_kept_as_a_chunk_of_its_own() -> None:
    first, second = cut(FRONT + "# A\na\n")
    assert (first.text, first.kind, first.section_path) == (FRONT, "front_matter", ())
    assert (second.text, second.kind) == ("# A\na\n", "text")


def test_front_matter_can_be_dropped() -> None:
    (chunk,) = cut(FRONT + "# A\na\n", front_matter="drop")
    assert (chunk.text, chunk.start, chunk.context) == ("# A\na\n", len(FRONT), "")
    assert cut(FRONT, front_matter="drop") == []


def test_front_matter_can_be_read() -> None:
    given = ["tags", "absent"]
    (chunk,) = cut(FRONT + "# A\na\n", front_matter="parse", front_matter_fields=given)
    assert (chunk.text, chunk.context) == ("# A\na\n", "The mill\ntags: a, b\n")
    (chunk,) = cut("+++\ntitle = 'T'\n+++\na\n", ("Given",), front_matter="parse")
    assert (chunk.text, chunk.context) == ("a\n", "Given\nT\n")
    broken = "---\ntitle: [\n---\n"
    assert [chunk.text for chunk in cut(broken + "a\n", front_matter="parse")] == [broken, "a\n"]
    with pytest.raises(chunkers.ConfigurationError, match="front_matter_fields"):
        chunkers.create("structure", front_matter_fields=given)


PARAGRAPH = "The mill stands beside the river. It grinds wheat for the village, and the stone turns slowly.\n\n"
BLOCKS = [
    "# Mill\n\n",
    "## Water wheel\n\n",
    PARAGRAPH,
    "Rye, oats.\n\n",
    "| part | size |\n| --- | --- |\n" + "| wheel | seven |\n" * 5 + "\n",
    "```python\n" + "grind(wheat, stones=2)\n" * 5 + "```\n\n",
]


@given(st.lists(st.sampled_from(BLOCKS), max_size=20), st.integers(40, 120), st.sampled_from([0.1, 0.3, 0.5]))
def test_no_overlap_cuts_what_is_whole_without_it(blocks: list[str], limit: int, overlap_rate: float) -> None:
    text = "".join(blocks)

    def cut_blocks(rate: float) -> set[int]:
        """Starts of the tables and code blocks in which a chunk ends."""
        chunks = cut(text, token_limit=limit, overlap_rate=rate)
        spans = [(block.start, block.end) for block in parse(text).tiles() if block.kind in ("table", "code")]
        return {start for start, end in spans for chunk in chunks if start < chunk.end < end}

    assert cut_blocks(overlap_rate) <= cut_blocks(0.0)


@settings(max_examples=50)
@given(texts(30))
def test_what_front_matter_is_left_out_of_keeps_the_promises(body: str) -> None:
    size = {"token_limit": 30, "overlap_rate": 0.2}
    text = FRONT + body
    kept = [chunk for chunk in cut(text, **size) if text[max(len(FRONT), chunk.start) : chunk.end].strip()]
    dropped = cut(text, front_matter="drop", **size)
    assert [(chunk.start, chunk.end, chunk.context) for chunk in dropped] == [
        (chunk.start, chunk.end, chunk.context) for chunk in kept
    ]
    reached = len(FRONT)
    for chunk in cut(text, front_matter="parse", front_matter_fields=["tags"], **size):
        assert text[chunk.start : chunk.end] == chunk.text
        assert not text[reached : chunk.start].strip()
        assert chunk.over_limit or (chunk.token_count is not None and chunk.token_count <= 30)
        reached = max(reached, chunk.end)
    assert not text[reached:].strip()


@pytest.mark.parametrize(
    "block",
    [
        "> [!NOTE]\n> Mind the wheel.\n>\n> It turns.\n\n",
        "<div>\n<p>Mind the wheel.</p>\n</div>\n\n",
        "<Tabs>\n<Tab>\n\nMind the wheel.\n\n</Tab>\n</Tabs>\n\n",
        ":::note\n\nMind the wheel.\n\n:::\n\n",
        "[^1]: Mind the wheel.\n\n    It turns.\n\n",
        "<details>\n\nMind the wheel.\n\n- a\n- b\n\n</details>\n\n",
    ],
)
def test_what_belongs_together_is_not_torn(block: str) -> None:
    filler = "Some words[^1] that fill. " * 3 + "\n\n"
    for times in range(1, 8):
        found = pieces("# A\n\n" + filler * times + block + filler, token_limit=64, overlap_rate=0.1)
        assert sum(block.strip() in piece for piece in found) == 1


@pytest.mark.parametrize("before", ["> ", ">", "> > ", ">> "])
def test_a_long_callout_keeps_its_mark_in_front(before: str) -> None:
    text = f"{before}[!WARNING]\n" + "".join(
        f"{before}Paragraph {n} warns of the wheel.\n{before}\n" for n in range(12)
    )
    assert all(chunk.context == "[!WARNING]\n" for chunk in cut(text, token_limit=40)[1:])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# A\n\nIt has:\n\n- a\n- b\n", "list"),
        ("# A\n\n| a |\n|---|\n| b |\n", "table"),
        ("# A\n\n```\na\n```\n", "code"),
        ("# A\n\n<div>a</div>\n", "html"),
        ("# A\n\nText.\n\n```\na\n```\n", "text"),
        ("# A\n", "text"),
    ],
)
def test_kind(text: str, kind: str) -> None:
    (chunk,) = cut(text)
    assert chunk.kind == kind


# Plain text


def test_plain_text_has_paragraphs_and_lists() -> None:
    text = "# no heading\nFirst.\n\nThere are three:\n1. one\n2. two\n   goes on\n\n3. three\n\nLast.\n"
    assert pieces(text, format="text") == [text]
    found = cut(text, format="text", token_limit=22)
    assert [chunk.text for chunk in found] == [
        "# no heading\nFirst.\n\n",
        "There are three:\n1. one\n2. two\n   goes on\n\n3. three\n\n",
        "Last.\n",
    ] or all(chunk.section_path == () for chunk in found)


def test_plain_items_carry_their_introduction() -> None:
    text = "These are the parts:\n" + "".join(f"{n}. part number {n}\n" for n in range(1, 20))
    assert {chunk.context for chunk in cut(text, format="text", token_limit=40)[1:]} == {"These are the parts:\n"}


# Limits and overlap


def test_overlap_is_rows_items_and_lines() -> None:
    for text, start in ((TABLE, "| mill"), (ITEMS, "- item"), (f"```\n{CODE}```\n", "")):
        found = cut(text, token_limit=80, overlap_rate=0.25)
        assert all(chunk.overlap_chars for chunk in found[1:])
        assert all(chunk.text.startswith(start) for chunk in found[1:])
        assert all(text[chunk.start - 1] == "\n" for chunk in found[1:])


def test_overlap_in_a_long_word() -> None:
    found = cut("\u4f60\u597d" * 300, token_limit=60, overlap_rate=0.25)
    assert all(chunk.overlap_chars for chunk in found[1:])


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        TABLE * 400,
        "| a | b |\n|---|---|\n| c | d |\n" + "| word and word | 1 |\n" * 10_000,
        ITEMS * 500,
        "- a\n" + "  - nested item\n" * 10_000,
        f"```python\n{CODE * 60}```\n",
        "# Heading\n\nSome text.\n\n" * 8_000,
        "<Tabs>\n\ntext\n\n" * 4_000 + "</Tabs>\n\n" * 4_000,
        "> " * 2_000 + "word " * 2_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_work_is_linear(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    parameters = {"token_limit": 60, "tokenizer": "cl100k_base", "overlap_rate": 0.1}
    work = encoded_characters(monkeypatch, text, name="structure", **parameters)
    assert work <= 12 * len(text)


@pytest.mark.parametrize(
    "text",
    [
        f"|{' a |' * 2_000}\n|{'---|' * 2_000}\n|{' b |' * 2_000}\n",
        f"| a | b |\n|---|---|\n| 1 | {'rye ' * 5_000}|\n",
        "- " * 10_000 + "x",
        f"- {'rye, oats ' * 2_000}\n",
        f"```\n{'x = [1, 2] ' * 2_000}\n```\n",
    ],
)
def test_the_end_of_a_long_line_is_not_looked_for_from_every_cut(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    from chunkers.text.structure import inner

    pattern, read = inner._NEXT_LINE, 0

    class Counted:
        def search(self, text: str, start: int, end: int) -> re.Match[str] | None:
            nonlocal read
            found = pattern.search(text, start, end)
            read += (found.end() if found else end) - start
            return found

    monkeypatch.setattr(inner, "_NEXT_LINE", Counted())
    chunkers.create("structure", token_limit=60, overlap_rate=0.1).spans(text)
    assert 0 < read <= 6 * len(text)


def test_problems_are_told() -> None:
    with pytest.raises(chunkers.ConfigurationError) as raised:
        chunkers.create("structure", language="klingon?", heading_template="{path}", min_tokens=300)
    message = str(raised.value)
    assert "structure.language" in message
    with pytest.raises(chunkers.ConfigurationError, match=r"'\{title' is no template: expected '\}'"):
        chunkers.create("structure", heading_template="{title")
    with pytest.raises(chunkers.ConfigurationError, match=r"heading_template.*path"):
        chunkers.create("structure", heading_template="{path}")
    with pytest.raises(chunkers.ConfigurationError, match="min_tokens"):
        chunkers.create("structure", min_tokens=300)


# What is said again further down

_HEADER = "| Name | Type | Description |\n|------|------|-------------|\n"


def _api_table(count: int, name: str) -> str:
    rows = (f"| {name}{n} | string | What {name} number {n} is for |\n" for n in range(count))
    return _HEADER + "".join(rows)


def test_the_header_of_another_table_further_down_is_not_this_ones() -> None:
    text = f"# API\n\nRequest:\n\n{_api_table(6, 'grain')}\nResponse:\n\n{_api_table(2, 'flour')}\n"
    _, (context, second) = shown(text, token_limit=96)
    assert second.startswith("| grain5 |")
    assert _HEADER in second
    assert context == f"# API\n{_HEADER}"


def test_the_fence_of_other_code_further_down_is_not_this_ones() -> None:
    functions = "\n\n".join(f"def f{n}(x):\n    return x + {n}" for n in range(6))
    text = f"# Use\n\n```python\n{functions}\n```\n\nThen:\n\n```python\nf1(3)\n```\n"
    _, (context, second) = shown(text, token_limit=64)
    assert second.startswith("def f4")
    assert "```python" in second
    assert context == "# Use\n```python\n"


def test_the_introduction_of_another_list_further_down_is_not_this_ones() -> None:
    steps = "- build the mill, which takes a year\n- open the sluice\n- feed the hopper\n- grind\n"
    text = f"Steps:\n\n{steps}\nThen.\n\nSteps:\n\n- stop\n"
    _, (context, second) = shown(text, token_limit=24)
    assert second.startswith("- grind")
    assert context == "Steps:\n"


# Source files of other languages


@pytest.mark.parametrize("language", ["sh", "bash", "ruby", ".cs", "sql", "c", "code"])
def test_a_source_file_without_a_grammar_is_cut_at_blank_lines(language: str) -> None:
    text = "# Install the tools\nset -e\ncp a b\n\n# Run it\ngrind --all\n"
    chunks = chunkers.create("structure", token_limit=16, language=language).chunk(text)
    assert [(chunk.kind, chunk.section_path) for chunk in chunks] == [("code", ()), ("code", ())]
    assert chunks[1].text == "# Run it\ngrind --all\n"


def test_czech_is_no_programming_language() -> None:
    assert pieces("# Ml\u00fdn\n\nMele se \u017eito.\n", language="cs") == ["# Ml\u00fdn\n\nMele se \u017eito.\n"]
    with pytest.raises(chunkers.ConfigurationError, match=r"cobol.*one of the programming languages python, .*bash"):
        chunkers.create("structure", language="cobol")


@pytest.mark.parametrize("front_matter", ["drop", "parse"])
def test_front_matter_alone_is_no_chunk(front_matter: str) -> None:
    text = "---\ntitle: Mill\n---\n"
    assert chunkers.create("structure", front_matter=front_matter, trim=True).chunk(text) == []
