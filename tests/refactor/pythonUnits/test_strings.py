"""Names in strings, comments and documentation."""

import pytest

from _sightline_refactor.project import trees as ast
from _sightline_refactor.strings.name_strings import exported_strings
from _sightline_refactor.strings.string_patterns import pattern_of


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ('f"get_{x}"', ("get_", "")),
        ('f"{x}_{y}_by"', ("", "_by")),
        ('"get_" + x + "_by"', ("get_", "_by")),
        ('"get_%s_by" % x', ("get_", "_by")),
        ('"get_{}".format(x)', ("get_", "")),
        ("x + y", ("", "")),
        ("x", None),
        ("x % y", None),
    ],
)
def test_what_a_string_begins_and_ends_with(text, ends):
    assert pattern_of(ast.parse(text, mode="eval").body) == ends


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('__all__ = ["a", "b"]\n', 1),
        ('__all__ = ("b",)\n__all__ += ["a"]\n', 1),
        ('__all__ = []\n__all__.append("a")\n', 1),
        ('other = ["a"]\n', 0),
    ],
)
def test_strings_that_export_a_name(text, count):
    assert len(list(exported_strings(ast.parse(text), "a"))) == count
