"""Values as text, within limits, without running the user's code.

No ``__repr__`` of a user's class is called: it may be slow, endless, huge or have side effects. Containers are read
with the methods of the built-in types themselves, so that overridden ones do not run either.
"""

import collections
import enum
import itertools
import sys
import types

from . import identities, wrappers

DEFAULT_LIMITS = {"maxValueChars": 240, "maxStringChars": 160, "maxItems": 8, "depth": 3}

_ATOMS = (bool, float, complex, range, type(None), type(Ellipsis), type(NotImplemented))
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_HIDDEN_NAMES = frozenset(["__pydevd_ret_val_dict", "__exception__", "__builtins__"])
# Their repr is short, written in C or known, and has no side effects.
_SHORT_REPR_MODULES = frozenset(
    "datetime decimal fractions uuid pathlib re ipaddress zoneinfo _io io threading _thread asyncio _asyncio weakref "
    "itertools functools operator builtins time zipfile socket logging _contextvars contextvars".split()
)


def type_name(value):
    kind = type(value)
    name = getattr(kind, "__qualname__", kind.__name__)
    return name.rsplit("<locals>.", 1)[-1]


def clip(text, limit):
    if len(text) <= limit:
        return text
    return text[: max(limit - 1, 0)] + "\u2026"


def show(value, limits):
    """The value as one line of text, by itself."""
    return shown_together([value], limits)[0]


def shown_together(shown, limits, is_stopped=False):
    """Each value as one line of text; an object that appears more than once has a number."""
    marks = identities.Marks(is_stopped)
    texts = [_marked(value, limits, marks) for value in shown]
    return [clip(marks.finish(text), limits["maxValueChars"]) for text in texts]


def _marked(value, limits, marks):
    marks.begin()
    try:
        return _Shower(limits, marks).show(value, limits["depth"])
    except RecursionError:
        return "<%s, nested too deep to show>" % type_name(value)
    except Exception as error:
        return "<%s, not shown: %s>" % (type_name(value), type(error).__name__)


class _Shower(object):
    def __init__(self, limits, marks):
        self.marks = marks
        self.max_items = limits["maxItems"]
        self.max_string = limits["maxStringChars"]
        # Items are left out, and counted, before the text has to be cut off; inside of items there is half as much
        # room.
        self.room = limits["maxValueChars"] - 24

    def _fitting(self, texts):
        """As many of the texts as there is room for, at least one."""
        room = self.room
        self.room //= 2
        shown, used = [], 0
        try:
            for text in texts:
                used += identities.length(text) + 2
                if shown and used > room:
                    break
                shown.append(text)
        finally:
            self.room = room
        return shown

    def show(self, value, depth):
        kind = type(value)
        if isinstance(value, enum.Enum):
            return "%s.%s" % (kind.__name__, value._name_)
        if kind is str:
            return self.string(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return self._int(value, kind)
        if kind in _ATOMS:
            return repr(value)
        if kind in (bytes, bytearray):
            return self._bytes(value, kind)
        if isinstance(value, type):
            return (
                "<class %s>" % value.__qualname__
                if value.__module__ == "builtins"
                else "<class %s.%s>" % (value.__module__, value.__qualname__)
            )
        if isinstance(value, _FUNCTIONS):
            return "<function %s>" % getattr(value, "__qualname__", "?")
        if isinstance(value, types.ModuleType):
            return "<module %s>" % types.ModuleType.__getattribute__(value, "__name__")
        if isinstance(value, BaseException):
            return "%s(%s)" % (
                kind.__name__,
                ", ".join(self.show(each, depth - 1) for each in value.args[: self.max_items]),
            )
        if isinstance(value, (str, tuple, frozenset)):
            # What cannot be changed is not told apart: equal ones may be one object by chance.
            return self._container_or_object(value, kind, depth)
        mark = self.marks.visit(value)
        if id(value) in self.marks.opened:
            return mark + "\x03"
        if depth > 0:
            self.marks.opened.add(id(value))
        self.marks.enter(value)
        try:
            return mark + "\x02" + self._container_or_object(value, kind, depth)
        finally:
            self.marks.leave()

    def _container_or_object(self, value, kind, depth):
        special = special_summary(value, kind, self, depth)
        if special is not None:
            return special
        prefix = "" if kind in (list, tuple, dict, set, frozenset) else type_name(value)
        if isinstance(value, str):
            return "%s(%s)" % (prefix, self.string(str.__str__(value)))
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return self._fields(prefix, zip(kind._fields, tuple.__iter__(value)), depth, tuple.__len__(value))
        if isinstance(value, list):
            return self._sequence(value, "[", "]", prefix, depth, list.__len__(value), list.__iter__(value))
        if isinstance(value, tuple):
            closing = ",)" if tuple.__len__(value) == 1 else ")"
            return self._sequence(value, "(", closing, prefix, depth, tuple.__len__(value), tuple.__iter__(value))
        if isinstance(value, (set, frozenset)):
            base = set if isinstance(value, set) else frozenset
            if kind is frozenset:
                prefix = "frozenset"
            if base.__len__(value) == 0:
                return prefix + "()" if prefix else "set()"
            return self._sequence(value, "{", "}", prefix, depth, base.__len__(value), base.__iter__(value))
        if isinstance(value, collections.deque):
            length = collections.deque.__len__(value)
            return self._sequence(value, "[", "]", prefix, depth, length, collections.deque.__iter__(value))
        entries = value if isinstance(value, dict) else wrappers.entries_of(value)
        if entries is not None:
            return self._mapping(entries, prefix, depth)
        return self._object(value, kind, depth)

    def string(self, value):
        if len(value) <= self.max_string:
            return repr(value)
        return "%s\u2026 (%d chars)" % (repr(value[: self.max_string]), len(value))

    def _bytes(self, value, kind):
        if len(value) <= self.max_string:
            return repr(value)
        return "%s\u2026 (%d bytes)" % (repr(kind(value[: self.max_string // 2])), len(value))

    def _int(self, value, kind):
        bits = int.bit_length(value)
        text = int.__repr__(value) if bits < 2000 else "<int of %d bits>" % bits
        return text if kind is int else "%s(%s)" % (type_name(value), text)

    def _sequence(self, value, opening, closing, prefix, depth, length, items):
        if length == 0:
            return prefix + opening + closing.replace(",", "")
        if depth <= 0:
            return "%s%s\u2026%s (%d)" % (prefix, opening, closing[-1], length)
        shown = self._fitting(self.show(item, depth - 1) for item in itertools.islice(items, self.max_items))
        if len(shown) == length:
            return prefix + opening + ", ".join(shown) + closing
        return "%s%s%s, \u2026%s (%d)" % (prefix, opening, ", ".join(shown), closing[-1], length)

    def _mapping(self, value, prefix, depth):
        length = dict.__len__(value)
        if length == 0:
            return prefix + "{}"
        if depth <= 0:
            return "%s{\u2026} (%d)" % (prefix, length)
        entries = itertools.islice(dict.items(value), self.max_items)
        shown = self._fitting("%s: %s" % (self.show(key, 0), self.show(item, depth - 1)) for key, item in entries)
        if len(shown) == length:
            return "%s{%s}" % (prefix, ", ".join(shown))
        return "%s{%s, \u2026} (%d)" % (prefix, ", ".join(shown), length)

    def _fields(self, prefix, pairs, depth, length):
        if depth <= 0 and length > 0:
            return prefix + "(\u2026)"
        shown = self._fitting(
            "%s=%s" % (name, self.show(item, depth - 1)) for name, item in itertools.islice(pairs, self.max_items)
        )
        rest = "" if len(shown) == length else ", \u2026"
        return "%s(%s%s)" % (prefix, ", ".join(shown), rest)

    def _object(self, value, kind, depth):
        if kind.__module__.split(".")[0] in _SHORT_REPR_MODULES and not _is_sized(value, 64):
            return clip(repr(value), self.max_string)
        fields = _worth_showing(value, instance_fields(value))
        if fields:
            return self._fields(type_name(value), fields, depth, len(fields))
        if _is_sized(value, 0) and not _has_python_method(kind, "__len__"):
            return self._sized(value, kind, depth)
        if not _has_python_method(kind, "__repr__") and not kind.__repr__ is object.__repr__:
            return clip(repr(value), self.max_string)
        return "<%s object>" % type_name(value)

    def _sized(self, value, kind, depth):
        length = len(value)
        if depth <= 0 or _has_python_method(kind, "__iter__"):
            return "<%s of %d>" % (type_name(value), length)
        try:
            items = iter(value)
        except TypeError:
            return "<%s of %d>" % (type_name(value), length)
        return self._sequence(value, "[", "]", type_name(value), depth, length, items)


def _is_sized(value, more_than):
    try:
        return not _has_python_method(type(value), "__len__") and len(value) > more_than
    except Exception:
        return False


def _has_python_method(kind, name):
    """Whether this method is the user's code (or any other Python code) and not the interpreter's."""
    for base in kind.__mro__:
        method = base.__dict__.get(name)
        if method is not None:
            return isinstance(method, (types.FunctionType, classmethod, staticmethod, property))
    return False


def _worth_showing(value, fields):
    """What a test case keeps for its runner is not what the test is about."""
    if any(base.__module__ == "unittest.case" for base in type(value).__mro__):
        return [(name, item) for name, item in fields if not name.startswith("_")]
    return fields


def instance_fields(value):
    """The attributes stored in the object itself, as pairs, without running descriptors."""
    found = []
    try:
        stored = object.__getattribute__(value, "__dict__")
    except Exception:
        stored = None
    if isinstance(stored, dict):
        found.extend((str(name), item) for name, item in list(stored.items()) if not _is_dunder(str(name)))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            member = base.__dict__.get(_mangled(base, name))
            if _is_dunder(name) or not isinstance(member, types.MemberDescriptorType):
                continue
            try:
                found.append((name, member.__get__(value, type(value))))
            except AttributeError:
                continue
    return found


def _mangled(base, name):
    if name.startswith("__") and not name.endswith("__"):
        return "_%s%s" % (base.__name__.lstrip("_"), name)
    return name


def _is_dunder(name):
    return name.startswith("__") and name.endswith("__")


def special_summary(value, kind, shower, depth):
    """Types of well-known libraries whose repr is long or slow; none of them is imported here."""
    root = kind.__module__.split(".")[0]
    if root == "numpy" and kind.__name__ == "ndarray":
        first = value.flat[: shower.max_items].tolist() if depth > 0 else []
        more = ", \u2026" if value.size > len(first) and first else ""
        inside = ", ".join(shower.show(each, 0) for each in first) + more
        return "ndarray%s %s [%s]" % (tuple(value.shape), value.dtype, inside)
    if root == "pandas" and kind.__name__ == "DataFrame":
        columns = list(itertools.islice(zip(value.columns, value.dtypes), shower.max_items))
        named = ", ".join("%s: %s" % (clip(str(name), 30), dtype) for name, dtype in columns)
        more = ", \u2026" if value.shape[1] > len(columns) else ""
        return "DataFrame %d rows x %d columns {%s%s}" % (value.shape[0], value.shape[1], named, more)
    if root == "pandas" and (kind.__name__ == "Series" or kind.__name__.endswith("Index")):
        first = value[: shower.max_items].tolist() if depth > 0 else []
        more = ", \u2026" if len(value) > len(first) and first else ""
        inside = ", ".join(shower.show(each, 0) for each in first)
        return "%s(%d) %s [%s%s]" % (kind.__name__, len(value), value.dtype, inside, more)
    if root == "torch" and kind.__name__ == "Tensor":
        return "Tensor%s %s" % (tuple(value.shape), value.dtype)
    return None


def is_user_visible(name):
    return name not in _HIDDEN_NAMES and not _is_dunder(name) and not name.startswith("(return)")


def is_definition(value):
    """Modules, classes and functions: at module level they are code, not state."""
    return isinstance(value, (types.ModuleType, type) + _FUNCTIONS)


def flush_output():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
