"""`python -m benchmarks [chunking] [giants] [large_documents] [simulate] [job] [scaling]`: all without a name.

`python -m benchmarks rivals` is apart from them: it installs other libraries, in `.venv-rivals`.
"""

from __future__ import annotations

import sys

from benchmarks import chunking, giants, job, large_documents, scaling, simulate
from benchmarks.rivals import run as rivals

BENCHMARKS = {
    "chunking": chunking.main,
    "giants": giants.main,
    "simulate": simulate.main,
    "job": job.main,
    "scaling": scaling.main,
    "large_documents": large_documents.main,
}


APART = {"rivals": rivals.main}


def main(names: list[str]) -> None:
    known = {**BENCHMARKS, **APART}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no benchmark {unknown[0]!r}; there are: {', '.join(known)}")
    for name in names or BENCHMARKS:
        print(f"\n## {name}\n", flush=True)
        known[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
