"""What memory this process may still take, where it is limited.

Native libraries end the process when they get none, so they are asked for nothing when little is left.
"""

from __future__ import annotations

import mmap
import sys
from pathlib import Path

import pyarrow as pa

if sys.platform != "win32":
    import resource

_SPARE = 100_000_000
"""Bytes that a native library may need for one block of a text, generously."""
_STATUS = Path("/proc/self/statm")


def check_memory() -> None:
    """Raise MemoryError when this process is near the limit of its address space (RLIMIT_AS)."""
    limit = _limit()
    if limit is not None and limit - _taken() < _SPARE:
        raise MemoryError


def reserve_no_memory() -> None:
    """Where the address space is limited, let Arrow take what it needs, not a gigabyte in advance."""
    if _limit() is not None:
        pa.set_memory_pool(pa.system_memory_pool())


def _limit() -> int | None:
    if sys.platform == "win32":
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def _taken() -> int:
    """Bytes of address space in use; 0 where the system does not say (macOS)."""
    try:
        return int(_STATUS.read_text("ascii").split()[0]) * mmap.PAGESIZE
    except OSError:
        return 0
