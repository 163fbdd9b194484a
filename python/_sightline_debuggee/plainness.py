"""What a value may be asked without running code of the program: decided by its class as it is stored, never by
asking the value or its class, which may answer with code of their own."""

import abc
import ast
import builtins
import collections
import datetime
import decimal
import enum
import fractions
import re
import types
import weakref


# What runs no code but the interpreter's own on plain values. The refactorings ask for these too.
PURE_BUILTINS = frozenset(
    "abs all any ascii bin bool bytes chr complex dict divmod enumerate float format frozenset hash hex id int "
    "isinstance issubclass len list max min oct ord pow range repr reversed round set slice sorted str sum tuple "
    "type zip".split()
)
# Methods of the built-in containers that change them.
MUTATING_METHODS = frozenset(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem rotate appendleft "
    "popleft extendleft subtract difference_update intersection_update symmetric_difference_update "
    "move_to_end".split()
)


class Refused(Exception):
    pass


_PLAIN_TYPES = (
    int, float, complex, bool, str, bytes, bytearray, type(None), list, tuple, dict, set, frozenset, range, slice,
    type({}.keys()), type({}.values()), type({}.items()), collections.deque, collections.OrderedDict,
    collections.defaultdict, collections.Counter, decimal.Decimal, fractions.Fraction, datetime.date, datetime.datetime,
    datetime.time, datetime.timedelta, type(Ellipsis),
)  # fmt: skip
PLAIN_KINDS = frozenset(_PLAIN_TYPES)
_KNOWN_METACLASSES = (type, abc.ABCMeta, type(enum.Enum))
_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
# Of the interpreter's own types besides the plain ones: those that show and compare nothing of what they hold.
_OPAQUE = frozenset(
    [object, types.FunctionType, types.BuiltinFunctionType, type(re.compile("")), type(re.match("", ""))]
)
_NO_METHODS = frozenset(
    [
        str,
        int,
        bool,
        tuple,
        list,
        dict,
        set,
        frozenset,
        type(None),
        types.GetSetDescriptorType,
        types.MemberDescriptorType,
    ]
)
# Methods that no operator, function or conversion calls.
_UNCALLED = frozenset(
    "__init__ __new__ __init_subclass__ __class_getitem__ __set_name__ __post_init__ __del__ __enter__ __exit__ "
    "__aenter__ __aexit__ __call__ __getattr__ __setattr__ __delattr__ __setitem__ __delitem__ __getstate__ "
    "__setstate__ __reduce__ __reduce_ex__ __copy__ __deepcopy__ __getnewargs__ __getnewargs_ex__ "
    "__replace__ __annotate__ __annotate_func__ "
    "__sizeof__ __dir__ __await__ __aiter__ __anext__ __prepare__ __fspath__ __get__ __set__ __delete__".split()
)


def parts(value):
    """What operators, hashing and formatting of a plain value reach."""
    if is_a(value, dict):
        for pair in dict.items(value):
            yield pair[0]
            yield pair[1]
    elif is_a(value, list, tuple, set, frozenset, collections.deque, *_VIEWS):
        for item in value:
            yield item
    elif type(value) is slice:
        for item in (value.start, value.stop, value.step):
            yield item
    elif is_a(value, datetime.datetime, datetime.time):
        zone = value.tzinfo
        if zone is not None and type(zone) is not datetime.timezone and _module_of(type(zone)) != "zoneinfo":
            raise Refused("the time zone %s runs its own code" % name_of(type(zone)))
    elif is_a(value, BaseException):
        for item in BaseException.__dict__["args"].__get__(value):
            yield item


def result_size(op, left, right):
    if isinstance(op, ast.Pow) and is_a(left, int) and is_a(right, int):
        return abs(left).bit_length() * right
    if isinstance(op, ast.LShift) and is_a(left, int) and is_a(right, int):
        return left.bit_length() + right
    if isinstance(op, ast.Mult):
        for one, other in ((left, right), (right, left)):
            if is_a(one, int) and is_a(other, str, bytes, bytearray, list, tuple, collections.deque):
                return one * len(other)
        if is_a(left, int) and is_a(right, int):
            return left.bit_length() + right.bit_length()
    if isinstance(op, ast.Mod) and is_a(left, str, bytes):
        require_narrow(left)
    return 0


def require_narrow(form):
    """A format may ask for a field of any width."""
    if is_a(form, str, bytes) and re.search(r"\d{6}", form if is_a(form, str) else form.decode("latin1")):
        raise Refused("so wide a field is not written in read-only mode")
    if is_a(form, str, bytes) and ("*" if is_a(form, str) else b"*") in form:
        raise Refused("a width that is itself a value is not allowed in read-only mode")


def require_honest(value):
    """isinstance asks a value for its class, and whoever computes attributes may answer with code of its own."""
    if any(has_python_method(type(value), name) for name in ("__class__", "__getattribute__")) or is_a(value, *PROXIES):
        raise Refused("%s says with its own code what it is" % name_of(type(value)))


def require_honest_class(kind):
    if type(kind) is tuple:
        for each in kind:
            require_honest_class(each)
    elif not is_a(kind, type):
        raise Refused("only classes are asked about in read-only mode")
    elif type(kind) not in _KNOWN_METACLASSES or _has_user_method(kind, "__subclasshook__"):
        raise Refused("the class decides with its own code what its instances are")


def _has_user_method(kind, name):
    """Those of the standard library's own abstract classes only look at names of methods."""
    for base in _mro_of(kind):
        if name in _dict_of(base):
            return has_python_method(base, name) and _module_of(base) not in (
                "collections.abc",
                "_collections_abc",
                "abc",
            )
    return False


def stored_attribute(owner, name):
    """The attribute as it is stored; refuses what would run code to compute it."""
    kind = type(owner)
    if is_a(owner, type) and name in (
        "__name__",
        "__qualname__",
        "__module__",
        "__mro__",
        "__bases__",
        "__doc__",
    ):
        return type.__getattribute__(owner, name)
    if is_a(owner, types.ModuleType):
        names = types.ModuleType.__getattribute__(owner, "__dict__")
        if name in names:
            return names[name]
        raise AttributeError("module '%s' has no attribute '%s'" % (owner.__name__, name))
    if has_python_method(kind, "__getattribute__"):
        raise Refused("attributes of %s are computed by its own code" % name_of(kind))
    found, holder = None, None
    for base in _mro_of(owner if is_a(owner, type) else kind):
        if name in _dict_of(base):
            found, holder = _dict_of(base)[name], base
            break
    if holder is not None and _computes(found):
        raise Refused("%s.%s is a property: reading it runs code" % (name_of(kind), name))
    if is_a(owner, *PROXIES):
        raise Refused("attributes of %s are computed by its own code" % name_of(kind))
    if is_a(owner, type) and any(name in _dict_of(base) and _computes(_dict_of(base)[name]) for base in _mro_of(kind)):
        raise Refused("%s.%s is a property of its metaclass: reading it runs code" % (name_of(owner), name))
    try:
        stored = object.__getattribute__(owner, "__dict__") if not is_a(owner, type) else {}
    except AttributeError:
        stored = {}
    if name in stored:
        return stored[name]
    if holder is not None:
        return getattr(owner, name)
    if has_python_method(kind, "__getattr__"):
        raise Refused("%s.%s is computed by __getattr__" % (name_of(kind), name))
    if name in ("__class__", "__dict__"):
        return getattr(owner, name)
    raise AttributeError("'%s' object has no attribute '%s'" % (name_of(kind), name))


def _computes(found):
    """Whether this, found in a class, runs code when it is read through an instance."""
    if is_a(found, classmethod, staticmethod):
        # Until Python 3.12 a class method may wrap a property, which is then read.
        return not is_a(found.__func__, types.FunctionType, types.BuiltinFunctionType)
    return is_a(found, property) or has_python_method(type(found), "__get__")


def plain_base(value):
    for base in _PLAIN_TYPES:
        if type(value) is base:
            return base
    return None


_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
name_of = type.__dict__["__name__"].__get__
_flags_of = type.__dict__["__flags__"].__get__
# Of classes that were made by a class statement, and a few of the interpreter's own.
_HEAP = 1 << 9
PROXIES = weakref.ProxyTypes
_BUILTIN_NAMES = {id(value): name for name, value in vars(builtins).items()}


def _module_of(kind):
    return type.__dict__["__module__"].__get__(kind)


def is_a(value, *kinds):
    """As isinstance, which would ask the value itself for its ``__class__``, and a metaclass for more."""
    return any(base is kind for base in _mro_of(type(value)) for kind in kinds)


def builtin_name(value):
    """Told by identity: asking the value for its name may run its code."""
    return _BUILTIN_NAMES.get(id(value))


def is_plain_object(value):
    """Whether comparing, hashing, computing with and showing it is the interpreter's own and reaches no other value."""
    kind = type(value)
    if is_a(value, type):
        return kind in _KNOWN_METACLASSES
    if kind in _OPAQUE:
        return True
    if _module_of(kind) == "numpy" and not _flags_of(kind) & _HEAP:
        return not getattr(getattr(value, "dtype", None), "hasobject", False)
    for base in _mro_of(kind):
        if base is object or _module_of(base) == "enum" or (base in PLAIN_KINDS and base not in _VIEWS):
            continue
        if not _flags_of(base) & _HEAP:
            # Of the rest that is written in C only errors are known to show no more than their arguments.
            if is_a(value, BaseException):
                continue
            return False
        if any(_is_method(name, each) for name, each in _dict_of(base).items()):
            return False
    return True


def _is_method(name, found):
    """Whether a class has this as a method that the interpreter calls. Classes written in C count as well."""
    if not name.startswith("__") or name in _UNCALLED or name.startswith("__dataclass_"):
        return False
    return type(found) not in _NO_METHODS and found is not _dict_of(object).get(name)


def has_python_method(kind, name):
    for base in _mro_of(kind):
        if name in _dict_of(base):
            found = _dict_of(base)[name]
            kinds = (types.FunctionType, classmethod, staticmethod, property)
            return is_a(found, *kinds) or (base is not object and _is_method(name, found) and _is_ours(found))
    return False


def _is_ours(found):
    """Anything that the program has put in the place of a method."""
    return not is_a(
        found, types.BuiltinFunctionType, type(list.__len__), type(list.append), types.ClassMethodDescriptorType
    )


def has_own_length(value):
    """Whether the interpreter knows its length, without asking anybody."""
    kind = type(value)
    return has_method(kind, "__len__") and not has_python_method(kind, "__len__") and not is_a(value, *PROXIES)


def has_method(kind, name):
    """Without asking the class, whose metaclass may compute the answer."""
    return any(name in _dict_of(base) for base in _mro_of(kind))
