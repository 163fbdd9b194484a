"""The list of reasons is closed: each stands once, and whoever names one fills in what its words speak of."""

import ast
import string
from pathlib import Path

from _sightline_refactor import refusals

PACKAGE = Path(refusals.__file__).parent
REASONS = {name: one for name, one in vars(refusals).items() if isinstance(one, refusals.Reason)}


def fields(reason):
    return {field for _text, field, _format, _conversion in string.Formatter().parse(reason.text) if field}


def uses():
    """Where a reason is named: the file and line, its name, and the values that are given with it."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call):
                continue
            named = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "words" else None
            for reason in [named] if named is not None else call.args[:1]:
                if isinstance(reason, ast.Attribute) and ast.unparse(reason.value) == "refusals":
                    yield f"{path.name}:{call.lineno}", reason.attr, {each.arg for each in call.keywords}


def test_every_use_fills_in_what_the_words_speak_of():
    wrong = [(place, name) for place, name, values in uses() if values != fields(REASONS[name])]
    assert wrong == []


def test_every_reason_stands_once_and_is_used():
    texts = [one.text for one in REASONS.values()]
    assert sorted(set(texts)) == sorted(texts)
    assert set(REASONS) - {name for _place, name, _values in uses()} == set()


def test_no_conflict_is_told_in_words_of_its_own():
    own = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            told = node.args[1:2] if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Conflict" else []
            own += [f"{path.name}:{one.lineno}" for one in told if isinstance(one, (ast.Constant, ast.JoinedStr))]
    # What the parser says of a result that does not parse.
    assert [place.split(":")[0] for place in own] == ["checks.py"]
