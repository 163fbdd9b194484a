"""What is known of the values that an expression adds, multiplies and so on: with the wrong ones that fails."""

from ..project import trees as ast
from .flow import bound
from ..project.source import own_nodes
from ..project.source import FUNCTIONS, around

NUMBERS, TEXTS = ("int", "float", "bool", "complex"), ("str", "bytes")
GIVING = {
    "len": "int",
    "int": "int",
    "float": "float",
    "ord": "int",
    "hash": "int",
    "id": "int",
    "str": "str",
    "repr": "str",
    "chr": "str",
    "bytes": "bytes",
    "bool": "bool",
}


class Operands:
    """`are_unknown` when an operation of the expression may fail for all that the function around it says;
    `may_be_none` when it says that one of its operands can be None.
    """

    def __init__(self, parents, node):
        self.scopes = [each for each in around(parents, node) if isinstance(each, (*FUNCTIONS, ast.Module))]
        operations = [
            n
            for n in ast.walk(node)
            if isinstance(n, ast.BinOp) or isinstance(n, ast.UnaryOp) and not isinstance(n.op, ast.Not)
        ]
        self.are_unknown = any(self.type_of(n) is None for n in operations)
        parts = [each for n in operations for each in ((n.left, n.right) if isinstance(n, ast.BinOp) else (n.operand,))]
        self.may_be_none = any(
            isinstance(each, ast.Name)
            and any(isinstance(value, ast.Constant) and value.value is None for value in self._values(each.id))
            for each in parts
        )

    def type_of(self, node, seen=frozenset()):
        """ "number", "str" or "bytes"; None when it is not known."""
        if isinstance(node, ast.Constant):
            return _kind(type(node.value).__name__)
        if isinstance(node, ast.JoinedStr):
            return "str"
        if isinstance(node, ast.Compare) or isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return "number"
        if isinstance(node, ast.UnaryOp):
            return "number" if self.type_of(node.operand, seen) == "number" else None
        if isinstance(node, ast.Call):
            return _kind(GIVING.get(getattr(node.func, "id", None)))
        if isinstance(node, ast.IfExp):
            kinds = {self.type_of(node.body, seen), self.type_of(node.orelse, seen)}
            return kinds.pop() if len(kinds) == 1 else None
        if isinstance(node, ast.BinOp):
            kinds = [self.type_of(node.left, seen), self.type_of(node.right, seen)]
            if kinds[0] == kinds[1] and (kinds[0] == "number" or isinstance(node.op, ast.Add)):
                return kinds[0]
            return (
                next(iter(set(kinds) - {"number"}), None)
                if isinstance(node.op, ast.Mult) and "number" in kinds
                else None
            )
        if isinstance(node, ast.Name) and node.id not in seen:
            values = self._values(node.id)
            kinds = {each if isinstance(each, str) else self.type_of(each, seen | {node.id}) for each in values}
            kinds = self._compared(node.id) if kinds == {None} else kinds
            return kinds.pop() if len(kinds) == 1 else None
        return None

    def _compared(self, name):
        """What kinds of constants a variable is compared with: it is likely of one of them."""
        compared = [[n.left, *n.comparators] for n in ast.walk(self.scopes[0]) if isinstance(n, ast.Compare)]
        return {
            self.type_of(other)
            for sides in compared
            for other in sides
            if isinstance(other, ast.Constant) and any(getattr(each, "id", None) == name for each in sides)
        }

    def _values(self, name):
        """What a variable is given: expressions, or kinds where only these are known; None among them where nothing
        is.
        """
        for scope in self.scopes:
            own = own_nodes(scope.body)
            found = [each for node in own for each in _given(node, name)] + (
                _of_parameter(scope.args, name) if isinstance(scope, FUNCTIONS) else []
            )
            stores = sum(1 for node in own if name in bound(node))
            if found or stores:
                return found if len(found) >= stores else [None]
        return [None]


def _of_parameter(args, name):
    positional = [*args.posonlyargs, *args.args]
    defaults = dict(zip([a.arg for a in positional][len(positional) - len(args.defaults) :], args.defaults))
    defaults.update({a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None})
    for each in [*positional, *args.kwonlyargs]:
        if each.arg == name:
            kind = _kind(ast.unparse(each.annotation).strip("'\"")) if each.annotation is not None else None
            default = defaults.get(name)
            return [kind if default is None else default, *([kind] if kind and default is not None else [])]
    return [None] if any(a is not None and a.arg == name for a in (args.vararg, args.kwarg)) else []


def _given(node, name):
    """What a statement or expression gives a variable."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if not any(isinstance(each, ast.Name) and each.id == name for each in targets):
        return []
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign)):
        return [node.value]
    return [
        "number"
        if isinstance(node, ast.For) and getattr(getattr(node.iter, "func", None), "id", None) == "range"
        else None
    ]


def _kind(name):
    return "number" if name in NUMBERS else name if name in TEXTS else None
