"""Where two values differ, told as paths. No ``__eq__`` or other method of a user's class is called."""

import collections
import datetime
import decimal
import enum
import fractions
import uuid

from . import values, wrappers

MAX_DIFFERENCES = 12
_MAX_STEPS = 20000
_MAX_CHARS = 160
_LIMITS = {"maxValueChars": _MAX_CHARS, "maxStringChars": _MAX_CHARS, "maxItems": 12, "depth": 3}
# Compared by code of the interpreter's own.
_PLAIN = (
    bool,
    int,
    float,
    complex,
    bytes,
    bytearray,
    type(None),
    decimal.Decimal,
    fractions.Fraction,
    uuid.UUID,
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
)
_NOTHING = object()


def between(left, right):
    """(differences, how many more): the first places at which the values differ."""
    walk = _Walk()
    try:
        walk.compare(left, right, "")
    except RecursionError:
        pass
    return walk.found, walk.more


class _Walk(object):
    def __init__(self):
        self.found = []
        self.more = 0
        self.steps = 0
        self.open = set()

    def note(self, path, left, right):
        if len(self.found) >= MAX_DIFFERENCES:
            self.more += 1
            return
        found = {"path": path}
        if left is not _NOTHING:
            found["left"] = _shown(left)
        if right is not _NOTHING:
            found["right"] = _shown(right)
        self.found.append(found)

    def compare(self, left, right, path):
        self.steps += 1
        if left is right or self.steps > _MAX_STEPS or (id(left), id(right)) in self.open:
            return
        kind, other = type(left), type(right)
        if kind is str and other is str:
            return self.texts(left, right, path)
        if kind in _PLAIN and other in _PLAIN:
            if left != right:
                self.note(path, left, right)
            return None
        if _is_open(right) or _is_open(left):
            return None
        self.open.add((id(left), id(right)))
        ours, theirs = wrappers.entries_of(left), wrappers.entries_of(right)
        if ours is not None or theirs is not None:
            left, right = left if ours is None else ours, right if theirs is None else theirs
        for base, method in _CONTAINERS:
            if isinstance(left, base) and isinstance(right, base):
                return method(self, left, right, path)
        if isinstance(left, enum.Enum) or isinstance(left, type) or kind is not other:
            return self.note(path, left, right)
        return self.fields(left, right, path)

    def fields(self, left, right, path):
        ours, theirs = dict(values.instance_fields(left)), dict(values.instance_fields(right))
        self.entries(ours, theirs, path, lambda key: ".%s" % key)

    def mapping(self, left, right, path):
        self.entries(left, right, path, lambda key: "[%s]" % values.show(key, _LIMITS))

    def entries(self, left, right, path, name):
        for key, value in dict.items(left):
            if dict.__contains__(right, key):
                self.compare(value, dict.__getitem__(right, key), path + name(key))
            else:
                self.note(path + name(key), value, _NOTHING)
        for key, value in dict.items(right):
            if not dict.__contains__(left, key):
                self.note(path + name(key), _NOTHING, value)

    def sequence(self, left, right, path):
        base = next(each for each in (list, tuple, collections.deque) if isinstance(left, each))
        ours, theirs = list(base.__iter__(left)), list(base.__iter__(right))
        names = getattr(type(left), "_fields", None) if base is tuple else None
        for index in range(max(len(ours), len(theirs))):
            at = "%s.%s" % (path, names[index]) if names and index < len(names) else "%s[%d]" % (path, index)
            if index >= len(ours):
                self.note(at, _NOTHING, theirs[index])
            elif index >= len(theirs):
                self.note(at, ours[index], _NOTHING)
            else:
                self.compare(ours[index], theirs[index], at)

    def sets(self, left, right, path):
        plain = _PLAIN + (str,)
        ours = [each for each in list(left) if type(each) in plain]
        theirs = [each for each in list(right) if type(each) in plain]
        for each in ours:
            if each not in theirs:
                self.note(path + " (set)", each, _NOTHING)
        for each in theirs:
            if each not in ours:
                self.note(path + " (set)", _NOTHING, each)

    def texts(self, left, right, path):
        if left == right:
            return
        if "\n" not in left and "\n" not in right:
            return self.line(left, right, path)
        ours, theirs = left.split("\n"), right.split("\n")
        for index in range(max(len(ours), len(theirs))):
            mine = ours[index] if index < len(ours) else _NOTHING
            its = theirs[index] if index < len(theirs) else _NOTHING
            if mine != its:
                self.note("%s line %d" % (path, index + 1), mine, its)
        return None

    def line(self, left, right, path):
        at = next((i for i in range(min(len(left), len(right))) if left[i] != right[i]), min(len(left), len(right)))
        if max(len(left), len(right)) <= _MAX_CHARS or at < 20:
            return self.note(path, left, right)
        start = at - 12
        return self.note("%s character %d" % (path, at), _Part(left, start), _Part(right, start))


class _Part(object):
    """A part of a long text, which says that it is one."""

    def __init__(self, text, start):
        end = start + _MAX_CHARS - 20
        self.text = "\u2026%r%s" % (text[start:end], "\u2026" if end < len(text) else "")


def _shown(value):
    return value.text if isinstance(value, _Part) else values.show(value, _LIMITS)


_CONTAINERS = (
    (dict, _Walk.mapping),
    (list, _Walk.sequence),
    (tuple, _Walk.sequence),
    (collections.deque, _Walk.sequence),
    ((set, frozenset), _Walk.sets),
)


def _is_open(value):
    """What decides itself whether it is equal: `pytest.approx`, `mock.ANY`."""
    return type(value).__module__.split(".")[0] in ("_pytest", "unittest", "numpy", "pandas", "torch", "dirty_equals")
