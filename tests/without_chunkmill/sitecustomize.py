"""On PYTHONPATH, this takes chunkmill away from every Python that starts: Spark's workers get only what is sent."""

import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
sys.path[:] = [path for path in sys.path if Path(path).resolve() != _ROOT]
