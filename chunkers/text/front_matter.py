"""Front matter: the metadata block that tools read off the very start of a Markdown file."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml

BOM = "\ufeff"

_OPENING = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n?+|\n)")
_LAST = 256
"""Characters in which a blank last line is looked for."""

_BLANK_FIRST = re.compile(r"[ \t]*[\r\n]")
_BLANK_LAST = re.compile(r"(?:\A|\r\n?+|\n)[ \t]*(?:\r\n?+|\n)\Z")
_CLOSINGS = {
    "---": re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)"),
    "+++": re.compile(r"(?<=[\r\n])\+\+\+[ \t]*(?:\r\n?|\n|\Z)"),
}
_COMMENT = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n)")
_ENTRY = re.compile(r"[ \t]*(?:\{|[^\s#:-][^:\r\n]*:(?:\s|\Z))")


def front_matter_span(text: str) -> tuple[int, int] | None:
    """Start and end of the front matter in code points, its two marks and their line ends included.

    It is YAML between `---` lines (the second may be `...`) or TOML between `+++` lines, at the very
    start or after a byte order mark. A mark that is never closed opens none. Neither does a `---`
    without a YAML mapping behind it, nor one where blank lines stand behind it and before the second,
    as Markdown wants them around horizontal rules: then the headings after it count.
    """
    start = len(BOM) if text.startswith(BOM) else 0
    opening = _OPENING.match(text, start)
    if not opening:
        return None
    closing = _CLOSINGS[opening[1]].search(text, opening.end())
    if not closing or (opening[1] == "---" and not _is_yaml(text[opening.end() : closing.start()])):
        return None
    return start, closing.end()


def _is_yaml(yaml: str) -> bool:
    """Whether the first line that says something is an entry; nothing at all is an empty mapping."""
    if _BLANK_FIRST.match(yaml) and _BLANK_LAST.search(yaml[-_LAST:]):
        return False
    position = 0
    while comment := _COMMENT.match(yaml, position):
        position = comment.end()
    return not yaml.strip() or _ENTRY.match(yaml, position) is not None


def front_matter_values(text: str) -> dict[str, str] | None:
    """The entries of a text's front matter that are one value or a list of such, as text; lists joined by commas.

    None where there is no front matter, or none that can be read.
    """
    span = front_matter_span(text)
    if span is None:
        return None
    mark, *lines = text[span[0] : span[1]].splitlines(keepends=True)
    body = "".join(lines[:-1])
    try:
        read: Any = tomllib.loads(body.replace("\r\n", "\n")) if mark.startswith("+") else yaml.safe_load(body)
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError):
        return None
    if read is None:
        return {}
    if not isinstance(read, dict):
        return None
    return {str(key): value for key, given in read.items() if (value := _as_text(given))}


def _as_text(value: Any) -> str:
    values = value if isinstance(value, list) else [value]
    if any(isinstance(item, (dict, list, set)) for item in values):
        return ""
    return ", ".join(" ".join(str(item).split()) for item in values if item is not None)
