"""Stubs, which describe a module for type checkers beside it."""

import os
import re

from ..answers import Conflict
from .. import refusals
from . import trees as ast
from .classes import Module, parameters
from .source import FUNCTIONS, name_place


def counterparts(path, line, column, name):
    """Where the stub beside a module, or the module beside a stub, declares what is declared at a place."""
    other = path + "i" if path.endswith(".py") else path[:-1]
    if not os.path.isfile(other):
        return []
    modules = [_read(each) for each in (path, other)]
    if None in modules:
        return []
    mine, theirs = modules
    here = [
        way
        for way, node in _ways(mine.tree)
        if way[-1] == name and name_place(mine.lines, node, name) == (line, column)
    ]
    return [(other, *name_place(theirs.lines, node, name)) for way, node in _ways(theirs.tree) if way in here]


def left_behind(places, draft):
    """A stub that still speaks of the name must not be left behind in silence."""
    word, found = re.compile(rf"\b{re.escape(places.old)}\b"), []
    for stub in [path + "i" for path in draft.paths() if path.endswith(".py")]:
        if os.path.isfile(stub) and stub not in draft:
            with open(stub, encoding="utf-8", errors="replace") as stream:
                line, text = next(((at, text) for at, text in enumerate(stream, 1) if word.search(text)), (0, ""))
            if line:
                found.append(Conflict("usage", refusals.STUB_FILE_SAYS.words(text=text.strip()), stub, line))
    return found


def _read(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        text = stream.read()
    try:
        return Module(path, text, ast.parse(text))
    except SyntaxError:
        return None


def _ways(node, way=()):
    """Everything that is declared in a module, by the names that lead to it."""
    for each in node.body:
        for child in [
            each,
            *(n for n in ast.walk(each) if isinstance(each, (ast.If, ast.Try)) and isinstance(n, ast.stmt)),
        ]:
            if isinstance(child, FUNCTIONS + (ast.ClassDef,)):
                yield (*way, child.name), child
                if isinstance(child, ast.ClassDef):
                    yield from _ways(child, (*way, child.name))
                else:
                    yield from (((*way, child.name, a.arg), a) for a in parameters(child))
            elif isinstance(child, (ast.Assign, ast.AnnAssign)):
                for target in child.targets if isinstance(child, ast.Assign) else [child.target]:
                    if isinstance(target, ast.Name):
                        yield (*way, target.id), target
