"""Values as text, their members and their numbers, without running any code of the program."""

import collections
import enum

import pytest

from _sightline_recorder import reading, values
from _sightline_recorder.members import changed_names, members
from _sightline_recorder.objects import Numbers


class Loud(object):
    """Every way to look at it that would run its own code fails."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def fail(self, *_):
        raise AssertionError("code of the program was run")

    __repr__ = __str__ = __eq__ = __hash__ = __len__ = __iter__ = __getattr__ = __bool__ = fail
    prop = property(fail)


class LoudList(list):
    __repr__ = __len__ = __iter__ = __getitem__ = __eq__ = Loud.fail


class LoudDict(dict):
    __repr__ = __len__ = __iter__ = items = __getitem__ = get = Loud.fail


class Proxy(object):
    """As lazy objects do, it pretends to be of another class by code."""

    @property
    def __class__(self):
        raise AssertionError("code of the program was run")


class Slots(object):
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = 1


class Color(enum.Enum):
    RED = 1


Point = collections.namedtuple("Point", "x y")


def cycle():
    found = []
    found.append(found)
    return found


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: None, "None"),
        (lambda: 10**400, "<int of 1329 bits>"),
        (lambda: "x" * 100, "'%s'\u2026 (100 chars)" % ("x" * 60)),
        (lambda: b"ab", "b'ab'"),
        (lambda: [], "[]"),
        (lambda: set(), "set()"),
        (lambda: (1,), "(1,)"),
        (lambda: [1, [2, [3, [4, [5, 6, 7, 8]]]]], "[1, [2, [\u2026] (2)]]"),
        (lambda: [1, [2, [3, 4]]], "[1, [2, [3, 4]]]"),
        (lambda: list(range(100)), "[0, 1, 2, 3, 4, 5, \u2026] (100)"),
        (lambda: {"a": 1, "b": [1]}, "{'a': 1, 'b': [1]}"),
        (lambda: Point(1, 2), "Point(x=1, y=2)"),
        (lambda: Color.RED, "Color.RED"),
        (lambda: Slots(), "Slots(a=1)"),
        (lambda: Loud(a=1, b=[]), "Loud(a=1, b=[])"),
        (lambda: LoudList([1, 2]), "LoudList[1, 2]"),
        (lambda: LoudDict(a=1), "LoudDict{'a': 1}"),
        (lambda: collections.UserDict(a=1), "UserDict{'a': 1}"),
        (lambda: Proxy(), "Proxy()"),
        (lambda: ValueError("no", 3), "ValueError('no', 3)"),
        (lambda: cycle(), "[<cycle>]"),
        (lambda: Loud, "<class Loud>"),
        (lambda: cycle, "<function cycle>"),
    ],
)
def test_show(make, text):
    assert values.show(make()) == text


def test_text_is_never_longer_than_asked():
    deep = {"key%d" % index: ["v" * 50] * 10 for index in range(30)}
    assert len(values.show(deep, 60)) <= 60


def test_members_tell_what_changed():
    thing = Loud(a=1, items=[1])
    before = members(thing)
    thing.__dict__["items"].append(2)
    thing.__dict__["b"] = 1
    assert changed_names(before, members(thing)) == ["items", "b"]
    assert members(5) is None and members("text") is None
    held = {1, 2}
    before = members(held)
    held.add(3)
    assert members(held) != before


def test_numbers_are_those_of_the_objects():
    numbers = Numbers()
    one, other = Loud(), Loud()
    assert numbers.of(one) == numbers.of(one) != numbers.of(other)
    filled = [one]
    number = numbers.of(filled)
    assert numbers.of(filled) == number
    filled.append(1)
    assert numbers.of(filled, is_same=True) == number
    # An empty list may be another one at the same place.
    assert numbers.of([]) != numbers.of([])


def test_reading_runs_nothing():
    thing = Loud(a={"k": [7]})
    assert reading.attribute(thing, "prop") is reading.MISSING
    assert reading.attribute(thing, "missing") is reading.MISSING
    assert reading.item(reading.attribute(thing, "a"), "k") == [7]
    assert reading.attribute(Slots(), "b") is reading.MISSING
    assert reading.item(LoudDict(a=1), "a") == 1
