"""Each follower and each check of a rename by itself, with nothing but the places before it."""

import re

import pytest
from _sightline_refactor.rename.checks import CHECKS
from _sightline_refactor.rename.followers import FOLLOWERS
from _sightline_refactor.rename.occurrences import first_draft
from _sightline_refactor.rename.places import find
from _sightline_refactor.rename.target import meant
from _sightline_refactor.requests import RenameRequest
from _sightline_refactor.session import Session


def drafted(folder, text, new, docs=False):
    """The places of the name behind `$` in test_a.py, and the first draft."""
    folder = folder.resolve()
    path, before = folder / "test_a.py", text[: text.index("$")]
    path.write_text(text.replace("$", ""))
    name = re.match(r"\w+", text[len(before) + 1 :]).group()
    session = Session(str(folder))
    session.refresh()
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    request = RenameRequest(str(path), line, column, name, new_name=new, docs=docs)
    places = find(session, meant(session, request))
    return places, first_draft(places)


# The name of the follower: the module, the new name, and what the module says then.
FOLLOWED = {
    "__all__": ("def $old(): ...\n__all__ = ['old']\n", "new", "__all__ = ['new']"),
    "the name that TypeVar is told": ("from typing import TypeVar\n$T = TypeVar('T')\n", "K", "K = TypeVar('K')"),
    "keywords of attrs": ("import attr\n@attr.s\nclass A:\n    $_a = attr.ib()\nA(a=1)\n", "_b", "A(b=1)"),
    "mangled private names": ("class A:\n    def $__a(self): ...\nA()._A__a()\n", "__b", "A()._A__b()"),
    "type comments": ("class $Old: ...\nx = None  # type: Old\n", "New", "# type: New"),
    "descriptions": ('def f($old):\n    """Does.\n\n    :param old: what\n    """\n', "new", ":param new: what"),
    "types in descriptions": ('class $Old: ...\ndef f(x):\n    """:type x: Old"""\n', "New", ":type x: New"),
    "marks of fixtures": (
        "import pytest\n@pytest.fixture\ndef $old(): ...\n@pytest.mark.usefixtures('old')\ndef test_a(): ...\n",
        "new",
        "usefixtures('new')",
    ),
    "dotted strings": ("def $old(): ...\npatch('test_a.old')\n", "new", "patch('test_a.new')"),
    "strings of getattr": ("import test_a\ndef $old(): ...\ngetattr(test_a, 'old')\n", "new", "getattr(test_a, 'new')"),
    "comments and strings": ("$old = 1\n# old is old\n", "new", "# new is new"),
}


@pytest.mark.parametrize("follower", FOLLOWERS, ids=lambda each: each.name)
def test_follower(tmp_path, follower):
    text, new, wanted = FOLLOWED[follower.name]
    places, draft = drafted(tmp_path, text, new, docs=follower.name == "comments and strings")
    assert follower.applies_to(places)
    assert wanted not in draft.text(places.request.path)
    assert follower.follow(places, draft) == []
    assert wanted in draft.text(places.request.path)


# The name of the check: a module in which it finds something, the new name, and the line; the same module with the
# name `fine` for the new one or, where the old name is at fault, another module has nothing to be found.
CHECKED = {
    "a class outside has it": ("import abc\nclass A(abc.ABC):\n    def $register(self): ...\n", "new", 3),
    "another meaning": ("$old = 1\ndef f(new): return old\n", "new", 2),
    "defined twice": ("def $old(): ...\ndef new(): ...\n", "new", None),
    "unknown type": ("class A:\n    def $old(self): ...\nclass B:\n    def old(self): ...\ndef f(x): x.old()\n", "new", 5),
    "meaning in the language": ("class A:\n    def $__len__(self): ...\n", "new", 2),
    "member exists": ("class A:\n    def new(self): ...\nclass B(A):\n    def $old(self): ...\n", "new", 2),
    "found by test runners": ("def $test_old(): ...\n", "new", 1),
    "shown by f-strings": ("$old = 1\nprint(f'{old=}')\n", "new", 2),
    "becomes private": ("class A:\n    def $old(self): ...\nA().old()\n", "__new", 3),
    "called by a decorator": ("import x\n@x.register\ndef $old(): ...\nx.call('old')\n", "new", 4),
    "seen by eval": ("def f():\n    $old = 1\n    return eval('old')\n", "new", 1),
    "unknown keywords": ("def f($old): ...\nx = {'old': 1}\nf(**x)\n", "new", 3),
    "keyword taken with stars": ("def f($old, **rest): ...\nf(old=1, new=2)\n", "new", 2),
    "keyword handed on": ("def f($old): ...\ndef g(**rest):\n    h(**rest)\n    f(**rest)\ng(old=1)\n", "new", 5),
    "keyword taken from stars": ("def f($old): ...\ndef g(**rest):\n    rest['old']\n    f(**rest)\n", "new", 3),
    "named by a decorator": ("import x\n@x.option('--old')\ndef f($old): ...\n", "new", 2),
    "found by name": ("class A:\n    def $get_old(self): ...\n    def f(self, x): getattr(self, f'get_{x}')\n", "new", 3),
    "methods named after the class": (
        "class $Leaf: ...\nclass V:\n    def visit_Leaf(self): ...\n    def f(self, x): 'visit_' + x.__name__\n",
        "New",
        3,
    ),
}
FINE = "def f():\n    $harmless = 1\n    return harmless\n"


@pytest.mark.parametrize("check", CHECKS, ids=lambda each: each.name)
def test_check(tmp_path, check):
    if check.name == "stub left behind":
        (tmp_path / "test_a.pyi").write_text("# old\n")
    text, new, line = CHECKED.get(check.name, ("def $old(): ...\n", "new", 1))
    places, draft = drafted(tmp_path, text, new)
    assert check.applies_to(places)
    assert [each.line for each in check.conflicts(places, draft)] == [line]


def test_nothing_is_found_where_nothing_is_wrong(tmp_path):
    places, draft = drafted(tmp_path, FINE, "fine")
    assert [each for check in CHECKS if check.applies_to(places) for each in check.conflicts(places, draft)] == []
    assert draft.text(places.request.path) == FINE.replace("$", "").replace("harmless", "fine")
