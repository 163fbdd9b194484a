"""pytest hands fixtures to tests by the names of their parameters: a fixture and the parameters that mean it are
renamed together, with the strings of marks that name them.
"""

import os
import re

from ..requests import NameRequest, Place
from ..project import trees as ast
from ..project.source import FUNCTIONS, name_place, span

NAMED_BY_STRINGS = ("usefixtures", "getfixturevalue", "lazy_fixture", "parametrize")


class Fixtures:
    """The fixtures of one name and who is handed them. `target` is the one that a place declares or means."""

    def __init__(self, session, args: NameRequest):
        name, here = args.name, (args.path, args.line, args.column)
        self.session, self.name, self._target = session, name, None
        modules = [(each, text, tree) for each, text, tree in session.parsed(name) if name in text]
        self._known = [
            (each, node, owner)
            for each, text, tree in modules
            if "fixture" in text
            for node, owner in _functions(tree)
            if node.name == name and is_fixture(node)
        ]
        self._users = []
        for each, text, tree in modules if self._known else ():
            lines = text.split("\n")
            for node, owner in _functions(tree):
                argument = next((a for a in node.args.args + node.args.kwonlyargs if a.arg == name), None)
                if argument is not None and (node.name.startswith("test") or is_fixture(node)):
                    self._users.append(
                        (self._nearest(each, owner, node), Place(each, *name_place(lines, argument, name)))
                    )
        for known in self._known:
            lines = session.resource(known[0]).read().split("\n")
            if here == (known[0], *name_place(lines, known[1], name)):
                self._target = known
        self._target = self._target or next((found for found, place in self._users if place == here), None)

    def place(self):
        """Where the fixture is declared, if it is one."""
        if self._target is None:
            return None
        path, node, _owner = self._target
        return Place(path, *name_place(self.session.resource(path).read().split("\n"), node, self.name))

    def parameters(self):
        """The parameters that are handed it."""
        return [place for found, place in self._users if found is self._target is not None]

    def is_meant_in(self, path):
        """Whether a string in a file that names a fixture names this one."""
        return self._target is not None and self._nearest(path, None, None) is self._target

    def _nearest(self, path, owner, function):
        """The fixture that a function of a file is handed: that of its class, its module, or a conftest.py above, but
        never itself.
        """
        here = [each for each in self._known if each[0] == path and each[1] is not function]
        found = [each for each in here if each[2] is not None and each[2] is owner] or [
            each for each in here if each[2] is None
        ]
        folder = os.path.dirname(path)
        while not found and folder.startswith(self.session.root):
            beside = os.path.join(folder, "conftest.py")
            found = [each for each in self._known if each[0] == beside and each[1] is not function]
            folder = os.path.dirname(folder)
        # What is neither near nor hidden by another one may come from a plugin.
        return (
            found[-1]
            if found
            else self._known[0]
            if len(self._known) == 1
            and self._known[0][1] is not function
            and not self._known[0][0].endswith("conftest.py")
            and not os.path.basename(self._known[0][0]).startswith("test")
            else None
        )


def is_fixture(node):
    """Whether a function is a fixture that is called as the function is."""
    for each in node.decorator_list:
        call = each.func if isinstance(each, ast.Call) else each
        if ast.unparse(call).split(".")[-1] in ("fixture", "yield_fixture"):
            return not any(k.arg == "name" for k in getattr(each, "keywords", ()))
    return False


def follow_marks(places, draft):
    """The strings that name a fixture, and those by which `parametrize` names parameters."""
    old, new = places.old, places.new
    for path, before, _tree in places.session.parsed(old):
        tree = draft.tree(path) if old in before and any(word in before for word in NAMED_BY_STRINGS) else None
        if tree is None:
            continue
        strings = [n for call in _calls(tree, NAMED_BY_STRINGS[:3]) for n in _strings(call.args)]
        strings = strings if places.fixtures.is_meant_in(path) else []
        for node, _owner in _functions(tree):
            taken = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
            if new in taken and old not in taken:
                strings += [n for decorator in node.decorator_list for n in _parametrized(decorator)]
        text = draft.text(path)
        spans = {span(text, node) for node in strings}
        word = rf"(?<!\w){re.escape(old)}(?!\w)"
        draft.edit(path, [(begin, end, re.sub(word, new, text[begin:end])) for begin, end in spans])


def _parametrized(decorator):
    for call in _calls(decorator, ("parametrize",)):
        yield from _strings([*call.args[:1], *(k.value for k in call.keywords if k.arg in ("argnames", "indirect"))])


def _calls(tree, names):
    return [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and getattr(n.func, "attr", getattr(n.func, "id", None)) in names
    ]


def _strings(nodes):
    """The strings that are a value, or items of one."""
    for node in nodes:
        for each in getattr(node, "elts", [node]):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each


def _functions(tree):
    """The functions of a module and of its classes, each with its class."""
    for node in tree.body:
        if isinstance(node, FUNCTIONS):
            yield node, None
        elif isinstance(node, ast.ClassDef):
            yield from ((each, node) for each in node.body if isinstance(each, FUNCTIONS))
