"""`chunkmill simulate`: files in, JSON out, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jobs import cli

PIPELINE = {
    "x": {
        "processors": [
            {"text_chunking": {"field_map": {"a": "b"}, "algorithm": {"fixed_token_length": {"token_limit": 2}}}},
            {"text_embedding": {"model_id": "m"}},
        ]
    }
}
DOCS = [{"_id": "1", "_source": {"a": "one two \u4e09"}}, {"_source": {"a": 1}}]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The arguments of a call that succeeds."""
    (tmp_path / "pipeline.json").write_text(json.dumps(PIPELINE), encoding="utf-8")
    (tmp_path / "docs.json").write_text(json.dumps({"docs": DOCS}), encoding="utf-8")
    return ["simulate", f"{tmp_path}/pipeline.json", f"{tmp_path}/docs.json", "--skip-processors", "text_embedding"]


def answer(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert cli.main(arguments) == 0
    return json.loads(capsys.readouterr().out)


def test_answer(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = answer(files, capsys)["docs"]
    assert good["doc"]["_source"]["b"] == ["one two ", "\u4e09"]
    assert bad["error"]["type"] == "illegal_argument_exception"


def test_list_of_documents(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(files[2]).write_text(json.dumps(DOCS[:1]), encoding="utf-8")
    assert len(answer(files, capsys)["docs"]) == 1


def test_max_token_count(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    error = answer([*files, "--max-token-count", "2"], capsys)["docs"][0]["error"]
    assert "exceeded the allowed maximum of [2]" in error["reason"]


def test_half_a_surrogate_pair_comes_out_as_it_went_in(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(files[2]).write_text('[{"_source": {"a": "x \\ud83d"}}]', encoding="utf-8")
    assert answer(files, capsys)["docs"][0]["doc"]["_source"]["b"] == ["x \ud83d"]


@pytest.mark.parametrize(
    ("place", "content", "code", "message"),
    [
        (1, "{", 2, "pipeline.json: is not JSON: "),
        (1, '{"processors": [], "processors": []}', 2, "pipeline.json: has the key 'processors' twice"),
        (1, json.dumps(PIPELINE).replace("text_embedding", "set"), 2, "processors[1].set: the processor set is none"),
        (1, "[" * 100_000, 2, "pipeline.json: is nested too deeply"),
        (2, "[" * 100_000, 3, "docs.json: is nested too deeply"),
        (2, '[{"_source": NaN}]', 3, "docs.json: is not JSON: NaN"),
        (2, "[{}]", 3, "docs[0]: [_source] required property is missing"),
    ],
)
def test_faults(
    files: list[str], capsys: pytest.CaptureFixture[str], place: int, content: str, code: int, message: str
) -> None:
    Path(files[place]).write_text(content, encoding="utf-8")
    assert cli.main(files) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


def test_no_such_file(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", files[1], "missing.json"]) == 3
    assert "missing.json: cannot be read: No such file" in capsys.readouterr().err


def test_needs_no_heavy_package(files: list[str]) -> None:
    code = (
        "import sys; from jobs.cli import main; assert main() == 0; "
        "loaded = {name for name, module in sys.modules.items() if module}; "
        "assert not {'pyspark', 'pandas', 'tiktoken', 'gigatoken'} & loaded"
    )
    subprocess.run([sys.executable, "-c", code, *files], check=True, stdout=subprocess.DEVNULL)
