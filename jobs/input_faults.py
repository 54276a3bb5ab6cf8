"""What Spark finds wrong with the input only when it reads the rows, as an InputError.

Spark's own messages hold values of the rows; what is said here doesn't.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote

from pyspark.errors import PySparkException

from jobs.configuration import Configuration
from jobs.configuration.checks import lies_in
from jobs.errors import InputError

_UNREADABLE = re.compile(r"Encountered error while reading file (\S+?)\.?(?=\s|$)")
_CAUSE = re.compile(r"^Caused by: [\w.$]+: (.*)$", re.MULTILINE)
_DATA_EXCEPTION = "22"
"""The class of SQLSTATE for values that an expression can't take."""


@contextmanager
def input_faults(config: Configuration) -> Iterator[None]:
    """Raise InputError for what is the input's fault in here; other errors stay as they are."""
    try:
        yield
    except Exception as error:
        message = _fault(error, config)
        if message is None:
            raise
        raise InputError(message) from error


def _fault(error: Exception, config: Configuration) -> str | None:
    # Not by type: a session without a JVM may have no py4j.
    if not type(error).__module__.startswith(("pyspark.", "py4j.")):
        return None
    text = str(error)
    unreadable = _UNREADABLE.search(text)
    if unreadable and not lies_in(unquote(unreadable[1]), config.output.path):
        cause = _CAUSE.search(text, unreadable.end())
        why = f": {cause[1]}" if cause and "MALFORMED" not in cause[1] else ""
        return f"A file of the input can't be read: {unreadable[1]}{why}. Repair it or take it away."
    condition = _data_exception(error)
    if condition and config.input.where is not None:
        return (
            f"input.where fails on a row of the input ({condition}): {config.input.where!r}. Make it hold for every "
            "row, for example with try_cast."
        )
    if condition and config.input.table is not None:
        return (
            f"The table {config.input.table} fails on one of its rows ({condition}). Mend the query that it is made by."
        )
    return None


def _data_exception(error: Exception) -> str | None:
    if not isinstance(error, PySparkException) or not (error.getSqlState() or "").startswith(_DATA_EXCEPTION):
        return None
    # Its name since Spark 4.0, and before.
    name = error.getCondition() if hasattr(error, "getCondition") else error.getErrorClass()
    return str(name)
