"""A text that is the same whenever values and all that they lead to are the same. None when they are more than plain
data.
"""

import collections
import types

_MAX_OBJECTS = 3000
_MAX_CHARS = 60000
_SCALARS = (int, float, bool, str, bytes, complex, type(None))
_HOOKS = (
    "__getattr__",
    "__getattribute__",
    "__setattr__",
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__bool__",
    "__len__",
)
_HOOKS += (
    "__iter__",
    "__next__",
    "__contains__",
    "__getitem__",
    "__hash__",
    "__call__",
    "__add__",
    "__sub__",
    "__mul__",
    "__radd__",
    "__del__",
)


def of(values, attributes):
    """:param attributes: the names that are read from objects; none of them may be computed."""
    if values is None:
        return None
    parts, seen, queue = [], {}, []
    try:
        for value in values:
            _put(value, parts, seen, queue)
        size = 0
        for each in queue:
            _open(each, attributes, parts, seen, queue)
            size = len(parts)
            if size > _MAX_CHARS or len(queue) > _MAX_OBJECTS:
                return None
    except _NotPlain:
        return None
    text = " ".join(parts)
    return text if len(text) <= _MAX_CHARS else None


class _NotPlain(Exception):
    pass


def _put(value, parts, seen, queue):
    kind = type(value)
    if kind in _SCALARS:
        if kind is int and value.bit_length() > 4000:
            raise _NotPlain()
        parts.append("%s:%r" % (kind.__name__, value))
        return
    if id(value) not in seen:
        if len(seen) > _MAX_OBJECTS:
            raise _NotPlain()
        seen[id(value)] = len(seen)
        queue.append(value)
    parts.append("#%d" % seen[id(value)])


def _open(value, attributes, parts, seen, queue):
    kind = type(value)
    if kind in (list, tuple, collections.deque):
        parts.append("%s%d[" % (kind.__name__, len(value)))
        for each in list(value):
            _put(each, parts, seen, queue)
    elif kind is dict:
        parts.append("dict%d{" % len(value))
        for key, each in list(value.items()):
            if type(key) not in _SCALARS:
                raise _NotPlain()
            _put(key, parts, seen, queue)
            _put(each, parts, seen, queue)
    elif kind is range:
        parts.append(repr(value))
    else:
        _open_object(value, kind, attributes, parts, seen, queue)


def _open_object(value, kind, attributes, parts, seen, queue):
    if type(kind) is not type or kind.__flags__ & (1 << 9) == 0:
        raise _NotPlain()
    for owner in kind.__mro__[:-1]:
        if owner.__flags__ & (1 << 9) == 0 or any(name in owner.__dict__ for name in _HOOKS):
            raise _NotPlain()
        for name, member in owner.__dict__.items():
            if name in attributes and not isinstance(member, _SCALARS + (types.FunctionType,)):
                raise _NotPlain()
            if name == "__slots__":
                raise _NotPlain()
    fields = types.MappingProxyType(object.__getattribute__(value, "__dict__"))
    parts.append("%s@%d{" % (kind.__qualname__, id(kind)))
    for name, each in list(fields.items()):
        parts.append(name)
        _put(each, parts, seen, queue)
