"""Extractions that rope does not know: from the body of a class, and from what stands in the head of a function or
class.
"""

from .. import refusals
from ..project import trees as ast
from ..project.layout import dedented, indented, joined, outdented
from ..session import Refused
from .source_range import SourceRange
from ..project.source import beside, edited, header_of, indent_of, is_elif, line_start, parents_of, span


def variable_before(source: SourceRange, node, definition, name, everywhere):
    """The text with a value given a name before the definition in whose head it stands."""
    text, tree = source.text, source.tree
    parents = parents_of(tree)
    outside = [n for n in ast.walk(definition) if ast.dump(n) == ast.dump(node) and header_of(tree, n) is definition]
    chosen = outside if everywhere else [node]
    decorators = definition.decorator_list
    acts = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)
    earlier = [
        n
        for d in decorators
        for n in ast.walk(d)
        if isinstance(n, acts) and (n.end_lineno, n.end_col_offset) <= (node.lineno, node.col_offset)
    ]
    if earlier and any(isinstance(n, acts) for n in ast.walk(node)):
        raise Refused(refusals.DECORATOR_COMES_FIRST)
    if isinstance(parents.get(definition), ast.ClassDef) and any(isinstance(n, ast.Lambda) for n in ast.walk(node)):
        raise Refused(refusals.BECOMES_ATTRIBUTE)
    first = min([d.lineno for d in decorators] + [definition.lineno])
    at = line_start(text, first)
    indent = text[at : at + len(text[at:]) - len(text[at:].lstrip(" \t"))]
    value = indented(joined(outdented(text, *span(text, node))), indent).removeprefix(indent)
    edits = [(*span(text, n), name) for n in chosen]
    return edited(text, [*edits, (at, at, f"{indent}{name} = {value}\n")])


def variable_before_statement(source: SourceRange, node, name, part=None, occurrences=None):
    """The text with a value, or a part of a string, given a name before the statement in which it stands, or before the
    first of its occurrences; the source holds it with its parentheses.
    """
    text, tree, begin, end = source.text, source.tree, source.begin, source.end
    parents, statement = parents_of(tree), node
    while not isinstance(statement, ast.stmt):
        statement = parents[statement]
    others = [n for n in occurrences.nodes if n is not node] if occurrences is not None else []
    value = joined(outdented(text, begin, end)) if part is None else part.value
    value = f"({value})" if isinstance(node, ast.GeneratorExp) and not value.startswith("(") else value
    places = [(begin, end), *(span(text, n) for n in others)]
    edits = [(*place, beside(text, *place, name)) for place in places] if part is None else part.edits
    if (
        isinstance(statement, ast.Expr)
        and statement.value is node
        and part is None
        and (not others or statement is occurrences.statement)
    ):
        return edited(
            text,
            [
                (begin, end, indented(f"{name} = {value}", own := indent_of(text, statement.lineno)).removeprefix(own)),
                *edits[1:],
            ],
        )
    first = occurrences.statement if others else statement
    while is_elif(text, first):
        first = parents[first]
    at = span(text, first)[0]
    indent = text[line_start(text, first.lineno) : at]
    if not indent.strip():
        return edited(
            text, [*edits, (at, at, indented(f"{name} = {value}", indent).removeprefix(indent) + f"\n{indent}")]
        )
    if not isinstance(
        first, (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Assert, ast.Delete)
    ):
        raise Refused(refusals.SHARES_ITS_LINE)
    return edited(text, [*edits, (at, at, f"{name} = {value}; ")])


def function_before_class(text, tree, selected, selection, name):
    """The text with statements or an expression of a class body made a function that stands before the class."""
    home = selection.scope
    parents = parents_of(tree)
    while isinstance(parents.get(home), ast.ClassDef):
        home = parents[home]
    first = min([d.lineno for d in home.decorator_list] + [home.lineno])
    at = line_start(text, first)
    indent = text[at : at + len(text[at:]) - len(text[at:].lstrip(" \t"))]
    call = f"{name}({', '.join(selection.arguments)})"
    begin, finish = span(text, selected[0])[0], span(text, selected[-1])[1]
    if selection.is_expression:
        body = f"return {joined(outdented(text, begin, finish))}"
        new = call
    else:
        start = line_start(text, selected[0].lineno)
        if text[start:begin].strip():
            raise Refused(refusals.SHARES_ITS_LINE)
        body = "\n".join(dedented(text, begin, finish))
        # Whatever is assigned is an attribute of the class, which may be needed anywhere.
        given = ", ".join(selection.returns)
        body += f"\nreturn {given}" if given else ""
        new = f"{given} = {call}" if given else call
    definition = indented(f"def {name}({', '.join(selection.arguments)}):\n{indented(body, '    ')}\n", indent)
    blank = "\n\n" if not indent else "\n"
    return edited(text, [(begin, finish, new), (at, at, definition + blank)])
