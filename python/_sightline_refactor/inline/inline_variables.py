"""Inlining variables, and attributes that are constants."""

import re

from rope.contrib import findit
from rope.refactor import inline as rope_inline

from ..answers import Conflict, InlineAnswer, Write
from ..requests import InlineRequest
from .. import refusals
from ..project import trees as ast
from ..project import names
from ..analysis.effects import ACTS, Effects, aliases, changed_object, depends_on_contents
from .inline_expression import EFFECTS, NEW_OBJECTS
from .f_strings import for_f_string
from ..analysis.flow import COMPREHENSIONS, bound
from ..project.layout import further, is_complete, outdented
from ..project.source import own_nodes
from ..analysis.reaching_definitions import Reached
from ..session import Refused
from ..project.source import (
    ATOMS,
    around,
    assigned,
    block_of,
    byte_column,
    chars,
    edited,
    fits,
    function_of,
    in_loop,
    indent_of,
    is_next,
    line_start,
    name_place,
    parents_of,
    scope_of,
    span,
)

# What stands inside these may not be computed at all, or much later.
CONDITIONAL_BODIES = (
    ast.If,
    ast.IfExp,
    ast.While,
    ast.For,
    ast.AsyncFor,
    ast.Lambda,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ExceptHandler,
)

# A comment that says something to a tool about the line it stands on.
ABOUT_CODE = re.compile(
    r"#\s*(noqa|nosec|type:|pylint:|pragma|pyright:|ty:|mypy:|flake8|ruff|fmt:|yapf:|isort:|noinspection)",
    re.IGNORECASE,
)


class Variable:
    """A variable that is assigned once, by one assignment of its own, in the file that was pointed at."""

    def __init__(self, session, resource, node, name, binding):
        self.session, self.resource, self.node, self.name = session, resource, node, name
        self.text, self.tree = resource.read(), session.parse(resource)
        self.module = module = names.module_of(self.text)
        tree = self.tree
        self.parents = parents_of(tree)
        bound = {(u.line, u.column) for u in module.uses if u.name == name and u.binding == binding}
        mine = [
            n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name and (n.lineno, n.col_offset) in bound
        ]
        self.uses = [n for n in mine if isinstance(n.ctx, ast.Load)]
        self.stores = [n for n in mine if not isinstance(n.ctx, ast.Load)]
        self.binding = binding

    @classmethod
    def at(cls, session, resource, args: InlineRequest):
        """The variable at the place, when it is assigned in this file; otherwise nothing."""
        text, tree, name = resource.read(), session.parse(resource), args.name
        module = names.module_of(text)
        line = text.split("\n")[args.line - 1]
        column = byte_column(line, args.column)
        at = [
            u
            for u in module.uses
            if u.name == name and u.line == args.line and u.column <= column <= u.column + len(name.encode())
        ]
        if not at:
            return None
        binding = at[0].binding
        bound = {(u.line, u.column) for u in module.uses if u.name == name and u.binding == binding}
        nodes = [
            n
            for n in ast.walk(tree)
            if isinstance(n, (ast.Assign, ast.AnnAssign))
            and name in assigned(n)
            and any(
                (t.lineno, t.col_offset) in bound
                for t in (n.targets if isinstance(n, ast.Assign) else [n.target])
                if isinstance(t, ast.Name) and t.id == name
            )
        ]
        if not nodes:
            return None
        if nodes[0].value is None:
            raise Refused(refusals.HAS_NO_VALUE_OWN, name=name)
        return cls(session, resource, nodes[0], name, binding)

    def inlined(self, args: InlineRequest):
        self._refuse_assignment(args)
        node, name, elsewhere = self.node, self.name, self._elsewhere()
        if elsewhere and args.all:
            return self._everywhere(args)
        if not self.uses:
            raise Refused(refusals.NEVER_USED, name=name)
        chosen = self.uses
        if not args.all and len(self.uses) + len(elsewhere) > 1:
            chosen = [
                n for n in self.uses if n.lineno == args.line and n.col_offset <= args.column - 1 <= n.end_col_offset
            ]
            if not chosen:
                raise Refused(refusals.POINT_AT_USE)
        self._refuse_bindings(chosen)
        edits = self._replacements(chosen)
        if len(chosen) == len(self.uses) and not elsewhere:
            edits.append(self._removal())
        content = edited(self.text, edits)
        if node is self.tree.body[0] and not self.text.startswith("\n"):
            content = content.lstrip("\n")
        operation = Write(self.resource.real_path, content)
        return InlineAnswer([operation], f"inline variable {name}", conflicts=self._hazards(chosen))

    def _refuse_assignment(self, args: InlineRequest):
        """There must be one assignment whose value can be told; `_choose` finds it among several."""
        node, name = self.node, self.name
        is_alone = not isinstance(node, ast.Assign) or len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        if not is_alone and len(self.stores) == 1:
            raise Refused(refusals.ASSIGNED_WITH_OTHERS)
        if self._is_bound_otherwise():
            raise Refused(refusals.ASSIGNED_MORE_THAN_ONCE, name=name)
        if len(self.stores) != 1:
            self._choose(args)
            node = self.node
        home = function_of(self.tree, node)
        if any(
            function_of(self.tree, use) is home and (use.lineno, use.col_offset) < (node.lineno, node.col_offset)
            for use in self.uses
        ):
            raise Refused(refusals.USED_BEFORE_ASSIGNED, name=name)
        if isinstance(scope_of(self.tree, node), ast.ClassDef):
            raise Refused(refusals.ATTRIBUTE_OF_CLASS)
        for quoted in self._annotations() if self.binding == "" else ():
            text = getattr(quoted, "value", None)
            if isinstance(text, str) and re.search(rf"\b{re.escape(name)}\b", text):
                raise Refused(refusals.NAMED_BY_ANNOTATION, name=name, line=quoted.lineno)

    def _replacements(self, chosen):
        value = self.node.value
        source = outdented(self.text, *span(self.text, value))
        if not is_complete(source):
            source = f"({source})"
        edits = []
        for use in chosen:
            begin, finish = span(self.text, use)
            if self.text[begin:finish] != self.name:
                raise Refused(refusals.USED_IN_F_STRING)
            new = source if fits(value, self.parents.get(use), use) else f"({source})"
            if self._in_f_string(use):
                new = for_f_string(self.text, begin, source)
                if new is None:
                    raise Refused(refusals.VALUE_IN_F_STRING)
            edits.append((begin, finish, further(new, indent_of(self.text, use.lineno))))
        return edits

    def _choose(self, args: InlineRequest):
        """Of a variable that is assigned several times, the assignment that was pointed at, or whose value is read
        there.
        """

        def is_pointed_at(each):
            return each.lineno == args.line and each.col_offset <= args.column - 1 <= each.end_col_offset

        for store in self.stores:
            node = self.parents.get(store)
            is_plain = (
                isinstance(node, ast.Assign)
                and node.targets == [store]
                or isinstance(node, ast.AnnAssign)
                and node.value is not None
            )
            reached = (
                Reached(self.tree, node, store, self.uses, [each for each in self.stores if each is not store])
                if is_plain
                else None
            )
            if reached is not None and reached.uses and any(is_pointed_at(each) for each in [store, *reached.uses]):
                self.node, self.uses, self.stores = node, reached.uses, [store]
                return
        raise Refused(refusals.ASSIGNED_MORE_THAN_ONCE, name=self.name)

    def _annotations(self):
        return [
            x
            for n in ast.walk(self.tree)
            for each in (getattr(n, "annotation", None), getattr(n, "returns", None))
            if each is not None
            for x in ast.walk(each)
        ]

    def _is_bound_otherwise(self):
        """Whether it is a parameter too, or a name that something else than an assignment gives a value."""
        scope = scope_of(self.tree, self.node)
        args = (
            [a.arg for a in ast.walk(scope.args) if isinstance(a, ast.arg)]
            if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef))
            else []
        )
        own = [n for n in own_nodes(scope.body) if not isinstance(n, (ast.Name, ast.Attribute))]
        named = (
            [getattr(n, "name", None) for n in own]
            + [getattr(n, "rest", None) for n in own]
            + [
                (a.asname or a.name).split(".")[0]
                for n in own
                if isinstance(n, (ast.Import, ast.ImportFrom))
                for a in n.names
            ]
        )
        return self.name in args or self.name in named

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
        return [
            o
            for o in findit.find_occurrences(self.session.project, self.resource, offset, unsure=False)
            if o.resource != self.resource
        ]

    def _everywhere(self, args: InlineRequest):
        """Uses in other modules are rope's matter; it writes the value there as it stands."""
        if not _is_plain(self.node.value):
            raise Refused(refusals.USED_IN_OTHER_FILES, name=self.name)
        tool = rope_inline.create_inline(self.session.project, self.resource, span(self.text, self.stores[0])[0])
        operations = _everywhere(self.session, tool, True, False)
        return InlineAnswer(operations, f"inline variable {self.name}", conflicts=self._hazards(self.uses))

    def _refuse_bindings(self, chosen):
        reads = {n.id for n in ast.walk(self.node.value) if isinstance(n, ast.Name)}
        own = {
            u.name: u.binding
            for u in self.module.uses
            if self.node.lineno <= u.line <= self.node.end_lineno and u.name in reads
        }
        for use in chosen:
            scope = function_of(self.tree, use)
            inner = {
                (n.lineno, n.col_offset)
                for n in ast.walk(scope if scope is not None else self.tree)
                if isinstance(n, (ast.Name, ast.arg))
            }
            for read in reads:
                there = next(
                    (u.binding for u in self.module.uses if u.name == read and (u.line, u.column) in inner), None
                )
                if there not in (None, own.get(read)):
                    raise Refused(refusals.MEANS_OTHER_AT_USE, name=read, other=self.name, line=use.lineno)

    def _removal(self):
        node, lines = self.node, self.text.split("\n")
        head = lines[node.lineno - 1][: chars(lines[node.lineno - 1], node.col_offset)]
        tail = lines[node.end_lineno - 1][chars(lines[node.end_lineno - 1], node.end_col_offset) :]
        begin, finish = line_start(self.text, node.lineno), span(self.text, node)[1]
        if head.strip() or tail.strip().startswith(";"):
            # One of several statements on a line: it goes with the semicolon that parts it from its neighbour.
            begin = span(self.text, node)[0]
            if tail.strip().startswith(";"):
                return (
                    begin,
                    finish
                    + tail.index(";")
                    + 1
                    + len(tail[tail.index(";") + 1 :])
                    - len(tail[tail.index(";") + 1 :].lstrip()),
                    "",
                )
            if head.rstrip().endswith(";") and not tail.strip():
                return (begin - (len(head) - len(head.rstrip())) - 1, finish, "")
            raise Refused(refusals.SHARES_ITS_LINE)
        if tail.strip() and not tail.strip().startswith("#"):
            raise Refused(refusals.SHARES_ITS_LINE)
        if len(block_of(self.tree, node)) == 1 and block_of(self.tree, node) is not self.tree.body:
            raise Refused(refusals.ONLY_STATEMENT_OF_BLOCK)
        end = line_start(self.text, node.end_lineno) + len(lines[node.end_lineno - 1])
        if tail.strip() and not ABOUT_CODE.match(tail.strip()):
            return (begin, end, head + tail.strip())
        return (begin, min(end + 1, len(self.text)), "")

    def _hazards(self, uses):
        node, value = self.node, self.node.value
        scope = scope_of(self.tree, node)
        found = []
        effects = any(isinstance(n, EFFECTS) for n in ast.walk(value))
        if effects and len(uses) > 1:
            found.append(refusals.EVALUATED_MORE_OFTEN.words())
        elif effects and uses and not is_next(scope, node, uses[0]):
            found.append(refusals.EVALUATED_AT_OTHER_TIME.words())
        if len(uses) > 1 and (
            isinstance(value, NEW_OBJECTS)
            or isinstance(value, ast.Lambda)
            and not all(self._is_only_called(use) for use in uses)
        ):
            found.append(refusals.OBJECT_PER_USE.words())
        is_late = any(function_of(self.tree, u) is not function_of(self.tree, node) for u in uses) or any(
            in_loop(scope, u, node) for u in uses
        )
        if is_late and isinstance(value, NEW_OBJECTS):
            found.append(refusals.OBJECT_MADE_ANEW.words())
        if uses and _may_divide_by_zero(value) and all(self._is_conditional(use) for use in uses):
            found.append(refusals.FAILS_LATER.words())
        found += self._changes(scope, uses, is_late) + [
            f"{message} (line {use.lineno})" for use in uses for message in self._handled(use)
        ]
        return [Conflict("meaning", message, self.resource.real_path, node.lineno) for message in dict.fromkeys(found)]

    def _changes(self, scope, uses, is_late):
        """What happens between the assignment and the last use to what the value reads."""
        value, effects, found = self.node.value, Effects(self.tree), []
        reads = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
        members = {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute)}
        items = any(isinstance(n, ast.Subscript) for n in ast.walk(value))
        alike = aliases(scope, reads)
        is_fixed = reads <= effects.modules | names.BUILTINS
        for each in self._between(scope, uses, is_late):
            stored = isinstance(getattr(each, "ctx", None), (ast.Store, ast.Del))
            acts = isinstance(each, ACTS) and each in effects.acts(each)
            for name in sorted(reads & set(bound(each))):
                found.append(refusals.ASSIGNED_BETWEEN.words(name=name, line=each.lineno))
            if stored and isinstance(each, ast.Attribute) and each.attr in members:
                found.append(refusals.MEMBER_ASSIGNED_BETWEEN.words(name=each.attr, line=each.lineno))
            if stored and isinstance(each, ast.Subscript) and items:
                found.append(refusals.ITEM_ASSIGNED_BETWEEN.words(line=each.lineno))
            if (
                acts
                and isinstance(each, ast.Call)
                and isinstance(each.func, ast.Attribute)
                and getattr(each.func.value, "id", None) in reads
                and not isinstance(value, ast.Name)
            ):
                found.append(
                    refusals.CALLED_BETWEEN.words(object=each.func.value.id, method=each.func.attr, line=each.lineno)
                )
            elif depends_on_contents(value) and changed_object(each) in alike:
                found.append(refusals.SAME_OBJECT_CHANGED.words(name=changed_object(each), line=each.lineno))
            # What a call in between does to the object is not known.
            elif (
                acts
                and not is_fixed
                and (
                    members
                    or items
                    or reads & effects.shared
                    or effects.may_change(each, value)
                    or isinstance(each, (ast.Yield, ast.YieldFrom))
                    and not self._own_names() >= reads
                )
            ):
                found.append(refusals.CALL_BETWEEN_MAY_CHANGE.words(line=each.lineno))
        return found

    def _is_only_called(self, use):
        """Whether nobody can tell the function from another one that does the same: it is called, or a function of the
        language calls it.
        """
        parent = self.parents.get(use)
        if isinstance(parent, ast.keyword):
            return parent.arg == "key"
        return isinstance(parent, ast.Call) and (
            use is parent.func or getattr(parent.func, "id", None) in ("map", "filter", "reduce")
        )

    def _is_conditional(self, use):
        """Whether the place may not be reached although the assignment is."""
        home, child = function_of(self.tree, self.node), use
        places = [
            (n.lineno, n.col_offset)
            for n in own_nodes((home or self.tree).body)
            if isinstance(n, (ast.Return, ast.Raise, ast.Break, ast.Continue))
        ]
        if any(
            (self.node.end_lineno, self.node.end_col_offset) <= place < (use.lineno, use.col_offset)
            for place in places
            if place[0] < use.lineno
        ):
            return True
        for parent in around(self.parents, use):
            if any(self.node is n for n in ast.walk(parent)):
                return False
            if (
                type(parent).__name__ == "match_case"
                or isinstance(parent, CONDITIONAL_BODIES)
                and child not in (getattr(parent, "test", getattr(parent, "iter", None)), getattr(parent, "args", None))
            ):
                return True
            if (
                isinstance(parent, ast.BoolOp)
                and child is not parent.values[0]
                or isinstance(parent, ast.Compare)
                and child in parent.comparators[1:]
                or isinstance(parent, COMPREHENSIONS)
                and child is not parent.generators[0]
                or isinstance(parent, ast.comprehension)
                and child is not parent.iter
            ):
                return True
            child = parent
        return False

    def _own_names(self):
        """The variables of the function around, which nobody else assigns, and what the language defines."""
        function = function_of(self.tree, self.node)
        own = {u.name for u in self.module.uses if u.binding == "builtin"}
        return (
            own
            if function is None
            else own
            | {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
            | {name for n in own_nodes(function.body) for name in bound(n)}
        )

    def _between(self, scope, uses, is_late):
        node = self.node
        end, last = (
            (node.end_lineno, node.end_col_offset),
            max(uses, key=lambda u: (u.lineno, u.col_offset), default=node),
        )
        mine = set(ast.walk(node))
        if not is_late and uses:
            # What the last use is part of happens after it.
            whole = list(around(self.parents, last))
            statement = next(n for n in whole if isinstance(n, ast.stmt))
            mine |= {n for n in whole if isinstance(n, ast.expr)}
            if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and any(
                last is n for n in ast.walk(statement.value)
            ):
                mine |= {
                    n
                    for target in getattr(statement, "targets", [getattr(statement, "target", None)])
                    for n in ast.walk(target)
                }
            elif isinstance(statement, ast.Assign):
                # The value comes before what it is assigned to.
                last = statement.value
        until = (last.lineno, last.col_offset) if last in uses else (last.end_lineno, last.end_col_offset)
        loops = (
            [n for n in around(self.parents, node) if isinstance(n, (ast.For, ast.AsyncFor, ast.While))]
            if is_late
            else []
        )
        repeated = set(ast.walk(loops[-1])) if loops else set()
        for each in ast.walk(scope):
            place = (getattr(each, "lineno", 0), getattr(each, "col_offset", 0))
            if (
                each is not scope
                and each not in mine
                and (each in repeated or place >= end and (is_late or place < until))
            ):
                yield each

    def _handled(self, use):
        """Errors of the value that would be handled where it is used."""
        value = self.node.value
        errors = (
            {"KeyError", "IndexError", "LookupError", "Exception", "BaseException"}
            if any(isinstance(n, ast.Subscript) for n in ast.walk(value))
            else set()
        )
        if any(isinstance(n, (ast.Div, ast.FloorDiv, ast.Mod)) for n in ast.walk(value)):
            errors |= {"ZeroDivisionError", "ArithmeticError", "Exception", "BaseException"}
        if any(isinstance(n, ast.Attribute) for n in ast.walk(value)):
            errors.add("AttributeError")
        child = use
        for parent in around(self.parents, use):
            if any(self.node is n for n in ast.walk(parent)):
                return
            handlers = (
                parent.handlers
                if (isinstance(parent, ast.Try) or type(parent).__name__ == "TryStar") and child in parent.body
                else []
            )
            shown = [ast.unparse(h.type) if h.type is not None else "BaseException" for h in handlers]
            shown += [
                ast.unparse(i)
                for i in getattr(parent, "items", ())
                if isinstance(parent, (ast.With, ast.AsyncWith))
                and re.search(r"suppress|raises|Raises", ast.unparse(i))
            ]
            if errors & {word for each in shown for word in re.findall(r"\w+", each)}:
                yield refusals.ERROR_HANDLED_AT_USE.words()
            child = parent


def _may_divide_by_zero(value):
    return any(
        isinstance(n, ast.BinOp)
        and isinstance(n.op, (ast.Div, ast.FloorDiv, ast.Mod))
        and not isinstance(n.right, ast.Constant)
        and not isinstance(getattr(n.left, "value", None), (str, bytes))
        for n in ast.walk(value)
    )


def _is_plain(value):
    return not any(isinstance(n, EFFECTS + NEW_OBJECTS + (ast.Lambda, ast.Starred)) for n in ast.walk(value))


def _everywhere(session, tool, remove, only_current):
    """rope's changes, with a value that is put into other expressions held together by parentheses."""
    definition = rope_inline._getvardef

    def held(source):
        return (
            source
            if isinstance(ast.parse(f"({source}\n)", mode="eval").body, ATOMS) or source.startswith("(")
            else f"({source})"
        )

    tool.imported = held(tool.imported.strip())
    rope_inline._getvardef = lambda pymodule, pyname: held(definition(pymodule, pyname))
    try:
        return session.operations(tool.get_changes(remove=remove, only_current=only_current))
    finally:
        rope_inline._getvardef = definition


def inline_from_elsewhere(session, tool, args: InlineRequest):
    """The variable is assigned in another file: what was pointed at is one of its uses."""
    home = tool.resource
    tree = session.parse(home)
    node = next((n for n in tree.body if isinstance(n, (ast.Assign, ast.AnnAssign)) and args.name in assigned(n)), None)
    if node is None or node.value is None:
        raise Refused(refusals.ASSIGNMENT_NOT_FOUND, name=args.name)
    if not _is_plain(node.value):
        raise Refused(refusals.NO_PLAIN_VALUE, name=args.name, path=home.path)
    return InlineAnswer(_everywhere(session, tool, args.all, not args.all), f"inline variable {args.name}")


def is_attribute(session, tool, resource, args: InlineRequest):
    """Whether an attribute of an object was pointed at, not a variable of a module."""
    if any(args.name in assigned(n) for n in session.parse(tool.resource).body):
        return False
    lines = resource.read().split("\n")
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == args.name
        and name_place(lines, node, node.attr) == (args.line, args.column)
        for node in ast.walk(session.parse(resource))
    )


def inline_attribute(session, tool, args: InlineRequest):
    """An attribute that is assigned once, a plain constant, and of which afterwards nothing is left anywhere."""
    name, tree = args.name, session.parse(tool.resource)
    nodes = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Assign)
        and len(n.targets) == 1
        and isinstance(n.targets[0], ast.Attribute)
        and n.targets[0].attr == name
    ]
    if not args.all or len(nodes) != 1 or not isinstance(nodes[0].value, ast.Constant):
        raise Refused(refusals.ATTRIBUTE_NOT_CONSTANT)
    operations = session.operations(tool.get_changes(remove=True, only_current=False))
    after = {op.path: op.content for op in operations}
    for path, text, _tree in session.parsed(name):
        if name in after.get(path, text) and any(
            isinstance(n, ast.Attribute) and n.attr == name or isinstance(n, ast.Constant) and n.value == name
            for n in ast.walk(ast.parse(after.get(path, text)))
        ):
            raise Refused(refusals.USED_ON_UNKNOWN_TYPE, name=name, path=session.relative(path))
    return InlineAnswer(operations, f"inline attribute {name}")
