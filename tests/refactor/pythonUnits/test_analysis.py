"""Which values flow where, and what running something does."""

import pytest

from _sightline_refactor.analysis import flow, return_paths
from _sightline_refactor.analysis.effects import Effects, aliases, changed_object
from _sightline_refactor.project import trees as ast


def body(text):
    return ast.parse(text).body


def expression(text):
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = 1\n", {"a"}),
        ("if x:\n    a = 1\nelse:\n    a = b = 2\n", {"a"}),
        ("for a in x:\n    b = 1\n", set()),
        ("try:\n    a = f()\nexcept E:\n    pass\n", set()),
        ("with x as a:\n    b = 1\n", {"a", "b"}),
    ],
)
def test_what_is_surely_assigned(text, names):
    assert set(flow.surely_assigned(body(text))) == names


def test_behind_a_return_nothing_goes_on():
    assert flow.surely_assigned(body("def f():\n    return 1\n")[0].body) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = 1\nprint(a, b)\n", {"print", "b"}),
        ("if c:\n    a = 1\nprint(a)\n", {"c", "print", "a"}),
        ("a += 1\n", {"a"}),
    ],
)
def test_what_is_read_before_it_is_assigned(text, names):
    assert set(flow.exposed(body(text))) == names


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("return 1", [2]),
        ("if a:\n        return 1\n    return 2", [3, 4]),
        ("if a:\n        return 1\n    f()", [3, None]),
        ("raise E", []),
    ],
)
def test_the_last_returns(text, lines):
    found = return_paths.last_returns(body(f"def f():\n    {text}\n")[0].body)
    assert [each and each.lineno for each in found] == lines


@pytest.mark.parametrize(
    ("text", "changed"),
    [("a.append(1)", "a"), ("a.b.pop()", "a.b"), ("a.index(1)", None), ("f(a)", None)],
)
def test_what_a_call_changes(text, changed):
    assert changed_object(expression(text)) == changed


@pytest.mark.parametrize(
    ("call", "does"), [("len(x)", False), ("quiet(x)", False), ("loud(x)", True), ("unknown(x)", True)]
)
def test_whether_a_call_does_something(call, does):
    effects = Effects(ast.parse("def quiet(x):\n    return len(x)\ndef loud(x):\n    x.y = 1\n"))
    assert bool(list(effects.acts(expression(call)))) is does


def test_names_of_one_object():
    assert aliases(ast.parse("a = b\nc = a or d\ne = f\n"), {"b"}) == {"a", "b", "c", "d"}
