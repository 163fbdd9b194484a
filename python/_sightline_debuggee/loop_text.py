"""The text of a program beside the code that runs: to which loop an instruction belongs."""

import ast
import dis
import tokenize
import types

from .loop_types import FUNCTIONS, READING

_LOOPS = (ast.While, ast.For, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Text:
    """The text of a file, read once."""

    _cache = {}

    def __init__(self, source, tree, codes):
        self._source = source
        self.tree = tree
        self._codes = codes

    @classmethod
    def of(cls, code):
        """None when the code that runs is not what the file says now."""
        path = code.co_filename
        if path not in cls._cache:
            with tokenize.open(path) as file:
                source = file.read()
            tree = ast.parse(source) if len(source) < 1000000 else None
            codes = {} if tree is None else _codes_in(compile(source, path, "exec", dont_inherit=True))
            cls._cache[path] = cls(source, tree, codes)
        text = cls._cache[path]
        return text if text.tree is not None and text.is_text_of(code) else None

    def is_text_of(self, code):
        return self._codes.get((code.co_name, code.co_firstlineno)) == _facts_of(code)

    def segment(self, node):
        return " ".join((ast.get_source_segment(self._source, node) or "").split())

    def function_of(self, code):
        if code.co_name == "<module>":
            return self.tree
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
                first = min([node.lineno] + [each.lineno for each in node.decorator_list])
                if first == code.co_firstlineno:
                    return node
        return None

    def loop_at(self, code, offset):
        """The `while` loop to which an instruction belongs, when all that counts there stands in variables; else
        None.
        """
        function = self.function_of(code)
        line, is_back_jump = _place_of(code, offset)
        around = (
            []
            if function is None
            else [node for node in _own_nodes(function) if isinstance(node, _LOOPS) and _has_line(node, line)]
        )
        # A loop in a loop may be left and entered again between two looks.
        if len(around) != 1 or not isinstance(around[0], ast.While) or around[0].orelse:
            return None
        return around[0] if is_back_jump or _is_unwritten(around[0], line) else None


def _place_of(code, offset):
    line, found = None, None
    for start, number in dis.findlinestarts(code):
        if start <= offset and number is not None:
            line = number
    for instruction in dis.get_instructions(code):
        if instruction.offset == offset:
            found = instruction
    is_jump = found is not None and "JUMP" in found.opname and isinstance(found.argval, int)
    return line, is_jump and found.argval <= offset


def _has_line(node, line):
    return line is not None and node.lineno <= line <= node.end_lineno


def _is_unwritten(loop, line):
    """Whether a statement writes only when everything in it is calculated, so that in between nothing is hidden that
    the variables do not tell.
    """
    statement = loop
    for node in _own_nodes(loop):
        if (
            isinstance(node, ast.stmt)
            and _has_line(node, line)
            and node.end_lineno - node.lineno <= statement.end_lineno - statement.lineno
        ):
            statement = node
    if sum(isinstance(node, ast.stmt) and node.lineno == line for node in _own_nodes(loop)) > 1:
        return False
    if isinstance(statement, (ast.While, ast.If)):
        return _is_reading(statement.test)
    if isinstance(statement, ast.Assign):
        return (
            len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name) and _is_reading(statement.value)
        )
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.target, ast.Name) and _is_reading(statement.value)
    if isinstance(statement, ast.Expr):
        # The call itself may change something, and has then done so.
        call = statement.value
        return (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and all(map(_is_reading, call.args + [call.func.value]))
        )
    return False


def _is_reading(expression):
    for node in ast.walk(expression):
        if isinstance(node, (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda) + _COMPREHENSIONS):
            return False
        if isinstance(node, ast.Call):
            func = node.func
            is_known = (
                func.id in FUNCTIONS
                if isinstance(func, ast.Name)
                else isinstance(func, ast.Attribute) and func.attr in READING
            )
            if not is_known:
                return False
    return True


def _codes_in(code):
    found = {(code.co_name, code.co_firstlineno): _facts_of(code)}
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            found.update(_codes_in(each))
    return found


def _facts_of(code):
    constants = [repr(each) for each in code.co_consts if not isinstance(each, types.CodeType)]
    return code.co_code, code.co_names, code.co_varnames, constants


def _own_nodes(root):
    """The nodes of a function without those of functions and classes in it."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
                stack.append(child)
