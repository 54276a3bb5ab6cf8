"""Definitions under which every registered algorithm runs, made from its declared parameters.

A new algorithm is in as soon as it is registered: its parameters say which of these concern it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import chunkers
from chunkers.parameters import fields
from chunkers.registry import algorithm
from chunkers.sized import SizedChunker
from chunkers.unsized import UnsizedChunker
from tests.promises.equations import Asked

TOKENIZERS = ("cl100k_base", "o200k_base", "standard", "whitespace")
LIMITS = (1, 7, 40)
RATES = (0.0, 0.25, 0.5)

_VALUES: dict[str, tuple[Any, ...]] = {
    "tokenizer": TOKENIZERS,
    "token_limit": LIMITS,
    "char_limit": LIMITS,
    "overlap_rate": RATES,
    "delimiter": ("\n\n", ". ", "\r", "\u0301"),
    "max_depth": (1, 2, 6),
}


_ALONE: dict[str, tuple[Any, ...]] = {
    "trim": (True,),
    "max_chunk_limit": (2,),
    "min_tokens": (3,),
    "separators": (
        *("markdown", "code"),
        [";", {"regex": r"\s+(?=[A-Z])|(?=\d)"}, {"boundary": "sentence"}],
        [{"regex": "(?!)"}],
    ),
    "keep": ("end",),
    "format": ("text",),
    "merge_sections": (True,),
    "heading_template": ("{level}. {title}", ""),
    "overlap_sentences": (1, 3),
    "window": (0, 1),
    "language": ("he",),
}
"""Values that are tried once each, with the others in the middle."""


def definitions(name: str) -> list[dict[str, Any]]:
    """Parameter sets of one algorithm: every mix of the first values, then each of the others once."""
    if name == "parent_child":
        return list(PARENTS)
    declared = [field.name for field in fields(algorithm(name))]
    in_characters = {"token_limit", "char_limit"} <= set(declared)
    is_unsized = issubclass(algorithm(name), UnsizedChunker)
    left_out = {"char_limit"} if in_characters else {"token_limit", "tokenizer"} if is_unsized else set()
    varied = [v for v in _VALUES if v in declared and v not in left_out]
    mixes = [dict(zip(varied, mix, strict=True)) for mix in product(*(_VALUES[v] for v in varied))]
    middle = {v: _VALUES[v][len(_VALUES[v]) // 2] for v in varied}
    alone = [{**middle, v: value} for v, values in _ALONE.items() if v in declared for value in values]
    alone += [{"char_limit": limit, "overlap_rate": 0.25} for limit in LIMITS if in_characters]
    alone += [{**middle, "token_limit": limit, "tokenizer": "o200k_base"} for limit in LIMITS if is_unsized]
    return [*mixes, *alone]


def sample(name: str) -> dict[str, Any]:
    """The parameters for corpora: the defaults, with a model's tokenizer and an overlap where they exist."""
    if name == "parent_child":
        return {"parent": {"recursive": {"token_limit": 400}}, "child": {"recursive": {"token_limit": 64}}}
    declared = {field.name for field in fields(algorithm(name))}
    if issubclass(algorithm(name), UnsizedChunker):
        return {}
    wanted = {"tokenizer": "cl100k_base", "token_limit": 128, "overlap_rate": 0.125}
    if "token_limit" not in declared:
        wanted["char_limit"] = 500
    return {parameter: value for parameter, value in wanted.items() if parameter in declared}


PARENTS: tuple[dict[str, Any], ...] = (
    {"parent": {"recursive": {"token_limit": 40}}, "child": {"recursive": {"token_limit": 7, "overlap_rate": 0.25}}},
    {"parent": {"recursive": {"token_limit": 20, "overlap_rate": 0.5}}, "child": {"sentence": {"token_limit": 7}}},
    {
        "parent": [{"markdown": {}}, {"recursive": {"token_limit": 40}}],
        "child": {"fixed_char_length": {"char_limit": 9}},
    },
    {"parent": {"delimiter": {}}, "child": {"sentence_window": {"window": 1}}},
    {"parent": {"fixed_token_length": {"token_limit": 9}}, "child": {"fixed_token_length": {"token_limit": 3}}},
)

CASCADES: tuple[list[dict[str, Any]], ...] = (
    [{"delimiter": {"delimiter": "\n"}}, {"fixed_token_length": {"token_limit": 7, "tokenizer": "cl100k_base"}}],
    [{"markdown": {}}, {"fixed_token_length": {"token_limit": 40, "overlap_rate": 0.25, "tokenizer": "o200k_base"}}],
    [{"markdown": {}}, {"delimiter": {}}, {"fixed_char_length": {"char_limit": 40}}],
    [{"fixed_char_length": {"char_limit": 40}}, {"fixed_token_length": {"token_limit": 5, "tokenizer": "standard"}}],
)


def asked(definition: dict[str, Any] | list[dict[str, Any]]) -> Asked:
    """What the equations may expect of a definition; of a cascade, what its last stage asks."""
    *earlier, last = definition if isinstance(definition, list) else [definition]
    ((name, parameters),) = last.items()
    if name == "parent_child":
        parent, child = asked(parameters["parent"]), asked(parameters["child"])
        return replace(child, earlier=(*child.earlier, parent), parent=parent)
    made = chunkers.create(name, **parameters)
    values = {field.name: getattr(made, field.name) for field in fields(type(made))}
    known = {field: values[field] for field in Asked.__dataclass_fields__ if field in values}
    if isinstance(made, UnsizedChunker) and made.token_limit is None:
        known["tokenizer"] = None
    if isinstance(made, SizedChunker):
        in_characters = made.unit == "characters"
        known |= (
            {"token_limit": None, "char_limit": made.limit, "tokenizer": None}
            if in_characters
            else {"token_limit": made.limit}
        )
    return Asked(**known, merges_tail=values["max_chunk_limit"] > 0, earlier=tuple(map(asked, earlier)))
