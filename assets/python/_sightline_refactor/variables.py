"""The places of what a file has for itself, which the scopes of the language tell: variables of functions, and aliases of modules."""

import ast
import os
import re

from . import names
from .check import Exports
from .source import byte_column, chars, line_start


def of_local(session, resource, args, bindings=None):
    """The places of a variable of a function, which the scopes of the language tell; rope is not needed for these."""
    text, name = resource.read(), args["name"]
    module, lines = names.Module(text), text.split("\n")
    bindings = bindings or (module.local_at(name, args["line"], byte_column(lines[args["line"] - 1], args["column"])),)
    uses = [u for u in module.uses if u.name == name and u.binding in bindings]
    starts = [line_start(text, use.line) + chars(lines[use.line - 1], use.column) for use in uses]
    return {(resource.real_path, at) for at in starts} if all(re.match(rf"{re.escape(name)}\b", text[at:]) for at in starts) else set()


def of_alias(session, resource, args):
    """The places of what a file calls a module it imports (`import module as name`), which is its own affair."""
    text, name = resource.read(), args["name"]
    module, exports = names.Module(text), Exports(session.root, {})
    aliases = [a for n in module.tree.body if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names
               if a.asname == name and (isinstance(n, ast.Import) or exports.submodule(resource.real_path, n, a.name) is not None)]
    uses = [u for u in module.uses if u.name == name and u.binding == ""]
    stored = {(n.lineno, n.col_offset) for n in module.nodes_named(name) if not isinstance(n.ctx, ast.Load)}
    lines = text.split("\n")
    places = {(u.line, u.column) for u in uses} | {(a.end_lineno, a.end_col_offset - len(name.encode())) for a in aliases}
    here = (args["line"], byte_column(lines[args["line"] - 1], args["column"]))
    is_given_on = any(isinstance(n, ast.ImportFrom) and any(a.name in (name, "*") for a in n.names) and exports.source_of(other.real_path, n) == resource.real_path
                      for other, _text, tree in session.trees("import") if other != resource for n in ast.walk(tree))
    if not aliases or here not in places or is_given_on or any((u.line, u.column) in stored for u in uses):
        return set()
    return {(resource.real_path, line_start(text, line) + chars(lines[line - 1], column)) for line, column in places}


def of_same_variable(session, args, family):
    """The places told to be meant, without those that the scopes of the language say are variables of other functions: whoever follows
    values takes a call of what a variable holds for a use of every variable that holds it."""
    own, modules = {}, {}

    def function(path, line, column):
        text = session.resource(path).read()
        modules[path] = modules.get(path) or names.Module(text)
        return modules[path].local_at(args["name"], line, byte_column(text.split("\n")[line - 1], column))

    if function(args["path"], args["line"], args["column"]) is None:
        return args.get("sure", ())
    for path, line, column in [(args["path"], args["line"], args["column"]), *family.places]:
        own.setdefault(path, set()).add(function(path, line, column) if path.endswith(".py") else None)
    kept = []
    for place in args.get("sure", ()):
        there = function(place["path"], place["line"], place["column"]) if place["path"].endswith(".py") and place["path"].startswith(session.root + os.sep) else None
        if there is None or there in own.get(place["path"], ()):
            kept.append(place)
    return kept
