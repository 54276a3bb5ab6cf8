"""`chunkmill preview`: how the first documents would be cut, with the job's own algorithm and context."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TextIO

from chunkers import Chunk, DocumentError, create_algorithm
from jobs.configuration import Configuration
from jobs.document_context import document_context
from jobs.opensearch.definition import definition_of, pipeline_of
from jobs.opensearch.preview import as_chunks, passage_lines
from jobs.preview.document import Document
from jobs.preview.documents import read_documents
from jobs.preview.terminal import Style, style_of
from jobs.preview.text import chunk_summary, counted, document_lines, failed_lines


def preview(config: Configuration, stream: TextIO, *, documents: int = 3, doc_id: str | None = None) -> None:
    """Print the chunks of the first `documents` documents, or of the one called `doc_id`.

    Raises InputError when there is nothing to read.
    """
    for line in preview_lines(config, style_of(stream), documents, doc_id):
        print(line, file=stream)


def preview_lines(config: Configuration, style: Style, documents: int = 3, doc_id: str | None = None) -> Iterator[str]:
    """What `preview` prints."""
    cut = _cutter(config)
    seen, failed, found = 0, 0, list[Chunk]()
    for document in read_documents(config, documents, doc_id):
        seen += 1
        name = "(no id)" if document.doc_id is None else document.doc_id
        try:
            if document.rejection is not None:
                raise _rejected(document.rejection)
            chunks, lines = cut(document, name, style)
        except DocumentError as error:
            failed += 1
            yield from failed_lines(name, str(error), style)
        else:
            found.extend(chunks)
            yield from lines
        yield ""
    if seen > 1:
        fails = f", {failed} failed" if failed else ""
        yield style.bold(f"{counted(seen, 'document')}{fails}: {chunk_summary(found)}")


def _cutter(config: Configuration) -> Callable[[Document, str, Style], tuple[list[Chunk], Iterator[str]]]:
    """What cuts a document, and shows under a name what came out."""
    definition = definition_of(config.chunk)
    if definition is not None:
        pipeline = pipeline_of(definition)

        def run(document: Document, name: str, style: Style) -> tuple[list[Chunk], Iterator[str]]:
            passages = pipeline.passages(json.loads(document.text))
            return as_chunks(passages), passage_lines(name, passages, style)

        return run
    algorithm = create_algorithm(config.chunk)

    def chunk(document: Document, name: str, style: Style) -> tuple[list[Chunk], Iterator[str]]:
        context = document_context(document.text, document.context_values, config.context.lead_chars)
        chosen = algorithm.for_document(document.asked)
        chunks = chosen.chunk(document.text, context, headings=config.context.headings)
        return chunks, document_lines(name, document.text, chunks, style)

    return chunk


def _rejected(rejection: str) -> DocumentError:
    reason, _, detail = rejection.partition(": ")
    return DocumentError(reason, detail)
