"""What can stop a job, each with the exit code of the command line.

A wrong configuration is `chunkers.ConfigurationError` (exit code 2); what is not listed is 1.
"""

from __future__ import annotations

from chunkers.errors import ChunkmillError


class InputError(ChunkmillError):
    """The input can't be read, or has not the columns that the configuration names."""

    exit_code = 3


class ArgumentsError(ChunkmillError):
    """A UDF is called with arguments that it does not take, or without a column that its definition names."""


class QualityError(ChunkmillError):
    """More documents failed than `limits.max_failed_rate` allows; nothing was published."""

    exit_code = 4


class OutputBusyError(ChunkmillError):
    """Another run is writing to the same output."""

    exit_code = 5
