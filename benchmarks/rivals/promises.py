"""Which promise each splitter breaks, on which text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from benchmarks.rivals import checks
from benchmarks.rivals.environment import Worker
from benchmarks.rivals.inputs import Input, inputs
from benchmarks.rivals.pieces import SPLITTERS, Piece, Splitter
from benchmarks.timing import table

LIMIT = 32
OVERLAP = 8
SECONDS = 60


@dataclass(frozen=True)
class Promise:
    """A check, on which runs it is made, and of which splitters it may be asked."""

    name: str
    check: checks.Check
    overlaps: tuple[int, ...] = (0, OVERLAP)
    concerns: Callable[[Splitter], bool] = lambda splitter: True


PROMISES = [
    Promise("exact", checks.exact),
    Promise("lossless", checks.lossless, overlaps=(0,)),
    Promise("limit", checks.within_limit, overlaps=(0,), concerns=lambda splitter: splitter.is_sized),
    Promise(
        "limit with overlap", checks.within_limit, overlaps=(OVERLAP,), concerns=lambda splitter: splitter.is_sized
    ),
    Promise("overlap", checks.shared, overlaps=(OVERLAP,), concerns=lambda splitter: splitter.overlap == "tokens"),
    Promise("clusters", checks.whole_clusters, overlaps=(0,)),
    Promise("no U+FFFD", checks.no_replacement),
    Promise("not blank", checks.never_blank),
    Promise("real headings", checks.real_headings, overlaps=(0,)),
    Promise("all headings", checks.all_headings, overlaps=(0,)),
    Promise("table header", checks.header_on_every_part, overlaps=(0,), concerns=lambda splitter: splitter.is_markdown),
]
RAISES, SLOW, IDS = "any text", "in time", "ids"
COLUMNS = [*(promise.name for promise in PROMISES), IDS, RAISES, SLOW]

Broken = dict[str, dict[str, str]]
"""By promise and input, what came out instead. A promise that was not asked for is not there."""


def print_promises() -> None:
    print_results({splitter: examined(splitter) for splitter in SPLITTERS})


def print_results(results: dict[Splitter, Broken]) -> None:
    rows = [[splitter.title, *(_cell(broken, column) for column in COLUMNS)] for splitter, broken in results.items()]
    print(
        f"{len(inputs())} inputs, limit {LIMIT} tokens, without overlap and with {OVERLAP}. "
        "`+`: holds; a number: on how many inputs it does not; nothing: not offered.\n"
    )
    print(table(["splitter", *COLUMNS], rows))
    print()
    print(table(["promise", "splitter", "input", "what came out"], _examples(results)))


def examined(splitter: Splitter) -> Broken:
    """All that a splitter breaks."""
    worker, other = Worker(splitter.library), Worker(splitter.library)
    broken: Broken = {RAISES: {}, SLOW: {}}
    try:
        for given in inputs():
            _examine(splitter, given, worker, other, broken)
    finally:
        worker.stop()
        other.stop()
    return broken


def _examine(splitter: Splitter, given: Input, worker: Worker, other: Worker, broken: Broken) -> None:
    for overlap in (0, OVERLAP) if splitter.overlap else (0,):
        pieces = _pieces(splitter, given, overlap, worker, broken)
        if pieces is None:
            return
        for promise in PROMISES:
            if overlap in promise.overlaps and is_offered(promise, pieces, splitter):
                found = broken.setdefault(promise.name, {})
                if wrong := promise.check(given, pieces, LIMIT):
                    found.setdefault(given.name, wrong)
        if overlap == 0 and pieces and all(piece.id is not None for piece in pieces):
            again = _pieces(splitter, given, overlap, other, broken)
            found = broken.setdefault(IDS, {})
            if again is not None and (wrong := checks.same_ids(given, pieces, again)):
                found.setdefault(given.name, wrong)


def is_offered(promise: Promise, pieces: list[Piece], splitter: Splitter) -> bool:
    """Whether a splitter may be asked: headings of those that tell any, positions where there are some."""
    if not promise.concerns(splitter):
        return False
    if promise.check in (checks.real_headings, checks.all_headings):
        return splitter.is_markdown and any(piece.headings is not None for piece in pieces)
    if promise.check is checks.exact:
        return any(piece.start is not None for piece in pieces)
    return True


def _pieces(splitter: Splitter, given: Input, overlap: int, worker: Worker, broken: Broken) -> list[Piece] | None:
    """The pieces of one text; None when there are none, which is noted."""
    answer = worker.ask(
        "pieces", SECONDS, library=splitter.library, name=splitter.name, limit=LIMIT, overlap=overlap, text=given.name
    )
    if answer is None:
        broken[SLOW].setdefault(given.name, f"not done after {SECONDS} s")
        return None
    if "error" in answer:
        broken[RAISES].setdefault(given.name, answer["error"])
        return None
    return [
        Piece(**{**piece, "headings": piece["headings"] and tuple(piece["headings"])}) for piece in answer["pieces"]
    ]


def _cell(broken: Broken, column: str) -> str:
    return "" if column not in broken else str(len(broken[column]) or "+")


def _examples(results: dict[Splitter, Broken]) -> Iterable[list[str]]:
    """One for every promise that a splitter breaks."""
    rows: defaultdict[str, list[list[str]]] = defaultdict(list)
    for splitter, broken in results.items():
        for column, found in broken.items():
            if found:
                name, wrong = next(iter(found.items()))
                rows[column].append([column, splitter.title, name, wrong.replace("|", "\\|")])
    return (row for column in COLUMNS for row in rows[column])
