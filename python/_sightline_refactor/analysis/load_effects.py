"""What modules do to others as they are loaded, other than print something. Whoever imported one of them only for a
symbol that has moved does not load it any more.
"""

import os

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..check import Exports
from .effects import Effects
from .registration import is_registered
from ..project.source import FUNCTIONS, assigned


def no_longer_loaded(session, contents, source, target):
    """Conflicts: a module that others need loaded is not loaded by a program that loaded it before. `contents` are the
    texts after the move.
    """
    before, after = Exports(session.root, {}), Exports(session.root, contents)
    followers = [path for path in contents if path not in (source, target) and path.endswith(".py")]
    acting = {
        path: line
        for path in ({source, *_loaded(before, source)} if followers else ())
        for line in [_first_effect(session, after, path)]
        if line
    }
    if not acting:
        return []
    for path in sorted(_programs(session, before, followers)):
        lost = sorted(acting.keys() & _loaded(before, path) - _loaded(after, path))
        if lost:
            return [
                Conflict(
                    "meaning",
                    refusals.NO_LONGER_LOADS.words(
                        path=session.relative(path), other_path=session.relative(lost[0]), line=acting[lost[0]]
                    ),
                    lost[0],
                    acting[lost[0]],
                    hint="Import that module where it is wanted first, for itself; force: true moves the symbol "
                    "all the same.",
                )
            ]
    return []


def _loaded(exports, start):
    """The modules of the project that are loaded with one, with the packages they are in."""
    seen, waiting = set(), [start]
    while waiting:
        path = waiting.pop()
        for found in [*exports.imported(path), *_packages(exports, path)]:
            if found not in seen and found != start and found.startswith(exports.root + os.sep):
                seen.add(found)
                waiting.append(found)
    return seen


def _packages(exports, path):
    folder = os.path.dirname(path)
    while exports.exists(os.path.join(folder, "__init__.py")) and folder.startswith(exports.root):
        yield os.path.join(folder, "__init__.py")
        folder = os.path.dirname(folder)


def _programs(session, exports, paths):
    """Of these modules and those that load them, the ones that no other module loads."""
    loaders = {}
    for resource, _text, _tree in session.trees("import"):
        for each in exports.imported(resource.real_path):
            loaders.setdefault(each, set()).add(resource.real_path)
    seen, waiting = set(paths), list(paths)
    while waiting:
        more = loaders.get(waiting.pop(), set()) - seen
        seen |= more
        waiting += more
    return {path for path in seen if not loaders.get(path)} or set(paths)


def _first_effect(session, exports, path):
    """The line of the first statement of a module that does something to others as it is loaded."""
    try:
        tree = ast.parse(exports.text(path) or "")
    except (SyntaxError, ValueError):
        return None
    own = (
        {name for node in ast.walk(tree) for name in assigned(node)}
        | {n.name for n in tree.body if isinstance(n, (*FUNCTIONS, ast.ClassDef))}
        | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    )
    effects, waiting = Effects(tree), list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            if any(_root(d) not in own for d in node.decorator_list or [node]) and is_registered(session, path, [node]):
                return node.lineno
        elif isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete)):
            called = [
                function
                for act in effects.acts(node)
                if isinstance(act, ast.Call) and isinstance(act.func, ast.Name)
                for function in effects.reached(act.func.id)
            ]
            if any(
                _acts(each, effects, own) for each in [node, *(n for function in called for n in ast.walk(function))]
            ):
                return node.lineno
        elif not (
            isinstance(node, ast.If)
            and ("__name__" in ast.unparse(node.test) or "TYPE_CHECKING" in ast.unparse(node.test))
        ):
            waiting += reversed(
                [
                    n
                    for n in ast.walk(node)
                    if isinstance(n, ast.stmt) and n is not node and not isinstance(n, (*FUNCTIONS, ast.ClassDef))
                ]
            )
    return None


def _acts(node, effects, own):
    """Whether a statement calls something that is not of its module, only to have it done, or changes such a thing."""
    if isinstance(node, ast.Expr):
        return any(isinstance(act, ast.Call) and _root(act) not in own | {"print", None} for act in effects.acts(node))
    targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [getattr(node, "target", None)]
    return any(isinstance(each, (ast.Attribute, ast.Subscript)) and _root(each) not in own for each in targets)


def _root(node):
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", None)
