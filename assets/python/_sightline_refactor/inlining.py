"""Inlining: variables by ourselves, functions by rope with parentheses added where it would leave them out."""

import ast

from rope.contrib import findit
from rope.refactor import inline as rope_inline

from . import names
from .session import Refused
from .source import ATOMS, assigned, block_of, chars, edited, fits, function_of, in_loop, is_next, line_start, parents_of, scope_of, span

EFFECTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
NEW_OBJECTS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)


def inline(session, args):
    resource, offset = session.place(args)
    variable = _Variable.at(session, resource, args)
    if variable is not None:
        return variable.inlined(args)
    tool = rope_inline.create_inline(session.project, resource, offset)
    kind = type(tool).__name__
    if kind == "InlineParameter":
        raise Refused("a parameter is not inlined")
    if kind == "InlineVariable":
        return _variable_elsewhere(session, tool, args)
    return _function(session, tool, args)


class _Variable:
    """A variable that is assigned once, by one assignment of its own, in the file that was pointed at."""

    def __init__(self, session, resource, tree, node, module, binding, name):
        self.session, self.resource, self.tree, self.node, self.module, self.name = session, resource, tree, node, module, name
        self.text = resource.read()
        self.parents = parents_of(tree)
        bound = {(u.line, u.column) for u in module.uses if u.name == name and u.binding == binding}
        mine = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name and (n.lineno, n.col_offset) in bound]
        self.uses = [n for n in mine if isinstance(n.ctx, ast.Load)]
        self.stores = [n for n in mine if not isinstance(n.ctx, ast.Load)]
        self.binding = binding

    @classmethod
    def at(cls, session, resource, args):
        """The variable at the place, when it is assigned in this file; otherwise nothing."""
        text, tree, name = resource.read(), session.parse(resource), args["name"]
        module = names.Module(text)
        line = text.split("\n")[args["line"] - 1]
        column = len(line.encode("utf-16-le")[: (args["column"] - 1) * 2].decode("utf-16-le", "ignore").encode())
        at = [u for u in module.uses if u.name == name and u.line == args["line"] and u.column <= column <= u.column + len(name.encode())]
        if not at:
            return None
        binding = at[0].binding
        bound = {(u.line, u.column) for u in module.uses if u.name == name and u.binding == binding}
        nodes = [n for n in ast.walk(tree) if isinstance(n, (ast.Assign, ast.AnnAssign)) and name in assigned(n) and
                 any((t.lineno, t.col_offset) in bound for t in (n.targets if isinstance(n, ast.Assign) else [n.target]) if isinstance(t, ast.Name) and t.id == name)]
        if not nodes:
            return None
        if nodes[0].value is None:
            raise Refused(f'"{name}" has no value of its own')
        return cls(session, resource, tree, nodes[0], module, binding, name)

    def inlined(self, args):
        node, name = self.node, self.name
        if isinstance(node, ast.Assign) and (len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name)):
            raise Refused("it is assigned together with others")
        if len(self.stores) != 1:
            raise Refused(f'"{name}" is assigned more than once')
        if isinstance(scope_of(self.tree, node), ast.ClassDef):
            raise Refused("it is an attribute of a class, which can be reached from anywhere")
        elsewhere = self._elsewhere()
        if elsewhere and args["all"]:
            return self._everywhere(args)
        if not self.uses:
            raise Refused(f'"{name}" is not used anywhere')
        chosen = self.uses
        if not args["all"] and len(self.uses) + len(elsewhere) > 1:
            chosen = [n for n in self.uses if n.lineno == args["line"] and n.col_offset <= args["column"] - 1 <= n.end_col_offset]
            if not chosen:
                raise Refused("to inline one use, point at that use")
        self._refuse_bindings(chosen)
        source = ast.get_source_segment(self.text, node.value)
        if "\n" in source and not source.startswith(("(", "[", "{", '"""', "'''")):
            source = f"({source})"
        edits = []
        for use in chosen:
            begin, finish = span(self.text, use)
            if self.text[begin:finish] != name:
                raise Refused("it is used inside an f-string, where it cannot be replaced safely")
            if self._in_f_string(use) and any(q in source for q in "\"'{}\\\n"):
                raise Refused("it is used inside an f-string, where its value cannot be written")
            edits.append((begin, finish, source if fits(node.value, self.parents.get(use), use) else f"({source})"))
        if len(chosen) == len(self.uses) and not elsewhere:
            edits.append(self._removal())
        content = edited(self.text, edits)
        if node is self.tree.body[0] and not self.text.startswith("\n"):
            content = content.lstrip("\n")
        operation = {"kind": "write", "path": self.resource.real_path, "content": content}
        return self.session.answer([operation], f"inline variable {name}", conflicts=self._hazards(chosen))

    def _in_f_string(self, node):
        while node is not None and not isinstance(node, ast.stmt):
            if isinstance(node, ast.JoinedStr):
                return True
            node = self.parents.get(node)
        return False

    def _elsewhere(self):
        if self.binding != "":
            return []
        offset = span(self.text, self.stores[0])[0]
        return [o for o in findit.find_occurrences(self.session.project, self.resource, offset, unsure=False) if o.resource != self.resource]

    def _everywhere(self, args):
        """Uses in other modules are rope's matter; it writes the value there as it stands."""
        if not isinstance(self.node.value, ATOMS) or any(isinstance(n, EFFECTS + NEW_OBJECTS) for n in ast.walk(self.node.value)):
            raise Refused(f'"{self.name}" is also used in other files, where only a plain value can be put in its place')
        tool = rope_inline.create_inline(self.session.project, self.resource, span(self.text, self.stores[0])[0])
        operations = self.session.operations(tool.get_changes(remove=True, only_current=False))
        return self.session.answer(operations, f"inline variable {self.name}", conflicts=self._hazards(self.uses))

    def _refuse_bindings(self, chosen):
        reads = {n.id for n in ast.walk(self.node.value) if isinstance(n, ast.Name)}
        own = {u.name: u.binding for u in self.module.uses if self.node.lineno <= u.line <= self.node.end_lineno and u.name in reads}
        for use in chosen:
            scope = function_of(self.tree, use)
            inner = {(n.lineno, n.col_offset) for n in ast.walk(scope if scope is not None else self.tree) if isinstance(n, (ast.Name, ast.arg))}
            for read in reads:
                there = next((u.binding for u in self.module.uses if u.name == read and (u.line, u.column) in inner), None)
                if there not in (None, own.get(read)):
                    raise Refused(f'"{read}" means something else where "{self.name}" is used (line {use.lineno})', "conflict")

    def _removal(self):
        node, lines = self.node, self.text.split("\n")
        head = lines[node.lineno - 1][:chars(lines[node.lineno - 1], node.col_offset)]
        tail = lines[node.end_lineno - 1][chars(lines[node.end_lineno - 1], node.end_col_offset):]
        begin, finish = line_start(self.text, node.lineno), span(self.text, node)[1]
        if head.strip() or tail.strip().startswith(";"):
            # One of several statements on a line: it goes with the semicolon that parts it from its neighbour.
            begin = span(self.text, node)[0]
            if tail.strip().startswith(";"):
                return (begin, finish + tail.index(";") + 1 + len(tail[tail.index(";") + 1:]) - len(tail[tail.index(";") + 1:].lstrip()), "")
            if head.rstrip().endswith(";") and not tail.strip():
                return (begin - (len(head) - len(head.rstrip())) - 1, finish, "")
            raise Refused("other statements stand on the same line")
        if tail.strip() and not tail.strip().startswith("#"):
            raise Refused("other statements stand on the same line")
        if len(block_of(self.tree, node)) == 1 and block_of(self.tree, node) is not self.tree.body:
            raise Refused("the assignment is the only statement of its block")
        end = line_start(self.text, node.end_lineno) + len(lines[node.end_lineno - 1]) + 1
        return (begin, min(end, len(self.text)), "")

    def _hazards(self, uses):
        node, value, tree = self.node, self.node.value, self.tree
        scope = scope_of(tree, node)
        found = []
        effects = any(isinstance(n, EFFECTS) for n in ast.walk(value))
        if effects and len(uses) > 1:
            found.append("the value comes from a call or has side effects, and would be evaluated more than once")
        elif effects and uses and not is_next(scope, node, uses[0]):
            found.append("the value comes from a call or has side effects, and would be evaluated at another time")
        if len(uses) > 1 and isinstance(value, NEW_OBJECTS):
            found.append("the value is an object of its own, and each use would get another one")
        reads = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
        members = {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute)}
        items = any(isinstance(n, ast.Subscript) for n in ast.walk(value))
        last = max([u.lineno for u in uses], default=node.lineno)
        nested = any(function_of(tree, u) is not function_of(tree, node) for u in uses) or any(in_loop(scope, u, node) for u in uses)
        if nested and isinstance(value, NEW_OBJECTS):
            found.append("the value is an object of its own, and would be made anew each time")
        for each in ast.walk(scope):
            line = getattr(each, "lineno", 0)
            if each is node or not (nested or node.lineno < line <= last):
                continue
            stored = isinstance(getattr(each, "ctx", None), (ast.Store, ast.Del))
            if stored and isinstance(each, ast.Name) and each.id in reads:
                found.append(f'"{each.id}" is assigned in between (line {line})')
            if stored and isinstance(each, ast.Attribute) and each.attr in members:
                found.append(f'".{each.attr}" is assigned in between (line {line})')
            if stored and isinstance(each, ast.Subscript) and items:
                found.append(f"an item is assigned in between (line {line})")
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and isinstance(each.func.value, ast.Name) \
                    and each.func.value.id in reads and not any(each is x for x in ast.walk(value)):
                found.append(f"{each.func.value.id}.{each.func.attr}() is called in between (line {line})")
        if members or items:
            # What a call in between does to the object is not known.
            calls = [n for n in ast.walk(scope) if isinstance(n, (ast.Call, ast.Await)) and node.lineno < n.lineno <= last and
                     not any(n is x for u in uses for x in _around(self.parents, u))]
            if calls and any((c.lineno, c.col_offset) < (u.lineno, u.col_offset) for c in calls for u in uses):
                found.append(f"a call in between (line {calls[0].lineno}) may change what it reads")
        return [{"kind": "meaning", "message": message, "file": self.resource.real_path, "line": node.lineno} for message in dict.fromkeys(found)]


def _around(parents, node):
    while node in parents:
        node = parents[node]
        yield node


def _variable_elsewhere(session, tool, args):
    """The variable is assigned in another file: what was pointed at is one of its uses."""
    home = tool.resource
    tree = session.parse(home)
    node = next((n for n in tree.body if isinstance(n, (ast.Assign, ast.AnnAssign)) and args["name"] in assigned(n)), None)
    if node is None or node.value is None:
        raise Refused(f'the assignment of "{args["name"]}" was not found')
    if not isinstance(node.value, ATOMS) or any(isinstance(n, EFFECTS + NEW_OBJECTS) for n in ast.walk(node.value)):
        raise Refused(f'"{args["name"]}" is assigned in {home.path}; only a plain value is put into other files')
    changes = tool.get_changes(remove=args["all"], only_current=not args["all"])
    return session.answer(session.operations(changes), f"inline variable {args['name']}")


# Functions

class _Handle(rope_inline._InlineFunctionCallsForModuleHandle):
    """Tells the generator what stands around the call that is about to be replaced."""

    def occurred_outside_skip(self, change_collector, occurrence):
        if not occurrence.is_in_import_statement():
            begin, finish = occurrence.get_primary_range()
            self.generator.sightline_around = _call_at(self.source, begin, finish)
        super().occurred_outside_skip(change_collector, occurrence)


class _Generator(rope_inline._DefinitionGenerator):
    sightline_around = (None, None)

    def _calculate_header(self, primary, pyname, call):
        self.definition_params = self._get_definition_params()
        header, inlined = super()._calculate_header(primary, pyname, call)
        risky = _risky_parameters(self.pyfunction.get_ast())
        lines = []
        for line in header.split("\n"):
            name, separator, value = line.partition(" = ")
            if separator and name in risky and not _is_atom(value):
                line = f"{name} = ({value})"
            lines.append(line)
        return "\n".join(lines), inlined

    def _replace_returns_with(self, source, returns):
        source, returned = super()._replace_returns_with(source, returns)
        call, parent = self.sightline_around
        if returned is not None and call is not None:
            value = _expression(returned)
            if value is not None and not fits(value, parent, call):
                returned = f"({returned.rstrip()})"
        return source, returned


rope_inline._InlineFunctionCallsForModuleHandle = _Handle
rope_inline._DefinitionGenerator = _Generator


def _call_at(source, begin, finish):
    tree = ast.parse(source)
    for node, parent in parents_of(tree).items():
        if isinstance(node, ast.Call) and span(source, node.func) == (begin, finish):
            return node, parent
    return None, None


def _expression(text):
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except SyntaxError:
        return None


def _is_atom(text):
    value = _expression(text)
    return value is not None and isinstance(value, ATOMS)


def _risky_parameters(node):
    """Parameters that stand beside an operator, where a text put in their place could be torn apart."""
    parents = parents_of(node)
    plain = (ast.Call, ast.keyword, ast.Assign, ast.AnnAssign, ast.Return, ast.Expr, ast.List, ast.Tuple, ast.Set, ast.If, ast.While)
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and (not isinstance(parents.get(n), plain) or getattr(parents.get(n), "func", None) is n)}


def _function(session, tool, args):
    node = tool.pyfunction.get_ast()
    _refuse_function(node)
    _refuse_calls(session, node)
    only_current = not args["all"]
    changes = tool.get_changes(remove=not only_current, only_current=only_current)
    return session.answer(session.operations(changes), f"inline function {args['name']}")


def _refuse_function(node):
    if isinstance(node, ast.AsyncFunctionDef):
        raise Refused("an async function is not inlined: calling it gives a coroutine")
    inside = [n for statement in node.body for n in ast.walk(statement)]
    if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inside):
        raise Refused("a generator cannot be inlined")
    if any(getattr(d, "id", None) not in ("staticmethod", "classmethod") for d in node.decorator_list):
        raise Refused("it has decorators, whose effect would be lost")
    if any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in inside):
        raise Refused("it has a global or nonlocal statement")
    if any(isinstance(n, ast.Name) and n.id in ("super", "__class__", "locals") for n in inside):
        raise Refused("it uses super(), __class__ or locals(), which depend on the function around")
    returns = [n for n in inside if isinstance(n, ast.Return)]
    if len(returns) > 1 or (returns and returns[0] is not node.body[-1]):
        raise Refused("it returns from more than its last line")
    if any(isinstance(n, ast.Call) and (getattr(n.func, "id", None) or getattr(n.func, "attr", None)) == node.name for n in inside):
        raise Refused("it calls itself")
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise Refused("it takes variable or keyword-only parameters")
    parameters = {a.arg for a in arguments.args + arguments.posonlyargs}
    if any(isinstance(n, ast.Name) and n.id in parameters and isinstance(n.ctx, (ast.Store, ast.Del)) for n in inside):
        raise Refused("it assigns to a parameter")


def _refuse_calls(session, node):
    """What rope does wrong at the places of the calls: it moves what has effects and renames no variables."""
    statements = [n for n in node.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    single = len(statements) == 1 and isinstance(statements[0], (ast.Return, ast.Expr)) and statements[0].value is not None
    own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    own |= {n.name for statement in node.body for n in ast.walk(statement) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    arguments = [a.arg for a in node.args.posonlyargs + node.args.args]
    uses = {}
    for each in (n for statement in node.body for n in ast.walk(statement) if isinstance(n, ast.Name)):
        uses.setdefault(each.id, []).append(each)
    lazy = [n for statement in node.body for n in ast.walk(statement)
            if isinstance(n, (ast.Lambda, ast.FunctionDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.For, ast.While, ast.If, ast.IfExp, ast.BoolOp))]
    for resource, _text, tree in session.trees(node.name):
        parents = parents_of(tree)
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or (getattr(call.func, "id", None) or getattr(call.func, "attr", None)) != node.name:
                continue
            where = f"line {call.lineno} of {resource.path}"
            if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
                raise Refused(f"the call on {where} passes a list or dictionary of arguments")
            given = arguments[1:] if arguments[:1] in (["self"], ["cls"]) else arguments
            bound = dict(zip(given, call.args))
            bound.update({k.arg: k.value for k in call.keywords})
            for name, value in bound.items():
                effects = any(isinstance(n, EFFECTS + NEW_OBJECTS) for n in ast.walk(value))
                places = uses.get(name, [])
                if effects and (len(places) != 1 or len(bound) > 1 and not single or any(places[0] is n for each in lazy for n in ast.walk(each))):
                    raise Refused(f'the argument for "{name}" on {where} comes from a call, and would not be evaluated once as it is now')
                reads = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
                if reads & own:
                    raise Refused(f'the argument for "{name}" on {where} reads "{sorted(reads & own)[0]}", which the function assigns')
                scopes = [n for statement in node.body for n in ast.walk(statement) if isinstance(n, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))]
                inner = {x.id for n in scopes for x in ast.walk(n) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)} | \
                    {x.arg for n in scopes for x in ast.walk(n) if isinstance(x, ast.arg)}
                if reads & inner:
                    raise Refused(f'the argument for "{name}" on {where} reads "{sorted(reads & inner)[0]}", which has another meaning in the function')
            parent = parents.get(call)
            if single:
                if isinstance(statements[0], ast.Expr) and not isinstance(parent, ast.Expr):
                    raise Refused(f"the value of the call on {where} is used, and the function returns none")
                continue
            if not isinstance(parent, (ast.Expr, ast.Assign, ast.Return)):
                raise Refused(f"the call on {where} is part of a larger expression, and the function has several statements")
            scope = function_of(tree, call) or tree
            clash = own & ({n.id for n in ast.walk(scope) if isinstance(n, ast.Name)} | {n.arg for n in ast.walk(scope) if isinstance(n, ast.arg)})
            if clash and scope is not node and not any(node.name == getattr(n, "name", None) and scope is tree and
                                                       not _outside(tree, n, clash) for n in tree.body):
                raise Refused(f'"{sorted(clash)[0]}" is used both in the function and around the call on {where}')


def _outside(tree, function, wanted):
    """Whether any of these names is used at the level of the module, outside the function."""
    inside = {id(n) for n in ast.walk(function)}
    return any(isinstance(n, ast.Name) and n.id in wanted and id(n) not in inside for n in ast.walk(tree))
