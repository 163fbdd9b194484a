"""Extracting functions and variables: rope does it; what it would get wrong is refused or put right."""

import ast
import re

from rope.refactor import extract as rope_extract

from .check import Exports
from .families import project_classes
from .flow import stored
from .headers import function_before_class, variable_before, variable_before_statement
from .module_variables import variable_of_module
from .new_function import NewFunction, is_joinable
from .selection import COMPREHENSIONS, Selection
from .session import Refused, valid_name
from .source import around, function_of, header_of, line_start, parents_of, scope_of, span
from .string_parts import StringPart


class _Parts(rope_extract._ExtractMethodParts):
    """rope's, with our own account of the variables that go in and come out."""

    selection = None

    def _find_function_arguments(self):
        return list(self.selection.arguments)

    def _find_function_returns(self):
        return super()._find_function_returns() if self.info.one_line else [] if self.info.returned else list(self.selection.returns)


rope_extract._ExtractMethodParts = _Parts


def extract(session, args):
    session.refresh()
    resource = session.resource(args["path"])
    tree, text = session.parse(resource), resource.read()
    start = session.offset(resource, args["startLine"], args["startColumn"])
    end = session.offset(resource, args["endLine"], args["endColumn"])
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        raise Refused("the range to extract is empty")
    new, what = args["newName"], args["what"]
    valid_name(new)
    is_text = what == "variable" and args.get("scope") != "module" and not _is_whole(tree, text, start, end)
    part = StringPart.at(text, tree, start, end, new) if is_text else None
    if part is not None and header_of(tree, part.node) is None:
        _refuse_name_in_use(session, resource, tree, part.node, new, what, args.get("scope"))
        content = variable_before_statement(text, tree, part.node, new, *span(text, part.node), part)
        return session.answer([{"kind": "write", "path": args["path"], "content": content}], f"extract variable {new}")
    selected = _selected(tree, text, start, end, what)
    if what == "method" and isinstance(selected[0], ast.expr):
        # An expression that is a statement is taken for one: nobody asks for its value.
        selected = [n for n in ast.walk(tree) if isinstance(n, ast.Expr) and n.value is selected[0]] or selected
    if isinstance(selected[0], ast.stmt):
        # A comment behind the last statement belongs to it.
        end += len(re.match(r"(?:[ \t]*#[^\n]*)?", text[end:]).group())
        # So do the decorators before the first.
        for decorator in getattr(selected[0], "decorator_list", ())[:1]:
            start = min(start, text.rindex("@", 0, span(text, decorator)[0]))
    if isinstance(selected[0], ast.expr) and _is_shown(tree, text, selected[0], end):
        raise Refused("the f-string around it shows its text too (=)")
    inside = [node for each in selected for node in ast.walk(each)]
    _refuse_selection(inside, what, args.get("scope"), _becomes_method(tree, selected[0], args.get("scope")))
    _refuse_name_in_use(session, resource, tree, selected[0], new, what, args.get("scope"))
    summary = f"extract {'variable' if what == 'variable' else 'function'} {new}"
    header = header_of(tree, selected[0]) if what == "variable" else None
    if what == "variable" and args.get("scope") == "class":
        raise Refused("a variable is made in the function or in the module, not in the class")
    if what == "variable" and args.get("scope") == "module" and (header is not None or scope_of(tree, selected[0]) is not tree):
        begin, finish = span(text, selected[0])
        content, hazard = variable_of_module(text, tree, selected[0], new, min(start, begin), max(end, finish), bool(args.get("all")))
        conflicts = [{"kind": "meaning", "message": hazard, "file": args["path"], "line": selected[0].lineno}] if hazard else []
        return session.answer([{"kind": "write", "path": args["path"], "content": content}], summary, conflicts=conflicts)
    # rope finds what is like the selection; it loses the lines of strings and comments.
    is_all = bool(args.get("all")) and (what == "method" or is_joinable(text[start:end]) and _occurs_again(tree, selected[0]))
    if what == "variable" and header is None and not is_all:
        conflicts = _variable_hazards(tree, selected[0], args["path"])
        begin, finish = span(text, selected[0])
        content = variable_before_statement(text, tree, selected[0], new, min(start, begin), max(end, finish))
        return session.answer([{"kind": "write", "path": args["path"], "content": content}], summary, conflicts=conflicts)
    if header is not None:
        content = variable_before(text, tree, selected[0], header, new, bool(args.get("all")))
        return session.answer([{"kind": "write", "path": args["path"], "content": content}], summary)
    if what == "method":
        selection = Selection(tree, selected, args.get("scope") == "module", lambda name: _is_used_elsewhere(session, resource, name), bool(args.get("keepsTypes")))
        if isinstance(selection.scope, ast.ClassDef):
            content = function_before_class(text, tree, selected, selection, new)
            return session.answer([{"kind": "write", "path": args["path"], "content": content}], summary)
        conflicts = [{**problem, "file": args["path"]} for problem in selection.problems]
        content = NewFunction(text, tree, selection, new, start, end, args.get("scope") == "module").content()
        others = _like(tree, selected) if is_all else []
        if not others:
            return session.answer([{"kind": "write", "path": args["path"], "content": content}], summary, conflicts=conflicts)
        if any(not selection.is_like(Selection(tree, other, args.get("scope") == "module", lambda name: False)) for other in others):
            conflicts.append({"kind": "meaning", "file": args["path"], "line": selected[0].lineno, "message": "something like it needs other variables, or gives others back"})
        loaded = [header_of(tree, each[0]) or each[0] for each in ([selected] if header_of(tree, selected[0]) else []) + others]
        parents = parents_of(tree)
        if any(node.lineno <= selected[0].lineno and not any(isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) for n in around(parents, node)) for node in loaded):
            conflicts.append({"kind": "meaning", "file": args["path"], "line": selected[0].lineno, "message": "something like it is done before the new function is defined"})
        _Parts.selection, method_conflicts = selection, conflicts
    maker = rope_extract.ExtractVariable if what == "variable" else rope_extract.ExtractMethod
    tool = maker(session.project, resource, start, end)
    changes = tool.get_changes(new, similar=bool(args.get("all")), global_=args.get("scope") == "module")
    operations = session.operations(changes)
    conflicts, notes = [], []
    if what == "variable":
        conflicts = _variable_hazards(tree, selected[0], args["path"])
        for op in operations:
            conflicts += _reassigned(op, new, selected[0], args["path"])
        conflicts += _acting(tree, selected[0], args["path"])
        if args.get("all") and any(isinstance(n, ast.Call) for n in inside):
            notes.append("the value comes from a call, which now happens once for all occurrences")
    else:
        return session.answer(operations, summary, notes, method_conflicts)
    return session.answer(operations, summary, notes, conflicts)


def _selected(tree, text, start, end, what):
    """The expression or the statements that the selection is; anything else is refused."""
    while text[start] == "(" and text[end - 1] == ")":
        if any(span(text, n) == (start, end) for n in ast.walk(tree) if isinstance(n, (ast.Tuple, ast.GeneratorExp))):
            break
        try:
            ast.parse(f"({text[start + 1:end - 1]}\n)", mode="eval")
        except SyntaxError:
            break
        start, end = start + 1, end - 1
        while text[start].isspace():
            start += 1
        while text[end - 1].isspace():
            end -= 1
    for node in ast.walk(tree):
        # The only argument of a call may be a generator without parentheses of its own.
        if isinstance(node, ast.GeneratorExp) and span(text, node) == (start - 1, end + 1) and what == "method":
            return [node]
        if isinstance(node, ast.expr) and span(text, node) == (start, end) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) and \
                not isinstance(node, (ast.Slice, ast.Starred)) and _is_written_so(node, text[start:end]):
            return [node]
    if what == "variable":
        raise Refused(f"the selection is not a whole expression{_nearest(tree, text, start, end, ast.expr)}")
    # Comments before the first statement and after the last may be part of it.
    first = last = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            begin, finish = span(text, node)
            if start <= begin and finish <= end:
                first = node if first is None or begin < span(text, first)[0] else first
                last = node if last is None or finish > span(text, last)[1] else last
    block = _block(tree, first) if first is not None else []
    chosen = [n for n in block if start <= span(text, n)[0] and span(text, n)[1] <= end]
    rest = text[start:end] if not chosen else text[start:span(text, chosen[0])[0]] + text[span(text, chosen[-1])[1]:end]
    rest = re.sub(r"@[^\n]*", "", rest) if chosen and getattr(chosen[0], "decorator_list", None) else rest
    if not chosen or re.sub(r"#[^\n]*", "", rest).strip(" \t\n;\\"):
        raise Refused(f"the selection is neither one expression nor whole statements of one block{_nearest(tree, text, start, end, ast.stmt)}")
    return chosen


def _is_whole(tree, text, start, end):
    return any(isinstance(n, ast.expr) and span(text, n) == (start, end) and _is_written_so(n, text[start:end]) for n in ast.walk(tree))


def _nearest(tree, text, start, end, kind):
    """What could be selected instead, as the end of a sentence."""
    around = [n for n in ast.walk(tree) if isinstance(n, kind) and span(text, n)[0] <= start and end <= span(text, n)[1]]
    if kind is ast.expr:
        node = min((n for n in around if isinstance(getattr(n, "ctx", None), (ast.Load, type(None)))), key=lambda n: span(text, n)[1] - span(text, n)[0], default=None)
        if node is None or node.lineno != node.end_lineno:
            return ""
        column = start - line_start(text, node.lineno) - (start - span(text, node)[0]) + 1
        return f"; `{text[slice(*span(text, node))]}` at line {node.lineno}, column {column} is one"
    # The statements of the innermost block that the selection touches.
    blocks = [getattr(n, field) for n in [tree, *around] for field in ("body", "orelse", "finalbody") if isinstance(getattr(n, field, None), list)]
    touched = [[n for n in block if span(text, n)[0] < end and start < span(text, n)[1]] for block in blocks]
    whole = min((block for block in touched if block and span(text, block[0])[0] <= start and span(text, block[-1])[1] >= end), key=lambda block: span(text, block[-1])[1] - span(text, block[0])[0], default=None)
    return "" if whole is None else f"; lines {whole[0].lineno} to {whole[-1].end_lineno} are"


def _is_shown(tree, text, node, end):
    """Whether an expression stands in an f-string that shows what is written there: `f"{x=}"`."""
    return any(isinstance(n, ast.FormattedValue) and any(node is each for each in ast.walk(n.value)) and
               re.match(r"[^{}\"']*?(?<![=!<>])=\s*[!:}]", text[end:]) for n in ast.walk(tree))


def _is_written_so(node, source):
    """Whether a text stands by itself for a value, which a part of a string does not."""
    try:
        return not isinstance(node, ast.Constant) or ast.literal_eval(f"({source})") == node.value or node.value is ...
    except (SyntaxError, ValueError):
        return False


def _block(tree, node):
    for each in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(each, field, None)
            if isinstance(body, list) and node in body:
                return body
    return []


def _refuse_selection(inside, what, scope, is_in_class):
    if what == "variable":
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inside):
            raise Refused("the selection contains yield, which happens at a time of its own")
        if any(isinstance(n, ast.NamedExpr) for n in inside):
            raise Refused("the selection assigns a variable inside an expression (:=)")
        return
    if scope == "module" and any(name.startswith("__") and not name.endswith("__") for n in inside for name in [getattr(n, "attr", getattr(n, "id", ""))]):
        raise Refused("the selection uses a private member of the class, which is not seen from outside")
    if any(isinstance(n, ast.Name) and n.id in (("locals",) if is_in_class else ("super", "__class__", "locals")) for n in inside):
        raise Refused("the selection uses super(), __class__ or locals(), which depend on the function around")


def _becomes_method(tree, node, scope):
    """Whether the function around is a method that has an object or a class, as the new one will."""
    function = function_of(tree, node)
    return scope != "module" and isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and isinstance(parents_of(tree)[function], ast.ClassDef) and \
        not any(getattr(d, "id", None) == "staticmethod" for d in function.decorator_list)


def _refuse_name_in_use(session, resource, tree, node, new, what, scope):
    """The new name must be free where it is going to stand and where it is going to be used."""
    function = function_of(tree, node)
    home = scope_of(tree, node) if what == "variable" and scope != "module" else tree
    owner = scope_of(tree, function) if function is not None and not isinstance(function, ast.Lambda) else tree
    is_method = what != "variable" and scope != "module" and isinstance(owner, ast.ClassDef)
    if is_method:
        taken = any(getattr(n, "name", None) == new for n in owner.body) or \
            any(isinstance(n, ast.Attribute) and n.attr == new for n in ast.walk(owner)) or \
            any(isinstance(n, ast.Name) and n.id == new and isinstance(n.ctx, ast.Store) for s in owner.body for n in ast.walk(s)
                if isinstance(s, (ast.Assign, ast.AnnAssign)))
        owner_line = project_classes(session, new, resource.real_path, owner.name, owner.lineno)
        if any(True for each in owner_line for _ in each.members(new)):
            raise Refused(f'a class above or below {owner.name} has a member "{new}"', "conflict")
    else:
        if what == "variable" and function is not None and scope != "module":
            home = function
        taken = any(isinstance(n, ast.Name) and n.id == new or getattr(n, "name", None) == new or getattr(n, "asname", None) == new or
                    isinstance(n, ast.arg) and n.arg == new for n in ast.walk(home) if n is not home)
    if taken:
        raise Refused(f'"{new}" is in use in this file already', "conflict")


def _variable_hazards(tree, node, path):
    parents = parents_of(tree)
    found, each = [], node
    hungry = any(isinstance(n, (ast.Attribute, ast.Subscript, ast.Call, ast.Await)) or isinstance(n, ast.BinOp) and isinstance(n.op, (ast.Div, ast.Mod, ast.FloorDiv))
                 for n in ast.walk(node))
    while each in parents and not isinstance(each, ast.stmt):
        parent = parents[each]
        if isinstance(parent, ast.While) and each is parent.test:
            found.append("it is part of the condition of a loop, and would be computed only once")
        if isinstance(parent, ast.Lambda) and each is parent.body and hungry:
            found.append("it is part of a lambda, and would be computed before the lambda is called")
        if hungry and (isinstance(parent, ast.Compare) and each in parent.comparators[1:] or isinstance(parent, ast.BoolOp) and each is not parent.values[0] or isinstance(parent, ast.IfExp) and each is not parent.test):
            found.append("it is computed only under a condition, and would be computed always")
        if isinstance(parent, COMPREHENSIONS) and each is not parent.generators[0] or isinstance(parent, ast.comprehension) and each is not parent.iter:
            own = {n.id for g in getattr(parent, "generators", [parent]) for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            if own & {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
                raise Refused("it reads a variable of the comprehension it stands in")
            if hungry:
                found.append("it is part of a comprehension, and would be computed only once")
        if type(parent).__name__ == "match_case" and each is parent.guard:
            own = set(stored([parent.pattern])) & {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            if own:
                raise Refused(f'it reads "{sorted(own)[0]}", which the pattern before it assigns')
            if hungry:
                found.append("it is computed only when the pattern fits, and would be computed always")
        if isinstance(parent, ast.Assert) and each is parent.msg and hungry:
            found.append("it is computed only when the assertion fails, and would be computed always")
        if isinstance(parent, ast.Lambda) and {a.arg for a in ast.walk(parent.args) if isinstance(a, ast.arg)} & {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
            raise Refused("it reads a parameter of the lambda it stands in")
        each = parent
    calls = (ast.Call, ast.Await)
    inside = {id(n) for n in ast.walk(node)}
    reads = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    if isinstance(each, ast.stmt):
        heads = [n for n in ast.walk(each) if isinstance(n, ast.NamedExpr) and id(n) not in inside and (n.lineno, n.col_offset) < (node.lineno, node.col_offset)]
        bound = {n.target.id for n in heads if isinstance(n.target, ast.Name)}
        if isinstance(each, (ast.With, ast.AsyncWith)):
            own = next((i for i, item in enumerate(each.items) if any(node is n for n in ast.walk(item))), 0)
            bound |= {n.id for item in each.items[:own] if item.optional_vars for n in ast.walk(item.optional_vars) if isinstance(n, ast.Name)}
            if own and hungry:
                found.append("it is computed after something that `with` does before")
        if bound & reads:
            raise Refused(f'it reads "{sorted(bound & reads)[0]}", which the same statement assigns')
        is_target = isinstance(each, ast.Assign) and any(node is n for t in each.targets for n in ast.walk(t))
        if is_target and hungry and any(isinstance(n, calls) for n in ast.walk(each.value)):
            found.append("it is computed after the value that is assigned, which comes from a call")
    if any(isinstance(n, calls) for n in ast.walk(node)) and isinstance(each, (ast.Expr, ast.Assign, ast.Return, ast.AugAssign)):
        if any(isinstance(n, calls) and id(n) not in inside and (n.end_lineno, n.end_col_offset) <= (node.lineno, node.col_offset) for n in ast.walk(each)):
            found.append("it comes from a call, and would be computed before another call that comes first now")
    return [{"kind": "meaning", "message": message, "file": path, "line": node.lineno} for message in dict.fromkeys(found)]


def _occurs_again(tree, node):
    home = function_of(tree, node) or tree
    return sum(1 for n in ast.walk(home) if type(n) is type(node) and ast.dump(n) == ast.dump(node)) > 1


def _reassigned(op, new, value, path):
    """Whether what the value reads is assigned again between the definition and a use of the new variable."""
    tree = _parsed(op["content"])
    if tree is None:
        return []
    definition = next((n for n in ast.walk(tree) if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == new for t in n.targets)), None)
    if definition is None:
        return []
    scope = function_of(tree, definition) or tree
    again = next((n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == new and not isinstance(n.ctx, ast.Load) and n not in definition.targets), None)
    if again is not None:
        return [{"kind": "meaning", "file": path, "line": value.lineno, "message": "what the value is made of changes between its occurrences"}]
    uses = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == new and isinstance(n.ctx, ast.Load)]
    if len(uses) < 2:
        return []
    reads = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
    members = {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute)}
    last = max(n.lineno for n in uses)
    for each in ast.walk(scope):
        line = getattr(each, "lineno", 0)
        stored = isinstance(getattr(each, "ctx", None), (ast.Store, ast.Del))
        is_changed = isinstance(each, ast.Name) and each.id in reads or isinstance(each, ast.Attribute) and each.attr in members or \
            isinstance(each, ast.Subscript) and any(isinstance(n, (ast.Subscript, ast.Call)) for n in ast.walk(value)) and \
            reads & {n.id for n in ast.walk(each.value) if isinstance(n, ast.Name)}
        is_changed = stored and is_changed or isinstance(each, ast.Call) and getattr(each.func, "attr", None) in CHANGING and \
            bool(reads & {n.id for n in ast.walk(each.func.value) if isinstance(n, ast.Name)})
        if is_changed and each not in definition.targets and definition.lineno < line <= last:
            return [{"kind": "meaning", "file": path, "line": line, "message": "what the value is made of changes between its occurrences"}]
    return []


# What these do to the object they are called on is no secret.
CHANGING = {"append", "appendleft", "extend", "insert", "pop", "popleft", "popitem", "remove", "discard", "clear", "add", "update", "setdefault", "sort", "reverse",
            "read", "readline", "readlines", "write", "send", "close", "put", "get_nowait", "__next__"}


def _acting(tree, value, path):
    """A value whose computation changes something cannot stand for several."""
    called = [n for n in ast.walk(value) if isinstance(n, ast.Call) and (getattr(n.func, "attr", None) in CHANGING or getattr(n.func, "id", None) in ("next", "input"))]
    scope = function_of(tree, value) or tree
    if called and sum(1 for n in ast.walk(scope) if isinstance(n, type(value)) and ast.dump(n) == ast.dump(value)) > 1:
        return [{"kind": "meaning", "file": path, "line": value.lineno, "message": "each computation of it does something, and there would be one only"}]
    return []


def _parsed(text):
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def _like(tree, selected):
    """What else has the form of the selection, whatever its names."""
    def forms(nodes):
        return [re.sub(r"(id|arg)='\w+'", r"\1", ast.dump(n)) for n in nodes]
    wanted = forms(selected)
    if isinstance(selected[0], ast.expr):
        return [[n] for n in ast.walk(tree) if isinstance(n, type(selected[0])) and n is not selected[0] and forms([n]) == wanted]
    blocks = [getattr(n, field) for n in ast.walk(tree) for field in ("body", "orelse", "finalbody") if isinstance(getattr(n, field, None), list)]
    found = [block[at:at + len(wanted)] for block in blocks for at in range(len(block)) if forms(block[at:at + len(wanted)]) == wanted]
    return [each for each in found if each[0] is not selected[0]]


def _is_used_elsewhere(session, resource, name):
    """Whether another module of the project takes a variable of this one."""
    exports = Exports(session.root, {})
    for other, _text, tree in session.trees(name):
        if other != resource and any(
                isinstance(n, ast.ImportFrom) and any(a.name in (name, "*") for a in n.names) and exports.source_of(other.real_path, n) == resource.real_path or
                isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(tree)):
            return True
    return False
