"""README and docs: every Python block runs, every configuration is valid, every link leads somewhere."""

from __future__ import annotations

import doctest
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import chunkers
from jobs.configuration import from_mapping, load
from jobs.opensearch.definition import is_pipeline
from jobs.output_columns import OUTPUT_COLUMN_NAMES

ROOT = Path(__file__).resolve().parents[1]
PAGES = [path.relative_to(ROOT).as_posix() for path in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])]

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: where it is, its language, what it holds."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: str, language: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = [Block(page, text.count("\n", 0, m.start()) + 2, m[1], m[2]) for m in _FENCE.finditer(text)]
    return [block for block in found if block.language == language]


def needs_spark(page: str) -> bool:
    return any("spark" in block.text for block in blocks(page, "python"))


def run(block: Block, names: dict[str, Any]) -> None:
    """Run one block; where it is a session with `>>>`, its output must be what the page shows."""
    if ">>> " not in block.text:
        exec(compile("\n" * (block.line - 1) + block.text, block.page, "exec"), names)
        return
    session = doctest.DocTestParser().get_doctest(block.text, names, str(block), block.page, block.line - 1)
    report: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(session, out=report.append, clear_globs=False)
    names.update(session.globs)
    assert not failed, "".join(report)


def with_python() -> list[Any]:
    pages = [page for page in PAGES if blocks(page, "python")]
    return [pytest.param(page, marks=[pytest.mark.spark] if needs_spark(page) else []) for page in pages]


@pytest.mark.parametrize("page", with_python())
def test_python_blocks_run_in_order(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    registered = chunkers.names()
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        for block in blocks(page, "python"):
            run(block, names)
    finally:
        for name in set(chunkers.names()) - set(registered):
            chunkers.registry._ALGORITHMS.pop(name)


@pytest.mark.parametrize(
    "block", [b for page in PAGES for b in blocks(page, "yaml")], ids=lambda b: f"{b.page}:{b.line}"
)
def test_configurations_are_valid(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A configuration loads, whole or with what its `chunk` needs beside it; a page's first JSON is its pipeline."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "conf").symlink_to(ROOT / "conf")
    for pipeline in blocks(block.page, "json")[:1]:
        (tmp_path / "pipeline.json").write_text(pipeline.text, encoding="utf-8")
    content = yaml.safe_load(block.text)
    if "input" in content:
        path = tmp_path / "page.yaml"
        path.write_text(block.text, encoding="utf-8")
        load(path, [])
    elif "chunk" in content:
        text = {} if is_pipeline(content["chunk"]) else {"text": "text"}
        from_mapping({"input": {"path": "in", "id": "id", **text}, "output": {"path": "out"}, **content})


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in _LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        place = (ROOT / page).parent / path if path else ROOT / page
        assert place.exists(), f"{page} links to {target}, which is not there"
        assert not anchor or anchor in anchors(place), f"{page} links to {target}: no such heading"


def test_output_page_lists_the_columns_in_their_order() -> None:
    page = (ROOT / "docs" / "output.md").read_text(encoding="utf-8")
    table = page.partition("## chunks")[2].partition("\n### ")[0]
    cells = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    assert re.findall(r"`(\w+)`", " ".join(cells)) == list(OUTPUT_COLUMN_NAMES)
