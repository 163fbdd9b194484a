"""Both sides have the same requests and answers: every class of the one is an interface of the other, with the same
fields of the same types.
"""

import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Literal, Union, get_args, get_origin, get_type_hints
from types import NoneType, UnionType

import pytest
from _sightline_refactor import answers, requests
from _sightline_refactor.answers import Conflict, Move, RenameAnswer, to_wire, wire_name

REFACTOR = Path(__file__).parents[3] / "src/engine/code/refactor"
SOURCES = [REFACTOR / "python/ropeRequests.ts", REFACTOR / "python/ropeAnswers.ts", REFACTOR / "model.ts"]
KINDS = [
    one
    for room in (requests, answers)
    for one in vars(room).values()
    if isinstance(one, type) and one.__module__ == room.__name__
]


def interfaces():
    """The fields of each interface by name: (type, whether it may be left out)."""
    found = {}
    for source in SOURCES:
        text = re.sub(r"/\*\*.*?\*/", "", source.read_text(), flags=re.S)
        for name, base, body in re.findall(r"interface (\w+)(?: extends (\w+))? \{\n(.*?)\n\}", text, re.S):
            own = re.findall(r"^  (\w+)(\??): (.+);$", body, re.M)
            found.setdefault(name, {**found.get(base, {}), **{key: (kind, bool(mark)) for key, mark, kind in own}})
    return found


def shown(kind):
    """A type as the other side writes it; parts that are told in other words there are left to its compiler."""
    kind = next(each for each in get_args(kind) if each is not NoneType) if may_be_none(kind) else kind
    if get_origin(kind) is Literal:
        return " | ".join(f"'{each}'" for each in get_args(kind))
    if get_origin(kind) in (Union, UnionType):
        return "Operation"
    if get_origin(kind) is not None and get_args(kind) and len(get_args(kind)) == 1:
        return f"{shown(get_args(kind)[0])}[]"
    return {str: "string", int: "number", bool: "boolean"}.get(kind, getattr(kind, "__name__", "?"))


def may_be_none(kind):
    return get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind)


# The other side knows more: words of its lists, and which texts there can be.
NARROWER = {"Reason": "string", "UsageKind": "string", "'method' | 'variable'": "string"}
NARROWER["'class' | 'module' | 'function'"] = "string"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_other_side_has_the_same_fields_of_the_same_types(kind):
    theirs = {name: NARROWER.get(one, one.removeprefix("readonly ")) for name, (one, _) in interfaces()[kind.__name__].items()}
    mine = {wire_name(name): shown(one) for name, one in get_type_hints(kind).items()}
    theirs.pop("contents", None), mine.pop("contents", None)
    assert mine == theirs


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_one_side_may_leave_out_the_other_expects_to_be(kind):
    optional = {name for name, (_, is_optional) in interfaces()[kind.__name__].items() if is_optional}
    if kind.__name__.endswith("Request"):
        assert optional <= {wire_name(each.name) for each in fields(kind) if each.default is not MISSING}
    else:
        assert optional == {wire_name(name) for name, one in get_type_hints(kind).items() if may_be_none(one)}


def test_an_answer_is_sent_without_what_it_does_not_say():
    place = requests.Place("a.py", 1, 2)
    sent = to_wire(RenameAnswer([Move("a.py", "b.py")], "", unsure=[place], conflicts=[Conflict("name", "no", "a.py")]))
    assert sent["operations"] == [{"kind": "rename", "from": "a.py", "to": "b.py"}]
    assert sent["unsure"] == [{"path": "a.py", "line": 1, "column": 2}]
    assert sent["conflicts"] == [{"kind": "name", "message": "no", "file": "a.py"}]


def test_a_request_comes_as_it_was_sent():
    assert requests.from_wire(requests.MoveFileRequest, {"from": "a.py", "to": "b.py"}).source == "a.py"
    place = {"path": "a.py", "line": 1, "column": 2}
    request = requests.from_wire(requests.RelatedRequest, {**place, "name": "a", "sure": [place]})
    assert request.sure == [("a.py", 1, 2)]


@pytest.mark.parametrize("args", [{"from": "a.py"}, {"from": "a.py", "to": "b.py", "force": True}])
def test_a_request_has_its_fields_and_no_other(args):
    with pytest.raises(TypeError):
        requests.from_wire(requests.MoveFileRequest, args)
