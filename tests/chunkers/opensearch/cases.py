"""Golden cases of OpenSearch: what a case asks for, done with this package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from chunkers.errors import ConfigurationError, DocumentError, Problem
from chunkers.opensearch import read_pipeline, semantic_field_pipeline
from chunkers.opensearch.algorithms import ALGORITHMS, Algorithm, Span
from chunkers.opensearch.budget import Budget
from chunkers.opensearch.parameters import Parameters
from chunkers.opensearch.processor import Limits, Processor
from chunkers.opensearch.trace import Trace
from chunkers.tokenizers import create_tokenizer

Case = dict[str, Any]


def read_cases(path: Path) -> list[Case]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    cases: list[Case] = yaml.safe_load(text)
    return cases


def check(case: Case) -> None:
    """The case gives what it expects: a result, or an error with the message (or its beginning)."""
    run = _LEVELS[case["level"]]
    if "expected_error_kind" not in case:
        result = run(case)
        assert result == case["expected"] or case["expected"] == "ok"
        return
    with pytest.raises((ConfigurationError, DocumentError)) as raised:
        run(case)
    message = case.get("expected_error_message") or ""
    if isinstance(raised.value, ConfigurationError):
        (problem,) = raised.value.problems
        assert message in problem.message
    else:
        assert message in raised.value.detail
        assert raised.value.reason == case["expected_error_kind"]


def _chunker(case: Case) -> list[str]:
    problems: list[Problem] = []
    parameters = Parameters(case["params"], "", problems)
    algorithm = ALGORITHMS[case["algorithm"]].read(parameters)
    limit = parameters.max_chunk_limit()
    if problems:
        raise ConfigurationError(problems)
    runtime = case.get("runtime", {"max_chunk_limit": limit, "chunk_string_count": 1})
    budget = Budget(runtime["max_chunk_limit"], runtime["chunk_string_count"])
    text = case["input"] or ""
    return [text[start:end] for start, end in algorithm.cut(text, budget.most, runtime.get("max_token_count"))]


def _processor(case: Case) -> Any:
    config = {key: case[key] for key in ("field_map", "ignore_missing") if key in case}
    if "algorithm_object" not in case:
        config["algorithm"] = {case["algorithm"]: case["params"]}
    elif case["algorithm_object"] is not None:
        config["algorithm"] = case["algorithm_object"]
    return _run([config], case)


def _cascade(case: Case) -> Any:
    return _run(case["params"]["stages"], case)


def _run(configs: list[Case], case: Case) -> Any:
    body = {"processors": [{"text_chunking": config} for config in configs]}
    limits = {"max_token_count": case.get("max_token_count", 10_000), "max_depth": case.get("depth_limit", 20)}
    pipeline = read_pipeline(body, **limits)
    return case["expected"] if case["input"] is None else pipeline.run(case["input"])


def _factory(case: Case) -> Any:
    return _run([{"field_map": {}, "algorithm": {case["algorithm"]: case["params"]}}], case)


def _parser(case: Case) -> Any:
    problems: list[Problem] = []
    parameters = Parameters({} if case["missing"] else {"x": case["input"]}, "", problems)
    read: Any = {"positive_integer": parameters.positive}.get(case["algorithm"]) or getattr(
        parameters, case["algorithm"]
    )
    value = read("x", case["params"].get("default", 1))
    if problems:
        raise ConfigurationError(problems)
    return value


class _Characters(Algorithm):
    """A chunk for each character."""

    def cut(self, text: str, most: int | None, max_token_count: int | None) -> list[Span]:
        return [(n, n + 1) for n in range(len(text))]

    @classmethod
    def read(cls, parameters: Parameters) -> Algorithm:
        return cls()


def _budget(case: Case) -> Any:
    texts = case["input"] if isinstance(case["input"], list) else [case["input"]]
    runtime = case.get("runtime", {"max_chunk_limit": 1, "chunk_string_count": len(texts)})
    budget = Budget(runtime["max_chunk_limit"], runtime["chunk_string_count"])
    for text in texts:
        budget.spend(len(text))
    document = {"a": case["input"]}
    processor = Processor({"a": "b"}, _Characters(), runtime["max_chunk_limit"], False, False)
    processor.execute(document, Trace(), Limits(None, None))
    after = {"max_chunk_limit": budget.limit, "chunk_string_count": budget.strings}
    result = {"chunks": document["b"], "runtime_after": after}
    return {key: result[key] for key in case["expected"]}


def _tokenizer(case: Case) -> list[list[int]]:
    starts, ends = create_tokenizer(case["algorithm"]).spans(case["input"])
    return [list(span) for span in zip(starts.tolist(), ends.tolist(), strict=True)]


def _semantic_field(case: Case) -> Any:
    return semantic_field_pipeline(case["input"], "a", "b")


_LEVELS = {
    "chunker": _chunker,
    "processor": _processor,
    "pipeline": _processor,
    "cascade": _cascade,
    "factory": _factory,
    "parser": _parser,
    "budget": _budget,
    "tokenizer": _tokenizer,
    "semantic_field_config": _semantic_field,
}
