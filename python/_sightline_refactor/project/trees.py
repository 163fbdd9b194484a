"""The standard `ast`, save that a text is parsed once and a scope is walked once, however often it is asked for:
reading a project is what refactorings spend their time on. Trees are shared, so nobody changes one; `fresh` gives one
to change.
"""

import ast as _ast
import collections
from ast import *  # noqa: F403
from itertools import chain

# Trees of texts that no module of the project has, such as what a change would make of one. A tree takes forty times
# the room of its text.
MAX_CHARACTERS = 2_000_000

_SCOPES = (_ast.Module, _ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)
_texts = collections.OrderedDict()
_size = 0
# Trees that a session holds for as long as its modules do not change, by their texts.
_held = {}

fresh = _ast.parse


def parse(text, filename="<unknown>", mode="exec"):
    global _size
    if mode != "exec" or not isinstance(text, str):
        return _ast.parse(text, filename, mode)
    tree = _held.get(text)
    if tree is not None:
        return tree
    tree = _texts.get(text)
    if tree is not None:
        _texts.move_to_end(text)
        return tree
    tree = _ast.parse(text, filename)
    _texts[text] = tree
    _size += len(text)
    while _size > MAX_CHARACTERS and len(_texts) > 1:
        _size -= len(_texts.popitem(last=False)[0])
    return tree


def hold(text, tree):
    """A module of a session has this tree. Equal texts of two modules have a tree each; the first stands for both."""
    _held.setdefault(text, tree)


def release(text, tree):
    if _held.get(text) is tree:
        del _held[text]


def walk(node):
    """All nodes below and itself, in the order of `ast.walk`."""
    if not isinstance(node, _SCOPES):
        return iter(_nodes(node))
    known = node.__dict__.get("sightline_nodes")
    if known is None:
        known = node.sightline_nodes = _nodes(node)[1:]
    return chain((node,), known)


def _nodes(node):
    found = [node]
    for each in found:
        for name in each._fields:
            value = getattr(each, name, None)
            if isinstance(value, _ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [item for item in value if isinstance(item, _ast.AST)]
    return found
