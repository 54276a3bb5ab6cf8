"""An OpenSearch ingest pipeline as a chunk definition."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, overload

from chunkers.errors import ConfigurationError, DocumentError, Problem
from chunkers.opensearch.fields import Path, leaves, paths, writable
from chunkers.opensearch.processor import Limits, Processor
from chunkers.opensearch.reading import read_processors
from chunkers.opensearch.trace import Passage, Trace


@dataclass(frozen=True)
class Pipeline:
    """The `text_chunking` processors of a pipeline: small, picklable, quickly read again."""

    processors: tuple[Processor, ...]
    limits: Limits

    @property
    def input_paths(self) -> tuple[Path, ...]:
        """What has to be in the document: every path read that nothing earlier in the pipeline writes.

        A path is the tuple of its keys; a key says nothing on whether its value is an array.
        """
        written: set[Path] = set()
        read: dict[Path, None] = {}
        for source, target in self._paths():
            if source not in written:
                read[source] = None
            written.add(target)
        return tuple(read)

    @property
    def output_paths(self) -> tuple[Path, ...]:
        """What is written, each once, in the order of writing; every one is a list of strings."""
        return tuple({target: None for _, target in self._paths()})

    def _paths(self) -> list[tuple[Path, Path]]:
        return [pair for processor in self.processors for pair in paths(processor.field_map)]

    def run(self, source: Mapping[str, Any]) -> dict[str, Any]:
        """A new document with the output fields; `source` (plain JSON values) is left as it was.

        Raises DocumentError where OpenSearch refuses the document.
        """
        return self._executed(source)[0]

    def passages(self, source: Mapping[str, Any]) -> list[Passage]:
        """The passages of the outputs that no later processor cuts further.

        Their order is that of the processors, of `field_map` and of the document. Raises
        DocumentError as `run` does.
        """
        return self.outcome(source)[1]

    def outcome(self, source: Mapping[str, Any]) -> tuple[dict[str, Any], list[Passage]]:
        """What `run` and `passages` give, from one execution."""
        document, trace = self._executed(source)
        return document, [
            passage
            for processor in self.processors
            for leaf in leaves(document, processor.field_map)
            for passage in trace.final(leaf.container.get(leaf.target))
        ]

    def _executed(self, source: Mapping[str, Any]) -> tuple[dict[str, Any], Trace]:
        document = dict(source)
        for processor in self.processors:
            document = writable(document, processor.field_map)
        trace = Trace()
        for processor in self.processors:
            try:
                processor.execute(document, trace, self.limits)
            except DocumentError:
                if not processor.ignore_failure:
                    raise
        return document, trace


@overload
def read_pipeline(
    body: Any,
    skip_processors: Collection[str] = ...,
    path: str = ...,
    problems: None = None,
    *,
    max_token_count: int | None = ...,
    max_depth: int | None = ...,
) -> Pipeline: ...
@overload
def read_pipeline(
    body: Any,
    skip_processors: Collection[str],
    path: str,
    problems: list[Problem],
    *,
    max_token_count: int | None = ...,
    max_depth: int | None = ...,
) -> Pipeline | None: ...
def read_pipeline(
    body: Any,
    skip_processors: Collection[str] = (),
    path: str = "chunk.opensearch_pipeline",
    problems: list[Problem] | None = None,
    *,
    max_token_count: int | None = None,
    max_depth: int | None = None,
) -> Pipeline | None:
    """The pipeline of a `PUT _ingest/pipeline/x` body, or of what `GET` returns.

    `skip_processors` names types of processors to leave out; `if` and `on_failure` in it let a
    `text_chunking` processor run as if it had no such key. `max_token_count` bounds the tokens of a
    string (`fixed_token_length`), `max_depth` the nesting of the fields; None is no bound.

    What is wrong goes to `problems`, and None comes back; without `problems` it is raised as
    ConfigurationError. The messages are OpenSearch's own where it has one.
    """
    found: list[Problem] = []
    processors = read_processors(body, frozenset(skip_processors), path, found)
    if found and problems is None:
        raise ConfigurationError(found)
    if problems is not None:
        problems.extend(found)
    return None if found else Pipeline(tuple(processors), Limits(max_token_count, max_depth))
