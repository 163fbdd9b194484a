"""Members that are reached by their name in a string: `getattr(x, "name")`, `patch.object(x, "name")`,
`vars(x)["name"]`, `globals()["name"]`, and `Color["NAME"]` of an enumeration.
"""

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..project.namedtuple_classes import NAMED
from ..project.source import span

# The module itself, and what is used in the place of something.
HERE, STAND_IN = "here", "stand-in"
STAND_INS = {"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "SimpleNamespace"}
BY_NAME = {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"}


def follow_reached(places, draft):
    """Changes the strings whose owner is certain, and returns the places of the others."""
    old, new, left, certain = places.old, places.new, [], {}
    is_owner = places.owners.is_owner
    for path, tree, call, owner, string in _reached(places.session, draft.modules(), old):
        is_certain = owner is not None and is_owner(path, tree, owner)
        if owner == HERE and not is_certain or owner == STAND_IN and is_certain is None:
            continue
        if is_certain:
            certain.setdefault(path, []).append((tree, string))
        else:
            left.append(_told(path, call, old, "keyword" if isinstance(string, ast.keyword) else "string"))
    for path, found in certain.items():
        text = draft.text(path)
        # The trees are those of the text before; what has been put in since does not move a string to another line, nor
        # before another.
        edits = []
        for tree, string in found:
            here, then = _on_line(ast.parse(text), old, string.lineno), _on_line(tree, old, string.lineno)
            if len(here) != len(then):
                left.append(_told(path, string, old))
                continue
            begin, finish = span(text, here[then.index(string)])
            finish = finish if isinstance(string, ast.Constant) else begin + len(old)
            edits.append((begin, finish, text[begin:finish].replace(old, new)))
        draft.edit(path, edits)
    return left


def _on_line(tree, word, line):
    """The strings that say a word and the keywords that are it."""
    found = (
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and n.value == word or isinstance(n, ast.keyword) and n.arg == word
    )
    return sorted((n for n in found if n.lineno == line), key=lambda n: n.col_offset)


def reached_by_name(session, old):
    return [_told(path, call, old) for path, _tree, call, _owner, _string in _reached(session, (), old)]


def _told(path, call, old, what="string"):
    return Conflict("usage", refusals.NAMED_THERE.words(name=old, what=what), path, call.lineno)


def _reached(session, paths, old):
    """(path, tree, call, owner, string); the owner is what the string names a member of, if it is said."""
    enums = _enumerations(session, paths, old)
    for resource, _text, tree in session.trees(old):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                found = [*_keywords(node, old), *_arguments(node, old)]
            elif isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) == old:
                owner = _space(node) or (node.value if _last(node.value) in enums else None)
                found = [(owner, node.slice)] if owner is not None else []
            else:
                continue
            yield from ((resource.real_path, tree, node, owner, string) for owner, string in found)


def _enumerations(session, paths, old):
    """The names of enumerations: of those among the files that have the member, and of all that calls make."""
    found = {
        node.name
        for path in paths
        for node in _nodes(session.resource(path).read())
        if isinstance(node, ast.ClassDef)
        and any("Enum" in ast.unparse(base) or "Flag" in ast.unparse(base) for base in node.bases)
        and any(isinstance(n, ast.Assign) and any(getattr(t, "id", None) == old for t in n.targets) for n in node.body)
    }
    return found | {
        target.id
        for _path, _text, tree in session.parsed(old)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and NAMED.get(_last(node.value.func)) in ("Enum", "Flag")
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _keywords(call, old):
    """What stands in for a thing has its members by keyword."""
    is_stand_in = _last(call.func) in STAND_INS
    if is_stand_in or _is_patch(call, "multiple"):
        yield from ((STAND_IN if is_stand_in else None, each) for each in call.keywords if each.arg == old)
    for each in call.keywords if is_stand_in else ():
        for key in each.value.keys if each.arg is None and isinstance(each.value, ast.Dict) else ():
            if isinstance(key, ast.Constant) and str(key.value).split(".")[0] == old:
                yield None, key


def _arguments(call, old):
    if _last(call.func) in BY_NAME or _is_patch(call, "object"):
        for at, string in enumerate(call.args):
            if isinstance(string, ast.Constant) and string.value == old:
                yield (call.args[0] if at == 1 else None), string


def _is_patch(call, what):
    return _last(call.func) == what and _last(getattr(call.func, "value", None)) == "patch"


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
