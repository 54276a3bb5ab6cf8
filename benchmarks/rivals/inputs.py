"""Texts that show where a splitter breaks, each with what is known about it."""

from __future__ import annotations

import random
from dataclasses import dataclass

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
FLAGS = "\U0001f1ee\U0001f1f1\U0001f1ef\U0001f1f5\U0001f1e7\U0001f1f7"
TABLE_HEADER = "| mill | wind |"


@dataclass(frozen=True)
class Input:
    """A text; the titles of its Markdown headings; the mark in every row of its table, if it has one.

    `is_prose` says that words are short, separate and not repeated.
    """

    name: str
    text: str
    headings: tuple[str, ...] = ()
    row_mark: str | None = None
    is_prose: bool = False


def inputs() -> list[Input]:
    """All of them, the largest last."""
    return [*_prose(), *_scripts(), *_blanks(), *_markdown(), _line()]


def _prose() -> list[Input]:
    abbreviations = (
        "Dr. Miller met Prof. Stone at 9.30 a.m. in St. Albans, i.e. before the U.S. team came. "
        "They weighed 3.5 kg of rye, cf. Fig. 2, and paid Messrs. Wood et al. approx. 4.20 a sack. "
    )
    story = (
        "The old mill stood where the river bends. Nobody had lived in it for years, yet its wheel still turned "
        "whenever rain had fallen in the hills. One autumn a young miller came up the road with a cart and two "
        "donkeys. She looked at the stones, which were worn smooth, and at the roof, through which one saw the sky. "
        "By winter new furrows had been cut and the first sacks of rye were hung from the beam. People from three "
        "villages brought their grain, because the next mill was a day away. They waited in the yard, drank hot "
        "cider and talked about the harvest. Children threw bread to the ducks below the weir. When the ice came, "
        "everything stopped; even the water was silent under its white lid. The miller mended belts, carved cogs of "
        "hornbeam and wrote down what each family owed her, though she never asked for it. In March the thaw took "
        "half of the dam along. All who had eaten her flour that winter came with spades, and a week later the wheel "
        "went round again, slower than before but steady, as it does to this day."
    )
    return [
        Input("prose", story, is_prose=True),
        Input("one sentence 100 times", "The mill grinds the grain. " * 100),
        Input("one paragraph 30 times", "Wind turns the sails.\nSails turn the stone, all day long.\n\n" * 30),
        Input("abbreviations", abbreviations * 6),
        Input(
            "a word of 400 letters", f"before it {'grain' * 80} after it, and then some more words follow here. " * 2
        ),
        Input("tokens that are special", "The text ends <|endoftext|> here, it says, and goes on after it. " * 8),
        Input("NUL, BOM, line separator", "\ufeffrye\0oats\u2028wheat and barley\u2029and spelt, \ufeff so on. " * 12),
    ]


def _scripts() -> list[Input]:
    chinese = (
        "\u98ce\u8f66\u78e8\u5750\u843d\u5728\u6cb3\u8fb9\uff0c\u6bcf\u5929\u78e8\u51fa\u65b0\u9c9c\u7684"
        "\u9762\u7c89\u3002\u6751\u6c11\u4eec\u5f88\u9ad8\u5174\u3002"
    )
    bare = "".join(sign for sign in chinese if sign not in "\uff0c\u3002")
    thai = (
        "\u0e01\u0e31\u0e07\u0e2b\u0e31\u0e19\u0e25\u0e21\u0e1a\u0e14\u0e02\u0e49\u0e32\u0e27\u0e17\u0e35"
        "\u0e48\u0e23\u0e34\u0e21\u0e41\u0e21\u0e48\u0e19\u0e49\u0e33\u0e17\u0e38\u0e01\u0e27\u0e31\u0e19"
    )
    hebrew = (
        '\u05d4\u05b7\u05d8\u05b7\u05bc\u05d7\u05b2\u05e0\u05b8\u05d4 \u05e9\u05c1\u05b6\u05dc \u05d3"'
        "\u05e8 \u05db\u05b9\u05bc\u05d4\u05b5\u05df \u05d8\u05d5\u05b9\u05d7\u05b6\u05e0\u05b6\u05ea "
        '\u05e7\u05b6\u05de\u05b7\u05d7, \u05d5\u05e6\u05d4"\u05dc \u05e7\u05d5\u05b9\u05e0\u05b6\u05d4 '
        "\u05e2\u05de\u05f3 3. \u200f\u05d4\u05b8\u05e8\u05d5\u05bc\u05d7\u05b7 \u05e0\u05d5\u05b9\u05e9"
        "\u05b6\u05c1\u05d1\u05b6\u05ea. "
    )
    return [
        Input("Chinese", chinese * 12),
        Input("Chinese without punctuation", bare * 14),
        Input("Thai", thai * 14),
        Input("Hebrew with points", hebrew * 8),
        Input("families of emoji and flags", f"{FAMILY} {FLAGS} " * 16),
        Input("families without a space", FAMILY * 24),
        Input("stacked marks", "Z\u0351\u036b\u0343 a\u0329\u0301\u0308l\u0330\u0303g\u0321\u0305o\u0332\u0306 " * 20),
    ]


def _blanks() -> list[Input]:
    return [
        Input(
            "CR LF", "The first line of it\r\nand the second\r\n\r\nA paragraph of its own, with more words\r\n" * 10
        ),
        Input(
            "tabs, odd and many blanks", "a\tb\tc    d\u00a0e\u2003f\n\n\n\n   \t  g        h,\u3000i and so on.\n" * 14
        ),
        Input("empty", ""),
        Input("blank", " \n\t\n  \u00a0\n" * 5),
    ]


def _markdown() -> list[Input]:
    rows = "".join(f"| mill number {n} | turned {n * 7} times |\n" for n in range(1, 61))
    words = "The wheel turns, and the stone turns with it, from morning to the evening.\n"
    comments = (
        f"# Setup\n\n{words}\n```sh\n# not a heading\nmake run\n```\n\n"
        f"~~~sh\n# nor is this\nmake test\n~~~\n\n## Use\n\n{words}"
    )
    nested = (
        f"# Outer\n\n{words}\n````md\n```sh\n# in a fence of a fence\n```\n# still in it\n````\n\n"
        f"    # indented\n\n## After\n\n{words}"
    )
    setext = f"Water\n=====\n\n{words}\nWind\n----\n\n{words}\n### Steam ###\n\n{words}"
    front = f"---\ntitle: Mills\n# a comment of YAML\nlang: en\n---\n\n# Mills\n\n{words}\n## Stones\n\n{words}"
    points = (
        "# List\n\nA mill needs these:\n\n- a wheel\n  - of wood\n    - of oak, cut in winter and dried for years\n"
        "  - or of iron\n- a stone\n\n  ```sh\n  # how to turn it\n  turn stone\n  ```\n\n"
        "- grain, as much as there is\n"
    )
    return [
        Input("a table of 60 rows", f"# Mills\n\n{TABLE_HEADER}\n|---|---|\n{rows}", ("Mills",), "| mill number"),
        Input("comments in fences", comments, ("Setup", "Use")),
        Input("a fence in a fence", nested, ("Outer", "After")),
        Input("underlined headings", setext, ("Water", "Wind", "Steam")),
        Input("front matter", front, ("Mills", "Stones")),
        Input("a nested list with code", points, ("List",)),
    ]


def _line() -> Input:
    letters = random.Random(1)
    signs = letters.choices("abcdefghijklmnopqrstuvwxyz0123456789+/", k=1_000_000)
    return Input("1 MB without a space", "".join(signs))
