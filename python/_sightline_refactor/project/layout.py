"""How code stands on its lines: what may be on one, and how far to the right the others begin."""

import functools
import io
import re
import tokenize

from .. import refusals
from ..project import trees as ast
from ..session import Refused


def joined(source):
    """An expression on one line, unless comments or strings have lines of their own, or brackets hold many lines
    together.
    """
    if "\n" not in source:
        return source
    is_enclosed = source[0] in "([{" and source[-1] in ")]}"
    if not is_joinable(source) or is_enclosed and source.count("\n") >= 2:
        return source if is_enclosed or is_complete(source) else f"({source})"
    lines = [line.rstrip().removesuffix("\\").strip() for line in source.split("\n")]
    return functools.reduce(
        lambda before, line: (
            before
            + ("" if before.endswith(("(", "[", "{")) or line.startswith((".", ")", "]", "}", ",")) else " ")
            + line
        ),
        lines,
    )


def is_joinable(source):
    """Whether the ends of its lines mean nothing."""
    tokens = list(tokenize.generate_tokens(io.StringIO(f"({source}\n)").readline))
    return not any(
        t.type == tokenize.COMMENT or t.type != tokenize.ENDMARKER and t.start[0] != t.end[0] and t.string.strip()
        for t in tokens
    )


def inside_strings(source):
    """The lines that begin inside a string."""
    found, started = set(), []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind = tokenize.tok_name[token.type]
            if kind in ("FSTRING_START", "TSTRING_START"):
                started.append(token.start[0])
            elif kind in ("FSTRING_END", "TSTRING_END"):
                found |= set(range(started.pop() + 1, token.end[0] + 1))
            elif token.type == tokenize.STRING:
                found |= set(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        raise Refused(refusals.LINES_UNCLEAR) from None
    return found


def comments_in(source):
    """The comments in a piece of code."""
    try:
        return [
            token.string
            for token in tokenize.generate_tokens(io.StringIO(f"({source}\n)").readline)
            if token.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError, IndentationError):
        raise Refused(refusals.COMMENTS_UNCLEAR) from None


def dedented(text, begin, end):
    """The lines from one place to another without the indentation that the first has; what stands inside strings is
    left alone.
    """
    indent = re.match(r"[ \t]*", text[text.rfind("\n", 0, begin) + 1 :]).group()
    head = f"if 1:\n{indent}" if indent else ""
    kept = {number - head.count("\n") for number in inside_strings(head + text[begin:end] + "\n")}
    return [
        line
        if number == 1 or number in kept
        else line.removeprefix(indent)
        if line.startswith(indent) and line.strip()
        else line.lstrip()
        for number, line in enumerate(text[begin:end].split("\n"), 1)
    ]


def outdented(text, begin, end):
    """An expression without the indentation of the line in which it begins."""
    return nearer(text[begin:end], re.match(r"[ \t]*", text[text.rfind("\n", 0, begin) + 1 :]).group())


def nearer(source, indent):
    """An expression from a line that is indented so, without that indentation; what stands inside strings is left
    alone.
    """
    if "\n" not in source:
        return source
    kept = inside_strings(f"({source}\n)")
    return "\n".join(
        line
        if number == 1 or number in kept
        else line.removeprefix(indent)
        if line.startswith(indent)
        else line.lstrip()
        for number, line in enumerate(source.split("\n"), 1)
    )


def further(source, indent):
    """An expression for a line that is indented so: its other lines go along, but for those inside strings."""
    if "\n" not in source:
        return source
    kept = inside_strings(f"({source}\n)")
    return "\n".join(
        line if number == 1 or number in kept or not line.strip() else indent + line
        for number, line in enumerate(source.split("\n"), 1)
    )


def indented(source, indent):
    """Each line further to the right, but for those inside strings."""
    kept = inside_strings(source)
    return "\n".join(
        line if number in kept or not line.strip() else indent + line
        for number, line in enumerate(source.split("\n"), 1)
    )


def is_complete(source):
    """Whether an expression stands by itself; what was in parentheses may have lines that end in the middle of it."""
    if "\n" not in source:
        return True
    try:
        ast.parse(source, mode="eval")
    except SyntaxError:
        return False
    return True
