"""Names of its old module that what is moved needs only when it is called: variables that others assign while the
program runs, which it must reach through that module, and names that it can import as late as that, when the modules
would otherwise need each other to be loaded.
"""

from .. import refusals
from ..project import trees as ast
from .source_module import no_longer_global
from ..session import Refused
from ..project.source import FUNCTIONS, assigned, line_start, span


class LateNames:
    def __init__(self, moved, variables):
        """`variables` are those of the module that are assigned while the program runs."""
        self._text, self._nodes, self._tree, self._name = moved.text, moved.nodes, moved.tree, moved.name
        bound = {(u.line, u.column) for u in moved.module.uses if u.binding == ""}
        self._uses = [
            n
            for node in moved.nodes
            for n in ast.walk(node)
            if isinstance(n, ast.Name) and (n.lineno, n.col_offset) in bound
        ]
        self.variables = {n.id for n in self._uses if n.id in variables} - {moved.name}
        early = [n.id for n in self._uses if n.id in self.variables and self._function(n) is None]
        if early:
            raise Refused(refusals.READS_AS_IT_LOADS, name=early[0])
        declared = {each for n in self._tree.body if isinstance(n, ast.AnnAssign) for each in assigned(n)}
        given = sorted(
            {n.id for n in self._uses if n.id in self.variables and not isinstance(n.ctx, ast.Load)} - declared
        )
        if given:
            # A type checker takes the first value for its type when another module assigns it.
            raise Refused(refusals.ASSIGNS_UNDECLARED, name=given[0])
        self._names, self.is_late = set(), False

    def can_wait(self, needed):
        """Whether all that it needs of its old module is needed only when it is called; it is then imported there."""
        own = {
            name
            for name in needed
            if any(name in assigned(n) or getattr(n, "name", None) == name for n in self._tree.body)
        } - self.variables
        if any(n.id in own and self._function(n) is None for n in self._uses):
            return False
        self._names, self.is_late = own, bool(own or self.variables)
        return self.is_late

    def waiting(self):
        """The names that are imported where they are needed."""
        return self._names

    def edits(self, module, relative):
        """`module` is what the old module is called in the target, `relative` what it is called where names are
        imported from it.
        """
        taken = {
            getattr(n, "arg", None) or getattr(n, "id", None)
            for node in self._nodes
            for n in ast.walk(node)
            if isinstance(n, (ast.arg, ast.Name))
        } - {n.id for n in self._uses}
        if self.variables and module.split(".")[0] in taken:
            raise Refused(refusals.MODULE_NAME_TAKEN, name=module.split(".")[0])
        found = [(*span(self._text, n), f"{module}.{n.id}") for n in self._uses if n.id in self.variables]
        found += [
            edit
            for name in sorted(self.variables)
            for edit in no_longer_global(self._text, self._tree, name, self._nodes)
        ]
        for function in self._functions() if self.is_late else ():
            names = list(
                dict.fromkeys(
                    n.id
                    for n in sorted(self._uses, key=lambda n: (n.lineno, n.col_offset))
                    if self._function(n) is function
                )
            )
            waiting = [name for name in names if name in self._names]
            lines = [f"from {relative} import {', '.join(waiting)}"] if waiting else []
            lines += [f"import {module}"] if any(name in self.variables for name in names) else []
            if lines:
                found.append(self._first(function, lines))
        return found

    def _functions(self):
        """The outermost functions in it."""
        waiting, found = list(self._nodes), []
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, FUNCTIONS):
                found.append(node)
            else:
                waiting += [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]
        return found

    def _function(self, use):
        """The outermost function in whose body a name is used."""
        return next(
            (
                f
                for f in self._functions()
                if any(each.lineno <= use.lineno <= each.end_lineno and use in ast.walk(each) for each in f.body)
            ),
            None,
        )

    def _first(self, function, lines):
        """Makes statements the first of a function."""
        is_described = (
            isinstance(function.body[0], ast.Expr)
            and isinstance(getattr(function.body[0].value, "value", None), str)
            and len(function.body) > 1
        )
        first = function.body[1 if is_described else 0]
        begin, head = span(self._text, first)[0], line_start(self._text, first.lineno)
        if self._text[head:begin].strip():
            # It stands on the line of the head.
            indent = " " * (function.col_offset + 4)
            return (
                len(self._text[:begin].rstrip()),
                begin,
                "".join(f"\n{indent}{line}" for line in lines) + f"\n{indent}",
            )
        first_line = min([d.lineno for d in getattr(first, "decorator_list", [])] + [first.lineno])
        at = line_start(self._text, first_line)
        return (at, at, "".join(f"{' ' * first.col_offset}{line}\n" for line in lines))
