"""Extracting a value to a variable of the module, which is computed once, as the module is loaded."""

from .. import refusals
from ..project import trees as ast
from ..analysis.kinds import EFFECTS, NEW_OBJECTS
from ..project.imports import after_imports
from ..project.layout import joined, outdented
from ..project.names import module_of
from ..session import Refused
from .source_range import SourceRange
from ..project.source import around, edited, line_start, parents_of, span


def variable_of_module(source: SourceRange, node, name, everywhere):
    """The text with a value given a name at the head of the module, and what that would change."""
    text, tree, begin, end = source.text, source.tree, source.begin, source.end
    uses = {(u.line, u.column): u for u in module_of(text).uses}
    reads = {n.id: uses.get((n.lineno, n.col_offset)) for n in ast.walk(node) if isinstance(n, ast.Name)}
    for read, use in reads.items():
        if use is None or use.binding not in ("", "builtin"):
            raise Refused(refusals.READS_NO_MODULE_VARIABLE, name=read)
    own = {read for read, use in reads.items() if use.binding == ""}
    parents = parents_of(tree)
    top = next(n for n in tree.body if any(node is each for each in ast.walk(n)))
    chosen = [n for n in ast.walk(tree) if _is_same(n, node, parents, uses)] if everywhere else [node]
    edits = [(*span(text, n), name) for n in chosen if n is not node] + [(begin, end, name)]
    value = joined(outdented(text, begin, end))
    value = f"({value})" if isinstance(node, ast.GeneratorExp) and not value.startswith("(") else value
    first = min(
        [n.lineno for n in tree.body if any(c is x for c in chosen for x in ast.walk(n))]
        + [d.lineno for d in getattr(top, "decorator_list", ())]
    )
    line = first if own else min(after_imports(text), first)
    at = line_start(text, line)
    rest = text[at:].lstrip("\n")
    behind = (
        "\n\n\n"
        if rest.startswith(("def ", "class ", "async ", "@"))
        else "\n\n"
        if text[at:].startswith("\n")
        else "\n"
    )
    head = "\n" if at and line == after_imports(text) and not text[:at].endswith("\n\n") and not own else ""
    edits.append((at, at + len(text[at:]) - len(rest), f"{head}{name} = {value}{behind}"))
    return edited(text, edits), _hazards(tree, node, own, uses)


def _is_same(other, node, parents, uses):
    if (
        type(other) is not type(node)
        or ast.dump(other) != ast.dump(node)
        or any(isinstance(n, ast.JoinedStr) for n in around(parents, other))
    ):
        return other is node
    parent = parents.get(other)
    if (
        isinstance(parent, ast.Expr)
        or type(parent).__name__.startswith("Match")
        or any(
            other is each
            for n in around(parents, other)
            for part in (getattr(n, "annotation", None), getattr(n, "returns", None))
            if part is not None
            for each in ast.walk(part)
        )
    ):
        return other is node
    return all(
        uses[(n.lineno, n.col_offset)].binding in ("", "builtin")
        for n in ast.walk(other)
        if isinstance(n, ast.Name) and (n.lineno, n.col_offset) in uses
    )


def _hazards(tree, node, own, uses):
    if any(isinstance(n, (*EFFECTS, ast.Attribute, ast.Subscript)) for n in ast.walk(node)):
        return refusals.COMPUTED_AS_MODULE_LOADS.words()
    if any(isinstance(n, NEW_OBJECTS) for n in ast.walk(node)):
        return refusals.ONE_SHARED_OBJECT.words()
    stores = [
        n.id
        for n in ast.walk(tree)
        if isinstance(n, ast.Name)
        and n.id in own
        and not isinstance(n.ctx, ast.Load)
        and getattr(uses.get((n.lineno, n.col_offset)), "binding", "") == ""
    ]
    stores += [each for n in ast.walk(tree) if isinstance(n, ast.Global) for each in n.names if each in own]
    again = next((name for name in stores if stores.count(name) > 1), None)
    return refusals.ASSIGNED_MORE_THAN_ONCE.words(name=again) if again else None
