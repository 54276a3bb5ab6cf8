"""The generated files are current, and the examples are what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import chunkers
from chunkers.parameters import fields
from chunkers.registry import algorithm
from jobs import reference
from jobs.configuration import load

CONF = Path(__file__).resolve().parents[2] / "conf"
EXAMPLES = sorted(CONF.glob("*.yaml"))
VALIDATOR = jsonschema.Draft202012Validator(reference.configuration_schema())


def test_the_files_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main(["--check"]) == 0, capsys.readouterr().err


def test_check_tells_what_is_not_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reference, "ROOT", tmp_path)
    assert reference.main(["--check"]) == 1
    assert capsys.readouterr().err.count("is not current: run python -m jobs.reference") == 2
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "conf").mkdir()
    (tmp_path / "docs").mkdir()
    assert reference.main([]) == 0
    assert reference.main(["--check"]) == 0
    assert json.loads((tmp_path / "conf/schema.json").read_text()) == reference.configuration_schema()


def test_every_algorithm_and_parameter_is_there() -> None:
    page = reference.configuration_page()
    for name in ("fixed_token_length", "fixed_char_length", "delimiter", "markdown"):
        assert name in chunkers.names()
        section = page.partition(f"### {name}\n")[2].partition("\n### ")[0]
        assert all(f"| `{field.name}` |" in section for field in fields(algorithm(name)))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(reference.configuration_schema())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CONF.parent)
    VALIDATOR.validate(yaml.safe_load(path.read_text()))
    assert load(path).output.path.startswith("out/")


@pytest.mark.parametrize(
    "change",
    [
        {"input": {"path": "a", "table": "b", "id": "i", "text": "t"}},
        {"input": {"id": "i", "text": "t"}},
        {"input": {"path": "a", "text": "t"}},
        {"chunk": {}},
        {"chunk": []},
        {"chunk": {"delimiter": {}, "markdown": {}}},
        {"chunk": {"delimiter": {"delimter": ","}}},
        {"chunk": {"fixed_token_length": {"overlap_rate": 0.6}}},
        {"limits": {"max_failed_rate": 2}},
        {"unknown": 1},
    ],
)
def test_the_schema_refuses_what_load_refuses(change: dict[str, Any], tmp_path: Path) -> None:
    good = {"input": {"path": "a", "id": ["i"], "text": "t"}, "chunk": {"delimiter": None}, "output": {"path": "o"}}
    file = tmp_path / "job.yaml"
    file.write_text(yaml.safe_dump(good))
    assert load(file).input.path == "a"
    VALIDATOR.validate(good)
    file.write_text(yaml.safe_dump({**good, **change}))
    with pytest.raises(chunkers.ConfigurationError):
        load(file)
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate({**good, **change})
