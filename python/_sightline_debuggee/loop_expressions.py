"""What the expressions of a loop can be and what they are made from, told from their text and from the types the
variables have now.
"""

import ast
import builtins
import types

from .loop_types import (
    ANY,
    BOOL,
    DICT,
    FLOAT,
    FUNCTIONS,
    HEAP,
    INT,
    KINDS,
    LIST,
    MUTATING,
    NONE,
    NUMBER,
    OBJECT,
    READING,
    SCALAR,
    SIZED,
    STR,
    STRUCTURED,
    TUPLE,
)

_MAX_NODES = 4000


class Unknown(Exception):
    """What the text asks for time, chance or the outside, waits, or may run code that is not in the text."""


class Expressions:
    """What is known while a loop is followed. Calls of functions of the same file are followed by whoever walks through
    statements.
    """

    def __init__(self, text, loop, frame):
        self._text, self._loop, self._globals, self._locals = text, loop, frame.f_globals, dict(frame.f_locals)
        code = frame.f_code
        self._own = set(code.co_varnames + code.co_cellvars + code.co_freevars) if code.co_name != "<module>" else set()
        self.masks, self.visible, self.attributes = {}, set(), set()
        self.heap_mask = NONE
        self.lines = {(loop.lineno, loop.end_lineno)}
        self._settled, self._moving = None, set()
        self._start()

    def _start(self):
        self._controls, self._writes, self._exits = [], [], set()
        self._directions, self.staying, self._nodes, self._calls = {}, [], 0, []
        self.touches_objects = False

    # --- effects ---

    def _under(self, reads, work):
        self._controls.append(set(reads))
        work()
        self._controls.pop()

    def _exit(self, reads):
        self._exits |= set(reads).union(*self._controls)

    def _write(self, cell, reads, direction="other"):
        self._writes.append((cell, set(reads).union(*self._controls)))
        self._directions.setdefault(cell, set()).add(direction)

    def _count(self):
        self._nodes += 1
        if self._nodes > _MAX_NODES:
            raise Unknown()

    # --- expressions: each gives what it can be and what it is made from ---

    def _value(self, node):
        self._count()
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None or not isinstance(node, ast.expr):
            raise Unknown()
        return method(node)

    def _constant(self, node):
        return KINDS.get(type(node.value), OBJECT), set()

    def _name(self, node):
        cell = self._cell(node.id)
        return self.masks.get(cell, 0), {cell}

    def _cell(self, name, is_stored=False):
        if self._calls:
            function, names = self._calls[-1]
            if name in names:
                return "%s:%d:%s" % (function.name, function.lineno, name)
        elif name in self._own:
            if name in self._locals:
                self._see(name, self._locals[name])
            elif not is_stored:
                # Not set yet, so reading it may be an error.
                raise Unknown()
            return name
        cell = "g:" + name
        self._see(cell, self._globals[name])
        return cell

    def _see(self, cell, found):
        if cell in self.visible:
            return
        self.visible.add(cell)
        kind = KINDS.get(type(found), OBJECT)
        self.masks[cell] = self.masks.get(cell, 0) | kind
        if kind & (OBJECT | DICT):
            self.heap_mask = ANY
        elif kind & (LIST | TUPLE):
            for each in list(found[:20000]) if len(found) <= 20000 else [object()]:
                self.heap_mask |= KINDS.get(type(each), OBJECT)

    def _unaryop(self, node):
        mask, reads = self._value(node.operand)
        if isinstance(node.op, ast.Not):
            return BOOL, self._truth((mask, reads))[1]
        if mask & ~NUMBER:
            self._doubt(mask, reads)
        return (mask & FLOAT) | INT, reads

    def _binop(self, node):
        return self._arithmetic(node.op, self._value(node.left), self._value(node.right))

    def _arithmetic(self, operator, left, right):
        mask, reads = left[0] | right[0], left[1] | right[1]
        whole = INT | BOOL
        if not mask & ~whole and isinstance(operator, (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)):
            return INT | (mask & BOOL), reads
        if mask == FLOAT and isinstance(operator, (ast.Add, ast.Sub, ast.Mult)):
            return FLOAT, reads
        if mask == STR and isinstance(operator, ast.Add):
            return STR, reads
        self._doubt(mask, reads)
        if not mask & ~NUMBER:
            if isinstance(operator, ast.Div):
                return FLOAT, reads
            if not isinstance(operator, ast.Pow):
                return (INT if mask & whole else 0) | (mask & FLOAT) | (mask & BOOL), reads
        return ANY, reads | ({HEAP} if mask & STRUCTURED else set())

    def _doubt(self, mask, reads):
        """An error may come of it, so on its operands it depends whether the loop goes on."""
        self._exit(reads | ({HEAP} if mask & STRUCTURED else set()))
        if mask & OBJECT or mask & STRUCTURED and self.heap_mask & OBJECT:
            self.touches_objects = True

    def _truth(self, value):
        mask, reads = value
        if mask & OBJECT:
            self.touches_objects = True
        return mask, reads | ({HEAP} if mask & STRUCTURED else set())

    def _boolop(self, node):
        mask, reads = 0, set()

        def add(each):
            nonlocal mask, reads
            more, read = self._truth(self._value(each))
            mask, reads = mask | more, reads | read

        for each in node.values:
            self._under(reads, lambda each=each: add(each))
        return mask, reads

    def _ifexp(self, node):
        _, test = self._truth(self._value(node.test))
        found = []
        self._under(test, lambda: found.extend([self._value(node.body), self._value(node.orelse)]))
        return found[0][0] | found[1][0], test | found[0][1] | found[1][1]

    def _compare(self, node):
        sides = [self._value(each) for each in [node.left] + node.comparators]
        mask = 0
        reads = set()
        for side in sides:
            mask, reads = mask | side[0], reads | side[1]
        is_same = all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
        is_equality = all(isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) for op in node.ops)
        if is_same or is_equality and not mask & ~SCALAR or not mask & ~NUMBER and mask or mask == STR:
            return BOOL, reads
        self._doubt(mask, reads)
        if mask & STRUCTURED and self.heap_mask & OBJECT:
            self.touches_objects = True
        return BOOL, reads | {HEAP}

    def _subscript(self, node):
        mask, owner = self._value(node.value)
        if isinstance(node.slice, ast.Slice):
            parts = [
                self._value(each) for each in (node.slice.lower, node.slice.upper, node.slice.step) if each is not None
            ]
            reads = owner.union(*[each[1] for each in parts])
            result = mask & (STR | LIST | TUPLE) if not mask & ~(STR | LIST | TUPLE) else ANY
        else:
            key_mask, key = self._value(node.slice)
            reads = owner | key
            if key_mask & ~SCALAR:
                self.touches_objects = True
            result = STR if mask == STR else self.heap_mask
        self._exit(reads | {HEAP})
        if mask & OBJECT or result & OBJECT:
            self.touches_objects = True
        return result, reads | (set() if mask == STR else {HEAP})

    def _attribute(self, node):
        _, reads = self._value(node.value)
        self.attributes.add(node.attr)
        self.touches_objects = True
        self._exit(reads | {HEAP})
        return ANY, reads | {HEAP}

    def _tuple(self, node):
        return self._display(TUPLE, node.elts)

    def _list(self, node):
        return self._display(LIST, node.elts)

    def _display(self, mask, parts):
        if any(isinstance(each, ast.Starred) for each in parts):
            raise Unknown()
        values = [self._value(each) for each in parts]
        for each in values:
            self.heap_mask |= each[0]
        return mask, set().union(*[each[1] for each in values])

    def _dict(self, node):
        if any(key is None for key in node.keys):
            raise Unknown()
        self._display(DICT, node.keys)
        self.heap_mask = ANY
        values = [self._value(each) for each in node.keys + node.values]
        return DICT, set().union(*[each[1] for each in values])

    def _iterated(self, value):
        """What comes out when it is gone through from its beginning."""
        mask, reads = value
        if mask & ~(STR | LIST | TUPLE | DICT):
            self._doubt(mask, reads)
        element = STR if mask == STR else self.heap_mask if not mask & ~(STR | LIST | TUPLE) else ANY
        if element & OBJECT:
            self.touches_objects = True
        return element | (mask & STR and STR), reads | {HEAP}

    def _call(self, node):
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise Unknown()
        if isinstance(node.func, ast.Attribute):
            return self._method(node.func, node.args)
        if not isinstance(node.func, ast.Name):
            raise Unknown()
        name = node.func.id
        is_local = name in (self._calls[-1][1] if self._calls else self._own)
        found = None if is_local else self._globals.get(name, getattr(builtins, name, None))
        args = [self._value(each) for each in node.args]
        if isinstance(found, types.FunctionType) and found.__globals__ is self._globals:
            return self._enter(found, args)
        builtin = self._globals.get("__builtins__", builtins)
        standard = builtin.get(name) if isinstance(builtin, dict) else getattr(builtin, name, None)
        if (
            is_local
            or name not in FUNCTIONS
            or found is not getattr(builtins, name, None)
            or standard is not found
            or not _is_builtin(found)
        ):
            raise Unknown()
        mask = 0
        reads = set()
        for each in args:
            mask, reads = mask | each[0], reads | each[1]
        if (
            name == "abs"
            and not mask & ~NUMBER
            or name == "len"
            and mask
            and not mask & ~SIZED
            or name == "bool"
            and not mask & ~SCALAR
        ):
            return (FUNCTIONS[name] if name != "abs" else (mask & FLOAT) | INT), reads | (
                set() if not mask & STRUCTURED else {HEAP}
            )
        self._doubt(mask, reads)
        if mask & STRUCTURED:
            self.touches_objects = True
        if FUNCTIONS[name] & STRUCTURED:
            self.heap_mask |= ANY
        return FUNCTIONS[name], reads | ({HEAP} if mask & STRUCTURED else set())

    def _method(self, func, arguments):
        name = func.attr
        if name not in READING and name not in MUTATING:
            raise Unknown()
        mask, reads = self._value(func.value)
        args = [self._value(each) for each in arguments]
        reads = reads.union(*[each[1] for each in args])
        if name in MUTATING:
            for each in args:
                self.heap_mask |= each[0]
            self._write(HEAP, reads)
            if mask == LIST and name == "append" and len(args) == 1:
                return NONE, reads
        self.attributes.add(name)
        self._exit(reads | {HEAP})
        if mask & OBJECT or self.heap_mask & OBJECT:
            self.touches_objects = True
        self.heap_mask |= ANY if mask != STR else STR
        return ANY, reads | {HEAP}


def _is_builtin(found):
    return isinstance(found, (types.BuiltinFunctionType, type))
