"""Names that are written as strings or in comments and mean what is renamed: `__all__`, type comments, `T =
TypeVar("T")`.
"""

import re

from ..project import trees as ast
from ..check import Exports
from ..project.source import span


def own_modules(draft, old, new):
    """The modules whose own name is renamed, with those that take everything of them and offer it under `__all__`."""
    session, found, others = draft.session, set(), []
    exports = Exports(session.root, {})
    for path in draft.paths():
        tree = draft.tree(path)
        if tree is not None and new in top_names(tree) and old not in top_names(tree):
            found.add(path)
    for path, text, tree in session.parsed(old) if found else ():
        if "__all__" in text and path not in found and old not in top_names(tree):
            stars = [n for n in tree.body if isinstance(n, ast.ImportFrom) and any(a.name == "*" for a in n.names)]
            others.append((path, stars))
    size = -1
    while size != len(found):
        size = len(found)
        found |= {path for path, stars in others if any(exports.source_of(path, star) in found for star in stars)}
    return found


def follow_exports(places, draft):
    """`__all__` names things by strings."""
    for path in sorted(places.modules):
        text = draft.text(path)
        spans = [span(text, item) for item in exported_strings(ast.parse(text), places.old)]
        draft.edit(path, [(begin, end, text[begin:end].replace(places.old, places.new)) for begin, end in spans])


def follow_type_comments(places, draft):
    """`# type:` comments name classes as annotations do; they follow in files whose own or imported name is renamed."""
    word = rf"\b{re.escape(places.old)}\b"
    for path in draft.paths():
        text = draft.text(path)
        if "# type:" in text and is_known_as(draft.tree(path), places):
            comment = r"#\s*type:(?!\s*ignore)[^\n]*"
            draft.put(path, re.sub(comment, lambda match: re.sub(word, places.new, match.group()), text))


def is_known_as(tree, places):
    """Whether a module defines or imports the new name and nothing of the old one any more."""
    if tree is None:
        return False
    known = {getattr(n, "name", None) for n in tree.body} | {
        a.asname or a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names
    }
    return places.new in known and places.old not in known


def top_names(tree):
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


def follow_own_name(places, draft):
    """`T = TypeVar("T")` says its name twice, and type checkers want both to be the same."""
    for path in draft.paths():
        calls = [
            n.value
            for n in draft.nodes(path)
            if isinstance(n, ast.Assign)
            and [getattr(t, "id", None) for t in n.targets] == [places.new]
            and isinstance(n.value, ast.Call)
            and ast.unparse(n.value.func).split(".")[-1] in NAMED_BY_ARGUMENT
        ]
        items = [
            each
            for call in calls
            for each in [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("name", "typename"))]
            if isinstance(each, ast.Constant) and each.value == places.old
        ]
        begins = [span(draft.text(path), item)[0] + 1 for item in items]
        draft.edit(path, [(begin, begin + len(places.old), places.new) for begin in begins])


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
        if getattr(node, "value", None) is not None and any(
            isinstance(t, ast.Name) and t.id == "__all__" for t in targets
        ):
            for item in ast.walk(node.value):
                if isinstance(item, ast.Constant) and item.value == name:
                    yield item
