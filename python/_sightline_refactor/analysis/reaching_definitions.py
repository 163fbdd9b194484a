"""Which uses of a variable that is assigned several times read one of its values and no other."""

from ..project import trees as ast
from . import flow
from ..project.source import around, block_of, function_of, parents_of


class Reached:
    """One assignment of a variable, and the uses that it alone reaches. `uses` is None when that cannot be told."""

    def __init__(self, tree, node, target, uses, stores):
        self.tree, self.parents, self.node, self.name = tree, parents_of(tree), node, target.id
        self.function, self.all, self.stores = function_of(tree, node), uses, stores
        self.uses = self._uses()

    def _uses(self):
        if any(function_of(self.tree, each) is not self.function for each in [*self.all, *self.stores]):
            # A function inside reads what the variable is when it is called.
            return None
        block = block_of(self.tree, self.node)
        found, last = [], self.node
        for statement in block[block.index(self.node) + 1 :]:
            inside = {id(n) for n in ast.walk(statement)}
            found += [use for use in self.all if id(use) in inside]
            if any(id(each) in inside for each in self.stores):
                return found if self._is_next_value(statement) and not self._is_caught() else None
            if self._leaves(statement):
                return None
            last = statement
        scope = self.function if self.function is not None else self.tree
        if self.function is None or self._is_caught() or self.name in flow.needed_after(scope.body, last):
            return None
        return found

    def _is_next_value(self, statement):
        """Whether a statement gives the variable its next value, whatever happens."""
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        return (
            isinstance(statement, (ast.Assign, ast.AnnAssign))
            and statement.value is not None
            and any(isinstance(each, ast.Name) and each.id == self.name for each in targets)
            and not any(isinstance(n, ast.NamedExpr) and n.target.id == self.name for n in ast.walk(statement))
        )

    def _leaves(self, statement):
        """Whether control may go from a statement to where a loop around it goes on."""
        inner = {
            id(n)
            for loop in ast.walk(statement)
            if isinstance(loop, (ast.For, ast.AsyncFor, ast.While))
            for n in ast.walk(loop)
        }
        return any(isinstance(n, (ast.Break, ast.Continue)) and id(n) not in inner for n in ast.walk(statement))

    def _is_caught(self):
        """Whether the value may be read where an error is handled, or after that."""
        scope = self.function if self.function is not None else self.tree
        holding = [
            n
            for n in around(self.parents, self.node)
            if isinstance(n, (ast.Try, ast.With, ast.AsyncWith)) or type(n).__name__ == "TryStar"
        ]
        return any(
            self.name in flow.reads([*getattr(each, "handlers", []), *getattr(each, "finalbody", [])])
            or self.name in flow.needed_after(scope.body, each)
            for each in holding
        )
