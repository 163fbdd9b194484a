"""Names that are written as strings or in comments and mean what is renamed: `__all__`, type comments, `T =
TypeVar("T")`.
"""

import re

from ..project import trees as ast
from ..check import Exports
from ..project.source import edited, span


def follow_strings(session, operations, old, new):
    """Returns the modules whose own name it is."""
    modules = _strings_in_all(session, operations, old, new)
    _own_name(operations, old, new)
    return modules


def follow_type_comments(operations, old, new):
    """`# type:` comments name classes as annotations do; they follow in files whose own or imported name is renamed."""
    for op in operations:
        if op["kind"] != "write" or "# type:" not in op["content"]:
            continue
        top = (
            {getattr(n, "name", None) for n in ast.iter_child_nodes(ast.parse(op["content"]))}
            if _nodes(op["content"])
            else set()
        )
        top |= {a.asname or a.name for n in _nodes(op["content"]) if isinstance(n, ast.ImportFrom) for a in n.names}
        if new in top and old not in top:
            op["content"] = re.sub(
                r"#\s*type:(?!\s*ignore)[^\n]*",
                lambda m: re.sub(rf"\b{re.escape(old)}\b", new, m.group()),
                op["content"],
            )


def _strings_in_all(session, operations, old, new):
    """`__all__` names things by strings: these follow when the module's own name is renamed, and in modules that take
    everything of it.
    """
    exports, writes = Exports(session.root, {}), {op["path"]: op for op in operations if op["kind"] == "write"}
    renamed, others = set(), []
    for path, op in writes.items():
        tree = _tree(op["content"])
        if tree is not None and new in _top_names(tree) and old not in _top_names(tree):
            renamed.add(path)
    for path, text, tree in session.parsed(old) if renamed else ():
        if "__all__" in text and path not in renamed and old not in _top_names(tree):
            others.append(
                (path, [n for n in tree.body if isinstance(n, ast.ImportFrom) and any(a.name == "*" for a in n.names)])
            )
    size = -1
    while size != len(renamed):
        size = len(renamed)
        renamed |= {path for path, stars in others if any(exports.source_of(path, star) in renamed for star in stars)}
    for path in sorted(renamed):
        text = writes[path]["content"] if path in writes else session.resource(path).read()
        edits = []
        for item in exported_strings(_tree(text), old):
            begin, end = span(text, item)
            edits.append((begin, end, text[begin:end].replace(old, new)))
        if edits and path in writes:
            writes[path]["content"] = edited(text, edits)
        elif edits:
            operations.append({"kind": "write", "path": path, "content": edited(text, edits)})
    return renamed


def _tree(text):
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def _top_names(tree):
    """What a module defines or imports by name."""
    found = {getattr(n, "name", None) for n in tree.body} | {
        t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)
    }
    found |= {n.target.id for n in tree.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}
    return found | {
        a.asname or a.name for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names
    }


NAMED_BY_ARGUMENT = {
    "TypeVar",
    "ParamSpec",
    "TypeVarTuple",
    "NewType",
    "TypeAliasType",
    "namedtuple",
    "NamedTuple",
    "TypedDict",
}


def _own_name(operations, old, new):
    """`T = TypeVar("T")` says its name twice, and type checkers want both to be the same."""
    for op in operations:
        if op["kind"] != "write":
            continue
        calls = [
            n.value
            for n in _nodes(op["content"])
            if isinstance(n, ast.Assign)
            and [getattr(t, "id", None) for t in n.targets] == [new]
            and isinstance(n.value, ast.Call)
            and ast.unparse(n.value.func).split(".")[-1] in NAMED_BY_ARGUMENT
        ]
        items = [
            each
            for call in calls
            for each in [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("name", "typename"))]
            if isinstance(each, ast.Constant) and each.value == old
        ]
        op["content"] = edited(
            op["content"],
            [(begin + 1, begin + 1 + len(old), new) for begin in (span(op["content"], item)[0] for item in items)],
        )


def exported_strings(tree, name):
    """The strings in `__all__` that say this name."""
    for node in tree.body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, (ast.AugAssign, ast.AnnAssign))
            else []
        )
        called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in ("append", "extend", "insert"):
            targets = [called.value]
        if node_value(node) is not None and any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            for item in ast.walk(node.value):
                if isinstance(item, ast.Constant) and item.value == name:
                    yield item


def node_value(node):
    return getattr(node, "value", None)


def _nodes(text):
    tree = _tree(text)
    return [] if tree is None else list(ast.walk(tree))
