"""Parameters declared once: reading, bounds, lists, nested mappings, the schema and the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkers.errors import Problem
from chunkers.parameters import describe, json_schema, parameter, read


@dataclass(frozen=True, kw_only=True)
class Port:
    """Nested below `Harbour`."""

    depth: int = parameter(doc="Metres.", minimum=1)


def upper(value: Any, path: str, problems: list[Problem]) -> Any:
    if not isinstance(value, str):
        problems.append(Problem(path, "is no code"))
        return value
    return value.upper()


@dataclass(frozen=True, kw_only=True)
class Harbour:
    """One field of every kind."""

    name: str = parameter(doc="Its name.", not_empty=True)
    berths: int = parameter(4, doc="Places.", minimum=1, maximum=9, allowed=(-1,))
    share: float = parameter(0.5, doc="Share.", minimum=0.0)
    tides: bool = parameter(True, doc="Whether there are tides.")
    side: Literal["port", "starboard"] = parameter("port", doc="Which side.")
    ships: tuple[str, ...] = parameter((), doc="Ships.")
    crew: tuple[str, ...] = parameter(("cook",), doc="Crew.", not_empty=True)
    captain: str | None = parameter(None, doc="Who leads.")
    code: str = parameter("X", doc="A code.", parse=upper, schema={"type": "string", "pattern": "[A-Z]"})
    port: Port = parameter(doc="The port.", factory=lambda: Port(depth=3))


def made(**values: Any) -> Harbour:
    problems: list[Problem] = []
    harbour = read(Harbour, {"name": "Ede", **values}, "harbour", problems)
    assert problems == []
    assert harbour is not None
    return harbour


def faults(values: Any, path: str = "harbour") -> list[str]:
    problems: list[Problem] = []
    assert read(Harbour, values, path, problems) is None
    return [str(problem) for problem in problems]


def fault(**values: Any) -> str:
    (only,) = faults({"name": "Ede", **values})
    return only


# read


def test_what_is_not_given_has_its_default() -> None:
    assert made() == Harbour(name="Ede")
    assert made().port.depth == 3


def test_values_are_kept_in_their_types() -> None:
    harbour = made(berths=2, share=1, ships=["a", "b"], captain="Ann", code="b", port={"depth": 7}, tides=False)
    assert harbour == Harbour(
        name="Ede", berths=2, share=1.0, ships=("a", "b"), captain="Ann", code="B", port=Port(depth=7), tides=False
    )
    assert isinstance(harbour.share, float)


def test_one_string_is_a_list_of_it() -> None:
    assert made(ships="a").ships == ("a",)


def test_null_is_the_default() -> None:
    assert made(captain=None).captain is None
    assert made(side=None).side == "port"
    assert made(berths=None).berths == 4


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"berths": 0}, "harbour.berths: 0 is out of bounds (allowed: 1 to 9, or -1)"),
        ({"berths": 10}, "harbour.berths: 10 is out of bounds (allowed: 1 to 9, or -1)"),
        ({"berths": 2.0}, "harbour.berths: 2.0 is not a whole number"),
        ({"berths": "2"}, "harbour.berths: '2' is not a whole number"),
        ({"berths": True}, "harbour.berths: True is not a whole number"),
        ({"share": -0.1}, "harbour.share: -0.1 is out of bounds (allowed: 0.0 or more)"),
        ({"share": float("nan")}, "harbour.share: nan is out of bounds (allowed: 0.0 or more)"),
        ({"share": float("inf")}, "harbour.share: inf is out of bounds (allowed: 0.0 or more)"),
        ({"tides": 1}, "harbour.tides: 1 is not true or false"),
        ({"tides": "yes"}, "harbour.tides: 'yes' is not true or false"),
        ({"side": "left"}, "harbour.side: 'left' is not one of 'port', 'starboard'"),
        ({"ships": 3}, "harbour.ships: 3 is not a list"),
        ({"ships": ["a", 3]}, "harbour.ships[1]: 3 is not a string"),
        ({"crew": []}, "harbour.crew: must not be empty"),
        ({"crew": ["a", ""]}, "harbour.crew[1]: must not be empty"),
        ({"captain": 3}, "harbour.captain: 3 is not a string"),
        ({"name": ""}, "harbour.name: must not be empty"),
        ({"code": 3}, "harbour.code: is no code"),
        ({"port": {"depth": 0}}, "harbour.port.depth: 0 is out of bounds (allowed: 1 or more)"),
        ({"port": {}}, "harbour.port.depth: is required (Metres.)"),
        ({"port": 3}, "harbour.port: 3 is not a mapping of parameters"),
        ({"ship": "a"}, "harbour.ship: unknown parameter (did you mean 'ships'?)"),
    ],
    ids=str,
)
def test_what_is_refused_and_how_it_is_said(value: dict[str, Any], message: str) -> None:
    assert fault(**value) == message


@pytest.mark.parametrize("berths", [1, 9, -1])
def test_bounds_are_allowed_themselves(berths: int) -> None:
    assert made(berths=berths).berths == berths


def test_every_fault_is_told_and_what_is_missing_too() -> None:
    assert faults({"berths": 0, "side": 1, "port": {"depth": "x"}}) == [
        "harbour.name: is required (Its name.)",
        "harbour.berths: 0 is out of bounds (allowed: 1 to 9, or -1)",
        "harbour.side: 1 is not one of 'port', 'starboard'",
        "harbour.port.depth: 'x' is not a whole number",
    ]


def test_a_long_value_is_cut_short_in_messages() -> None:
    (message,) = faults("x" * 500)
    assert len(message) < 120
    assert message.endswith("... is not a mapping of parameters")


def test_at_the_root_a_path_is_the_key_alone() -> None:
    assert faults({"name": "Ede", "berths": 0}, path="")[0].startswith("berths: ")


def test_earlier_problems_do_not_spoil_a_good_mapping() -> None:
    problems = [Problem("elsewhere", "is bad")]
    assert read(Harbour, {"name": "Ede"}, "harbour", problems) is not None
    assert len(problems) == 1


@dataclass(frozen=True, kw_only=True)
class Range:
    """Checks one value against another."""

    low: int = parameter(0, doc="Low.")
    high: int = parameter(9, doc="High.")

    def check(self, path: str) -> list[Problem]:
        return [] if self.low <= self.high else [Problem(f"{path}.low", f"{self.low} is over high")]


def test_a_check_sees_the_whole() -> None:
    problems: list[Problem] = []
    assert read(Range, {"low": 3, "high": 2}, "range", problems) is None
    assert [str(problem) for problem in problems] == ["range.low: 3 is over high"]
    assert read(Range, None, "range", []) == Range()


@given(st.integers(-20, 20))
def test_reading_and_schema_agree_on_whole_numbers(value: int) -> None:
    problems: list[Problem] = []
    read(Harbour, {"name": "Ede", "berths": value}, "", problems)
    within, also = json_schema(Harbour)["properties"]["berths"]["anyOf"]
    allowed = within["minimum"] <= value <= within["maximum"] or value in also["enum"]
    assert allowed == (not problems)


# json_schema and describe


def test_the_schema() -> None:
    schema = json_schema(Harbour)
    assert schema["required"] == ["name"]
    assert schema["additionalProperties"] is False
    texts = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}
    properties = {name: {**field} for name, field in schema["properties"].items()}
    assert properties["name"] == {"type": "string", "minLength": 1, "description": "Its name."}
    assert properties["share"] == {"type": "number", "minimum": 0.0, "description": "Share.", "default": 0.5}
    assert properties["tides"] == {"type": "boolean", "description": "Whether there are tides.", "default": True}
    assert properties["side"] == {"enum": ["port", "starboard"], "description": "Which side.", "default": "port"}
    assert properties["ships"] == {**texts, "description": "Ships."}
    assert properties["crew"]["anyOf"][0]["minItems"] == 1
    assert properties["captain"] == {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Who leads."}
    assert properties["code"] == {"type": "string", "pattern": "[A-Z]", "description": "A code.", "default": "X"}
    assert properties["port"]["properties"]["depth"] == {"type": "integer", "minimum": 1, "description": "Metres."}
    assert properties["port"]["required"] == ["depth"]


def test_the_reference() -> None:
    rows = {row["name"]: row for row in describe(Harbour)}
    assert list(rows) == list(json_schema(Harbour)["properties"])
    assert rows["berths"] == {
        "name": "berths",
        "type": "integer",
        "default": "`4`",
        "bounds": "1 to 9, or -1",
        "meaning": "Places.",
    }
    assert {name: row["type"] for name, row in rows.items()} == {
        "name": "string",
        "berths": "integer",
        "share": "number",
        "tides": "boolean",
        "side": "`port` or `starboard`",
        "ships": "list of string",
        "crew": "list of string",
        "captain": "string",
        "code": "string",
        "port": "mapping",
    }
    defaults = {name: rows[name]["default"] for name in ("name", "tides", "side", "ships", "captain")}
    assert defaults == {
        "name": "required",
        "tides": "`true`",
        "side": '`"port"`',
        "ships": "none",
        "captain": "none",
    }
