"""One document of a preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Document:
    """One row of the input; `rejection` (`reason: detail`) says why the job would not chunk it.

    With an OpenSearch pipeline `text` is the JSON document that it reads. `asked` are the values of the
    columns that the algorithm looks at.
    """

    doc_id: str | None
    text: str
    context_values: tuple[object, ...] = ()
    rejection: str | None = None
    asked: Mapping[str, str | None] = field(default_factory=dict)
