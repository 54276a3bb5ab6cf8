"""`chunkmill preview`: how the first documents would be cut, with the job's own algorithm and context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from chunkers import Algorithm, Chunk, DocumentError, create_algorithm
from jobs.configuration import Configuration
from jobs.document_context import document_context
from jobs.preview_documents import Document, read_documents
from jobs.preview_text import chunk_summary, counted, document_lines, failed_lines
from jobs.terminal import Style, style_of


def preview(config: Configuration, stream: TextIO, *, documents: int = 3, doc_id: str | None = None) -> None:
    """Print the chunks of the first `documents` documents, or of the one called `doc_id`.

    Raises InputError when there is nothing to read.
    """
    for line in preview_lines(config, style_of(stream), documents, doc_id):
        print(line, file=stream)


def preview_lines(config: Configuration, style: Style, documents: int = 3, doc_id: str | None = None) -> Iterator[str]:
    """What `preview` prints."""
    algorithm = create_algorithm(config.chunk)
    seen, failed, found = 0, 0, list[Chunk]()
    for document in read_documents(config, documents, doc_id):
        seen += 1
        name = "(no id)" if document.doc_id is None else document.doc_id
        try:
            chunks = _chunks(algorithm, document, config.context.lead_chars)
        except DocumentError as error:
            failed += 1
            yield from failed_lines(name, str(error), style)
        else:
            found.extend(chunks)
            yield from document_lines(name, document.text, chunks, style)
        yield ""
    if seen > 1:
        fails = f", {failed} failed" if failed else ""
        yield style.bold(f"{counted(seen, 'document')}{fails}: {chunk_summary(found)}")


def _chunks(algorithm: Algorithm, document: Document, lead_chars: int) -> list[Chunk]:
    if document.rejection is not None:
        reason, _, detail = document.rejection.partition(": ")
        raise DocumentError(reason, detail)
    return algorithm.chunk(document.text, document_context(document.text, document.context_values, lead_chars))
