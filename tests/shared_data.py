"""Data that lies beside the repository, not in it: corpora, golden cases, evaluation sets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(path: str) -> Path:
    """A file or directory of ../shared.

    Where there is none the test is skipped and says so; under CI, where it has to be, it fails.
    """
    place = SHARED / path
    if not place.exists():
        reason = f"../shared/{path} is not there: this test needs data that is not part of the repository"
        if os.environ.get("CI"):
            pytest.fail(f"{reason} (skipped only outside CI)", pytrace=False)
        pytest.skip(reason, allow_module_level=True)
    return place
