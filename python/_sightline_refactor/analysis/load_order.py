"""What a module does while it is loaded, as far as the order matters: a variable whose value comes from a call that
changes something of its module is made at another time once it stands in another one.
"""

from _sightline_debuggee.plainness import MUTATING_METHODS

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..project.source import assigned

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def order_conflicts(tree, nodes, name, path):
    functions = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    variables = {each for n in tree.body for each in assigned(n)}
    touched = {
        each
        for node in nodes
        if not isinstance(node, DEFINITIONS)
        for each in reached(node, functions, variables, changed_by)
    }
    rest = [n for n in tree.body if n not in nodes and not isinstance(n, DEFINITIONS)]
    shared = sorted(
        touched & {each for n in rest for each in reached(n, functions, variables, _read) if each not in assigned(n)}
    )
    return (
        [Conflict("meaning", refusals.OTHER_LOAD_ORDER.words(name=name, other=shared[0]), path, nodes[0].lineno)]
        if shared
        else []
    )


def reached(node, functions, variables, found_in):
    """What a statement does, itself or by the functions of the module that it calls."""
    found, waiting, seen = set(), [node], set()
    while waiting:
        each = waiting.pop()
        found |= found_in(each, variables)
        for call in (n for n in ast.walk(each) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)):
            if call.func.id in functions and call.func.id not in seen:
                seen.add(call.func.id)
                waiting.append(functions[call.func.id])
    return found


def changed_by(node, variables):
    found = {name for n in ast.walk(node) if isinstance(n, ast.Global) for name in n.names}
    for n in ast.walk(node):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in MUTATING_METHODS:
            found.add(getattr(n.func.value, "id", None))  # ty: ignore[invalid-argument-type]
        elif isinstance(n, (ast.Subscript, ast.Attribute)) and isinstance(n.ctx, (ast.Store, ast.Del)):
            found.add(getattr(n.value, "id", None))  # ty: ignore[invalid-argument-type]
    return found & variables


def _read(node, variables):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} & variables
