"""Which statements of a file may write what, and which lines belong together."""

import ast
import textwrap

import pytest

from _sightline_recorder import sites, sources
from _sightline_recorder.focus import Focus, matches
from _sightline_recorder.probes import compiled
from _sightline_recorder.targets import Target


def source(text):
    return sources.Source(ast.parse(textwrap.dedent(text)))


def told(text):
    return sorted({(site.line, site.kind, site.text) for site in sites.of(source(text))})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("self.a.b = 1", [(1, "attribute", "self.a.b")]),
        ("x, self.y = 1, 2", [(1, "attribute", "self.y"), (1, "name", "x")]),
        ("del x.y", [(1, "attribute", "x.y")]),
        ("d['k'] = 1", [(1, "content", "d")]),
        ("d['k']['l'] = 1", [(1, "content", "d['k']")]),
        ("o[key].items.append(1)", [(1, "content", "o[key].items")]),
        ("x += [1]", [(1, "content", "x"), (1, "name", "x")]),
        ("setattr(o, 'n', 1)", [(1, "attribute", "o.n")]),
        ("heappush(self.queue, 1)", [(1, "content", "self.queue")]),
        ("for x.y in z: pass", [(1, "attribute", "x.y")]),
        ("with f() as x:\n  y = 1", [(1, "name", "x"), (2, "name", "y")]),
        ("import a.b, c as d", [(1, "name", "a"), (1, "name", "d")]),
        ("x = [\n  1,\n  f(y.z)]", [(1, "content", "y.z"), (1, "name", "x")]),
        ("print(lambda: x)", []),
    ],
)
def test_sites(text, found):
    assert told(text) == found


@pytest.mark.parametrize(
    ("expression", "kind", "holder", "name"),
    [
        ("count", "variable", None, "count"),
        ("self.opts.exclude", "attribute", "self.opts", "exclude"),
        ("d['k']", "item", "d", "k"),
        ("rows[3]", "item", "rows", 3),
        ("a['b'].c", "attribute", "a['b']", "c"),
        ("len(a) == 3", "expression", None, None),
        ("a +", "expression", None, None),
    ],
)
def test_targets(expression, kind, holder, name):
    target = Target(expression)
    assert (target.kind, target.holder, target.name) == (kind, holder, name)


def test_statements_and_names():
    found = source(
        """\
        class A:
            @property
            def b(self):
                def c():
                    return f(
                        1)
                return c

        if (a and
                b):
            d()
        """
    )
    assert found.functions[(2, "b")] == ("A.b", 7)
    assert found.functions[(4, "c")] == ("A.b.c", 6)
    assert found.line_for(6) == (5, 6)
    assert found.line_for(8) == (9, 10)
    assert found.line_for(11) == (11, 11)
    assert found.line_for(40) is None


def test_focus(tmp_path):
    inside = str(tmp_path / "a.py")
    orders = {
        "focus": {"files": [str(tmp_path) + "/"], "functions": ["A.b"]},
        "root": str(tmp_path),
        "watches": [],
        "probes": [],
    }
    focus = Focus(orders)
    assert focus.path_of(inside) == inside
    assert focus.path_of(str(tmp_path / "venv" / "lib" / "b.py")) is None
    assert focus.path_of("<string>") is None and focus.path_of(ast.__file__) is None
    assert focus.wants_call(inside, "outer.A.b") and not focus.wants_call(inside, "A.bb")
    assert matches("b", "A.b") and not matches("b", "A.ab")


def test_expressions_that_assign_are_not_evaluated():
    assert type(compiled("a + 1")) is not str
    assert compiled("a +").startswith("<SyntaxError")
    assert compiled("(a := 1)").startswith("<an expression that assigns")
