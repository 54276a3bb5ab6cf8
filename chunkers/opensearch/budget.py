"""`max_chunk_limit`: how many chunks are left for the strings of a document."""

from __future__ import annotations

_OFF = -1


class Budget:
    """What one processor may still cut of one document.

    `limit` starts as `max_chunk_limit`, `strings` as the number of non-empty strings to chunk. Both
    are plain numbers, as in OpenSearch: a limit that has fallen to -1 is off from then on.
    """

    def __init__(self, limit: int, strings: int) -> None:
        self.limit = limit
        self.strings = strings

    @property
    def most(self) -> int | None:
        """Most chunks of the next string, the last holding the rest; None: as many as it takes.

        One chunk stays reserved for each string that is still to come.
        """
        return None if self.limit == _OFF else max(0, self.limit - self.strings) + 1

    def spend(self, chunks: int) -> None:
        """One string is done."""
        self.strings -= 1
        if self.limit != _OFF:
            self.limit -= chunks
