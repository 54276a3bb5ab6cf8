"""Examples of the rules of `classic`, `uax_url_email`, `letter` and `whitespace`."""

from __future__ import annotations

import pytest

from chunkers.tokenizers import create_tokenizer

EXAMPLES = {
    "classic": {
        "O'Reilly's U.S.A. AT&T a&b&c": ["O'Reilly's", "U.S.A.", "AT&T", "a&b", "c"],
        "ann_b@mail.example.org or docs.example.org.": ["ann_b@mail.example.org", "or", "docs.example.org."],
        "XL-4000/b 12.50 well-known 10,5": ["XL-4000/b", "12.50", "well", "known", "10,5"],
        "\u6f22\u5b57\u304bab \ud55c\uad6d": ["\u6f22", "\u5b57", "\u304b", "ab", "\ud55c\uad6d"],
        "a" * 255 + " " + "b" * 256 + " c": ["a" * 255, "c"],
    },
    "uax_url_email": {
        "see https://example.com/a?b=c#d, ok": ["see", "https://example.com/a?b=c#d,", "ok"],
        "example.com example.notatld x.co y.com": ["example.com", "example.notatld", "x.co", "y.com"],
        "my-host.example.com my-host.example.zzz": ["my-host.example.com", "my", "host.example.zzz"],
        "mailto:ann@example.org bob.b+c@[10.0.0.1]": ["mailto", "ann@example.org", "bob.b+c@[10.0.0.1]"],
        '"two words"@example.org "two words" x@y.org': ['"two words"@example.org', "two", "words", "x@y.org"],
        'x "a\\\nb c"@example.org': ["x", '"a\\\nb c"@example.org'],
        "ftp://a.b/c;type=a file:///etc/x [::1]": ["ftp://a.b/c;type=a", "file:///etc/x", "[::1]"],
        "1-2.com": ["1-2.com"],
        "[::]-\n1-2.com": ["1", "2.com"],
    },
    "letter": {
        "It's 2nd-best e\u0301tude": ["It", "s", "nd", "best", "e", "tude"],
        "a" * 256: ["a" * 255, "a"],
        "a" * 254 + "\U00010400" + "b": ["a" * 254 + "\U00010400", "b"],
    },
    "whitespace": {
        "a\u00a0b\u2007c\u202fd\u0085e f\u2003g\u3000h\x1fi": ["a\u00a0b\u2007c\u202fd\u0085e", "f", "g", "h", "i"],
        "\u200b \ufeff": ["\u200b", "\ufeff"],
    },
}
CASES = [(name, text) for name, examples in EXAMPLES.items() for text in examples]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_examples(name: str, text: str) -> None:
    starts, ends = create_tokenizer(name).spans(text)
    found = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    assert found == EXAMPLES[name][text]
