"""A pipeline as a chunk definition: read by the driver, checked whole, plain data from then on."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from chunkers import ConfigurationError
from jobs.configuration import from_mapping, load
from jobs.configuration.summary import summary_lines
from jobs.manifest import fingerprint
from jobs.opensearch.definition import definition_of, pipeline_of
from jobs.reference import configuration_schema

BODY: dict[str, Any] = {
    "description": "for a test",
    "processors": [
        {"text_chunking": {"field_map": {"body": "body_chunk"}, "algorithm": {"delimiter": {"delimiter": ","}}}},
        {"text_chunking": {"field_map": {"body_chunk": "piece"}, "algorithm": {"fixed_token_length": {}}}},
    ],
}
ROOT = Path(__file__).parents[3]


def values(pipeline: Any = BODY, **sections: dict[str, Any]) -> dict[str, Any]:
    return {
        "input": {"path": "in", "id": "id", **sections.get("input", {})},
        "chunk": {"opensearch_pipeline": pipeline, **sections.get("chunk", {})},
        "output": {"path": "out", **sections.get("output", {})},
        **({"context": sections["context"]} if "context" in sections else {}),
    }


def problems_of(given: dict[str, Any]) -> list[str]:
    with pytest.raises(ConfigurationError) as raised:
        from_mapping(given)
    return [f"{problem.path}: {problem.message}" for problem in raised.value.problems]


class TestGood:
    def test_the_file_is_read_once_and_its_content_kept(self, tmp_path: Path) -> None:
        pipeline = tmp_path / "pipeline.json"
        pipeline.write_text(json.dumps({"articles": BODY}))
        job = tmp_path / "job.yaml"
        job.write_text(yaml.safe_dump(values(str(pipeline))))
        config = load(job, ["chunk.max_token_count=99"])
        pipeline.unlink()
        assert config.chunk == {
            "opensearch_pipeline": {"articles": BODY},
            "skip_processors": (),
            "shape": "chunks",
            "max_token_count": 99,
            "max_depth": None,
        }
        assert from_mapping(config.as_dict()) == config
        definition = definition_of(config.chunk)
        assert definition is not None
        assert [p.algorithm.name for p in pipeline_of(definition).processors] == ["delimiter", "fixed_token_length"]
        assert pipeline_of(definition).limits.max_token_count == 99

    def test_summary(self) -> None:
        lines = summary_lines(from_mapping(values(chunk={"shape": "documents"})))
        assert lines[0] == "input    in (parquet): id id"
        assert lines[1] == "chunk    OpenSearch pipeline of delimiter, then fixed_token_length; shape documents"

    def test_the_example(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(ROOT)
        config = load("conf/opensearch.yaml")
        definition = definition_of(config.chunk)
        assert definition is not None
        assert pipeline_of(definition).input_paths == (("title",), ("sections", "body"))

    def test_other_definitions_are_none(self) -> None:
        assert definition_of({"delimiter": {}}) is None
        assert definition_of([{"delimiter": {}}]) is None


class TestFingerprint:
    def test_two_ways_to_write_the_same(self) -> None:
        same = copy.deepcopy(BODY)
        same["description"] = "another"
        same["processors"][1]["text_chunking"]["tag"] = "t"
        same["processors"][1]["text_chunking"]["algorithm"] = {"fixed_token_length": {"token_limit": "0x180"}}
        assert fingerprint(from_mapping(values({"p": same}))) == fingerprint(from_mapping(values()))

    @pytest.mark.parametrize("changed", [{"shape": "documents"}, {"max_token_count": 5}, {"max_depth": 5}])
    def test_what_matters(self, changed: dict[str, Any]) -> None:
        assert fingerprint(from_mapping(values(chunk=changed))) != fingerprint(from_mapping(values()))

    def test_the_order_of_fields_matters_since_they_share_a_budget(self) -> None:
        found = set()
        for field_map in ({"a": "x", "b": "y"}, {"b": "y", "a": "x"}):
            body = {"processors": [{"text_chunking": {"field_map": field_map, "algorithm": {}}}]}
            found.add(fingerprint(from_mapping(values(body))))
        assert len(found) == 2


class TestProblems:
    def test_all_at_once(self) -> None:
        body = copy.deepcopy(BODY)
        body["processors"][0]["text_chunking"]["if"] = "ctx.a"
        body["processors"][1]["text_chunking"]["algorithm"]["fixed_token_length"]["token_limit"] = "many"
        body["processors"].append({"set": {}})
        given = values(
            body,
            input={"text": "body", "columns": ["lang"]},
            chunk={"shape": "documents", "max_depth": 0, "skip": []},
            context={"columns": ["title"]},
        )
        found = problems_of(given)
        place = "chunk.opensearch_pipeline.processors"
        for start in (
            "chunk.skip: unknown parameter",
            "chunk.max_depth: 0 is out of bounds",
            f"{place}[2].set: the processor set",
            f"{place}[0].text_chunking.if: ",
            f"{place}[1].text_chunking.algorithm.fixed_token_length.token_limit: Parameter [token_limit] must be of",
            "input.text: is not used with a pipeline",
            "input.columns: is not used with shape: documents",
            "context: is not allowed with a pipeline",
        ):
            assert sum(problem.startswith(start) for problem in found) == 1, (start, found)
        assert len(found) == 8

    def test_skipped_processors(self) -> None:
        body = copy.deepcopy(BODY)
        body["processors"].append({"set": {}})
        assert problems_of(values(body))[0].startswith("chunk.opensearch_pipeline.processors[2].set")
        assert from_mapping(values(body, chunk={"skip_processors": "set"})).chunk["skip_processors"] == ("set",)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (None, "cannot be read: No such file"),
            (b"\xff", "is not UTF-8: byte 0"),
            (b"{,}", "is not JSON: "),
            (b'{"a": 1, "a": 2}', "has the key 'a' twice"),
        ],
    )
    def test_files(self, tmp_path: Path, content: bytes | None, message: str) -> None:
        path = tmp_path / "pipeline.json"
        if content is not None:
            path.write_bytes(content)
        (found,) = problems_of(values(str(path)))
        assert found.startswith(f"chunk.opensearch_pipeline: the file {path} {message}")

    @pytest.mark.parametrize("pipeline", [7, "", []])
    def test_no_pipeline_at_all(self, pipeline: Any) -> None:
        (found,) = problems_of(values(pipeline))
        assert "is neither the path of a pipeline's JSON file nor the pipeline itself" in found

    def test_a_pipeline_that_is_null(self) -> None:
        assert problems_of(values(None)) == ["chunk.opensearch_pipeline: is required"]

    def test_text_is_needed_without_a_pipeline(self) -> None:
        given = values()
        given["chunk"] = {"delimiter": {}}
        assert problems_of(given) == ["input.text: is required"]

    def test_output_columns_are_those_of_the_shape(self) -> None:
        given = values(output={"columns": ["piece"]})
        assert problems_of(given) == ["output.columns[0]: 'piece' is neither an output nor a carried column"]
        given["chunk"]["shape"] = "documents"
        assert from_mapping(given).output.columns == ("piece",)


class TestSchema:
    VALIDATOR = jsonschema.Draft202012Validator(configuration_schema())

    @pytest.mark.parametrize("pipeline", ["conf/pipeline.json", BODY])
    def test_good(self, pipeline: Any) -> None:
        self.VALIDATOR.validate(values(pipeline, chunk={"shape": "documents", "skip_processors": ["set"]}))

    @pytest.mark.parametrize(
        "sections",
        [
            {"input": {"text": "body"}},
            {"chunk": {"shape": "rows"}},
            {"chunk": {"max_depth": 0}},
            {"chunk": {"skip": []}},
        ],
    )
    def test_refused(self, sections: dict[str, Any]) -> None:
        with pytest.raises(jsonschema.ValidationError):
            self.VALIDATOR.validate(values(**sections))
