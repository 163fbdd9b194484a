"""Moving symbols between modules, and modules and packages between folders."""

import ast
import os

from rope.base import resources
from rope.base.taskhandle import DEFAULT_TASK_HANDLE
from rope.refactor import move as rope_move
from rope.refactor import rename as rope_rename

from .check import Exports
from .deleting import without_item
from .renaming import exported_strings
from .session import Refused
from .source import assigned, edited, future_first, span


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


class NewFile(resources.File):
    """A file that is going to be made."""

    parent = property(lambda self: _home(self))

    def read(self):
        return ""

    def read_bytes(self):
        return b""


def move_symbol(session, args):
    resource, offset = session.place(args)
    name, target = args["name"], session.relative(args["targetFile"])
    if not any(getattr(n, "name", None) == name or name in assigned(n) for n in session.parse(resource).body):
        raise Refused(f'"{name}" is not defined at the top level of its module')
    if not target.endswith(".py"):
        raise Refused("the target must be a Python file")
    tool = rope_move.create_move(session.project, resource, offset)
    if not isinstance(tool, rope_move.MoveGlobal):
        raise Refused("only classes, functions and variables at the top level of a module are moved")
    if os.path.exists(args["targetFile"]):
        home = session.resource(args["targetFile"])
        if any(getattr(n, "name", None) == name or name in assigned(n) for n in session.parse(home).body):
            raise Refused(f'{target} has a "{name}" already', "conflict")
        files = _without_inner_imports(session, session.project.get_python_files(), resource.real_path, name)
        operations = session.operations(tool.get_changes(home, resources=files))
    else:
        home = NewFile(session.project, target)
        files = [*_without_inner_imports(session, session.project.get_python_files(), resource.real_path, name), home]
        operations = session.operations(tool._calculate_changes(home, files, DEFAULT_TASK_HANDLE))
        for op in operations:
            if op["path"] == args["targetFile"]:
                op["kind"] = "create"
                op["content"] = op["content"].lstrip("\n").rstrip("\n") + "\n"
        operations += _package_files(session, os.path.dirname(args["targetFile"]))
    contents = {op["path"]: op["content"] for op in operations if op["kind"] in ("write", "create")}
    _without_needless(session, contents, resource.real_path, args["targetFile"])
    _follow_imports(session, contents, resource.real_path, args["targetFile"], name)
    _follow_exports(contents, resource.real_path, args["targetFile"], name)
    if args["targetFile"] in contents:
        contents[args["targetFile"]] = future_first(contents[args["targetFile"]])
    created = {op["path"] for op in operations if op["kind"] == "create"}
    operations = [{"kind": "create" if path in created else "write", "path": path, "content": content}
                  for path, content in contents.items() if path in created or content != session.resource(path).read()]
    conflicts = _new_cycle(session, contents, resource.real_path, args["targetFile"])
    return session.answer(operations, f"move {name} to {target}", conflicts=conflicts)


def _without_inner_imports(session, resources, source, name):
    """Files that import the name inside a function or under a condition only: their imports are followed where they stand, while rope
    would import the target at the top, where others may need it to be absent."""
    exports, inner = Exports(session.root, {}), set()
    for resource, _text, tree in session.trees(name):
        imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and any(a.name == name for a in n.names) and
                   exports.source_of(resource.real_path, n) == source]
        if imports and not any(n in tree.body for n in imports) and not any(isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(tree)):
            inner.add(resource)
    return [each for each in resources if each not in inner]


def _without_needless(session, contents, source, target):
    """rope lets the target import more of the source than the moved code uses."""
    text = contents.get(target, "")
    tree, exports, edits = ast.parse(text), Exports(session.root, contents), []
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    before = session.resource(target).read() if os.path.exists(target) else ""
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or exports.source_of(target, node) != source or ast.get_source_segment(text, node) in before:
            continue
        keep = [a for a in node.names if (a.asname or a.name) in used]
        begin, finish = span(text, node)
        if not keep:
            edits.append((begin, len(text) - len(text[finish:].lstrip("\n")), ""))
        elif len(keep) < len(node.names):
            shown = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in keep)
            edits.append((begin, finish, f"from {'.' * node.level}{node.module or ''} import {shown}"))
    if edits:
        contents[target] = edited(text, edits)


def _package_files(session, folder):
    """The __init__.py of folders that are new inside a package."""
    found = []
    while folder != session.root and not os.path.exists(folder):
        found.append(os.path.join(folder, "__init__.py"))
        folder = os.path.dirname(folder)
    inside = os.path.exists(os.path.join(folder, "__init__.py"))
    return [{"kind": "create", "path": path, "content": ""} for path in found] if inside else []


def _follow_imports(session, contents, source, target, name):
    """Imports of the name that rope leaves alone: those it sees no use of (re-exports), under conditions, for type checkers only."""
    exports = Exports(session.root, contents)
    gone = exports.names(source)
    if gone is not None and name in gone:
        return
    for resource, _text, _tree in session.trees(name):
        path = resource.real_path
        text = contents.get(path, resource.read())
        if path == target:
            continue
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        edits = []
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not any(a.name == name for a in node.names) or exports.source_of(path, node) != source:
                continue
            index = next(i for i, a in enumerate(node.names) if a.name == name)
            alias = node.names[index]
            line = f"from {_module_name(session, path, target, node)} import {name}{f' as {alias.asname}' if alias.asname else ''}"
            begin, finish = span(text, node)
            if len(node.names) == 1:
                edits.append((begin, finish, line))
            else:
                edits.append(without_item(text, node.names, index))
                edits.append((finish, finish, "\n" + " " * node.col_offset + line))
        if edits:
            contents[path] = edited(text, edits)


def _module_name(session, path, target, node):
    """How a module speaks of the target, relative where the import it replaces was."""
    package = os.path.dirname(target) if os.path.basename(target) == "__init__.py" else target[:-3]
    if node.level:
        folder, dots = os.path.dirname(path), 1
        while not (package + os.sep).startswith(folder + os.sep):
            folder, dots = os.path.dirname(folder), dots + 1
        return "." * dots + os.path.relpath(package, folder).replace(os.sep, ".").strip(".")
    top = os.path.dirname(target)
    while top != session.root and os.path.exists(os.path.join(top, "__init__.py")):
        top = os.path.dirname(top)
    if os.path.basename(target) == "__init__.py" and top == os.path.dirname(target):
        top = os.path.dirname(top)
    return os.path.relpath(package, top).replace(os.sep, ".")


def _follow_exports(contents, source, target, name):
    """`__all__` of the module that loses the name loses it too, unless it still imports it; that of the target gets it if it has one."""
    text = contents.get(source)
    if text is None:
        return
    tree = ast.parse(text)
    items = list(exported_strings(tree, name))
    still = any(isinstance(n, ast.ImportFrom) and any((a.asname or a.name) == name for a in n.names) for n in tree.body)
    if not items or still:
        return
    for item in items:
        holder = next((n for n in ast.walk(tree) if isinstance(n, (ast.List, ast.Tuple)) and item in n.elts), None)
        if holder is not None:
            contents[source] = edited(text, [without_item(text, holder.elts, holder.elts.index(item))])
    there = contents.get(target, "")
    for node in ast.parse(there).body:
        if isinstance(node, ast.Assign) and any(getattr(t, "id", None) == "__all__" for t in node.targets) and getattr(node.value, "elts", None):
            last = span(there, node.value.elts[-1])[1]
            quote = there[last - 1]
            contents[target] = edited(there, [(last, last, f", {quote}{name}{quote}")])


def _new_cycle(session, contents, source, target):
    """Two modules that import each other as they load, which they did not before."""
    def reaches(texts, start, goal):
        exports = Exports(session.root, texts)
        seen, waiting = set(), [start]
        while waiting:
            path = waiting.pop()
            for found in exports.imported(path):
                if found == goal:
                    return True
                if found not in seen and found.startswith(session.root + os.sep):
                    seen.add(found)
                    waiting.append(found)
        return False

    if reaches(contents, source, target) and reaches(contents, target, source) and not (
            reaches({}, source, target) and os.path.exists(target) and reaches({}, target, source)):
        return [{"kind": "meaning", "file": target, "line": 1, "message": "the two modules would import each other"}]
    return []


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
            operations = _package_files(session, after) + operations
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
            edits.append((begin, finish, f"from {_module_name(session, path, target, ast.ImportFrom(level=0))}"))
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
