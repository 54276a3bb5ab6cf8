"""What went wrong, in one line, for errors that carry pages: those of Java, and those of Python workers."""

from __future__ import annotations

import re

_KNOWN = {
    "No space left on device": "no space is left on a disk: make room where the output lies, and spark.local.dir",
    "Python worker exited unexpectedly": "a Python worker died, again and again: it may need more memory than there "
    "is, or a native library crashed (spark.python.worker.faulthandler.enabled shows where)",
}
"""Words of a stack trace, and what they mean here."""

_NO_JVM = ("ConnectionRefusedError", "ConnectionResetError", "Py4JNetworkError")
_TRACEBACK = "Traceback (most recent call last):\n"
_CAUSE = re.compile(r"^Caused by: (?:[\w$]+\.)*([\w$]+: .*)$", re.MULTILINE)
_OF_JAVA = re.compile(r"\AAn error occurred while calling .*\n: (?:[\w$]+\.)*([\w$]+\b.*)$", re.MULTILINE)


def first_line(error: Exception) -> str:
    """The first line of an error's message; of an error of Java's without what py4j says of it."""
    return str(getattr(error, "java_exception", error)).strip().partition("\n")[0] or type(error).__name__


def reason(error: Exception) -> str:
    """The line that says most: what is known by its words, else what a worker or Java names as the cause."""
    kind = type(error).__name__
    if kind in _NO_JVM:
        return f"{kind}: Spark's JVM is gone; it may have needed more memory than there was (spark.driver.memory)"
    text = str(error)
    for words, meaning in _KNOWN.items():
        if words in text:
            return meaning
    _, traceback, rest = text.rpartition(_TRACEBACK)
    first = next((line for line in rest.splitlines() if line[:1].strip()), "")
    if traceback:
        return f"{kind}: on a worker: {first}"
    of_java = _OF_JAVA.search(text)
    if of_java:
        causes = _CAUSE.findall(text)
        return causes[-1] if causes else of_java[1]
    return f"{kind}: {first}"
