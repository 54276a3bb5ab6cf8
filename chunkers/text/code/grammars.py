"""The languages that can be parsed, and what their grammars call the things that cuts go by.

Grammars come from the wheels of the tree-sitter project, one a language, all of them in the extra
`code`. They are imported when a language is first met, and kept for the process.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser


@dataclass(frozen=True, slots=True)
class Grammar:
    """Node types of one grammar.

    `definitions` are classes, functions and their like. `holders` are one if the last thing in them is:
    `const f = () => ...`. What stands in `bodies` are statements and members. `wrappers` and `clauses`
    are part of the statement around them and no level of nesting of their own. `opaque` nodes have
    lines of text in them, not of code. `attached` ones belong to what comes after them.
    """

    module: str
    function: str
    definitions: frozenset[str]
    bodies: frozenset[str]
    holders: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    clauses: frozenset[str] = frozenset()
    opaque: frozenset[str] = frozenset({"comment", "string"})
    attached: frozenset[str] = frozenset({"comment"})
    closings: frozenset[str] = frozenset()


def _types(names: str) -> frozenset[str]:
    return frozenset(names.split())


_JAVASCRIPT = Grammar(
    "tree_sitter_javascript",
    "language",
    definitions=_types(
        "function_declaration generator_function_declaration class_declaration method_definition"
        " class_static_block function_expression generator_function arrow_function class"
    ),
    holders=_types(
        "export_statement lexical_declaration variable_declaration variable_declarator expression_statement"
        " assignment_expression field_definition pair"
    ),
    bodies=_types("program statement_block class_body switch_body"),
    wrappers=_types("export_statement"),
    clauses=_types("else_clause catch_clause finally_clause"),
    opaque=_types("comment string template_string html_comment"),
    attached=_types("comment html_comment decorator"),
    closings=_types("jsx_closing_element"),
)


def _typescript(function: str) -> Grammar:
    """TypeScript is JavaScript and more."""
    return Grammar(
        "tree_sitter_typescript",
        function,
        definitions=_JAVASCRIPT.definitions
        | _types(
            "abstract_class_declaration interface_declaration enum_declaration type_alias_declaration"
            " internal_module module function_signature method_signature abstract_method_signature"
        ),
        holders=_JAVASCRIPT.holders | _types("ambient_declaration public_field_definition"),
        bodies=_JAVASCRIPT.bodies | _types("interface_body object_type enum_body"),
        wrappers=_JAVASCRIPT.wrappers | _types("ambient_declaration"),
        clauses=_JAVASCRIPT.clauses,
        opaque=_JAVASCRIPT.opaque,
        attached=_JAVASCRIPT.attached,
        closings=_JAVASCRIPT.closings,
    )


GRAMMARS: dict[str, Grammar] = {
    "python": Grammar(
        "tree_sitter_python",
        "language",
        definitions=_types("function_definition class_definition decorated_definition"),
        bodies=_types("module block"),
        wrappers=_types("decorated_definition"),
        clauses=_types("else_clause elif_clause except_clause except_group_clause finally_clause"),
    ),
    "javascript": _JAVASCRIPT,
    "typescript": _typescript("language_typescript"),
    "tsx": _typescript("language_tsx"),
    "java": Grammar(
        "tree_sitter_java",
        "language",
        definitions=_types(
            "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration"
            " method_declaration constructor_declaration compact_constructor_declaration static_initializer"
        ),
        bodies=_types(
            "program block class_body interface_body enum_body enum_body_declarations annotation_type_body"
            " constructor_body switch_block"
        ),
        clauses=_types("catch_clause finally_clause"),
        opaque=_types("line_comment block_comment string_literal"),
        attached=_types("line_comment block_comment"),
    ),
    "go": Grammar(
        "tree_sitter_go",
        "language",
        definitions=_types("function_declaration method_declaration type_declaration"),
        bodies=_types("source_file block statement_list field_declaration_list interface_type"),
        opaque=_types("comment raw_string_literal interpreted_string_literal"),
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        "language",
        definitions=_types(
            "function_item function_signature_item struct_item enum_item union_item impl_item trait_item mod_item"
            " macro_definition type_item"
        ),
        bodies=_types("source_file block declaration_list field_declaration_list enum_variant_list match_block"),
        clauses=_types("else_clause"),
        opaque=_types("line_comment block_comment string_literal raw_string_literal"),
        attached=_types("line_comment block_comment attribute_item"),
    ),
}

_OLDEST = (0, 26, 1)
"""The version before it crashes."""


@functools.cache
def parser(language: str) -> Parser | None:
    """The parser of a language by its canonical name; None when its grammar is not installed."""
    grammar = GRAMMARS.get(language)
    if grammar is None:
        return None
    try:
        from tree_sitter import Language, Parser

        module = importlib.import_module(grammar.module)
    except ImportError:
        return None
    version = importlib.metadata.version("tree-sitter")
    if tuple(map(int, version.split(".")[:3])) < _OLDEST:
        return None
    return Parser(Language(getattr(module, grammar.function)()))


def installed_languages() -> list[str]:
    """The languages whose grammars are installed."""
    return [language for language in GRAMMARS if parser(language) is not None]
