"""Names that somebody reads while the program runs: test runners find tests and hooks by them, and `{name=}` in an
f-string shows them.
"""

import fnmatch
import os

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..project.source import FUNCTIONS

HOOKS = {f"{when}_{what}" for when in ("setup", "teardown") for what in ("module", "function", "class", "method")}


def no_longer_collected(places, draft):
    """Tests and hooks that would not be found any more, and what would be taken for one."""
    return [
        Conflict("meaning", message, path, line)
        for path, before, after in _trees(draft)
        for line, message in _collected(os.path.basename(path), (before, after), places.old, places.new)
    ][:5]


def shown_by_f_strings(places, draft):
    """`{name=}` shows the name as text."""
    return [
        Conflict(
            "meaning",
            refusals.F_STRING_SHOWS_NAME.words(name=places.old, line=one.lineno, other=places.new),
            path,
            one.lineno,
            hint="force: true renames it there too.",
        )
        for path, before, after in _trees(draft)
        for one, other in zip(_f_strings(before), _f_strings(after))
        if _texts(one) != _texts(other)
    ][:5]


def _trees(draft):
    for path in (each for each in draft.paths() if each.endswith(".py")):
        try:
            yield path, ast.parse(draft.before(path)), ast.parse(draft.text(path))
        except SyntaxError:
            continue


def _collected(file, trees, old, new):
    for (node, owner), (renamed, _owner) in zip(*(_definitions(each) for each in trees)):
        if node.name != old or renamed.name != new:
            continue
        was, will = (_role(file, node, owner, name) for name in (old, new))
        if was and was != will:
            yield node.lineno, refusals.NO_LONGER_RUN.words(name=old, other=new, kind=was)
        elif will and was != will:
            yield node.lineno, refusals.WOULD_BE_RUN.words(name=new, kind=will)


def _definitions(tree):
    for node in tree.body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node, None
            yield from (
                (each, node)
                for each in getattr(node, "body", ())
                if isinstance(node, ast.ClassDef) and isinstance(each, FUNCTIONS)
            )


def _role(file, node, owner, name):
    """What a runner takes a definition for when it has that name."""
    is_fixture = any("fixture" in ast.unparse(each) for each in node.decorator_list)
    is_test_file = fnmatch.fnmatch(file, "test_*.py") or fnmatch.fnmatch(file, "*_test.py")
    if (
        isinstance(node, FUNCTIONS)
        and name.startswith("pytest_")
        and owner is None
        and (is_test_file or file == "conftest.py")
    ):
        return "a hook"
    if not is_test_file or is_fixture:
        return None
    is_case = owner is not None and any("TestCase" in ast.unparse(base) for base in owner.bases)
    if isinstance(node, ast.ClassDef):
        is_case = any("TestCase" in ast.unparse(base) for base in node.bases)
        return (
            "tests"
            if name.startswith("Test")
            and not is_case
            and any(getattr(each, "name", "").startswith("test") for each in node.body)
            else None
        )
    if owner is not None and not is_case and not owner.name.startswith("Test"):
        return None
    return "a test" if name.startswith("test") else "a hook" if name in HOOKS and not is_case else None


def _f_strings(tree):
    return [n for n in ast.walk(tree) if isinstance(n, ast.JoinedStr)]


def _texts(node):
    return [each.value for each in node.values if isinstance(each, ast.Constant)]
