"""Both sides speak of the same requests."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from _sightline_refactor import requests

OTHER_SIDE = Path(__file__).parents[3] / "src/engine/code/refactor/python/ropeRequests.ts"
KINDS = [one for one in vars(requests).values() if isinstance(one, type) and one.__name__.endswith("Request")]


def test_every_field_is_named_on_the_other_side():
    text = OTHER_SIDE.read_text()
    known = {re.sub(r"(?=[A-Z])", "_", name).lower() for name in re.findall(r"\b(\w+)\??: ", text)}
    assert {each.name for kind in KINDS for each in fields(kind)} - known == {"source"}


def test_a_request_comes_as_it_was_sent():
    assert requests.from_wire(requests.MoveFileRequest, {"from": "a.py", "to": "b.py"}).source == "a.py"
    place = {"path": "a.py", "line": 1, "column": 2, "name": "a"}
    assert requests.from_wire(requests.MoveSymbolRequest, {**place, "targetFile": "b.py"}).target_file == "b.py"


@pytest.mark.parametrize("args", [{"from": "a.py"}, {"from": "a.py", "to": "b.py", "force": True}])
def test_a_request_has_its_fields_and_no_other(args):
    with pytest.raises(TypeError):
        requests.from_wire(requests.MoveFileRequest, args)
