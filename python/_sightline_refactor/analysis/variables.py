"""The places of what a file has for itself, which the scopes of the language tell: variables of functions, and aliases
of modules.
"""

import os
import re

from ..requests import NameRequest, RenameRequest
from ..project import trees as ast
from ..project import names
from ..check import Exports
from ..session import source_folders
from ..project.source import FUNCTIONS, byte_column, chars, edited, line_start, scope_of, span


def of_local(session, resource, args: NameRequest, bindings=None):
    """The places of a variable of a function, which the scopes of the language tell; rope is not needed for these."""
    text, name = resource.read(), args.name
    module, lines = names.module_of(text), text.split("\n")
    bindings = bindings or (module.local_at(name, args.line, byte_column(lines[args.line - 1], args.column)),)
    uses = [u for u in module.uses if u.name == name and u.binding in bindings]
    starts = [line_start(text, use.line) + chars(lines[use.line - 1], use.column) for use in uses]
    return (
        {(resource.real_path, at) for at in starts}
        if all(re.match(rf"{re.escape(name)}\b", text[at:]) for at in starts)
        else set()
    )


def of_alias(session, resource, args: NameRequest):
    """The places of what a file calls a module it imports (`import module as name`), which is its own affair."""
    text, name = resource.read(), args.name
    module, exports = names.module_of(text), Exports(session.root, {})
    aliases = [
        a
        for n in module.tree.body
        if isinstance(n, (ast.Import, ast.ImportFrom))
        for a in n.names
        if a.asname == name
        and (isinstance(n, ast.Import) or exports.submodule(resource.real_path, n, a.name) is not None)
    ]
    uses = [u for u in module.uses if u.name == name and u.binding == ""]
    stored = {(n.lineno, n.col_offset) for n in module.nodes_named(name) if not isinstance(n.ctx, ast.Load)}
    lines = text.split("\n")
    places = {(u.line, u.column) for u in uses} | {
        (a.end_lineno, a.end_col_offset - len(name.encode())) for a in aliases
    }
    here = (args.line, byte_column(lines[args.line - 1], args.column))
    is_given_on = any(
        isinstance(n, ast.ImportFrom)
        and any(a.name in (name, "*") for a in n.names)
        and exports.source_of(other.real_path, n) == resource.real_path
        for other, _text, tree in session.trees("import")
        if other != resource
        for n in ast.walk(tree)
    )
    if not aliases or here not in places or is_given_on or any((u.line, u.column) in stored for u in uses):
        return set()
    return {(resource.real_path, line_start(text, line) + chars(lines[line - 1], column)) for line, column in places}


def taken_from_outside(session, resource, args: NameRequest):
    """The module from which a file has a name that it only imports, if it is none of the project."""
    text, name = resource.read(), args.name
    module, exports, lines = names.module_of(text), Exports(session.root, {}), text.split("\n")
    here = (args.line, byte_column(lines[args.line - 1], args.column))
    imports = [
        (n, a)
        for n in ast.walk(module.tree)
        if isinstance(n, (ast.Import, ast.ImportFrom))
        for a in n.names
        if (a.asname or a.name).split(".")[0] == name
    ]
    is_stored = any(
        (getattr(n, "name", None) == name or getattr(n, "id", None) == name and not isinstance(n.ctx, ast.Load))
        and not isinstance(n, ast.alias)
        for n in ast.walk(module.tree)
    )
    is_here = any((u.line, u.column) == here and u.binding == "" for u in module.uses if u.name == name) or any(
        (a.lineno, a.col_offset) == here for _n, a in imports
    )
    if (
        not is_here
        or is_stored
        or not imports
        or not all(isinstance(n, ast.ImportFrom) and a.asname is None and n.module and not n.level for n, a in imports)
    ):
        return None
    is_outside = all(
        exports.source_of(resource.real_path, n) is None and exports.submodule(resource.real_path, n, a.name) is None
        for n, a in imports
    )
    # Folders that do not say that they are packages are such all the same.
    folders = [
        session.root,
        os.path.dirname(resource.real_path),
        *(os.path.join(session.root, each) for each in source_folders(session.root)),
    ]
    is_here = any(
        os.path.exists(os.path.join(folder, n.module.split(".")[0] + end))
        for folder in folders
        for n, _a in imports
        for end in ("", ".py", ".pyi")
    )
    return imports[0][0].module if is_outside and not is_here else None


def of_same_variable(session, args: RenameRequest, family):
    """The places told to be meant, without those that the scopes of the language say are variables of other functions:
    whoever follows values takes a call of what a variable holds for a use of every variable that holds it.
    """
    own, modules = {}, {}

    def function(path, line, column):
        text = session.resource(path).read()
        modules[path] = modules.get(path) or names.module_of(text)
        return modules[path].local_at(args.name, line, byte_column(text.split("\n")[line - 1], column))

    if function(args.path, args.line, args.column) is None:
        return args.sure
    for path, line, column in [(args.path, args.line, args.column), *family.places]:
        own.setdefault(path, set()).add(function(path, line, column) if path.endswith(".py") else None)
    kept = []
    for place in args.sure:
        there = function(*place) if place.path.endswith(".py") and session.is_own(place.path) else None
        if there is None or there in own.get(place.path, ()):
            kept.append(place)
    return kept


def follow_scopes(draft, kind, old, new):
    """In a file all that is one variable to the language is renamed, such as what another branch defines under an
    imported name; and nothing that is another variable, whatever has been told of values. `kind` is that of a family,
    or 'module'.
    """
    for path in (each for each in draft.paths() if each.endswith(".py") and kind != "parameter"):
        before = draft.before(path)
        done = replaced(before, draft.text(path), old, new)
        if not done:
            continue
        module, lines = names.module_of(before), before.split("\n")
        uses = {
            line_start(before, use.line) + chars(lines[use.line - 1], use.column): use.binding
            for use in module.uses
            if use.name == old
        }
        if kind == "member":
            wanted = {at for at in done if uses.get(at, "unknown") == "unknown" or uses[at] in module.class_scopes}
        else:
            own, taking = {at for at, binding in uses.items() if binding == ""}, _taking(before, module.tree, old)
            is_own = (
                bool(done & own)
                or kind is None
                and any(begin <= at < end for begin, end in _imports(before, module.tree, old) for at in done)
            )
            wanted = {
                at
                for at in done
                if uses.get(at, "") in ("", "unknown", "builtin") or any(begin <= at < end for begin, end in taking)
            } | (own if is_own else set())
        if wanted != done:
            draft.put(path, edited(before, [(at, at + len(old), new) for at in wanted]))


def _taking(text, tree, name):
    """The functions that import the name for themselves."""
    return [
        span(text, each)
        for each in ast.walk(tree)
        if isinstance(each, (*FUNCTIONS, ast.ClassDef))
        for n in ast.walk(each)
        if isinstance(n, (ast.Import, ast.ImportFrom))
        and any((a.asname or a.name).split(".")[0] == name for a in n.names)
    ]


def _imports(text, tree, name):
    """The statements that import the name for the whole module."""
    return [
        span(text, n)
        for n in ast.walk(tree)
        if isinstance(n, ast.ImportFrom)
        and any(a.name == name and a.asname in (None, name) for a in n.names)
        and scope_of(tree, n) is tree
    ]


def replaced(before, after, old, new):
    """Where the old name was replaced, or None when more than that was changed."""
    found, at, then = set(), 0, 0
    for match in re.finditer(rf"\b{re.escape(old)}\b", before):
        gap = before[at : match.start()]
        if not after.startswith(gap, then):
            return None
        at, then = match.end(), then + len(gap)
        word = re.match(r"\w+", after[then:])
        if word is None or word.group() not in (old, new):
            return None
        if word.group() == new:
            found.add(match.start())
        then += len(word.group())
    return found if before[at:] == after[then:] else None
