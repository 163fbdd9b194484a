"""Classes that a call makes, with the names of their fields in strings: `Point = namedtuple("Point", "x y")`. They are
told as class statements whose members stand where the strings say them.
"""

import re

from . import trees as ast
from .source import span

NAMED = {
    "namedtuple": "NamedTuple",
    "NamedTuple": "NamedTuple",
    "make_dataclass": "NamedTuple",
    "TypedDict": "TypedDict",
    "Enum": "Enum",
    "IntEnum": "Enum",
    "StrEnum": "Enum",
    "Flag": "Flag",
    "IntFlag": "Flag",
}


def made_classes(text, nodes, parents):
    """(call, class) of each."""
    if not any(f"{each}(" in text for each in NAMED):
        return
    for call in nodes:
        kind = (
            NAMED.get(ast.unparse(call.func).split(".")[-1])
            if isinstance(call, ast.Call) and len(call.args) + len(call.keywords) > 1
            else None
        )
        if (
            kind is not None
            and call.args
            and isinstance(call.args[0], ast.Constant)
            and isinstance(call.args[0].value, str)
        ):
            parent = parents.get(call)
            target = (
                next((t for t in parent.targets if isinstance(t, ast.Name)), None)
                if isinstance(parent, ast.Assign)
                else None
            )
            yield call, _class(text, call, target.id if target is not None else call.args[0].value, kind)


def _class(text, call, name, kind):
    fields = [
        each
        for argument in [
            *call.args[1:2],
            *(k.value for k in call.keywords if k.arg in ("field_names", "fields", "names")),
        ]
        for each in _fields(text, argument)
    ]
    body = [
        ast.AnnAssign(
            target=target, annotation=ast.copy_location(ast.Constant(value=None), target), value=None, simple=1
        )
        for target in fields
    ]
    for statement in body:
        ast.copy_location(statement, statement.target)
    made = ast.ClassDef(
        name=name,
        bases=[ast.copy_location(ast.Name(id=kind, ctx=ast.Load()), call)],
        keywords=[],
        body=body,  # ty: ignore[invalid-argument-type]
        decorator_list=[],
    )
    return ast.copy_location(made, call)


def _fields(text, argument):
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        for word in argument.value.replace(",", " ").split():
            yield from _said(text, argument, word)
    for each in (
        argument.elts
        if isinstance(argument, (ast.List, ast.Tuple))
        else argument.keys
        if isinstance(argument, ast.Dict)
        else ()
    ):
        first = each.elts[0] if isinstance(each, (ast.List, ast.Tuple)) and each.elts else each
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.isidentifier():
            yield from _said(text, first, first.value)


def _said(text, string, word):
    """The name as a target that stands where the string says it."""
    begin, finish = span(text, string)
    found = [begin + each.start() for each in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text[begin:finish])]
    if len(found) == 1:
        line = text.count("\n", 0, found[0]) + 1
        start = text.rfind("\n", 0, found[0]) + 1
        column = len(text[start : found[0]].encode())
        yield ast.Name(
            id=word,
            ctx=ast.Store(),
            lineno=line,
            col_offset=column,
            end_lineno=line,
            end_col_offset=column + len(word.encode()),
        )
