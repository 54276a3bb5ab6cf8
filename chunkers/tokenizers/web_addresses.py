"""The grammar of URLs, hosts and e-mail addresses in Lucene's `uax_url_email` tokenizer.

RFC 3986 and RFC 5321, with host names only in the top-level domains that IANA listed on 4 December
2021 (top_level_domains.txt). Upper and lower case are the same.
"""

from __future__ import annotations

import enum
import importlib.resources

from chunkers.tokenizers.expressions import Expression, Symbols, one_of, parse, words

_IPV6 = "|".join(
    [
        "(hex ':'){6} last",
        "'::' (hex ':'){5} last",
        *(f"((hex ':'){{0,{n}}} hex)? '::' (hex ':'){{{4 - n}}} last" for n in range(5)),
        "((hex ':'){0,5} hex)? '::' hex",
        "((hex ':'){0,6} hex)? '::'",
    ]
)

_HOST_RULES = (
    ("label", "[A-Za-z0-9] ([-A-Za-z0-9]* [A-Za-z0-9])?"),
    ("labels", "label ('.' label)*"),
    ("octet", "'0'{0,2} [0-9] | '0'? [1-9] [0-9] | '1' [0-9] [0-9] | '2' ([0-4] [0-9] | '5' [0-5])"),
    ("ipv4", "octet ('.' octet){3}"),
    ("hex", "[0-9A-Fa-f]{1,4}"),
    ("last", "ipv4 | hex ':' hex"),
    ("address", f"'[' ({_IPV6}) ']' | ipv4"),
    ("domain", "labels '.' top_level '.'?"),
    ("host", "address | domain"),
)

_RULES = (
    ("any_host", "address | labels"),
    ("escaped", "'%' [0-9A-Fa-f] [0-9A-Fa-f]"),
    ("user", "([-._~A-Za-z0-9!$&'()*+,;=] | escaped)*"),
    ("login", "user (':' user)? '@'"),
    ("port", "':' [0-9]{1,5}"),
    ("rest", "([-._~A-Za-z0-9!$&'()*+,;=:@/?] | escaped)*"),
    ("query", "'?' rest"),
    ("fragment", "'#' rest"),
    ("path", "('/' ([-._~A-Za-z0-9;:@&=] | escaped)*)+"),
    ("web", "'http' 's'? '://' login? any_host port? path? query? fragment?"),
    ("bare", "host (port path? query? fragment? | path query? fragment? | query fragment? | fragment)"),
    ("file_path", "('/' ([-._~A-Za-z0-9?:@&=] | escaped)*)+"),
    ("ftp", "'ftp://' login? any_host port? file_path (';type=' [aAiIdD])? fragment?"),
    ("file", "'file://' any_host? file_path fragment?"),
    ("url", "web | bare | ftp | file"),
    ("quoted", r"[\"] ([\x01-\x08\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7e] | [\\] [\x00-\x7f])* [\"]"),
    # RFC 5321 has no comma here, and dots only one by one; Lucene 9.9.1 takes both as it takes letters.
    ("local", r"[A-Za-z0-9!#$%&'*+,\-./=?\^_`{|}~]+ | quoted"),
    ("literal", r"'[' ([\x01-\x08\x0b\x0c\x0e-\x5a\x5e-\x7f] | [\\] [\x00-\x7f])* ']'"),
    ("email", "local ('.' local)* '@' (domain | literal)"),
)


class Match(enum.Enum):
    """What a rule's match is."""

    TOKEN = "all of it is a token"
    BUT_LAST = "all but its last character is a token"
    MAILTO = "its first six characters are a token"
    NO_HOST = "no token: what looks like a host here is read as words"


Rules = list[tuple[Expression, Match]]


def address_rules(word: Symbols, anything: Symbols) -> tuple[Rules, Rules]:
    """The usual rules by rank, and those where what looks like a host is read as words.

    `word` is what may not follow a host (letters, digits, marks, low lines), the hyphen aside;
    `anything` are all symbols.
    """
    top_levels = (importlib.resources.files("chunkers.tokenizers") / "top_level_domains.txt").read_bytes().split()
    follows = word | {ord("-")}
    names = _host_names(top_levels) | {"follows": one_of(follows), "else": one_of(anything - follows)}
    for name, text in _RULES:
        names[name] = parse(text, names)
    urls = [(names["url"], Match.TOKEN), (parse("host else", names), Match.BUT_LAST)]
    emails = [(parse("'mailto:' email", names), Match.MAILTO), (names["email"], Match.TOKEN)]
    hosts: Rules = []
    for group in _groups(top_levels):
        names |= _host_names(group)
        hosts += [(parse("host follows", names), Match.NO_HOST), (names["host"], Match.TOKEN)]
    return urls + hosts + emails, urls + emails


def _host_names(top_levels: list[bytes]) -> dict[str, Expression]:
    names: dict[str, Expression] = {"top_level": words(frozenset(top_levels))}
    for name, text in _HOST_RULES:
        names[name] = parse(text, names)
    return names


def _groups(top_levels: list[bytes]) -> list[list[bytes]]:
    """Top-level domains by how much shorter they are than one that they begin (com, co: 0, 1).

    Lucene has a rule for each group, so that of `example.com` not only `example.co` is taken.
    """
    known = frozenset(top_levels)
    groups: dict[bytes, int] = {}
    for name in sorted(top_levels, key=len, reverse=True):
        for shorter in range(len(name)):
            prefix = name[: len(name) - shorter]
            if prefix not in known or prefix in groups:
                break
            groups[prefix] = shorter
    return [[name for name, group in groups.items() if group == wanted] for wanted in sorted(set(groups.values()))]
