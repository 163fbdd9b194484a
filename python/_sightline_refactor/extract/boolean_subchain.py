"""A part of a chain of operands that the syntax groups otherwise: `b and c` in `a and b and c`."""

from .. import refusals
from ..project import trees as ast
from ..analysis.operand_types import Operands
from ..project.source import edited, parents_of, span

# Any grouping of these gives the same.
FREE = (ast.BitOr, ast.BitAnd, ast.BitXor)
CHAINED = (*FREE, ast.Add, ast.Mult)


class Regrouped:
    """The text with the selection in brackets. `problem` says what they may change."""

    def __init__(self, text, tree, source, node):
        self.text, self.tree, self.source, self.problem = text, tree, source, None
        if isinstance(node, ast.BinOp) and not isinstance(node.op, FREE):
            # What comes behind the selection is added to the same as before.
            whole = parents_of(tree)[node]
            is_counted = all(isinstance(n, ast.Constant) and type(n.value) is int for n in _operands(whole))
            kind = Operands(parents_of(tree), whole).type_of(whole)
            if not is_counted and kind not in ("str", "bytes"):
                self.problem = refusals.GROUPED_FROM_THE_LEFT.words()

    @classmethod
    def at(cls, text, tree, start, end):
        """None unless brackets around the selection change no more than what is computed first."""
        source = text[start:end]
        changed = edited(text, [(start, end, f"({source})")])
        try:
            value, after = ast.parse(f"({source}\n)", mode="eval").body, ast.parse(changed)
        except (SyntaxError, ValueError):
            return None
        node = next(
            (
                n
                for n in ast.walk(after)
                if isinstance(n, (ast.BinOp, ast.BoolOp)) and span(changed, n) == (start + 1, end + 1)
            ),
            None,
        )
        is_chain = isinstance(value, ast.BoolOp) or isinstance(value, ast.BinOp) and isinstance(value.op, CHAINED)
        return (
            cls(changed, after, source, node) if node is not None and is_chain and _flat(tree) == _flat(after) else None
        )

    def without_brackets(self, content):
        """The brackets are no longer needed where the selection stands alone."""
        for head in ("return ", " = "):
            content = content.replace(f"{head}({self.source})\n", f"{head}{self.source}\n", 1)
        return content


def _operands(node):
    return [
        each
        for side in (node.left, node.right)
        for each in (_operands(side) if isinstance(side, ast.BinOp) and type(side.op) is type(node.op) else [side])
    ]


def _flat(node):
    """A tree in which it does not matter how the operands of a chain are grouped."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, CHAINED):
        return (type(node.op), *map(_flat, _operands(node)))
    if isinstance(node, ast.BoolOp):
        parts = [
            each
            for value in node.values
            for each in (value.values if isinstance(value, ast.BoolOp) and type(value.op) is type(node.op) else [value])
        ]
        return (type(node.op), *map(_flat, parts))
    if isinstance(node, ast.AST):
        return (type(node), *(_flat(value) for _name, value in ast.iter_fields(node)))
    return tuple(map(_flat, node)) if isinstance(node, list) else node
