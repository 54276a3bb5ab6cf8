"""Texts made to hurt, for property tests.

`texts()` joins pieces that stand at the borders of what tokenizers, grapheme clusters, line ends and
Markdown care about; `slices()` adds a span of the text.
"""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = (
    "a",
    "word",
    "It's",
    "WE'LL",
    "camelCase",
    "x" * 40,
    "1",
    "12345",
    "3.14",
    "\u00e9t\u00e9",
    "\u017f",
    "\u0130I\u0131",
)
SCRIPTS = (
    "\u05e9\u05dc\u05d5\u05dd",  # Hebrew
    "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",  # Hebrew with points
    "\u0645\u0631\u062d\u0628\u0627",  # Arabic
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",  # Thai
    "\u0915\u094d\u0937\u093f",  # Devanagari, a conjunct
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002",  # Chinese
    "\uac01\u1100\u1161\u11a8",  # Hangul, composed and in jamo
    "\u30ab\u3099\uff76\uff9e",  # Katakana with voice marks
    "\u0416\u0438\u0437\u043d\u044c",  # Cyrillic
    "\U00010400\U0001d7d8\U00020000",  # letters and digits beyond the basic plane
)
CLUSTERS = (
    "e\u0301",
    "\u0301",
    "a\u0323\u0301\u0308",
    "\u0344",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f44d\U0001f3fd",
    "\U0001f1e9\U0001f1ea\U0001f1eb",
    "\u2764\ufe0f",
    "1\ufe0f\u20e3",
    "\u200d",
    "\u200c",
    "\u0600",  # a sign that joins what follows
    "\ufb01",
    "\u00bd",
)
SPACES = (
    " ",
    "  ",
    " " * 17,
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u00a0",
    "\u2003",
    "\u2028",
    "\u2029",
    "\u3000",
    "\x0b",
    "\x0c",
    "\x85",
)
CONTROLS = ("\x00", "\x1c", "\x1f", "\x7f", "\u00ad", "\u200b", "\ufeff", "\ufffd", "\ue000", "\ufffe", "\U0010ffff")
YOUNG = ("\u1acf", "\u088f's", "\U00011de0123", "\U00032dbe's")  # new in Unicode 17: libraries disagree
SIGNS = (
    ".",
    ",",
    "'",
    "''",
    "'s",
    "\u2019t",
    "-",
    "--",
    "/",
    "//",
    "_",
    "#",
    "=",
    "|",
    "`",
    "*",
    "<",
    ">",
    "\u2014",
    "\u20ac",
    "$",
    "{}",
    ");\n",
)
SPECIAL = (
    "<|endoftext|>",
    "<|fim_prefix|>",
    "<|im_start|>",
    "[CLS]",
    "[SEP]",
    "[UNK]",
    "[PAD]",
    "<s>",
    "</s>",
    "<unk>",
    "\u2581",
    "\u0120",
    "##a",
)
LINES = (
    "# Title\n",
    "\n- item\n",
    "\n```\n",
    "~~~",
    "| a | b |\n|---|---|\n",
    "---\n",
    "Title\n===\n",
    "https://example.org/a?b=c&d#e\n",
)

PIECES = WORDS + SCRIPTS + CLUSTERS + SPACES + CONTROLS + YOUNG + SIGNS + SPECIAL + LINES

_any_characters = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
_runs = st.builds(lambda piece, times: piece * times, st.sampled_from(PIECES), st.integers(2, 120))


def texts(max_pieces: int = 16) -> st.SearchStrategy[str]:
    """Texts that can be encoded in UTF-8: troublesome pieces, runs of them, any characters."""
    pieces = st.one_of(st.sampled_from(PIECES), st.sampled_from(WORDS + SPACES), _any_characters, _runs)
    return st.lists(pieces, max_size=max_pieces).map("".join)


@st.composite
def slices(draw: st.DrawFn, max_pieces: int = 16) -> tuple[str, int, int]:
    """A text and a span of it that is not empty: `(text, start, end)`."""
    text = draw(texts(max_pieces).filter(bool))
    start = draw(st.integers(0, len(text) - 1))
    return text, start, draw(st.integers(start + 1, len(text)))
