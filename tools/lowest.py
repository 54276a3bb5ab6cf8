"""Print the lower bounds of pyproject.toml as pip constraints: the oldest versions that are supported."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

_BOUND = re.compile(r"([A-Za-z0-9_-]+)>=([0-9.]+)")


def lowest(pyproject: str) -> list[str]:
    """`name==version` for every requirement with a lower bound, `dev` tools aside."""
    project = tomllib.loads(pyproject)["project"]
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *extras["huggingface"], *extras["java"]]
    return [f"{match[1]}=={match[2]}" for match in map(_BOUND.match, requirements) if match]


if __name__ == "__main__":
    print("\n".join(lowest(Path(sys.argv[1]).read_text(encoding="utf-8"))))
