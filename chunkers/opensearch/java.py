"""How Java writes and reads the values of a JSON body, which OpenSearch's parameters go through."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

_INTEGER = re.compile(r"([+-]?)(?:(?:0[xX]|#)([0-9a-fA-F]+)|0([0-7]+)|(0|[1-9][0-9]*))")
_DECIMAL = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[fFdD]?")
_NOT_FINITE = re.compile(r"([+-]?(?:NaN|Infinity))")
_HEXADECIMAL = re.compile(r"([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[fFdD]?")
_CONTROLS = "".join(map(chr, range(0x21)))
_BLANK = re.compile(r"[\t-\r\x1c- \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*")
_INT_LIMIT = 2**31
_LONG_LIMIT = 2**63


def is_blank(text: str) -> bool:
    """Whether a text is white space only, as `Character.isWhitespace` has it (no-break spaces are not)."""
    return _BLANK.fullmatch(text) is not None


def text_form(value: Any) -> str:
    """`String.valueOf` of a JSON value."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float():
            return _double_text(value)
        case list():
            return f"[{', '.join(map(text_form, value))}]"
        case dict():
            return "{" + ", ".join(f"{key}={text_form(inner)}" for key, inner in value.items()) + "}"
    return str(value)


def class_name(value: Any) -> str:
    """The class of a JSON value on the server."""
    match value:
        case None:
            return "null"
        case str():
            return "java.lang.String"
        case bool():
            return "java.lang.Boolean"
        case float():
            return "java.lang.Double"
        case int():
            return _integer_class(value)
        case Mapping():
            return "java.util.HashMap"
    return "java.util.ArrayList"


def decode_integer(text: str) -> int | None:
    """`Integer.decode`: decimal, `0x10` or `#10` hexadecimal, `010` octal; None where it fails."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    sign, hexadecimal, octal, decimal = match.groups()
    number = int(hexadecimal, 16) if hexadecimal else int(octal, 8) if octal else int(decimal)
    number = -number if sign == "-" else number
    return number if -_INT_LIMIT <= number < _INT_LIMIT else None


def decode_double(text: str) -> float | None:
    """`Double.valueOf`: white space around, a type suffix, NaN and hexadecimal; None where it fails."""
    text = text.strip(_CONTROLS)
    if match := _HEXADECIMAL.fullmatch(text):
        try:
            return float.fromhex(match[1])
        except OverflowError:
            return float("-inf" if text.startswith("-") else "inf")
    match = _DECIMAL.fullmatch(text) or _NOT_FINITE.fullmatch(text)
    return None if match is None else float(match[1])


def _integer_class(value: int) -> str:
    if -_INT_LIMIT <= value < _INT_LIMIT:
        return "java.lang.Integer"
    return "java.lang.Long" if -_LONG_LIMIT <= value < _LONG_LIMIT else "java.math.BigInteger"


def _double_text(value: float) -> str:
    """`Double.toString`: plain between 0.001 and 10,000,000, else one digit before the point."""
    if value != value:
        return "NaN"
    if abs(value) == float("inf"):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = format(Decimal(repr(value)), "f")
        return text if "." in text else f"{text}.0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    first, rest = digits[0], "".join(map(str, digits[1:])) or "0"
    return f"{'-' if sign else ''}{first}.{rest}E{int(exponent) + len(digits) - 1}"
