"""Inlining: what was pointed at decides which of the two ways is gone."""

from dataclasses import replace
from types import SimpleNamespace

from rope.base import pynames, pyobjects
from rope.refactor import inline as rope_inline

from ..requests import InlineRequest
from .. import refusals
from ..project import trees as ast
from .inline_functions import inline_function
from .inline_variables import Variable, inline_attribute, inline_from_elsewhere, is_attribute
from ..analysis.load_effects import no_longer_loaded
from ..project.draft import Draft
from ..project.source import taken_from, without_unused_imports
from ..session import Refused


def inline(session, args: InlineRequest):
    answer = _inlined(session, args)
    draft = Draft(session, answer.operations)
    if answer.operations and not draft.operations():
        raise Refused(refusals.ONLY_A_WORD, name=args.name)
    _without_idle_imports(draft)
    return replace(answer, operations=draft.operations())


def _without_idle_imports(draft):
    """Imports that nothing uses any more go, unless a module is no longer loaded then that does something."""
    tidy = {
        path: without_unused_imports(draft.before(path), draft.text(path), taken_from(draft.session, path))
        for path in draft.paths()
    }
    if not any(no_longer_loaded(draft.session, tidy, path, path) for path in tidy):
        for path, text in tidy.items():
            draft.put(path, text)


def _inlined(session, args: InlineRequest):
    resource, offset = session.place(args)
    variable = Variable.at(session, resource, args)
    if variable is not None:
        return variable.inlined(args)
    function = _function_at(session, resource, offset)
    if function is not None:
        return inline_function(session, function, args)
    try:
        tool = rope_inline.create_inline(session.project, resource, offset)
    except ValueError:
        raise Refused(refusals.HAS_NO_ASSIGNMENT_OWN, name=args.name) from None
    kind = type(tool).__name__
    if kind == "InlineParameter":
        raise Refused(refusals.PARAMETER_NOT_INLINED)
    return (
        inline_attribute(session, tool, args)
        if is_attribute(session, tool, resource, args)
        else inline_from_elsewhere(session, tool, args)
    )


def _function_at(session, resource, offset):
    name = rope_inline._get_pyname(session.project, resource, offset)
    found = (
        None if name is None or isinstance(name, (pynames.AssignedName, pynames.ParameterName)) else name.get_object()
    )
    if not isinstance(found, pyobjects.PyFunction) or found.get_module().get_resource() is None:
        return _property_at(session, name)
    return SimpleNamespace(
        node=found.get_ast(),
        is_method=isinstance(found.parent, pyobjects.PyClass),
        resource=found.get_module().get_resource(),
        name=found.get_name(),
    )


def _property_at(session, name):
    """rope takes a property for the value that it gives."""
    module, line = name.get_definition_location() if isinstance(name, pynames.EvaluatedName) else (None, None)
    resource = module.get_resource() if module is not None else None
    tree = session.parse(resource) if resource is not None else ast.Module([], [])
    for node in (n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)):
        for each in (
            n
            for n in node.body
            if isinstance(n, ast.FunctionDef) and line in (n.lineno, *(d.lineno for d in n.decorator_list))
        ):
            if any(
                ast.unparse(d).split(".")[-1] in ("setter", "deleter") and ast.unparse(d).split(".")[0] == each.name
                for n in node.body
                for d in getattr(n, "decorator_list", ())
            ):
                raise Refused(refusals.PROPERTY_WITH_SETTER)
            return SimpleNamespace(node=each, is_method=True, resource=resource, name=each.name)
    return None
