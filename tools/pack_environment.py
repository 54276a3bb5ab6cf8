"""Pack an environment for Spark workers that have nothing but Python: chunkmill's wheel and what it needs.

    python -m tools.pack_environment dist/chunkmill-0.1.0-py3-none-any.whl dist/environment.tar.gz

What the wheel needs is taken from the environment that runs this, at the same versions, so that driver
and workers cut alike; further arguments are extras of the wheel (`huggingface`). PySpark stays out:
workers have it from their Spark. `bin/python` is a link to the interpreter of this environment, so
workers need the same one at the same path.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import io
import platform
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import Distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_FROM_SPARK = {"pyspark"}
_NOT_NEEDED = {"__pycache__", "include", "tests"}
_FOR_COMPILERS = {".h", ".hpp", ".pxd", ".pyi", ".pyx"}


def main(arguments: Sequence[str]) -> None:
    wheel, target, *extras = arguments
    pack(Path(wheel), Path(target), extras)
    print(f"{target}: {Path(target).stat().st_size / 1e6:.0f} MB")


def pack(wheel: Path, target: Path, extras: Sequence[str] = ()) -> None:
    """Write the environment as a tar.gz; the same packages give the same bytes.

    Raises PackageNotFoundError when something that the wheel needs is not installed here, ValueError
    when nobody knows which files it has.
    """
    (made,) = importlib.metadata.distributions(path=[str(wheel)])
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    python, packages = Path(sys.base_prefix, "bin", version), f"lib/{version}/site-packages"
    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", 6, file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        _add(archive, "pyvenv.cfg", f"home = {python.parent}\nversion = {platform.python_version()}\n".encode())
        link = tarfile.TarInfo("bin/python")
        link.type, link.linkname = tarfile.SYMTYPE, str(python)
        archive.addfile(link)
        for name, data in sorted(_of_wheel(wheel)):
            _add(archive, f"{packages}/{name}", data)
        for distribution in needed(made.requires or (), extras):
            for path in _files(distribution):
                _add(archive, f"{packages}/{path}", Path(str(distribution.locate_file(path))).read_bytes())


def needed(requirements: Iterable[str], extras: Iterable[str] = ()) -> list[Distribution]:
    """What is installed here to meet these requirements, and theirs, by name; without what Spark brings."""
    found: dict[str, Distribution] = {}
    open_ends = [(Requirement(requirement), {"", *extras}) for requirement in requirements]
    seen = set()
    while open_ends:
        requirement, wanted = open_ends.pop()
        name = canonicalize_name(requirement.name)
        applies = requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in wanted)
        if not applies or name in _FROM_SPARK or (name, frozenset(requirement.extras)) in seen:
            continue
        seen.add((name, frozenset(requirement.extras)))
        found[name] = importlib.metadata.distribution(name)
        open_ends += [(Requirement(text), {"", *requirement.extras}) for text in found[name].requires or ()]
    return [found[name] for name in sorted(found)]


def _of_wheel(wheel: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            yield name, archive.read(name)


def _files(distribution: Distribution) -> list[str]:
    """The files of a distribution that running it needs; commands, which lie outside of the packages, are none."""
    if not distribution.files:
        raise ValueError(
            f"{distribution.name} has no list of its files: install it by pip, in an environment of its own"
        )
    paths = (Path(str(file)) for file in distribution.files)
    return sorted(
        path.as_posix()
        for path in paths
        if ".." not in path.parts and not _NOT_NEEDED & set(path.parts) and path.suffix not in _FOR_COMPILERS
    )


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    main(sys.argv[1:])
