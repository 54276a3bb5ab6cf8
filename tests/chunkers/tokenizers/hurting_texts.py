"""Texts made to hurt word tokenizers: every character class, pieces of addresses, runs near the length limit."""

from __future__ import annotations

from hypothesis import strategies as st

from chunkers.tokenizers.character_classes import ranges

_SURROGATES = range(0xD800, 0xE000)

OF_CLASSES = [
    chr(point)
    for tokenizer in ("standard", "classic")
    for runs in ranges(tokenizer).values()
    for run in (runs[0], runs[len(runs) // 2], runs[-1])
    for point in (run.start, run.stop - 1)
    if point not in _SURROGATES
]
ADDRESS_PIECES = [
    *("http://", "HTTPS://", "ftp://", "file://", "mailto:", ";type=a", ":80", "%41", "?", "#", "@", "/", "\\", '"'),
    *("b.co", ".com", ".co", "m", ".ar", "ab", "1.2.3.4", "[::1]", "[", "]", "xn--", "a@b.com", "\n", "\\\n"),
]

TIMES = (2, 3, 126, 127, 128, 253, 254, 255, 256, 257, 511)

pieces = st.one_of(
    st.sampled_from(OF_CLASSES),
    st.sampled_from(ADDRESS_PIECES),
    st.characters(min_codepoint=32, max_codepoint=126),
    st.characters(exclude_categories=["Cs"]),
    st.builds(
        lambda character, times: character * times,
        st.sampled_from([*OF_CLASSES, "a", "1", "_"]),
        st.sampled_from(TIMES),
    ),
)
texts = st.lists(pieces, max_size=12).map("".join)


@st.composite
def few_characters(draw: st.DrawFn) -> str:
    """A text of a few characters over and over, so that rules meet."""
    some = draw(st.lists(pieces, min_size=1, max_size=4))
    return "".join(draw(st.lists(st.sampled_from(some), max_size=20)))


hurting = st.one_of(texts, few_characters())
