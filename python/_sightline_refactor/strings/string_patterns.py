"""Strings that are put together, by what they begin and end with."""

import re

from ..project import trees as ast


def pattern_of(node):
    """(beginning, end) of what an expression makes, as far as they are written out; nothing for what makes no string
    that is known to be one.
    """
    if isinstance(node, ast.JoinedStr) and node.values:
        return tuple(each.value if isinstance(each, ast.Constant) else "" for each in (node.values[0], node.values[-1]))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left, True), _text(node.right, False)
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mod)
        and isinstance(node.left, ast.Constant)
        and isinstance(node.left.value, str)
    ):
        return _ends(re.split(r"%\(?\w*\)?[sdr]", node.left.value))
    if (
        isinstance(node, ast.Call)
        and getattr(node.func, "attr", None) == "format"
        and isinstance(getattr(node.func.value, "value", None), str)
    ):
        return _ends(re.split(r"\{[^}]*\}", node.func.value.value))
    return None


def _ends(parts):
    return parts[0], parts[-1]


def _text(node, is_beginning):
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        node = node.left if is_beginning else node.right
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
