"""Where source code may be cut: what stays together in each language, and what holds for any text."""

from __future__ import annotations

import re
import sys

import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkers.chunk import IntArray
from chunkers.text import graphemes
from chunkers.text.code import code_levels, grammars, known_language, parsing, plain_code_levels
from tests.shared_data import shared
from tests.strategies import slices

LANGUAGES = ("python", "javascript", "typescript", "tsx", "java", "go", "rust")


def levels(text: str, language: str) -> list[IntArray]:
    found = code_levels(text, 0, len(text), language)
    assert found is not None
    return found


def lines_at(text: str, positions: IntArray) -> list[str]:
    """The lines that begin at these positions, without indentation."""
    return [text[position:].partition("\n")[0].strip() for position in positions.tolist()]


def place(text: str, found: list[IntArray], line: str) -> int | None:
    """The level with a cut before this line, None where there is none."""
    (start,) = [match.start() for match in re.finditer(rf"^[ \t]*{re.escape(line)}", text, re.MULTILINE)]
    return next((n for n, level in enumerate(found) if start in level), None)


def assert_sound(text: str, start: int, end: int, found: list[IntArray]) -> None:
    """Ascending, inside, at lines that are not blank, whole clusters, in one level only."""
    every = [position for level in found for position in level.tolist()]
    assert len(every) == len(set(every))
    for level in found:
        positions = level.tolist()
        assert positions
        assert positions == sorted(positions)
        assert list(graphemes.boundaries(text, positions)) == positions
        for position in positions:
            assert start < position < end
            assert text[position - 1] == "\n" or (text[position - 1] == "\r" and text[position] != "\n")
            assert re.compile(r"[^\S\r\n]*\S").match(text, position, end)


# What stays together

PYTHON = '''\
"""About mills."""

import grain
import water

# Turned by water.
# Or by wind.
@register
@cached(
    size=2,
)
class Mill:
    """Grinds."""

    stones = 2

    # What goes in.
    @property
    def hopper(self):
        text = """

        # not a comment
        def not_a_function(): ...
        """
        if text:
            return 1

        return 2

    def stop(self):
        pass


Mill().stop()
'''

JAVASCRIPT = """\
import { grain } from "grain";

/**
 * Grinds.
 */
@register
export class Mill {
  stones = 2;

  // What goes in.
  @bound
  hopper() {
    const text = `

    class NoClass {
    `;
    return text;
  }

  stop = () => {
    halt();
  };
}

// Shorthand.
const grind = async (corn) => {
  await corn;
};
grind();
"""

TYPESCRIPT = """\
import { grain } from "grain";

/** Turns. */
interface Wheel {
  turn(): void;
  speed: number;
}

@Component({
  selector: "mill",
})
export class Mill implements Wheel {
  stones = 2;

  /** What goes in. */
  @Input()
  hopper(): string {
    const text = `

    class NoClass {
    `;
    return text;
  }
}

type Corn = string;
"""

JAVA = """\
package mills;

import java.util.List;

/**
 * Grinds.
 */
@Entity
@Table(name = "mill")
public class Mill {
    private int stones = 2;

    // What goes in.
    @Override
    @Nullable
    public String hopper() {
        String text = \"\"\"

            class NoClass {
            \"\"\";
        return text;
    }

    enum Grain { RYE, OATS }
}

interface Wheel {
    void turn();
}
"""

GO = """\
package mills

import "fmt"

// Mill grinds.
// It has stones.
type Mill struct {
	stones int
}

const most = 2

// Hopper is what goes in.
//
//go:noinline
func (m *Mill) Hopper() string {
	text := `

func notAFunction() {
`
	return text
}

func main() {
	fmt.Println(most)
}
"""

RUST = """\
//! Mills.

use std::fmt;

/// Grinds.
#[derive(Debug, Clone)]
#[serde(rename = "mill")]
pub struct Mill {
    stones: u8,
}

impl Mill {
    const MOST: u8 = 2;

    /// What goes in.
    #[inline]
    fn hopper(&self) -> &str {
        let text = "

fn not_a_function() {
";
        text
    }
}

#[cfg(test)]
mod tests {}
"""

SOURCES = {
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "typescript": TYPESCRIPT,
    "tsx": TYPESCRIPT,
    "java": JAVA,
    "go": GO,
    "rust": RUST,
}

COARSEST = {
    "python": ["# Turned by water.", "Mill().stop()"],
    "javascript": ["/**", "// Shorthand.", "grind();"],
    "typescript": ["/** Turns. */", "@Component({", "type Corn = string;"],
    "tsx": ["/** Turns. */", "@Component({", "type Corn = string;"],
    "java": ["/**", "interface Wheel {"],
    "go": ["// Mill grinds.", "const most = 2", "// Hopper is what goes in.", "func main() {"],
    "rust": ["/// Grinds.", "impl Mill {", "#[cfg(test)]"],
}

TOGETHER = {
    "python": ["# Or by wind.", "@register", "@cached(", "class Mill:", "@property", "def hopper(self):"],
    "javascript": ["@register", "export class Mill {", "@bound", "hopper() {"],
    "typescript": ["export class Mill implements Wheel {", "@Input()", "hopper(): string {"],
    "tsx": ["export class Mill implements Wheel {", "@Input()", "hopper(): string {"],
    "java": ['@Table(name = "mill")', "public class Mill {", "@Override", "@Nullable", "public String hopper() {"],
    "go": ["// It has stones.", "type Mill struct {", "//go:noinline", "func (m *Mill) Hopper() string {"],
    "rust": ["#[derive(Debug, Clone)]", '#[serde(rename = "mill")]', "pub struct Mill {", "#[inline]", "fn hopper"],
}

MEMBERS = {
    "python": ["# What goes in.", "def stop(self):"],
    "javascript": ["// What goes in.", "stop = () => {"],
    "typescript": ["speed: number;", "/** What goes in. */"],
    "tsx": ["speed: number;", "/** What goes in. */"],
    "java": ["// What goes in.", "enum Grain { RYE, OATS }"],
    "rust": ["/// What goes in."],
}

INSIDE_TEXT = {
    "python": "def not_a_function",
    "javascript": "class NoClass",
    "typescript": "class NoClass",
    "tsx": "class NoClass",
    "java": "class NoClass",
    "go": "func notAFunction",
    "rust": "fn not_a_function",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_coarsest_are_classes_and_functions_with_what_belongs_to_them(language: str) -> None:
    text = SOURCES[language]
    assert lines_at(text, levels(text, language)[0]) == COARSEST[language]


@pytest.mark.parametrize("language", MEMBERS)
def test_members_come_after_what_is_outside(language: str) -> None:
    text = SOURCES[language]
    found = levels(text, language)
    members = place(text, found, MEMBERS[language][0])
    assert members
    assert lines_at(text, found[members]) == MEMBERS[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_decorators_attributes_and_comments_stay_with_what_is_below(language: str) -> None:
    text = SOURCES[language]
    found = levels(text, language)
    assert {place(text, found, line) for line in TOGETHER[language]} == {len(found) - 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_inside_a_string_of_several_lines_is_the_finest(language: str) -> None:
    text = SOURCES[language]
    found = levels(text, language)
    inside = place(text, found, INSIDE_TEXT[language])
    assert inside is not None
    assert inside >= len(found) - 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slice_is_parsed_by_itself(language: str) -> None:
    """As a fence in a document, with characters of several bytes before and in it."""
    text = SOURCES[language].replace("mill", "m\u00fcll\U0001f33e").replace("Mill", "M\u00fchle")
    before, after = "\u05e9\u05dc\u05d5\u05dd \U0001f468\u200d\U0001f469 {([\n```\n", "```\n)]}\n"
    whole = before + text + after
    found = code_levels(whole, len(before), len(before) + len(text), language)
    assert found is not None
    expected = levels(text, language)
    assert [level.tolist() for level in found] == [(level + len(before)).tolist() for level in expected]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_any_line_end(language: str, ending: str) -> None:
    text = SOURCES[language]
    other = text.replace("\n", ending)
    assert [lines_at(text, level) for level in levels(text, language)] == [
        [other[position:].partition(ending)[0].strip() for position in level.tolist()]
        for level in levels(other, language)
    ]


def test_every_line_of_code_can_be_cut_before() -> None:
    for language, text in SOURCES.items():
        every = sorted(position for level in levels(text, language) for position in level.tolist())
        starts = [match.start() for match in re.finditer(r"^[ \t]*\S", text, re.MULTILINE)]
        assert every == starts[1:]


def test_the_first_statement_stays_with_its_head_longer_than_the_next() -> None:
    text = "def grind(corn):\n    first(corn)\n    second(corn)\n    third(corn)\n"
    found = levels(text, "python")
    assert lines_at(text, found[0]) == ["second(corn)", "third(corn)"]
    assert lines_at(text, found[1]) == ["first(corn)"]


def test_statements_below_a_blank_line_come_before_the_others() -> None:
    text = "a = 1\nb = 2\n\nc = 3\nd = 4\n"
    found = levels(text, "python")
    assert [lines_at(text, level) for level in found] == [["c = 3"], ["b = 2", "d = 4"]]


def test_outer_brackets_come_before_inner_ones() -> None:
    text = "x = [\n    [\n        1,\n        2,\n    ],\n    [\n        3,\n    ],\n]\n"
    assert [lines_at(text, level) for level in levels(text, "python")] == [
        ["[", "["],
        ["1,", "2,", "3,"],
        ["],", "],", "]"],
    ]


def test_a_comment_with_a_blank_line_below_belongs_to_nothing() -> None:
    text = "a = 1\n# apart\n\ndef f():\n    pass\n"
    assert lines_at(text, levels(text, "python")[0]) == ["def f():"]


def test_a_comment_at_the_end_of_a_line_belongs_to_that_line() -> None:
    text = "a = 1  # one\ndef f():\n    pass\n"
    assert lines_at(text, levels(text, "python")[0]) == ["def f():"]


def test_an_attribute_belongs_to_what_follows_at_any_distance() -> None:
    text = "fn a() {}\n#[inline]\n\nfn b() {}\n"
    assert lines_at(text, levels(text, "rust")[0]) == ["#[inline]"]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "python",
            "def f():\n    pass\n\nx = (1,\n\ndef g():\n    pass\n\n@d\ndef h():\n    pass\n",
            {"def g():", "@d"},
        ),
        ("javascript", "function f() {\n  a(;\n}\n\n// g\nfunction g() {\n  b();\n}\n", {"// g"}),
        ("java", "class A {\n  void f() { x = ; }\n}\n\n/** B */\nclass B {\n  int x;\n}\n", {"/** B */"}),
        ("go", "func f() {\n\tx := := 1\n}\n\n// g is it.\nfunc g() {\n\ty()\n}\n", {"// g is it."}),
        ("rust", "fn f() {\n    let = 1;\n}\n\n/// g\nfn g() {\n    y();\n}\n", {"/// g"}),
        ("typescript", "function f(: number {\n  a();\n}\n\n@d\nclass B {\n  x: number;\n}\n", {"@d"}),
    ],
)
def test_broken_code_is_still_cut_before_what_is_whole(language: str, text: str, expected: set[str]) -> None:
    assert set(lines_at(text, levels(text, language)[0])) >= expected


def test_what_is_no_code_is_cut_without_the_grammar() -> None:
    text = 'The mill\'s stones, they grind.\nThe (grain) becomes: flour!\n\nAnd "flour" becomes bread.\n  So it is.\n'
    found = levels(text, "python")
    assert [level.tolist() for level in found] == [level.tolist() for level in plain_code_levels(text, 0, len(text))]


# Without a grammar


def test_plain_levels() -> None:
    text = """\
    select grain
      from mill

      where stones = 2
    group by {
      a
    }

    order by stones
"""
    assert [lines_at(text, level) for level in plain_code_levels(text, 0, len(text))] == [
        ["order by stones"],
        ["where stones = 2"],
        ["group by {"],
        ["from mill", "a"],
        ["}"],
    ]


@pytest.mark.parametrize("missing", ["tree_sitter", "tree_sitter_go"])
def test_no_grammar_no_levels(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    grammars.parser.cache_clear()
    monkeypatch.setitem(sys.modules, missing, None)
    assert code_levels(GO, 0, len(GO), "go") is None
    grammars.parser.cache_clear()


def test_an_unknown_language_has_no_levels() -> None:
    assert code_levels("a = 1\nb = 2\n", 0, 12, "cobol") is None


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("python", "python"),
        ("Python3", "python"),
        ("py", "python"),
        (".py", "python"),
        ("pyi", "python"),
        ("js", "javascript"),
        ("jsx", "javascript"),
        (".mjs", "javascript"),
        ("ts", "typescript"),
        ("TypeScript", "typescript"),
        ("tsx", "tsx"),
        ("java", "java"),
        ("golang", "go"),
        ("rs", "rust"),
        ("rust,ignore", "rust"),
        ('js title="mill.js"', "javascript"),
        ("python {.numberLines}", "python"),
        ("{.python .numberLines}", "python"),
        ("{python}", "python"),
        ("language-go", "go"),
        (" \tgo", "go"),
        ("", None),
        ("{}", None),
        ("text", None),
        ("pycon", None),
        ("javadoc", None),
        ("c++", "cpp"),
        ("sh", "bash"),
        ("code", "code"),
        ("cs", None),
        (".cs", "csharp"),
        (".pl", "perl"),
        ("\u05e9", None),
    ],
)
def test_known_language(name: str, language: str | None) -> None:
    assert known_language(name) == language


# Any text

_LINES = st.sampled_from(sorted({line + "\n" for text in SOURCES.values() for line in text.split("\n")}))
_JUNK = st.sampled_from(
    ("\r", "\r\n", "\u0301", "\u200d", "{", "}", '"""', "`", "/*", "(", "\\", "\0", "\u2028", "\x0b\n")
)
_CODE = st.lists(st.one_of(_LINES, _LINES, _JUNK), max_size=40).map("".join)


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=_CODE, data=st.data())
@example(text="\ufeffa\n\u0301b\n", data=None)
def test_levels_of_mixed_code(language: str, text: str, data: st.DataObject | None) -> None:
    start = data.draw(st.integers(0, len(text))) if data else 0
    end = data.draw(st.integers(start, len(text))) if data else len(text)
    found = code_levels(text, start, end, language)
    assert found is not None
    assert_sound(text, start, end, found)
    plain = plain_code_levels(text, start, end)
    assert_sound(text, start, end, plain)
    assert set().union(*(level.tolist() for level in found)) == set().union(*(level.tolist() for level in plain))


@given(piece=slices(), language=st.sampled_from(LANGUAGES))
def test_levels_of_any_text(piece: tuple[str, int, int], language: str) -> None:
    text, start, end = piece
    found = code_levels(text, start, end, language)
    assert found is not None
    assert_sound(text, start, end, found)
    assert_sound(text, start, end, plain_code_levels(text, start, end))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text",
    [
        "(" * 30_000,
        "[\n" * 30_000,
        "[\n" * 20_000 + "]\n" * 20_000,
        "{\n" * 15_000 + "}\n" * 15_000,
        "a<\n" * 15_000,
        "a=>" * 15_000,
        "1a:\n" * 15_000,
        ")!" * 15_000,
        ";(\n" * 15_000,
        "+--+--+\n" * 20_000,
        "\"'`" * 15_000,
        "\\" * 30_000,
        "\0" * 30_000,
        "x" * 200_000,
        " " * 200_000,
        "\n" * 60_000,
        "\r" * 60_000,
        "# a\n" * 15_000,
        "if a:\n" * 20_000,
        "".join(f"{' ' * (depth % 2_000)}if a:\n" for depth in range(2_000)),
    ],
    ids=lambda text: repr(text[:6]),
)
def test_nothing_that_is_no_code_hangs(text: str, language: str) -> None:
    found = code_levels(text, 0, len(text), language)
    assert found is not None
    assert_sound(text, 0, len(text), found[-1:])


def test_a_parse_of_more_steps_than_its_bytes_allow_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the parser goes on with the next text from its start."""
    made = grammars.parser("python")
    assert made is not None
    monkeypatch.setattr(parsing, "_FIRST_STEPS", 0)
    monkeypatch.setattr(parsing, "_STEPS_OF_TEXT", 0)
    assert parsing.syntax_tree(made, PYTHON) is None
    monkeypatch.undo()
    tree = parsing.syntax_tree(made, PYTHON)
    assert tree is not None
    assert not tree.root_node.has_error


def test_a_long_line_hides_no_cut() -> None:
    text = f'data = "{"A" * 100_000}"\n\n\ndef f():\n    return "{"B" * 50_000}"\n\n\ndef g():\n    pass\n'
    assert lines_at(text, levels(text, "python")[0]) == ["def f():", "def g():"]


# Real code

_FENCE = re.compile(r"^( {0,3})(```+|~~~+)[ \t]*([^\n`]*)\n(.*?)^ {0,3}\2[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)


def fences(corpus: str) -> list[tuple[str, int, int, str]]:
    """Documents with the spans of their fences in languages that can be parsed."""
    rows = pq.read_table(shared(f"corpora/{corpus}.parquet"), columns=["format", "text"]).to_pylist()
    found = []
    for text in [row["text"] for row in rows if row["format"] == "markdown" and row["text"]]:
        for match in _FENCE.finditer(text):
            if (language := known_language(match[3])) in LANGUAGES:
                found.append((text, match.start(4), match.end(4), language))
    return found


def check_fences(found: list[tuple[str, int, int, str]]) -> None:
    assert found
    for text, start, end, language in found:
        by_grammar, plain = code_levels(text, start, end, language), plain_code_levels(text, start, end)
        assert by_grammar is not None
        assert_sound(text, start, end, by_grammar)
        assert set().union(*map(set, by_grammar)) == set().union(*map(set, plain))


def test_a_sample_of_the_code_in_markdown_documents() -> None:
    check_fences(fences("docs_markdown")[::20])


@pytest.mark.corpora
@pytest.mark.parametrize("corpus", ["docs_markdown", "multilingual"])
def test_all_code_in_markdown_documents(corpus: str) -> None:
    check_fences(fences(corpus))
