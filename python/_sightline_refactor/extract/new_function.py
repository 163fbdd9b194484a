"""Writing the function that a selection becomes, and the call that stands in its place."""

import re

from .. import refusals
from ..project import trees as ast
from ..analysis import flow
from ..project.layout import dedented, indented, joined, outdented
from .data_flow import LOOPS
from ..project.source import own_nodes
from ..session import Refused
from .source_range import SourceRange
from ..project.source import FUNCTIONS, indent_of, edited, line_start, span

GIVING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)


class NewFunction:
    """The source is what was selected, with the comments that belong to it."""

    def __init__(self, source: SourceRange, selection, name, to_module):
        self.text, self.tree, self.begin, self.end = source.text, source.tree, source.begin, source.end
        self.selection, self.name = selection, name
        self.selected, self.scope = selection.selected, selection.scope
        own = own_nodes(self.selected)
        self.is_awaiting = any(
            isinstance(n, (ast.Await, ast.AsyncFor, ast.AsyncWith)) or getattr(n, "is_async", 0) for n in own
        )
        self.is_giving = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own)
        self.arguments = list(selection.arguments)
        self.to_module = to_module or not isinstance(self.scope, FUNCTIONS)
        self.owner = (
            None
            if self.to_module or not isinstance(selection.parents.get(self.scope), ast.ClassDef)
            else selection.parents[self.scope]
        )
        # What is done otherwise: the other branches stay.
        self.is_elif = isinstance(self.selected[0], ast.If) and self.text[self.begin :].startswith("elif")
        self.is_ending = self._is_ending(own)
        self._refuse(own)

    def content(self, others=()):
        """The text with the function, and with what else is to be changed."""
        decorator, first, prefix = self.kind()
        if first in self.arguments:
            self.arguments.remove(first)
        parameters = [first] if first else []
        typed = self._typed()
        shown = [f"{name}: {typed[name]}" if name in typed else name for name in self.arguments]
        head = f"{decorator}{'async ' if self.is_awaiting else ''}def {self.name}({', '.join(parameters + shown)}):\n"
        body = "\n".join([*self._declarations(), self._body()])
        indent, at = self._place()
        definition = indented(head + indented(body, self._unit()), indent)
        call = self.call(f"{prefix}{self.name}({', '.join(self.arguments)})")
        if self.is_elif:
            call = f"else:\n{indent_of(self.text, self.selected[0].lineno)}{self._unit()}{call}"
        return edited(self.text, [(self.begin, self.end, call), self._inserted(definition, at), *others])

    def kind(self):
        """What stands before the function, its first parameter, and how it is reached."""
        if self.owner is None:
            return "", None, ""
        marks = {getattr(d, "id", None) for d in self.scope.decorator_list}
        names = [a.arg for a in self.scope.args.posonlyargs + self.scope.args.args]
        path = self.owner.name
        for each in self.selection.around[self.selection.around.index(self.owner) + 1 :]:
            if not isinstance(each, ast.ClassDef):
                break
            path = f"{each.name}.{path}"
        if "staticmethod" in marks:
            return "@staticmethod\n", None, f"{path}."
        is_bound = any(isinstance(n, ast.Name) and n.id == "super" for each in self.selected for n in ast.walk(each))
        if "classmethod" in marks and names and names[0] not in self.arguments and not is_bound:
            return "@classmethod\n", "cls", f"{path}."
        if not names:
            raise Refused(refusals.METHOD_WITHOUT_SELF)
        if names[0] in flow.stored(self.scope.body):
            raise Refused(refusals.METHOD_ASSIGNS_SELF, name=names[0])
        # These are given the class, whether they say so or not.
        is_of_class = "classmethod" in marks or self.scope.name in ("__new__", "__init_subclass__", "__class_getitem__")
        return "@classmethod\n" if is_of_class else "", names[0], f"{names[0]}."

    def _typed(self):
        """Parameters that say what a type variable stands for in a function inside, a cast or an annotation: they keep
        their types.
        """
        inner = {
            word
            for n in own_nodes(self.selected)
            if isinstance(n, FUNCTIONS)
            for each in ast.walk(n.args)
            if isinstance(each, ast.arg)
            for word in _words(each.annotation)
        }
        inner |= {word for n in own_nodes(self.selected) if isinstance(n, FUNCTIONS) for word in _words(n.returns)}
        inner |= {
            word
            for n in own_nodes(self.selected)
            for word in _words(n.annotation if isinstance(n, ast.AnnAssign) else _cast_to(n))
        }
        variables = {
            target.id
            for n in ast.walk(self.tree)
            if isinstance(n, ast.Assign)
            and isinstance(n.value, ast.Call)
            and ast.unparse(n.value.func).split(".")[-1] in ("TypeVar", "ParamSpec", "TypeVarTuple")
            for target in n.targets
            if isinstance(target, ast.Name)
        } & inner
        if not variables or not isinstance(self.scope, FUNCTIONS):
            return {}
        args = self.scope.args
        return {
            a.arg: ast.get_source_segment(self.text, a.annotation)
            for a in args.posonlyargs + args.args + args.kwonlyargs
            if set(_words(a.annotation)) & variables
        }

    def _is_ending(self, own):
        """Whether control never goes on behind the selection, or would leave the function there anyway."""
        if not any(isinstance(n, ast.Return) for n in own):
            return False
        return flow.surely_assigned(self.selected, swallowing=True) is None or self._is_last()

    def _is_last(self):
        node = self.selected[-1]
        while node is not self.scope:
            parent = self.selection.parents[node]
            if isinstance(parent, (*LOOPS, ast.Try)) or getattr(parent, "finalbody", None):
                return False
            block = next(
                (
                    b
                    for b in (getattr(parent, f, None) for f in ("body", "orelse"))
                    if isinstance(b, list) and node in b
                ),
                None,
            )
            if block is not None and block[-1] is not node:
                return False
            node = parent
        return True

    def _refuse(self, own):
        inside = {id(n) for loop in own if isinstance(loop, LOOPS) for n in ast.walk(loop)}
        if any(isinstance(n, (ast.Break, ast.Continue)) and id(n) not in inside for n in own):
            raise Refused(refusals.LEAVES_LOOP)
        if any(isinstance(n, ast.Return) for n in own) and not self.is_ending:
            raise Refused(refusals.RETURNS_SOMETIMES)
        if self.to_module and any(
            isinstance(n, ast.Nonlocal)
            for n in own_nodes(self.scope.body)
            if set(n.names if isinstance(n, ast.Nonlocal) else ()) & set(flow.stored(self.selected))
        ):
            raise Refused(refusals.ASSIGNS_NONLOCAL)
        if self.is_giving and not isinstance(self.scope, ast.FunctionDef):
            raise Refused(refusals.YIELD_CANNOT_BE_HANDED_ON)
        if isinstance(self.selected[0], ast.expr) and any(isinstance(n, ast.NamedExpr) for n in own):
            needed = (
                flow.needed_after(self.scope.body, self._statement())
                if not isinstance(self.scope, ast.Lambda)
                else set()
            )
            rest = {
                n.id
                for n in ast.walk(self._statement())
                if isinstance(n, ast.Name) and id(n) not in self.selection.inside
            }
            inner = {n.target.id for n in own if isinstance(n, ast.NamedExpr) and n is not self.selected[0]}
            if inner & (needed | rest):
                raise Refused(refusals.WALRUS_NEEDED_OUTSIDE)

    def _statement(self):
        node = self.selected[0]
        while not isinstance(node, ast.stmt):
            node = self.selection.parents[node]
        return node

    def _declarations(self):
        """`global` and `nonlocal` hold for the new function too, where it assigns such names."""
        stored = flow.stored(self.selected)
        inside = [n for n in own_nodes(self.selected) if isinstance(n, (ast.Global, ast.Nonlocal))]
        found = []
        for kind, word in ((ast.Global, "global"), (ast.Nonlocal, "nonlocal")):
            there = {
                name for n in own_nodes(self.scope.body) if isinstance(n, kind) and n not in inside for name in n.names
            }
            names = [name for name in stored if name in there and not any(name in n.names for n in inside)]
            found += [f"{word} {', '.join(names)}"] if names else []
        return found

    def _body(self):
        if self.selection.is_expression:
            source, node = joined(outdented(self.text, self.begin, self.end)), self.selected[0]
            if (
                isinstance(node, (ast.Yield, ast.YieldFrom, ast.NamedExpr))
                and not source.startswith("(")
                or isinstance(node, ast.GeneratorExp)
                and self.text[span(self.text, node)[0] :][: len(source)] != source
            ):
                source = f"({source})"
            return f"return {source}"
        lines = dedented(self.text, self.begin, self.end)
        if self.is_elif:
            lines[0] = lines[0].removeprefix("el")
        returns = [] if self.is_ending else self.selection.returns
        return "\n".join([*lines, *([f"return {', '.join(returns)}"] if returns else [])])

    def call(self, call):
        """What stands in the place of the selection."""
        call = f"await {call}" if self.is_awaiting else f"yield from {call}" if self.is_giving else call
        if isinstance(self.selected[0], ast.NamedExpr) and (
            not self._declarations()
            or self.selected[0].target.id in flow.needed_after(self.scope.body, self._statement())
        ):
            new = f"{self.selected[0].target.id} := {call}"
            return f"({new})" if self.text[self.begin] == "(" and not self.text[: self.begin].endswith("(") else new
        if self.selection.is_expression:
            parent = self.selection.parents.get(self.selected[0])
            is_whole = (
                isinstance(parent, GIVING)
                and self.selected[0] is getattr(parent, "value", None)
                or self.text[: self.begin].endswith("(")
                and self.text[self.end :].startswith(")")
            )
            return (
                call
                if is_whole
                or not self.is_giving
                and not self.is_awaiting
                or self.is_awaiting
                and isinstance(parent, (ast.Call, ast.keyword))
                and self.selected[0] is not getattr(parent, "func", None)
                else f"({call})"
            )
        if self.is_ending:
            return f"return ({call})" if self.is_giving else f"return {call}"
        return self._still_global() + (
            f"{', '.join(self.selection.returns)} = {call}" if self.selection.returns else call
        )

    def _still_global(self):
        """What it declares global is so for the rest of the function too."""
        inside = [
            name for n in own_nodes(self.selected) if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names
        ]
        rest = {
            n.id for n in own_nodes(self.scope.body) if isinstance(n, ast.Name) and id(n) not in self.selection.inside
        }
        if not rest & set(inside) or not isinstance(self.scope, FUNCTIONS):
            return ""
        start = line_start(self.text, self.selected[0].lineno)
        indent = self.text[start : span(self.text, self.selected[0])[0]]
        if indent.strip():
            raise Refused(refusals.SHARES_ITS_LINE)
        word = "global" if any(isinstance(n, ast.Global) for n in own_nodes(self.selected)) else "nonlocal"
        return f"{word} {', '.join(name for name in dict.fromkeys(inside) if name in rest)}\n{indent}"

    def _unit(self):
        """One step of indentation, as it is in the function around."""
        if isinstance(self.scope, FUNCTIONS) and self.scope.body[0].lineno > self.scope.lineno:
            inner, outer = indent_of(self.text, self.scope.body[0].lineno), indent_of(self.text, self.scope.lineno)
            if inner.startswith(outer) and not inner[len(outer) :].strip():
                return "\t" if inner[len(outer) :].startswith("\t") else "    "
        return "    "

    def _place(self):
        """The indentation of the new function, and the line before which it stands."""
        if isinstance(self.scope, ast.Module):
            node = next(n for n in self.tree.body if any(self.selected[0] is x for x in ast.walk(n)))
            return "", min([d.lineno for d in getattr(node, "decorator_list", [])] + [node.lineno])
        home = self.scope
        if self.to_module:
            home = next(n for n in self.tree.body if any(self.scope is x for x in ast.walk(n)))
        return indent_of(self.text, home.lineno), self._end_of(home) + 1

    def _end_of(self, home):
        """The last line of a definition, with the comments at the end of its body."""
        lines, line = self.text.split("\n"), home.end_lineno
        for number in range(home.end_lineno, len(lines)):
            shown = lines[number]
            if shown.strip() and not (
                shown.lstrip().startswith("#") and len(shown) - len(shown.lstrip()) > home.col_offset
            ):
                break
            line = number + 1 if shown.strip() else line
        return line

    def _inserted(self, definition, line):
        if isinstance(self.scope, ast.Module):
            at = line_start(self.text, line)
            return (at, at, f"{definition}\n\n" if at == 0 else f"\n{definition}\n\n")
        if line > self.text.count("\n") + 1:
            return (len(self.text), len(self.text), f"\n\n{definition}\n")
        at = line_start(self.text, line)
        return (at, at, f"\n{definition}\n")


def _words(annotation):
    return re.findall(r"[^\W\d]\w*", ast.unparse(annotation)) if annotation is not None else []


def _cast_to(node):
    is_cast = isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "cast" and node.args
    return node.args[0] if is_cast else None
