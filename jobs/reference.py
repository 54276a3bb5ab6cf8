"""Writes the configuration's reference and its JSON schema from the declarations in the code.

`python -m jobs.reference` writes `docs/configuration.md` and `conf/schema.json`; with `--check` it
only tells, by its exit code, whether both are what would be written.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import chunkers
from chunkers.parameters import Field, describe, fields, join, json_schema
from chunkers.registry import algorithm
from chunkers.tokenizers import names as tokenizer_names
from jobs.configuration import Configuration
from jobs.opensearch.definition import PipelineDefinition
from jobs.output_columns import OUTPUT_COLUMNS

ROOT = Path(__file__).resolve().parent.parent


def main(argv: Sequence[str] | None = None) -> int:
    """Write the files, or check that they are current: 0 when they are."""
    parser = argparse.ArgumentParser("python -m jobs.reference", description=str(__doc__).splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is not current")
    check = parser.parse_args(argv).check
    outdated = [path for path, text in pages().items() if _read(ROOT / path) != text]
    for path in outdated:
        if check:
            print(f"{path} is not current: run python -m jobs.reference", file=sys.stderr)
        else:
            (ROOT / path).write_text(pages()[path], encoding="utf-8", newline="\n")
            print(f"wrote {path}")
    return 1 if check and outdated else 0


def pages() -> dict[str, str]:
    """The generated files: their path in the repository, and what they hold."""
    return {
        "conf/schema.json": json.dumps(configuration_schema(), indent=2) + "\n",
        "docs/configuration.md": configuration_page(),
    }


def configuration_schema() -> dict[str, Any]:
    """JSON schema (2020-12) of a configuration file."""
    schema = json_schema(Configuration)
    schema["properties"]["input"]["oneOf"] = [_given("path"), _given("table")]
    algorithm_reference, definition_reference = {"$ref": "#/$defs/algorithm"}, {"$ref": "#/$defs/definition"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "chunkmill configuration",
        **schema,
        **_TEXT_OR_PIPELINE,
        "$defs": {
            "chunk": {"anyOf": [definition_reference, {"$ref": "#/$defs/pipeline"}]},
            "definition": {
                "anyOf": [
                    algorithm_reference,
                    {"type": "array", "items": algorithm_reference, "minItems": 1},
                    {
                        "type": "object",
                        "properties": {"by": {"$ref": "#/$defs/by"}},
                        "required": ["by"],
                        "additionalProperties": False,
                    },
                ]
            },
            "by": {
                "type": "object",
                "properties": {
                    "column": {"type": "string", "minLength": 1, "description": "Column whose value chooses."},
                    "cases": {
                        "type": "object",
                        "additionalProperties": definition_reference,
                        "minProperties": 1,
                        "description": "What cuts the documents with each value.",
                    },
                    "default": {
                        "anyOf": [definition_reference, {"type": "null"}],
                        "description": "What cuts the others; not given, they fail as `unknown_case`.",
                    },
                },
                "required": ["column", "cases"],
                "additionalProperties": False,
            },
            "algorithm": _algorithm_schema(),
            "pipeline": json_schema(PipelineDefinition),
        },
    }


_TEXT_OR_PIPELINE = {
    "if": {
        "properties": {"chunk": {"type": "object", "required": ["opensearch_pipeline"]}},
        "required": ["chunk"],
    },
    "then": {"properties": {"input": {"properties": {"text": {"type": "null"}}}}},
    "else": {"properties": {"input": {"properties": {"text": {"type": "string"}}, "required": ["text"]}}},
}
"""A column to chunk is named, unless a pipeline says what is chunked."""


def _given(name: str) -> dict[str, Any]:
    """The key is there and not null."""
    return {"required": [name], "properties": {name: {"type": "string"}}}


def _algorithm_names() -> list[str]:
    """chunkmill's own algorithms: what somebody registered in this process is not documented here."""
    return [name for name in chunkers.names() if algorithm(name).__module__.startswith("chunkers.")]


def _algorithm_schema() -> dict[str, Any]:
    """One algorithm by its name, with its parameters (null for none)."""
    return {
        "type": "object",
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
        "properties": {
            name: {**json_schema(algorithm(name)), "type": ["object", "null"], "description": algorithm(name).summary}
            for name in _algorithm_names()
        },
    }


def configuration_page() -> str:
    """The reference of all keys, as Markdown."""
    sections = [_INTRODUCTION, *map(_section, fields(Configuration)), _algorithms(), _tokenizers(), _output_columns()]
    return "\n\n".join(sections) + "\n"


_INTRODUCTION = """\
<!-- Written by python -m jobs.reference from the declarations in the code: change it there. -->

# Configuration

A job is told everything by one YAML file; `conf/` has an example for each scenario.

```bash
chunkmill validate conf/handbook.yaml                        # every mistake at once, without Spark
chunkmill preview conf/handbook.yaml                         # how the first documents would be cut
chunkmill run conf/handbook.yaml --set output.path=out/trial # one key set differently
```

`--set key.path=value` sets one key on top of the file and may be repeated. The value is YAML (`null` unsets a key),
and `chunk[1].fixed_token_length.token_limit=256` reaches into a list. Relative paths start where the command runs.
An unknown key, a key that is there twice and a value out of bounds are errors. Editors that know JSON schema complete
and check the keys with `conf/schema.json`; a first line `# yaml-language-server: $schema=schema.json` names it.

`chunkmill` exits with 0 when all is done, 1 for an unexpected or a Spark error, 2 for the configuration, 3 for the
input, 4 for too many failed documents, 5 for an output that another run is writing to."""


def _section(section: Field) -> str:
    """The keys of one section of the file."""
    head = f"## {section.name}\n\n{section.declaration.doc}"
    if not dataclasses.is_dataclass(section.type):
        return f"{head}\n\n{_CHUNK}\n\n{_parameter_table(describe(PipelineDefinition), section.name)}"
    return f"{head}\n\n{_parameter_table(describe(cast(type, section.type)), section.name)}"


_CHUNK = """\
```yaml
chunk:                                   # one algorithm ...
  fixed_token_length: {token_limit: 512, tokenizer: cl100k_base}
```

```yaml
chunk:                                   # ... or a cascade: the second cuts the pieces of the first
  - markdown: {max_depth: 2}
  - fixed_token_length: {token_limit: 512, tokenizer: cl100k_base}
```

The algorithms and their parameters are listed [below](#algorithms); [algorithms.md](algorithms.md)
shows what they do.

```yaml
chunk:                                   # ... or an OpenSearch pipeline, run on every document as OpenSearch does
  opensearch_pipeline: conf/opensearch_pipeline.json
  skip_processors: [text_embedding]
```

With a pipeline there is no `input.text` and no `context`; [opensearch.md](opensearch.md) says what comes out."""


def _algorithms() -> str:
    parts = ["## Algorithms"]
    for name in _algorithm_names():
        kind = algorithm(name)
        rows = sorted(describe(kind), key=lambda row: _distance(kind, row["name"]))
        parts.append(f"### {name}\n\n{kind.summary}\n\n{_parameter_table(rows)}")
    return "\n\n".join(parts)


def _distance(kind: type, name: str) -> int:
    """How far up its bases a class declares a field: its own parameters come first."""
    return next(n for n, base in enumerate(kind.__mro__) if name in inspect.get_annotations(base))


def _tokenizers() -> str:
    known = ", ".join(f"`{name}`" for name in tokenizer_names())
    return f"""\
## Tokenizers

A `tokenizer` is one of

- a name: {known}
- the path of a `tokenizer.json` file
- the path of a `.tiktoken` file of ranks; one that is not published by OpenAI names its split pattern, as in
  `ranks.tiktoken@cl100k_base`"""


def _output_columns() -> str:
    rows = [[f"`{column.name}`", column.meaning] for column in OUTPUT_COLUMNS]
    return f"""\
## Output columns

What `output.columns` can name, beside the carried columns of `input.columns`. No carried column may have one of these
names.

{_table(["column", "meaning"], rows)}"""


def _parameter_table(rows: list[dict[str, str]], section: str = "") -> str:
    """A table of keys; a default that is an empty mapping or list reads `none`."""
    cells = [
        [
            f"`{join(section, row['name'])}`",
            row["type"],
            "none" if row["default"] == "`{}`" else row["default"],
            row["bounds"],
            row["meaning"],
        ]
        for row in rows
    ]
    return _table(["key", "type", "default", "allowed", "meaning"], cells)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
