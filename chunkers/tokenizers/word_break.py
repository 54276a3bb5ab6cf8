"""The grammar of Lucene's `standard` tokenizer: the word breaks of UAX #29, and emoji sequences.

Rules in their order of rank; a name is a character class of Unicode 12.1 (character_classes.json).
"""

from __future__ import annotations

from collections.abc import Mapping

from chunkers.tokenizers.expressions import Expression, choice, one_of, parse

# WB4: these belong to the character before them. The two selectors make or unmake an emoji.
_IGNORED = ("Extend", "Complex_Extend", "ZWJ", "Keycap", "Emoji_Modifier", "Tag", "Tag_End")
_SELECTORS = ("Text_Selector", "Emoji_Selector")

_GROUPS = {
    "ahletter": ("ALetter", "ALetter_Emoji", "Hangul", "Hebrew_Letter"),
    "number": ("ASCII_Digit", "Numeric"),
    "katakana": ("Katakana",),
    "hebrew": ("Hebrew_Letter",),
    "joiner": ("ExtendNumLet",),
    "in_word": ("MidLetter", "MidNumLet", "Single_Quote"),
    "in_number": ("MidNum", "MidNumLet", "Single_Quote"),
    "single": ("Single_Quote",),
    "double": ("Double_Quote",),
    "complex": ("Complex_Context", "Complex_Extend"),
    "han": ("Han",),
    "hiragana": ("Hiragana",),
    "flag": ("Regional_Indicator",),
}

_EMOJI = {
    "pictograph": ("Emoji", "ALetter_Emoji"),
    "modifier": ("Emoji_Modifier",),
    "keycap_base": ("ASCII_Digit", "Keycap_Base"),
    "keycap": ("Keycap",),
}

_RULES = (
    ("element", "ZWJ* pictograph Emoji_Selector? | modifier"),
    ("emoji", "element ((ZWJ element)* | Tag+ Tag_End) | keycap_base Emoji_Selector? keycap | flag flag"),
    ("numbers", "number ((joiner* | in_number) number)*"),
    ("letters", "ahletter ((joiner* | in_word) ahletter)*"),
    ("alphanumeric", "(hebrew (single | double hebrew) | numbers | letters)+"),
    ("part", "katakana (joiner* katakana)* | alphanumeric"),
    ("word", "joiner* part (joiner+ part)* joiner*"),
    ("south_east_asian", "complex+"),
)


def word_break_rules(symbols: Mapping[str, frozenset[int]]) -> list[Expression]:
    """The rules, over the symbols that each class of character has.

    Numbers, Hangul and Katakana have rules of their own in Lucene, for the token's type only: they
    match no more than `word` does, so they are left out here.
    """
    names: dict[str, Expression] = {name: one_of(found) for name, found in symbols.items()}
    for groups, ignored in ((_GROUPS, _IGNORED + _SELECTORS), (_EMOJI, _IGNORED)):
        names["ignored"] = one_of(_union(symbols, ignored))
        for name, classes in groups.items():
            names["group"] = one_of(_union(symbols, classes))
            names[name] = parse("group ignored*", names)
    for name, text in _RULES:
        names[name] = parse(text, names)
    return [names["emoji"], names["word"], names["south_east_asian"], choice((names["han"], names["hiragana"]))]


def _union(symbols: Mapping[str, frozenset[int]], classes: tuple[str, ...]) -> frozenset[int]:
    return frozenset[int]().union(*(symbols[name] for name in classes))
