"""Inlining a function of several statements: its body takes the place of the statement that calls it."""

import ast
import io
import tokenize

from .expressions import EFFECTS, Inlined
from .names import Module
from .session import Refused
from .source import ATOMS, around, edited, fits, function_of, line_start, parents_of, span

STATEMENTS = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)


class InlinedBody(Inlined):
    """One function, and the calls of it in one file."""

    def __init__(self, text, tree, function, home, owner, is_class, is_new_object):
        super().__init__(text, tree, function, home, "None", owner, is_class, is_new_object)
        self.body = [n for n in function.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
        inside = [n for each in self.body for n in ast.walk(each)]
        self.within = {child: parent for each in self.body for child, parent in parents_of(each).items()}
        self.uses = {name: [n for n in inside if isinstance(n, ast.Name) and n.id == name] for name in self.parameters}
        self.own = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | \
            {n.name for n in inside if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) or isinstance(n, ast.ExceptHandler) and n.name} | \
            {(a.asname or a.name).split(".")[0] for n in inside if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
        self.inner = {n.arg for n in inside if isinstance(n, ast.arg)}
        self.free = {n.id for n in inside if isinstance(n, ast.Name)} - set(self.parameters) - self.own - self.inner
        self.value = ast.Module(body=self.body, type_ignores=[])

    def edits(self, call):
        """What is done to the text of the file for one call."""
        where, parent = f"line {call.lineno}", self.parents.get(call)
        if not isinstance(parent, STATEMENTS) or isinstance(parent, ast.AugAssign) or call is not getattr(parent, "value", None):
            raise Refused(f"the call on {where} is part of a larger expression, and the function has several statements")
        begin, finish = span(self.text, parent)
        start = line_start(self.text, parent.lineno)
        indent, rest = self.text[start:begin], self.text[finish:].split("\n")[0]
        arguments = self._bound(call)
        self.prefix = self._segment(call.func.value) if self.owner is None and isinstance(call.func, ast.Attribute) else ""
        self._refuse_names(call, arguments)
        header, replaced = self._arguments(call, arguments, indent)
        if len(self.body) == 1 and isinstance(self.body[0], ast.Expr) and isinstance(parent, ast.Expr) and not header:
            return [(begin, finish, self._text(self.body[0].value, replaced))]
        if indent.strip() or rest.strip() and not rest.strip().startswith("#"):
            raise Refused(f"other code stands on {where}, and the function is no mere value")
        lines = header + self._lines(replaced, indent)
        last = self.body[-1] if self.body and isinstance(self.body[-1], ast.Return) else None
        value = self._text(last.value, replaced) if last is not None and last.value is not None else "None"
        node = last.value if last is not None and last.value is not None else ast.Constant(None)
        if isinstance(parent, ast.Expr):
            tail = f"{indent}{value}" if any(isinstance(n, EFFECTS) for n in ast.walk(node)) else None
        else:
            held = value if fits(node, parent, call) or isinstance(node, ATOMS + (ast.Tuple,)) else f"({value})"
            tail = indent + edited(self.text[begin:finish], [(span(self.text, call)[0] - begin, span(self.text, call)[1] - begin, held)])
        if tail is not None:
            lines.append(tail + rest)
        elif lines:
            lines[-1] += rest if "#" not in lines[-1] else ""
        else:
            lines.append(f"{indent}pass{rest}")
        return [(start, finish + len(rest), "\n".join(lines))]

    def _refuse_names(self, call, arguments):
        super()._refuse_names(call, arguments)
        clash = self.own & self._names_around(call)
        if clash:
            raise Refused(f'"{sorted(clash)[0]}" is used both in the function and around the call on line {call.lineno}')

    def _names_around(self, call):
        """The names that the function around a call uses, or the module when there is none."""
        scope = function_of(self.tree, call)
        if scope is None:
            return {use.name for use in Module(self.text).uses if use.binding in ("", "builtin", "unknown")}
        inside = set(map(id, ast.walk(self.function)))
        return {n.id for n in ast.walk(scope) if isinstance(n, ast.Name) and id(n) not in inside} | {n.arg for n in ast.walk(scope) if isinstance(n, ast.arg) and id(n) not in inside}

    def _arguments(self, call, arguments, indent):
        """Arguments stand in the place of their parameters; what that would compute at another time or again is given the parameter's name first."""
        taken = self._names_around(call)
        header, replaced = [], {}
        effects = any(isinstance(n, EFFECTS) for each in self.body for n in ast.walk(each))
        loops = any(isinstance(n, (ast.For, ast.While, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)) for each in self.body for n in ast.walk(each))
        for name, (value, source) in arguments.items():
            acting = any(isinstance(n, EFFECTS) for n in ast.walk(value))
            if not self.uses[name] and (not acting or self.is_new_object(value)):
                continue
            changed = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)} & self.own
            is_once = len(self.uses[name]) == 1 and not loops
            is_steady = not acting and (not effects or not any(isinstance(n, (ast.Attribute, ast.Subscript)) for n in ast.walk(value)))
            is_plain = isinstance(value, (ast.Name, ast.Constant)) or is_once and (is_steady or self._is_first(self.uses[name][0]) and (not acting or len(arguments) == 1))
            if is_plain and not changed:
                replaced[name] = (value, source)
            elif name in taken and not (isinstance(value, ast.Name) and value.id == name):
                raise Refused(f'the argument for "{name}" on line {call.lineno} cannot stand in its place, and "{name}" is in use there')
            else:
                header.append(f"{indent}{name} = {f'({source})' if chr(10) in source or isinstance(value, (ast.NamedExpr, ast.Yield, ast.YieldFrom)) else source}")
        return header, replaced

    def _is_first(self, use):
        """Whether a use is computed before anything that has effects."""
        own = [n for each in self.body for n in ast.walk(each) if isinstance(n, EFFECTS)]
        first = next(iter(self.body), None)
        if first is None or isinstance(first, (ast.If, ast.Try, ast.With, ast.For, ast.While)) or not any(use is n for n in ast.walk(first)):
            return False
        return not any((n.end_lineno, n.end_col_offset) <= (use.lineno, use.col_offset) for n in own)

    def _text(self, node, replaced):
        return edited(ast.get_source_segment(self.home, node), [(begin - span(self.home, node)[0], finish - span(self.home, node)[0], new)
                                                                for begin, finish, new in self._edits([node], replaced)])

    def _edits(self, nodes, replaced):
        found = []
        for use in (n for each in nodes for n in ast.walk(each) if isinstance(n, ast.Name)):
            if use.id in replaced:
                value, source = replaced[use.id]
                held = source if fits(value, self.within.get(use), use) else f"({source})"
                if any(isinstance(n, ast.JoinedStr) for n in around(self.within, use)) and held != use.id and any(q in held for q in "\"'{}\\\n"):
                    raise Refused("a parameter is used inside an f-string, where its value cannot be written")
                found.append((*span(self.home, use), held))
            elif use.id in self.renamed:
                found.append((*span(self.home, use), self.renamed[use.id]))
            elif use.id in self.outer and self.prefix:
                found.append((*span(self.home, use), f"{self.prefix}.{use.id}"))
        return found

    prefix = ""

    def _lines(self, replaced, indent):
        """The statements but a last return, with the indentation of the call; what stands inside strings is left alone."""
        nodes = [n for n in self.body if not (n is self.body[-1] and isinstance(n, ast.Return))]
        if not nodes:
            return []
        first = min([nodes[0].lineno] + [d.lineno for d in getattr(nodes[0], "decorator_list", [])])
        start, end = line_start(self.home, first), span(self.home, nodes[-1])[1]
        depth = nodes[0].col_offset
        if self.home[start:span(self.home, nodes[0])[0] if first == nodes[0].lineno else start + depth].strip():
            raise Refused("its body stands on the line of its head")
        end += len(self.home[end:].split("\n")[0])
        edits = self._edits(nodes, replaced)
        text = edited(self.home[start:end], [(begin - start, finish - start, new) for begin, finish, new in edits])
        kept, lines = _inside_strings(text), text.split("\n")
        return [line if number in kept else indent + line[depth:] if line[:depth].strip() == "" and line.strip() else line.strip() and indent + line.lstrip() or "" for number, line in enumerate(lines, 1)]


def _inside_strings(text):
    """The lines that begin inside a string."""
    found = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING or tokenize.tok_name[token.type] in ("FSTRING_MIDDLE",):
                found |= set(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        raise Refused("its body cannot be taken apart") from None
    return found
