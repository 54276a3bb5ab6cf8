"""`structure`: sections never run into each other; tables, code and lists are cut by their own rules."""

from __future__ import annotations

import dataclasses
import functools
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from chunkers.chunk import Context, Spans
from chunkers.errors import Problem
from chunkers.languages import LanguageChunker
from chunkers.parameters import parameter, shown
from chunkers.sized import OverlappingChunker, TokenSizedChunker
from chunkers.text.code import known_language, languages
from chunkers.text.context import as_parts
from chunkers.text.front_matter import front_matter_values
from chunkers.text.markdown import Heading
from chunkers.text.packing import Budget
from chunkers.text.sentences import check_language
from chunkers.text.sizes import Sizes
from chunkers.text.structure.document import Document
from chunkers.text.structure.plain import plain_source
from chunkers.text.structure.sections import Section, merged, sections
from chunkers.text.structure.source import Source, code_source, markdown_source


def _check_language(language: str) -> str | None:
    """What is wrong with the name of a language, of either kind; `ts` is TypeScript, not Tsonga, but `cs` is Czech."""
    if known_language(language) is not None:
        return None
    wrong = check_language(language)
    return None if wrong is None else f"{wrong}; nor is it one of the programming languages {', '.join(languages())}"


def _read_language(value: Any, path: str, problems: list[Problem]) -> Any:
    wrong = _check_language(value) if isinstance(value, str) else f"{shown(value)} is no language, as 'python' or 'en'"
    if wrong:
        problems.append(Problem(path, wrong))
    return value


@dataclass(frozen=True, kw_only=True)
class Structure(LanguageChunker, TokenSizedChunker, OverlappingChunker):
    """Whole blocks of one section, as many as fit; a block that is too big is cut by its own rule.

    No chunk runs over a heading. Tables are cut between rows, code between functions, lists between
    items, text between sentences; what a reader then misses (the header of the table, the fence, the
    sentence that introduces the list, the headings above) goes in front as context.
    """

    name = "structure"
    summary = "Whole paragraphs, tables, lists and code blocks of one section, up to token_limit."

    token_limit: int = parameter(512, minimum=1, doc="Most tokens of a chunk, context and special tokens included.")
    min_tokens: int = parameter(
        0, minimum=0, doc="A piece with fewer tokens joins a neighbour in its section that has room."
    )
    format: Literal["markdown", "text"] = parameter(
        "markdown", doc="What the text is: Markdown, or plain text with paragraphs and lists."
    )
    language: str | None = parameter(
        None,
        parse=_read_language,
        schema={"type": "string", "minLength": 1},
        doc="A programming language (`python`, `.go`; `code` for one that is not known): the text is a source file in "
        "it. Or the language of its sentences (BCP 47, as `he`); not given, the script of each text decides.",
    )
    language_column: str | None = parameter(
        None, doc="Column with the language of each document, of both kinds; where it is null, `language` holds."
    )
    merge_sections: bool = parameter(
        False, doc="Make one chunk of neighbouring sections under one heading that fit together; its path is theirs."
    )
    front_matter: Literal["keep", "drop", "parse"] = parameter(
        "keep",
        doc="Front matter is a chunk of its own, is left out, or is read: left out, with its title in front of every "
        "chunk. What can't be read is kept.",
    )
    front_matter_fields: tuple[str, ...] = parameter(
        (), doc="With `front_matter: parse`: more of its entries to put in front of every chunk, as `name: value`."
    )
    heading_template: str = parameter(
        "{marks} {title}",
        doc="A heading above, in the context: `{title}`, `{marks}` (`##`) and `{level}` (`2`); empty for none.",
    )

    @property
    def limit(self) -> int:
        return self.token_limit

    @functools.cached_property
    def budget(self) -> Budget:
        return dataclasses.replace(super().budget, min_size=self.min_tokens)

    def check(self, path: str) -> list[Problem]:
        problems = super().check(path)
        if wrong := _wrong_template(self.heading_template):
            message = f"{shown(self.heading_template)} {wrong}"
            problems.append(Problem(f"{path}.heading_template", message, "allowed: {marks}, {title}, {level}"))
        if self.front_matter_fields and self.front_matter != "parse":
            message = f"is given, but front_matter is {self.front_matter}"
            problems.append(Problem(f"{path}.front_matter_fields", message, "set front_matter: parse"))
        if self.min_tokens > self.token_limit / 2:
            message = f"{self.min_tokens} is more than half of token_limit ({self.token_limit})"
            problems.append(Problem(f"{path}.min_tokens", message, f"allowed: 0 to {self.token_limit // 2}"))
        return problems

    def wrong_language(self, language: str) -> str | None:
        return _check_language(language)

    def cut(self, text: str, context: Context) -> Spans:
        return self._packed(self.sizes(text), context).spans()

    def spans(self, text: str, context: Context = ()) -> Spans:
        return self.without_said(text, super().pieces(text, context))

    def pieces(self, text: str, context: Context) -> Spans:
        """As `spans`, with the headings too that a piece shows itself: what is cut from it may not."""
        if not text or text.isspace():
            return Spans.none()
        document = self._packed(self.sizes(text), context)
        return self.completed(text, dataclasses.replace(document.spans(), shown=document.shown()), context)

    def without_said(self, text: str, spans: Spans) -> Spans:
        """Left out while it was packed, but for a last chunk that was joined afterwards."""
        return spans if self.max_chunk_limit < 0 else super().without_said(text, spans)

    def _packed(self, sizes: Sizes, context: Context) -> Document:
        source = self._source(sizes.text)
        front = source.blocks[0].end if source.blocks[0].kind == "front_matter" else 0
        values = front_matter_values(sizes.text) if front and self.front_matter == "parse" else None
        start = front if self.front_matter == "drop" or values is not None else 0
        context = (*context, *self._metadata(values or {}))
        document = Document(source, sizes, self.budget, context, self._heading_part, start)
        if start < front:
            document.add(Section(0, front, ()))
        parts = sections(source, front) if front < len(sizes.text) else []
        for part in merged(parts, document.fits) if self.merge_sections else parts:
            document.add(part)
        return document

    def _metadata(self, values: Mapping[str, str]) -> Context:
        """What front matter puts in front of every chunk."""
        fields = [f"{name}: {values[name]}" for name in self.front_matter_fields if name in values]
        return as_parts([values.get("title"), *fields])

    def _source(self, text: str) -> Source:
        code_language = known_language(self.language) if self.language else None
        if code_language is not None:
            return code_source(text, code_language)
        return (plain_source if self.format == "text" else markdown_source)(text, self.language)

    def _heading_part(self, heading: Heading) -> str:
        if not heading.title:
            return ""
        fields = {"marks": "#" * heading.level, "title": heading.title, "level": heading.level}
        return f"{self.heading_template.format(**fields).strip()}\n"


def _wrong_template(template: str) -> str:
    """What is wrong with a template, as the end of a sentence; nothing when it is fine."""
    try:
        names = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError as error:
        return f"is no template: {error}"
    unknown = ", ".join(name or "{}" for name in names if name not in ("marks", "title", "level"))
    return f"names {unknown}" if unknown else ""
