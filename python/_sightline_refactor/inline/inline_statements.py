"""Inlining a function of several statements: its body takes the place of the statement that calls it."""

import keyword
import re
from dataclasses import replace

from .. import refusals
from ..project import trees as ast
from ..analysis import flow
from ..analysis.effects import changed_object
from .inline_expression import EFFECTS, Called, Inlined
from .f_strings import for_f_string
from ..project.layout import further, inside_strings, is_complete, nearer
from ..project.names import module_of
from ..project.source import own_nodes
from ..session import Refused
from ..project.source import (
    ATOMS,
    around,
    block_of,
    edited,
    fits,
    function_of,
    indent_of,
    line_start,
    parents_of,
    scope_of,
    span,
)
from ..analysis.return_paths import guard_in, last_branch, last_returns

# What may compute a part of it more than once, or later.
REPEATING = (
    ast.For,
    ast.While,
    ast.Lambda,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
STATEMENTS = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)


class InlinedBody(Inlined):
    """One function, and the calls of it in one file."""

    def __init__(self, called: Called, text, tree):
        super().__init__(replace(called, value="None"), text, tree)
        function = self.function
        self.globals = {name for n in function.body if isinstance(n, ast.Global) for name in n.names}
        self.body = [
            n
            for n in function.body
            if not (
                isinstance(n, (ast.Pass, ast.Global)) or isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
            )
        ]
        # What goes before the statements of calls that come first, and what functions around the calls declare.
        self.earlier, self.declared = {}, {}
        # What stands in the place of calls whose value is given to another one.
        self.values = {}
        inside = [n for each in self.body for n in ast.walk(each)]
        self.within = {child: parent for each in self.body for child, parent in parents_of(each).items()}
        self.uses = {name: [n for n in inside if isinstance(n, ast.Name) and n.id == name] for name in self.parameters}
        # Parameters that it assigns are variables of their own.
        self.assigned = set(flow.stored(self.body)) & set(self.parameters)
        self.own = (
            {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            | {
                n.name
                for n in inside
                if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
                or isinstance(n, ast.ExceptHandler)
                and n.name
            }
            | {
                (a.asname or a.name).split(".")[0]
                for n in inside
                if isinstance(n, (ast.Import, ast.ImportFrom))
                for a in n.names
            }
        )
        self.inner = {n.arg for n in inside if isinstance(n, ast.arg)}
        self.own -= self.assigned | self.globals
        self.returns = [n for n in own_nodes(self.body) if isinstance(n, ast.Return)]
        # What functions inside read when they are called, which may be later.
        self.late = {
            n.id
            for each in inside
            if isinstance(each, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef))
            or isinstance(each, ast.GeneratorExp)
            and self._is_late(each.elt)
            for n in ast.walk(each)
            if isinstance(n, ast.Name)
        }
        self.free = {n.id for n in inside if isinstance(n, ast.Name)} - set(
            self.parameters
        ) - self.own - self.inner | self.defaults
        self.value = ast.Module(body=self.body, type_ignores=[])

    def edits(self, call):
        """What is done to the text of the file for one call."""
        where, parent = f"line {call.lineno}", self.parents.get(call)
        is_whole = (
            isinstance(parent, STATEMENTS)
            and not isinstance(parent, ast.AugAssign)
            and call is getattr(parent, "value", None)
        )
        statement = parent if is_whole else self._statement(call)
        begin, finish = span(self.text, statement)
        start = line_start(self.text, statement.lineno)
        indent, rest = self.text[start:begin], self.text[finish:].split("\n")[0]
        self.indent, self.call = indent_of(self.text, statement.lineno), call
        arguments = self._bound(call)
        self.prefix = (
            self._segment(call.func.value) if self.owner is None and isinstance(call.func, ast.Attribute) else ""
        )
        self._refuse_names(call, arguments)
        header, replaced = self._arguments(call, arguments, indent)
        if len(self.body) == 1 and isinstance(self.body[0], ast.Expr) and isinstance(parent, ast.Expr) and not header:
            return [(begin, finish, self._text(self.body[0].value, replaced))]
        if indent.strip() or rest.strip() and not rest.strip().startswith("#"):
            raise Refused(refusals.OTHER_CODE_AT_CALL, where=where)
        self._refuse_kept(call)
        last = self.body[-1] if self.body and isinstance(self.body[-1], ast.Return) else None
        if self.returns not in ([], [last]):
            body = [*header, *self._ways_out(call, statement, replaced, is_whole, rest)]
            return [(start, finish + len(rest), "\n".join(body))]
        done = [n for n in self.body if n is not last]
        lines = (
            header
            + self._comments(self.body[:1], indent)
            + self._lines(done, self._edits(self.body, replaced), indent)
            + self._comments([last] if done and last else [], indent)
        )
        value = self._text(last.value, replaced) if last is not None and last.value is not None else "None"
        node = last.value if last is not None and last.value is not None else ast.Constant(None)
        if not is_whole:
            self._refuse_late(call, statement, bool(lines))
            held = value if fits(node, parent, call) else f"({value})"
            self._remember(statement, call, node, replaced, header)
            self.values[call] = held
            return [
                (*span(self.text, call), held),
                *([(start, start, "".join(f"{line}\n" for line in lines))] if lines else []),
            ]
        if not isinstance(parent, ast.Expr):
            lines.append(indent + self._with_value(call, parent, node, value) + rest)
        elif any(isinstance(n, EFFECTS) for n in ast.walk(node)):
            lines.append(f"{indent}{value}{rest}")
        elif lines:
            lines[-1] += rest if "#" not in lines[-1] else ""
        elif not rest and self._is_beside_others(statement):
            # Nothing is left of it, and something else stands there.
            return [(start, min(finish + 1, len(self.text)), "")]
        else:
            lines.append(f"{indent}pass{rest}")
        return [(start, finish + len(rest), "\n".join(lines))]

    def _is_beside_others(self, statement):
        """Whether its block has a statement that stays."""
        return any(
            n is not statement and not (isinstance(n, ast.Expr) and n.value in self.calls)
            for n in block_of(self.tree, statement)
        )

    def _comments(self, nodes, indent):
        """The comments above a statement of the function."""
        lines, found = self.home.split("\n"), []
        for node in nodes:
            above = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])]) - 2
            while not lines[above].strip() or lines[above].lstrip().startswith("#"):
                found[:0] = [indent + lines[above].strip()] if lines[above].strip() else []
                above -= 1
        return found

    def _refuse_kept(self, call):
        """A function inside keeps the variables of each call apart; in the function around there is one of each."""
        kept = self.late & (set(flow.stored(self.body)) | set(self.parameters))
        scope = function_of(self.tree, call)
        is_repeated = any(
            isinstance(n, (ast.For, ast.AsyncFor, ast.While, *flow.COMPREHENSIONS)) for n in around(self.parents, call)
        )
        if kept and (is_repeated or sum(1 for each in self.calls if function_of(self.tree, each) is scope) > 1):
            raise Refused(refusals.KEPT_BY_INNER_FUNCTION, name=sorted(kept)[0])

    def _with_value(self, call, parent, node, value):
        """The statement around a call with a value in its place."""
        begin, finish = span(self.text, parent)
        held = value if fits(node, parent, call) or isinstance(node, ATOMS + (ast.Tuple,)) else f"({value})"
        return edited(
            self.text[begin:finish], [(span(self.text, call)[0] - begin, span(self.text, call)[1] - begin, held)]
        )

    def _ways_out(self, call, statement, replaced, is_whole, rest):
        """The body of a function that returns in several places: as it is where its value is returned at once,
        otherwise each return, which must be the last thing done on its way, becomes what the statement does with the
        value.
        """
        edits, indent = self._edits(self.body, replaced), self.indent
        if is_whole and isinstance(statement, ast.Return):
            lines = self._lines(self.body, edits, indent)
            return lines + ([f"{indent}return None"] if flow.surely_assigned(self.body) is not None else [])
        last = last_returns(self.body)
        may_catch = any(isinstance(n, ast.Try) or type(n).__name__ == "TryStar" for n in own_nodes(self.body))
        if any(
            isinstance(n, ast.withitem)
            and any(word in ast.unparse(n).lower() for word in ("suppress", "raises", "ignore"))
            for n in own_nodes(self.body)
        ):
            raise Refused(refusals.RETURNS_INSIDE_WITH)
        if (
            may_catch
            and isinstance(statement, ast.Assign)
            and not all(isinstance(n, ast.Name) for n in statement.targets)
        ):
            raise Refused(refusals.RETURNS_WHILE_HANDLING)
        if (
            not is_whole
            or rest.strip()
            or any(n not in last for n in self.returns)
            or not isinstance(statement, ast.Expr)
            and None in last
        ):
            raise Refused(refusals.RETURNS_EARLY)
        for each in self.returns:
            value = self._text(each.value, replaced) if each.value is not None else "None"
            node = each.value if each.value is not None else ast.Constant(None)
            if isinstance(statement, ast.Expr):
                new = value if any(isinstance(n, EFFECTS) for n in ast.walk(node)) else "pass"
            else:
                new = self._with_value(call, statement, node, value)
            begin, finish = span(self.home, each)
            block = next(
                b
                for n in [self.function, *self.within.values()]
                for b in (getattr(n, f, None) for f in ("body", "orelse"))
                if isinstance(b, list) and each in b
            )
            if new == "pass" and block[0] is not each and guard_in(block[block.index(each) - 1 :]) is None:
                # Something else is done there before.
                begin, new = line_start(self.home, each.lineno) - 1, ""
            edits = [edit for edit in edits if not begin <= edit[0] < finish] + [(begin, finish, new)]
        return self._woven(self.body, edits, indent, None)

    def _woven(self, statements, edits, indent, since):
        """Statements with what follows a way out put where the other way goes."""
        guard = guard_in(statements)
        if guard is None:
            return self._lines(statements, edits, indent, since)
        at = statements.index(guard)
        head, rest = (
            self._lines(statements[: at + 1], edits, indent, since),
            self._behind(statements, at, edits, indent),
        )
        if [line.strip() for line in rest] == ["pass"]:
            return head
        if not guard.orelse and any(
            edit[0] == span(self.home, guard.body[0])[0] and edit[2] == "pass" for edit in edits
        ):
            # Nothing is done on the way out: what follows is done otherwise.
            return (
                self._lines(statements[:at], edits, indent, since)
                + [f"{indent}if {self._otherwise(guard.test, edits)}:"]
                + rest
            )
        return head + ([] if last_branch(guard) else [f"{indent}else:"]) + rest

    def _behind(self, statements, at, edits, indent):
        lines = self._woven(statements[at + 1 :], edits, indent + self._unit(), statements[at].end_lineno + 1)
        return lines[next(number for number, line in enumerate(lines) if line.strip()) :]

    def _otherwise(self, test, edits):
        """The text of a condition that holds when another does not."""

        def shown(node):
            start, end = span(self.home, node)
            return edited(
                self.home[start:end],
                [(begin - start, finish - start, new) for begin, finish, new in edits if start <= begin < end],
            )

        turned = {ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return shown(test.operand)
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in turned:
            return f"{shown(test.left)} {turned[type(test.ops[0])]} {shown(test.comparators[0])}"
        return f"not {shown(test)}" if isinstance(test, ATOMS) and "\n" not in shown(test) else f"not ({shown(test)})"

    def _unit(self):
        first = self.home.split("\n")[self.function.body[0].lineno - 1]
        return first[self.function.col_offset : self.function.body[0].col_offset] or "    "

    def _statement(self, call):
        """The statement that a call is part of, before which the body can be done."""
        refusal = Refused(refusals.SEVERAL_STATEMENTS_IN_EXPRESSION, line=call.lineno)
        node = call
        for parent in around(self.parents, call):
            is_added = isinstance(parent, ast.AugAssign) and not (
                isinstance(parent.target, ast.Name) and parent.target.id not in self.shared
            )
            if (
                isinstance(parent, (ast.If, ast.For, ast.Assert))
                and node is getattr(parent, "test", getattr(parent, "iter", None))
                and not self._is_elif(parent)
                or isinstance(parent, (ast.With, ast.AsyncWith))
                and node is parent.items[0]
                or isinstance(parent, (*STATEMENTS, ast.Raise))
                and not is_added
            ):
                return parent
            if (
                isinstance(
                    parent,
                    (
                        ast.stmt,
                        ast.Lambda,
                        ast.JoinedStr,
                        ast.ListComp,
                        ast.SetComp,
                        ast.DictComp,
                        ast.GeneratorExp,
                        ast.NamedExpr,
                        ast.Await,
                    ),
                )
                or isinstance(parent, ast.BoolOp)
                and node is not parent.values[0]
                or isinstance(parent, ast.IfExp)
                and node is not parent.test
                or isinstance(parent, ast.Compare)
                and node is not parent.left
                and node is not parent.comparators[0]
            ):
                raise refusal
            node = parent
        raise refusal

    def _is_elif(self, node):
        return isinstance(node, ast.If) and self.text[span(self.text, node)[0] :].startswith("elif")

    def _refuse_late(self, call, statement, acts):
        """What the statement computes before the call would be computed after the body."""
        inside = {id(n) for n in ast.walk(call)}
        place = (call.lineno, call.col_offset)
        whole = (
            statement.test
            if isinstance(statement, ast.If)
            else statement.iter
            if isinstance(statement, ast.For)
            else statement
        )
        done = {
            id(n)
            for earlier, is_steady, _names in self.earlier.get(statement, ())
            if is_steady
            for n in ast.walk(earlier)
        }
        before = [
            n
            for n in ast.walk(whole)
            if isinstance(n, (*EFFECTS, ast.Attribute, ast.Subscript))
            and id(n) not in inside | done
            and (n.end_lineno, n.end_col_offset) <= place
        ]
        if acts and before:
            raise Refused(refusals.COMPUTED_BEFORE_CALL, line=call.lineno)

    def _segment(self, node):
        begin, finish = span(self.text, node)
        inner = [
            (span(self.text, call), new) for call, new in self.values.items() if any(call is n for n in ast.walk(node))
        ]
        outer = [
            ((start, end), new)
            for (start, end), new in inner
            if not any(a <= start and end <= b and (a, b) != (start, end) for (a, b), _new in inner)
        ]
        return edited(self.text[begin:finish], [(start - begin, end - begin, new) for (start, end), new in outer])

    def _remember(self, statement, call, node, replaced, header):
        """What one of several calls in a statement leaves behind: its variables, which the value in its place reads,
        and whether that value stays the same.
        """
        parts = [
            *ast.walk(node),
            *(
                n
                for name, (value, _source) in replaced.items()
                if any(use is n for use in self.uses[name] for n in ast.walk(node))
                for n in ast.walk(value)
            ),
        ]
        is_steady = not any(
            isinstance(n, (*EFFECTS, ast.Attribute, ast.Subscript))
            or isinstance(n, ast.Name)
            and n.id in self.shared | self.globals
            for n in parts
        ) and (
            isinstance(node, (ast.Name, ast.Constant))
            or not any(changed_object(n) for each in self.body for n in ast.walk(each))
        )
        names = {
            self.local.get(name, name)
            for name in [
                *flow.stored(self.body),
                *self.assigned,
                *(name for name in self.parameters if header and name not in replaced),
            ]
        }
        self.earlier.setdefault(statement, []).append((call, is_steady, names))

    def _refuse_names(self, call, arguments):
        super()._refuse_names(call, arguments)
        taken = self._names_around(call)
        self.local = {}
        stored = set(flow.stored(self.body)) - self.globals
        self._declare(call, stored)
        plain = (
            stored
            - {
                n.name
                for each in self.body
                for n in ast.walk(each)
                if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
            }
            - {n.name for each in self.body for n in ast.walk(each) if isinstance(n, ast.ExceptHandler)}
            - {
                (a.asname or a.name).split(".")[0]
                for each in self.body
                for n in ast.walk(each)
                if isinstance(n, (ast.Import, ast.ImportFrom))
                for a in n.names
            }
            - {
                name
                for each in self.body
                for n in ast.walk(each)
                if type(n).__name__.startswith("Match")
                for name in flow.bound(n)
            }
        )
        inner = self.inner | {
            n.id
            for each in self.body
            for c in ast.walk(each)
            if isinstance(c, flow.COMPREHENSIONS)
            for g in c.generators
            for n in ast.walk(g.target)
            if isinstance(n, ast.Name)
        }
        for name in sorted((stored | self.assigned) & taken):
            if name not in plain or name in inner:
                raise Refused(refusals.USED_AROUND_CALL_TOO, name=name, line=call.lineno)
            self.local[name] = self._free_name(name, taken)

    def _declare(self, call, stored):
        """What the function declares global is so where its body goes."""
        scope = scope_of(self.tree, call)
        if isinstance(scope, ast.ClassDef) and stored | self.globals:
            raise Refused(refusals.VARIABLES_BECOME_ATTRIBUTES, line=call.lineno)
        if self.globals and self.text != self.home:
            raise Refused(refusals.ASSIGNS_GLOBALS)
        known = {name for n in own_nodes(scope.body) if isinstance(n, ast.Global) for name in n.names}
        if self.globals - known and not isinstance(scope, ast.Module):
            self.declared.setdefault(scope, set()).update(self.globals - known)

    def declarations(self):
        """The edits by which the functions around the calls declare global what the body assigns."""
        found = []
        for scope, names in self.declared.items():
            first = next(
                (n for n in scope.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))),
                scope.body[0],
            )
            at = line_start(self.text, min([first.lineno] + [d.lineno for d in getattr(first, "decorator_list", [])]))
            found.append((at, at, f"{indent_of(self.text, first.lineno)}global {', '.join(sorted(names))}\n"))
        return found

    def _free_name(self, name, taken):
        known = taken | self.own | self.free | set(self.parameters) | set(self.local.values())
        return next(f"{name}{number}" for number in range(1, 1000) if f"{name}{number}" not in known)

    def _names_around(self, call):
        """The names that the function around a call uses, or the module when there is none."""
        scope, around_call = function_of(self.tree, call), set(around(self.parents, call))
        earlier = {
            name
            for statement, calls in self.earlier.items()
            if statement in around_call
            for _call, _is_steady, names in calls
            for name in names
        }
        if scope is None:
            return {
                use.name for use in module_of(self.text).uses if use.binding in ("", "builtin", "unknown")
            } | earlier
        inside = set(map(id, ast.walk(self.function)))
        return (
            {n.id for n in ast.walk(scope) if isinstance(n, ast.Name) and id(n) not in inside}
            | {n.arg for n in ast.walk(scope) if isinstance(n, ast.arg) and id(n) not in inside}
            | earlier
        )

    def _arguments(self, call, arguments, indent):
        """Arguments stand in the place of their parameters; what that would compute at another time or again is given
        the parameter's name first.
        """
        taken = self._names_around(call)
        header, replaced = [], {}
        for name, (value, source) in arguments.items():
            acting = any(isinstance(n, EFFECTS) for n in ast.walk(value))
            is_used = bool(self.uses[name]) or name in self.assigned
            if not is_used and (not acting or self.is_new_object(value)):
                continue
            changed = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)} & (
                self.own | self.assigned
            ) - self.local.keys()
            if self._can_stand(name, value, len(arguments) == 1) and not changed and name not in self.assigned:
                replaced[name] = (value, source)
                continue
            if not is_used:
                header.append(f"{indent}{source if is_complete(source) else f'({source})'}")
                continue
            self._call_otherwise(call, name, value, taken)
            if "\n" in source or isinstance(value, (ast.NamedExpr, ast.Yield, ast.YieldFrom)):
                source = f"({source})"
            header.append(f"{indent}{self.local.get(name, name)} = {source}")
        return header, replaced

    def _can_stand(self, name, value, is_only):
        """Whether an argument means the same wherever its parameter is used."""
        inside = [n for each in self.body for n in ast.walk(each)]
        parts = list(ast.walk(value))
        acting = any(isinstance(n, EFFECTS) for n in parts)
        is_once = len(self.uses[name]) == 1 and not any(isinstance(n, REPEATING) for n in inside)
        is_steady = not acting and (
            not any(isinstance(n, EFFECTS) for n in inside)
            or not any(
                isinstance(n, (ast.Attribute, ast.Subscript)) or isinstance(n, ast.Name) and n.id in self.shared
                for n in parts
            )
        )
        is_plain = isinstance(value, (ast.Name, ast.Constant)) and is_steady
        if not is_plain and is_once:
            is_plain = is_steady or self._is_first(self.uses[name][0]) and (not acting or is_only)
        # A literal is no object to ask for its identity.
        is_asked = (
            isinstance(value, ast.Constant)
            and value.value not in (None, True, False, ...)
            and any(
                isinstance(op, (ast.Is, ast.IsNot))
                for use in self.uses[name]
                for op in getattr(self.within.get(use), "ops", ())
            )
        )
        return is_plain and not is_asked and (name not in self.late or isinstance(value, ast.Constant))

    def _call_otherwise(self, call, name, value, taken):
        """A parameter that becomes a variable around the call gets another name where its own would not do."""
        if (
            self.owner is not None
            and self.kind != "staticmethod"
            and name == self.parameters[0]
            and name not in self.local
        ):
            # Outside of the method it is an object like others.
            own = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.owner.name).lower().strip("_")
            is_taken = own in taken | self.own | self.free or keyword.iskeyword(own)
            self.local[name] = self._free_name(own, taken) if is_taken else own
        if name in taken and name not in self.local and not (isinstance(value, ast.Name) and value.id == name):
            if name in self.inner:
                raise Refused(refusals.ARGUMENT_CANNOT_STAND, name=name, line=call.lineno)
            self.local[name] = self._free_name(name, taken)

    def _is_first(self, use):
        """Whether a use is computed before anything that has effects."""
        own = [n for each in self.body for n in ast.walk(each) if isinstance(n, EFFECTS)]
        first = next(iter(self.body), None)
        if (
            first is None
            or isinstance(first, (ast.If, ast.Try, ast.With, ast.For, ast.While))
            or not any(use is n for n in ast.walk(first))
        ):
            return False
        return not any((n.end_lineno, n.end_col_offset) <= (use.lineno, use.col_offset) for n in own)

    def _text(self, node, replaced):
        start = span(self.home, node)[0]
        source = edited(
            ast.get_source_segment(self.home, node),
            [(begin - start, finish - start, new) for begin, finish, new in self._edits([node], replaced)],
        )
        source = further(nearer(source, indent_of(self.home, node.lineno)), self.indent)
        return source if is_complete(source) else f"({source})"

    def _edits(self, nodes, replaced):
        found = []
        for use in (n for each in nodes for n in ast.walk(each) if isinstance(n, ast.Name)):
            if use.id in replaced:
                value, source = replaced[use.id]
                held = source if fits(value, self.within.get(use), use) else f"({source})"
                if any(isinstance(n, ast.JoinedStr) for n in around(self.within, use)):
                    begin, finish = span(self.home, use)
                    held = for_f_string(self.home, begin, source) if self.home[begin:finish] == use.id else None
                    if held is None:
                        raise Refused(refusals.PARAMETER_IN_F_STRING)
                found.append((*span(self.home, use), held))
            elif use.id in self.itself:
                found.append(self._unqualified(self.home, use, self.call))
            elif use.id in self.local:
                found.append((*span(self.home, use), self.local[use.id]))
            elif use.id in self.renamed:
                found.append((*span(self.home, use), self.renamed[use.id]))
            elif use.id in self.outer and self.prefix:
                found.append((*span(self.home, use), f"{self.prefix}.{use.id}"))
        return found

    prefix, indent, call = "", "", None
    local: dict = {}

    def _lines(self, nodes, edits, indent, since=None):
        """Statements with the indentation of the call; what stands inside strings is left alone."""
        if not nodes:
            return []
        first = min([nodes[0].lineno] + [d.lineno for d in getattr(nodes[0], "decorator_list", [])])
        start, end = line_start(self.home, first), span(self.home, nodes[-1])[1]
        depth = nodes[0].col_offset
        if self.home[start : span(self.home, nodes[0])[0] if first == nodes[0].lineno else start + depth].strip():
            raise Refused(refusals.BODY_ON_LINE_OF_HEAD)
        end += len(self.home[end:].split("\n")[0])
        start = start if since is None else line_start(self.home, since)
        text = edited(
            self.home[start:end],
            [(begin - start, finish - start, new) for begin, finish, new in edits if start <= begin < end],
        )
        kept, lines = inside_strings(text), text.split("\n")
        return [
            line
            if number in kept
            else indent + line[depth:]
            if line[:depth].strip() == "" and line.strip()
            else line.strip() and indent + line.lstrip() or ""
            for number, line in enumerate(lines, 1)
        ]
