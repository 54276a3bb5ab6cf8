"""Faults that users of other tools reported, and that must not happen here.

Each case of ../shared/golden/reported_faults.jsonl is one test by its id, and has a small example of
our own beside it that needs no shared data.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import chunkers
from chunkers import Chunk
from chunkers.tokenizers import create_tokenizer
from tests.encoding_work import encoded_characters
from tests.jobs.documents import configuration, rows, run_job, write_documents
from tests.promises import equations
from tests.promises.variants import asked
from tests.shared_data import shared

Definition = dict[str, dict[str, Any]]
NAMES = {"fixed_token": "fixed_token_length", "fixed_char": "fixed_char_length"}


def case(identity: str) -> tuple[Definition, dict[Any, Any]]:
    """The definition of a case in our names, and its texts by document id."""
    lines = shared("golden/reported_faults.jsonl").read_text(encoding="utf-8").splitlines()
    (found,) = [line for line in map(json.loads, lines) if line["id"] == identity]
    name = found["algorithm"].split(",")[0]
    parameters = dict(found["params"])
    if parameters.get("tokenizer") == "bpe":
        parameters["tokenizer"] = "cl100k_base"
    texts = {document["doc_id"]: expanded(document["text"]) for document in found["input"]}
    return {NAMES.get(name, name): parameters}, texts


def expanded(text: Any) -> Any:
    """A text that is written as `before`, `times` units, `after`."""
    return text["before"] + text["unit"] * text["times"] + text["after"] if isinstance(text, dict) else text


def cut(definition: Definition, text: str) -> list[Chunk]:
    """The chunks, which are exact, and the whole document in order with overlap taken out."""
    chunks = chunkers.create_algorithm(definition).chunk(text)
    equations.exact(text, chunks)
    assert "".join(chunk.text[chunk.overlap_chars :] for chunk in chunks) == text
    return chunks


def pieces(definition: Definition, text: str) -> list[str]:
    return [chunk.text for chunk in cut(definition, text)]


# B01: a run of one sign made the encoder quadratic, or crash.


def is_within_limit_and_linear(monkeypatch: pytest.MonkeyPatch, definition: Definition, text: str) -> None:
    parameters = definition["fixed_token_length"]
    count = create_tokenizer(parameters["tokenizer"]).count
    assert max(count(piece) for piece in pieces(definition, text)) <= parameters["token_limit"]
    work = encoded_characters(monkeypatch, text, **parameters)
    assert work <= 2.5 * encoded_characters(monkeypatch, text[: len(text) // 2], **parameters)
    assert work <= 5 * len(text)


@pytest.mark.parametrize("document", ["d0", "d1", "d2"])
def test_b01(monkeypatch: pytest.MonkeyPatch, document: str) -> None:
    definition, texts = case("B01")
    is_within_limit_and_linear(monkeypatch, definition, texts[document])


def test_b01_example(monkeypatch: pytest.MonkeyPatch) -> None:
    definition = {"fixed_token_length": {"token_limit": 30, "tokenizer": "cl100k_base"}}
    is_within_limit_and_linear(monkeypatch, definition, "=" * 60_000)


# B03: words behind the first 10,000 of a document were lost.


def test_b03() -> None:
    definition, texts = case("B03")
    chunks = cut(definition, texts["d0"])
    assert len(chunks) == 21
    assert [len(chunk.text.split()) for chunk in chunks] == [500] * 20 + [50]


def test_b03_example() -> None:
    chunks = cut({"fixed_token_length": {"token_limit": 400, "tokenizer": "standard"}}, "mill " * 12_010)
    assert [len(chunk.text.split()) for chunk in chunks] == [400] * 30 + [10]


# B05: characters of several tokens were cut into U+FFFD, and offsets were off.


def characters_are_whole(definition: Definition, text: str) -> None:
    """White space beside a character that alone is the limit may be in no chunk; all else is in one."""
    chunks = chunkers.create_algorithm(definition).chunk(text)
    assert all(chunk.text for chunk in chunks)
    assert not any("\ufffd" in chunk.text for chunk in chunks)
    equations.check(text, (), chunks, asked(definition))
    assert all(chunk.end - chunk.start == 1 for chunk in chunks if chunk.over_limit)


def test_b05() -> None:
    definition, texts = case("B05")
    assert "\ufffd" not in texts["d0"]
    characters_are_whole(definition, texts["d0"])


def test_b05_example() -> None:
    definition = {"fixed_token_length": {"token_limit": 4, "overlap_rate": 0.25, "tokenizer": "cl100k_base"}}
    characters_are_whole(definition, "M\u00fchle \U0001f469\u200d\U0001f33e \u05d8\u05d7\u05e0\u05d4 \U00020010 end")


# B07: the last chunk repeated only what the one before had.


def test_b07() -> None:
    definition, texts = case("B07")
    found = {document: cut(definition, text) for document, text in texts.items()}
    assert {document: len(chunks) for document, chunks in found.items()} == {"d0": 2, "d1": 1, "d2": 1}
    for chunks in found.values():
        equations.new_text_in_each(chunks)


def test_b07_example() -> None:
    definition = {"fixed_token_length": {"token_limit": 4, "overlap_rate": 0.5, "tokenizer": "whitespace"}}
    assert pieces(definition, "a b c d e f") == ["a b c d ", "c d e f"]
    assert pieces(definition, "a b c d") == ["a b c d"]


# B09: a character of several code points was cut in two.


def starts_are_clean(chunks: Sequence[Chunk]) -> bool:
    """Whether no chunk starts with a joiner or a mark, and none with half a flag."""
    flags = [sum("\U0001f1e6" <= sign <= "\U0001f1ff" for sign in chunk.text) % 2 for chunk in chunks]
    return not any(flags) and not any(chunk.text[0] in "\u200d\u0301\u0302\u0e49\u0e33" for chunk in chunks)


def test_b09() -> None:
    definition, texts = case("B09")
    assert starts_are_clean(cut(definition, texts["d0"]))
    of_one_cluster = pieces(definition, texts["d1"])
    assert max(map(len, of_one_cluster)) == 8
    assert len(of_one_cluster) == 38


def test_b09_example() -> None:
    definition = {"fixed_char_length": {"char_limit": 5}}
    assert pieces(definition, "abc\U0001f469\u200d\U0001f33e\U0001f1e9\U0001f1eae\u0301") == [
        "abc",
        "\U0001f469\u200d\U0001f33e\U0001f1e9\U0001f1ea",
        "e\u0301",
    ]
    assert pieces(definition, "o" + "\u0308" * 6) == ["o" + "\u0308" * 4, "\u0308" * 2]


# B11: the delimiter was lost, or stood at the start of the next chunk.


def test_b11() -> None:
    definition, texts = case("B11")
    for text in texts.values():
        found = pieces(definition, text)
        assert all(piece.endswith("!") for piece in found[:-1])
        assert all(piece.strip() for piece in found)
    assert pieces(definition, texts["d0"]) == ["Go left!", " Go right!", " Stop!"]
    assert pieces(definition, texts["d1"]) == ["!", "!"]
    assert pieces(definition, texts["d2"]) == ["!", "a"]


def test_b11_example() -> None:
    assert pieces({"delimiter": {"delimiter": "?"}}, "Who? When? ??x") == ["Who?", " When?", " ?", "?", "x"]


# B13: a piece without a separator went over the limit.
# B15: small pieces between large ones were dropped.
# B17: pieces that were counted one by one were over the limit when joined.


def recursive(identity: str, **renamed: str) -> tuple[Definition, dict[Any, Any]]:
    """A case of `recursive` in our names."""
    definition, texts = case(identity)
    (given,) = definition.values()
    parameters = {"token_limit": given["max_tokens"]}
    parameters |= {ours: given[theirs] for ours, theirs in renamed.items()}
    if given["overlap_tokens"]:
        parameters["overlap_rate"] = given["overlap_tokens"] / given["max_tokens"]
    return {"recursive": parameters}, texts


def is_within_limit(definition: Definition, text: str) -> list[str]:
    chunks = cut(definition, text)
    equations.check(text, (), chunks, asked(definition))
    return [chunk.text for chunk in chunks]


def test_b13() -> None:
    definition, texts = recursive("B13", separators="separators")
    assert is_within_limit(definition, texts["d0"])[0] == "short start"


def test_b13_example() -> None:
    definition: Definition = {"recursive": {"token_limit": 20, "separators": ["\n\n", " "]}}
    assert is_within_limit(definition, "go\n\n" + "qz" * 200)[0] == "go"


def test_b15() -> None:
    definition, texts = recursive("B15", min_tokens="min_tokens")
    found = is_within_limit(definition, texts["d0"])
    assert any("Yes." in piece for piece in found)
    assert any("No." in piece for piece in found)


def test_b15_example() -> None:
    text = "Ja.\n\n" + "The stone turns on and on and on all day. " * 4 + "\n\nNein."
    found = is_within_limit({"recursive": {"token_limit": 24, "min_tokens": 6, "overlap_rate": 0.125}}, text)
    assert min(map(create_tokenizer("cl100k_base").count, found)) >= 6


def test_b17() -> None:
    definition, texts = recursive("B17")
    is_within_limit(definition, texts["d0"])


def test_b17_example() -> None:
    is_within_limit({"recursive": {"token_limit": 9, "overlap_rate": 0.25}}, "* a1 b2\n## :/\n* :/ c3\n-- no;\n" * 12)


# B33: the windows at the edges of a document were off by one.


def windows(text: str, window: int) -> list[tuple[str, str]]:
    chunks = chunkers.create("sentence_window", window=window).chunk(text)
    equations.exact(text, chunks)
    return [(chunk.text.strip(), text[chunk.window_start : chunk.window_end].strip()) for chunk in chunks]


def test_b33() -> None:
    definition, texts = case("B33")
    found = dict(windows(texts["d0"], definition["sentence_window"]["window"]))
    assert found["Aa."] == "Aa. Bb. Cc."
    assert found["Cc."] == "Aa. Bb. Cc. Dd. Ee."
    assert found["Ee."] == "Cc. Dd. Ee."


def test_b33_example() -> None:
    assert windows("Uu. Vv. Ww.", 1) == [("Uu.", "Uu. Vv."), ("Vv.", "Uu. Vv. Ww."), ("Ww.", "Vv. Ww.")]


# B35: abbreviations and decimals ended sentences.


def test_b35() -> None:
    definition, texts = case("B35")
    found = [text for text, _ in windows(texts["d0"], definition["sentence_window"]["window"])]
    assert len(found) == 2
    assert "3.50" in found[1]
    assert "1.2.3" in found[1]


def test_b35_example() -> None:
    found = windows("It weighs approx. 2.5 kg, i.e. little, as Noe et al. say. See No. 4.2.1 at 9 p.m. today.", 0)
    assert [text for text, _ in found] == [
        "It weighs approx. 2.5 kg, i.e. little, as Noe et al. say.",
        "See No. 4.2.1 at 9 p.m. today.",
    ]


# B19: comments in a code block were taken for headings.


def test_b19() -> None:
    definition, texts = case("B19")
    found = cut(definition, texts["d0"])
    assert {chunk.section_path for chunk in found} == {("Setup", "Use")}
    assert sum("```sh\n# install first\nmake\n## then\nmake test\n```\n" in chunk.text for chunk in found) == 1


def test_b19_example() -> None:
    code = "~~~\n# no heading\n~~~\n"
    found = cut({"markdown": {}}, f"# Mill\n## Wheel\n{code}## Stone\nGrit.\n")
    assert [chunk.section_path for chunk in found] == [("Mill", "Wheel"), ("Mill", "Stone")]
    assert code in found[0].text


# B21: front matter was taken for a heading.


def test_b21() -> None:
    definition, texts = case("B21")
    (chunk,) = cut(definition, texts["d0"])
    assert chunk.section_path == ("Real",)
    assert chunk.text == texts["d0"]


def test_b21_example() -> None:
    text = "---\nmill: Ede\n# kept: yes\n---\n# Wheel\nOak.\n"
    (chunk,) = cut({"markdown": {}}, text)
    assert (chunk.section_path, chunk.text) == (("Wheel",), text)


# B23: a heading kept the children of the one before it, and a slash in a title broke the path.


def test_b23() -> None:
    definition, texts = case("B23")
    found = {chunk.text.split()[-1]: chunk.section_path for chunk in cut(definition, texts["d0"])}
    assert found == {"c": ("A", "B", "C"), "e": ("A", "D", "E"), "f": ("F/G",)}
    (with_d,) = [chunk for chunk in cut({"markdown": {"max_depth": 2}}, texts["d0"]) if "\nd\n" in chunk.text]
    assert with_d.section_path == ("A", "D")


def test_b23_example() -> None:
    found = cut({"markdown": {"max_depth": 4}}, "# A/B\n### C\nc\n## D\nd\n# E > F\ne\n")
    assert [chunk.section_path for chunk in found] == [("A/B", "C"), ("A/B", "D"), ("E > F",)]


# B25: tabs, no-break spaces and indents were changed on the way.


def test_b25() -> None:
    definition, texts = case("B25")
    (chunk,) = cut(definition, texts["d0"])
    assert (chunk.text, chunk.context) == (texts["d0"], "")


def test_b25_example() -> None:
    text = "# A\nall:\n\tgo\u00a0on\n## B\n- x\n\n    - y\n## C\n\r\n\tz\u2028"
    first, last = cut({"markdown": {}}, text)
    assert first.text + last.text == text
    assert last.context == "# A\nall:\n\tgo\u00a0on\n"
    assert not last.text.startswith(last.context)


# The same and more of `structure` (`structure_aware` in the cases).


def structure_case(identity: str) -> tuple[Definition, dict[Any, Any]]:
    """As `case`, for `structure`; `max_tokens` is its limit."""
    definition, texts = case(identity)
    ((_, parameters),) = definition.items()
    limit = {"token_limit": parameters["max_tokens"]} if "max_tokens" in parameters else {}
    return {"structure": limit}, texts


def test_b21_structure() -> None:
    definition, texts = structure_case("B21")
    front, body = cut(definition, texts["d0"])
    assert (front.kind, front.section_path, body.section_path) == ("front_matter", (), ("Real",))


def test_b23_structure() -> None:
    definition, texts = structure_case("B23")
    found = {chunk.text.split()[-1]: chunk.section_path for chunk in cut(definition, texts["d0"])}
    assert found == {"c": ("A", "B", "C"), "d": ("A", "D"), "e": ("A", "D", "E"), "f": ("F/G",)}


def test_b25_structure() -> None:
    definition, texts = structure_case("B25")
    for limit in (4, 12, 512):
        found = cut({"structure": {**definition["structure"], "token_limit": limit}}, texts["d0"])
        assert "".join(chunk.text for chunk in found) == texts["d0"]


# B17: repeated headings and list marks took a chunk over its limit.


def test_b17_structure() -> None:
    definition, texts = structure_case("B17")
    equations.check(texts["d0"], (), cut(definition, texts["d0"]), asked(definition))


def test_b17_structure_example() -> None:
    definition = {"structure": {"token_limit": 10}}
    text = "# ~ ~\n+ a ~ 7\n" * 12
    equations.check(text, (), cut(definition, text), asked(definition))


# B27: a header as wide as the limit left no room for rows, or was repeated for ever.


def wide_table_is_cut_well(definition: Definition, text: str) -> None:
    """Whole cells, the header at least once, no part that is small because of its context."""
    found = cut(definition, text)
    equations.check(text, (), found, asked(definition))
    cells = [cell.strip() for line in text.splitlines() for cell in line.strip("|").split("|")]
    for cell in {cell for cell in cells if set(cell) - set("-: ")}:
        assert any(f"| {cell} " in chunk.text for chunk in found), f"{cell} is in no chunk"
    count = create_tokenizer("cl100k_base").count
    limit = definition["structure"]["token_limit"]
    for chunk in found[:-1]:
        assert 2 * count(chunk.text) >= limit - count(chunk.context)


def test_b27() -> None:
    definition, texts = structure_case("B27")
    wide_table_is_cut_well(definition, texts["d0"])


def test_b27_example() -> None:
    rows = [[f"{name}{n}" for n in range(24)] for name in ("wheel", "oak", "grit", "iron")]
    head, *body = (f"| {' | '.join(row)} |\n" for row in rows)
    wide_table_is_cut_well({"structure": {"token_limit": 50}}, f"{head}|{'---|' * 24}\n{''.join(body)}")


# B29: a chunk ended with a heading whose list was in the next chunk.


def headings_stay_with_their_lists(definition: Definition, text: str, leads: str) -> None:
    for chunk in cut(definition, text):
        assert chunk.text.startswith(leads)
        assert chunk.text.rstrip().splitlines()[-1].startswith("- ")


def test_b29() -> None:
    definition, texts = structure_case("B29")
    headings_stay_with_their_lists(definition, texts["d0"], "### Step")


def test_b29_example() -> None:
    text = "".join(f"To set stone {n}, do this:\n\n- lift it\n- turn it\n- lower it\n\n" for n in range(9))
    headings_stay_with_their_lists({"structure": {"token_limit": 30}}, text, "To set stone")


# B37: ids came from row numbers or random values, so that a rerun gave others.
# B39: one null stopped the whole job.


def run_tables(
    spark: SparkSession, folder: Path, documents: dict[Any, Any], parts: int, chunk: Definition
) -> list[list[dict[str, Any]]]:
    """The rows of `chunks` and `documents` of a run over so many input files."""
    items = list(documents.items())
    for part in range(parts):
        ids, texts = zip(*items[part::parts], strict=True)
        write_documents(folder / "in" / f"{part}.parquet", id=ids, text=texts)
    result = run_job(spark, configuration(str(folder / "in"), folder / "out", chunk=chunk))
    return [
        rows(spark, result, "chunks", "doc_id", "chunk_index"),
        sorted(rows(spark, result, "documents"), key=lambda row: str(row["doc_id"])),
    ]


def runs_agree(spark: SparkSession, folder: Path, documents: dict[Any, Any], chunk: Definition) -> None:
    first = run_tables(spark, folder / "one", documents, 1, chunk)
    assert first == run_tables(spark, folder / "three", documents, 3, chunk)
    ids = [row["chunk_id"] for row in first[0]]
    assert len(set(ids)) == len(ids) >= 2 * len(documents)
    alone = dict([list(documents.items())[-1]])
    (only,) = alone
    expected = [row for row in first[0] if row["doc_id"] == only]
    assert run_tables(spark, folder / "alone", alone, 1, chunk)[0] == expected


def nulls_are_listed(spark: SparkSession, folder: Path, documents: dict[Any, Any], chunk: Definition) -> None:
    found, listed = run_tables(spark, folder, documents, 1, chunk)
    (good,) = [identity for identity, text in documents.items() if identity is not None and text is not None]
    assert [(row["doc_id"], row["text"]) for row in found] == [(good, documents[good])]
    reasons = {row["doc_id"]: (row["status"], (row["reason"] or "").partition(":")[0]) for row in listed}
    (null_text,) = [identity for identity, text in documents.items() if text is None]
    assert reasons == {good: ("chunked", ""), null_text: ("failed", "null_text"), None: ("failed", "null_id")}


@pytest.mark.spark
def test_b37_and_b39(spark: SparkSession, tmp_path: Path) -> None:
    definition, documents = case("B37")
    runs_agree(spark, tmp_path / "B37", documents, {"fixed_token_length": definition["all"]})
    definition, documents = case("B39")
    nulls_are_listed(spark, tmp_path / "B39", documents, {"fixed_token_length": definition["all"]})


@pytest.mark.spark
def test_b37_and_b39_example(spark: SparkSession, tmp_path: Path) -> None:
    chunk = {"fixed_token_length": {"token_limit": 3}}
    texts = {f"m{n}": f"Mill {n} turns. Mill {n} turns. Mill {n} turns." for n in range(4)}
    runs_agree(spark, tmp_path / "same", texts, chunk)
    nulls_are_listed(spark, tmp_path / "nulls", {"a": None, "b": "It turns.", None: "Whose?"}, chunk)
