"""Tokenizer files handed to a process that does not have them: from a Spark driver to its workers.

    supply(tokenizer_file("cl100k_base"))  # the file made on the driver, supplied on the worker

`create_tokenizer` takes a supplied file before any that it would find by itself.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, field

from chunkers.errors import ConfigurationError, Problem


@dataclass(frozen=True)
class TokenizerFile:
    """The file of the tokenizer `name`, compressed; two are equal when name and contents are."""

    name: str
    sha256: str
    data: bytes = field(repr=False, compare=False)

    @classmethod
    def of(cls, name: str, contents: bytes) -> TokenizerFile:
        return cls(name, hashlib.sha256(contents).hexdigest(), zlib.compress(contents))

    def contents(self) -> bytes:
        """The file's bytes; raises ConfigurationError when they are not those that were packed."""
        try:
            contents = zlib.decompress(self.data)
        except zlib.error:
            contents = b""
        if hashlib.sha256(contents).hexdigest() != self.sha256:
            message = f"the file of {self.name} that was supplied is not the one with SHA-256 {self.sha256}"
            raise ConfigurationError([Problem("tokenizer", message, "run the job again")])
        return contents


_SUPPLIED: dict[str, TokenizerFile] = {}


def supply(file: TokenizerFile) -> None:
    """Make `create_tokenizer(file.name)` take this file, in place of one of this name supplied before."""
    _SUPPLIED[file.name] = file


def supplied(name: str) -> TokenizerFile | None:
    """The file that this process was supplied with."""
    return _SUPPLIED.get(name)
