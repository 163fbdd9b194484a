"""Values as short text, without running any code of the program, and fast: this runs inside every recorded call.

How a value is shown depends on its type alone, so that is decided once per type. No ``isinstance``: it asks the value
for its ``__class__``, which a proxy answers with code of its own.
"""

import collections
import enum
import itertools
import types

from _sightline_debuggee import wrappers

MAX_CHARS = 120
MAX_STRING = 72
MAX_ITEMS = 6
DEPTH = 2
# A container as small as this is shown wherever it stands.
_SMALL = 3

_ATOMS = (bool, float, complex, range, slice, type(None), type(Ellipsis), type(NotImplemented))
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
# Their repr is short, the interpreter's own, and has no side effects.
_SHORT_REPR_MODULES = frozenset(
    "datetime decimal fractions uuid pathlib re ipaddress zoneinfo _thread itertools operator builtins time "
    "_io threading".split()
)
_shapes = {}


def show(value, max_chars=MAX_CHARS, depth=DEPTH):
    """The value as one line of text, at most so long."""
    kind = type(value)
    try:
        if kind is int:
            text = _int(value)
        elif kind is str:
            text = _text(value)
        elif kind in _ATOMS:
            return repr(value)
        else:
            text = _Drawing(max_chars).draw(value, depth)
    except RecursionError:
        return "<%s>" % type_name(kind)
    except Exception as error:
        return "<%s, not shown: %s>" % (type_name(kind), type(error).__name__)
    return text if len(text) <= max_chars else text[: max_chars - 1] + "\u2026"


def error_text(error, max_chars):
    """`ValueError: no such item`, from what the exception holds: its own `__str__` is not run."""
    kind = type(error)
    arguments = BaseException.__dict__["args"].__get__(error)
    if len(arguments) == 1 and type(arguments[0]) is str and kind is not KeyError:
        message = _without_addresses(arguments[0]) if kind is AssertionError else arguments[0]
        text = "%s: %s" % (type_name(kind), message) if message else type_name(kind)
    elif not arguments:
        stored = fields(error)
        text = show(error, max_chars) if not stored else _Drawing(max_chars)._fields(type_name(kind), stored, DEPTH)
        text = type_name(kind) if text == "%s()" % type_name(kind) else text
    else:
        text = show(error, max_chars)
    return text if len(text) <= max_chars else text[: max_chars - 1] + "\u2026"


def _without_addresses(message):
    """pytest says of each part of an assertion where it is from; of an object that is an address."""
    lines = message[:4000].split("\n")
    return "\n".join(line for line in lines if not (line.startswith(" + ") and " object at 0x" in line))


def is_atom(value):
    """Whether the value is its text: nobody can change it."""
    kind = type(value)
    return kind is int or kind is str or kind is bytes or kind in _ATOMS


def type_name(kind):
    return type.__getattribute__(kind, "__qualname__").rsplit("<locals>.", 1)[-1]


def _int(value):
    return int.__repr__(value) if int.bit_length(value) < 300 else "<int of %d bits>" % int.bit_length(value)


def _text(value):
    if len(value) <= MAX_STRING:
        return repr(value)
    return "%s\u2026 (%d chars)" % (repr(value[: MAX_STRING - 12]), len(value))


class _Drawing(object):
    __slots__ = ("room", "open")

    def __init__(self, room):
        self.room = room
        self.open = []

    def draw(self, value, depth):
        kind = type(value)
        if kind is int:
            return _int(value)
        if kind is str:
            return _text(value)
        if kind in _ATOMS:
            return repr(value)
        shape = _shapes.get(kind)
        if shape is None:
            shape = _shape_of(kind)
            if len(_shapes) < 4000:
                _shapes[kind] = shape
        if shape[0] is _leaf:
            return shape[1](value)
        for each in self.open:
            if each is value:
                return "<cycle>"
        self.open.append(value)
        try:
            return shape[0](self, value, depth, *shape[1:])
        finally:
            self.open.pop()

    def sequence(self, value, depth, prefix, opening, closing, base):
        length = base.__len__(value)
        if length == 0:
            return prefix + opening + closing if opening != "{" else "%s()" % (prefix or "set")
        if depth <= 0 and not (length <= _SMALL and all(is_atom(each) for each in base.__iter__(value))):
            return "%s%s\u2026%s (%d)" % (prefix, opening, closing, length)
        drawn = self._fitting(itertools.islice(base.__iter__(value), MAX_ITEMS), depth - 1)
        inside = ", ".join(drawn)
        if len(drawn) == length:
            return "%s%s%s%s%s" % (prefix, opening, inside, "," if base is tuple and length == 1 else "", closing)
        return "%s%s%s, \u2026%s (%d)" % (prefix, opening, inside, closing, length)

    def mapping(self, value, depth, prefix):
        length = dict.__len__(value)
        if length == 0:
            return prefix + "{}"
        if depth <= 0:
            return "%s{\u2026} (%d)" % (prefix, length)
        pairs = _first_pairs(value)
        drawn = self._fitting([each for _, each in pairs], depth - 1, [self.draw(key, 0) + ": " for key, _ in pairs])
        if len(drawn) == length:
            return "%s{%s}" % (prefix, ", ".join(drawn))
        return "%s{%s, \u2026} (%d)" % (prefix, ", ".join(drawn), length)

    def wrapper(self, value, depth, prefix):
        entries = wrappers.entries_of(value)
        return self.instance(value, depth, prefix) if entries is None else self.mapping(entries, depth, prefix)

    def named_tuple(self, value, depth, prefix, names):
        return self._fields(prefix, list(zip(names, tuple.__iter__(value))), depth)

    def exception(self, value, depth, prefix):
        arguments = BaseException.__dict__["args"].__get__(value)
        return "%s(%s)" % (prefix, ", ".join(self._fitting(arguments[:4], depth - 1)))

    def instance(self, value, depth, prefix):
        return self._fields(prefix, fields(value), depth)

    def _fields(self, prefix, pairs, depth):
        if not pairs:
            return "%s()" % prefix
        if depth <= 0:
            return "%s(\u2026)" % prefix
        shown = pairs[:MAX_ITEMS]
        drawn = self._fitting([each for _, each in shown], depth - 1, [name + "=" for name, _ in shown])
        return "%s(%s%s)" % (prefix, ", ".join(drawn), "" if len(drawn) == len(pairs) else ", \u2026")

    def _fitting(self, parts, depth, names=None):
        """As many of the parts as there is room for, at least one; inside of them there is half as much room."""
        room = self.room
        self.room = room // 2
        drawn, used = [], 0
        for index, part in enumerate(parts):
            kind = type(part)
            text = int.__repr__(part) if kind is int and -1000000 < part < 1000000 else self.draw(part, depth)
            if names is not None:
                text = names[index] + text
            used += len(text) + 2
            if drawn and used > room:
                break
            drawn.append(text)
        self.room = room
        return drawn


def _first_pairs(value):
    """Another thread may be adding to it."""
    try:
        return list(itertools.islice(dict.items(value), MAX_ITEMS))
    except RuntimeError:
        return []


def _leaf():
    """Marks shapes that have no parts."""


def _shape_of(kind):
    mro = type.__getattribute__(kind, "__mro__")
    name = type_name(kind)
    for base in mro:
        made = _BASES.get(base)
        if made is not None:
            return made(kind, name)
    if type in mro:
        return (_leaf, _class_text)
    if enum.Enum in mro:
        return (_leaf, lambda value: "%s.%s" % (name, object.__getattribute__(value, "_name_")))
    module = type.__getattribute__(kind, "__module__")
    if type(module) is str and module.split(".")[0] in _SHORT_REPR_MODULES:
        return (_leaf, repr)
    return (_Drawing.wrapper if wrappers.is_wrapper(kind) else _Drawing.instance, name)


def _sequence_shape(base, opening, closing):
    def made(kind, name):
        names = getattr(kind, "_fields", None) if base is tuple else None
        if type(names) is tuple:
            return (_Drawing.named_tuple, name, names)
        prefix = "" if kind in (list, tuple, set) else name
        return (_Drawing.sequence, prefix, opening, closing, base)

    return made


def _enum_or(text):
    def made(kind, name):
        if enum.Enum in kind.__mro__:
            return (_leaf, lambda value: "%s.%s" % (name, object.__getattribute__(value, "_name_")))
        return (_leaf, lambda value: text(value) if kind in (bytes, bytearray) else "%s(%s)" % (name, text(value)))

    return made


def _bytes_text(value):
    base = bytes if issubclass(type(value), bytes) else bytearray
    length = base.__len__(value)
    if length <= MAX_STRING:
        return base.__repr__(value)
    return "%s\u2026 (%d bytes)" % (repr(bytes(base.__getitem__(value, slice(0, MAX_STRING // 2)))), length)


def _class_text(value):
    return "<class %s>" % type_name(value)


def _function_text(value):
    return "<function %s>" % getattr(value, "__qualname__", "?")


_BASES = {
    list: _sequence_shape(list, "[", "]"),
    tuple: _sequence_shape(tuple, "(", ")"),
    set: _sequence_shape(set, "{", "}"),
    frozenset: _sequence_shape(frozenset, "{", "}"),
    collections.deque: _sequence_shape(collections.deque, "[", "]"),
    dict: lambda kind, name: (_Drawing.mapping, "" if kind is dict else name),
    str: _enum_or(lambda value: _text(str.__str__(value))),
    int: _enum_or(lambda value: _int(int.__int__(value))),
    float: _enum_or(float.__repr__),
    bytes: _enum_or(_bytes_text),
    bytearray: _enum_or(_bytes_text),
    BaseException: lambda kind, name: (_Drawing.exception, name),
    types.ModuleType: lambda kind, name: (
        _leaf,
        lambda value: "<module %s>" % types.ModuleType.__getattribute__(value, "__name__"),
    ),
    types.GeneratorType: lambda kind, name: (_leaf, lambda value: "<generator %s>" % value.__qualname__),
    types.CoroutineType: lambda kind, name: (_leaf, lambda value: "<coroutine %s>" % value.__qualname__),
}
_BASES.update({each: lambda kind, name: (_leaf, _function_text) for each in _FUNCTIONS})  # ty: ignore[no-matching-overload]


def fields(value):
    """The attributes stored in the object itself, as pairs, without running descriptors."""
    kind = type(value)
    found = []
    stored = stored_dict(value)
    if stored:
        # A copy in one step of the interpreter: another thread may be adding to it.
        found = [(name, each) for name, each in list(stored.items()) if type(name) is str and name[:2] != "__"]
    for name, member in slots(kind):
        try:
            found.append((name, member.__get__(value, kind)))
        except AttributeError:
            continue
    return found


def stored_dict(value):
    try:
        stored = object.__getattribute__(value, "__dict__")
    except Exception:
        return None
    return stored if type(stored) is dict else None


_slots = {}


def slots(kind):
    """The slots of a class as (name, descriptor)."""
    found = _slots.get(kind)
    if found is None:
        found = tuple(
            (name, member)
            for base in type.__getattribute__(kind, "__mro__")
            for name, member in list(type.__getattribute__(base, "__dict__").items())
            if type(member) is types.MemberDescriptorType and name[:2] != "__" and base.__module__ != "builtins"
        )
        if len(_slots) < 4000:
            _slots[kind] = found
    return found
