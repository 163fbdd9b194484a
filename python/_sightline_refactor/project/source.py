"""Texts and their syntax trees: where a node stands, what surrounds it, and whether something can stand in its
place.
"""

import functools
import os
import re

from ..requests import Place
from . import trees as ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

ATOMS = (
    ast.Name,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.Call,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.JoinedStr,
)


# How tightly operators hold; what is no operator holds tightest.
_BINARY = {
    ast.BitOr: 5,
    ast.BitXor: 6,
    ast.BitAnd: 7,
    ast.LShift: 8,
    ast.RShift: 8,
    ast.Add: 9,
    ast.Sub: 9,
    ast.Mult: 10,
    ast.Div: 10,
    ast.FloorDiv: 10,
    ast.Mod: 10,
    ast.MatMult: 10,
    ast.Pow: 12,
}
_CONDITIONAL, _OR, _AND, _NOT, _COMPARISON, _SIGN, _POWER, _AWAIT, _ATOM = 1, 2, 3, 3.5, 4, 11, 12, 13, 14


def _strength(value):
    if isinstance(value, ast.BinOp):
        return _BINARY[type(value.op)]
    if isinstance(value, ast.BoolOp):
        return _OR if isinstance(value.op, ast.Or) else _AND
    if isinstance(value, ast.UnaryOp):
        return _NOT if isinstance(value.op, ast.Not) else _SIGN
    found = {ast.Compare: _COMPARISON, ast.IfExp: _CONDITIONAL, ast.Await: _AWAIT}.get(type(value))
    return found if found is not None else _ATOM if isinstance(value, ATOMS) else 0


def _needed(parent, use):
    """How tightly a value must hold together to stand there without parentheses and mean the same."""
    if isinstance(parent, ast.BinOp):
        own = _BINARY[type(parent.op)]
        if isinstance(parent.op, ast.Pow):
            return _AWAIT if use is parent.left else _SIGN
        return own if use is parent.left else own + 1
    if isinstance(parent, ast.UnaryOp):
        return _NOT if isinstance(parent.op, ast.Not) else _SIGN
    if isinstance(parent, ast.Compare):
        return _COMPARISON + 1
    if isinstance(parent, ast.BoolOp):
        return _AND if isinstance(parent.op, ast.Or) else _NOT
    if isinstance(parent, ast.IfExp):
        return _CONDITIONAL if use is parent.orelse else _OR
    if isinstance(parent, ast.comprehension):
        return _OR
    if (
        isinstance(parent, ast.Call)
        and use is not parent.func
        or isinstance(parent, ast.Subscript)
        and use is parent.slice
    ):
        return _CONDITIONAL
    return _CONDITIONAL if isinstance(parent, ENCLOSING) else _ATOM


ENCLOSING = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Return,
    ast.Expr,
    ast.keyword,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Dict,
    ast.If,
    ast.While,
    ast.Assert,
    ast.For,
    ast.ListComp,
    ast.SetComp,
    ast.GeneratorExp,
    ast.DictComp,
    ast.Slice,
    ast.FormattedValue,
)


def fits(value, parent, use):
    """Whether a value can stand there as it is."""
    if isinstance(value, ast.Constant) and isinstance(parent, ast.Attribute) and isinstance(value.value, (int, float)):
        return False
    if isinstance(value, ast.Lambda):
        return (
            isinstance(
                parent, (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr, ast.keyword, ast.List, ast.Tuple, ast.Set)
            )
            or isinstance(parent, ast.Call)
            and use is not parent.func
        )
    return _strength(value) >= _needed(parent, use)


def assigned(node):
    if isinstance(node, ast.Assign):
        return [t.id for t in node.targets if isinstance(t, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


@functools.lru_cache(maxsize=8)
def _lines(text):
    lines, starts = text.split("\n"), [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return lines, starts


def span(text, node):
    lines, starts = _lines(text)
    return (
        starts[node.lineno - 1] + chars(lines[node.lineno - 1], node.col_offset),
        starts[node.end_lineno - 1] + chars(lines[node.end_lineno - 1], node.end_col_offset),
    )


def chars(line, column):
    return column if line.isascii() else len(line.encode()[:column].decode(errors="ignore"))


def scope_of(tree, node):
    found = tree
    for each in ast.walk(tree):
        if (
            isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and each is not node
            and any(node is inner for inner in ast.walk(each))
        ):
            if found is tree or each.lineno >= found.lineno:
                found = each
    return found


def function_of(tree, node):
    found = None
    for each in ast.walk(tree):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and any(
            node is inner for inner in ast.walk(each)
        ):
            if found is None or each.lineno >= found.lineno:
                found = each
    return found


def in_loop(scope, use, node):
    for each in ast.walk(scope):
        if isinstance(
            each, (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
        ):
            if any(use is inner for inner in ast.walk(each)) and not any(node is inner for inner in ast.walk(each)):
                if not (
                    isinstance(each, (ast.For, ast.AsyncFor)) and any(use is inner for inner in ast.walk(each.iter))
                ):
                    return True
    return False


def is_next(scope, node, use):
    for each in ast.walk(scope):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(each, field, None)
            if isinstance(body, list) and node in body:
                index = body.index(node)
                following = body[index + 1] if index + 1 < len(body) else None
                if following is None or not isinstance(
                    following, (ast.Expr, ast.Assign, ast.Return, ast.AugAssign, ast.AnnAssign)
                ):
                    return False
                inside = [n for n in ast.walk(following)]
                if not any(use is n for n in inside):
                    return False
                lazy = [
                    n
                    for n in inside
                    if isinstance(
                        n,
                        (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
                    )
                ]
                if any(use is n for each_lazy in lazy for n in ast.walk(each_lazy)):
                    return False
                # Calls that are complete before the use is reached would now come before the value.
                return not any(
                    isinstance(n, (ast.Call, ast.Await))
                    and (n.end_lineno, n.end_col_offset) <= (use.lineno, use.col_offset)
                    for n in inside
                )
    return False


def taken_from(session, path):
    """What other modules import from one, or ask it for."""
    stem = os.path.splitext(os.path.basename(path))[0]
    module = os.path.basename(os.path.dirname(path)) if stem == "__init__" else stem
    taken = set()
    for resource, _text, tree in session.trees(module):
        if resource.real_path == path:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module is None or node.module.split(".")[-1] == module):
                taken.update(each.name for each in node.names)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
                owner = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
                if owner == module:
                    taken.add(node.attr)
    return taken


def without_unused_imports(before, after, kept=frozenset()):
    """Takes out imports that only the deleted code used, but for those that others take from here."""
    tree, now = _used_names(after)
    _, then = _used_names(before)
    lines, gone = after.split("\n"), set()
    for block, node in reversed(list(_top_imports(tree))):
        if getattr(node, "module", None) == "__future__":
            continue
        idle = [
            a
            for a in node.names
            if a.name != "*"
            and (a.asname or a.name) not in kept
            and (a.asname or a.name).split(".")[0] not in now
            and (a.asname or a.name).split(".")[0] in then
        ]
        if not idle:
            continue
        keep = [a for a in node.names if a not in idle]
        at = node.lineno - 1
        others = [each for each in block.body if each is not node and id(each) not in gone]
        if not keep and isinstance(block, ast.If) and not others and not block.orelse:
            # What made it needed goes with it.
            lines[block.lineno - 1 : block.end_lineno] = []
            return without_unused_imports(before, "\n".join(lines), kept)
        if not keep and (isinstance(block, ast.Module) or others):
            lines[at : node.end_lineno] = []
            gone.add(id(node))
            # What stood alone between blank lines leaves no gap.
            if 0 < at < len(lines) and not lines[at - 1].strip() and not lines[at].strip():
                del lines[at - 1]
        elif keep and not any("#" in each for each in lines[at : node.end_lineno]):
            lines[at : node.end_lineno] = _import_lines(lines[at : node.end_lineno], node, keep)
    content = "\n".join(lines)
    return content if before.startswith("\n") or after.startswith("\n") else content.lstrip("\n")


def _used_names(text):
    tree = ast.parse(text)
    loads = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    described = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    # Annotations may be strings, and `__all__` holds names.
    strings = (
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in described and len(n.value) < 200
    )
    return tree, loads.union(*map(_names_in_expression, strings))


def _names_in_expression(text):
    """A sentence that has a name among its words does not use it."""
    try:
        return {n.id for n in ast.walk(ast.fresh(text.strip())) if isinstance(n, ast.Name)}
    except (SyntaxError, ValueError):
        return set()


def _top_imports(tree):
    """The imports of a module with what they stand in, those for type checkers included."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield tree, node
        elif isinstance(node, ast.If) and ast.unparse(node.test).split(".")[-1] == "TYPE_CHECKING":
            for each in node.body:
                if isinstance(each, (ast.Import, ast.ImportFrom)):
                    yield node, each


def _import_lines(written, node, keep):
    names = [a.name + (f" as {a.asname}" if a.asname else "") for a in keep]
    indent = re.match(r"\s*", written[0]).group()
    head = "import " if isinstance(node, ast.Import) else f"from {'.' * node.level}{node.module or ''} import "
    if len(written) == 1:
        return [indent + head + ", ".join(names)]
    inner = re.match(r"\s*", written[1]).group() or indent + "    "
    return [f"{indent}{head}(", *(f"{inner}{each}," for each in names), f"{indent})"]


def parents_of(tree):
    return {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}


def block_of(tree, node):
    """The list of statements that a statement is part of."""
    for each in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers"):
            body = getattr(each, field, None)
            if isinstance(body, list) and node in body:
                return body
    return []


def edited(text, edits):
    """The text with (start, end, new) put in; edits must not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def line_start(text, line):
    """The offset at which a line (from 1) begins."""
    at = 0
    for _ in range(line - 1):
        at = text.index("\n", at) + 1
    return at


def indent_of(text, line):
    """The space before the first word of a line."""
    return re.compile(r"[ \t]*").match(text, line_start(text, line)).group()


def utf16_column(line, column):
    """The column (from 1, in UTF-16 units) of a column of a syntax tree (from 0, in bytes)."""
    return (
        column + 1
        if line.isascii()
        else len(line.encode()[:column].decode(errors="ignore").encode("utf-16-le")) // 2 + 1
    )


def byte_column(line, column):
    """The column of a syntax tree (from 0, in bytes) of a column (from 1, in UTF-16 units)."""
    return (
        column - 1
        if line.isascii()
        else len(line.encode("utf-16-le")[: (column - 1) * 2].decode("utf-16-le", "ignore").encode())
    )


def name_place(lines, node, name):
    """Where the name that a node declares stands: (line, column)."""
    if isinstance(node, ast.Attribute):
        return node.end_lineno, utf16_column(lines[node.end_lineno - 1], node.end_col_offset - len(name.encode()))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        line = lines[node.lineno - 1]
        found = re.compile(rf"\b{re.escape(name)}\b").search(line, chars(line, node.col_offset) + len("def"))
        column = len(line[: found.start()].encode()) if found else node.col_offset
        return node.lineno, utf16_column(line, column)
    return node.lineno, utf16_column(lines[node.lineno - 1], node.col_offset)


def place_at(resource, offset):
    text = resource.read()
    start = text.rfind("\n", 0, offset) + 1
    column = len(text[start:offset].encode("utf-16-le")) // 2 + 1
    return Place(resource.real_path, text.count("\n", 0, offset) + 1, column)


def last_line(lines, node):
    """The last line of a function or class, with the comments below it that stand as deep as its body; of another
    statement its own.
    """
    end = last = node.end_lineno
    while (
        isinstance(node, (*FUNCTIONS, ast.ClassDef))
        and last < len(lines)
        and (not lines[last].strip() or lines[last].lstrip().startswith("#"))
    ):
        last += 1
        if lines[last - 1].strip() and len(lines[last - 1]) - len(lines[last - 1].lstrip()) <= node.col_offset:
            break
        end = last if lines[last - 1].strip() else end
    return end


def around(parents, node):
    """The nodes that a node is part of, from the inside out."""
    while node in parents:
        node = parents[node]
        yield node


def header_of(tree, node):
    """The function or class in whose head an expression stands: a default value, a base, a decorator."""
    parents, each = parents_of(tree), node
    while each in parents and not isinstance(each, ast.stmt):
        parent = parents[each]
        if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return parent
        if isinstance(parent, (ast.Lambda, ast.arg)):
            return None
        each = parent
    return None


def is_elif(text, node):
    return isinstance(node, ast.If) and text[span(text, node)[0] :].startswith("elif")


def beside(text, begin, end, name):
    """A name for the place of something that may stand right beside a word."""
    before, after = (" " if re.match(r"\w", text[at : at + 1]) else "" for at in (begin - 1, end))
    return f"{before if begin else ''}{name}{after}"


def own_nodes(nodes):
    """The nodes inside, without those of functions and classes defined there."""
    found, waiting = [], list(nodes)
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += [
            n for n in ast.iter_child_nodes(node) if not isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef))
        ]
    return found
