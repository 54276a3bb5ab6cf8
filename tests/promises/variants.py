"""Definitions under which every registered algorithm runs, made from its declared parameters.

A new algorithm is in as soon as it is registered: its parameters say which of these concern it.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import chunkers
from chunkers.parameters import fields
from chunkers.registry import algorithm
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


def definitions(name: str) -> list[dict[str, Any]]:
    """Parameter sets of one algorithm: every mix of the values above, then the common ones once."""
    declared = [field.name for field in fields(algorithm(name))]
    varied = [parameter for parameter in _VALUES if parameter in declared]
    mixes = [dict(zip(varied, mix, strict=True)) for mix in product(*(_VALUES[v] for v in varied))]
    middle = mixes[len(mixes) // 2]
    return [*mixes, {**middle, "trim": True}, {**middle, "max_chunk_limit": 2}]


def sample(name: str) -> dict[str, Any]:
    """The parameters for corpora: the defaults, with a model's tokenizer and an overlap where they exist."""
    declared = {field.name for field in fields(algorithm(name))}
    wanted = {"tokenizer": "cl100k_base", "token_limit": 128, "char_limit": 500, "overlap_rate": 0.125}
    return {parameter: value for parameter, value in wanted.items() if parameter in declared}


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
    made = chunkers.create(name, **parameters)
    values = {field.name: getattr(made, field.name) for field in fields(type(made))}
    known = {field: values[field] for field in Asked.__dataclass_fields__ if field in values}
    return Asked(**known, merges_tail=values["max_chunk_limit"] > 0, earlier=tuple(map(asked, earlier)))
