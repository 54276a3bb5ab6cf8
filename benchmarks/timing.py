"""Times of several things in turn, so that a noisy machine is noisy for all of them."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence


def in_turn(things: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Processor seconds of each thing in each round; the first round, with cold caches, comes first."""
    seconds: dict[str, list[float]] = {name: [] for name in things}
    for _ in range(rounds):
        for name, thing in things.items():
            gc.collect()
            start = time.process_time()
            thing()
            seconds[name].append(time.process_time() - start)
    return seconds


def ratio(rival: list[float], own: list[float]) -> float:
    """How many times as fast as the rival: the median of the ratios round by round."""
    return statistics.median(theirs / ours for theirs, ours in zip(rival, own, strict=True))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
