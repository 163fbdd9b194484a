"""Giving a value a name before the statement in which it stands: what that would change, and which of its occurrences
can be meant too.
"""

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..analysis.effects import ACTS, Effects, called
from ..analysis.kinds import EAGER, NEW_OBJECTS
from ..analysis.flow import COMPREHENSIONS, stored
from .new_function import own_nodes
from ..analysis.operand_types import Operands
from ..session import Refused
from ..project.source import around, function_of, is_elif, parents_of

# Computing these fails for some values, whatever their types.
HUNGRY = (ast.Attribute, ast.Subscript, ast.Call, ast.Await)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
MAKING = {
    "list",
    "dict",
    "set",
    "bytearray",
    "object",
    "deque",
    "defaultdict",
    "Counter",
    "OrderedDict",
    "iter",
    "open",
}


class NewVariable:
    """A value that is going to be computed before its statement. `problems` says what would be different then."""

    def __init__(self, text, tree, node):
        self.text, self.tree, self.node, self.parents, self.effects = text, tree, node, parents_of(tree), Effects(tree)
        self.inside = {id(n) for n in ast.walk(node)}
        self.names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        self.is_hungry = any(
            isinstance(n, HUNGRY) or isinstance(n, ast.BinOp) and isinstance(n.op, (ast.Div, ast.Mod, ast.FloorDiv))
            for n in ast.walk(node)
        )
        self.can_fail = self.is_hungry or any(
            isinstance(n, (ast.BinOp, ast.Compare, ast.UnaryOp)) and not _always_works(n) for n in ast.walk(node)
        )
        self.operands = Operands(self.parents, node)
        self.is_made = (
            isinstance(node, (*NEW_OBJECTS, ast.Lambda)) or isinstance(node, ast.Call) and called(node) in MAKING
        )
        self.problems = []
        self.statement = self._around()
        self._order()
        self._refuse_enum()

    def conflicts(self, path):
        return [Conflict("meaning", message, path, self.node.lineno) for message in dict.fromkeys(self.problems)]

    def _around(self):
        """What the expressions around it mean for when and how often it is computed; gives the statement."""
        each = self.node
        while not isinstance(each, ast.stmt):
            parent = self.parents[each]
            if (
                isinstance(parent, ast.While)
                and each is parent.test
                and (self.is_hungry or self.is_made or self._is_assigned_in(parent))
            ):
                self._problem(refusals.IN_LOOP_CONDITION.words())
            if isinstance(parent, ast.Lambda):
                self._refuse_own(
                    [a.arg for a in ast.walk(parent.args) if isinstance(a, ast.arg)],
                    "a parameter of the lambda it stands in",
                )
                if each is parent.body and (self.is_hungry or self.is_made or self._is_assigned_later()):
                    self._problem(refusals.IN_LAMBDA.words())
            self._condition(parent, each)
            self._comprehension(parent, each)
            each = parent
        tests, first = [], each
        while is_elif(self.text, first):
            first = self.parents[first]
            tests.append(first.test)
        if tests and (self.is_hungry or self._is_guarded(tests)):
            self._problem(refusals.AFTER_CONDITIONS.words())
        return each

    def _condition(self, parent, each):
        before = []
        if isinstance(parent, ast.Compare) and each in parent.comparators[1:]:
            before = [parent.left, *parent.comparators[: parent.comparators.index(each)]]
        elif isinstance(parent, ast.BoolOp) and each is not parent.values[0]:
            before = parent.values[: parent.values.index(each)]
        elif isinstance(parent, ast.IfExp) and each is not parent.test:
            before = [parent.test]
        if before and (self.is_hungry or self._is_guarded(before)):
            self._problem(refusals.UNDER_CONDITION_ONLY.words())
        if type(parent).__name__ == "match_case" and each is parent.guard:
            own = set(stored([parent.pattern])) & self.names
            if own:
                raise Refused(refusals.READS_WHAT_PATTERN_ASSIGNS, name=sorted(own)[0])
            if self.is_hungry:
                self._problem(refusals.WHEN_PATTERN_FITS.words())
        if (
            isinstance(parent, ast.Assert)
            and each is parent.msg
            and (self.is_hungry or self._is_guarded([parent.test]))
        ):
            self._problem(refusals.WHEN_ASSERTION_FAILS.words())

    def _is_guarded(self, tests):
        """Whether what is asked before decides whether it can be computed at all."""
        return (
            self.operands.are_unknown
            or self.can_fail
            and any(self._asks(part) for test in tests for part in _parts(test))
        )

    def _asks(self, test):
        """Whether a condition asks what something is, rather than comparing it."""
        if (
            isinstance(test, ast.Compare)
            and not any(isinstance(op, (ast.Is, ast.IsNot)) for op in test.ops)
            and not any(getattr(n, "value", n) is None for n in test.comparators)
        ):
            return False
        return any(isinstance(n, ast.Name) and n.id in self.names for n in ast.walk(test))

    def _comprehension(self, parent, each):
        if not (
            isinstance(parent, COMPREHENSIONS)
            and each is not parent.generators[0]
            or isinstance(parent, ast.comprehension)
            and each is not parent.iter
        ):
            return
        self._refuse_own(
            [
                n.id
                for g in getattr(parent, "generators", [parent])
                for n in ast.walk(g.target)
                if isinstance(n, ast.Name)
            ],
            "a variable of the comprehension it stands in",
        )
        if self.is_hungry or self.is_made:
            self._problem(refusals.IN_COMPREHENSION.words())
        generators = parent.generators if isinstance(parent, COMPREHENSIONS) else []
        before = (
            [test for g in generators for test in g.ifs]
            if each not in generators
            else [test for g in generators[: generators.index(each)] for test in g.ifs]
        )
        before += (
            parent.ifs[: parent.ifs.index(each)] if isinstance(parent, ast.comprehension) and each in parent.ifs else []
        )
        if before and self._is_guarded(before) or self.operands.may_be_none:
            self._problem(refusals.FOR_SOME_ITEMS.words())
        whole = parent if isinstance(parent, COMPREHENSIONS) else self.parents[parent]
        if (
            isinstance(whole, ast.GeneratorExp)
            and called(self.parents.get(whole)) not in EAGER
            and self._is_assigned_later()
        ):
            self._problem(refusals.IN_GENERATOR.words())

    def _refuse_own(self, own, what):
        if self.names & set(own):
            raise Refused(refusals.READS_TARGET, what=what)

    def _is_assigned_in(self, loop):
        return bool(self.names & (set(stored([loop])) | self.effects.shared))

    def _is_assigned_later(self):
        """Whether a variable that it reads has another value by the time that the code around it runs."""
        scope, place = function_of(self.tree, self._statement()) or self.tree, (self.node.lineno, self.node.col_offset)
        repeated = [n for n in around(self.parents, self.node) if isinstance(n, LOOPS)]
        body = scope.body if isinstance(scope.body, list) else [scope.body]
        later = {
            name
            for n in own_nodes(body)
            if (getattr(n, "lineno", 0), getattr(n, "col_offset", 0)) > place
            for name in stored([n])
        }
        return bool(self.names & (later | {name for loop in repeated for name in stored([loop])} | self.effects.shared))

    def _statement(self):
        return next(n for n in around(self.parents, self.node) if isinstance(n, ast.stmt))

    def _order(self):
        """What the statement computes before it would be computed after it."""
        statement, place = self.statement, (self.node.lineno, self.node.col_offset)
        head = [n for n in self._head(statement) if id(n) not in self.inside and hasattr(n, "end_lineno")]
        named = {n.target.id for n in head if isinstance(n, ast.NamedExpr)}
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            own = next((i for i, item in enumerate(statement.items) if any(self.node is n for n in ast.walk(item))), 0)
            named |= {
                n.id
                for item in statement.items[:own]
                if item.optional_vars
                for n in ast.walk(item.optional_vars)
                if isinstance(n, ast.Name)
            }
            if own and self.is_hungry:
                self._problem(refusals.AFTER_WITH.words())
        if named & self.names:
            raise Refused(refusals.READS_WHAT_STATEMENT_ASSIGNS, name=sorted(named & self.names)[0])
        targets = {
            id(n)
            for t in getattr(statement, "targets", [getattr(statement, "target", None)])
            if isinstance(statement, (ast.Assign, ast.AnnAssign))
            for n in ast.walk(t)
        }
        if id(self.node) in targets:
            # The value is computed first.
            before = [n for n in head if id(n) not in targets or (n.end_lineno, n.end_col_offset) <= place]
        else:
            before = [n for n in head if id(n) not in targets and (n.end_lineno, n.end_col_offset) <= place]
        own, earlier = self.effects.acts(self.node), [n for n in before if isinstance(n, ACTS)]
        if (
            own
            and any(self.effects.acts(n) for n in earlier)
            or id(self.node) in targets
            and self.is_hungry
            and earlier
        ):
            self._problem(
                refusals.BEFORE_OTHER_CALL.words()
                if id(self.node) not in targets
                else refusals.AFTER_ASSIGNED_VALUE.words()
            )
        elif any(n in self.effects.acts(n) and self.effects.may_change(n, self.node) for n in earlier):
            self._problem(refusals.CALL_MAY_CHANGE_WHAT_IT_READS.words())
        elif any(
            isinstance(n, (ast.Name, ast.Attribute, ast.Subscript)) and self.effects.changes(self.node, n)
            for n in before
        ):
            self._problem(refusals.MAY_CHANGE_WHAT_IS_READ.words())

    def _head(self, statement):
        """What a statement computes itself, without the statements inside it."""
        found, waiting = (
            [],
            [
                n
                for n in ast.iter_child_nodes(statement)
                if not isinstance(n, (ast.stmt, ast.ExceptHandler)) and type(n).__name__ != "match_case"
            ],
        )
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += ast.iter_child_nodes(node)
        return found

    def _refuse_enum(self):
        """Whatever a class of constants assigns is one of them."""
        owner = self.parents.get(self.statement)
        classes = {n.name: n for n in ast.walk(self.tree) if isinstance(n, ast.ClassDef)}
        waiting, seen = [owner] if isinstance(owner, ast.ClassDef) else [], set()
        while waiting:
            for base in (ast.unparse(each).split(".")[-1] for each in waiting.pop().bases):
                if base.endswith(("Enum", "Flag")):
                    raise Refused(refusals.BECOMES_ENUM_MEMBER)
                if base in classes and base not in seen:
                    seen.add(base)
                    waiting.append(classes[base])

    def _problem(self, message):
        self.problems.append(message)


def _parts(test):
    if isinstance(test, ast.BoolOp):
        return [part for each in test.values for part in _parts(each)]
    return _parts(test.operand) if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else [test]


def _always_works(node):
    """Whether an operation works for values of any type."""
    if isinstance(node, ast.Compare):
        return all(isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) for op in node.ops)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) or isinstance(node.operand, ast.Constant)
    return isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant)
