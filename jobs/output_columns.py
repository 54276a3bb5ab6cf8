"""The columns of the output table, in order, with their meaning."""

from __future__ import annotations

from typing import NamedTuple


class OutputColumn(NamedTuple):
    """One column of the output table."""

    name: str
    meaning: str


OUTPUT_COLUMNS: tuple[OutputColumn, ...] = (
    OutputColumn("doc_id", "The parent document, typed as in the input."),
    OutputColumn(
        "chunk_id",
        "32 hex digits that stay the same in reruns, under other configurations and after edits elsewhere: a hash of "
        "document, field, level, text, and which occurrence of that text in the document it is.",
    ),
    OutputColumn("parent_chunk_id", "The parent's `chunk_id` for the children of `parent_child`, else null."),
    OutputColumn("field", "The input column that the text comes from; with a pipeline its path: `sections.body`."),
    OutputColumn("source_index", "Which of the texts in that field, where that is in an array (pipelines); else null."),
    OutputColumn("level", "0 for what is embedded, 1 for a parent."),
    OutputColumn("chunk_index", "Place among the chunks of the same document, field and level, from 0."),
    OutputColumn("chunk_count", "How many chunks those are."),
    OutputColumn("start_char", "Where the chunk starts in its source text, in code points."),
    OutputColumn("end_char", "Where it ends; the character there is no longer part of it."),
    OutputColumn("text", "The chunk: `source[start_char:end_char]`, unchanged. Show and cite this."),
    OutputColumn("context", "What goes in front of it: context columns, lead, heading path; empty when nothing does."),
    OutputColumn("index_text", "`context` followed by `text`. Embed this."),
    OutputColumn("token_count", "Tokens of `index_text` as the model sees them; null without a tokenizer."),
    OutputColumn("section_path", "Headings above the chunk, from the root down."),
    OutputColumn("kind", "`text`, `table`, `code`, `list`, `front_matter` or `html`."),
    OutputColumn("overlap_chars", "Code points shared with the chunk before."),
    OutputColumn("window_start_char", "Where the window of a sentence starts (`sentence_window` only, else null)."),
    OutputColumn("window_end_char", "Where it ends."),
    OutputColumn("content_hash", "SHA-256 of `index_text`: the key of an embedding cache."),
    OutputColumn("over_limit", "The chunk is over its limit because nothing could be cut any smaller."),
    OutputColumn("context_cut", "The context did not fit into its share of the limit and was shortened."),
)
"""Behind them stand the carried columns of the input."""

OUTPUT_COLUMN_NAMES: tuple[str, ...] = tuple(column.name for column in OUTPUT_COLUMNS)
