"""Cases from OpenSearch's own tests and documentation, and cases run through its classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chunkers.opensearch.cases import Case, check, read_cases
from tests.shared_data import shared

SURROGATE_CUT = "ex-101"
"""The cut inside a surrogate pair: docs/opensearch.md says why it is moved."""

THAI = "os-134"
"""The tokenizer whose words are those of a Java runtime."""

EDGE_CASES = read_cases(Path(__file__).with_name("edge_cases.yaml"))


@pytest.mark.parametrize("case", EDGE_CASES, ids=lambda case: case["id"])
def test_edge_case(case: Case) -> None:
    check(case)


def test_all_edge_cases() -> None:
    cases = read_cases(shared("golden/opensearch_edge_cases.jsonl"))
    for case in cases:
        if case["id"] != SURROGATE_CUT:
            check(case)


def test_documented_cases() -> None:
    cases = read_cases(shared("golden/opensearch_documented.jsonl"))
    for case in cases:
        if case["status"] == "current" and case["id"] != THAI:
            check(case)
