"""The cases of cases/*.txt: sentences that are hard to part, a file a language."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

MARK = "‖"
FOLDER = Path(__file__).parent / "cases"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.txt"))


def cases(language: str) -> list[str]:
    """The cases of a language, with the mark in front of every sentence but the first."""
    lines = (FOLDER / f"{language}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


def parted(case: str) -> tuple[str, list[int]]:
    """The text of a case, and where its sentences start."""
    sentences = case.split(MARK)
    return "".join(sentences), [0, *accumulate(map(len, sentences[:-1]))]


def marked(text: str, starts: list[int]) -> str:
    """A text with the mark where sentences start: a case again."""
    return MARK.join(text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True))
