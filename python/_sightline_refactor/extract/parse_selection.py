"""What a selection is: one expression, or statements of one block."""

import io
import re
import tokenize

from .. import refusals
from ..project import trees as ast
from ..session import Refused
from ..project.source import line_start, span


class NotWhole(Refused):
    """The selection cuts something in two."""


def selected_nodes(tree, text, start, end, what):
    """The expression or the statements that the selection is; anything else is refused."""
    while text[start] == "(" and text[end - 1] == ")":
        if any(span(text, n) == (start, end) for n in ast.walk(tree) if isinstance(n, ast.expr)):
            break
        try:
            ast.parse(f"({text[start + 1 : end - 1]}\n)", mode="eval")
        except SyntaxError:
            break
        start, end = start + 1, end - 1
        while text[start].isspace():
            start += 1
        while text[end - 1].isspace():
            end -= 1
    for node in ast.walk(tree):
        # The only argument of a call may be a generator without parentheses of its own.
        if isinstance(node, ast.GeneratorExp) and span(text, node) == (start - 1, end + 1):
            return [node]
        if (
            isinstance(node, ast.expr)
            and span(text, node) == (start, end)
            and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
            and not isinstance(node, (ast.Slice, ast.Starred))
            and _is_written_so(node, text[start:end])
        ):
            return [node]
    if what == "variable":
        raise NotWhole(refusals.NOT_WHOLE_EXPRESSION, nearest=_nearest(tree, text, start, end, ast.expr))
    # Comments before the first statement and after the last may be part of it.
    first = last = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            begin, finish = span(text, node)
            if start <= begin and finish <= end:
                first = node if first is None or begin < span(text, first)[0] else first
                last = node if last is None or finish > span(text, last)[1] else last
    block = _block(tree, first) if first is not None else []
    chosen = [n for n in block if start <= span(text, n)[0] and span(text, n)[1] <= end]
    rest = (
        text[start:end]
        if not chosen
        else text[start : span(text, chosen[0])[0]] + text[span(text, chosen[-1])[1] : end]
    )
    rest = re.sub(r"@[^\n]*", "", rest) if chosen and getattr(chosen[0], "decorator_list", None) else rest
    if not chosen or re.sub(r"#[^\n]*", "", rest).strip(" \t\n;\\"):
        raise NotWhole(refusals.NOT_WHOLE_STATEMENTS, nearest=_nearest(tree, text, start, end, ast.stmt))
    return chosen


def shares_brackets(tree, text, node):
    """Whether a generator stands in the brackets of the call that it is the only argument of."""
    return isinstance(node, ast.GeneratorExp) and any(
        isinstance(n, ast.Call) and node in n.args and span(text, n)[1] == span(text, node)[1] for n in ast.walk(tree)
    )


def is_whole(tree, text, start, end):
    return any(
        isinstance(n, ast.expr) and span(text, n) == (start, end) and _is_written_so(n, text[start:end])
        for n in ast.walk(tree)
    )


def _nearest(tree, text, start, end, kind):
    """What could be selected instead, as the end of a sentence."""
    around = [
        n for n in ast.walk(tree) if isinstance(n, kind) and span(text, n)[0] <= start and end <= span(text, n)[1]
    ]
    if kind is ast.expr:
        node = min(
            (
                n
                for n in around
                if isinstance(getattr(n, "ctx", None), (ast.Load, type(None))) and not isinstance(n, ast.Slice)
            ),
            key=lambda n: span(text, n)[1] - span(text, n)[0],
            default=None,
        )
        if node is None or node.lineno != node.end_lineno:
            return ""
        column = start - line_start(text, node.lineno) - (start - span(text, node)[0]) + 1
        return f"; `{text[slice(*span(text, node))]}` at line {node.lineno}, column {column} is one"
    # The statements of the innermost block that the selection touches.
    blocks = [
        getattr(n, field)
        for n in [tree, *around]
        for field in ("body", "orelse", "finalbody")
        if isinstance(getattr(n, field, None), list)
    ]
    touched = [[n for n in block if span(text, n)[0] < end and start < span(text, n)[1]] for block in blocks]
    whole = min(
        (block for block in touched if block and span(text, block[0])[0] <= start and span(text, block[-1])[1] >= end),
        key=lambda block: span(text, block[-1])[1] - span(text, block[0])[0],
        default=None,
    )
    return "" if whole is None else f"; lines {whole[0].lineno} to {whole[-1].end_lineno} are"


def is_shown(tree, text, node, end):
    """Whether an expression stands in an f-string that shows what is written there: `f"{x=}"`."""
    return any(
        isinstance(n, ast.FormattedValue)
        and any(node is each for each in ast.walk(n.value))
        and re.match(r"[^{}\"']*?(?<![=!<>])=\s*[!:}]", text[end:])
        for n in ast.walk(tree)
    )


def _is_written_so(node, source):
    """Whether a text stands by itself for a value, which a part of a string does not."""
    try:
        return not isinstance(node, ast.Constant) or ast.literal_eval(f"({source})") == node.value or node.value is ...
    except (SyntaxError, ValueError):
        return False


def _block(tree, node):
    for each in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(each, field, None)
            if isinstance(body, list) and node in body:
                return body
    return []


def without_cut_comments(text, tree, start, end):
    """A comment is selected whole or not at all: what begins or ends inside one is moved, and one behind an expression
    stays where it is.
    """
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        begin = line_start(text, token.start[0]) + token.start[1]
        finish = begin + len(token.string)
        if begin < start < finish and not text[line_start(text, token.start[0]) : begin].strip():
            start = begin
        if begin < end <= finish:
            before = len(text[:begin].rstrip())
            if start < before and is_whole(tree, text, start, before):
                return start, before
            end = finish
    return start, end
