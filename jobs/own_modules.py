"""Modules of the user's own (`--import`): they register their algorithms when they are imported."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from chunkers.errors import ConfigurationError, Problem

OPTION = "--import"

log = logging.getLogger("chunkmill")


def import_modules(names: Sequence[str]) -> None:
    """Import these modules: from where Python looks for them, and then from the current directory.

    Raises ConfigurationError with everything that can't be imported.
    """
    here = str(Path.cwd())
    if names and here not in sys.path:
        # Behind the rest: what was shipped to the workers comes first on the driver too.
        sys.path.append(here)
    problems = [problem for name in names if (problem := _problem(name, here)) is not None]
    if problems:
        raise ConfigurationError(problems)


def _problem(name: str, here: str) -> Problem | None:
    """What keeps a module from being imported; None once it is."""
    if name.endswith(".py"):
        return Problem(OPTION, f"{name!r} is a file", f"give the module's name: {Path(name).stem}")
    try:
        importlib.import_module(name)
    except Exception as error:
        log.debug("%s %s", OPTION, name, exc_info=error)
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            return Problem(OPTION, f"no module {name!r}", f"looked for in PYTHONPATH, the packages, and {here}")
        return Problem(OPTION, f"{name!r} fails: {type(error).__name__}: {error}", "--log-level debug shows where")
    return None
