"""What Spark finds wrong with the input only when it reads the rows, as an InputError.

Spark's own messages hold values of the rows; what is said here doesn't.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote

from pyspark.errors import PySparkException

from jobs.configuration import Configuration
from jobs.configuration.checks import lies_in
from jobs.errors import InputError

_UNREADABLE = re.compile(r"Encountered error while reading file (\S+?)\.?(?=\s|$)")
_NAMELESS = re.compile(r"RuntimeException: (corrupted file: .*)")
"""Spark 3.5 does not say which file it is."""
_CAUSE = re.compile(r"^Caused by: [\w.$]+: (.*)$", re.MULTILINE)
_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
_DATA_EXCEPTION = "22"
"""The class of SQLSTATE for values that an expression can't take."""


@contextmanager
def input_faults(config: Configuration) -> Iterator[None]:
    """Raise InputError for what is the input's fault in here; other errors stay as they are."""
    try:
        with _silent():
            yield
    except Exception as error:
        message = _fault(error, config)
        if message is None:
            raise
        raise InputError(message) from error


@contextmanager
def _silent() -> Iterator[None]:
    """Keep PySpark (4.0 and newer) from logging each error that points into a query: the message has the values."""
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        yield
        return
    # Its own way to get them: a plain logger of this name would fail when PySpark uses it.
    loggers = [PySparkLogger.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(_nothing)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(_nothing)


def _nothing(record: logging.LogRecord) -> bool:
    return False


def _fault(error: Exception, config: Configuration) -> str | None:
    # Not by type: a session without a JVM may have no py4j.
    if not type(error).__module__.startswith(("pyspark.", "py4j.")):
        return None
    text = str(error)
    unreadable = _UNREADABLE.search(text)
    if unreadable and not lies_in(unquote(unreadable[1]), config.output.path):
        cause = _CAUSE.search(text, unreadable.end())
        why = f": {cause[1]}" if cause and "MALFORMED" not in cause[1] else ""
        return (
            f"A file of the input can't be read: {unreadable[1]}{why}. Repair it, give its columns the types that "
            "those of the other files have, or take it away."
        )
    nameless = _NAMELESS.search(text)
    if nameless and not unreadable:
        return f"A file of the input can't be read: {nameless[1]}. Find it, and repair it or take it away."
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
    """The name of an error condition of SQLSTATE 22; None when the error is another one."""
    if isinstance(error, PySparkException):
        if not (error.getSqlState() or "").startswith(_DATA_EXCEPTION):
            return None
        # Its name since Spark 4.0, and before.
        return str(error.getCondition() if hasattr(error, "getCondition") else error.getErrorClass())
    return _data_exception_below(getattr(error, "java_exception", None))


def _data_exception_below(thrown: Any) -> str | None:
    """The same of what an error of py4j was caused by: before Spark 4.0 a failed task is one."""
    while thrown is not None:
        try:
            if (thrown.getSqlState() or "").startswith(_DATA_EXCEPTION):
                return str(thrown.getErrorClass())
        except Exception:
            # Not one of Spark's, which alone have a state.
            pass
        thrown = thrown.getCause()
    return None
