"""What the names of a module are bound to, by the language's own scoping rules (symtable). Used to tell whether a
change of text has changed the meaning of a name that it did not mean to touch.
"""

import builtins
import functools
import re
import symtable

from . import trees as ast

BUILTINS = set(dir(builtins)) | {
    "__file__",
    "__name__",
    "__doc__",
    "__package__",
    "__spec__",
    "__loader__",
    "__path__",
    "__builtins__",
    "__annotations__",
    "__class__",
    "WindowsError",
    "__debug__",
    "reveal_type",
}

UNNAMED = ("lambda", "listcomp", "setcomp", "dictcomp", "genexpr")
SCOPED = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
HEADED = (ast.ExceptHandler, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Use:
    __slots__ = ("name", "line", "column", "binding")

    def __init__(self, name, line, column, binding):
        self.name, self.line, self.column, self.binding = name, line, column, binding


class Module:
    """The name uses of one text, in order, each with the scope that binds it ('' is the module, 'builtin',
    'unknown').
    """

    def __init__(self, text, path="<text>"):
        self.tree = ast.parse(text, path)
        self._lines = text.split("\n")
        self.uses, self.class_scopes, self._first_bound = [], set(), {}
        self.has_star = any(
            isinstance(node, ast.ImportFrom) and any(a.name == "*" for a in node.names) for node in ast.walk(self.tree)
        )
        self._top = symtable.symtable(text, path, "exec")
        self.module_names = {
            s.get_name()
            for s in self._top.get_symbols()
            if s.is_assigned() or s.is_imported() or s.is_namespace() or s.is_annotated()
        }
        self._globals_elsewhere(self._top)
        self._walk_body(self.tree, self._top, ())

    def _globals_elsewhere(self, table):
        for child in table.get_children():
            for symbol in child.get_symbols():
                if symbol.is_declared_global() and symbol.is_assigned():
                    self.module_names.add(symbol.get_name())
            self._globals_elsewhere(child)

    def _walk_body(self, node, table, path):
        children = list(table.get_children())
        self._walk(ast.iter_child_nodes(node) if isinstance(node, ast.Module) else [node], table, children, path)

    def _walk(self, nodes, table, children, path):
        for node in nodes:
            if isinstance(node, SCOPED):
                self._scoped(node, table, children, path)
            else:
                if isinstance(node, ast.Name):
                    self._use(node.id, (node.lineno, node.col_offset), table, path, isinstance(node.ctx, ast.Load))
                else:
                    for name in bound_by(node):
                        self._use(name, self._place(node, name), table, path)
                self._walk(ast.iter_child_nodes(node), table, children, path)

    def _place(self, node, name):
        """Where a statement or pattern that binds a name without a node of its own says it."""
        after = (
            node.pattern
            if type(node).__name__ == "MatchAs"
            else node.type
            if isinstance(node, ast.ExceptHandler)
            else None
        )
        line, column = (after.end_lineno, after.end_col_offset) if after is not None else (node.lineno, node.col_offset)
        for number in range(line, (node.body[0].lineno if isinstance(node, HEADED) else node.end_lineno) + 1):
            data = self._lines[number - 1].encode()
            start = column if number == line else 0
            found = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)").search(data, start)
            if found:
                return number, found.start()
        return node.lineno, node.col_offset

    def _scoped(self, node, table, children, path):
        # Decorators, defaults, annotations, bases and the first iterable are evaluated in the scope around.
        outside = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._use(node.name, self._place(node, node.name), table, path)
            outside = node.decorator_list + node.args.defaults + [d for d in node.args.kw_defaults if d]
            outside += [a.annotation for a in _arguments(node.args) if a.annotation] + (
                [node.returns] if node.returns else []
            )
            inside, name = node.body, node.name
        elif isinstance(node, ast.ClassDef):
            self._use(node.name, self._place(node, node.name), table, path)
            outside = node.decorator_list + node.bases + [k.value for k in node.keywords]
            inside, name = node.body, node.name
        elif isinstance(node, ast.Lambda):
            outside = node.args.defaults + [d for d in node.args.kw_defaults if d]
            inside, name = [node.body], "lambda"
        else:
            outside = [node.generators[0].iter]
            name = {ast.ListComp: "listcomp", ast.SetComp: "setcomp", ast.DictComp: "dictcomp"}.get(
                type(node), "genexpr"
            )
            inside = None
        self._walk(outside, table, children, path)
        own = self._take(children, name, node)
        if own is None:
            # Newer interpreters have further scopes (type parameters); such a node is looked at without its own scope.
            self._walk(ast.iter_child_nodes(node), table, children, path)
            return
        deeper = path + ((own.get_name(), own.get_lineno()),)
        grandchildren = list(own.get_children())
        if own.get_type() == "class":
            self.class_scopes.add(_shown(deeper))
            self._first_bound[_shown(deeper)] = _first_bound(node.body)
        if inside is None:
            first = node.generators[0]
            elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            self._walk(elements + [first.target] + first.ifs + node.generators[1:], own, grandchildren, deeper)
        else:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                for argument in _arguments(node.args):
                    self._use(argument.arg, (argument.lineno, argument.col_offset), own, deeper)
            self._walk(inside, own, grandchildren, deeper)

    @staticmethod
    def _take(children, name, node):
        for index, child in enumerate(children):
            if child.get_name() == name and child.get_lineno() == node.lineno:
                return children.pop(index)
        for index, child in enumerate(children):
            if child.get_name() == name:
                return children.pop(index)
        return None

    def _use(self, name, place, table, path, is_read=False):
        is_not_yet = (
            is_read and table.get_type() == "class" and place < self._first_bound[_shown(path)].get(name, (0, 0))
        )
        self.uses.append(Use(name, *place, self._binding(name, table, path, is_not_yet)))

    def _binding(self, name, table, path, is_not_yet):
        symbol = _looked_up(table, name, path)
        # In the body of a class a name means that of the module until the class has its own.
        if symbol is not None and table.get_type() != "module" and not is_not_yet:
            if symbol.is_local() or symbol.is_parameter():
                return _shown(path)
            if symbol.is_free():
                return self._enclosing(name, path)
        if name in self.module_names:
            return ""
        return "builtin" if name in BUILTINS else "unknown"

    def _enclosing(self, name, path):
        tables = [self._top]
        for part in path:
            tables.append(
                next((c for c in tables[-1].get_children() if (c.get_name(), c.get_lineno()) == part), tables[-1])
            )
        for depth in range(len(tables) - 2, 0, -1):
            table = tables[depth]
            if table.get_type() == "class":
                continue
            symbol = _looked_up(table, name, path)
            if symbol is not None and (symbol.is_local() or symbol.is_parameter()):
                return _shown(path[:depth])
        return ""

    def local_at(self, name, line, column):
        """The function that a name belongs to, if it is a variable or parameter of one; the column is that of a syntax
        tree.
        """
        binding = next((u.binding for u in self.uses if u.name == name and (u.line, u.column) == (line, column)), "")
        return None if binding in ("", "builtin", "unknown") or binding in self.class_scopes else binding

    def nodes_named(self, name):
        return [n for n in ast.walk(self.tree) if isinstance(n, ast.Name) and n.id == name]

    def exported(self):
        """The names that `__all__` says, with their lines."""
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and any(getattr(t, "id", None) == "__all__" for t in node.targets):
                for item in getattr(node.value, "elts", ()):
                    if isinstance(item, ast.Constant) and isinstance(item.value, str):
                        yield item.value, item.lineno

    def unknown(self):
        """Names that nothing defines; empty when a star import could define them."""
        if self.has_star:
            return []
        return [use for use in self.uses if use.binding == "unknown"]


def bound_by(node):
    """The names that a node says as mere text: `global name`, `except E as name`, patterns."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    found = (
        node.name
        if type(node).__name__ in ("MatchAs", "MatchStar", "ExceptHandler")
        else node.rest
        if type(node).__name__ == "MatchMapping"
        else None
    )
    return [found] if found else []


def _first_bound(statements):
    """From which place on a class has each of its names. What binds a name is that place itself."""
    found = {}

    def bind(name, line, column):
        found[name] = min(found.get(name, (line, column)), (line, column))

    def look(node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bind(node.name, node.body[0].lineno, 0)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for each in (n for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)):
                    bind(each.id, node.end_lineno, node.end_col_offset)
            for each in (n for n in ast.walk(node) if isinstance(n, ast.NamedExpr)):
                look(each.target)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bind(node.id, node.lineno, node.col_offset)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                bind((alias.asname or alias.name).split(".")[0], node.lineno, node.col_offset)
        elif not isinstance(node, SCOPED):
            for name in bound_by(node):
                bind(name, node.lineno, node.col_offset)
            for child in ast.iter_child_nodes(node):
                look(child)

    for statement in statements:
        look(statement)
    return found


def _looked_up(table, name, path):
    """A private name stands in the table under that of its class."""
    names = [name]
    if name.startswith("__") and not name.endswith("__"):
        names += [f"_{scope.lstrip('_')}{name}" for scope, _line in reversed(path)]
    for each in names:
        try:
            return table.lookup(each)
        except KeyError:
            continue
    return None


def _shown(path):
    """A scope by where it stands, so that it stays the same when what it is called changes."""
    return "/".join(f"{line}{name if name in UNNAMED else ''}" for name, line in path) or ""


def _arguments(args):
    return args.posonlyargs + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]


# Few modules are looked at in one refactoring, each many times.
@functools.lru_cache(maxsize=128)
def module_of(text):
    return Module(text)


def captured(before, after, old, new):
    """Where a name would mean something else after renaming `old` to `new`: pairs of uses that no longer agree."""
    first, second = module_of(before), module_of(after)
    if len(first.uses) != len(second.uses):
        return None
    found = []
    for a, b in zip(first.uses, second.uses):
        renamed = a.name != b.name
        if renamed and (a.name, b.name) != (old, new):
            return None
        if a.binding != b.binding:
            found.append(b)
    # A name that was bound twice in one scope under different names is one variable now.
    if not found:
        for b in second.uses:
            if b.name == new:
                same = [a for a, c in zip(first.uses, second.uses) if c.binding == b.binding and c.name == new]
                if len({a.name for a in same}) > 1:
                    found.append(b)
                    break
    return found
