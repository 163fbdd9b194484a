"""Mappings of the standard library that keep their entries in a dict: what they hold, read from that dict."""

import collections
import os

_ENVIRONMENT = type(os.environ)


def is_wrapper(kind):
    return kind is _ENVIRONMENT or collections.UserDict in type.__getattribute__(kind, "__mro__")


def entries_of(value):
    """What `os.environ` or a `UserDict` holds, as a dict; None for anything else. No method of the value is called."""
    kind = type(value)
    if not is_wrapper(kind):
        return None
    stored = object.__getattribute__(value, "__dict__").get("_data" if kind is _ENVIRONMENT else "data")
    if type(stored) is not dict:
        return None
    return {_decoded(key): _decoded(item) for key, item in stored.items()} if kind is _ENVIRONMENT else stored


def _decoded(part):
    return os.fsdecode(part) if isinstance(part, bytes) else part
