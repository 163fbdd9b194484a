"""Members that are reached by their name in a string: `getattr(x, "name")`, `patch.object(x, "name")`,
`vars(x)["name"]`, `globals()["name"]`, and `Color["NAME"]` of an enumeration.
"""

from .. import refusals
from ..project import trees as ast
from ..project.namedtuple_classes import NAMED
from ..project.source import edited, span

# The module itself, and what is used in the place of something.
HERE, STAND_IN = "here", "stand-in"
STAND_INS = {"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "SimpleNamespace"}
BY_NAME = {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"}


def follow_reached(session, operations, old, new, is_owner):
    """Changes the strings whose owner is certain, and returns the places of the others."""
    writes, left, certain = {op["path"]: op for op in operations if op["kind"] == "write"}, [], {}
    for path, tree, call, owner, string in _reached(session, operations, old):
        is_certain = owner is not None and is_owner(path, tree, owner)
        if owner == HERE and not is_certain or owner == STAND_IN and is_certain is None:
            continue
        if is_certain:
            certain.setdefault(path, []).append((tree, string))
        else:
            left.append(_told(path, call, old, "keyword" if isinstance(string, ast.keyword) else "string"))
    for path, places in certain.items():
        text = writes[path]["content"] if path in writes else session.resource(path).read()
        # The trees are those of the text before; what has been put in since does not move a string to another line, nor
        # before another.
        edits = []
        for tree, string in places:
            here, then = _on_line(ast.parse(text), old, string.lineno), _on_line(tree, old, string.lineno)
            if len(here) != len(then):
                left.append(_told(path, string, old))
                continue
            begin, finish = span(text, here[then.index(string)])
            finish = finish if isinstance(string, ast.Constant) else begin + len(old)
            edits.append((begin, finish, text[begin:finish].replace(old, new)))
        if path not in writes:
            writes[path] = {"kind": "write", "path": path}
            operations.append(writes[path])
        writes[path]["content"] = edited(text, edits)
    return left


def _on_line(tree, word, line):
    """The strings that say a word and the keywords that are it."""
    found = (
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and n.value == word or isinstance(n, ast.keyword) and n.arg == word
    )
    return sorted((n for n in found if n.lineno == line), key=lambda n: n.col_offset)


def reached_by_name(session, operations, old):
    return [_told(path, call, old) for path, _tree, call, _owner, _string in _reached(session, operations, old)]


def _told(path, call, old, what="string"):
    return {
        "kind": "usage",
        "file": path,
        "line": call.lineno,
        "message": refusals.NAMED_THERE.words(name=old, what=what),
    }


def _reached(session, operations, old):
    """(path, tree, call, owner, string); the owner is what the string names a member of, if it is said."""
    enums = {
        node.name
        for op in operations
        if op["kind"] == "write" and op["path"].endswith((".py", ".pyi"))
        for node in _nodes(session.resource(op["path"]).read())
        if isinstance(node, ast.ClassDef)
        and any("Enum" in ast.unparse(base) or "Flag" in ast.unparse(base) for base in node.bases)
        and any(isinstance(n, ast.Assign) and any(getattr(t, "id", None) == old for t in n.targets) for n in node.body)
    }
    enums |= {
        target.id
        for _path, _text, tree in session.parsed(old)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and NAMED.get(_last(node.value.func)) in ("Enum", "Flag")
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for resource, _text, tree in session.trees(old):
        for node in ast.walk(tree):
            called = isinstance(node, ast.Call) and (
                _last(node.func) in BY_NAME
                or _last(node.func) == "object"
                and _last(getattr(node.func, "value", None)) == "patch"
            )
            chosen = isinstance(node, ast.Subscript) and _last(node.value) in enums
            if isinstance(node, ast.Call):
                # What stands in for a thing has its members by keyword.
                kind = (
                    STAND_IN
                    if _last(node.func) in STAND_INS
                    else None
                    if _last(node.func) == "multiple" and _last(getattr(node.func, "value", None)) == "patch"
                    else HERE
                )
                yield from (
                    (resource.real_path, tree, node, kind, each)
                    for each in node.keywords
                    if each.arg == old and kind != HERE
                )
                spread = [
                    key
                    for each in node.keywords
                    if each.arg is None and isinstance(each.value, ast.Dict) and kind == STAND_IN
                    for key in each.value.keys
                ]
                yield from (
                    (resource.real_path, tree, node, None, key)
                    for key in spread
                    if isinstance(key, ast.Constant) and str(key.value).split(".")[0] == old
                )
            space = _space(node)
            strings = node.args if called else [node.slice] if chosen or space else []
            for string in strings:
                if isinstance(string, ast.Constant) and string.value == old:
                    owner = space or (
                        node.value
                        if chosen
                        else node.args[0]
                        if len(node.args) > 1 and string is node.args[1]
                        else None
                    )
                    yield resource.real_path, tree, node, owner, string


def _space(node):
    """What the names in `vars(x)[...]`, `x.__dict__[...]` or `globals()[...]` belong to."""
    value = node.value if isinstance(node, ast.Subscript) else None
    if isinstance(value, ast.Attribute) and value.attr == "__dict__":
        return value.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return HERE if value.func.id == "globals" else value.args[0] if value.func.id == "vars" and value.args else None
    return None


def _last(node):
    return getattr(node, "id", None) or getattr(node, "attr", None)


def _nodes(text):
    try:
        return ast.walk(ast.parse(text))
    except SyntaxError:
        return ()
