"""What else in a file does the same as a selection that becomes a function: it calls the function too."""

from ..project import trees as ast
from ..analysis import flow
from ..analysis.kinds import EFFECTS
from ..project.layout import comments_in
from .source_range import SourceRange
from .new_function import NewFunction
from .data_flow import LOOPS, Selection
from ..session import Refused
from ..project.source import FUNCTIONS, around, header_of, indent_of, line_start, span

SCOPES = (*FUNCTIONS, ast.Lambda, *flow.COMPREHENSIONS)


class Duplicates:
    """`edits` replace them by calls; `is_outside` tells that some cannot reach the new function as a method, but could
    reach one of the module; `is_early` that some run before it is defined, `is_other` that some give other variables
    back.
    """

    def __init__(self, function):
        self.function, self.text, self.tree, self.parents = (
            function,
            function.text,
            function.tree,
            function.selection.parents,
        )
        self.selected, self.selection = function.selected, function.selection
        self.stored = set(flow.stored(self.selected))
        self.taken = [(function.begin, function.end)]
        self.edits, self.is_outside, self.is_early, self.is_other = [], False, False, False
        for nodes in self._candidates():
            begin, finish = span(self.text, nodes[0])[0], span(self.text, nodes[-1])[1]
            if not any(begin < end and start < finish for start, end in self.taken):
                call = self._call(nodes, begin, finish)
                if call is not None:
                    self.taken.append((begin, finish))
                    self.edits.append((begin, finish, call))

    def _candidates(self):
        if len(self.selected) == 1 and all(
            isinstance(n, (ast.Name, ast.Tuple, ast.Assign, ast.Expr, ast.Return, ast.expr_context))
            for each in self.selected
            for n in ast.walk(each)
        ):
            # Everything that only hands something on would be like it.
            return []
        if self.selection.is_expression:
            return sorted(
                (
                    [n]
                    for n in ast.walk(self.tree)
                    if type(n) is type(self.selected[0]) and n is not self.selected[0] and not self._is_text(n)
                ),
                key=lambda nodes: (
                    nodes[0].lineno,
                    nodes[0].col_offset,
                    -nodes[0].end_lineno,
                    -nodes[0].end_col_offset,
                ),
            )
        blocks = [
            getattr(n, field)
            for n in ast.walk(self.tree)
            for field in ("body", "orelse", "finalbody")
            if isinstance(getattr(n, field, None), list)
        ]
        size = len(self.selected)
        found = [block[at : at + size] for block in blocks for at in range(len(block) - size + 1)]
        return sorted(
            (nodes for nodes in found if nodes[0] is not self.selected[0]),
            key=lambda nodes: (nodes[0].lineno, nodes[0].col_offset),
        )

    def _is_text(self, node):
        """A part of an f-string is no expression of its own, nor is a description or an annotation."""
        over = list(around(self.parents, node))
        marked = [
            part
            for n in over
            for part in (getattr(n, "annotation", None), getattr(n, "returns", None))
            if part is not None
        ]
        return (
            any(isinstance(n, ast.JoinedStr) or type(n).__name__.startswith("Match") for n in over)
            or isinstance(over[0], ast.Expr)
            or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            or any(node is n for part in marked for n in ast.walk(part))
        )

    def _call(self, nodes, begin, finish):
        match = _Match(set(self.selection.arguments) - self.stored, self.stored)
        if not all(match.fits(one, other) for one, other in zip(self.selected, nodes)) or not self._means_the_same(
            nodes, match
        ):
            return None
        prefix = self._reached_by(nodes, match)
        if prefix is None:
            return None
        other = Selection(self.tree, nodes, self.function.to_module, lambda name: False)
        returns = [match.renamed.get(name, name) for name in self.selection.returns]
        if other.problems or not set(other.returns) <= set(returns):
            self.is_other = True
            return None
        # A module gives its own variables, which a function written there would see.
        given = [
            match.given[name] if name in match.given else match.renamed.get(name, name)
            for name in self.function.arguments
            if name != self.function.kind()[1]
        ]
        other.returns = returns
        try:
            there = NewFunction(
                SourceRange(self.text, self.tree, begin, finish), other, self.function.name, self.function.to_module
            )
        except Refused:
            return None
        if there.is_ending != self.function.is_ending:
            return None
        self.is_early = self.is_early or self._is_early(nodes[0])
        arguments = [each if isinstance(each, str) else self.text[slice(*span(self.text, each))] for each in given]
        comments = [
            each
            for each in comments_in(self.text[begin:finish])
            if each not in self.text[self.function.begin : self.function.end]
        ]
        if comments and self.text[line_start(self.text, nodes[0].lineno) : begin].strip():
            return None
        # What somebody said there stays there.
        return f"\n{indent_of(self.text, nodes[0].lineno)}".join(
            [*comments, there.call(f"{prefix}{self.function.name}({', '.join(arguments)})")]
        )

    def _means_the_same(self, nodes, match):
        """Whether names that are not given to the function are the same there, and what is given does not depend on
        what is done inside.
        """
        inner = (
            set(flow.stored(nodes))
            | {
                n.id
                for each in nodes
                for c in ast.walk(each)
                if isinstance(c, flow.COMPREHENSIONS)
                for g in c.generators
                for n in ast.walk(g.target)
                if isinstance(n, ast.Name)
            }
            | {a.arg for each in nodes for a in ast.walk(each) if isinstance(a, ast.arg)}
        )
        if any(isinstance(n, ast.Name) and n.id in inner for value in match.given.values() for n in ast.walk(value)):
            return False
        if any(
            isinstance(n, (ast.Attribute, ast.Subscript)) and not self._is_read_first(name)
            for name, value in match.given.items()
            for n in ast.walk(value)
        ):
            return False
        free = (
            {n.id for each in self.selected for n in ast.walk(each) if isinstance(n, ast.Name)}
            - set(self.selection.arguments)
            - self.stored
        )
        home = set(around(self.parents, self.selection.scope)) | (
            {self.selection.scope} if not isinstance(self.selection.scope, FUNCTIONS) else set()
        )
        for scope in (
            n
            for n in around(self.parents, header_of(self.tree, nodes[0]) or nodes[0])
            if isinstance(n, SCOPES) and n not in home
        ):
            if free & _bound_in(scope):
                return False
        return True

    def _is_read_first(self, name):
        """Whether nothing that the function does comes before it reads a parameter."""
        inside = [n for each in self.selected for n in ast.walk(each)]
        uses = [n for n in inside if isinstance(n, ast.Name) and n.id == name]
        acts = [n for n in inside if isinstance(n, (*EFFECTS, ast.Assign, ast.AugAssign))]
        return not any(isinstance(n, (*LOOPS, *SCOPES)) for n in inside) and not any(
            (act.end_lineno, act.end_col_offset) <= (use.lineno, use.col_offset) for act in acts for use in uses
        )

    def _reached_by(self, nodes, match):
        """What stands before the name of the function in a call from there; None when it cannot be called from
        there.
        """
        over = list(around(self.parents, header_of(self.tree, nodes[0]) or nodes[0]))
        owner, kind = self.function.owner, self.function.kind()
        if owner is None:
            holder = (
                next((n for n in around(self.parents, self.selection.scope) if isinstance(n, FUNCTIONS)), None)
                if not self.function.to_module
                else None
            )
            return "" if holder is None or holder in over else None
        decorator, first, prefix = kind
        method = next((n for n in over if isinstance(n, FUNCTIONS) and self.parents.get(n) is owner), None)
        if first is None or prefix != f"{first}.":
            return prefix
        names = [a.arg for a in method.args.posonlyargs + method.args.args] if method is not None else []
        marks = {getattr(d, "id", None) for d in method.decorator_list} if method is not None else set()
        mine = {getattr(d, "id", None) for d in self.selection.scope.decorator_list}
        is_alike = (
            bool(names)
            and marks & {"staticmethod", "classmethod"} == mine & {"staticmethod", "classmethod"}
            and names[0] not in flow.stored(method.body)
        )
        given = match.given.get(first)
        if not is_alike or given is not None and getattr(given, "id", None) != names[0]:
            self.is_outside = self.is_outside or owner not in over
            return None
        return f"{names[0]}."

    def _is_early(self, node):
        """Whether it may run, as the module is loaded, before the new function is defined."""
        place = next(n for n in self.tree.body if any(self.selected[0] is x for x in ast.walk(n)))
        own = next(n for n in self.tree.body if any(node is x for x in ast.walk(n)))
        is_late = lambda each: any(isinstance(n, (*FUNCTIONS, ast.Lambda)) for n in around(self.parents, each))
        if not is_late(header_of(self.tree, node) or node):
            return (
                self.tree.body.index(own) < self.tree.body.index(place)
                or own is place
                and node.lineno <= self.selected[0].lineno
            )
        between = self.tree.body[self.tree.body.index(own) + 1 : self.tree.body.index(place) + 1]
        return any(isinstance(n, (ast.Call, *LOOPS)) and not is_late(n) for each in between for n in ast.walk(each))


class _Match:
    """How a piece of code corresponds to another: `given` is what stands in the place of its parameters, `renamed` what
    its variables are called.
    """

    def __init__(self, parameters, variables):
        self.parameters, self.variables, self.given, self.renamed = parameters, variables, {}, {}

    def fits(self, one, other):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id in self.parameters:
            return self._is_given(one.id, other)
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.Name) and one.id in self.variables:
            if other.id in self.renamed.values() and one.id not in self.renamed:
                return False
            return self.renamed.setdefault(one.id, other.id) == other.id
        if isinstance(one, ast.AST):
            return all(
                self.fits(getattr(one, field, None), getattr(other, field, None))
                for field in one._fields
                if field not in ("kind", "type_comment")
            )
        if isinstance(one, list):
            return len(one) == len(other) and all(map(self.fits, one, other))
        return one == other

    def _is_given(self, name, value):
        if (
            not isinstance(value, ast.expr)
            or isinstance(value, (ast.Starred, ast.Slice, ast.Lambda))
            or not isinstance(getattr(value, "ctx", ast.Load()), ast.Load)
            or any(isinstance(n, EFFECTS) for n in ast.walk(value))
        ):
            return False
        return ast.dump(self.given.setdefault(name, value)) == ast.dump(value)


def _bound_in(scope):
    if isinstance(scope, flow.COMPREHENSIONS):
        return {n.id for g in scope.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    own = {a.arg for a in ast.walk(scope.args) if isinstance(a, ast.arg)}
    shared = {name for n in ast.walk(scope) if isinstance(n, ast.Global) for name in n.names}
    return own if isinstance(scope, ast.Lambda) else (own | set(flow.stored(scope.body))) - shared
