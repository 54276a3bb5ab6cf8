"""One line that says why, out of pages: as Java, py4j and Python workers give them."""

from __future__ import annotations

import pytest

from jobs.reasons import first_line, reason


class Py4JJavaError(Exception):
    """Looks as py4j's."""


class Py4JNetworkError(Exception):
    """Looks as py4j's."""


CALLED = "An error occurred while calling o518.parquet.\n"
STAGE = (
    "org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 failed 4 times.\n\tat a.b.C(D.scala)\n"
)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("wrong\nand more"), "ValueError: wrong"),
        (ValueError(""), "ValueError: "),
        (OSError(28, "No space left on device"), "no space is left on a disk: "),
        (
            Py4JJavaError(f"{CALLED}: {STAGE}Caused by: java.io.IOException: No space left on device\n\tat x"),
            "no space",
        ),
        (
            Py4JJavaError(f"{CALLED}: {STAGE}Caused by: a.B: Python worker exited unexpectedly (crashed)\n"),
            "a Python worker died",
        ),
        (
            Py4JJavaError(f"{CALLED}: {STAGE}Caused by: a.b.OneError: first\n\tat x\nCaused by: c.Last$Inner: last\n"),
            "Last$Inner: last",
        ),
        (
            Py4JJavaError(f"{CALLED}: {STAGE}Caused by: java.io.EOFException\n"),
            "SparkException: Job aborted due to stage failure",
        ),
        (Py4JJavaError(f"{CALLED}: java.lang.IllegalStateException\n\tat x"), "IllegalStateException"),
        (ConnectionRefusedError(111, "Connection refused"), "ConnectionRefusedError: Spark's JVM is gone"),
        (Py4JNetworkError("Answer from Java side is empty"), "Py4JNetworkError: Spark's JVM is gone"),
    ],
)
def test_reason(error: Exception, expected: str) -> None:
    assert reason(error).startswith(expected)
    assert "\n" not in reason(error)


def test_first_line_of_an_error_of_java() -> None:
    error = Py4JJavaError(CALLED)
    error.java_exception = "java.io.IOException: gone\n\tat x"  # type: ignore[attr-defined]
    assert first_line(error) == "java.io.IOException: gone"
    assert first_line(KeyError()) == "KeyError"
