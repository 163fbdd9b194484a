"""Inlining functions: one that is a mere expression by ourselves, others by rope with parentheses added where it would leave them out."""

import ast
import re

from rope.base import pynames, pyobjects
from rope.contrib import findit
from rope.refactor import inline as rope_inline, occurrences

from . import names
from .deleting import without_import
from .expressions import EFFECTS, NEW_OBJECTS, Inlined, shadowing, value_of, without_function
from .families import Family
from .session import Refused, offsets
from .source import ATOMS, around, chars, edited, fits, function_of, future_first, line_start, name_place, parents_of, span


class _Handle(rope_inline._InlineFunctionCallsForModuleHandle):
    """Tells the generator what stands around the call that is about to be replaced."""

    def occurred_outside_skip(self, change_collector, occurrence):
        if not occurrence.is_in_import_statement():
            begin, finish = occurrence.get_primary_range()
            self.generator.sightline_around = _call_at(self.source, begin, finish)
            method = self.generator.sightline_method
            # rope reads the scope of a module without making it; it is made when somebody has asked about a name there.
            self.pymodule.get_scope()
            if method is not None and (self.resource.real_path, occurrence.offset) in self.generator.sightline_sure:
                # It is an object of the class, as somebody who knows types has said; rope may not know it.
                known = pynames.UnboundName(pyobjects.PyObject(method.get_object().parent))
                occurrence.get_primary_and_pyname = lambda: (known, method)
        super().occurred_outside_skip(change_collector, occurrence)


class _Generator(rope_inline._DefinitionGenerator):
    sightline_around = (None, None)
    sightline_method = None
    sightline_sure = frozenset()

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


def inline_function(session, tool, args):
    node = tool.pyfunction.get_ast()
    sure = offsets(session, args.get("sure", ()))
    is_method = isinstance(tool.pyfunction.parent, pyobjects.PyClass)
    if is_method:
        place = (tool.resource.real_path, *name_place(tool.resource.read().split("\n"), node, node.name))
        if len(Family(session, node.name, [place]).places) > 1:
            raise Refused("it is overridden, or overrides another")
    _refuse_function(node)
    own = _as_expression(session, tool, args, sure)
    if own is not None:
        _refuse_leftovers(session, own, node.name, is_method and args["all"] is not False)
        return session.answer(own, f"inline function {args['name']}")
    _refuse_early_return(node)
    _refuse_calls(session, node)
    if is_method:
        tool.occurrence_finder = occurrences.create_finder(session.project, tool.name, tool.pyname)
        tool.occurrence_finder.filters.insert(0, lambda each: True if (each.resource.real_path, each.offset) in sure else None)
        for generator in (tool.normal_generator, tool.others_generator):
            generator.sightline_method = tool.pyname if tool.pyfunction.get_kind() == "method" else None
            generator.sightline_sure = {key for key in sure if not _is_class_before(session, *key)}
    only_current = not args["all"]
    operations = session.operations(tool.get_changes(remove=not only_current, only_current=only_current))
    _refuse_leftovers(session, operations, node.name, is_method and not only_current)
    for op in operations:
        op["content"] = future_first(op["content"])
        # The function may have been the last thing in its file.
        if op["path"] == tool.resource.real_path and op["content"].endswith("\n\n") and not session.resource(op["path"]).read().endswith("\n\n"):
            op["content"] = op["content"].rstrip("\n") + "\n"
    return session.answer(operations, f"inline function {args['name']}")


def _refuse_leftovers(session, operations, name, is_removed_method):
    """A method is removed only when nothing is left that may mean it."""
    after = {op["path"]: op["content"] for op in operations}
    for path, text, _tree in session.parsed(name) if is_removed_method else ():
        content = after.get(path, text)
        left = [n for n in ast.walk(ast.parse(content)) if isinstance(n, ast.Attribute) and n.attr == name] if name in content else []
        if left:
            raise Refused(f'"{name}" is used on something whose type is not known in {session.relative(path)} (line {left[0].lineno} then)', "conflict")


def _as_expression(session, tool, args, sure):
    """The changed files when the function is one expression that can be written wherever it is called; otherwise nothing."""
    text, tree, name, home = tool.resource.read(), session.parse(tool.resource), tool.name, tool.resource.real_path
    line = tool.pyfunction.get_ast().lineno
    node = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name and n.lineno == line), None)
    value = value_of(text, node) if node is not None else None
    if value is None:
        return None
    offset = _name_offset(text, node)
    found = {(o.resource.real_path, o.offset) for o in findit.find_occurrences(session.project, tool.resource, offset, unsure=False)} | sure
    owner = next((n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and node in n.body), None)
    parameters = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    free = {n.id for n in ast.walk(ast.parse(f"({value}\n)", mode="eval")) if isinstance(n, ast.Name)} - parameters
    if any(path != home for path, _ in found) and not free <= names.BUILTINS:
        # The other files would have to import what it reads.
        return None
    at = (session.resource(args["path"]).real_path, session.offset(session.resource(args["path"]), args["line"], args["column"])) if args["all"] is False else None
    operations, is_called = [], False
    for path in sorted({path for path, _ in found} if at is None else {at[0]}):
        there = session.resource(path)
        places = {each for other, each in found if other == path} - ({offset} if path == home else set())
        content, called = _inlined_in(session, there, node, text, value, owner, places, None if at is None else at[1], path == home)
        is_called = is_called or called
        if content != there.read():
            operations.append({"kind": "write", "path": path, "content": content})
    if not is_called:
        raise Refused(f'"{name}" is not called anywhere' if at is None else "to inline one use, point at that use")
    return operations


def _inlined_in(session, resource, node, home, value, owner, places, at, is_home):
    """The text of a file with the calls replaced, and whether there were any."""
    text, tree, name = resource.read(), session.parse(resource), node.name
    parents = parents_of(tree)
    function = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name and n.lineno == node.lineno), node) if is_home else node
    class_ = parents.get(function) if is_home and owner is not None else owner
    classes = {n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef)} | ({owner.name} if owner is not None else set())
    inlined = Inlined(text, tree, function, home, value, class_, lambda source: source.split(".")[-1] in classes, lambda each: _is_new_object(session, each))
    calls, left = [], set(places)
    for each in ast.walk(tree):
        if isinstance(each, ast.Call):
            begin, finish = span(text, each.func)
            if finish - len(name) in left and text[begin:finish].endswith(name):
                left.discard(finish - len(name))
                calls.append(each)
        elif isinstance(each, ast.ImportFrom):
            begin, finish = span(text, each)
            if any(a.name == name and a.asname is None for a in each.names):
                left -= {place for place in left if begin <= place < finish}
    if left:
        raise Refused(f'"{name}" is used otherwise than by calling it, or in an f-string, on line {text.count(chr(10), 0, min(left)) + 1} of {resource.path}')
    if at is not None:
        calls = [call for call in calls if span(text, call.func)[1] - len(name) <= at <= span(text, call.func)[1]]
        return _with_calls(inlined, text, parents, calls, []), bool(calls)
    content = _with_calls(inlined, text, parents, calls, [without_function(text, tree, function)] if is_home else [])
    if not is_home and owner is None:
        content = without_import(content, name)
    if content.endswith("\n\n") and not text.endswith("\n\n"):
        content = content.rstrip("\n") + "\n"
    return content, bool(calls)


def _name_offset(text, node):
    return line_start(text, node.lineno) + text[line_start(text, node.lineno):].index(node.name, chars(text.split("\n")[node.lineno - 1], node.col_offset) + len("def"))


def _with_calls(inlined, text, parents, calls, edits):
    inlined.calls = calls
    for call in (c for c in calls if not any(each in calls for each in around(parents, c))):
        new = inlined.replacement(call)
        if any(isinstance(n, ast.JoinedStr) for n in around(parents, call)) and any(q in new for q in "\"'{}\\\n"):
            raise Refused("it is called inside an f-string, where its value cannot be written")
        edits.append((*span(text, call), new))
    return edited(text, edits)


def _is_class_before(session, path, offset):
    """Whether a method is called through its class: `Class.method(object)`."""
    found = re.search(r"(\w+)\s*\.\s*$", session.resource(path).read()[:offset])
    return found is not None and any(found.group(1) == n.name for _path, text, tree in session.parsed(found.group(1)) if found.group(1) in text
                                     for n in ast.walk(tree) if isinstance(n, ast.ClassDef))


def _is_new_object(session, node):
    """Whether a call only makes an object of a class of the project that does nothing when it is made."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    name = ast.unparse(node.func).split(".")[-1]
    found = [n for _path, text, tree in session.parsed(name) if name in text for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == name]
    return bool(found) and all(not n.keywords and not n.decorator_list and all(ast.unparse(b) == "object" for b in n.bases) and
                               not any(getattr(m, "name", "") in ("__init__", "__new__") for m in n.body) for n in found)


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
    if any(isinstance(n, ast.Call) and (getattr(n.func, "id", None) or getattr(n.func, "attr", None)) == node.name for n in inside):
        raise Refused("it calls itself")
    arguments = node.args
    if arguments.vararg or arguments.kwarg:
        raise Refused("it takes variable parameters")
    parameters = {a.arg for a in arguments.args + arguments.posonlyargs + arguments.kwonlyargs}
    if any(isinstance(n, ast.Name) and n.id in parameters and isinstance(n.ctx, (ast.Store, ast.Del)) for n in inside):
        raise Refused("it assigns to a parameter")


def _refuse_early_return(node):
    returns = [n for statement in node.body for n in ast.walk(statement) if isinstance(n, ast.Return)]
    if len(returns) > 1 or (returns and returns[0] is not node.body[-1]):
        raise Refused("it returns from more than its last line")


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
            free = {name for name in uses if name not in arguments and name not in own}
            hidden = free & shadowing(tree, parents, call, node)
            if hidden:
                raise Refused(f'"{sorted(hidden)[0]}" means something else on {where}', "conflict")
            given = arguments[1:] if arguments[:1] in (["self"], ["cls"]) else arguments
            if isinstance(call.func, ast.Attribute) and given != arguments and len(uses.get(arguments[0], [])) != 1 and \
                    any(isinstance(n, EFFECTS) for n in ast.walk(call.func.value)) and not _is_new_object(session, call.func.value):
                raise Refused(f"the object on {where} comes from a call, and would not be evaluated once as it is now")
            bound = dict(zip(given, call.args))
            bound.update({k.arg: k.value for k in call.keywords})
            acting = [name for name, value in bound.items() if any(isinstance(n, EFFECTS) for n in ast.walk(value))]
            places = [(uses[name][0].lineno, uses[name][0].col_offset) for name in acting if uses.get(name)]
            if len(acting) > 1 and places != sorted(places):
                raise Refused(f"the arguments on {where} come from calls, which would happen in another order")
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
            if single and isinstance(statements[0], ast.Return):
                continue
            line = _text.split("\n")[call.lineno - 1]
            if line[:len(line) - len(line.lstrip())] != line[:chars(line, getattr(parent, "col_offset", 0))] and isinstance(parent, ast.stmt):
                raise Refused(f"other code stands before the call on {where}, and the function is no mere value")
            if single and isinstance(parent, ast.Expr):
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
