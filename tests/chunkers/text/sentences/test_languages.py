"""Codes of languages, and the language of a script."""

from __future__ import annotations

import pytest

from chunkers.errors import DocumentError
from chunkers.text.sentences import check_language, sentence_starts
from chunkers.text.sentences.codes import CODES, SHORTER
from chunkers.text.sentences.languages import by_script, resolve
from chunkers.text.sentences.rules import rules_of


@pytest.mark.parametrize("code", ["en", "EN", "en-US", "pt_BR", "zh-Hant-TW", "heb", "iw", "ceb", "und", "sw", " he "])
def test_codes_that_are_fine(code: str) -> None:
    assert check_language(code) is None
    assert sentence_starts("One. Two.", code).tolist() == [0, 5]


@pytest.mark.parametrize("code", ["", "xx", "english", "e", "zz-ZZ", "qqq", "-", "1"])
def test_codes_that_are_unknown(code: str) -> None:
    problem = check_language(code)
    assert problem is not None
    assert problem.startswith(f"unknown language {code!r}, expected a code such as")
    with pytest.raises(DocumentError) as raised:
        sentence_starts("One. Two.", code)
    assert raised.value.reason == "unknown_language"
    assert raised.value.detail == problem


def test_the_hint_names_what_is_near() -> None:
    assert "did you mean" in (check_language("jpm") or "")


@pytest.mark.parametrize(
    ("code", "language"),
    [("he", "he"), ("HE-il", "he"), ("heb", "he"), ("iw", "he"), ("ger", "de"), ("cmn", "zh"), ("ceb", "ceb")],
)
def test_one_code_for_a_language(code: str, language: str) -> None:
    assert resolve(code, "text") == language


def test_every_code_has_rules() -> None:
    assert set(SHORTER.values()) <= CODES
    assert all(rules_of(code).words or rules_of(code).stops == "" for code in CODES)
    assert rules_of("gl") == rules_of("pt")
    assert rules_of("sw") == rules_of("en")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Just English.", "en"),
        ("Čeština není rozpoznána.", "en"),
        ("שלום עולם", "he"),
        ("Install Node.js ואז הפעילו את השרת, like this.", "he"),
        ("One word, שלום, in an English text that goes on and on.", "en"),
        ("مرحبا", "ar"),
        ("नमस्ते", "hi"),
        ("你好世界。", "zh"),
        ("東京へ行く。", "ja"),
        ("ひらがな", "ja"),
        ("안녕하세요", "ko"),
        ("สวัสดี", "th"),
        ("ສະບາຍດີ", "lo"),
        ("Привет", "ru"),
        ("Ελληνικά", "el"),
        ("বাংলা", "bn"),
        ("தமிழ்", "ta"),
        ("ភាសាខ្មែរ", "km"),
        ("မြန်မာ", "my"),
        ("Հայերեն", "hy"),
        ("አማርኛ", "am"),
        ("ქართული", "ka"),
        ("😀 🎉 —", "en"),
        ("\ud800é", "en"),
    ],
)
def test_the_language_of_a_script(text: str, language: str) -> None:
    assert by_script(text) == language
    assert resolve("und", text) == language


def test_the_middle_and_the_end_of_a_long_text_count() -> None:
    assert by_script("# Title\n" * 1000 + "שלום עולם\n" * 4000) == "he"
    assert by_script("é" + "words " * 20000 + "שלום") == "en"
