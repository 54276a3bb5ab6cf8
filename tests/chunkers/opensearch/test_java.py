"""Numbers as Java reads and writes them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from chunkers.opensearch.java import class_name, decode_double, decode_integer, text_form


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5),
        ("+5", 5),
        ("-1", -1),
        ("0", 0),
        ("0x10", 16),
        ("-0X1f", -31),
        ("#10", 16),
        ("010", 8),
        ("2147483647", 2**31 - 1),
        ("-2147483648", -(2**31)),
        *[(text, None) for text in ("08", "2147483648", "5.0", "1e1", " 5", "5 ", "1_0", "", "0x", "#", "--1", "true")],
    ],
)
def test_decode_integer(text: str, number: int | None) -> None:
    assert decode_integer(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.2", 0.2),
        ("1e-1", 0.1),
        (" 0.3\t", 0.3),
        ("0.5f", 0.5),
        (".5D", 0.5),
        ("1.", 1.0),
        ("0x1p-2", 0.25),
        ("0x.8P0f", 0.5),
        ("-0.1", -0.1),
        ("-Infinity", -math.inf),
        ("1e999", math.inf),
        ("-0x1p9999", -math.inf),
        *[(text, None) for text in ("0,2", "", "true", "1_0", "0x1", "inf", "nan", "NaNf", ".", "\u00a00.2")],
    ],
)
def test_decode_double(text: str, number: float | None) -> None:
    assert decode_double(text) == number


def test_not_a_number() -> None:
    assert math.isnan(decode_double("NaN") or 0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (0.001, "0.001"),
        (-0.1, "-0.1"),
        (-0.0, "-0.0"),
        (0.0001, "1.0E-4"),
        (9999999.0, "9999999.0"),
        (12345678.5, "1.23456785E7"),
        (-1e100, "-1.0E100"),
        (math.nan, "NaN"),
        (-math.inf, "-Infinity"),
        (5, "5"),
        (None, "null"),
        ([1, None, {"a": True}], "[1, null, {a=true}]"),
    ],
)
def test_text_form(value: Any, text: str) -> None:
    assert text_form(value) == text


def test_class_names() -> None:
    values = [None, "", True, 1, 2**31, 2**63, 0.5, {}, []]
    assert [class_name(value).rpartition(".")[2] for value in values] == [
        *("null", "String", "Boolean", "Integer", "Long", "BigInteger", "Double", "HashMap", "ArrayList")
    ]
