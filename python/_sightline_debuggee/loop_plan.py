"""On which variables it depends whether a loop ends, told from its text and from the types its variables have now.

Whatever asks for time, chance or the outside, waits, or may run code that is not in the text makes the answer unknown:
then there is no plan.
"""

import ast

from .loop_expressions import Expressions, Unknown
from .loop_types import ANY, DICT, HEAP, INT, LIST, NONE, NUMBER, SCALAR, STRUCTURED


class Staying:
    """A condition that will be what it is now for ever, if it is that now."""

    def __init__(self, text, name, direction, check):
        self.text, self.name, self.direction, self._check = text, name, direction, check

    def holds(self, frame):
        # Only names of exact numbers, arithmetic and `len` are in it.
        try:
            return eval(self._check, {"len": len}, dict(frame.f_globals, **frame.f_locals)) is True
        except Exception:
            return False


class Plan:
    def __init__(self, walk, relevant, staying):
        visible = sorted(cell for cell in walk.visible if cell in relevant)
        written = [cell for cell in visible if cell in walk.written]
        self.with_contents = HEAP in relevant and HEAP in walk.written
        has_objects = any(walk.masks.get(cell, ANY) & STRUCTURED for cell in written)
        self.state = visible if self.with_contents or has_objects else written
        self.objects = sorted(cell for cell in walk.visible if walk.masks.get(cell, ANY) & STRUCTURED)
        self.touches_objects = walk.touches_objects
        self.attributes = walk.attributes
        self.staying = staying
        # Everything that the loop runs.
        self.lines = sorted(walk.lines)
        self.reads_shared = HEAP in relevant or any(cell.startswith("g:") for cell in relevant)

    def values(self, frame, cells):
        """None when one of them is gone."""
        own = frame.f_locals
        try:
            return [frame.f_globals[cell[2:]] if cell.startswith("g:") else own[cell] for cell in cells]
        except KeyError:
            return None

    def reason(self):
        if self.state:
            names = ", ".join(cell[2:] if cell.startswith("g:") else cell for cell in self.state[:4]) + (
                ", …" if len(self.state) > 4 else ""
            )
            return "passes change nothing that decides about its end (%s)" % names
        if not self.staying:
            return "nothing in it can end it"
        stay = self.staying[0]
        return "%s only goes %s, so %s never changes" % (stay.name, stay.direction, stay.text)


def plan(text, loop, frame, moving):
    walk = _Walk(text, loop, frame)
    try:
        before = None
        while before != walk.types_text():
            before = walk.types_text()
            walk.follow()
        walk.settle(moving)
        walk.follow()
        return Plan(walk, walk.relevant(), walk.staying)
    except (Unknown, KeyError):
        return None


class _Walk(Expressions):
    def types_text(self):
        return repr((self.heap_mask, sorted(self.masks.items())))

    def settle(self, moving):
        self._settled, self._moving = dict(self._directions), moving

    @property
    def written(self):
        return set(self._directions)

    def follow(self):
        self._start()
        self._condition(
            self._loop.test, lambda reads: (self._exit(reads), self._under(reads, lambda: self._block(self._loop.body)))
        )

    def relevant(self):
        found, before = set(self._exits), -1
        while before != len(found):
            before = len(found)
            for cell, reads in self._writes:
                if cell in found:
                    found |= reads
        return found

    # --- statements ---

    def _block(self, statements):
        for each in statements:
            self._statement(each)

    def _statement(self, node):
        self._count()
        kind = type(node)
        if kind is ast.Expr:
            if not isinstance(node.value, ast.Constant):
                self._value(node.value)
        elif kind is ast.Assign:
            value = self._value(node.value)
            for target in node.targets:
                self._assign(target, value, _step_of(target, node.value))
        elif kind is ast.AnnAssign and node.value is not None:
            self._assign(node.target, self._value(node.value))
        elif kind is ast.AugAssign:
            self._augmented(node)
        elif kind is ast.If:
            self._condition(
                node.test, lambda reads: self._under(reads, lambda: (self._block(node.body), self._block(node.orelse)))
            )
        elif kind is ast.While and not node.orelse:
            self._under(self._truth(self._value(node.test))[1], lambda: self._block(node.body))
        elif kind is ast.For and not node.orelse:
            mask, reads = self._iterated(self._value(node.iter))
            self._under(reads, lambda: (self._assign(node.target, (mask, reads)), self._block(node.body)))
        elif kind in (ast.Break, ast.Continue):
            self._exit(())
        elif kind is ast.Return:
            value = (NONE, set()) if node.value is None else self._value(node.value)
            if self._calls:
                self._join("return:%d" % self._calls[-1][0].lineno, value)
            self._exit(())
        elif kind is ast.Raise:
            self._exit(())
        elif kind is ast.Assert:
            self._exit(self._truth(self._value(node.test))[1])
        elif kind is not ast.Pass:
            raise Unknown()

    def _augmented(self, node):
        target = node.target
        load = ast.copy_location(_as_load(target), target)
        value = self._arithmetic(node.op, self._value(load), self._value(node.value))
        direction = None
        if isinstance(target, ast.Name) and _is_positive(node.value):
            direction = "up" if isinstance(node.op, ast.Add) else "down" if isinstance(node.op, ast.Sub) else None
        # `items += more` changes the list itself.
        if self._mask_of(load) & ~SCALAR:
            self._write(HEAP, value[1])
            self.heap_mask = ANY
        self._assign(target, value, direction)

    def _mask_of(self, node):
        kept = self._controls, self._writes, self._exits, self._directions
        self._controls, self._writes, self._exits, self._directions = [], [], set(), {}
        mask, _ = self._value(node)
        self._controls, self._writes, self._exits, self._directions = kept
        return mask

    def _assign(self, target, value, direction=None):
        mask, reads = value
        if isinstance(target, ast.Name):
            cell = self._cell(target.id, is_stored=True)
            self.masks[cell] = self.masks.get(cell, 0) | mask
            self._write(cell, reads, direction or "other")
        elif isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(each, ast.Starred) for each in target.elts):
                raise Unknown()
            element, reads = self._iterated(value)
            # A wrong number of parts is an error.
            self._exit(reads)
            for each in target.elts:
                self._assign(each, (element, reads))
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value)
        elif isinstance(target, ast.Attribute):
            _, owner = self._value(target.value)
            self.attributes.add(target.attr)
            self.touches_objects = True
            self._exit(owner)
            self.heap_mask = ANY
            self._write(HEAP, reads | owner)
        else:
            raise Unknown()

    def _store_item(self, target, value):
        mask, reads = value
        owner_mask, owner = self._value(target.value)
        if isinstance(target.slice, ast.Slice):
            raise Unknown()
        key_mask, key = self._value(target.slice)
        if owner_mask & ~(LIST | DICT) or key_mask & ~SCALAR:
            self.touches_objects = True
        self._exit(owner | key | {HEAP})
        self.heap_mask |= mask
        self._write(HEAP, reads | owner | key)

    # --- conditions ---

    def _condition(self, test, work):
        parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        reads = [set()]

        def add(part):
            reads[0] = reads[0] | self._part(part)

        for part in parts:
            self._under(reads[0], lambda part=part: add(part))
        work(reads[0])

    def _part(self, part):
        _, reads = self._truth(self._value(part))
        stays = None if self._settled is None else self._stays(part)
        if stays is None:
            return reads
        self.staying.append(stays)
        return set()

    def _stays(self, part):
        if not isinstance(part, ast.Compare) or len(part.ops) != 1 or self._calls:
            return None
        operator = type(part.ops[0])
        sides = [
            (part.left, part.comparators[0], operator),
            (part.comparators[0], part.left, _MIRRORED.get(operator, operator)),
        ]
        for moving, bound, relation in sides:
            if not isinstance(moving, ast.Name):
                continue
            cell = self._cell(moving.id)
            directions = self._settled.get(cell, set())
            if directions not in ({"up"}, {"down"}) or self.masks.get(cell) != INT or cell not in self.visible:
                continue
            mask, reads = self._value(bound)
            if mask & ~NUMBER or not mask or any(each in self._settled for each in reads) or not _is_arithmetic(bound):
                continue
            direction = next(iter(directions))
            text = self._text.segment(part)
            if text in self._moving:
                continue
            if relation in (ast.Lt, ast.LtE, ast.Gt, ast.GtE):
                is_towards = (relation in (ast.Lt, ast.LtE)) == (direction == "up")
                check = "(%s) is %s" % (text, not is_towards)
            elif relation in (ast.Eq, ast.NotEq):
                check = "%s %s (%s)" % (moving.id, "<" if direction == "down" else ">", self._text.segment(bound))
            else:
                continue
            return Staying(text, moving.id, direction, check)
        return None

    def _enter(self, function, args):
        code = function.__code__
        node = self._text.function_of(code) if self._text.is_text_of(code) else None
        if (
            node is None
            or any(made is node for made, _ in self._calls)
            or len(self._calls) > 5
            or function.__defaults__
            or function.__kwdefaults__
        ):
            raise Unknown()
        flags = code.co_flags
        has_more = (
            flags & (0x04 | 0x08 | 0x20 | 0x80 | 0x200)
            or code.co_cellvars
            or code.co_freevars
            or len(args) != code.co_argcount
        )
        is_own = any(each is self._loop for each in ast.walk(node))
        if has_more or is_own or any(isinstance(each, (ast.Global, ast.Nonlocal)) for each in ast.walk(node)):
            raise Unknown()
        self.lines.add((node.lineno, node.end_lineno))
        self._calls.append((node, set(code.co_varnames)))
        result = "return:%d" % node.lineno
        for name, value in zip(code.co_varnames, args):
            self._assign(ast.copy_location(ast.Name(name, ast.Store()), node), value)
        self._block(node.body)
        self._calls.pop()
        return self.masks.get(result, 0) | NONE, {result}

    def _join(self, cell, value):
        self.masks[cell] = self.masks.get(cell, 0) | value[0]
        self._write(cell, value[1])


_MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


def _as_load(target):
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    return ast.Subscript(target.value, target.slice, ast.Load())


def _is_positive(node):
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0


def _step_of(target, value):
    """`i = i - 1`."""
    if not (isinstance(target, ast.Name) and isinstance(value, ast.BinOp) and _is_positive(value.right)):
        return None
    if not (isinstance(value.left, ast.Name) and value.left.id == target.id):
        return None
    return "up" if isinstance(value.op, ast.Add) else "down" if isinstance(value.op, ast.Sub) else None


def _is_arithmetic(node):
    """Whether it can be calculated without running anything of the program."""
    allowed = (ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    return all(
        isinstance(each, allowed)
        or isinstance(each, ast.Call)
        and isinstance(each.func, ast.Name)
        and each.func.id == "len"
        for each in ast.walk(node)
    )
