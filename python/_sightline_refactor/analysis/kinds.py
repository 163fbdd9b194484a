"""Kinds of expressions: what may do something, what makes something new, who uses it up at once."""

from ..project import trees as ast

EFFECTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
NEW_OBJECTS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
# These use up a generator before they return.
EAGER = {
    "sum",
    "any",
    "all",
    "list",
    "tuple",
    "set",
    "frozenset",
    "dict",
    "max",
    "min",
    "sorted",
    "join",
    "len",
    "next",
}
