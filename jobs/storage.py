"""The few things that publishing needs of a file system, wherever the output lies.

Names are relative to the output's root. One of the two places that look below Spark's public interface: a
session with a JVM says which file system a path means.
"""

from __future__ import annotations

import os
import shutil
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from pyarrow import fs
from pyspark.sql import SparkSession

from chunkers.errors import ConfigurationError, Problem
from jobs.errors import InputError
from jobs.reasons import first_line


class Storage(ABC):
    """Files below one root."""

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/")

    def path(self, name: str) -> str:
        """The full path of a name, as Spark reads and writes it."""
        return f"{self.root}/{name}"

    @abstractmethod
    def read(self, name: str) -> str | None:
        """The text of a file; None when there is none."""

    @abstractmethod
    def replace(self, name: str, text: str) -> None:
        """Write a file so that readers see the old text or the new one, never a part."""

    @abstractmethod
    def create(self, name: str, text: str) -> bool:
        """Write a file that must not be there yet; False when it is."""

    @abstractmethod
    def rename(self, old: str, new: str) -> bool:
        """Move a file or folder to a name that is free; False when there is nothing to move."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Remove a file or a folder with all in it; nothing happens when there is none."""

    @abstractmethod
    def modified(self, name: str) -> float | None:
        """When a file was last written, in seconds since 1970; None when there is none."""

    @abstractmethod
    def sizes(self, name: str) -> list[int]:
        """Bytes of each data file in a folder; empty when there is no such folder."""


def open_storage(path: str, spark: SparkSession | None = None) -> Storage:
    """The storage of an output path; without a JVM a path without scheme is a local one."""
    jvm = getattr(spark, "_jvm", None) if spark is not None else None
    if jvm is not None:
        return _of_hadoop(path, spark, jvm)
    parts = urlsplit(path)
    if len(parts.scheme) > 1 and parts.scheme != "file":
        filesystem, inner = _of_arrow(parts)
        return ArrowStorage(path, filesystem, inner)
    return LocalStorage(unquote(parts.path) if parts.scheme == "file" else path)


_S3 = ("s3a", "s3n")
"""What Hadoop calls `s3`."""


def _of_arrow(parts: SplitResult) -> tuple[fs.FileSystem, str]:
    uri = parts._replace(scheme="s3") if parts.scheme in _S3 else parts
    try:
        filesystem, inner = fs.FileSystem.from_uri(uri.geturl())
    except (ValueError, OSError) as error:
        raise InputError(f"{parts.geturl()} can't be opened without Spark: {first_line(error)}") from error
    return filesystem, inner


def _of_hadoop(path: str, spark: Any, jvm: Any) -> Storage:
    configuration = spark._jsparkSession.sessionState().newHadoopConf()
    root = jvm.org.apache.hadoop.fs.Path(path)
    try:
        filesystem = root.getFileSystem(configuration)
    except Exception as error:
        hint = "what knows this kind of path has to be on Spark's class path (spark.jars.packages)"
        problem = Problem("output.path", f"{path} can't be opened: {first_line(error)}", hint)
        raise ConfigurationError([problem]) from error
    qualified = filesystem.makeQualified(root)
    if qualified.toUri().getScheme() == "file":
        return LocalStorage(qualified.toUri().getPath())
    return HadoopStorage(qualified.toString(), filesystem, jvm, configuration)


class LocalStorage(Storage):
    """Files of this machine, or mounted ones."""

    def __init__(self, root: str) -> None:
        super().__init__(str(Path(root).absolute()))
        file = next((place for place in (Path(self.root), *Path(self.root).parents) if place.is_file()), None)
        if file is not None:
            raise InputError(f"The output can't be at {self.root}: {file} is a file. Name a folder as output.path.")

    def read(self, name: str) -> str | None:
        try:
            return Path(self.path(name)).read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return None

    def replace(self, name: str, text: str) -> None:
        target = self._with_folder(name)
        temporary = target.with_name(f"_{target.name}.{uuid.uuid4().hex}")
        with _removed_on_failure(lambda: temporary.unlink(missing_ok=True)):
            with temporary.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)

    def create(self, name: str, text: str) -> bool:
        path = self._with_folder(name)
        try:
            file = path.open("x", encoding="utf-8")
        except FileExistsError:
            return False
        with _removed_on_failure(path.unlink), file:
            file.write(text)
        return True

    def rename(self, old: str, new: str) -> bool:
        if not Path(self.path(old)).exists():
            return False
        Path(self.path(old)).rename(self._with_folder(new))
        return True

    def delete(self, name: str) -> None:
        path = Path(self.path(name))
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def modified(self, name: str) -> float | None:
        try:
            return Path(self.path(name)).stat().st_mtime
        except FileNotFoundError:
            return None

    def sizes(self, name: str) -> list[int]:
        folder = Path(self.path(name))
        return [file.stat().st_size for file in folder.rglob("*") if file.is_file() and _is_data(file.name)]

    def _with_folder(self, name: str) -> Path:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


class HadoopStorage(Storage):
    """Any file system that Spark's Hadoop libraries know, through the JVM of the driver."""

    def __init__(self, root: str, filesystem: Any, jvm: Any, configuration: Any) -> None:
        super().__init__(root)
        self._filesystem = filesystem
        self._jvm = jvm
        self._configuration = configuration

    def read(self, name: str) -> str | None:
        path = self._path(name)
        if not self._filesystem.exists(path):
            return None
        stream = self._filesystem.open(path)
        try:
            text: str = self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
        finally:
            stream.close()
        return text

    def replace(self, name: str, text: str) -> None:
        temporary = f"{name}.{uuid.uuid4().hex}"
        self._write(temporary, text)
        options = self._jvm.org.apache.hadoop.fs.Options.Rename
        overwrite = self._jvm.java.lang.reflect.Array.newInstance(options.OVERWRITE.getClass(), 1)
        overwrite[0] = options.OVERWRITE
        context = self._jvm.org.apache.hadoop.fs.FileContext.getFileContext(
            self._filesystem.getUri(), self._configuration
        )
        context.rename(self._path(temporary), self._path(name), overwrite)

    def create(self, name: str, text: str) -> bool:
        if self._filesystem.exists(self._path(name)):
            return False
        try:
            self._write(name, text)
        except self._java_error() as error:
            if "FileAlreadyExists" in str(error):
                return False
            raise
        return True

    def rename(self, old: str, new: str) -> bool:
        source, target = self._path(old), self._path(new)
        if not self._filesystem.exists(source):
            return False
        self._filesystem.mkdirs(target.getParent())
        if self._filesystem.exists(target) or not self._filesystem.rename(source, target):
            raise OSError(f"{self.path(old)} could not be renamed to {self.path(new)}")
        return True

    def delete(self, name: str) -> None:
        self._filesystem.delete(self._path(name), True)

    def modified(self, name: str) -> float | None:
        path = self._path(name)
        if not self._filesystem.exists(path):
            return None
        return float(self._filesystem.getFileStatus(path).getModificationTime()) / 1000

    def sizes(self, name: str) -> list[int]:
        if not self._filesystem.exists(self._path(name)):
            return []
        found, files = [], self._filesystem.listFiles(self._path(name), True)
        while files.hasNext():
            file = files.next()
            if _is_data(file.getPath().getName()):
                found.append(int(file.getLen()))
        return found

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(self.path(name))

    def _write(self, name: str, text: str) -> None:
        """Write a new file; HDFS refuses one that is there, whoever came first."""
        stream = self._filesystem.create(self._path(name), False)
        with _removed_on_failure(lambda: self.delete(name)):
            try:
                stream.write(bytearray(text.encode()))
            finally:
                stream.close()

    @staticmethod
    def _java_error() -> type[Exception]:
        from py4j.protocol import Py4JJavaError

        error: type[Exception] = Py4JJavaError
        return error


class ArrowStorage(Storage):
    """Object stores and HDFS for a session without a JVM (Spark Connect), through pyarrow.

    It has no exclusive creation, so two runs that start within the same moment may both go on.
    """

    def __init__(self, root: str, filesystem: Any, inner_root: str) -> None:
        super().__init__(root)
        self._filesystem = filesystem
        self._inner_root = inner_root.rstrip("/")

    def read(self, name: str) -> str | None:
        if self._kind(name) != fs.FileType.File:
            return None
        with self._filesystem.open_input_stream(self._inner(name)) as stream:
            return bytes(stream.read()).decode(errors="replace")

    def replace(self, name: str, text: str) -> None:
        temporary = f"{name}.{uuid.uuid4().hex}"
        self._write(temporary, text)
        self._filesystem.move(self._inner(temporary), self._inner(name))

    def create(self, name: str, text: str) -> bool:
        if self._kind(name) != fs.FileType.NotFound:
            return False
        self._write(name, text)
        return True

    def rename(self, old: str, new: str) -> bool:
        if self._kind(old) == fs.FileType.NotFound:
            return False
        self._filesystem.create_dir(self._inner(new).rpartition("/")[0])
        self._filesystem.move(self._inner(old), self._inner(new))
        return True

    def delete(self, name: str) -> None:
        kind = self._kind(name)
        if kind == fs.FileType.Directory:
            self._filesystem.delete_dir(self._inner(name))
        elif kind == fs.FileType.File:
            self._filesystem.delete_file(self._inner(name))

    def modified(self, name: str) -> float | None:
        found = self._filesystem.get_file_info(self._inner(name)).mtime
        return None if found is None else float(found.timestamp())

    def sizes(self, name: str) -> list[int]:
        selector = fs.FileSelector(self._inner(name), recursive=True, allow_not_found=True)
        infos = self._filesystem.get_file_info(selector)
        return [info.size for info in infos if info.type == fs.FileType.File and _is_data(info.base_name)]

    def _inner(self, name: str) -> str:
        return f"{self._inner_root}/{name}"

    def _kind(self, name: str) -> Any:
        return self._filesystem.get_file_info(self._inner(name)).type

    def _write(self, name: str, text: str) -> None:
        self._filesystem.create_dir(self._inner(name).rpartition("/")[0])
        stream = self._filesystem.open_output_stream(self._inner(name))
        with _removed_on_failure(lambda: self.delete(name)), stream:
            stream.write(text.encode())


@contextmanager
def _removed_on_failure(remove: Callable[[], object]) -> Iterator[None]:
    """Leave no half-written file, as on a full disk."""
    try:
        yield
    except BaseException:
        remove()
        raise


def _is_data(name: str) -> bool:
    return not name.startswith(("_", "."))
