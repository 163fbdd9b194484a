"""Prints everything in a Python package that a random refactoring is tried on, as one JSON object: kind -> list of requests.

Only *legal* ones are listed: those a person could carry out by hand without changing what the package does and without touching its tests'
expectations. What makes one illegal is said at each rule. Nothing here looks at how Sightline decides; a legal one that is refused counts against it.
"""

import ast
import builtins
import functools
import importlib
import inspect
import json
import os
import re
import sys
import textwrap

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
EFFECTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)


class File:
    def __init__(self, root, path):
        self.path = os.path.relpath(path, root)
        self.text = open(path, encoding="utf-8").read()
        self.lines, self.tree = self.text.split("\n"), ast.parse(self.text)
        self.nodes = list(ast.walk(self.tree))
        self.parents = {child: parent for parent in self.nodes for child in ast.iter_child_nodes(parent)}

    def place(self, line, column):
        return {"line": line, "column": len(self.lines[line - 1].encode()[:column].decode().encode("utf-16-le")) // 2 + 1}

    def named(self, node):
        """Where the name of a function or class stands."""
        line = self.lines[node.lineno - 1]
        before = len(line.encode()[:node.col_offset].decode())
        column = re.compile(rf"\b{node.name}\b").search(line, before).start()
        return {"file": self.path, "name": node.name, "line": node.lineno, "column": column + 1}

    def at(self, name, node):
        return {"file": self.path, "name": name, **self.place(node.lineno, node.col_offset)}

    def stretch(self, first, last):
        # A decorated function starts with its decorators.
        line = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", ()))])
        return {"file": self.path, "start": self.place(line, first.col_offset), "end": self.place(last.end_lineno, last.end_col_offset)}

    def around(self, node):
        while node in self.parents:
            node = self.parents[node]
            yield node

    def scope(self, node):
        return next((each for each in self.around(node) if isinstance(each, SCOPES + (ast.ClassDef, ast.Module))), self.tree)


def files_in(root, folder):
    return [File(root, os.path.join(base, name)) for base, _dirs, names in sorted(os.walk(os.path.join(root, folder)))
            for name in sorted(names) if name.endswith(".py")]


class Package:
    def __init__(self, root, source, tests):
        self.files, tests = files_in(root, source), files_in(root, tests)
        self.everything = self.files + tests
        self.strings = set()
        for file in self.everything:
            prose = {id(n.value) for n in file.nodes if isinstance(n, ast.Expr)}
            for node in file.nodes:
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose and len(node.value) < 80:
                    self.strings.update(re.findall(r"\w+", node.value))
        self.classes, self.defined, self.foreign, self.lines = {}, {}, {}, {}
        for node in (n for file in self.files for n in file.nodes if isinstance(n, ast.ClassDef)):
            self.classes.setdefault(node.name, []).append(node)
        for node in (n for file in self.everything for n in file.nodes if isinstance(n, FUNCTIONS)):
            self.defined[node.name] = self.defined.get(node.name, 0) + 1
        self.exported = {a.name for file in self.files if os.path.basename(file.path) == "__init__.py" for n in file.nodes
                         if isinstance(n, ast.ImportFrom) for a in n.names}
        self.vague = self._vague_keywords()
        self.references = {}
        for file in self.everything:
            for node in file.nodes:
                name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
                if name is not None and isinstance(node.ctx, ast.Load):
                    self.references.setdefault(name, []).append((file, node))

    def _vague_keywords(self):
        """Illegal: parameters that several functions have, and that somebody passes by keyword to what he does not name (a variable, an
        attribute, a class chosen at run time): it may be any of them, so that one cannot be called differently."""
        homes, found = {}, set()
        for file in self.files:
            for node in (n for n in file.nodes if isinstance(n, FUNCTIONS)):
                owner = file.parents.get(node)
                name = owner.name if node.name in ("__init__", "__new__") and isinstance(owner, ast.ClassDef) else node.name
                for argument in (n for n in ast.walk(node.args) if isinstance(n, ast.arg)):
                    homes.setdefault(argument.arg, set()).add(name)
        for file in self.everything:
            for call in (n for n in file.nodes if isinstance(n, ast.Call)):
                called = ast.unparse(call.args[0] if ast.unparse(call.func).endswith("partial") and call.args else call.func).split("(")[0].split(".")[-1]
                found |= {k.arg for k in call.keywords if len(homes.get(k.arg, ())) > 1 and called not in homes[k.arg]}
        return found

    def renameable(self, name):
        """Illegal: special names, and names that the package or its tests also write as (part of) a string, which may mean them."""
        return not name.startswith("__") and name != "_" and name not in self.strings

    def renames(self):
        for file in self.files:
            imported = {(a.asname or a.name).split(".")[0] for n in file.nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
            bound = {n.id for n in file.nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)} | \
                {n.arg for n in file.nodes if isinstance(n, ast.arg)} | {n.name for n in file.tree.body if hasattr(n, "name")}
            bound -= imported
            for node in file.nodes:
                if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and not self._inherited(file, node, node.name) and not self._is_shared(file, node, node.name):
                    yield file.named(node)
                elif isinstance(node, ast.arg) and node.arg not in self.vague and not self._is_parameter_of_outside(file, node):
                    yield file.at(node.arg, node)
                elif isinstance(node, ast.Name) and node.id in bound - self.vague and not self._is_parameter_of_outside(file, node) and not self._inherited(file, node, node.id) and not self._is_shared(file, node, node.id):
                    yield file.at(node.id, node)
                elif isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "self" and node.lineno == node.end_lineno:
                    owner = next((n for n in file.around(node) if isinstance(n, ast.ClassDef)), None)
                    if owner is not None and self._defines(owner, node.attr) and \
                            not self._inherited(file, node, node.attr) and not self._is_shared(file, node, node.attr):
                        yield {"file": file.path, "name": node.attr, **file.place(node.end_lineno, node.end_col_offset - len(node.attr.encode()))}

    def _is_parameter_of_outside(self, file, node):
        """Illegal: the parameters of a function that overrides one of a class from outside the package, which says what they are called."""
        function = next((n for n in file.around(node) if isinstance(n, FUNCTIONS)), None)
        name = node.arg if isinstance(node, ast.arg) else node.id
        return function is not None and isinstance(file.parents.get(function), ast.ClassDef) and not function.name.startswith("__") and \
            name in {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)} - {"self", "cls"} and self._inherited(file, function, function.name)

    def _is_shared(self, file, node, name):
        """Illegal: a member that classes have that are not related by inheritance; which one an untyped use means, nobody can tell."""
        owner = next((n for n in file.around(node) if isinstance(n, ast.ClassDef)), None)
        if owner is None or isinstance(node, ast.arg) or isinstance(file.scope(node), FUNCTIONS) and not isinstance(node, ast.Attribute):
            return False
        return any(self._defines(each, name) and not self._are_related(owner, each) for several in self.classes.values() for each in several)

    def _are_related(self, one, other):
        return bool(self._line(one) & self._line(other))

    def _line(self, node):
        """The names of a class and of all above it."""
        if node not in self.lines:
            self.lines[node] = found = {node.name}
            for base in node.bases:
                for each in self.classes.get(ast.unparse(base).split("[")[0].split(".")[-1], []):
                    found |= self._line(each) if each is not node else set()
        return self.lines[node]

    @staticmethod
    def _defines(owner, name):
        return any(getattr(n, "name", None) == name for n in owner.body) or any(
            isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.ctx, ast.Store) and getattr(n.value, "id", None) == "self" for n in ast.walk(owner))

    def _inherited(self, file, node, name):
        """Illegal: a member that a class from outside the package has as well, since it overrides that one."""
        owner = next((n for n in file.around(node) if isinstance(n, ast.ClassDef)), None)
        if owner not in self.foreign:
            seen, waiting, found = set(), [owner] if owner is not None else [], []
            while waiting:
                for base in waiting.pop().bases:
                    shown = ast.unparse(base).split("[")[0].split(".")
                    # A class may be called like the one from outside that it extends.
                    outside = _outside(shown, file)
                    own = self.classes.get(shown[-1], []) if outside is None else []
                    waiting += own if shown[-1] not in seen else []
                    seen.add(shown[-1])
                    found += [] if own else [outside]
            self.foreign[owner] = found
        return any(hasattr(each, name) or isinstance(each, type) and name in _own_attributes(each) for each in self.foreign[owner])

    def extract_variables(self):
        for file in self.files:
            for node in file.nodes:
                if isinstance(node, (ast.BinOp, ast.Call, ast.Attribute, ast.Compare, ast.Subscript)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                    if self._is_evaluated_first(file, node):
                        yield file.stretch(node, node)

    def _is_evaluated_first(self, file, node):
        """Illegal: what is computed only sometimes, later or again and again (conditions, loops, functions), what comes after another
        effect of its statement, annotations, and what is assigned to, called on a class body's behalf or stands in an f-string."""
        if any(isinstance(n, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)) for n in ast.walk(node)):
            return False
        child = node
        for parent in file.around(node):
            if isinstance(parent, (ast.Lambda, ast.JoinedStr, ast.comprehension, ast.arguments, ast.arg)) or isinstance(parent, SCOPES) and not isinstance(parent, FUNCTIONS):
                return False
            if isinstance(parent, (ast.BoolOp,)) and child is not parent.values[0] or isinstance(parent, ast.IfExp) and child is not parent.test:
                return False
            if isinstance(parent, ast.Compare) and child not in (parent.left, parent.comparators[0]):
                return False
            if isinstance(parent, ast.stmt):
                if not isinstance(parent, (ast.Expr, ast.Assign, ast.Return, ast.If, ast.For, ast.AugAssign, ast.Raise)):
                    return False
                if isinstance(parent, ast.If) and (child is not parent.test or self._is_elif(file, parent)) or isinstance(parent, ast.For) and child is not parent.iter:
                    return False
                if isinstance(parent, ast.Assign) and child is not parent.value or isinstance(parent, ast.AugAssign) and child is not parent.value:
                    return False
                if not isinstance(file.scope(parent), FUNCTIONS):
                    return False
                inside = {id(n) for n in ast.walk(node)}
                return isinstance(parent, ast.For) or not any(
                    isinstance(n, EFFECTS) and id(n) not in inside and not any(node is x for x in ast.walk(n)) and
                    (n.lineno, n.col_offset) < (node.lineno, node.col_offset) for n in ast.walk(parent if not isinstance(parent, ast.If) else parent.test))
            child = parent
        return False

    @staticmethod
    def _is_elif(file, node):
        parent = file.parents.get(node)
        return isinstance(parent, ast.If) and node in parent.orelse and file.lines[node.lineno - 1][node.col_offset:].startswith("elif")

    def extract_methods(self):
        for file in self.files:
            for node in file.nodes:
                for field in ("body", "orelse", "finalbody"):
                    body = getattr(node, field, None)
                    if isinstance(body, list) and isinstance(node, FUNCTIONS + (ast.If, ast.For, ast.With, ast.Try)) and isinstance(file.scope(body[0]) if body else None, FUNCTIONS):
                        for index in range(len(body)):
                            for last in range(index, min(index + 3, len(body))):
                                if self._is_whole(file, node, body[index:last + 1]) and not self._knows_more(file, body[index:last + 1]):
                                    yield file.stretch(body[index], body[last])

    def _is_whole(self, file, owner, chosen):
        """Illegal: statements that leave the function or a loop around them (return, break, continue, yield), that belong to it (super,
        nonlocal, global, del, imports, a docstring) or that assign a variable on some ways only, which nobody could give back."""
        inside = [n for each in chosen for n in ast.walk(each)]
        own = _without_functions(chosen)
        if any(isinstance(n, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Global, ast.Nonlocal, ast.Delete, ast.Import, ast.ImportFrom)) for n in own):
            return False
        if any(isinstance(n, ast.Name) and n.id in ("super", "__class__", "locals", "globals", "vars", "eval", "exec") for n in inside):
            return False
        if any(isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) for n in chosen) or all(isinstance(n, (ast.Pass, ast.Raise)) for n in chosen):
            return False
        if any(isinstance(n, (ast.Break, ast.Continue)) and not any(isinstance(p, (ast.For, ast.While)) and p in inside for p in file.around(n)) for n in own):
            return False
        function = next(n for n in file.around(chosen[0]) if isinstance(n, FUNCTIONS))
        if any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in ast.walk(function)) or any(isinstance(n, ast.ClassDef) for n in inside):
            return False
        always = {t.id for n in chosen for t in ast.walk(n) if isinstance(n, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and isinstance(t, ast.Name) and isinstance(t.ctx, ast.Store)}
        always |= {n.name for n in chosen if isinstance(n, FUNCTIONS)}
        sometimes = {n.id for n in own if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} - always
        sometimes |= {n.name for n in own if isinstance(n, ast.ExceptHandler) and n.name}
        ids = {id(n) for n in inside}
        return not any(isinstance(n, ast.Name) and n.id in sometimes and id(n) not in ids for n in ast.walk(function))

    @staticmethod
    def _knows_more(file, chosen):
        """Illegal: statements that read a member about which a condition around them, or a way out before them, has told the type checker more
        (`if self.text: …`); what a function knows of its own object it cannot say to another."""
        read = {ast.unparse(n) for each in chosen for n in ast.walk(each) if isinstance(n, ast.Attribute)}
        child, tests = chosen[0], []
        for parent in file.around(chosen[0]):
            tests += [parent.test] if isinstance(parent, (ast.If, ast.While)) else []
            body = next((b for b in (getattr(parent, f, None) for f in ("body", "orelse", "finalbody")) if isinstance(b, list) and child in b), [])
            earlier = body[:body.index(child)] if body else []
            tests += [n.test for n in earlier if isinstance(n, ast.Assert) or isinstance(n, ast.If) and isinstance(n.body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))]
            if isinstance(parent, FUNCTIONS):
                break
            child = parent
        return any(isinstance(n, ast.Attribute) and ast.unparse(n) in read for test in tests for n in ast.walk(test))

    def inlines(self):
        for file in self.files:
            for node in file.nodes:
                if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and self._is_plain_variable(file, node):
                    yield file.at(node.targets[0].id, node.targets[0])
                elif isinstance(node, ast.FunctionDef) and self._is_plain_function(file, node):
                    yield file.named(node)

    def _is_plain_variable(self, file, node):
        """Illegal: a variable that is not a local assigned exactly once and used; whose value, if it has effects or makes an object, is not
        used exactly once in the very next statement with nothing before it; or what the value reads may have changed by the time of a use."""
        name, scope = node.targets[0].id, file.scope(node)
        if not isinstance(scope, FUNCTIONS) or any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in ast.walk(scope)):
            return False
        mine = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == name]
        uses = [n for n in mine if isinstance(n.ctx, ast.Load)]
        if len(mine) - len(uses) != 1 or not uses or name in {a.arg for a in ast.walk(scope) if isinstance(a, ast.arg)}:
            return False
        body = next((b for p in [file.parents[node]] for b in (getattr(p, f, None) for f in ("body", "orelse", "finalbody")) if isinstance(b, list) and node in b), [])
        following = body[body.index(node) + 1] if body and body.index(node) + 1 < len(body) else None
        if len(body) < 2 or any(isinstance(p, ast.JoinedStr) for u in uses for p in file.around(u)):
            return False
        hungry = any(isinstance(n, EFFECTS + FRESH + (ast.Attribute, ast.Subscript)) for n in ast.walk(node.value))
        if hungry:
            if len(uses) != 1 or not isinstance(following, (ast.Expr, ast.Assign, ast.Return, ast.AugAssign)) or file.scope(uses[0]) is not scope:
                return False
            if not any(uses[0] is n for n in ast.walk(following)) or any(isinstance(p, (ast.BoolOp, ast.IfExp) + SCOPES) and p is not scope for p in file.around(uses[0]) if p in set(ast.walk(following))):
                return False
            return not any(isinstance(n, EFFECTS) and not any(uses[0] is x for x in ast.walk(n)) and (n.lineno, n.col_offset) < (uses[0].lineno, uses[0].col_offset) for n in ast.walk(following))
        reads = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
        stored = {n.id for n in ast.walk(scope) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) and n is not node.targets[0]}
        inner = {a.arg for n in ast.walk(scope) if isinstance(n, SCOPES) and n is not scope for a in ast.walk(n) if isinstance(a, ast.arg)}
        return not reads & (stored | inner)

    def _is_plain_function(self, file, node):
        """Illegal: functions whose value is used otherwise than by calling it, that the package offers to others, are overridden, decorated, recursive, generators, take
        variable parameters, are called with them or nowhere, return early, or have several statements and are called inside an expression; and those whose
        declaration tells the type checker what their argument is (TypeGuard, TypeIs), which no expression can say."""
        inside = _without_functions(node.body)
        returns = [n for n in inside if isinstance(n, ast.Return)]
        uses = self.references.get(node.name, [])
        arguments = node.args
        if node.name in self.exported or node.decorator_list or node.name.startswith("__") or node.name in self.strings or not uses or isinstance(file.scope(node), FUNCTIONS):
            return False
        if self.defined[node.name] != 1 or node.returns is not None and re.search(r"\bType(Guard|Is)\b", ast.unparse(node.returns)):
            return False
        if any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)) for n in inside) or any(isinstance(n, ast.Name) and n.id in ("super", "locals") for n in inside):
            return False
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or len(returns) > 1 or returns and returns[0] is not node.body[-1]:
            return False
        parameters = [a.arg for a in arguments.posonlyargs + arguments.args]
        if any(isinstance(n, ast.Name) and n.id in parameters and not isinstance(n.ctx, ast.Load) for n in inside):
            return False
        statements = [n for n in node.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
        single = len(statements) == 1 and isinstance(statements[0], (ast.Return, ast.Expr)) and statements[0].value is not None
        mine = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - set(parameters)
        for other, use in uses:
            call, parent = other.parents.get(use), other.parents.get(other.parents.get(use))
            if not isinstance(call, ast.Call) or call.func is not use or any(p is node for p in other.around(use)):
                return False
            if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
                return False
            if any(isinstance(n, EFFECTS + FRESH) for a in call.args + [k.value for k in call.keywords] for n in ast.walk(a)):
                return False
            if single and isinstance(statements[0], ast.Return) or isinstance(parent, ast.Expr) or isinstance(parent, (ast.Assign, ast.Return)) and returns:
                scope = next((n for n in other.around(use) if isinstance(n, FUNCTIONS)), other.tree)
                taken = {n.id for n in ast.walk(scope) if isinstance(n, ast.Name)} | {a.arg for a in ast.walk(scope) if isinstance(a, ast.arg)}
                stored = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                if stored & taken or mine & {n.id for n in ast.walk(scope) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} & taken:
                    return False
                continue
            return False
        return True

    def moves(self):
        """Illegal: what its module needs and what needs its module, which would make two modules import each other; names in strings; what
        reads a name that others give another value in that module, which it reads in another one afterwards."""
        for file in self.files:
            if os.path.basename(file.path) in ("__init__.py", "__main__.py"):
                continue
            replaced = self._replaced(os.path.basename(file.path)[:-3])
            top = {n.name for n in file.tree.body if hasattr(n, "name")} | {t.id for n in file.tree.body if isinstance(n, (ast.Assign, ast.AnnAssign))
                                                                         for t in ast.walk(n) if isinstance(t, ast.Name) and isinstance(t.ctx, ast.Store)}
            guarded = [n for each in file.tree.body if isinstance(each, (ast.Try, ast.If)) for n in ast.walk(each)]
            top |= {(a.asname or a.name).split(".")[0] for n in guarded if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
            top |= {n.id for n in guarded if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {n.name for n in guarded if isinstance(n, FUNCTIONS + (ast.ClassDef,))}
            for node in file.tree.body:
                if not isinstance(node, FUNCTIONS + (ast.ClassDef,)) or not self.renameable(node.name):
                    continue
                reads = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                needed = any(isinstance(n, ast.Name) and n.id == node.name for each in file.tree.body if each is not node for n in ast.walk(each))
                twice = sum(1 for n in file.nodes if getattr(n, "name", None) == node.name) > 1
                if not twice and not reads & replaced and not (needed and reads & (top - {node.name})) and not any(isinstance(n, ast.Global) for n in ast.walk(node)):
                    yield file.named(node)

    def _replaced(self, module):
        """The names that somebody sets in a module of that name from outside, as tests do with `monkeypatch.setattr(module, "name", …)`."""
        found = set()
        for node in (n for file in self.everything for n in file.nodes):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value).split(".")[-1] == module:
                found.add(node.attr)
            if isinstance(node, ast.Call) and len(node.args) > 1 and ast.unparse(node.args[0]).split(".")[-1] == module and \
                    ast.unparse(node.func).split(".")[-1] in ("setattr", "object") and isinstance(node.args[1], ast.Constant):
                found.add(node.args[1].value)
        return found

    def file_moves(self):
        """Illegal: modules named in strings (entry points, patched by tests), and those that make a package what it is."""
        for file in self.files:
            stem = os.path.basename(file.path)[:-3]
            if stem not in ("__init__", "__main__", "conftest") and stem not in self.strings:
                yield {"file": file.path}


@functools.lru_cache(maxsize=None)
def _own_attributes(outside):
    """What the functions of a class from outside assign to its objects, by their text."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(outside)))
    except (OSError, TypeError, SyntaxError):
        return frozenset()
    return frozenset(n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and getattr(n.value, "id", None) == "self")


def _outside(shown, file):
    """A class of the standard library by what its name is in this file."""
    origins = {}
    for node in file.nodes:
        if isinstance(node, ast.Import):
            origins.update({a.asname or a.name: (a.name, None) for a in node.names})
        elif isinstance(node, ast.ImportFrom) and not node.level:
            origins.update({a.asname or a.name: (node.module, a.name) for a in node.names})
    if len(shown) == 1 and hasattr(builtins, shown[0]):
        return getattr(builtins, shown[0])
    module, name = origins.get(".".join(shown[:-1]), origins.get(shown[0], (None, None)))
    if module is None or module.split(".")[0] not in sys.stdlib_module_names:
        return None
    return getattr(importlib.import_module(module), name or shown[-1], None)


def _without_functions(nodes):
    found, waiting = [], list(nodes)
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, FUNCTIONS + (ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return found


def main():
    package = Package(*sys.argv[1:4])
    print(json.dumps({
        "rename": [each for each in package.renames() if package.renameable(each["name"])],
        "extractVariable": list(package.extract_variables()), "extractMethod": list(package.extract_methods()),
        "inline": list(package.inlines()), "moveSymbol": list(package.moves()), "moveFile": list(package.file_moves())}))


main()
