"""One document of a preview."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Document:
    """One row of the input; `rejection` (`reason: detail`) says why the job would not chunk it.

    With an OpenSearch pipeline `text` is the JSON document that it reads.
    """

    doc_id: str | None
    text: str
    context_values: tuple[object, ...] = ()
    rejection: str | None = None
