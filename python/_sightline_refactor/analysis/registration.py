"""Whether loading a module tells somebody else of what is defined there."""

import os

from ..check import Exports
from ..project import trees as ast
from ..project.imports import meanings
from ..project.source import assigned
from .load_order import changed_by

# What these metaclasses do concerns the class alone.
PLAIN_METACLASSES = {"ABCMeta", "EnumMeta", "EnumType", "type"}


def is_registered(session, path, nodes):
    """Whether loading its module tells somebody else of it, who would never hear of it if nobody loaded it."""
    if any(isinstance(node, ast.ClassDef) and _tells_base(session, node) for node in nodes):
        return True
    return any(
        _registers(session, path, decorator) for node in nodes for decorator in getattr(node, "decorator_list", ())
    )


def _tells_base(session, node):
    classes = {
        n.name: n
        for _path, _text, tree in session.parsed("class")
        for n in ast.walk(tree)
        if isinstance(n, ast.ClassDef)
    }
    waiting, seen = [ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases], set()
    while waiting:
        base = classes.get(waiting.pop())
        if base is None or base.name in seen:
            continue
        seen.add(base.name)
        if any(getattr(n, "name", None) == "__init_subclass__" for n in base.body) or any(
            k.arg == "metaclass" and ast.unparse(k.value).split(".")[-1] not in PLAIN_METACLASSES for k in base.keywords
        ):
            return True
        waiting += [ast.unparse(each).split("[")[0].split(".")[-1] for each in base.bases]
    return False


def _registers(session, path, decorator):
    while isinstance(decorator, ast.Call):
        decorator = decorator.func
    names = ast.unparse(decorator).split(".")
    exports = Exports(session.root, {})
    module, original = meanings(exports, path)[0].get(names[0], (path, names[0]))
    if original is None and len(names) > 1:
        module, original, names = exports.module_of(path, module) or module, names[1], names[1:]
    text = exports.text(module) if os.path.isabs(module) else None
    body = ast.parse(text).body if text else []
    node = next((n for n in body if getattr(n, "name", None) == original or original in assigned(n)), None)
    variables = {each for n in body for each in assigned(n)}
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return bool(changed_by(node, variables))
    if isinstance(node, ast.ClassDef):
        method = next((n for n in node.body if getattr(n, "name", None) == names[-1]), None)
        return method is not None and bool(changed_by(method, variables)) or _stores_in_class(method)
    # A method of an object that the module has: it keeps what it is given.
    return node is not None and len(names) > 1


def _stores_in_class(method):
    return method is not None and any(
        isinstance(n, ast.Subscript)
        and isinstance(n.ctx, ast.Store)
        and isinstance(n.value, ast.Attribute)
        or isinstance(n, ast.Call)
        and isinstance(n.func, ast.Attribute)
        and isinstance(n.func.value, ast.Attribute)
        for n in ast.walk(method)
    )
