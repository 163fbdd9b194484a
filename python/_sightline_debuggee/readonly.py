"""Read-only evaluation: the expression is interpreted node by node, and every step must be known to have no side
effect.

It is decided with the real values in hand, not by looking at text: an attribute is read only when it is stored data (no
property, no ``__getattr__``), an operator is applied only to types whose operators are the interpreter's own, and only
known functions and methods are called. What cannot be proven is refused with the reason.
"""

import ast
import builtins
import collections
import operator
import types

from .plainness import (
    MUTATING_METHODS,
    PLAIN_KINDS,
    PROXIES,
    PURE_BUILTINS,
    Refused,
    builtin_name,
    has_method,
    has_own_length,
    has_python_method,
    is_a,
    is_plain_object,
    name_of,
    parts,
    plain_base,
    require_honest,
    require_honest_class,
    require_narrow,
    result_size,
    stored_attribute,
)

MAX_STEPS = 200000
# Beyond this a text, a number or a list costs the program memory and time that it did not mean to spend.
MAX_SIZE = 1000000
MAX_DEPTH = 20


# A view of memory and a lock have one method more.
_MUTATING = MUTATING_METHODS | {"release"}
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


def holds(tree, frame, additions=None):
    """Whether a condition is true, which is a question to its value as well."""
    interpreter = _Interpreter(frame)
    return interpreter.truth(interpreter.value(tree.body, additions or {}))


class _Interpreter(object):
    def __init__(self, frame):
        self._globals = frame.f_globals
        self._locals = dict(frame.f_locals)
        self._steps = 0
        # Going through an iterator uses it up; only those that the expression itself has made may be.
        self._own_iterators = []

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
        base = plain_base(container)
        own = any(has_python_method(type(container), each) for each in ("__getitem__", "__missing__"))
        if base is None and (own or not has_method(type(container), "__getitem__")):
            raise Refused("indexing %s runs its own code" % name_of(type(container)))
        self._require_plain(key, "an index")
        if is_a(container, *PROXIES):
            raise Refused("indexing %s runs its own code" % name_of(type(container)))
        # A key is compared with those that are there.
        if is_a(container, dict) and dict.__len__(container) <= 10000:
            for each in dict.keys(container):
                self._require_plain(each, "a key")
        if is_a(container, collections.defaultdict):
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
        if type(node.op) not in _BINARY:
            raise Refused("this operator is not allowed in read-only mode")
        if result_size(node.op, left, right) > MAX_SIZE:
            raise Refused("such a large result is not computed in read-only mode")
        return _BINARY[type(node.op)](left, right)

    def _UnaryOp(self, node, scope):
        operand = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            return not self.truth(operand)
        self._require_plain(operand, "an operand")
        return _UNARY[type(node.op)](operand)

    def _BoolOp(self, node, scope):
        wanted = isinstance(node.op, ast.Or)
        result = None
        for part in node.values:
            result = self.value(part, scope)
            if self.truth(result) == wanted:
                return result
        return result

    def _IfExp(self, node, scope):
        return self.value(node.body if self.truth(self.value(node.test, scope)) else node.orelse, scope)

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
        require_narrow(spec)
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
            if all(self.truth(self.value(test, inner)) for test in first.ifs):
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
        name = builtin_name(function)
        if name not in PURE_BUILTINS:
            raise Refused("a call of %s cannot be proven to be read-only" % _called(node.func, function))
        if name in ("type", "id", "isinstance", "issubclass"):
            if name == "type" and len(arguments) != 1:
                raise Refused("making a class is not read-only")
            if name in ("isinstance", "issubclass") and len(arguments) == 2:
                require_honest(arguments[0])
                require_honest_class(arguments[1])
                if name == "issubclass":
                    require_honest_class(arguments[0])
            return function(*arguments, **keywords)
        if name == "len" and len(arguments) == 1 and has_own_length(arguments[0]):
            return len(arguments[0])
        self._require_plain_arguments(name, arguments, keywords)
        if name in ("dict", "bytes", "complex", "float", "int") and any(plain_base(each) is None for each in arguments):
            raise Refused("%s may call methods of what it is given" % name)
        if name == "pow" and len(arguments) == 2 and result_size(ast.Pow(), *arguments) > MAX_SIZE:
            raise Refused("such a large result is not computed in read-only mode")
        if name == "bytes" and any(is_a(each, int) and each > MAX_SIZE for each in arguments):
            raise Refused("such a large result is not computed in read-only mode")
        result = function(*arguments, **keywords)
        if name in ("enumerate", "zip", "reversed"):
            self._own_iterators.append(result)
        return result

    def _method(self, owner, name, arguments, keywords):
        if type(owner) not in PLAIN_KINDS:
            raise Refused("a call of %s.%s cannot be proven to be read-only" % (name_of(type(owner)), name))
        if name in _MUTATING or name.startswith("_"):
            raise Refused("%s.%s changes the program" % (name_of(type(owner)), name))
        self._require_plain(owner, "what a method is called on")
        self._require_plain_arguments(name, arguments, keywords)
        if any(is_a(each, int) and each > MAX_SIZE for each in arguments) and is_a(owner, str, bytes, bytearray):
            raise Refused("such a large result is not computed in read-only mode")
        if name in ("format", "format_map"):
            require_narrow(owner)
        return getattr(owner, name)(*arguments, **keywords)

    def _require_plain_arguments(self, name, arguments, keywords):
        for argument in list(arguments) + list(keywords.values()):
            if callable(argument) and builtin_name(argument) not in PURE_BUILTINS:
                raise Refused("%s would call %s" % (name, _called(None, argument)))
            # A format string may name attributes of what it formats.
            if name in ("format", "format_map") and plain_base(argument) is None:
                raise Refused("formatting %s may run its own code" % name_of(type(argument)))
            self._require_plain(argument, "an argument of %s" % name)
            if type(argument) is range:
                self._count(len(argument))
            if name == "format":
                require_narrow(argument)

    def _count(self, steps):
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise Refused("the value is too large for read-only mode")

    def _iterate(self, value):
        if plain_base(value) is None and not any(value is each for each in self._own_iterators):
            raise Refused("iterating over %s runs its own code" % name_of(type(value)))
        return value

    def truth(self, value):
        own = any(has_python_method(type(value), name) for name in ("__bool__", "__len__"))
        if not own and not is_a(value, *PROXIES):
            return bool(value)
        raise Refused("the truth of %s runs its own code" % name_of(type(value)))

    def _hashable(self, value):
        self._require_plain(value, "a key")
        return value

    def _require_plain(self, value, what, depth=0):
        """Operators, hashing and formatting reach into containers, so what they hold must be plain as well."""
        kind = type(value)
        if any(value is each for each in self._own_iterators):
            return
        if has_method(kind, "__next__"):
            raise Refused("%s is a %s, which would be used up" % (what, name_of(kind)))
        if kind not in PLAIN_KINDS and not is_plain_object(value):
            raise Refused("%s is a %s, whose operators may run its own code" % (what, name_of(kind)))
        if depth > MAX_DEPTH:
            raise Refused("%s is nested too deeply for read-only mode" % what)
        for part in parts(value):
            self._count(1)
            self._require_plain(part, what, depth + 1)


def _called(node, value):
    if isinstance(node, ast.Name):
        return node.id
    return value.__name__ if is_a(value, types.FunctionType, type) else "this value"


def _kind(node):
    names = {
        "Lambda": "a lambda",
        "Await": "await",
        "Yield": "yield",
        "NamedExpr": "an assignment",
        "Starred": "* here",
    }
    return names.get(type(node).__name__, type(node).__name__)
