"""Where source code may be cut: by its grammar where one is installed, else by blank lines and indentation.

Both ways give levels from coarse to fine. A level is an array of positions, ascending and each the
start of a line that is not blank; no position is in two levels, so a finer cut is made at a level
and all before it. Levels without a position are left out.
"""

from __future__ import annotations

from chunkers.text.code.grammars import installed_languages
from chunkers.text.code.levels import code_levels
from chunkers.text.code.names import known_language, languages
from chunkers.text.code.plain import plain_code_levels

__all__ = ["code_levels", "installed_languages", "known_language", "languages", "plain_code_levels"]
