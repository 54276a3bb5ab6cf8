"""A Markdown text as the parser reads it rightly: the same length in bytes, so that positions hold."""

from __future__ import annotations

import re

# Possessive, so that a long run of blanks takes no time to turn down.
_CELL = r":?-++:?[ \t]*+"
_DELIMITER_ROW = re.compile(
    rf"^([ \t>]*+)(?!-[ \t])(\|?[ \t]*+{_CELL}(?>(?:\|[ \t]*+{_CELL})*)\|?[ \t]*+)(?=\r?$)", re.MULTILINE
)
_LONE_CR = re.compile(r"\r(?!\n)")


def parsable(body: str) -> str:
    """The same text, as long in bytes, without what the parser misreads.

    That is a carriage return for a line end (it loses fences and tables) and tabs in the delimiter
    row of a table (it sees no table). A row that begins like a list item is one.
    """
    if "\r" in body:
        body = _LONE_CR.sub("\n", body)
    if "\t" in body:
        body = _DELIMITER_ROW.sub(lambda row: row[1] + row[2].replace("\t", " "), body)
    return body
