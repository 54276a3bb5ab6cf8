"""One driver that runs the job again and again: what a test puts into its folder, with the command line's exit code.

    spark-submit driver.py FOLDER

Faults of workers need a running job, not a new driver each; and a driver takes longer to start than the job.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from jobs.cli import script


def main(folder: Path) -> None:
    while not (folder / "stop").exists():
        for request in sorted(folder.glob("*.request")):
            code = script(json.loads(request.read_text("utf-8")))
            answer = request.with_suffix(".writing")
            answer.write_text(str(code), encoding="utf-8")
            request.unlink()
            answer.rename(request.with_suffix(".code"))
        time.sleep(0.1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
