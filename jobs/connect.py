"""Spark Connect: the session is a client, and Spark runs on a server that has other files and other modules."""

from __future__ import annotations

import hashlib
import importlib.resources
import itertools
import logging
import sys
import tempfile
import weakref
import zipfile
from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from chunkers import names
from chunkers.errors import ChunkmillError
from chunkers.registry import algorithm
from jobs.errors import InputError

if TYPE_CHECKING:
    from jobs.publishing import Run

log = logging.getLogger("chunkmill")

_PACKAGES = ("chunkers", "jobs")
_SENT: weakref.WeakKeyDictionary[SparkSession, set[str]] = weakref.WeakKeyDictionary()


class NoConnectError(ChunkmillError):
    """Spark Connect needs packages that are not installed."""


def is_remote(spark: SparkSession) -> bool:
    """Whether the session is one of Spark Connect: it has no JVM beside it."""
    return getattr(spark, "_jvm", None) is None


def connect(builder: SparkSession.Builder, url: str) -> SparkSession:
    """The session of the server at `url`; raises NoConnectError when a package for it is missing."""
    # pyspark tries for ten minutes and says nothing of it. Behind the address there may be a token.
    log.info("Connecting to the Spark server at %s", url.partition(";")[0].rstrip("/"))
    try:
        return builder.getOrCreate()
    except ImportError as error:
        raise NoConnectError(
            f"SPARK_REMOTE asks for Spark Connect, for which packages are missing: {error} "
            "They come with pip install 'chunkmill[connect]'"
        ) from error


def send_code(spark: SparkSession) -> None:
    """Give a server's workers this very chunkmill, and modules of one file in which algorithms of one's own are.

    It happens once a session; workers of any other session have what runs here already.
    """
    if not is_remote(spark):
        return
    sent = _SENT.setdefault(spark, set())
    missing = {*_PACKAGES, *_own_modules()} - sent
    if missing:
        with tempfile.TemporaryDirectory() as folder:
            spark.addArtifacts(str(archive(Path(folder), sorted(missing))), pyfile=True)
        sent |= missing


def _own_modules() -> set[str]:
    found = {algorithm(name).__module__ for name in names()}
    return {name for name in found if "." not in name and getattr(sys.modules.get(name), "__file__", None)}


def archive(folder: Path, modules: Sequence[str]) -> Path:
    """A zip in `folder` of packages and modules as they are here: for the same code the same name and bytes."""
    made = folder / "chunkmill.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name, file in itertools.chain.from_iterable(map(_module_files, modules)):
            # Without a time of its own an entry is as old as zip files can be.
            target.writestr(zipfile.ZipInfo(name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.rename(folder / f"chunkmill-{hashlib.sha256(made.read_bytes()).hexdigest()[:16]}.zip")


def _module_files(name: str) -> Iterator[tuple[str, Traversable]]:
    module = sys.modules[name]
    if hasattr(module, "__path__"):
        yield from _files(importlib.resources.files(name), name)
    else:
        yield f"{name}.py", Path(str(module.__file__))


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _files(entry, f"{path}/{entry.name}")
        elif entry.is_file():
            yield f"{path}/{entry.name}", entry


def on_server(path: str, spark: SparkSession) -> str:
    """A path for `spark.read`: a relative one starts where the command runs, not where the server does."""
    if not is_remote(spark) or urlsplit(path).scheme:
        return path
    return str(Path(path).absolute())


def check_output_is_shared(run: Run, spark: SparkSession) -> None:
    """Raise InputError when a server does not see what is written here: it would write to a place of its own."""
    if not is_remote(spark):
        return
    name = f"probe-{run.run_id}.txt"
    run.storage.replace(name, run.run_id)
    try:
        seen = spark.read.text(run.storage.path(name)).first()
    except PySparkException as error:
        raise _not_shared(run, str(error).partition("\n")[0]) from error
    finally:
        run.storage.delete(name)
    if seen is None or seen[0] != run.run_id:
        raise _not_shared(run, "it reads something else there")


def _not_shared(run: Run, reason: str) -> InputError:
    return InputError(
        f"The Spark server does not see what is written here to {run.storage.root} ({reason}), so that the output "
        "would be in two places. As output.path name one that both see: a mounted folder, or s3://bucket/folder."
    )
