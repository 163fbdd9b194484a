"""The parts of a value, one page at a time."""

import itertools
import types
from collections import deque

from . import values


class Child(object):
    __slots__ = ("name", "value", "path", "kind")

    def __init__(self, name, value, path=None, kind=None):
        self.name = name
        self.value = value
        self.path = path
        self.kind = kind


def counts(value):
    """(indexed, named) children; both 0 when the value has none."""
    kind = type(value)
    try:
        if isinstance(value, (str, bytes, bytearray, int, float, complex, bool, type(None))):
            return 0, 0
        if isinstance(value, list):
            return list.__len__(value), 0
        if isinstance(value, tuple):
            return (0, len(kind._fields)) if hasattr(kind, "_fields") else (tuple.__len__(value), 0)
        if isinstance(value, (set, frozenset)):
            return (set if isinstance(value, set) else frozenset).__len__(value), 0
        if isinstance(value, deque):
            return deque.__len__(value), 0
        if isinstance(value, dict):
            return 0, dict.__len__(value)
        library = kind.__module__.split(".")[0]
        if library == "numpy" and kind.__name__ == "ndarray":
            return (value.shape[0], 0) if value.ndim > 0 else (0, 0)
        if library == "pandas" and kind.__name__ == "DataFrame":
            return 0, value.shape[1]
        if library == "pandas" and (kind.__name__ == "Series" or kind.__name__.endswith("Index")):
            return len(value), 0
        if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
            return 0, 0
        return 0, sum(1 for _ in _attributes(value, ""))
    except Exception:
        return 0, 0


def page(value, path, start, count, needle):
    """(children, total) of the children from `start` on; `needle` keeps those whose name contains it."""
    every = _children(value, path)
    if needle:
        needle = needle.lower()
        matching = [child for child in itertools.islice(every, 100000) if needle in child.name.lower()]
        return matching[start : start + count], len(matching)
    indexed, named = counts(value)
    fast = _indexed_slice(value, path, start, count)
    if fast is not None:
        return fast, indexed
    return list(itertools.islice(every, start, start + count)), indexed + named


def _indexed_slice(value, path, start, count):
    if isinstance(value, (list, tuple)) and not hasattr(type(value), "_fields"):
        base = list if isinstance(value, list) else tuple
        part = base.__getitem__(value, slice(start, start + count))
        return [_indexed(path, start + offset, item) for offset, item in enumerate(part)]
    library = type(value).__module__.split(".")[0]
    if library == "numpy" and type(value).__name__ == "ndarray" and value.ndim > 0:
        part = value[start : start + count]
        return [_indexed(path, start + offset, item) for offset, item in enumerate(part)]
    if library == "pandas" and type(value).__name__ == "Series":
        part = value.iloc[start : start + count]
        return [Child(values.clip(str(key), 60), item) for key, item in zip(part.index, part)]
    if library == "pandas" and type(value).__name__.endswith("Index"):
        return [_indexed(path, start + offset, item) for offset, item in enumerate(value[start : start + count])]
    return None


def _indexed(path, index, item):
    return Child(str(index), item, "%s[%d]" % (path, index) if path else None)


def _children(value, path):
    kind = type(value)
    if isinstance(value, (list, tuple)) and not hasattr(kind, "_fields"):
        return (_indexed(path, index, item) for index, item in enumerate(value))
    if isinstance(value, tuple):
        return (Child(name, item, "%s.%s" % (path, name) if path else None) for name, item in zip(kind._fields, value))
    if isinstance(value, (set, frozenset, deque)):
        base = set if isinstance(value, set) else frozenset if isinstance(value, frozenset) else deque
        indexable = path if base is deque else None
        return (_indexed(indexable, index, item) for index, item in enumerate(base.__iter__(value)))
    if isinstance(value, dict):
        return (_entry(path, key, item) for key, item in list(dict.items(value)))
    if kind.__module__.split(".")[0] == "pandas" and kind.__name__ == "DataFrame":
        return (
            Child(
                values.clip(str(name), 60),
                value.iloc[:, index],
                "%s[%r]" % (path, name) if path and isinstance(name, str) else None,
            )
            for index, name in enumerate(value.columns)
        )
    return _attributes(value, path)


def _entry(path, key, item):
    name = values.show(key, values.DEFAULT_LIMITS)
    simple = isinstance(key, (str, int, float, bool, bytes)) and len(name) < 200
    return Child(name, item, "%s[%r]" % (path, key) if path and simple else None)


def _attributes(value, path):
    prefix = path + "." if path else None
    if isinstance(value, (types.ModuleType, type)):
        stored = list(vars(value).items())
        for name, item in stored:
            if values.is_user_visible(name) and not (isinstance(value, type) and isinstance(item, types.FunctionType)):
                yield Child(name, item, prefix and prefix + name)
        return
    seen = set()
    if isinstance(value, BaseException):
        for name in ("args", "__cause__", "__context__"):
            item = getattr(value, name, None)
            if item is not None:
                yield Child(name, item, prefix and prefix + name)
    for name, item in values.instance_fields(value):
        seen.add(name)
        yield Child(name, item, prefix and prefix + name)
    for base in type(value).__mro__:
        if base.__module__ == "builtins":
            continue
        for name, item in list(base.__dict__.items()):
            if name in seen or not values.is_user_visible(name):
                continue
            seen.add(name)
            if isinstance(item, property):
                yield Child(name, item, prefix and prefix + name, "getter")
