"""An algorithm that does harm where a document asks for it; shipped to the workers as a module of its own.

A document that starts with `poison` makes it raise, one that starts with `harm` does what the parameters say.
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from chunkers import Chunker, Context, Spans, register
from chunkers.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class Faulty(Chunker):
    """Cuts after each line, slowly, and writes down what it does."""

    name = "faulty"
    summary = "A chunk for each line, with faults."

    folder: str = parameter(not_empty=True, doc="Where it writes down what it does.")
    seconds: float = parameter(0.0, minimum=0.0, doc="How long each document takes.")
    harm: Literal["crash", "leave", "hang"] = parameter("crash", doc="End the process, the task, or wait.")
    attempts: int = parameter(0, minimum=0, doc="How often.")

    def cut(self, text: str, context: Context) -> Spans:
        self._write_down(f"cut-{os.getpid()}")
        time.sleep(self.seconds)
        if text.startswith("poison"):
            raise ValueError("this document is poisoned")
        if text.startswith("harm") and self._write_down(self.harm) <= self.attempts:
            self._do_harm()
        edges = np.array([0, *(match.end() for match in re.finditer(r"\n", text))])
        return Spans(edges[:-1], edges[1:])

    def _do_harm(self) -> None:
        if self.harm == "crash":
            os._exit(1)
        if self.harm == "leave":
            raise SystemExit(3)
        time.sleep(120)

    def _write_down(self, what: str) -> int:
        """How often it was written down so far, by all processes of this machine."""
        folder = Path(self.folder)
        (folder / f"{what}.{time.monotonic_ns()}").touch()
        return len(list(folder.glob(f"{what}.*")))


register("faulty", Faulty)
