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
    """SIGTERM ends what is inside and raises SystemExit (143); only the main thread can have it so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    except _Terminated:
        raise SystemExit(128 + signal.SIGTERM) from None
    finally:
        signal.signal(signal.SIGTERM, earlier if earlier is not None else signal.SIG_DFL)


@contextmanager
def jobs_stopped_on_exit(spark: SparkSession) -> Iterator[None]:
    """Stop the Spark jobs of an interrupted run, which would go on writing."""
    try:
        yield
    except KeyboardInterrupt:
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


class _Terminated(KeyboardInterrupt):
    """SIGTERM came.

    It may come while the main thread waits for the JVM. KeyboardInterrupt is the one exception after which py4j
    takes another connection; after any other the next call, to stop the jobs, waits until they have ended.
    """


def _leave(number: int, frame: FrameType | None) -> None:
    # Cleaning up must not be interrupted by another one.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _Terminated
