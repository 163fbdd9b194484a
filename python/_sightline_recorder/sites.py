"""The statements of a file that may write what a watch names, told from its text.

A site is (kind, base): `name` stores a variable, `attribute` stores base.name, `content` may change in place whatever
base is (an element stored, a method that changes its object, an argument of a call).
"""

import ast

from . import sources
from _sightline_debuggee.plainness import MUTATING_METHODS

from .targets import index, is_path, path_text

_STORES = (ast.Store, ast.Del)


class Site(object):
    __slots__ = ("line", "last", "kind", "base", "name", "key", "is_change", "is_made")

    def __init__(self, extent, kind, base, name, key=None, is_change=False):
        self.line, self.last = extent
        self.kind = kind
        # The node of the path to read, or None for a variable.
        self.base = base
        self.name = name
        # Of an element that is stored: the node of its index.
        self.key = key
        self.is_made = False
        # Of a call: whether it is a method that changes built-in containers.
        self.is_change = is_change

    @property
    def text(self):
        if self.kind == "name":
            return self.name
        return "%s.%s" % (path_text(self.base), self.name) if self.kind == "attribute" else path_text(self.base)


def of(source):
    """Every site of a file; kept with it."""
    found = getattr(source, "sites", None)
    if found is None:
        found = source.sites = []
        for node in ast.walk(source.tree):
            if isinstance(node, ast.stmt) and not isinstance(
                node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
            ):
                made = sources.is_made(node)
                for site in _of_statement(node, source):
                    site.is_made = made and (site.kind != "content" or site.key is not None)
                    found.append(site)
    return found


def _of_statement(node, source):
    extent = source.statements.get(node.lineno)
    if extent is None:
        return
    for part in _own_parts(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, _STORES):
            yield Site(extent, "name", None, part.id)
        elif isinstance(part, ast.Attribute) and isinstance(part.ctx, _STORES) and is_path(part.value):
            yield Site(extent, "attribute", part.value, part.attr)
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, _STORES) and is_path(part.value):
            yield Site(extent, "content", part.value, None, key=index(part))
        elif isinstance(part, ast.Call):
            for site in _of_call(part, extent):
                yield site
        elif type(part).__name__ == "ExceptHandler" and part.name:
            yield Site((part.lineno, part.lineno), "name", None, part.name)
        elif type(part).__name__ == "alias":
            yield Site(extent, "name", None, (part.asname or part.name).split(".")[0])
    if isinstance(node, ast.AugAssign) and is_path(node.target):
        # `items += [1]` changes the list itself.
        yield Site(extent, "content", node.target, None, is_change=True)


def _of_call(call, extent):
    function = call.func
    if isinstance(function, ast.Name) and function.id in ("setattr", "delattr") and len(call.args) > 1:
        name = call.args[1]
        text = getattr(name, "value", None) or getattr(name, "s", None)
        if isinstance(text, str) and is_path(call.args[0]):
            yield Site(extent, "attribute", call.args[0], text)
            return
    if isinstance(function, ast.Attribute) and is_path(function.value):
        yield Site(extent, "content", function.value, None, is_change=function.attr in MUTATING_METHODS)
    for argument in call.args:
        if is_path(argument):
            yield Site(extent, "content", argument, None)


def _own_parts(node):
    """The parts of a statement that are not statements, nor the body of a function inside it."""
    waiting = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, ast.Lambda):
            continue
        waiting.extend(child for child in ast.iter_child_nodes(part) if not isinstance(child, ast.stmt))
