"""Hides gigatoken from every Python process that has this directory on PYTHONPATH, Spark's workers too."""

import sys

sys.modules["gigatoken"] = None  # type: ignore[assignment]
