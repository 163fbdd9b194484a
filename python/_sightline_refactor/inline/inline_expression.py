"""Inlining a function that is one expression: each call becomes that expression with the arguments in the place of the
parameters.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import refusals
from ..project import trees as ast
from .f_strings import for_f_string
from ..project.layout import further, is_complete, nearer, outdented
from ..project.names import BUILTINS
from ..analysis.kinds import EAGER, EFFECTS, NEW_OBJECTS
from ..session import Refused
from ..project.source import ATOMS, around, edited, fits, indent_of, line_start, parents_of, span

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def value_of(text, function):
    """What a function returns, as the text of one expression; None when it does more than return a value."""
    statements = [n for n in function.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    return _chain(text, statements)


def _chain(text, statements):
    if len(statements) == 1 and isinstance(statements[0], ast.Return) and statements[0].value is not None:
        begin, finish = span(text, statements[0].value)
        source = outdented(text, begin, finish)
        if "\n" in source and text[:begin].rstrip().endswith("(") and text[finish:].lstrip().startswith(")"):
            return f"({source})"
        return source
    if statements and isinstance(statements[0], ast.If):
        otherwise = [*statements[0].orelse, *statements[1:]]
        chosen = [
            _chain(text, statements[0].body),
            outdented(text, *span(text, statements[0].test)),
            _chain(text, otherwise),
        ]
        if None not in chosen:
            one, test, other = (each if _stands(each, at) else f"({each})" for at, each in enumerate(chosen))
            return f"{one} if {test} else {other}"
    return None


def _stands(source, at):
    """Whether an expression can be part of a conditional one as it is; the last part may be one itself."""
    value = _parsed(source)
    return not isinstance(
        value, (ast.Lambda, ast.NamedExpr, ast.Tuple, ast.Starred) + (() if at == 2 else (ast.IfExp,))
    )


def _parsed(source):
    return ast.parse(f"({source}\n)", mode="eval").body


@dataclass(frozen=True)
class Called:
    """A function that is called: `home` is the text in which it stands, `value` the expression that it is, `owner` its
    class. The others tell whether a text names a class, and whether a node only makes an object.
    """

    function: Any
    home: str
    value: str | None
    owner: Any
    is_class: Callable[[str], bool]
    is_new_object: Callable[[ast.AST], bool]


class Inlined:
    """One function, and the calls of it in one file."""

    def __init__(self, called: Called, text, tree):
        function, home, owner = called.function, called.home, called.owner
        value = called.value or "None"
        self.text, self.tree, self.function, self.home, self.owner = text, tree, function, home, owner
        self.is_class, self.is_new_object = called.is_class, called.is_new_object
        self.module = tree if text == home else ast.parse(home)
        self.parents = parents_of(tree)
        self.source = value if is_complete(value) else f"({value})"
        self.value = ast.parse(self.source, mode="eval").body
        self.within = parents_of(ast.Expression(self.value))
        self.kind = next(
            (d.id for d in function.decorator_list if isinstance(d, ast.Name)),
            "method" if owner is not None else "function",
        )
        self.parameters = [a.arg for a in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]
        self.calls = []
        # Variables that other functions assign while the function runs.
        self.shared = {each for n in ast.walk(tree) if isinstance(n, (ast.Global, ast.Nonlocal)) for each in n.names}
        inner = {
            n.id
            for each in ast.walk(self.value)
            if isinstance(each, SCOPES)
            for n in ast.walk(each)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        self.inner = inner | {
            n.arg
            for each in ast.walk(self.value)
            if isinstance(each, ast.Lambda)
            for n in ast.walk(each.args)
            if isinstance(n, ast.arg)
        }
        self.free = {n.id for n in ast.walk(self.value) if isinstance(n, ast.Name)} - set(self.parameters) - self.inner
        self.defaults = {
            n.id
            for each in [*function.args.defaults, *function.args.kw_defaults]
            if each is not None
            for n in ast.walk(each)
            if isinstance(n, ast.Name)
        }
        self.free |= self.defaults
        # Names of the module of the function, for calls in other modules, and what these are called there.
        self.outer, self.renamed = set(), {}
        # What the module of the function calls the module of the call, which has no need of it.
        self.itself = set()
        self.uses = {
            name: [n for n in ast.walk(self.value) if isinstance(n, ast.Name) and n.id == name]
            for name in self.parameters
        }

    def replacement(self, call):
        """What stands in the place of a call."""
        arguments = self._bound(call)
        self._refuse_names(call, arguments)
        self._refuse_order(call, arguments)
        edits, indent = [], indent_of(self.text, call.lineno)
        for name, argument in arguments.items():
            for use in self.uses[name]:
                source = nearer(argument[1], indent)
                value = _parsed(source)
                if any(isinstance(n, ast.JoinedStr) for n in around(self.within, use)):
                    begin, finish = span(self.source, use)
                    source = for_f_string(self.source, begin, source) if self.source[begin:finish] == name else None
                    if source is None:
                        raise Refused(refusals.ARGUMENT_IN_F_STRING, name=name, line=call.lineno)
                elif not fits(value, self.within.get(use), use) and not _is_enclosed(source):
                    source = f"({source})"
                edits.append((*span(self.source, use), source))
        edits += [
            self._unqualified(self.source, n, call)
            for n in ast.walk(self.value)
            if isinstance(n, ast.Name) and n.id in self.itself
        ]
        if self.owner is None and isinstance(call.func, ast.Attribute):
            # What it reads is reached the way the function was.
            edits += [
                (*span(self.source, n), f"{self._segment(call.func.value)}.{n.id}")
                for n in ast.walk(self.value)
                if isinstance(n, ast.Name) and n.id in self.outer
            ]
        else:
            edits += [
                (*span(self.source, n), self.renamed[n.id])
                for n in ast.walk(self.value)
                if isinstance(n, ast.Name) and n.id in self.renamed
            ]
        result = edited(self.source, edits)
        parent = self.parents.get(call)
        if not fits(_parsed(result), parent, call) and not _is_enclosed(result):
            result = f"({result})"
        return further(result, indent)

    def _unqualified(self, source, module, call):
        """The edit by which a member of the module in which the call stands is reached without that module."""
        member = self.within.get(module)
        if not isinstance(member, ast.Attribute) or member.attr in shadowing(
            self.tree, self.parents, call, self.function
        ):
            raise Refused(refusals.MODULE_ITSELF, name=module.id, line=call.lineno)
        return (span(source, module)[0], span(source, member)[1] - len(member.attr), "")

    def _segment(self, node):
        """The text of an argument, with the calls in it replaced as well."""
        source = ast.get_source_segment(self.text, node)
        inner = [c for c in self.calls if any(c is n for n in ast.walk(node))]
        outer = [c for c in inner if not any(each is not c and any(c is n for n in ast.walk(each)) for each in inner)]
        if source is None or not outer:
            return source
        start = span(self.text, node)[0]
        return edited(
            source,
            [
                (begin - start, finish - start, self.replacement(c))
                for c in outer
                for begin, finish in [span(self.text, c)]
            ],
        )

    def _bound(self, call):
        where = f"line {call.lineno}"
        if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            raise Refused(refusals.PASSES_STARRED_ARGUMENTS, where=where)
        given = [(a, self._segment(a)) for a in call.args]
        names = list(self.parameters)
        if self.owner is not None and self.kind != "staticmethod":
            if not isinstance(call.func, ast.Attribute):
                raise Refused(refusals.CALLED_WITHOUT_OBJECT, where=where)
            receiver = (call.func.value, self._segment(call.func.value))
            is_class = self.is_class(receiver[1])
            if self.kind == "property" and is_class:
                raise Refused(refusals.PROPERTY_ITSELF_USED, where=where)
            if self.kind == "classmethod" and not is_class:
                raise Refused(refusals.CLASS_OF_CALL_UNKNOWN, where=where)
            if self.kind == "classmethod" or not is_class:
                given.insert(0, receiver)
        elif (
            isinstance(call.func, ast.Attribute)
            and any(isinstance(n, EFFECTS) for n in ast.walk(call.func.value))
            and not self.is_new_object(call.func.value)
        ):
            raise Refused(refusals.OBJECT_FROM_CALL_LOST, where=where)
        positional = self.function.args.posonlyargs + self.function.args.args
        if len(given) > len(positional):
            raise Refused(refusals.TOO_MANY_ARGUMENTS, where=where)
        found = dict(zip(names, given))
        for keyword in call.keywords:
            if keyword.arg not in names or keyword.arg in found:
                raise Refused(refusals.KEYWORD_DOES_NOT_FIT, where=where, keyword=keyword.arg)
            found[keyword.arg] = (keyword.value, self._segment(keyword.value))
        args = self.function.args
        defaults = dict(zip([a.arg for a in positional][len(positional) - len(args.defaults) :], args.defaults))
        defaults.update({a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None})
        for name in names:
            if name not in found:
                default = defaults.get(name)
                if default is None:
                    raise Refused(refusals.ARGUMENT_NOT_PASSED, where=where, name=name)
                if not self._is_fixed(default) and self.uses[name]:
                    raise Refused(refusals.DEFAULT_IS_COMPUTED, name=name)
                found[name] = (default, ast.get_source_segment(self.home, default))
        if any(source is None for _value, source in found.values()):
            raise Refused(refusals.CALL_TEXT_UNKNOWN, where=where)
        return found

    def _is_fixed(self, default):
        """Whether a default value is the same whenever it is computed: written out, or a variable of the module that is
        assigned once.
        """
        if isinstance(default, ast.Name):
            stores = [
                n
                for n in ast.walk(self.module)
                if isinstance(n, ast.Name) and n.id == default.id and not isinstance(n.ctx, ast.Load)
            ]
            is_shared = any(isinstance(n, ast.Global) and default.id in n.names for n in ast.walk(self.module))
            return (
                not is_shared
                and len(stores) == 1
                and any(isinstance(n, ast.Assign) and stores[0] in n.targets for n in self.module.body)
            )
        if isinstance(default, ast.UnaryOp):
            return isinstance(default.operand, ast.Constant)
        return (
            isinstance(default, ast.Constant)
            or isinstance(default, ast.Tuple)
            and all(self._is_fixed(each) for each in default.elts)
        )

    def _refuse_names(self, call, arguments):
        """Names must mean at the call what they mean in the function, and in the function what they mean at the
        call.
        """
        where = f"line {call.lineno}"
        inner = self.inner
        for name in sorted(self.free & shadowing(self.tree, self.parents, call, self.function)):
            raise Refused(refusals.MEANS_OTHER_AT_CALL, name=name, where=where)
        for name, (value, _source) in arguments.items():
            reads = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
            if reads & inner:
                raise Refused(refusals.ARGUMENT_MEANS_OTHER, name=name, where=where, other=sorted(reads & inner)[0])
        private = any(
            isinstance(n, ast.Attribute) and n.attr.startswith("__") and not n.attr.endswith("__")
            for n in ast.walk(self.value)
        )
        if private and self.owner is not None and not any(call is n for n in ast.walk(self.owner)):
            raise Refused(refusals.USES_PRIVATE_MEMBER, where=where)

    def _refuse_order(self, call, arguments):
        """What has effects must happen once, and in the order in which it happens now."""
        where = f"line {call.lineno}"
        own = [n for n in ast.walk(self.value) if isinstance(n, EFFECTS)]
        acting = [
            name for name, (value, _) in arguments.items() if any(isinstance(n, EFFECTS) for n in ast.walk(value))
        ]
        last = (0, 0)
        for name, (value, _source) in arguments.items():
            uses = self.uses[name]
            late = [u for u in uses if self._is_late(u)]
            if late and not isinstance(value, ast.Constant):
                raise Refused(refusals.LATER_VALUES_SEEN, name=name, where=where)
            if any(isinstance(n, NEW_OBJECTS) for n in ast.walk(value)) and len(uses) > 1:
                raise Refused(refusals.ARGUMENT_OBJECT_PER_USE, name=name, where=where)
            if name in acting and not uses and self.is_new_object(value):
                continue
            if name in acting and (len(uses) != 1 or self._is_conditional(uses[0])):
                raise Refused(refusals.ARGUMENT_NOT_EVALUATED_ONCE, name=name, where=where)
            changeable = name in acting or any(
                isinstance(n, (ast.Attribute, ast.Subscript)) or isinstance(n, ast.Name) and n.id in self.shared
                for n in ast.walk(value)
            )
            if changeable and (own or acting):
                for use in uses:
                    at = (use.end_lineno, use.end_col_offset)
                    before = [n for n in own if (n.end_lineno, n.end_col_offset) < at]
                    # A function of the language does not change what an attribute is.
                    if at < last or any(
                        name in acting or getattr(getattr(n, "func", None), "id", None) not in BUILTINS for n in before
                    ):
                        raise Refused(refusals.ARGUMENT_AT_OTHER_TIME, name=name, where=where)
                    last = max(last, at)

    def _is_late(self, node):
        while node in self.within:
            parent = self.within[node]
            if isinstance(parent, ast.Lambda):
                return True
            if isinstance(parent, ast.GeneratorExp):
                user = self.within.get(parent)
                if not (
                    isinstance(user, ast.Call)
                    and (getattr(user.func, "id", None) or getattr(user.func, "attr", None)) in EAGER
                ):
                    return True
            node = parent
        return False

    def _is_conditional(self, node):
        while node in self.within:
            parent = self.within[node]
            if (
                isinstance(parent, ast.BoolOp)
                and node is not parent.values[0]
                or isinstance(parent, ast.IfExp)
                and node is not parent.test
                or isinstance(parent, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
                or isinstance(parent, ast.Compare)
                and node not in (parent.left, parent.comparators[0])
            ):
                return True
            node = parent
        return False


def shadowing(tree, parents, place, function):
    """The names that the scopes around a place bind, up to those that are also around the function."""
    shared = {id(n) for n in around(parents, function)}
    found = set()
    for each in around(parents, place):
        if id(each) in shared or each is function:
            break
        if isinstance(each, SCOPES):
            found |= {
                n.id for n in ast.walk(each) if isinstance(n, ast.Name) and isinstance(n.ctx, (ast.Store, ast.Del))
            }
            found |= {n.arg for n in ast.walk(each) if isinstance(n, ast.arg)}
            found |= {
                n.name
                for n in ast.walk(each)
                if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) and n is not each
            }
            found |= {
                (a.asname or a.name).split(".")[0]
                for n in ast.walk(each)
                if isinstance(n, (ast.Import, ast.ImportFrom))
                for a in n.names
            }
        elif isinstance(each, ast.ClassDef):
            found |= {
                n.id for s in each.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
    return found


def _is_enclosed(source):
    """Whether brackets hold the whole of it together."""
    if not source.startswith(("(", "[", "{")):
        return isinstance(_parsed(source), ATOMS) and "\n" not in source
    depth = 0
    for at, char in enumerate(
        re.sub(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", lambda m: "_" * len(m.group()), source)
    ):
        depth += char in "([{"
        depth -= char in ")]}"
        if depth == 0:
            return at == len(source) - 1
    return False


def without_function(text, tree, function):
    """The edit that takes a function out, with the smaller of the gaps around it; a class that has nothing else gets
    `pass`.
    """
    lines = text.split("\n")
    first = min([d.lineno for d in function.decorator_list] + [function.lineno])
    start, end = first - 1, function.end_lineno
    before = next((n for n in range(start) if lines[start - 1 - n].strip()), start)
    after = next((n for n in range(len(lines) - end) if lines[end + n].strip()), len(lines) - end)
    block = next((n for n in ast.walk(tree) if function in getattr(n, "body", ())), tree)
    new = (
        " " * function.col_offset + "pass\n"
        if isinstance(block, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.If)) and len(block.body) == 1
        else ""
    )
    is_first = isinstance(block, ast.ClassDef) and block.body[0] is function
    end += 0 if new else min(before, after) if start > before and not is_first else after
    return (line_start(text, first), line_start(text, end + 1) if end < len(lines) else len(text), new)
