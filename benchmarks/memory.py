"""How much memory the processes of a job take at most: the JVM and each Python worker."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_SECONDS = 0.2


@dataclass
class Peaks:
    """Peak resident memory in MB, of each process by its id."""

    jvm: dict[int, float] = field(default_factory=dict)
    workers: dict[int, float] = field(default_factory=dict)

    def look(self) -> None:
        """Read the peaks of all descendants of this process."""
        for pid in descendants():
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
                status = Path(f"/proc/{pid}/status").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            peak = [int(line.split()[1]) * 1024 / 1e6 for line in status.splitlines() if line.startswith("VmHWM")]
            if peak and "pyspark.daemon" in command:
                self.workers[pid] = peak[0]
            elif peak and "java" in command.partition("\0")[0]:
                self.jvm[pid] = peak[0]


@contextmanager
def peaks() -> Iterator[Peaks]:
    """The peaks of the processes that run inside."""
    found, done = Peaks(), threading.Event()

    def watch() -> None:
        while not done.wait(_SECONDS):
            found.look()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        found.look()
        done.set()
        thread.join()


def descendants() -> set[int]:
    """The ids of the processes that this one started, and of those that they started."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    inside = {os.getpid()}
    grown = True
    while grown:
        found = {pid for pid, parent in parents.items() if parent in inside} - inside
        inside |= found
        grown = bool(found)
    return inside - {os.getpid()}
