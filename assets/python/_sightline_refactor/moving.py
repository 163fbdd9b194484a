"""Moving modules and packages between folders."""

import ast
import os

from rope.base import resources
from rope.refactor import move as rope_move
from rope.refactor import rename as rope_rename

from .check import Exports
from .imports import module_name
from .moving_symbols import package_files
from .session import Refused
from .source import edited, span


class NewFolder(resources.Folder):
    """A folder that is going to be made, as a package when it lies in one."""

    def has_child(self, name):
        return name == "__init__.py" and _home(self).has_child(name)

    parent = property(lambda self: _home(self))


def _home(resource):
    folder = resource.path.rpartition("/")[0]
    if not folder:
        return resource.project.root
    return resource.project.get_folder(folder) if os.path.isdir(os.path.join(resource.project.address, folder)) else NewFolder(resource.project, folder)


def move_file(session, args):
    session.refresh()
    source = session.resource(args["from"])
    before, after = os.path.dirname(args["from"]), os.path.dirname(args["to"])
    old, new = os.path.basename(args["from"]), os.path.basename(args["to"])
    if before != after and old != new:
        raise Refused("move it or rename it, one at a time")
    if old == "__init__.py":
        raise Refused("__init__.py makes its folder a package; move or rename the folder")
    if os.path.exists(args["to"]):
        raise Refused(f"{session.relative(args['to'])} exists already", "conflict")
    if before == after:
        if not source.is_folder() and not new.endswith(".py"):
            raise Refused("the new name must end in .py")
        stem = new[:-3] if new.endswith(".py") else new
        if not stem.isidentifier():
            raise Refused(f'"{stem}" is no name a module can be imported by')
        operations = session.operations(rope_rename.Rename(session.project, source).get_changes(stem))
    else:
        exists = os.path.isdir(after)
        folder = session.project.root if after == session.root else session.resource(after) if exists else \
            NewFolder(session.project, session.relative(after))
        operations = session.operations(rope_move.MoveModule(session.project, source).get_changes(folder))
        operations = [{**op, "to": args["to"]} if op["kind"] == "rename" else op for op in operations]
        if not exists:
            operations = package_files(session, after) + operations
    _moved_submodules(session, operations, args["from"], args["to"])
    if before != after and not source.is_folder():
        _inner_relative_imports(session, operations, args["from"])
    return session.answer(operations, f"move {old} to {session.relative(args['to'])}")


def _inner_relative_imports(session, operations, path):
    """rope makes the relative imports of a module that moves absolute, but not those inside functions and conditions."""
    write = next((op for op in operations if op["kind"] == "write" and op["path"] == path), None)
    text = write["content"] if write else session.resource(path).read()
    exports, edits = Exports(session.root, {}), []
    for node in ast.walk(ast.parse(text)):
        target = exports.source_of(path, node) if isinstance(node, ast.ImportFrom) and node.level else None
        if target is not None:
            begin = span(text, node)[0]
            finish = text.index(" import", begin)
            edits.append((begin, finish, f"from {module_name(session, path, target, False)}"))
    if edits and write:
        write["content"] = edited(text, edits)
    elif edits:
        operations.insert(0, {"kind": "write", "path": path, "content": edited(text, edits)})


def _moved_submodules(session, operations, old, new):
    """rope leaves imports alone that name a submodule it finds no use of; they are followed here."""
    base = lambda path: session.relative(path[:-3] if path.endswith(".py") else path).replace("/", ".")
    before, after = base(old), base(new)
    contents = {op["path"]: op for op in operations if op["kind"] == "write"}
    for resource, _text, _tree in session.trees(before.split(".")[-1]):
        path = resource.real_path
        text = contents[path]["content"] if path in contents else resource.read()
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        edits = []
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module and (node.module + ".").startswith(before + "."):
                begin = text.index(node.module, span(text, node)[0])
                edits.append((begin, begin + len(before), after))
        if edits and before != after:
            content = edited(text, edits)
            if path in contents:
                contents[path]["content"] = content
            else:
                operations.insert(0, {"kind": "write", "path": path, "content": content})
