"""What a module that is moved or renamed may be found by, other than by imports and strings that name it: put together
names, patterns of files, and what lies beside it.
"""

import fnmatch
import functools
import os
import sys

from ..answers import Conflict
from ..requests import MoveFileRequest
from .. import refusals
from ..project import trees as ast
from ..project.names import captured
from ..strings.string_patterns import pattern_of

IMPORTING = ("import_module", "__import__", "iter_modules", "walk_packages", "find_spec")


def hazards(draft, args: MoveFileRequest, pairs):
    """Conflicts. `pairs` are the dotted names before and after."""
    session, old, new = draft.session, args.source, args.to
    stems = [os.path.basename(each).removesuffix(".py") for each in (old, new)]
    found = []
    if os.path.dirname(new) == session.root and stems[1] in sys.stdlib_module_names and stems[0] != stems[1]:
        found.append(_told("name", new, 1, refusals.HIDES_STANDARD_MODULE.words(name=stems[1])))
    for path in draft.modules() if stems[0] != stems[1] else ():
        uses = captured(draft.before(path), draft.text(path), *stems) if path.endswith(".py") else []
        found += [
            _told("name", path, use.line, refusals.WOULD_MEAN_OTHER.words(name=use.name)) for use in (uses or [])[:2]
        ]
    finds = functools.partial(_finds, [session.relative(each) for each in (old, new)], pairs)
    for resource in session.files():
        text = resource.read()
        try:
            nodes = list(ast.walk(ast.parse(text)))
        except SyntaxError:
            continue
        imports = any(word in text for word in IMPORTING)
        for node in nodes:
            what = finds(node, imports)
            if (
                what is None
                and resource.real_path == old
                and os.path.dirname(old) != os.path.dirname(new)
                and getattr(node, "id", None) == "__file__"
            ):
                what = "what lies beside it is found by"
            if what is not None:
                found.append(
                    _told(
                        "usage",
                        resource.real_path,
                        node.lineno,
                        refusals.MODULE_FOUND_BY_TEXT.words(how=what, text=ast.unparse(node)[:80]),
                    )
                )
    return found[:5]


def _finds(shown, pairs, node, imports):
    stems = [os.path.basename(each).removesuffix(".py") for each in shown]
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "*" in node.value
        and node.value.endswith(".py")
    ):
        matches = [fnmatch.fnmatch("/" + each, f"*/{node.value.lstrip('./')}") for each in shown]
        return "it is found by" if matches[0] and not matches[1] else None
    if (
        imports
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("startswith", "endswith")
        and node.args
    ):
        part, method = getattr(node.args[0], "value", None), getattr(str, node.func.attr)
        return (
            "it is found by"
            if isinstance(part, str) and method(stems[0], part) and not method(stems[1], part)
            else None
        )
    pattern = pattern_of(node) if imports and isinstance(node, (ast.JoinedStr, ast.BinOp, ast.Call)) else None
    if (
        pattern is not None
        and "." in pattern[0]
        and any(
            before != after and before.startswith(pattern[0]) and before.endswith(pattern[1]) for before, after in pairs
        )
    ):
        return "its name may be put together by"
    return None


def _told(kind, path, line, message):
    return Conflict(kind, message, path, line)
