"""A run that is told to stop ends cleanly: its Spark jobs first, then what it wrote."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pyspark.sql import SparkSession

log = logging.getLogger("chunkmill")


@contextmanager
def sigterm_as_exit() -> Iterator[None]:
    """SIGTERM raises SystemExit (143); only the main thread can have it so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, earlier if earlier is not None else signal.SIG_DFL)


@contextmanager
def jobs_stopped_on_exit(spark: SparkSession) -> Iterator[None]:
    """Stop the Spark jobs of an interrupted run, which would go on writing."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        log.warning("The run is stopped before its end; what it wrote is removed.")
        try:
            if hasattr(spark, "interruptAll") and getattr(spark, "_jvm", None) is None:
                spark.interruptAll()
            else:
                spark.sparkContext.cancelAllJobs()
        except Exception as error:
            # Spark may be gone already: a signal to the whole process group stops the JVM too.
            log.debug("Spark could not be told to stop", exc_info=error)
        raise


def _leave(number: int, frame: FrameType | None) -> None:
    # Cleaning up must not be interrupted by another one.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(128 + number)
