"""What a selection that becomes a function takes and gives back."""

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..analysis import flow
from ..analysis.effects import Effects
from ..analysis.flow import COMPREHENSIONS
from ..project.source import FUNCTIONS, header_of, parents_of

# What may run other functions.
CALLING = (
    ast.Call,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
    ast.For,
    ast.AsyncFor,
    ast.With,
    ast.AsyncWith,
    ast.comprehension,
    ast.Import,
    ast.ImportFrom,
)
LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Selection:
    """`arguments` are the variables it needs from the function around, `returns` those it assigns that are needed
    afterwards, and `problems` says what no function could do.
    """

    def __init__(self, tree, selected, to_module, used_elsewhere, keeps_types=False):
        self.tree, self.selected, self.parents = tree, selected, parents_of(tree)
        # What stands in the head of a function is computed outside of it.
        self.around = list(self._ancestors(header_of(tree, selected[0]) or selected[0]))
        self.scope = next(n for n in self.around if isinstance(n, FUNCTIONS + (ast.ClassDef, ast.Module)))
        self.inside = {id(n) for each in selected for n in ast.walk(each)}
        self.problems = []
        self.is_expression = isinstance(selected[0], ast.expr)
        declared = {name for n in _own(self.scope) if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
        stored = [name for name in flow.stored(selected) if name not in declared]
        exposed = flow.reads(selected) if self.is_expression else set(flow.exposed(selected))
        self.returns = [] if self.is_expression else self._returns(stored, used_elsewhere)
        visible = self._visible(stored, to_module)
        assigned = flow.surely_assigned(selected) if not self.is_expression else set()
        carried = [
            name for name in self.returns if assigned is not None and name not in assigned and name not in exposed
        ]
        ordered = visible if self.is_expression else flow.ordered_reads(selected)
        self.arguments = [name for name in ordered if name in exposed and name in visible and name not in declared]
        if carried or any(name in self.arguments for name in visible):
            self._check_values(carried, assigned)
        known = (
            self._assigned_somewhere_before() | {a.arg for a in _arguments(self.scope)}
            if isinstance(self.scope, (*FUNCTIONS, ast.Module))
            else set()
        )
        self.arguments += [name for name in carried if name not in self.arguments and name in known]
        if keeps_types and isinstance(self.scope, FUNCTIONS) and not self.is_expression:
            self.returns += self._tested()
        for node in (n for each in selected for n in ast.walk(each)):
            if (
                isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Del)
                and (node.id in self.returns or node.id in declared)
            ):
                self._problem(refusals.DELETED_AND_LOOKED_AT.words(name=node.id))
        for node in ast.walk(self.scope):
            if isinstance(node, ast.Nonlocal) and node not in _own(self.scope):
                touched = set(node.names) & (set(stored) | set(self.arguments))
                used = {n.id for n in ast.walk(self.scope) if isinstance(n, ast.Name) and id(n) not in self.inside}
                # A function that goes along is alone with the variable, or one that stays is not called meanwhile.
                is_apart = (
                    not touched & used
                    if id(node) in self.inside
                    else not any(isinstance(n, CALLING) for each in selected for n in ast.walk(each))
                )
                if touched and not is_apart:
                    self._problem(refusals.ASSIGNED_BY_INNER_FUNCTION.words(name=sorted(touched)[0]))

        deleted = {
            n.id for each in selected for n in ast.walk(each) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)
        }
        for name in sorted(deleted & set(self.returns)):
            self._problem(refusals.DELETES_WHAT_IS_USED.words(name=name))
        self._check_late()
        if not self.is_expression:
            self._check_interrupted(stored)
            self._check_seen(stored)

    def _check_late(self):
        """A function inside sees what a variable is when it is called; in a function of its own it would see another
        one.
        """
        late = {
            name
            for each in self.selected
            for n in ast.walk(each)
            if isinstance(n, FUNCTIONS + (ast.Lambda, ast.GeneratorExp))
            for name in flow.late_reads(n)
        }
        end = (self.selected[-1].end_lineno, self.selected[-1].end_col_offset)
        is_repeated = any(isinstance(each, LOOPS) for each in self.around[: self.around.index(self.scope)])
        after = {
            n.id
            for n in _own(self.scope)
            if isinstance(n, ast.Name)
            and isinstance(n.ctx, ast.Store)
            and id(n) not in self.inside
            and (is_repeated or (n.lineno, n.col_offset) >= end)
        }
        if not self.is_expression:
            for name in sorted(late & after & (set(self.arguments) | set(self.returns))):
                self._problem(refusals.INNER_READS_ASSIGNED_AGAIN.words(name=name))

    def _check_interrupted(self, stored):
        """What is assigned before an error is lost with the new function, though whoever catches the error may read
        it.
        """
        if len(self.selected) == 1 and isinstance(
            self.selected[0], (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)
        ):
            return
        node = self.selected[0]
        for parent in self.around[: self.around.index(self.scope)]:
            if isinstance(parent, ast.Try) and node in parent.body and (parent.handlers or parent.finalbody):
                read = {name for part in [*parent.handlers, *parent.finalbody] for name in flow.reads([part])}
                for name in sorted(read & set(stored)):
                    self._problem(refusals.READ_WHERE_ERROR_IS_HANDLED.words(name=name))
            node = parent

    def _check_seen(self, stored):
        """Functions that it runs see the variables of the function around, not those of the new one."""
        effects = Effects(self.scope if isinstance(self.scope, FUNCTIONS) else self.tree)
        used = {
            n.id
            for each in self.selected
            for n in ast.walk(each)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        }
        for function in (
            f
            for name in sorted(used)
            for f in effects.reached(name)
            if f is not self.scope and id(f) not in self.inside
        ):
            for name in sorted(flow.reads([function]) & set(stored)):
                self._problem(refusals.READER_RUNS_INSIDE.words(name=name, function=function.name))

    def _ancestors(self, node):
        while node in self.parents:
            node = self.parents[node]
            yield node

    def _returns(self, stored, used_elsewhere):
        if isinstance(self.scope, ast.ClassDef):
            return stored
        body = self.scope.body
        needed = flow.needed_after(body, self.selected[-1])
        # Functions see what a variable is when they are called.
        for node in ast.walk(self.scope):
            if id(node) not in self.inside and node is not self.scope and isinstance(node, FUNCTIONS + (ast.Lambda,)):
                needed |= flow.reads([node])
        if not isinstance(self.scope, FUNCTIONS):
            # What the module assigned before keeps the value it gets here, for whoever imports it.
            earlier = {
                n.id
                for n in _own(self.scope)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and id(n) not in self.inside
            }
            # Functions, classes and imports that it does not use itself are there to be used from elsewhere.
            offered = {
                name
                for n in _own(ast.Module(self.selected, []))
                if isinstance(n, FUNCTIONS + (ast.ClassDef, ast.Import, ast.ImportFrom))
                for name in flow.stored([n])
            } - flow.reads(self.selected)
            needed |= {name for name in stored if name in earlier or name in offered or used_elsewhere(name)}
        # In the order in which they are needed: in the next round of a loop, and then after the selection.
        is_repeated = any(isinstance(each, LOOPS) for each in self.around[: self.around.index(self.scope)])
        end = (self.selected[-1].end_lineno, self.selected[-1].end_col_offset)
        later = sorted(
            (
                (n.lineno, n.col_offset, n.id)
                for n in ast.walk(self.scope)
                if isinstance(n, ast.Name) and (n.lineno, n.col_offset) >= end and not isinstance(n.ctx, ast.Store)
            )
        )
        ordered = (
            [name for name in stored if is_repeated and name in flow.reads(self.selected)]
            + [name for _line, _column, name in later]
            + stored
        )
        return [name for name in dict.fromkeys(ordered) if name in needed and name in stored]

    def _tested(self):
        """The variables whose type is narrower once the selection has asked what they are, as far as they are used
        afterwards.
        """
        tests = [
            n.test for each in self.selected for n in ast.walk(each) if isinstance(n, (ast.If, ast.Assert, ast.While))
        ]
        needed = flow.needed_after(self.scope.body, self.selected[-1])
        return [
            name
            for name in flow.ordered_reads(tests)
            if name in needed and name in self.arguments and name not in self.returns
        ]

    def _visible(self, stored, to_module):
        """The variables that a function written elsewhere would not see, in the order in which they come to be."""
        found = []
        if isinstance(self.scope, FUNCTIONS):
            scopes = [n for n in self.around if isinstance(n, FUNCTIONS)] if to_module else [self.scope]
            for scope in reversed(scopes):
                found += [a.arg for a in _arguments(scope)] + flow.stored(scope.body)
        elif isinstance(self.scope, ast.ClassDef):
            found += flow.stored(self.scope.body)
        elif to_module:
            earlier = [
                n
                for n in _own(self.tree)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.lineno < self.selected[0].lineno
            ]
            found += [n.id for n in sorted(earlier, key=lambda n: (n.lineno, n.col_offset))]
        else:
            found += stored
        for each in reversed(self.around[: self.around.index(self.scope)]):
            if isinstance(each, ast.Lambda):
                found += [a.arg for a in _arguments(each)]
            elif isinstance(each, COMPREHENSIONS):
                found += [n.id for g in each.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)]
        return list(dict.fromkeys(found))

    def _check_values(self, carried, assigned):
        if assigned is None or not isinstance(self.scope, (*FUNCTIONS, ast.Module)):
            return
        sure = {a.arg for a in _arguments(self.scope)} | self._assigned_before()
        own = {
            name
            for each in self.around[: self.around.index(self.scope)]
            if isinstance(each, (ast.Lambda, *COMPREHENSIONS))
            for name in flow_names(each)
        }
        outer = {
            name
            for n in self.around
            if isinstance(n, FUNCTIONS) and n is not self.scope
            for name in [a.arg for a in _arguments(n)] + flow.stored(n.body)
        }
        block = next(
            (
                b
                for b in (getattr(self.parents[self.selected[-1]], f, None) for f in ("body", "orelse", "finalbody"))
                if isinstance(b, list) and self.selected[-1] in b
            ),
            [],
        )
        following = block[block.index(self.selected[-1]) + 1 :][:1] if block else []
        # What is read next in any case fails in any case if it has no value.
        if following and isinstance(following[0], (ast.Expr, ast.Assign, ast.Return)):
            sure |= (
                {n.id for n in flow.always(following[0].value) if isinstance(n, ast.Name)}
                & (set(self.returns) - self._assigned_somewhere_before())
                if following[0].value
                else set()
            )
        for name in carried + self.arguments:
            if name not in sure | own | outer:
                self._problem(refusals.MAY_HAVE_NO_VALUE.words(name=name))

    def _assigned_somewhere_before(self):
        start = (self.selected[0].lineno, self.selected[0].col_offset)
        return {
            n.id
            for n in ast.walk(self.scope)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and (n.lineno, n.col_offset) < start
        }

    def _assigned_before(self):
        """What is assigned on every way that leads to the selection."""
        found, node = set(), self.selected[0]
        while node is not self.scope:
            parent = self.parents[node]
            for field in ("body", "orelse", "finalbody"):
                block = getattr(parent, field, None)
                if isinstance(block, list) and node in block:
                    found |= flow.surely_assigned(block[: block.index(node)]) or set()
                    if field == "orelse" and isinstance(parent, ast.Try):
                        found |= flow.surely_assigned(parent.body) or set()
            if isinstance(parent, (ast.For, ast.AsyncFor)) and node in parent.body:
                found |= {n.id for n in ast.walk(parent.target) if isinstance(n, ast.Name)}
            if isinstance(parent, (ast.With, ast.AsyncWith)):
                found |= {
                    n.id
                    for item in parent.items
                    if item.optional_vars
                    for n in ast.walk(item.optional_vars)
                    if isinstance(n, ast.Name)
                }
            if isinstance(parent, ast.ExceptHandler) and parent.name:
                found.add(parent.name)
            if type(parent).__name__ == "match_case":
                found |= set(flow.stored([parent.pattern]))
            if isinstance(node, ast.stmt):
                # `x := value` in a condition that has been computed.
                tests = [parent.test] if isinstance(parent, (ast.If, ast.While)) else []
                found |= {n.target.id for test in tests for n in ast.walk(test) if isinstance(n, ast.NamedExpr)}
            node = parent
        return found

    def _problem(self, message):
        self.problems.append(Conflict("meaning", message, line=self.selected[0].lineno))


def flow_names(node):
    if isinstance(node, ast.Lambda):
        return [a.arg for a in _arguments(node)]
    return [n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)]


def _arguments(function):
    """The parameters; a module has none."""
    if isinstance(function, ast.Module):
        return []
    args = function.args
    return (
        args.posonlyargs
        + args.args
        + ([args.vararg] if args.vararg else [])
        + args.kwonlyargs
        + ([args.kwarg] if args.kwarg else [])
    )


def _own(scope):
    """The nodes of a scope without those of functions and classes inside."""
    found, waiting = [], list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, FUNCTIONS + (ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return found
