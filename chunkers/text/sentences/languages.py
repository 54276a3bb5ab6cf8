"""Which language a text is in: by its code, or by its script."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from chunkers.errors import DocumentError, nearest
from chunkers.text.sentences.codes import CODES, SHORTER

_SAMPLE = 1024
_BY_SCRIPT = frozenset({"und", "mul", "zxx", "mis"})

_BLOCKS = {
    "en": ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x24F)),
    "el": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
    "ru": ((0x400, 0x52F),),
    "hy": ((0x530, 0x58F),),
    "he": ((0x5D0, 0x5F4), (0xFB1D, 0xFB4F)),
    "ar": ((0x620, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC)),
    "hi": ((0x900, 0x97F),),
    "bn": ((0x980, 0x9FF),),
    "pa": ((0xA00, 0xA7F),),
    "gu": ((0xA80, 0xAFF),),
    "or": ((0xB00, 0xB7F),),
    "ta": ((0xB80, 0xBFF),),
    "te": ((0xC00, 0xC7F),),
    "kn": ((0xC80, 0xCFF),),
    "ml": ((0xD00, 0xD7F),),
    "si": ((0xD80, 0xDFF),),
    "th": ((0xE00, 0xE7F),),
    "lo": ((0xE80, 0xEFF),),
    "bo": ((0xF00, 0xFFF),),
    "my": ((0x1000, 0x109F),),
    "ka": ((0x10A0, 0x10FF), (0x1C90, 0x1CBF)),
    "am": ((0x1200, 0x139F),),
    "km": ((0x1780, 0x17FF),),
    "mn": ((0x1800, 0x18AF),),
    "ko": ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7A3)),
    "ja": ((0x3041, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F)),
    "zh": ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)),
}
_LANGUAGES = (None, *_BLOCKS)
_ENGLISH, _JAPANESE, _CHINESE = (_LANGUAGES.index(language) for language in ("en", "ja", "zh"))


def check_language(code: str) -> str | None:
    """What is wrong with a language code, as a sentence that starts small; None when it is fine.

    Fine is a BCP 47 code, in any case, whose language is in `codes`: `he`, `en-US`, `zh-Hant`, `heb`.
    `und` and `mul` are fine too and mean that the script decides.
    """
    primary = _primary(code)
    if primary in CODES or primary in _BY_SCRIPT:
        return None
    return f"unknown language {code!r}, expected a code such as 'en', 'he' or 'zh-Hant' ({_hint(primary)})"


def resolve(language: str | None, text: str) -> str:
    """The code of the language of a text; DocumentError `unknown_language` for an unknown code."""
    if language is None:
        return by_script(text)
    problem = check_language(language)
    if problem:
        raise DocumentError("unknown_language", problem)
    primary = _primary(language)
    return by_script(text) if primary in _BY_SCRIPT else primary


def by_script(text: str) -> str:
    """The language that stands for the script of most letters, from the start, middle and end of a text.

    Latin letters count for a fifth: code, names and links are in them whatever the language.
    """
    if text.isascii():
        return "en"
    counts = np.bincount(_script_table()[_sample(text)], minlength=len(_LANGUAGES))
    counts[0] = 0
    counts[_ENGLISH] //= 5
    # Japanese is written in both; in Chinese there is a kana at most by chance.
    both = counts[_JAPANESE] + counts[_CHINESE]
    counts[_JAPANESE if counts[_JAPANESE] * 20 > counts[_CHINESE] else _CHINESE] = both
    return _LANGUAGES[int(counts.argmax())] or "en"


def _sample(text: str) -> npt.NDArray[np.uint16]:
    """UTF-16 units of at most three pieces of a text; surrogates are in no script of the table."""
    if len(text) > 3 * _SAMPLE:
        middle = len(text) // 2
        text = text[:_SAMPLE] + text[middle : middle + _SAMPLE] + text[-_SAMPLE:]
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)


@functools.cache
def _script_table() -> npt.NDArray[np.uint8]:
    table = np.zeros(0x10000, np.uint8)
    for number, blocks in enumerate(_BLOCKS.values(), 1):
        for first, last in blocks:
            table[first : last + 1] = number
    return table


def _primary(code: str) -> str:
    primary = code.strip().replace("_", "-").split("-")[0].lower()
    return SHORTER.get(primary, primary)


def _hint(primary: str) -> str:
    return nearest(primary, CODES) if len(primary) == 3 else "ISO 639-1 and ISO 639-2 list them"
