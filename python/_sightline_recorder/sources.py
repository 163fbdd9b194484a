"""What the text of a file says of its functions and statements: names, extents, which lines belong together."""

import ast
import tokenize
import warnings

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPOUND = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.If,
    ast.With,
    ast.AsyncWith,
    ast.Try,
) + tuple(getattr(ast, name) for name in ("TryStar", "Match") if hasattr(ast, name))


class Source(object):
    def __init__(self, tree):
        self.tree = tree
        # (first line, name) -> (qualified name, last line); decorators belong to a function.
        self.functions = {}
        # line -> (first, last) line of the simple statement, or of the head of the compound one, it belongs to.
        self.statements = {}
        # Lines of `return` statements that work out what they return.
        self.made_returns = set()
        self._visit(tree, "")

    def _visit(self, node, prefix):
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, ast.stmt):
                self._note_statement(child)
            if isinstance(child, _FUNCTIONS + (ast.ClassDef,)):
                inner = prefix + child.name + "."
                if isinstance(child, _FUNCTIONS):
                    first = min([child.lineno] + [each.lineno for each in child.decorator_list])
                    known = (prefix + child.name, end_line(child))
                    self.functions[(first, child.name)] = known
                    # Python 3.7 counts from the `def` itself in some cases.
                    self.functions.setdefault((child.lineno, child.name), known)
            self._visit(child, inner)

    def _note_statement(self, node):
        first, last = extent(node)
        for line in range(first, last + 1):
            self.statements[line] = (first, last)
            if isinstance(node, ast.Return) and is_made(node):
                self.made_returns.add(line)

    def line_for(self, line):
        """The first line of the statement at a line, or of the next one when there is none."""
        found = self.statements.get(line)
        if found is not None:
            return found
        later = [each for each in self.statements if each > line]
        return self.statements[min(later)] if later else None


# By name: to ask for some of these classes is a warning in the program's own report.
_MADE = frozenset(
    "BinOp UnaryOp Compare Constant Num Str Bytes NameConstant JoinedStr List Dict Set Tuple ListComp DictComp SetComp "
    "GeneratorExp Lambda".split()
)
# Functions of the interpreter whose result is never one of the objects they are given.
_MAKERS = frozenset(
    "abs bool bytes chr dict divmod enumerate float format frozenset hash hex id int isinstance len list oct ord pow "
    "range repr reversed round set sorted str sum tuple zip".split()
)


def is_made(statement):
    """Whether a statement works its value out, by an operator or from parts, and does not hand on one that it has."""
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _MAKERS
    return isinstance(statement, ast.AugAssign) or type(value).__name__ in _MADE


def extent(node):
    """First and last line of a statement; of a compound one only of its head."""
    if isinstance(node, _FUNCTIONS + (ast.ClassDef,)):
        return node.lineno, node.lineno
    if isinstance(node, _COMPOUND):
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        heads = [
            each for each in ast.iter_child_nodes(node) if not isinstance(each, (ast.stmt,)) and hasattr(each, "lineno")
        ]
        heads = [each for each in heads if type(each).__name__ not in ("ExceptHandler", "match_case")]
        last = max([node.lineno] + [end_line(each) for each in heads])
        if body and hasattr(body[0], "lineno"):
            last = min(last, max(body[0].lineno - 1, node.lineno))
        return node.lineno, last
    return node.lineno, end_line(node)


def end_line(node):
    end = getattr(node, "end_lineno", None)
    if end is not None:
        return end
    return max([getattr(each, "lineno", 0) for each in ast.walk(node)] + [getattr(node, "lineno", 0)])


_sources = {}


def of(path):
    """The parsed file, or None when it cannot be read as Python."""
    if path not in _sources:
        try:
            with tokenize.open(path) as stream:
                _sources[path] = Source(_parsed(stream.read()))
        except (OSError, SyntaxError, ValueError, RecursionError, UnicodeDecodeError):
            _sources[path] = None
    return _sources[path]


def _parsed(text):
    """Without the warnings of a second look at the text: they would stand in the program's report as well."""
    show = getattr(warnings, "_showwarnmsg", None)
    if show is None:
        return ast.parse(text)
    warnings._showwarnmsg = lambda message: None  # ty: ignore[missing-attribute]
    try:
        return ast.parse(text)
    finally:
        warnings._showwarnmsg = show  # ty: ignore[missing-attribute]


def qualified_name(code, source):
    name = getattr(code, "co_qualname", None)
    if name is None:
        known = source and source.functions.get((code.co_firstlineno, code.co_name))
        name = known[0] if known else code.co_name
    return name.replace(".<locals>.", ".").replace("<locals>.", "")
