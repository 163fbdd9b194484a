"""Members that others know by another name: a private one is `_Class__name` outside its class, and the constructor that
attrs makes takes `_name` as `name`.
"""

import re

from .. import refusals
from ..project import trees as ast
from ..project.source import edited, span


def follow_private(session, operations, family, old, new):
    """Changes what names the member from outside its class, and returns the places that cannot be told."""
    if not _is_private(old):
        return _outside_of_class(operations, family, new) if _is_private(new) and family.kind == "member" else []
    writes, left = {op["path"]: op for op in operations if op["kind"] == "write"}, []
    mangled = {
        _mangled(each.node.name, old): _mangled(each.node.name, new) if _is_private(new) else new
        for each in family.owners
    }
    for path, before, _tree in session.parsed(old):
        if not re.search(rf"\b_\w+?{re.escape(old)}\b", before):
            continue
        text = writes[path]["content"] if path in writes else before
        edits = {}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and node.attr in mangled:
                end = span(text, node)[1]
                edits[end - len(node.attr)] = (end - len(node.attr), end, mangled[node.attr])
        for match in re.finditer(rf"\b_\w+?{re.escape(old)}\b", text):
            if match.start() not in edits:
                left.append(
                    {
                        "kind": "usage",
                        "file": path,
                        "line": text.count("\n", 0, match.start()) + 1,
                        "message": refusals.PRIVATE_NAME_OUTSIDE.words(text=match.group()),
                    }
                )
        if edits and path in writes:
            writes[path]["content"] = edited(text, edits.values())
        elif edits:
            operations.append({"kind": "write", "path": path, "content": edited(text, edits.values())})
    return left


def _outside_of_class(operations, family, new):
    """Where a member that becomes private is used outside of its class, where its name is another."""
    found = []
    for op in (op for op in operations if op["kind"] == "write"):
        own = [(each.node.lineno, each.node.end_lineno) for each in family.owners[:1] if each.module.path == op["path"]]
        for node in ast.walk(ast.parse(op["content"])):
            word = getattr(node, "attr", None) or getattr(node, "arg", None) or getattr(node, "name", None)
            if word == new and not any(begin <= node.lineno <= end for begin, end in own):
                found.append(
                    {
                        "kind": "name",
                        "file": op["path"],
                        "line": node.lineno,
                        "message": refusals.BECOMES_PRIVATE.words(name=new, other=family.owners[0].node.name),
                    }
                )
    return found


def follow_constructors(session, operations, family, old, new):
    """The keywords of constructors that attrs makes."""
    made = [
        each
        for each in family.owners
        if any(
            re.search(r"\battrs?\b|\bdefine\b|\bfrozen\b|\bmutable\b", ast.unparse(d)) for d in each.node.decorator_list
        )
        and not any("dataclass" in ast.unparse(d) for d in each.node.decorator_list)
    ]
    before, after = old.lstrip("_"), new.lstrip("_")
    if not made or before == old and after == new or before == after:
        return
    classes = [one for each in made for one in family.classes.line(each)]
    writes = {op["path"]: op for op in operations if op["kind"] == "write"}
    for module in list(family.classes.modules()):
        text = writes[module.path]["content"] if module.path in writes else module.text
        edits = []
        for call in (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)) if before in text else ():
            for keyword in call.keywords:
                if (
                    keyword.arg in (before, new)
                    and keyword.arg != after
                    and family.classes.called(module, ast.unparse(call.func).split(".")) in classes
                ):
                    begin = span(text, keyword)[0]
                    edits.append((begin, begin + len(keyword.arg), after))
        if edits and module.path in writes:
            writes[module.path]["content"] = edited(text, edits)
        elif edits:
            operations.append({"kind": "write", "path": module.path, "content": edited(text, edits)})


def _is_private(name):
    return name.startswith("__") and not name.endswith("__")


def _mangled(class_name, name):
    return f"_{class_name.lstrip('_')}{name}"
