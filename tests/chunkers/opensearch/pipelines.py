"""Pipelines and documents for tests, written by hand or generated."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TEXTS = st.text(st.sampled_from("ab,. \n\u00e9\u4f60\U0001f600"), max_size=25)
_LIMITS = st.sampled_from([-1, 1, 2, 3, 5, 100])
_RATES = st.sampled_from([0, 0.2, 0.34, 0.5])


def pipeline(*processors: dict[str, Any]) -> dict[str, Any]:
    """The body of a pipeline of `text_chunking` processors."""
    return {"processors": [{"text_chunking": processor} for processor in processors]}


def processor(field_map: dict[str, Any], algorithm: str = "delimiter", **parameters: Any) -> dict[str, Any]:
    return {"field_map": field_map, "algorithm": {algorithm: parameters}}


def commas(limit: int = -1, field_map: dict[str, Any] | None = None) -> dict[str, Any]:
    """A processor that cuts at commas."""
    return processor(field_map or {"a": "b"}, delimiter=",", max_chunk_limit=limit)


def algorithms(rates: st.SearchStrategy[float] = _RATES) -> st.SearchStrategy[dict[str, Any]]:
    tokens = st.fixed_dictionaries(
        {"token_limit": st.integers(1, 5), "overlap_rate": rates, "max_chunk_limit": _LIMITS},
        optional={"tokenizer": st.sampled_from(["standard", "whitespace", "letter"])},
    )
    characters = st.fixed_dictionaries(
        {"char_limit": st.integers(1, 9), "overlap_rate": rates, "max_chunk_limit": _LIMITS}
    )
    delimiter = st.fixed_dictionaries(
        {"delimiter": st.sampled_from([",", ". ", "\n", "a"]), "max_chunk_limit": _LIMITS}
    )
    return st.one_of(
        tokens.map(lambda values: {"fixed_token_length": values}),
        characters.map(lambda values: {"fixed_char_length": values}),
        delimiter.map(lambda values: {"delimiter": values}),
    )


_FIELD_MAPS = st.sampled_from(
    [{"a": "b"}, {"b": "c"}, {"a": "a"}, {"a": "b", "n": {"a": "b"}}, {"n": {"m": {"a": "b"}}}, {"n": {"b": "c"}}]
)
PROCESSORS = st.builds(
    lambda field_map, algorithm, missing, failure: {
        "field_map": field_map,
        "algorithm": algorithm,
        "ignore_missing": missing,
        "ignore_failure": failure,
    },
    _FIELD_MAPS,
    algorithms(),
    st.booleans(),
    st.booleans(),
)
PIPELINES = st.lists(PROCESSORS, min_size=1, max_size=3).map(lambda processors: pipeline(*processors))

_VALUES = st.one_of(st.none(), TEXTS, st.lists(TEXTS, max_size=4), st.sampled_from([1, ["x", None]]))


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional={"a": _VALUES, "m": st.one_of(inner, st.lists(inner, max_size=2))})


DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "a": _VALUES,
        "n": st.one_of(_objects(_objects(st.none())), st.lists(_objects(_objects(st.none())), max_size=3)),
        "other": st.integers(),
    },
)
