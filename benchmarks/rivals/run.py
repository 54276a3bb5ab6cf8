"""`python -m benchmarks rivals`: both tables of docs/comparison.md."""

from __future__ import annotations

from benchmarks.rivals.environment import Worker, install
from benchmarks.rivals.pieces import DISTRIBUTIONS
from benchmarks.rivals.promises import print_promises
from benchmarks.rivals.speeds import print_speeds


def main() -> None:
    install()
    print(f"Versions: {', '.join(map(_version, DISTRIBUTIONS))}.\n")
    print("### Promises\n")
    print_promises()
    print("\n### Speeds\n")
    print_speeds()


def _version(library: str) -> str:
    worker = Worker(library)
    answer = worker.ask("version", distribution=DISTRIBUTIONS[library])
    worker.stop()
    assert answer
    return f"{DISTRIBUTIONS[library]} {answer['version']}"
