"""How chunks look on a terminal: boundaries, context and overlap told apart, long texts cut in the middle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import median

from chunkers.chunk import Chunk
from chunkers.text import graphemes
from jobs.preview.terminal import Style, cells, clipped, rows, safe

_GAUGE = 8
_TEXT_ROWS = 12
_CONTEXT_ROWS = 5
_FIRST_CHUNKS = 40
_LAST_CHUNKS = 10


def document_lines(name: str, text: str, chunks: Sequence[Chunk], style: Style) -> Iterator[str]:
    """One document: what it is, then its chunks."""
    yield style.bold(safe(name))
    yield style.dim(f"{counted(len(text), 'character')}, {chunk_summary(chunks)}")
    yield from chunk_lines(chunks, style)


def chunk_lines(chunks: Sequence[Chunk], style: Style) -> Iterator[str]:
    """The chunks of one text, of very many those at both ends."""
    largest = max(map(_size, chunks), default=0)
    left_out = range(_FIRST_CHUNKS, len(chunks) - _LAST_CHUNKS)
    for n, chunk in enumerate(chunks):
        if n not in left_out:
            yield _header(chunk, largest, style)
            yield from _body(chunk, style)
        elif n == left_out.start:
            dots = style.glyph("\u2026", "...")
            yield style.dim(f"{dots} {counted(len(left_out), 'chunk')} {dots}")
    if chunks:
        yield style.glyph("\u2570", "+") + style.glyph("\u2500", "-") * (style.width - 1)


def failed_lines(name: str, reason: str, style: Style) -> Iterator[str]:
    """A document that can't be chunked, and why."""
    yield style.bold(safe(name))
    yield style.warn(f"fails as {safe(reason)}")


def chunk_summary(chunks: Sequence[Chunk]) -> str:
    """Number and sizes, those of parents apart: `4 chunks of 12 to 256 tokens, median 240`."""
    parents = [chunk for chunk in chunks if chunk.level]
    words = _sizes([chunk for chunk in chunks if not chunk.level], "chunk")
    return f"{words}; {_sizes(parents, 'parent')}" if parents else words


def _sizes(chunks: Sequence[Chunk], noun: str) -> str:
    if not chunks:
        return f"no {noun}s"
    sizes = sorted(map(_size, chunks))
    found = counted(len(chunks), noun)
    if sizes[0] == sizes[-1]:
        return f"{found} of {_size_words(chunks[0], sizes[0])}"
    return f"{found} of {sizes[0]:,} to {_size_words(chunks[0], sizes[-1])}, median {median(sizes):,.0f}"


def counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _size(chunk: Chunk) -> int:
    return len(chunk.index_text) if chunk.token_count is None else chunk.token_count


def _size_words(chunk: Chunk, size: int) -> str:
    return counted(size, "character" if chunk.token_count is None else "token")


def _header(chunk: Chunk, largest: int, style: Style) -> str:
    """`+- 3 -- ####.... 120 tokens -- 310 to 840 -- Guide > Setup -----`"""
    dash = style.glyph("\u2500", "-")
    painted = [
        (style.bold, f"parent {chunk.index}" if chunk.level else f"{chunk.index}"),
        (style.plain, "" if chunk.parent_index is None else f"of parent {chunk.parent_index}"),
        (style.plain, f"{_gauge(_size(chunk), largest, style)} {_size_words(chunk, _size(chunk))}"),
        (style.plain, f"{chunk.start:,} to {chunk.end:,}"),
        (style.shared, f"{chunk.overlap_chars:,} shared" if chunk.overlap_chars else ""),
        (style.plain, "" if chunk.kind == "text" else chunk.kind),
        (style.warn, "over limit" if chunk.over_limit else ""),
        (style.warn, "context cut" if chunk.context_cut else ""),
    ]
    room = style.width - sum(cells(words) + 4 for _, words in painted if words) - 8
    path = safe(style.glyph(" \u203a ", " > ").join(chunk.section_path))
    painted.append((style.bold, clipped(path, room, style.glyph("\u2026", "...")) if room > 8 else ""))
    corner = style.glyph("\u251c" if chunk.index else "\u256d", "+") + dash
    return _ruled([(paint, words) for paint, words in painted if words], corner, dash, style)


def _ruled(painted: list[tuple[Callable[[str], str], str]], corner: str, dash: str, style: Style) -> str:
    """The words on a line that goes on to the edge."""
    plain = f" {dash}{dash} ".join(words for _, words in painted)
    line = f" {dash}{dash} ".join(paint(words) for paint, words in painted)
    return f"{corner} {line} {dash * max(2, style.width - cells(plain) - 4)}"


def _gauge(size: int, largest: int, style: Style) -> str:
    """The size beside that of the document's largest chunk."""
    full = round(_GAUGE * size / largest) if largest else 0
    return style.glyph("\u2588", "#") * full + style.glyph("\u2591", ".") * (_GAUGE - full)


def _body(chunk: Chunk, style: Style) -> Iterator[str]:
    """Context, what the chunk shares with the one before, and what is new, each with an edge of its own."""
    text, shared = chunk.text, chunk.overlap_chars
    for row in _shortened(chunk.context, style, _CONTEXT_ROWS):
        yield style.dim(f"{style.glyph(chr(0x250A), ':')} {row}".rstrip())
    for row in _shortened(text[:shared], style, _CONTEXT_ROWS):
        yield style.shared(f"{style.glyph(chr(0x2191), '^')} {row}".rstrip())
    for row in _shortened(text[shared:], style, _TEXT_ROWS):
        yield f"{style.glyph(chr(0x2502), '|')} {row}".rstrip()


def _shortened(text: str, style: Style, most: int) -> list[str]:
    """Rows that show `text`; of more than `most`, those at both ends.

    Only the ends of a long text are laid out, so that a chunk of many megabytes costs nothing.
    """
    width = style.width - 2
    window = most * width
    if len(text) <= 4 * window:
        head = tail = list(rows(text, 0, len(text), width))
        if len(head) <= most:
            return _shown(text, head)
    else:
        near_end = graphemes.ceil(text, len(text) - window, len(text) - window - 64, len(text))
        head, tail = list(rows(text, 0, window, width)), list(rows(text, near_end, len(text), width))
    head = head[: most * 2 // 3]
    tail = tail[len(head) - most + 1 :]
    dots = style.glyph("\u2026", "...")
    hidden = f"{dots} {counted(tail[0][0] - head[-1][1], 'character')} {dots}"
    return [*_shown(text, head), style.dim(hidden), *_shown(text, tail)]


def _shown(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [safe(text[start:end]) for start, end in spans]
