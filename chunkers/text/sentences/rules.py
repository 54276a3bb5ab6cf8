"""What is known of a language: its abbreviations, the words that begin sentences, and its habits."""

from __future__ import annotations

import enum
import functools
import importlib.resources
import re
import tomllib
from dataclasses import dataclass


class Kind(enum.IntEnum):
    """What a full stop after an abbreviation says."""

    TITLE = 1
    NUMBERED = 2
    INNER = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one language.

    `words` to `starters` are those of abbreviations.toml. `ordinals` matches numbers that a full stop
    makes ordinal; `cased`: a sentence does not start with a small letter; `spaces`: white space parts
    sentences; `stops`: characters that end sentences in this language only.
    """

    words: dict[str, Kind]
    endings: tuple[str, ...]
    closing: tuple[str, ...]
    prefixes: frozenset[str]
    starters: frozenset[str]
    ordinals: re.Pattern[str] | None
    cased: bool
    spaces: bool
    stops: str


_LIKE = {
    "be": "ru", "kk": "ru", "ky": "ru", "tg": "ru", "tt": "ru", "mn": "ru", "ce": "ru", "ba": "ru", "cv": "ru",
    "mk": "bg", "bs": "sr", "hr": "sr", "sh": "sr", "sl": "sr",
    "nn": "nb", "no": "nb", "is": "da", "fo": "da", "af": "nl", "fy": "nl", "li": "nl", "lb": "de", "gsw": "de",
    "nds": "de", "gl": "pt", "ast": "es", "an": "es", "oc": "ca", "co": "it", "ht": "fr", "wa": "fr", "br": "fr",
    "az": "tr", "tk": "tr", "ms": "id", "jv": "id", "su": "id", "et": "fi",
    "yi": "he", "lad": "he", "fa": "ar", "ur": "ar", "ps": "ar", "ug": "ar", "sd": "ar", "ckb": "ar",
    "mr": "hi", "ne": "hi", "sa": "hi", "mai": "hi", "bho": "hi", "kok": "hi", "as": "bn", "lo": "th",
}  # fmt: skip
# Where nouns have capitals only the next word can tell "am 3. Mai" from an end; elsewhere small letters do.
_GERMAN_ORDINALS = re.compile(r"\d{1,2}|[IVXLC]+")
_ROMAN_ORDINALS = re.compile(r"[IVXLC]{2,}")
_ROMAN = frozenset({"cs", "sk", "da", "nb", "fi", "hu", "sr"})
_CASELESS = frozenset(
    {"he", "ar", "hi", "bn", "pa", "gu", "or", "ta", "te", "kn", "ml", "si", "th", "bo", "dz", "my", "km", "ka"}
    | {"am", "ti", "ko", "ja", "zh"}
)
_OTHER_ALPHABETS = frozenset({"ru", "uk", "bg", "sr", "el", "hy"})


@functools.cache
def rules_of(language: str) -> Rules:
    """The rules for a language of `codes.CODES`: its own, a relative's, or those of English."""
    base = _LIKE.get(language, language)
    caseless = base in _CASELESS
    lists = [_lists().get(base, {} if caseless else _lists()["en"])]
    if caseless or base in _OTHER_ALPHABETS:
        # What these texts quote in Latin letters is mostly English.
        lists.insert(0, _lists()["en"])
    return Rules(
        words=_kinds(lists),
        endings=tuple(_words(lists, "endings")),
        closing=tuple(_words(lists, "closing")),
        prefixes=frozenset(_words(lists, "prefixes")),
        starters=frozenset(_words(lists, "starters")),
        ordinals=_GERMAN_ORDINALS if base == "de" else _ROMAN_ORDINALS if base in _ROMAN else None,
        cased=not caseless,
        spaces=base == "th",
        stops={"el": ";\u037e", "hy": ":"}.get(base, ""),
    )


@functools.cache
def _lists() -> dict[str, dict[str, str]]:
    place = importlib.resources.files("chunkers.text.sentences") / "abbreviations.toml"
    return tomllib.loads(place.read_text("utf-8"))


def _words(lists: list[dict[str, str]], name: str) -> list[str]:
    return [word for words in lists for word in words.get(name, "").split()]


def _kinds(lists: list[dict[str, str]]) -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for words in lists:
        for name, kind in (("inner", Kind.INNER), ("numbered", Kind.NUMBERED), ("titles", Kind.TITLE)):
            kinds.update(dict.fromkeys(_words([words], name), kind))
    return kinds
