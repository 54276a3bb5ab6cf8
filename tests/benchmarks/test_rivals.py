"""The checks of the comparison find a planted fault, and none where there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.rivals import checks
from benchmarks.rivals.environment import Worker
from benchmarks.rivals.inputs import FAMILY, TABLE_HEADER, Input, inputs
from benchmarks.rivals.libraries import splitter
from benchmarks.rivals.pieces import SPLITTERS, Piece, Splitter
from benchmarks.rivals.promises import LIMIT, OVERLAP, PROMISES, is_offered
from tests.markdown_documents import headings

OWN = [known for known in SPLITTERS if known.library == "chunkmill"]
SMALL = inputs()[:-1]


def pieces(text: str, *spans: tuple[int, int]) -> list[Piece]:
    return [Piece(text[start:end], start, end) for start, end in spans]


TEXT = f"One two {FAMILY} three. Four five six."
FAULTLESS = pieces(TEXT, (0, 8), (8, 23), (20, len(TEXT)))
TABLE = f"{TABLE_HEADER}\n|---|---|\n| row 1 | a |\n| row 2 | b |\n"
GIVEN = Input("given", TEXT, headings=("One",), row_mark="| row", is_prose=True)


@pytest.mark.parametrize(
    ("check", "found", "fault"),
    [
        (checks.exact, pieces(TEXT, (0, 8), (8, len(TEXT))), None),
        (checks.exact, FAULTLESS, None),
        (checks.exact, [Piece(TEXT)], "no position"),
        (checks.exact, [Piece(TEXT, -1, len(TEXT) - 1)], "the chunk is"),
        (checks.exact, [Piece("one", 0, 3)], "is `'One'`, the chunk is `'one'`"),
        (checks.exact, pieces(TEXT, (0, 8), (0, len(TEXT))), "a chunk at 0, the next one at 0"),
        (checks.exact, pieces(TEXT, (0, 3), (8, len(TEXT))), "from 3 to 8 there is no chunk"),
        (checks.exact, pieces(TEXT, (0, 8)), "from 8 to the end"),
        (checks.lossless, [Piece("One two"), Piece(f"{FAMILY} three."), Piece("Four five six.")], None),
        (checks.lossless, [Piece("One two three. Four five six.")], f"`{f'{FAMILY}three.Fourfivesix.'!r}` became"),
        (checks.lossless, [Piece(TEXT), Piece("six.")], "`''` became `'six.'`"),
        (checks.lossless, [], "became `''`"),
        (checks.within_limit, [Piece("one two three")], None),
        (checks.within_limit, [Piece("one"), Piece("one two three four")], "1 of 2 chunks over 3 tokens, up to 4"),
        (checks.within_limit, [Piece("one", index_text="one two three four")], "1 of 1 chunks over 3 tokens"),
        (checks.shared, FAULTLESS[1:], None),
        (checks.shared, pieces(TEXT, (0, 8), (8, 23)), "1 of 1 neighbours share nothing"),
        (checks.no_replacement, [Piece("One")], None),
        (checks.no_replacement, [Piece("One"), Piece("t\ufffd")], "1 of 2 chunks damaged"),
        (checks.never_blank, [Piece("One")], None),
        (checks.never_blank, [Piece("One"), Piece(" \n")], "1 of 2 chunks, as `' \\n'`"),
        (checks.never_blank, [Piece("")], "1 of 1 chunks"),
        (checks.real_headings, [Piece("x", headings=("One",)), Piece("y")], None),
        (checks.real_headings, [Piece("x", headings=("One", "a comment"))], "told as headings: `'a comment'`"),
        (checks.all_headings, [Piece("x", headings=("One", "Two"))], None),
        (checks.all_headings, [Piece("x", headings=())], "not told: `'One'`"),
        (checks.header_on_every_part, [Piece(TABLE)], None),
        (checks.header_on_every_part, [Piece("| row 2 |", index_text=f"{TABLE_HEADER}\n| row 2 |")], None),
        (checks.header_on_every_part, [Piece(TABLE), Piece("| row 3 |")], "1 of 2 parts have no header"),
    ],
)
def test_a_planted_fault_is_found(check: checks.Check, found: Sequence[Piece], fault: str | None) -> None:
    wrong = check(GIVEN, found, 3)
    if fault is None:
        assert wrong is None
    else:
        assert wrong is not None
        assert fault in wrong


@pytest.mark.parametrize("is_exact", [True, False])
def test_a_cut_inside_a_cluster_is_found(is_exact: bool) -> None:
    """By the positions that are told, and by looking for the texts where none are."""
    inside = TEXT.index(FAMILY) + 2
    torn = pieces(TEXT, (0, inside), (inside, len(TEXT)))
    if not is_exact:
        torn = [Piece(piece.text) for piece in torn]
    assert checks.whole_clusters(GIVEN, torn, 50) == f"1 cuts inside one, as in `{FAMILY!r}`"
    assert checks.whole_clusters(GIVEN, FAULTLESS, 50) is None


def test_a_cluster_over_the_limit_may_be_cut() -> None:
    inside = TEXT.index(FAMILY) + 2
    assert checks.whole_clusters(GIVEN, pieces(TEXT, (0, inside), (inside, len(TEXT))), 3) is None


def test_ids_have_to_be_the_same_again_and_different_from_each_other() -> None:
    first = [Piece("a", id="1"), Piece("b", id="2")]
    assert checks.same_ids(GIVEN, first, first) is None
    assert checks.same_ids(GIVEN, first, [Piece("a", id="1"), Piece("b", id="3")]) == "2, then 3"
    assert checks.same_ids(GIVEN, [Piece("a", id="1"), Piece("a", id="1")], first) == "2 chunks, 1 ids"


def test_what_is_shown_fits_into_a_cell() -> None:
    assert checks.shown("a\tb\u200d") == "`'a\\tb\\u200d'`"
    assert checks.shown("```") == "`` '```' ``"
    assert len(checks.shown("x" * 1000)) < 60


def test_inputs_have_the_headings_that_a_second_parser_finds() -> None:
    for given in SMALL:
        if given.headings:
            body = given.text.index("---\n", 4) + 4 if given.text.startswith("---") else 0
            assert tuple(title for _, _, title in headings(given.text, body)) == given.headings


def test_inputs_differ_and_hold_what_they_are_named_for() -> None:
    by_name = {given.name: given.text for given in inputs()}
    assert len(by_name) == len(inputs())
    assert len(by_name["1 MB without a space"]) == 1_000_000
    assert not re.search(r"\s", by_name["1 MB without a space"])
    assert "<|endoftext|>" in by_name["tokens that are special"]
    assert not any("\ufffd" in text for text in by_name.values())


@pytest.mark.parametrize("own", OWN, ids=lambda own: own.name)
@pytest.mark.parametrize("given", SMALL, ids=lambda given: given.name)
def test_chunkmill_keeps_every_promise(own: Splitter, given: Input) -> None:
    for overlap in (0, OVERLAP):
        found = splitter(own.library, own.name, LIMIT, overlap)(given.text)
        for promise in PROMISES:
            if overlap in promise.overlaps and is_offered(promise, found, own):
                assert promise.check(given, found, LIMIT) is None, promise.name


def test_a_worker_gives_the_pieces_that_the_library_gives() -> None:
    (thai,) = [given for given in SMALL if given.name == "Thai"]
    request: dict[str, Any] = {"library": "chunkmill", "name": "fixed_token_length", "overlap": 0, "text": thai.name}
    worker = Worker("chunkmill")
    answer = worker.ask("pieces", limit=LIMIT, **request)
    assert answer is not None
    expected = splitter("chunkmill", "fixed_token_length", LIMIT, 0)(thai.text)
    assert [piece["text"] for piece in answer["pieces"]] == [piece.text for piece in expected]
    with pytest.raises(SystemExit, match="the process of chunkmill ended with 1: pieces"):
        worker.ask("pieces", limit=0, **request)
