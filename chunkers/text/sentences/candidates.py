"""The expressions that find where a sentence may end.

Every repetition is possessive and no alternative starts inside the run of stops before it, so a text
is read once whatever is in it. (Repetitions of groups stand in atomic groups instead: before Python
3.11.5 possessive ones could miss.)
"""

from __future__ import annotations

import functools
import re

_BREAK = r"\n\r\x85\u2028"
# Atomic, or CR LF would pass for two line breaks.
_NEW_LINE = rf"(?>\r\n|[{_BREAK}])"
_BLANKS = rf"[^\S{_BREAK}\u2029]*+"

_SOFT = r".?!\u2026\u203c\u203d\u2047-\u2049"
# What ends a sentence in any script, white space or not: the danda, the full stops of CJK and so on.
_HARD = (
    r"\u0589\u05c3\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0964\u0965\u0f0d\u0f0e\u104a\u104b\u1362\u1367\u1368"
    r"\u166e\u17d4\u17d5\u1803\u1809\u1944\u1945\u1aa8-\u1aab\u1b5a\u1b5b\u1c3b\u1c3c\u1c7e\u1c7f"
    r"\u3002\ua4ff\ua60e\ua60f\ua6f3\ua876\ua877\ua8ce\ua8cf\ua92f\ua9c8\uaa5d-\uaa5f\uaaf0\uaaf1\uabeb\ufe12\ufe52\ufe56\ufe57\uff01\uff1f\uff61"
)
_CLOSERS = (
    r"\"'\u2019\u201d\u00bb\u203a\u300d\u300f\uff63)\]}*_`\u3011\uff09\u300b\u3009\u3015\u3017\u3019\u301b\uff3d\uff5d"
    r"\u00b9\u00b2\u00b3\u2070-\u2079"
)
# A note's number, and a quote that has a space in front of it and behind it.
_NOTE = r"\[\d{1,3}\]|[ \u00a0\u202f][\u00bb\u201d\"](?=\s|\Z)"
_CLOSING = rf"(?>(?:[{_CLOSERS}]|{_NOTE})*)"
# With white space behind it, what opens a quotation in one language closes one in another.
_CLOSING_OR_OPENING = rf"(?>(?:[{_CLOSERS}\u00ab\u2039\u201c\u2018]|{_NOTE})*)"
_OPENING = r"[\"'\u2018-\u201f\u00ab\u00bb\u2039\u203a\u300c\u300e\uff62(\[{\u00bf\u00a1*_`\u3010\uff08\u300a\u3008]*+"
# Latin, Greek, Cyrillic and Armenian; a small letter before a capital is a name ("iPhone").
_SMALL = "".join(letter for letter in map(chr, (*range(0x61, 0x590), *range(0x1E00, 0x2000))) if letter.islower())
_NOT_SMALL = rf"(?!{_OPENING}(?:[-\u2013\u2014]\s?)?[{_SMALL}](?![A-Z]))"
_CONTINUES = r",;:)\]}?!\u2026\u060c\u061b\u3001\uff0c\uff1b\uff1a\uff09\u300d\u300f"
_IDEOGRAM = r"\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff66-\uff9f"
# After a closing quote these go on with the sentence around it.
_QUOTED = r"(?:(?<=[\u300d\u300f\uff63])(?:\u3068(?!\u3053\u308d|\u306b\u304b\u304f)|\u3063\u3066|\u306a\u3069|\u3092))"

# Thai and Lao have white space between sentences, and around names, numbers and the items of a list: only
# between two long runs of letters does it part sentences. The sign of repetition is no letter here.
_THAI = r"[\u0e01-\u0e2e\u0e30-\u0e45\u0e47-\u0e4e\u0e81-\u0ec5\u0ec8-\u0ece]{8}"
# And, or, but, that, which, by, for, because, as, namely, with, until, so, of, from, while, make, get, still: they
# go on with a sentence.
_THAI_JOINING = "และ|หรือ|แต่|ที่|ซึ่ง|อัน|โดย|เพื่อ|เพราะ|เนื่องจาก|ว่า|คือ|เช่น|ได้แก่|กับ|จน|จึง|ก็|ของ|จาก(?!นั้น)|ขณะ|ทำให้|ได้|ยัง|ตาม"

_WHOLE = rf"(?:\#{{1,6}}[ \t]|\||```|~~~)[^{_BREAK}]*+"
_RULE = rf"[-=~^*_+#'\"][-=~^*_+#'\"|: \t]{{2,}}+(?=[{_BREAK}]|\Z)"
_ITEM = (
    r"(?=(?:[-*+\u2022\u2023\u25e6\u25aa\u25cf\u00b7]|(?:\d{1,3}|[a-zA-Z]|[\u05d0-\u05ea][\u05f3']?)\)|(?:\d{1,3}\.)+"
    r"|\([0-9a-zA-Z]{1,3}\)|\[[^\]\n]{1,40}\]:)(?!\S)"
    r"|[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]{1,3}\u3001)"
)
# From here on the first character has been matched, for it is what the search skips to.
_LINE = (
    rf"(?<=\u2029)\s*+(?P<separated>)"
    rf"|(?<=[{_BREAK}])(?>(?<=\r)\n|){_BLANKS}(?:(?:{_NEW_LINE}|\u2029)\s*+(?P<block>(?>{_RULE}|{_WHOLE}|))"
    rf"|(?P<underline>{_RULE})|(?P<whole>{_WHOLE})|(?P<item>){_ITEM})"
)
_FIRST_LINE = re.compile(rf"{_WHOLE}|{_RULE}")


def first_line(text: str, position: int) -> int:
    """Where a line that stands for itself ends (a heading, a table's row, a fence); else `position`."""
    found = _FIRST_LINE.match(text, position)
    return found.end() if found else position


@functools.cache
def candidates(cased: bool, spaces: bool, stops: str) -> re.Pattern[str]:
    """The expression for a kind of language: see `Rules`.

    The name of the last group says what was found, and where it stands is where a sentence starts.
    `stop` may be no end, that is to be decided; it and `end` stand behind the match, which leaves line
    breaks to be looked at. A group with text is a whole line; after an `underline` a sentence starts,
    and none in front of it.
    """
    soft = _SOFT + stops
    any_stop = soft + _HARD
    after = rf"(?=[^\s{_CONTINUES}])(?!\.(?![a-zA-Z]))"
    small = _NOT_SMALL if cased else ""
    alternatives = [
        _LINE,
        rf"(?<=[{soft}])(?<![{any_stop}].)[{soft}]*+(?![{_HARD}]){_CLOSING_OR_OPENING}(?=\s++{after}{small}(?P<stop>))",
        rf"(?<=[{any_stop}])(?<![{any_stop}].)(?:(?<=[{_HARD}])|[{soft}]*+[{_HARD}])[{any_stop}]*+{_CLOSING}"
        rf"(?=\s*+(?!{_QUOTED}|\u179b\u17d4){after}(?P<end>))",
        rf"(?<=[{_IDEOGRAM}][?!\uff0e])[?!\uff0e]*+{_CLOSING}(?=[{_IDEOGRAM}])(?!{_QUOTED})(?P<unspaced>)",
    ]
    first = rf"{_BREAK}\u2029{any_stop}\uff0e"
    if spaces:
        first += r" \u00a0"
        alternatives.append(rf"(?<={_THAI}[ \u00a0])[ \u00a0]*+(?={_THAI})(?!{_THAI_JOINING})(?P<space>)")
    return re.compile(rf"[{first}](?:{'|'.join(alternatives)})", re.DOTALL)
