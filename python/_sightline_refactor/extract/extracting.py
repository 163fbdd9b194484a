"""Extracting functions and variables."""

from dataclasses import replace
import re

from ..answers import Answer, Conflict, Write
from ..requests import ExtractRequest
from .. import refusals
from ..project import trees as ast
from ..check import Exports
from ..project.classes import project_classes
from .duplicates import Duplicates
from ..analysis.effects import called
from .extract_from_header import function_before_class, variable_before, variable_before_statement
from .module_variables import variable_of_module
from .new_function import NewFunction
from .new_variable import NewVariable
from .occurrences import Occurrences
from .boolean_subchain import Regrouped
from .parse_selection import NotWhole, is_shown, is_whole, selected_nodes, shares_brackets, without_cut_comments
from .data_flow import Selection
from ..session import Refused, valid_name
from ..project.source import function_of, header_of, parents_of, scope_of, span
from .source_range import SourceRange
from .string_parts import StringPart


def extract(session, args: ExtractRequest):
    session.refresh()
    resource = session.resource(args.path)
    tree, text = session.parse(resource), resource.read()
    start = session.offset(resource, args.start_line, args.start_column)
    end = session.offset(resource, args.end_line, args.end_column)
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        raise Refused(refusals.EMPTY_RANGE)
    valid_name(args.new_name)
    source = SourceRange(text, tree, *without_cut_comments(text, tree, start, end))
    try:
        return _extracted(session, args, source)
    except NotWhole:
        # What stands side by side in a sum or a condition is a part of it, though not one that the syntax knows.
        part = Regrouped.at(text, tree, source.begin, source.end) if not args.all else None
        if part is None:
            raise
        answer = _extracted(session, args, SourceRange(part.text, part.tree, source.begin, source.end + 2))
        problem = Conflict("meaning", part.problem, args.path, args.start_line)
        conflicts = answer.conflicts + ([problem] if part.problem else [])
        operations = [Write(each.path, part.without_brackets(each.content)) for each in answer.operations]
        return replace(answer, operations=operations, conflicts=conflicts)


def _extracted(session, args: ExtractRequest, source: SourceRange):
    text, tree, what = source.text, source.tree, args.what
    is_text = what == "variable" and args.scope != "module" and not is_whole(tree, text, source.begin, source.end)
    part = StringPart.at(source, args.new_name) if is_text else None
    if part is not None and header_of(tree, part.node) is None:
        _refuse_name_in_use(session, args, tree, part.node)
        place = source.at(*span(text, part.node))
        return _written(args, variable_before_statement(place, part.node, args.new_name, part))
    selected, source = _selected(source, what)
    inside = [node for each in selected for node in ast.walk(each)]
    _refuse_selection(inside, what, args.scope, _becomes_method(tree, selected[0], args.scope))
    _refuse_name_in_use(session, args, tree, selected[0])
    return (_variable if what == "variable" else _function)(session, args, source, selected)


def _selected(source: SourceRange, what):
    """The nodes that are selected, and the range with what belongs to them."""
    text, tree, start, end = source.text, source.tree, source.begin, source.end
    selected = selected_nodes(tree, text, start, end, what)
    if shares_brackets(tree, text, selected[0]):
        start, end = span(text, selected[0])[0] + 1, span(text, selected[0])[1] - 1
    if what == "method" and isinstance(selected[0], ast.expr):
        # An expression that is a statement is taken for one: nobody asks for its value.
        selected = [n for n in ast.walk(tree) if isinstance(n, ast.Expr) and n.value is selected[0]] or selected
    if isinstance(selected[0], ast.stmt):
        # A comment behind the last statement belongs to it.
        end += len(re.match(r"(?:[ \t]*#[^\n]*)?", text[end:]).group())
        # So do the decorators before the first.
        for decorator in getattr(selected[0], "decorator_list", ())[:1]:
            start = min(start, text.rindex("@", 0, span(text, decorator)[0]))
    if isinstance(selected[0], ast.expr) and is_shown(tree, text, selected[0], end):
        raise Refused(refusals.TEXT_SHOWN_BY_F_STRING)
    return selected, source.at(start, end)


def _written(args, content, notes=(), conflicts=()):
    kind = "variable" if args.what == "variable" else "function"
    return Answer([Write(args.path, content)], f"extract {kind} {args.new_name}", list(notes), list(conflicts))


def _variable(_session, args: ExtractRequest, source: SourceRange, selected):
    text, tree, node = source.text, source.tree, selected[0]
    if args.scope == "class":
        raise Refused(refusals.NO_VARIABLE_IN_CLASS)
    header = header_of(tree, node)
    if args.scope == "module" and (header is not None or scope_of(tree, node) is not tree):
        content, hazard = variable_of_module(source.around(node), node, args.new_name, bool(args.all))
        return _written(
            args, content, conflicts=[Conflict("meaning", hazard, args.path, node.lineno)] if hazard else []
        )
    if header is not None:
        return _written(args, variable_before(source, node, header, args.new_name, bool(args.all)))
    occurrences = Occurrences(text, tree, node) if args.all else None
    conflicts = (occurrences or NewVariable(text, tree, node)).conflicts(args.path)
    place = source if shares_brackets(tree, text, node) else source.around(node)
    content = variable_before_statement(place, node, args.new_name, occurrences=occurrences)
    is_once = occurrences is not None and len(occurrences.nodes) > 1
    is_once = is_once and any(isinstance(n, ast.Call) for n in ast.walk(node))
    notes = ["the value comes from a call, which now happens once for all occurrences"] if is_once else []
    return _written(args, content, notes, conflicts)


def _function(session, args: ExtractRequest, source: SourceRange, selected):
    text, tree, to_module = source.text, source.tree, args.scope == "module"
    resource = session.resource(args.path)
    selection = Selection(
        tree, selected, to_module, lambda name: _is_used_elsewhere(session, resource, name), bool(args.keeps_types)
    )
    if isinstance(selection.scope, ast.ClassDef):
        return _written(args, function_before_class(text, tree, selected, selection, args.new_name))
    conflicts = [replace(problem, file=args.path) for problem in selection.problems]
    function = NewFunction(source, selection, args.new_name, to_module)
    if not args.all:
        return _written(args, function.content(), conflicts=conflicts)
    if isinstance(selected[0], ast.Expr) and _is_asked_elsewhere(tree, selected[0].value):
        raise Refused(refusals.VALUE_USED_ELSEWHERE)
    others = Duplicates(function)
    if others.is_outside and args.scope != "class":
        # They are not methods of the same class, and a function of the module is one for all of them.
        return _extracted(session, replace(args, scope="module"), source)
    messages = [refusals.DUPLICATE_NEEDS_OTHERS.words()] if others.is_other else []
    messages += [refusals.DUPLICATE_BEFORE_DEFINITION.words()] if others.is_early else []
    conflicts += [Conflict("meaning", message, args.path, selected[0].lineno) for message in messages]
    return _written(args, function.content(others.edits), conflicts=conflicts)


def _refuse_selection(inside, what, scope, is_in_class):
    if what == "variable":
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inside):
            raise Refused(refusals.SELECTS_YIELD)
        if any(isinstance(n, ast.NamedExpr) for n in inside):
            raise Refused(refusals.SELECTS_WALRUS)
        return
    if any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in inside):
        raise Refused(refusals.IMPORTS_EVERYTHING)
    if scope == "module" and any(
        name.startswith("__") and not name.endswith("__")
        for n in inside
        for name in [getattr(n, "attr", getattr(n, "id", ""))]
    ):
        raise Refused(refusals.SELECTS_PRIVATE_MEMBER)
    if any(
        isinstance(n, ast.Name) and n.id in (("locals",) if is_in_class else ("super", "__class__", "locals"))
        for n in inside
    ):
        raise Refused(refusals.SELECTS_SUPER_OR_LOCALS)
    looking = next(
        (
            n
            for n in inside
            if isinstance(n, ast.Call)
            and (
                called(n) in ("_getframe", "currentframe")
                or isinstance(n.func, ast.Name)
                and (n.func.id in ("eval", "exec") and len(n.args) == 1 or n.func.id in ("vars", "dir") and not n.args)
            )
        ),
        None,
    )
    if looking is not None:
        raise Refused(refusals.SELECTS_FRAME_CALL, function=called(looking))


def _becomes_method(tree, node, scope):
    """Whether the function around is a method that has an object or a class, as the new one will."""
    function = function_of(tree, node)
    return (
        scope != "module"
        and isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        and isinstance(parents_of(tree)[function], ast.ClassDef)
        and not any(getattr(d, "id", None) == "staticmethod" for d in function.decorator_list)
    )


def _refuse_name_in_use(session, args: ExtractRequest, tree, node):
    """The new name must be free where it is going to stand and where it is going to be used."""
    new, what, scope = args.new_name, args.what, args.scope
    function = function_of(tree, node)
    home = scope_of(tree, node) if what == "variable" and scope != "module" else tree
    owner = scope_of(tree, function) if function is not None and not isinstance(function, ast.Lambda) else tree
    is_method = what != "variable" and scope != "module" and isinstance(owner, ast.ClassDef)
    if is_method:
        taken = (
            any(getattr(n, "name", None) == new for n in owner.body)
            or any(isinstance(n, ast.Attribute) and n.attr == new for n in ast.walk(owner))
            or any(
                isinstance(n, ast.Name) and n.id == new and isinstance(n.ctx, ast.Store)
                for s in owner.body
                for n in ast.walk(s)
                if isinstance(s, (ast.Assign, ast.AnnAssign))
            )
        )
        owner_line = project_classes(session, new, session.resource(args.path).real_path, owner.name, owner.lineno)
        if any(True for each in owner_line for _ in each.members(new)):
            raise Refused(refusals.MEMBER_IN_FAMILY, name=owner.name, other=new)
    else:
        if what == "variable" and function is not None and scope != "module":
            home = function
        taken = any(
            isinstance(n, ast.Name)
            and n.id == new
            or getattr(n, "name", None) == new
            or getattr(n, "asname", None) == new
            or isinstance(n, ast.arg)
            and n.arg == new
            for n in ast.walk(home)
            if n is not home
        )
    if taken:
        raise Refused(refusals.NAME_IN_USE, name=new)


def _is_asked_elsewhere(tree, value):
    """Whether something that is written the same but for its names is not a statement elsewhere."""

    def form(node):
        return re.sub(r"(id|arg)='\w+'", r"\1", ast.dump(node))

    alone = {n.value for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    alike = [n for n in ast.walk(tree) if type(n) is type(value) and n not in alone and form(n) == form(value)]
    return any(not isinstance(n, ast.Call) or ast.dump(n.func) == ast.dump(value.func) for n in alike)


def _is_used_elsewhere(session, resource, name):
    """Whether another module of the project takes a variable of this one."""
    exports = Exports(session.root, {})
    for other, _text, tree in session.trees(name):
        if other != resource and any(
            isinstance(n, ast.ImportFrom)
            and any(a.name in (name, "*") for a in n.names)
            and exports.source_of(other.real_path, n) == resource.real_path
            or isinstance(n, ast.Attribute)
            and n.attr == name
            for n in ast.walk(tree)
        ):
            return True
    return False
