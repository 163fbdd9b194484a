"""Read-only evaluation: the expression is interpreted node by node, and every step must be known to have no side
effect.

It is decided with the real values in hand, not by looking at text: an attribute is read only when it is stored data (no
property, no ``__getattr__``), an operator is applied only to types whose operators are the interpreter's own, and only
known functions and methods are called. What cannot be proven is refused with the reason.
"""

import abc
import ast
import builtins
import collections
import datetime
import decimal
import enum
import fractions
import operator
import types

MAX_STEPS = 200000


class Refused(Exception):
    pass


_PLAIN_TYPES = (
    int, float, complex, bool, str, bytes, bytearray, type(None), list, tuple, dict, set, frozenset, range, slice,
    type({}.keys()), type({}.values()), type({}.items()), collections.deque, collections.OrderedDict,
    collections.defaultdict, collections.Counter, decimal.Decimal, fractions.Fraction, datetime.date, datetime.datetime,
    datetime.time, datetime.timedelta, type(Ellipsis),
)  # fmt: skip
_PLAIN = frozenset(_PLAIN_TYPES)
_PURE_BUILTINS = frozenset(
    "abs all any ascii bin bool bytes chr complex dict divmod enumerate float format frozenset hash hex id int "
    "isinstance issubclass len list max min oct ord pow range repr reversed round set slice sorted str sum tuple "
    "type zip".split()
)
_MUTATING = frozenset(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem rotate appendleft "
    "popleft extendleft subtract difference_update intersection_update symmetric_difference_update move_to_end "
    "release".split()
)
_KNOWN_METACLASSES = (type, abc.ABCMeta, type(enum.Enum))
_BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitOr: operator.or_, ast.BitAnd: operator.and_, ast.BitXor: operator.xor,
}  # fmt: skip
_UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
_COMPARE = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


def evaluate(tree, frame):
    if not isinstance(tree, ast.Expression):
        raise Refused("statements are not allowed in read-only mode")
    return _Interpreter(frame).value(tree.body, {})


class _Interpreter(object):
    def __init__(self, frame):
        self._globals = frame.f_globals
        self._locals = dict(frame.f_locals)
        self._steps = 0

    def value(self, node, scope):
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Refused("the expression takes too many steps for read-only mode")
        method = getattr(self, "_" + type(node).__name__, None)
        if method is None:
            raise Refused("%s is not allowed in read-only mode" % _kind(node))
        return method(node, scope)

    def _Constant(self, node, scope):
        return node.value

    def _Name(self, node, scope):
        for names in (scope, self._locals, self._globals, vars(builtins)):
            if node.id in names:
                return names[node.id]
        raise NameError("name '%s' is not defined" % node.id)

    def _Attribute(self, node, scope):
        return stored_attribute(self.value(node.value, scope), node.attr)

    def _Subscript(self, node, scope):
        container = self.value(node.value, scope)
        key = self.value(node.slice, scope)
        base = _plain_base(container)
        if base is None and not _has_interpreter_method(type(container), "__getitem__"):
            raise Refused("indexing %s runs its own code" % type(container).__name__)
        self._require_plain(key, "an index")
        if isinstance(container, collections.defaultdict):
            return dict.__getitem__(container, key)
        return container[key]

    def _Index(self, node, scope):
        return self.value(node.value, scope)

    def _Slice(self, node, scope):
        return slice(
            *[None if part is None else self.value(part, scope) for part in (node.lower, node.upper, node.step)]
        )

    def _BinOp(self, node, scope):
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        self._require_plain(left, "an operand")
        self._require_plain(right, "an operand")
        if isinstance(node.op, ast.Pow) and isinstance(right, int) and right > 10000:
            raise Refused("such a large power is not computed in read-only mode")
        if isinstance(node.op, (ast.Mult, ast.LShift)) and isinstance(right, int) and right > 10**7:
            raise Refused("such a large result is not computed in read-only mode")
        if type(node.op) not in _BINARY:
            raise Refused("this operator is not allowed in read-only mode")
        return _BINARY[type(node.op)](left, right)

    def _UnaryOp(self, node, scope):
        operand = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            return not self._truth(operand)
        self._require_plain(operand, "an operand")
        return _UNARY[type(node.op)](operand)

    def _BoolOp(self, node, scope):
        wanted = isinstance(node.op, ast.Or)
        result = None
        for part in node.values:
            result = self.value(part, scope)
            if self._truth(result) == wanted:
                return result
        return result

    def _IfExp(self, node, scope):
        return self.value(node.body if self._truth(self.value(node.test, scope)) else node.orelse, scope)

    def _Compare(self, node, scope):
        left = self.value(node.left, scope)
        result = True
        for op, comparator in zip(node.ops, node.comparators):
            right = self.value(comparator, scope)
            result = self._compare(op, left, right)
            if not result:
                return result
            left = right
        return result

    def _compare(self, op, left, right):
        if isinstance(op, (ast.Is, ast.IsNot)):
            return (left is right) == isinstance(op, ast.Is)
        self._require_plain(left, "an operand")
        self._require_plain(right, "an operand")
        if isinstance(op, (ast.In, ast.NotIn)):
            return (left in right) == isinstance(op, ast.In)
        return _COMPARE[type(op)](left, right)

    def _List(self, node, scope):
        return self._elements(node, scope)

    def _Tuple(self, node, scope):
        return tuple(self._elements(node, scope))

    def _Set(self, node, scope):
        return set(self._hashable(each) for each in self._elements(node, scope))

    def _Dict(self, node, scope):
        result = {}
        for key, item in zip(node.keys, node.values):
            if key is None:
                spread = self.value(item, scope)
                self._require_plain(spread, "what is spread")
                result.update(spread)
            else:
                result[self._hashable(self.value(key, scope))] = self.value(item, scope)
        return result

    def _elements(self, node, scope):
        result = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                result.extend(self._iterate(self.value(element.value, scope)))
            else:
                result.append(self.value(element, scope))
        return result

    def _JoinedStr(self, node, scope):
        return "".join(str(self.value(part, scope)) for part in node.values)

    def _FormattedValue(self, node, scope):
        item = self.value(node.value, scope)
        self._require_plain(item, "a formatted value")
        if node.conversion in (114, 97):
            item = repr(item)
        spec = "" if node.format_spec is None else self.value(node.format_spec, scope)
        return format(item, spec)

    def _ListComp(self, node, scope):
        return list(self._comprehension(node.generators, scope, lambda inner: self.value(node.elt, inner)))

    def _SetComp(self, node, scope):
        return set(
            self._comprehension(node.generators, scope, lambda inner: self._hashable(self.value(node.elt, inner)))
        )

    def _GeneratorExp(self, node, scope):
        return self._ListComp(node, scope)

    def _DictComp(self, node, scope):
        pair = lambda inner: (self._hashable(self.value(node.key, inner)), self.value(node.value, inner))  # noqa: E731
        return dict(self._comprehension(node.generators, scope, pair))

    def _comprehension(self, generators, scope, make):
        if not generators:
            yield make(scope)
            return
        first, rest = generators[0], generators[1:]
        for item in self._iterate(self.value(first.iter, scope)):
            inner = dict(scope)
            self._bind(first.target, item, inner)
            if all(self._truth(self.value(test, inner)) for test in first.ifs):
                for made in self._comprehension(rest, inner, make):
                    yield made

    def _bind(self, target, item, scope):
        if isinstance(target, ast.Name):
            scope[target.id] = item
        elif isinstance(target, (ast.Tuple, ast.List)) and not any(
            isinstance(each, ast.Starred) for each in target.elts
        ):
            parts = list(self._iterate(item))
            if len(parts) != len(target.elts):
                raise ValueError("cannot unpack %d values into %d names" % (len(parts), len(target.elts)))
            for part, name in zip(parts, target.elts):
                self._bind(name, part, scope)
        else:
            raise Refused("this form of assignment is not allowed in read-only mode")

    def _Call(self, node, scope):
        arguments = self._elements(ast.List(elts=node.args), scope)
        keywords = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Refused("** in a call is not allowed in read-only mode")
            keywords[keyword.arg] = self.value(keyword.value, scope)
        if isinstance(node.func, ast.Attribute):
            return self._method(self.value(node.func.value, scope), node.func.attr, arguments, keywords)
        function = self.value(node.func, scope)
        name = getattr(function, "__name__", "")
        if getattr(builtins, name, None) is not function or name not in _PURE_BUILTINS:
            raise Refused("a call of %s cannot be proven to be read-only" % (name or "this value"))
        if name in ("type", "id", "isinstance", "issubclass"):
            if name == "type" and len(arguments) != 1:
                raise Refused("making a class is not read-only")
            if any(isinstance(each, type) and type(each) not in _KNOWN_METACLASSES for each in arguments):
                raise Refused("the class decides with its own code what its instances are")
            return function(*arguments, **keywords)
        if name == "len" and len(arguments) == 1 and _has_interpreter_method(type(arguments[0]), "__len__"):
            return len(arguments[0])
        self._require_plain_arguments(name, arguments, keywords)
        return function(*arguments, **keywords)

    def _method(self, owner, name, arguments, keywords):
        if type(owner) not in _PLAIN:
            raise Refused("a call of %s.%s cannot be proven to be read-only" % (type(owner).__name__, name))
        if name in _MUTATING or name.startswith("_"):
            raise Refused("%s.%s changes the program" % (type(owner).__name__, name))
        self._require_plain(owner, "what a method is called on")
        self._require_plain_arguments(name, arguments, keywords)
        return getattr(owner, name)(*arguments, **keywords)

    def _require_plain_arguments(self, name, arguments, keywords):
        for argument in list(arguments) + list(keywords.values()):
            if callable(argument) and getattr(builtins, getattr(argument, "__name__", ""), None) is not argument:
                raise Refused("%s would call %s" % (name, getattr(argument, "__name__", "an argument")))
            # A format string may name attributes of what it formats.
            if name in ("format", "format_map") and _plain_base(argument) is None:
                raise Refused("formatting %s may run its own code" % type(argument).__name__)
            self._require_plain(argument, "an argument of %s" % name)

    def _iterate(self, value):
        if _plain_base(value) is None:
            raise Refused("iterating over %s runs its own code" % type(value).__name__)
        return value

    def _truth(self, value):
        if not _has_python_method(type(value), "__bool__") and not _has_python_method(type(value), "__len__"):
            return bool(value)
        raise Refused("the truth of %s runs its own code" % type(value).__name__)

    def _hashable(self, value):
        self._require_plain(value, "a key")
        return value

    def _require_plain(self, value, what, depth=0):
        """Operators, hashing and formatting reach into containers, so what they hold must be plain as well."""
        kind = type(value)
        if isinstance(value, (enum.Enum, type)) and not _has_python_method(kind, "__eq__"):
            return
        if kind not in _PLAIN and not _is_plain_object(kind):
            raise Refused("%s is a %s, whose operators may run its own code" % (what, kind.__name__))
        if depth > 4 or not isinstance(value, (list, tuple, dict, set, frozenset, collections.deque)):
            return
        self._steps += len(value)
        if self._steps > MAX_STEPS:
            raise Refused("the value is too large for read-only mode")
        for item in value:
            self._require_plain(item, what, depth + 1)
        if isinstance(value, dict):
            for item in value.values():
                self._require_plain(item, what, depth + 1)


def stored_attribute(owner, name):
    """The attribute as it is stored; refuses what would run code to compute it."""
    kind = type(owner)
    if isinstance(owner, type) and name in (
        "__name__",
        "__qualname__",
        "__module__",
        "__mro__",
        "__bases__",
        "__doc__",
    ):
        return type.__getattribute__(owner, name)
    if isinstance(owner, types.ModuleType):
        if name in vars(owner):
            return vars(owner)[name]
        raise AttributeError("module '%s' has no attribute '%s'" % (owner.__name__, name))
    if _has_python_method(kind, "__getattribute__"):
        raise Refused("attributes of %s are computed by its own code" % kind.__name__)
    found, holder = None, None
    for base in owner.__mro__ if isinstance(owner, type) else kind.__mro__:
        if name in base.__dict__:
            found, holder = base.__dict__[name], base
            break
    if holder is not None and (isinstance(found, property) or _has_python_method(type(found), "__get__")):
        raise Refused("%s.%s is a property: reading it runs code" % (kind.__name__, name))
    try:
        stored = object.__getattribute__(owner, "__dict__") if not isinstance(owner, type) else {}
    except AttributeError:
        stored = {}
    if name in stored:
        return stored[name]
    if holder is not None:
        return getattr(owner, name)
    if _has_python_method(kind, "__getattr__"):
        raise Refused("%s.%s is computed by __getattr__" % (kind.__name__, name))
    if name in ("__class__", "__dict__"):
        return getattr(owner, name)
    raise AttributeError("'%s' object has no attribute '%s'" % (kind.__name__, name))


def _plain_base(value):
    for base in _PLAIN_TYPES:
        if type(value) is base:
            return base
    if isinstance(value, (enumerate, zip, reversed)):
        return type(value)
    return None


def _is_plain_object(kind):
    """A class that leaves comparison, hashing and formatting to the interpreter."""
    names = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__str__", "__repr__",
             "__format__", "__add__", "__radd__", "__len__", "__iter__", "__contains__", "__bool__", "__index__",
             "__int__", "__float__", "__sub__", "__mul__", "__mod__", "__getitem__")  # fmt: skip
    return not any(_has_python_method(kind, name) for name in names)


def _has_python_method(kind, name):
    for base in kind.__mro__:
        if name in base.__dict__:
            return isinstance(base.__dict__[name], (types.FunctionType, classmethod, staticmethod, property))
    return False


def _has_interpreter_method(kind, name):
    return hasattr(kind, name) and not _has_python_method(kind, name)


def _kind(node):
    names = {
        "Lambda": "a lambda",
        "Await": "await",
        "Yield": "yield",
        "NamedExpr": "an assignment",
        "Starred": "* here",
    }
    return names.get(type(node).__name__, type(node).__name__)
