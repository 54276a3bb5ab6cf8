"""What programming languages are called: by people, in the info string of a fence, by the extension of a file."""

from __future__ import annotations

import re

_WITH_GRAMMAR = {
    "python": "py pyi pyw python3 py3",
    "javascript": "js jsx mjs cjs",
    "typescript": "ts mts cts",
    "tsx": "",
    "java": "",
    "go": "golang",
    "rust": "rs",
}

_WITHOUT_GRAMMAR = {
    "code": "",
    "bash": "sh shell zsh ksh",
    "powershell": "ps1 pwsh",
    "c": "h",
    "cpp": "c++ cc cxx hpp hh",
    "csharp": "c#",
    "objective-c": "objc",
    "clojure": "clj cljs",
    "css": "scss less sass",
    "dart": "",
    "dockerfile": "docker",
    "elixir": "exs",
    "erlang": "erl",
    "fortran": "f90",
    "fsharp": "f# fsx",
    "groovy": "gradle",
    "haskell": "hs",
    "hcl": "tf terraform",
    "html": "htm xhtml",
    "json": "json5 jsonc jsonl",
    "julia": "jl",
    "kotlin": "kt kts",
    "lua": "",
    "makefile": "",
    "matlab": "",
    "ocaml": "",
    "perl": "",
    "php": "",
    "protobuf": "proto",
    "r": "",
    "ruby": "rb",
    "scala": "sbt",
    "solidity": "sol",
    "sql": "plsql psql tsql",
    "svelte": "",
    "swift": "",
    "toml": "",
    "vba": "vb",
    "vue": "",
    "xml": "xsd xsl xslt svg",
    "yaml": "yml",
    "zig": "",
}
"""Languages that are cut at blank lines and indentation; `code` is any other."""

_EXTENSIONS = {"cs": "csharp", "pl": "perl", "ml": "ocaml", "ex": "elixir", "m": "matlab", "mk": "makefile"}
"""Names only with a dot in front: without it some are natural languages, as Czech."""

_KNOWN = {
    alias: language
    for language, aliases in (_WITH_GRAMMAR | _WITHOUT_GRAMMAR).items()
    for alias in (language, *aliases.split())
}

_NAME = re.compile(r"[\s{]*(\.?)(?:lang(?:uage)?-)?([\w+#-]+)")


def known_language(name: str) -> str | None:
    """The canonical name of a language, None for one that is not known.

    `name` is a usual name (`python3`, `golang`), the extension of a file (`.py`), or the info string of
    a fence, of which the first word counts (`rust,ignore`, `{.python .numberLines}`, `language-js`).
    """
    found = _NAME.match(name)
    if not found:
        return None
    word = found[2].lower()
    known = _KNOWN.get(word)
    return _EXTENSIONS.get(word) if known is None and found[1] else known


def languages() -> list[str]:
    """The canonical names of all languages that are known, those with a grammar first."""
    return [*_WITH_GRAMMAR, *_WITHOUT_GRAMMAR]
