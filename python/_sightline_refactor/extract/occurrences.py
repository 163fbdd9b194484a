"""Giving a value and everything that is written like it in the same function one name."""

import itertools

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..analysis.effects import CHANGING, called
from ..analysis.kinds import EAGER
from ..analysis.flow import COMPREHENSIONS, bound
from .new_function import own_nodes
from .new_variable import LOOPS, NewVariable
from ..project.source import FUNCTIONS, around, function_of, is_elif, span


class Occurrences:
    """`nodes` are all that can be meant by the name, in the order in which they stand; `statement` is what the variable
    is made before.
    """

    def __init__(self, text, tree, node):
        self.text, self.tree, self.node = text, tree, node
        self.value = NewVariable(text, tree, node)
        self.parents, self.effects, self.problems = self.value.parents, self.value.effects, list(self.value.problems)
        self.changed_at = None
        home = function_of(tree, node)
        while isinstance(home, ast.Lambda):
            home = function_of(tree, self.parents[home])
        # The body of a class is a scope of its own.
        within = itertools.takewhile(lambda n: n is not home, around(self.parents, node))
        self.home = next((n for n in within if isinstance(n, ast.ClassDef)), home or tree)
        found = (
            [n for each in self.home.body for n in ast.walk(each)]
            if isinstance(node, ast.Constant)
            else own_nodes(self.home.body)
        )
        self.nodes = sorted(
            (n for n in found if n is node or self._is_meant(n)), key=lambda n: (n.lineno, n.col_offset)
        )
        self.block, self.statement = self._place()
        if len(self.nodes) > 1:
            self._check_first()
            self._check_changes()
            self._check_repeated()

    def conflicts(self, path):
        found = [Conflict("meaning", message, path, self.node.lineno) for message in dict.fromkeys(self.problems)]
        changed = Conflict("meaning", refusals.VALUE_CHANGES_BETWEEN.words(), path, self.changed_at)
        return found + ([changed] if self.changed_at is not None else [])

    def _is_meant(self, other):
        if type(other) is not type(self.node) or ast.dump(other) != ast.dump(self.node):
            return False
        outside = list(around(self.parents, other))
        if (
            isinstance(outside[0], ast.Expr)
            or type(outside[0]).__name__.startswith("Match")
            or any(isinstance(n, ast.arg) for n in outside)
        ):
            return False
        for child, parent in zip([other, *outside], outside):
            if child in (getattr(parent, "annotation", None), getattr(parent, "returns", None)) or isinstance(
                parent, ast.JoinedStr
            ):
                return False
            if isinstance(parent, COMPREHENSIONS) and self.value.names & {
                n.id for g in parent.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)
            }:
                return False
            if (
                isinstance(parent, ast.GeneratorExp)
                and self.value.names
                and called(self.parents.get(parent)) not in EAGER
            ):
                return False
            if parent is self.home:
                break
        begin, finish = span(self.text, other)
        try:
            return ast.dump(ast.parse(f"({self.text[begin:finish]}\n)", mode="eval").body) == ast.dump(self.node)
        except SyntaxError:
            return False

    def _place(self):
        """The innermost block that holds them all, and the first of its statements that has one."""
        common = None
        for node in self.nodes:
            path, child = [], node
            for parent in around(self.parents, node):
                for field in ("body", "orelse", "finalbody"):
                    block = getattr(parent, field, None)
                    if (
                        isinstance(block, list)
                        and any(child is each for each in block)
                        and not is_elif(self.text, child)
                    ):
                        path.append((block, child))
                child = parent
                if parent is self.home:
                    break
            common = (
                path
                if common is None
                else [(block, first) for block, first in common if any(block is each for each, _ in path)]
            )
        return common[0]  # ty: ignore[not-subscriptable]

    def _region(self):
        """The statements from the first occurrence to the last."""
        at = [
            index
            for index, each in enumerate(self.block)
            if any(n is node for node in self.nodes for n in ast.walk(each))
        ]
        return self.block[at[0] : at[-1] + 1]

    def _check_first(self):
        first = self.nodes[0]
        value = self.value if first is self.node else NewVariable(self.text, self.tree, first)
        self.problems += value.problems
        way = []
        for parent in around(self.parents, first):
            if parent is self.statement:
                break
            way.append(parent)
        if value.statement is self.statement:
            return
        tests = [n.test for n in [*way, self.statement] if isinstance(n, (ast.If, ast.While))]
        if (
            value.is_hungry
            or value._is_guarded(tests)
            and not self._is_surely_computed(self.block[self.block.index(self.statement) :])
            or value.can_fail
            and any(isinstance(n, ast.Try) or type(n).__name__ == "TryStar" for n in [*way, self.statement])
        ):
            self.problems.append(refusals.UNDER_CONDITION_ONLY.words())

    def _is_surely_computed(self, block):
        """Whether a block computes one of them whichever way it goes."""
        for statement in block:
            own = [
                n
                for n in self.nodes
                if next(each for each in around(self.parents, n) if isinstance(each, ast.stmt)) is statement
            ]
            if any(not _is_optional(self.parents, n) for n in own) and not isinstance(
                statement, (*FUNCTIONS, ast.ClassDef)
            ):
                return True
            if (
                isinstance(statement, ast.If)
                and statement.orelse
                and self._is_surely_computed(statement.body)
                and self._is_surely_computed(statement.orelse)
            ):
                return True
            if any(isinstance(n, (ast.Return, ast.Raise, ast.Break, ast.Continue)) for n in ast.walk(statement)):
                return False
        return False

    def _between(self, node):
        """Whether something happens after the variable is made and before its last use."""
        last = self.nodes[-1]
        if any(node is n for each in self.nodes for n in ast.walk(each)):
            return False
        region = {id(n) for each in self._region() for n in ast.walk(each)}
        loops = [
            n
            for n in around(self.parents, node)
            if isinstance(n, LOOPS) and id(n) in region and any(each is x for each in self.nodes for x in ast.walk(n))
        ]
        if loops:
            return True
        owner = next((n for n in around(self.parents, node) if isinstance(n, ast.stmt)), None)
        if (
            isinstance(owner, (ast.Assign, ast.AnnAssign, ast.AugAssign))
            and not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            and owner.value is not None
            and any(last is n for n in ast.walk(owner.value))
        ):
            # What a statement assigns, it assigns at last.
            return False
        return (node.lineno, node.col_offset) < (last.lineno, last.col_offset)

    def _check_changes(self):
        region = [n for each in self._region() for n in own_nodes([each])]
        for node in (n for n in region if hasattr(n, "lineno") and self._between(n)):
            is_stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
            members = {n.attr for n in ast.walk(self.node) if isinstance(n, ast.Attribute)}
            shares = isinstance(node, ast.Subscript) and any(
                isinstance(n, ast.Name) and n.id in self.value.names for n in ast.walk(node.value)
            )
            if (
                self.value.names & set(bound(node))
                or is_stored
                and (isinstance(node, ast.Attribute) and node.attr in members or shares)
                or any(node is act and self.effects.may_change(act, self.node) for act in self.effects.acts(node))
            ):
                self.changed_at = min(self.changed_at or node.lineno, node.lineno)

    def _check_repeated(self):
        acts = self.effects.acts(self.node)
        if any(
            isinstance(n, (ast.Await, ast.Yield))
            or called(n) in CHANGING
            or called(n) in ("next", "input")
            or called(n) in self.effects.functions
            for n in acts
        ):
            self.problems.append(refusals.EACH_DOES_SOMETHING.words())
        if self.value.is_made:
            self.problems.append(refusals.ONE_SHARED_OBJECT.words())


def _is_optional(parents, node):
    """Whether the statement of an expression may go on without computing it."""
    for parent in around(parents, node):
        if isinstance(parent, ast.stmt):
            return isinstance(parent, ast.Assert) and node is parent.msg
        if (
            isinstance(parent, (*COMPREHENSIONS, ast.Lambda))
            or isinstance(parent, ast.BoolOp)
            and node is not parent.values[0]
            or isinstance(parent, ast.IfExp)
            and node is not parent.test
            or isinstance(parent, ast.Compare)
            and node in parent.comparators[1:]
        ):
            return True
        node = parent
    return False
