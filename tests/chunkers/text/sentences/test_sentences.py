"""Where sentences start: in many languages, around lines that stand for themselves, in texts made to hurt."""

from __future__ import annotations

import re

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunkers.text.sentences import sentence_starts
from tests.chunkers.text.sentences.cases import LANGUAGES, cases, marked, parted

OF_A_SCRIPT = ("he", "ar", "hi", "bn", "ta", "zh", "ja", "ko", "th", "km", "my", "ru", "el", "hy", "am", "en")
MILLION = 1_000_000


def cut(text: str, language: str | None = "en") -> str:
    return marked(text, sentence_starts(text, language).tolist())


@pytest.mark.parametrize("language", LANGUAGES)
def test_cases_of_a_language(language: str) -> None:
    assert [cut(parted(case)[0], language) for case in cases(language)] == cases(language)


@pytest.mark.parametrize("language", OF_A_SCRIPT)
def test_the_script_says_the_same_where_it_has_one_language(language: str) -> None:
    for case in cases(language):
        if not parted(case)[0].isascii() or language == "en":
            assert cut(parted(case)[0], None) == case


@pytest.mark.parametrize("case", [case for language in LANGUAGES for case in cases(language)])
def test_a_line_break_for_a_space_changes_nothing(case: str) -> None:
    """Wrapped prose: but not where the next line would look like an item of a list."""
    text, starts = parted(case)
    language = next(language for language in LANGUAGES if case in cases(language))
    wrapped = re.sub(r" (?![-—\d(»])", "\n", text)
    if language != "th":
        assert sentence_starts(wrapped, language).tolist() == starts


def test_white_space_belongs_to_the_sentence_before_it() -> None:
    assert cut("  One.  Two.\n Three. \n") == "  One.  ‖Two.\n ‖Three. \n"


@pytest.mark.parametrize("blank", [" ", "\n", " \n\t\r\n", "\u3000\u2029"])
def test_a_blank_text_is_one_sentence(blank: str) -> None:
    assert sentence_starts(blank).tolist() == [0]


def test_an_empty_text_has_none() -> None:
    assert sentence_starts("").tolist() == []
    assert sentence_starts("").dtype == sentence_starts("A.").dtype == np.int64


@pytest.mark.parametrize(
    "case",
    [
        "A title\n\n‖and what is under it\n \n‖end",
        "Dr.\n\n‖Smith",
        "one\r\n\r\n‖two\r\nthree\r\r‖four",
        "one\u2029‖two\u2028three",
        "He wrote:\n‖- buy milk\n‖- call J. Smith\n  today\n‖* rest",
        "Steps:\n‖1. Boil water. ‖Wait.\n‖2. Add salt\n‖10) Eat\n‖(a) Wash up\n‖2.1. Dry",
        "# One. Two\n‖Text goes\non.\n‖## Three? Four\n‖### Five\n‖More.",
        "Title\n=====\n‖Text\n~~~~\n‖More",
        "Above\n\n‖---\n‖below",
        "| a. B | c |\n‖|---|---|\n‖| D. E | f |\n‖after",
        "Run:\n‖```sh\n‖echo hi\n‖```\n‖Done",
        "See [1].\n‖[1]: https://example.org/a.b\n‖[^2]: A note. ‖And more.",
        "> Quoted words\n> go on. ‖> Then end.",
        "结论:\n‖一、先看。‖再写。\n‖二、完成",
        "“走吧\uff01”\n‖“好。”\n‖他们出了门。",
        "「行くぞ\uff01」\n‖彼は言った。",
        "To do:\n‖-\n\n‖1.",
        "#hashtag and\n#another",
        "well-known -\n-5 degrees",
    ],
)
def test_lines_that_stand_for_themselves(case: str) -> None:
    assert cut(parted(case)[0]) == case


def test_who_writes_without_capitals_starts_sentences_without_them() -> None:
    assert cut("it works. thanks a lot! see you, e.g. tomorrow.") == "it works. ‖thanks a lot! ‖see you, e.g. tomorrow."
    assert cut("It works. thanks.") == "It works. thanks."


def test_the_language_matters() -> None:
    text = "Am 3. Oktober kam er."
    assert cut(text, "de") == cut(text, "DE-at") == text
    assert cut(text, "en") == "Am 3. ‖Oktober kam er."


def test_a_mark_keeps_to_its_space() -> None:
    assert cut("One. \u0301Two. Three.") == "One. \u0301Two. ‖Three."
    assert cut("一。\u0301二。三。", "zh") == "一。\u0301二。‖三。"


def test_code_points_count_not_units() -> None:
    assert sentence_starts("😀😀. Two. 👩‍👩‍👧! Three.").tolist() == [0, 4, 9, 16]


HURTING = {
    "letters": "x" * MILLION,
    "dots": "." * MILLION,
    "newlines": "\n" * MILLION,
    "carriage returns": "\r\n" * (MILLION // 2),
    "spaces": "." + " " * MILLION + "x",
    "spaces in lines": (" " * 999 + "\n") * (MILLION // 1000),
    "lonely letters": "a. " * (MILLION // 3),
    "initials": "A." * (MILLION // 2) + " B",
    "lonely dots": ". " * (MILLION // 2),
    "closed dots": ".)" * (MILLION // 2),
    "brackets": ". " + "(" * MILLION + "a",
    "open brackets": ". (" * (MILLION // 3),
    "notes": "." + "[1]" * (MILLION // 3),
    "quotes": '."' * (MILLION // 2),
    "marks": "A. " + "\u0301" * MILLION,
    "stops with marks": "。\u0301" * (MILLION // 2),
    "ideographic stops": "。" * MILLION,
    "headings": "\n# " * (MILLION // 3),
    "one heading": "# " + "A. " * (MILLION // 3),
    "items": "\n- " * (MILLION // 3),
    "numbers": "\n" + "1." * (MILLION // 2),
    "rule that is none": "\n" + "-" * MILLION + "x",
    "Thai letters": "ก" * MILLION,
    "Thai words": "กกกกกกกก " * (MILLION // 9),
    "no spaces": "One.Two!" * (MILLION // 8),
    "bracketed numbers": "p. (1 1 " * (MILLION // 8),
    "one bracketed number": "p. (" + "1 " * (MILLION // 2),
    "ideographic quotes": "“\uff01”好" * (MILLION // 4),
    "ideographic quotes that nothing opens": "\uff01”好" * (MILLION // 3),
    "straight quotes": '"\uff01"好' * (MILLION // 4),
    "straight quotes in a long sentence": "好" * 400 + '"\uff01"好' * (MILLION // 4),
}


@pytest.mark.parametrize("name", HURTING)
def test_a_million_characters_take_no_ages(name: str) -> None:
    """What grows with the square of the text would not end here."""
    hold(HURTING[name])


def hold(text: str, language: str | None = None) -> None:
    starts = sentence_starts(text, language)
    assert starts.dtype == np.int64
    assert starts[0] == 0
    assert (np.diff(starts) > 0).all()
    assert starts[-1] < len(text)
    assert not any(text[start].isspace() for start in starts[1:].tolist())
    assert starts.tolist() == sentence_starts(text, language).tolist()


PIECES = st.sampled_from(
    [
        *(
            "a",
            "A",
            "I",
            "é",
            "Dr.",
            "U.S.",
            "3",
            "3.",
            "No.",
            "...",
            "…",
            ".",
            "!",
            "?",
            "?!",
            ";",
            "'",
            '"',
            "“",
            "”",
        ),
        *("«", "»", "„", "(", ")", "[1]", "-", "—", "#", "|", "```", "*", ">", "Word", "word", "😀", "👩‍👧", "🇮🇱"),
        *(" ", "  ", "\n", "\n\n", "\r\n", "\r", "\t", "\u2029", "\u00a0", "\u3000", "\u0301", "\u200d", "\ufe0f"),
        *(
            "ד",
            'ד"ר',
            "גדול",
            "كبير",
            "؟",
            "राम",
            "।",
            "ก",
            "ประโยคยาวมาก",
            "好",
            "と",
            "。",
            "「",
            "」",
            "\uff1f",
            "\ud800",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=40).map("".join))
TONGUES = st.sampled_from([None, *LANGUAGES])


@given(TEXTS, TONGUES)
def test_starts_tile_any_text(text: str, language: str | None) -> None:
    if text:
        hold(text, language)


@given(TEXTS, TONGUES)
def test_no_start_inside_a_grapheme_cluster(text: str, language: str | None) -> None:
    clusters = {found.start() for found in regex.finditer(r"\X", text)}
    assert set(sentence_starts(text, language).tolist()) <= clusters


@given(TEXTS, TONGUES)
def test_a_blank_line_ends_a_sentence(text: str, language: str | None) -> None:
    starts = set(sentence_starts(text, language).tolist())
    for found in re.finditer(r"(?<=\S)[^\S\n]*\n[ \t]*\n\s*(?=[^\W_])", text):
        assert found.end() in starts


@given(TEXTS.map(str.strip), TEXTS.map(str.strip), st.sampled_from(LANGUAGES))
def test_paragraphs_know_nothing_of_each_other(one: str, other: str, language: str) -> None:
    if one and other and one.islower() == other.islower() == (one + other).islower():
        apart = [*sentence_starts(one, language), *(sentence_starts(other, language) + len(one) + 2)]
        assert sentence_starts(f"{one}\n\n{other}", language).tolist() == apart
