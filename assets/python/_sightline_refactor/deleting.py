"""Deleting a declaration that nothing needs."""

import ast
import os

from rope.contrib import findit

from .renaming import exported_strings
from .session import Refused
from .source import assigned, block_of, chars, edited, span, without_unused_imports


def safe_delete(session, args):
    resource, offset = session.place(args)
    name = args["name"]
    occurrences = findit.find_occurrences(session.project, resource, offset, unsure=True, in_hierarchy=True)
    definition = findit.find_definition(session.project, resource.read(), offset, resource)
    home = definition.resource if definition is not None and definition.resource is not None else resource
    if not home.real_path.startswith(session.root + os.sep):
        raise Refused(f'"{name}" is not defined in this project')
    text, tree = home.read(), session.parse(home)
    line = definition.lineno if definition is not None else text.count("\n", 0, offset) + 1
    node = next((n for n in ast.walk(tree) if (isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and n.name == name or name in assigned(n))
                 and n.lineno <= line <= (n.end_lineno or n.lineno)), None)
    if node is None:
        raise Refused(f'"{name}" is neither a function, a class nor a variable that can be deleted')
    if len(assigned(node)) > 1 or isinstance(node, ast.Assign) and len(node.targets) > 1:
        raise Refused("it is assigned together with others")
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and \
            any(isinstance(n, (ast.Call, ast.Await, ast.Yield)) for n in ast.walk(node.value)):
        raise Refused("its value comes from a call, which may have to happen")
    first = min([d.lineno for d in getattr(node, "decorator_list", [])] + [node.lineno])
    usages = [o for o in occurrences if not (o.resource == home and first <= o.lineno <= node.end_lineno)]
    exported = list(exported_strings(tree, name))
    removable = {}
    if args.get("cascade"):
        usages, removable = _cascade(session, usages, name)
    listed = [_listed(session, o.resource, o.lineno) for o in usages]
    known = {(each["file"], each["line"]) for each in listed}
    for place in args.get("sure", ()):
        # Uses that only somebody who knows types can tell.
        path, line = place["path"], place["line"]
        own = path == home.real_path and first <= line <= node.end_lineno
        if not own and (session.relative(path), line) not in known and session.relative(path) not in removable and path.startswith(session.root + os.sep):
            listed.append(_listed(session, session.resource(path), line))
    if not args.get("cascade"):
        listed += [{"file": home.path, "line": n.lineno, "context": "__all__"} for n in exported]
    if listed:
        raise Refused(f'"{name}" is still used in {len(listed)} place{"" if len(listed) == 1 else "s"}', "usage",
                      {"usages": listed[:20], "totalCount": len(listed)})
    content = _without_export(_without(text, tree, node, first), name) if args.get("cascade") else _without(text, tree, node, first)
    content = without_unused_imports(text, content)
    if not text.startswith("\n"):
        content = content.lstrip("\n")
    if not text.endswith("\n\n"):
        content = content.rstrip("\n") + ("\n" if text.endswith("\n") and content.strip() else "")
    operations = [{"kind": "write", "path": home.real_path, "content": content}]
    for other in removable.values():
        operations.append({"kind": "write", "path": other.real_path, "content": _without_export(without_import(other.read(), name), name)})
    return session.answer(operations, f"delete {name}")


def _listed(session, resource, line):
    return {"file": session.relative(resource.real_path), "line": line, "context": resource.read().split("\n")[line - 1].strip()}


def _cascade(session, usages, name):
    """Files that only import the name, or pass it on, let go of it too; what uses it stays a use."""
    left, removable = [], {}
    for resource in {o.resource for o in usages}:
        tree = session.parse(resource)
        mine = [o for o in usages if o.resource == resource]
        imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and any(a.name == name for a in n.names)]
        in_import = [o for o in mine if any(n.lineno <= o.lineno <= n.end_lineno for n in imports)]
        if len(in_import) == len(mine) and all(a.asname is None for n in imports for a in n.names if a.name == name):
            removable[resource.path] = resource
        else:
            left += [o for o in mine if o not in in_import]
    return left, removable


def _without(text, tree, node, first):
    lines = text.split("\n")
    start, end = first - 1, node.end_lineno
    while start > 0 and lines[start - 1].strip().startswith("#") and len(lines[start - 1]) - len(lines[start - 1].lstrip()) == node.col_offset:
        start -= 1
    rest = lines[end - 1][chars(lines[end - 1], node.end_col_offset):].strip()
    if rest and not rest.startswith("#") or lines[node.lineno - 1][:chars(lines[node.lineno - 1], node.col_offset)].strip():
        raise Refused("other statements stand on the same line")
    body = block_of(tree, node) or tree.body
    if len(body) == 1 and body is not tree.body:
        return "\n".join(lines[:start] + [" " * node.col_offset + "pass"] + lines[end:])
    before = next((n for n in range(start) if lines[start - 1 - n].strip()), start)
    after = next((n for n in range(len(lines) - end) if lines[end + n].strip()), len(lines) - end)
    # Of the two gaps the larger stays: what now follows each other may stand on another level.
    end += min(before, after) if start > before else after
    return "\n".join(lines[:start] + lines[end:])


def without_import(text, name):
    tree, edits = ast.parse(text), []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(a.name == name for a in node.names):
            begin, finish = span(text, node)
            keep = [a for a in node.names if a.name != name]
            if keep:
                edits.append(without_item(text, node.names, next(i for i, a in enumerate(node.names) if a.name == name)))
            elif len(block_of(tree, node)) == 1 and block_of(tree, node) is not tree.body:
                edits.append((begin, finish, "pass"))
            else:
                edits.append((text.rfind("\n", 0, begin) + 1, min(text.find("\n", finish) + 1 or len(text), len(text)), ""))
    return edited(text, edits)


def _without_export(text, name):
    edits = []
    tree = ast.parse(text)
    for item in exported_strings(tree, name):
        holder = next((n for n in ast.walk(tree) if isinstance(n, (ast.List, ast.Tuple)) and item in n.elts), None)
        if holder is not None:
            edits.append(without_item(text, holder.elts, holder.elts.index(item)))
    return edited(text, edits)


def without_item(text, items, index):
    """The edit that takes an item out of a list in the text, with the comma and the space that belong to it."""
    begin, finish = span(text, items[index])
    if index + 1 < len(items):
        return (begin, span(text, items[index + 1])[0], "")
    if index > 0:
        return (span(text, items[index - 1])[1], finish, "")
    return (begin, finish, "")
