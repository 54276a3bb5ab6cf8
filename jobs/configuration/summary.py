"""A configuration in a few lines: what `validate` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkers.by import KEY as BY
from chunkers.text.code import installed_languages
from jobs.configuration import Configuration
from jobs.opensearch.definition import definition_of, pipeline_words


def summary_lines(config: Configuration) -> list[str]:
    """One line a section, defaults filled in where they matter."""
    return [f"{name:<8} {words}" for name, words in _sections(config).items() if words]


def _sections(config: Configuration) -> dict[str, str]:
    source, limits = config.input, config.limits
    columns = f"id {' + '.join(source.id)}{f', text {source.text}' if source.text else ''}"
    carried = f", carried {', '.join(source.columns)}" if source.columns else ""
    lead = [f"the first {config.context.lead_chars:,} characters"] if config.context.lead_chars else []
    return {
        "input": f"{source.table or source.path} ({'table' if source.table else source.format}): {columns}{carried}",
        "where": source.where or "",
        "limit": f"{source.limit:,} rows" if source.limit else "",
        "chunk": _algorithms(config.chunk),
        "grammars": _grammars(config.chunk),
        "context": ", ".join([*config.context.columns, *lead, *(["headings"] if config.context.headings else [])]),
        "output": f"{config.output.path}{_narrowed(config.output.columns)}",
        "limits": f"at most {limits.max_document_mb:g} MB a document, "
        f"at most {limits.max_failed_rate * 100:g}% of the documents failed",
    }


def _algorithms(definition: Any) -> str:
    """`markdown, then fixed_token_length (token_limit 256)`"""
    pipeline = definition_of(definition)
    if pipeline is not None:
        return pipeline_words(pipeline)
    stages = [definition] if isinstance(definition, Mapping) else definition
    return ", then ".join(_algorithm(*next(iter(stage.items()))) for stage in stages)


def _algorithm(name: str, parameters: Mapping[str, Any] | None) -> str:
    if name == BY and parameters:
        cases = {**parameters["cases"], "else": parameters.get("default")}
        words = "; ".join(f"{case}: {_algorithms(chosen)}" for case, chosen in cases.items() if chosen)
        return f"by {parameters['column']}: {words}"
    given = ", ".join(f"{key} {value!r}" for key, value in (parameters or {}).items())
    return f"{name} ({given})" if given else name


def _grammars(definition: Any) -> str:
    """What `structure` cuts source code by: other machines may have other grammars, and cut elsewhere."""
    if not _names(definition, "structure"):
        return ""
    installed = ", ".join(installed_languages())
    return installed or "none: source code is cut at blank lines and indentation (pip install 'chunkmill[code]')"


def _names(definition: Any, name: str) -> bool:
    """Whether an algorithm is somewhere in a definition."""
    if isinstance(definition, Mapping):
        return name in definition or any(_names(value, name) for value in definition.values())
    return isinstance(definition, (list, tuple)) and any(_names(value, name) for value in definition)


def _narrowed(columns: tuple[str, ...]) -> str:
    return f", columns {', '.join(columns)}" if columns else ""
