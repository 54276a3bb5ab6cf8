"""For workers' Python: no network but this machine's own, and no vocabulary in the package.

Every Python that has this directory on PYTHONPATH leaves the file `walled_in` where it works.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_HERE = ("127.0.0.1", "::1", "localhost", None)


def _wall(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and str(arguments[0]).endswith(".tiktoken.gz"):
        raise PermissionError(f"no vocabularies here: {arguments[0]}")
    if event == "socket.getaddrinfo" and arguments[0] not in _HERE:
        raise PermissionError(f"no network here: {arguments[0]}")
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] not in _HERE:
        raise PermissionError(f"no network here: {arguments[1]}")


sys.addaudithook(_wall)
Path("walled_in").touch()
