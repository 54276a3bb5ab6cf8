"""`python -m benchmarks [chunking] [giants] [simulate] [job]`: all of them without a name."""

from __future__ import annotations

import sys

from benchmarks import chunking, giants, job, simulate

BENCHMARKS = {"chunking": chunking.main, "giants": giants.main, "simulate": simulate.main, "job": job.main}


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        raise SystemExit(f"no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}")
    for name in names or BENCHMARKS:
        print(f"\n## {name}\n", flush=True)
        BENCHMARKS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
