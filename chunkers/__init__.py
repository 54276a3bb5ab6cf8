"""Cut documents into chunks: a chunk is a span plus context.

>>> import chunkers
>>> chunker = chunkers.create("fixed_char_length", char_limit=8)
>>> [chunk.text for chunk in chunker.chunk("One two three.")]
['One two ', 'three.']
"""

from __future__ import annotations

from chunkers.arrow import CHUNK_TYPE
from chunkers.chunk import Chunk, Context, Spans
from chunkers.chunker import Algorithm, Chunker
from chunkers.errors import ChunkmillError, ConfigurationError, DocumentError, Problem
from chunkers.registry import create, create_algorithm, create_cascade, names, register

__all__ = [
    "CHUNK_TYPE",
    "Algorithm",
    "Chunk",
    "Chunker",
    "ChunkmillError",
    "ConfigurationError",
    "Context",
    "DocumentError",
    "Problem",
    "Spans",
    "create",
    "create_algorithm",
    "create_cascade",
    "names",
    "register",
]
