"""Inlining functions: a call becomes what the function is."""

import argparse
import collections
import datetime
import io
import logging
import pathlib
import queue
import re
import subprocess
import threading
from dataclasses import dataclass
from typing import Any

from rope.contrib import findit

from ..answers import InlineAnswer, Write
from ..requests import InlineRequest, Place
from .. import refusals
from ..project import trees as ast
from ..project import names
from ..check import Exports
from ..analysis.removal import without_export, without_import
from .inline_expression import Called, Inlined, value_of, without_function
from .f_strings import for_f_string
from ..families.families import Family
from ..project.imports import Missing, after_imports, module_aliases
from .inline_statements import InlinedBody
from ..strings.getattr_literals import reached_by_name
from ..session import Refused, Session, offsets
from ..project.source import FUNCTIONS, around, chars, edited, line_start, name_place, parents_of, span


# What tests and scripts are often given without a type: a member that these have may be theirs.
OFTEN_UNTYPED = (
    pathlib.Path,
    io.StringIO,
    datetime.datetime,
    datetime.timedelta,
    re.Pattern,
    re.Match,
    collections.deque,
    collections.Counter,
    threading.Thread,
    logging.Logger,
    queue.Queue,
    subprocess.Popen,
    argparse.ArgumentParser,
)


def _expression(text):
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except SyntaxError:
        return None


def inline_function(session, tool, args: InlineRequest):
    node, text = tool.node, tool.resource.read()
    summary = f"inline function {args.name}"
    function = next(
        (
            n
            for n in ast.walk(session.parse(tool.resource))
            if isinstance(n, FUNCTIONS) and (n.name, n.lineno) == (node.name, node.lineno)
        ),
        None,
    )
    _refuse_function(node)
    places = findit.find_occurrences(session.project, tool.resource, _name_offset(text, function), unsure=False)
    found = {(o.resource.real_path, o.offset) for o in places} | offsets(session, args.sure)
    if tool.is_method:
        family = Family(
            session, node.name, [(tool.resource.real_path, *name_place(text.split("\n"), function, node.name))]
        )
        if len(family.places) > 1:
            raise Refused(refusals.OVERRIDES)
        named = reached_by_name(session, node.name)
        if named and args.all is not False:
            raise Refused(
                refusals.NAMED_BY_STRING, name=node.name, line=named[0].line, path=session.relative(named[0].file)
            )
        unsure = _unsure(session, node.name, found) if args.all is not False else {}
        if unsure and not args.asked:
            return InlineAnswer([], summary, unsure=list(unsure.values()))
        left = sorted(unsure.keys() - offsets(session, args.denied))
        if left and not (family.is_unique and not any(hasattr(each, node.name) for each in OFTEN_UNTYPED)):
            return _kept(_Task(session, args, tool.resource, function, found, True), [unsure[each] for each in left])
        # Nothing else in the project is called so, nor in the types of the language.
        found |= set(left)
    return InlineAnswer(_replaced(_Task(session, args, tool.resource, function, found)), summary)


def _kept(task: "_Task", unknown):
    """What is used on something of unknown type may be the method: the calls that are known are inlined, and the method
    stays for the others.
    """
    session, name = task.session, task.node.name
    shown = [f"line {each.line} of {session.relative(each.path)}" for each in unknown]
    operations = _replaced(task)
    if not operations:
        raise Refused(refusals.CALLED_ON_UNKNOWN_TYPE, name=name, other=shown[0])
    more = f" and {len(shown) - 1} more" if len(shown) > 1 else ""
    return InlineAnswer(
        operations,
        f"inline the known calls of {name}",
        [f'"{name}" stays: the type of what it is used on is not known on {shown[0]}{more}'],
    )


def _unsure(session, name, found):
    """Where something of that name is used of which it is not known whether it is the method: somebody who knows types
    is asked about these.
    """
    places = {}
    for path, text, tree in session.parsed(name):
        for node in (n for n in ast.walk(tree) if name in text and isinstance(n, ast.Attribute) and n.attr == name):
            key = (path, span(text, node)[1] - len(name))
            line, column = name_place(text.split("\n"), node, name)
            if key not in found:
                places[key] = Place(path, line, column)
    return places


@dataclass(frozen=True)
class _Task:
    """The function in its module, and the places where it is used; `keeps` when it stays all the same."""

    session: Session
    args: InlineRequest
    home: Any
    node: Any
    found: set[tuple[str, int]]
    keeps: bool = False

    def owner(self):
        """The class that it is a method of."""
        for each in ast.walk(self.session.parse(self.home)):
            if isinstance(each, ast.ClassDef) and any(
                (m.lineno, getattr(m, "name", "")) == (self.node.lineno, self.node.name) for m in each.body
            ):
                return each
        return None

    def pointed_at(self):
        """(path, offset) of the one use that is meant; nothing when all are."""
        if self.args.all is not False:
            return None
        resource = self.session.resource(self.args.path)
        return resource.real_path, self.session.offset(resource, self.args.line, self.args.column)


def _replaced(task: _Task):
    """The changed files: each call becomes the expression that the function is, or else its statement becomes the
    body.
    """
    node, home = task.node, task.home.real_path
    text, name = task.home.read(), node.name
    value, offset, at = value_of(text, node), _name_offset(text, node), task.pointed_at()
    begin, finish = span(text, node.body[0])[0], span(text, node.body[-1])[1]
    if any(
        path == home and begin <= place < finish and not _is_prefix(text, place, name) for path, place in task.found
    ):
        raise Refused(refusals.CALLS_ITSELF)
    stored = {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)} & {
        a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)
    }
    if value is not None and stored:
        raise Refused(refusals.ASSIGNS_PARAMETER)
    operations, is_called = [], False
    for path in sorted({path for path, _ in task.found} if at is None else {at[0]}):
        there = task.session.resource(path)
        places = {each for other, each in task.found if other == path} - ({offset} if path == home else set())
        content, called = _inlined_in(task, there, value, places)
        is_called = is_called or called
        if content != there.read():
            operations.append(Write(path, content))
    if not is_called and not task.keeps and (value is not None or at is not None):
        raise Refused(refusals.NEVER_CALLED, name=name) if at is None else Refused(refusals.POINT_AT_USE)
    return operations


def _inlined_in(task: _Task, resource, value, places):
    """The text of a file with the calls replaced, and whether there were any."""
    if value is None:
        return _inlined_as(InlinedBody, task, resource, value, places)
    try:
        return _inlined_as(Inlined, task, resource, value, places)
    except Refused as refusal:
        # What cannot stand in the place of a call may be computed before its statement.
        try:
            return _inlined_as(InlinedBody, task, resource, value, places)
        except Refused:
            raise refusal from None


def _inlined_as(form, task: _Task, resource, value, places):
    text, node, name, is_home = resource.read(), task.node, task.node.name, resource == task.home
    tree, owner = _tree_of_calls(task, resource, places), task.owner()
    parents = parents_of(tree)
    function = node
    if is_home:
        same = (n for n in ast.walk(tree) if isinstance(n, FUNCTIONS) and (n.name, n.lineno) == (name, node.lineno))
        function = next(same, node)
    classes = {n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef)} | ({owner.name} if owner else set())
    called = Called(
        function,
        task.home.read(),
        value,
        parents.get(function) if is_home and owner is not None else owner,
        lambda source: source.split(".")[-1] in classes,
        lambda each: _is_new_object(task.session, each),
    )
    inlined = form(called, text, tree)
    imports = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.ImportFrom)
        and any(a.name == name for a in n.names)
        and any(span(text, n)[0] <= place < span(text, n)[1] for place in places)
    ]
    calls = _calls(task, resource, tree, places, imports)
    edits = _imports_for(task, resource, inlined, calls, imports) if not is_home else []
    if task.pointed_at() is not None:
        return _with_calls(inlined, text, parents, calls, edits), bool(calls)
    content = _with_calls(
        inlined, text, parents, calls, [without_function(text, tree, function)] if is_home and not task.keeps else edits
    )
    if not is_home and owner is None:
        content = without_import(content, name)
    if is_home:
        content = without_export(content, name)
    if content.endswith("\n\n") and not text.endswith("\n\n"):
        content = content.rstrip("\n") + "\n"
    return content, bool(calls)


def _tree_of_calls(task: _Task, resource, places):
    """The tree of a file in which every use that is a call is one, also where a property is read or a call awaited."""
    text, node = resource.read(), task.node
    if not is_property(node) and not isinstance(node, ast.AsyncFunctionDef):
        return task.session.parse(resource)
    tree = ast.fresh(text)
    if is_property(node):
        _PropertyCalls(text, node.name, places).visit(tree)
    if isinstance(node, ast.AsyncFunctionDef):
        _AwaitedCalls(text, node.name, places).visit(tree)
    return tree


def _calls(task: _Task, resource, tree, places, imports):
    """The calls that are meant; that it is used otherwise than by calling it is refused."""
    text, name, at = resource.read(), task.node.name, task.pointed_at()
    imported = [span(text, n) for n in imports]
    aliases = {a.asname for n in imports for a in n.names if a.name == name and a.asname}
    left = {
        place
        for place in places
        if not _is_prefix(text, place, name) and not any(begin <= place < end for begin, end in imported)
    }
    left |= {span(text, n)[0] for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in aliases}
    calls = []
    for each in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
        called = getattr(each.func, "id", getattr(each.func, "attr", ""))
        end = span(text, each.func)[1]
        place = end - len(called)
        if place in left and called in {name, *aliases} and text[place:].startswith(called):
            left.discard(place)
            calls += [each] if at is None or place <= at[1] <= end else []
    if left:
        line = text.count("\n", 0, min(left)) + 1
        raise Refused(refusals.NOT_ONLY_CALLED, name=name, line=line, path=resource.path)
    if isinstance(task.node, ast.AsyncFunctionDef):
        _refuse_unawaited(calls, parents_of(tree))
    return calls


def _is_prefix(text, place, name):
    """The letter before the quotes of a string is no name."""
    return text[place + len(name) : place + len(name) + 1] in ("'", '"')


def _imports_for(task: _Task, resource, inlined, calls, imports):
    """The edits by which a file has the names that the function reads in its own: imported beside the function, or
    through its module.
    """
    session, home = task.session, task.home
    theirs, mine = names.module_of(home.read()).module_names, names.module_of(resource.read()).module_names
    hidden = inlined.free & names.BUILTINS - theirs & mine
    if calls and hidden:
        raise Refused(refusals.MEANS_OTHER_IN_FILE, name=sorted(hidden)[0], path=resource.path)
    missing = Missing(session, home.real_path, resource.real_path)
    # What the module itself defines is reached the way the function was; what it imports is imported.
    inlined.outer = inlined.free & theirs - missing.imported
    is_qualified = inlined.owner is None and all(isinstance(call.func, ast.Attribute) for call in calls)
    if not calls:
        return []
    if not is_qualified:
        _refuse_changing(session, home, inlined.free & theirs - missing.imported)
    inlined.itself = (
        inlined.free & module_aliases(session, home.real_path, session.parse(home), resource.real_path, False).keys()
    )
    missing.need(
        (inlined.free & theirs & missing.imported if is_qualified else inlined.free & theirs) - inlined.itself,
        may_rename=True,
    )
    lines, inlined.renamed = missing.lines, missing.renamed
    if missing.guarded:
        raise Refused(refusals.READS_TYPE_CHECKING_IMPORT)
    text = inlined.text
    if inlined.owner is not None or is_qualified:
        exports = Exports(session.root, {})
        if (
            lines
            and home.real_path not in exports.imported(resource.real_path)
            and exports.reaches(home.real_path, resource.real_path)
        ):
            raise Refused(refusals.IMPORT_EACH_OTHER, path=resource.path, other_path=home.path)
        at = line_start(text, after_imports(text))
        return [(at, at, "".join(f"{line}\n" for line in lines))] if lines else []
    if lines and not imports:
        raise Refused(refusals.IMPORT_UNKNOWN, path=resource.path)
    found = []
    for each in imports if lines else ():
        start, begin = line_start(text, each.lineno), span(text, each)[0]
        if text[start:begin].strip():
            raise Refused(refusals.STATEMENTS_BEFORE_IMPORT, line=each.lineno, path=resource.path)
        found.append((start, start, "".join(f"{text[start:begin]}{line}\n" for line in lines)))
    return found


def _refuse_changing(session, home, needed):
    """Who imports a variable has the value that it had then."""
    declared = {name for n in ast.walk(session.parse(home)) if isinstance(n, ast.Global) for name in n.names}
    for name in sorted(needed):
        if name in declared or any(
            isinstance(n, ast.Attribute)
            and n.attr == name
            and not isinstance(n.ctx, ast.Load)
            and isinstance(n.value, ast.Name)
            and n.value.id in module_aliases(session, path, tree, home.real_path)
            for path, _text, tree in session.parsed(name)
            for n in ast.walk(tree)
        ):
            raise Refused(refusals.READS_WHAT_IS_ASSIGNED_LATER, name=name)


def _name_offset(text, node):
    return line_start(text, node.lineno) + text[line_start(text, node.lineno) :].index(
        node.name, chars(text.split("\n")[node.lineno - 1], node.col_offset) + len("def")
    )


def _with_calls(inlined, text, parents, calls, edits):
    inlined.calls = calls
    if isinstance(inlined, InlinedBody):
        # What is given to a call comes before it.
        for call in sorted(calls, key=lambda c: (c.end_lineno, c.end_col_offset)):
            is_given = any(each in calls for each in around(parents, call))
            edits += [each for each in inlined.edits(call) if not is_given or each[0] == each[1]]
        return edited(text, _together(edits) + inlined.declarations())
    for call in (c for c in calls if not any(each in calls for each in around(parents, c))):
        new = inlined.replacement(call)
        if any(isinstance(n, ast.JoinedStr) for n in around(parents, call)):
            new = for_f_string(text, span(text, call)[0], new)
            shown = _expression(text[slice(*span(text, call))])
            if (
                new is None
                or shown is None
                or ast.dump(shown) not in (ast.dump(call), ast.dump(call.func) if is_property(inlined.function) else "")
            ):
                raise Refused(refusals.CALLED_IN_F_STRING)
        edits.append((*span(text, call), new))
    return edited(text, edits)


def _together(edits):
    """What several calls put at the same place, in the order of the calls."""
    added = {}
    for start, end, new in (each for each in edits if each[0] == each[1]):
        added[start] = added.get(start, "") + new
    return [each for each in edits if each[0] != each[1]] + [(start, start, new) for start, new in added.items()]


class _PropertyCalls(ast.NodeTransformer):
    """A property is a method that is called by being read."""

    def __init__(self, text, name, places):
        self.text, self.name, self.places = text, name, places

    def visit_Attribute(self, node):
        self.generic_visit(node)
        is_read = (
            isinstance(node.ctx, ast.Load)
            and node.attr == self.name
            and span(self.text, node)[1] - len(self.name) in self.places
        )
        return ast.copy_location(ast.Call(func=node, args=[], keywords=[]), node) if is_read else node


class _AwaitedCalls(ast.NodeTransformer):
    """A call of an async function gives its value where it is awaited."""

    def __init__(self, text, name, places):
        self.text, self.name, self.places, self.aliases = text, name, places, set()

    def visit_ImportFrom(self, node):
        self.aliases |= {a.asname for a in node.names if a.name == self.name and a.asname}
        return node

    def visit_Await(self, node):
        self.generic_visit(node)
        called = getattr(node.value, "func", None)
        if (
            called is None
            or span(self.text, called)[1] - len(self.name) not in self.places
            and getattr(called, "id", None) not in self.aliases
        ):
            return node
        call = ast.copy_location(ast.Call(node.value.func, node.value.args, node.value.keywords), node)
        call.is_awaited = True  # ty: ignore[missing-attribute]
        return call


def _refuse_unawaited(calls, parents):
    for call in calls:
        if not getattr(call, "is_awaited", False):
            raise Refused(refusals.ASYNC_NOT_AWAITED, line=call.lineno)
        if any(isinstance(n, ast.GeneratorExp) for n in around(parents, call)):
            raise Refused(refusals.ASYNC_IN_GENERATOR, line=call.lineno)


def is_property(function):
    return any(getattr(d, "id", None) == "property" for d in function.decorator_list)


def _is_new_object(session, node):
    """Whether a call only makes an object of a class of the project that does nothing when it is made."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    name = ast.unparse(node.func).split(".")[-1]
    found = [
        n
        for _path, text, tree in session.parsed(name)
        if name in text
        for n in ast.walk(tree)
        if isinstance(n, ast.ClassDef) and n.name == name
    ]
    return bool(found) and all(
        not n.keywords
        and not n.decorator_list
        and all(ast.unparse(b) == "object" for b in n.bases)
        and not any(getattr(m, "name", "") in ("__init__", "__new__") for m in n.body)
        for n in found
    )


def _refuse_function(node):
    inside = [n for statement in node.body for n in ast.walk(statement)]
    if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inside):
        raise Refused(refusals.GENERATOR)
    if any(getattr(d, "attr", None) in ("setter", "deleter") for d in node.decorator_list):
        raise Refused(refusals.PROPERTY_WITH_SETTER)
    if any(getattr(d, "id", None) not in ("staticmethod", "classmethod", "property") for d in node.decorator_list):
        raise Refused(refusals.DECORATORS_LOST)
    if any(isinstance(n, ast.Nonlocal) or isinstance(n, ast.Global) and n not in node.body for n in inside):
        raise Refused(refusals.NONLOCAL_OR_INNER_GLOBAL)
    if any(isinstance(n, ast.Name) and n.id in ("super", "__class__", "locals") for n in inside):
        raise Refused(refusals.USES_SUPER_OR_LOCALS)
    if any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == node.name for n in inside):
        raise Refused(refusals.CALLS_ITSELF)
    arguments = node.args
    if arguments.vararg or arguments.kwarg:
        raise Refused(refusals.TAKES_VARIABLE_PARAMETERS)
