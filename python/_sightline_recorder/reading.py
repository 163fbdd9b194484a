"""Reading variables, attributes and elements of a running frame without running anything of the program."""

import ast
import types

from . import values

MISSING = object()
_DESCRIPTORS = (types.FunctionType, classmethod, staticmethod, property)


def read(node, scope, namespace):
    """The object that a path names now, or MISSING."""
    if isinstance(node, ast.Name):
        if node.id in scope:
            return scope[node.id]
        return namespace.get(node.id, MISSING)
    base = read(node.value, scope, namespace)
    if base is MISSING:
        return MISSING
    if isinstance(node, ast.Attribute):
        return attribute(base, node.attr)
    key = key_of(node.slice.value if type(node.slice).__name__ == "Index" else node.slice, scope, namespace)
    return MISSING if key is MISSING else item(base, key)


def key_of(index, scope, namespace):
    """What stands in brackets, when it is a constant or a path."""
    key = index.value if isinstance(index, ast.Constant) else _old_constant(index)
    if key is not MISSING:
        return key
    return read(index, scope, namespace) if isinstance(index, (ast.Name, ast.Attribute, ast.Subscript)) else MISSING


def _old_constant(node):
    """Python 3.7 has a node for each kind of constant."""
    kind = type(node).__name__
    return node.s if kind in ("Str", "Bytes") else node.n if kind == "Num" else MISSING


def attribute(value, name):
    """A stored attribute of an object, a class or a module."""
    if name[:2] == "__" and name[-2:] != "__":
        return _private(value, name)
    kind = type(value)
    if issubclass(kind, type):
        return _of_class(value, name)
    for base in kind.__mro__:
        member = base.__dict__.get(name, MISSING)
        if member is MISSING:
            continue
        if type(member) is types.MemberDescriptorType:
            try:
                return member.__get__(value, kind)
            except AttributeError:
                return MISSING
        if type(member) is property:
            return MISSING
        break
    stored = values.stored_dict(value)
    if stored is None and issubclass(kind, types.ModuleType):
        stored = types.ModuleType.__getattribute__(value, "__dict__")
    if stored is not None and name in stored:
        return stored[name]
    return _plain(_of_class(kind, name))


def _private(value, name):
    """`self.__size` is stored under the name of the class in which it is written."""
    kind = value if issubclass(type(value), type) else type(value)
    for base in type.__getattribute__(kind, "__mro__"):
        found = attribute(value, "_%s%s" % (base.__name__.lstrip("_"), name))
        if found is not MISSING:
            return found
    return MISSING


def _of_class(kind, name):
    for base in type.__getattribute__(kind, "__mro__"):
        if name in base.__dict__:
            return base.__dict__[name]
    return MISSING


def _plain(value):
    """What a class holds counts as the object's own when it is data."""
    return MISSING if type(value) in _DESCRIPTORS or hasattr(type(value), "__get__") else value


def item(container, key):
    kind = type(container)
    if not values.is_atom(key) and type(key) is not tuple:
        return MISSING
    try:
        if issubclass(kind, dict):
            return dict.get(container, key, MISSING)
        if issubclass(kind, list):
            return list.__getitem__(container, key)
        if issubclass(kind, tuple):
            return tuple.__getitem__(container, key)
    except Exception:
        pass
    return MISSING
