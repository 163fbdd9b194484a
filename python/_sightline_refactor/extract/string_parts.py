"""Extracting a part of a string: the rest is put around the new variable in the way the string is used."""

import re
import string

from .. import refusals
from ..project import trees as ast
from ..session import Refused
from .source_range import SourceRange
from ..project.source import edited, fits, parents_of, span

OPENING = re.compile(r"([a-zA-Z]*)('''|\"\"\"|'|\")")
CONVERSION = re.compile(r"%(?:\(([^)]*)\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?[diouxXeEfFgGcrsab%]")


class StringPart:
    """`value` is the text of the part as a string of its own; `edits` put the variable in its place."""

    def __init__(self, source: SourceRange, node, name):
        text, start, end = source.text, source.begin, source.end
        self.text, self.parents, self.node, self.name = text, parents_of(source.tree), node, name
        begin, finish = span(text, node)
        self.prefix, self.quotes = OPENING.match(text[begin:finish]).groups()
        first, last = begin + len(self.prefix) + len(self.quotes), finish - len(self.quotes)
        # A quote at one end may be selected along.
        start, end = max(start, first), min(end, last)
        self.left, self.part, self.right = text[first:start], text[start:end], text[end:last]
        self.value = self._literal(self.part)
        self.edits = self._in_f_string(start, end) if isinstance(node, ast.JoinedStr) else self._in_string()

    @classmethod
    def at(cls, source: SourceRange, name):
        """None unless the selection lies inside one string, and is not the whole of it."""
        text, start, end = source.text, source.begin, source.end
        for node in ast.walk(source.tree):
            if not (
                isinstance(node, ast.JoinedStr)
                or isinstance(node, ast.Constant)
                and isinstance(node.value, (str, bytes))
            ):
                continue
            begin, finish = span(text, node)
            opening = OPENING.match(text[begin:finish])
            if (
                not (begin <= start < end <= finish)
                or opening is None
                or (begin, finish) == (start, end)
                or isinstance(node, ast.JoinedStr) != ("f" in opening.group(1).lower())
            ):
                continue
            # Several strings side by side are one value.
            inner = text[begin + opening.end() : finish - len(opening.group(2))]
            if opening.group(2) in re.sub(r"\\.", "", inner, flags=re.S) or len(inner) < end - start - len(
                opening.group(2)
            ):
                return None
            return cls(source, node, name)
        return None

    def _literal(self, source):
        return f"{self.prefix.replace('f', '').replace('F', '')}{self.quotes}{source}{self.quotes}"

    def _in_string(self):
        try:
            pieces = [ast.literal_eval(self._literal(each)) for each in (self.left, self.part, self.right)]
        except (SyntaxError, ValueError):
            pieces = []
        if not pieces or pieces[0] + pieces[1] + pieces[2] != self.node.value or not self.part:
            raise Refused(refusals.CUTS_CHARACTER)
        parent = self.parents.get(self.node)
        holder = self.parents.get(parent)
        if (
            type(parent).__name__ == "MatchValue"
            or isinstance(parent, (ast.Expr, ast.arg, ast.AnnAssign))
            and getattr(parent, "value", None) is not self.node
            or isinstance(parent, ast.Expr)
            and self._is_description(parent)
        ):
            raise Refused(refusals.STRING_MUST_BE_WRITTEN)
        place = span(self.text, self.node)
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and parent.left is self.node:
            return self._percent(parent) or [(*place, f"({self._joined()})")]
        if (
            isinstance(parent, ast.Attribute)
            and parent.attr == "format"
            and isinstance(holder, ast.Call)
            and holder.func is parent
        ):
            return self._format(holder) or [(*place, f"({self._joined()})")]
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add):
            return [(*place, self._joined())]
        shown = f"{self._literal(self.left.replace('%', '%%') + '%s' + self.right.replace('%', '%%'))} % {self.name}"
        return [(*place, shown if fits(ast.parse(shown, mode="eval").body, parent, self.node) else f"({shown})")]

    def _joined(self):
        return " + ".join(
            [
                *([self._literal(self.left)] if self.left else []),
                self.name,
                *([self._literal(self.right)] if self.right else []),
            ]
        )

    def _is_description(self, statement):
        body = getattr(self.parents.get(statement), "body", None)
        return isinstance(body, list) and body[0] is statement

    def _percent(self, operation):
        """One more value for `%`, unless the part says itself where values go."""
        counts = [len(CONVERSION.findall(each)) for each in (self.left, self.part, self.right)]
        is_cut = any("%" in CONVERSION.sub("", each) for each in (self.left, self.part, self.right))
        if is_cut or sum(counts) != len(CONVERSION.findall(self.left + self.part + self.right)):
            raise Refused(refusals.CUTS_PLACE_FOR_VALUE)
        right = operation.right
        if counts[1] or "*" in self.left + self.right:
            return None
        added = [(*span(self.text, self.node), self._literal(f"{self.left}%s{self.right}"))]
        values = [m for m in CONVERSION.finditer(self.left) if m.group() != "%%"]
        if isinstance(right, ast.Dict) and right.keys:
            end = span(self.text, right.values[-1])[1]
            return [
                (*span(self.text, self.node), self._literal(f"{self.left}%({self.name})s{self.right}")),
                (end, end, f', "{self.name}": {self.name}'),
            ]
        if isinstance(right, ast.Tuple) and right.elts:
            return added + [_inserted(self.text, right.elts, len(values), self.name)]
        if isinstance(right, (ast.Constant, ast.JoinedStr)):
            begin, end = span(self.text, right)
            one = self.text[begin:end]
            return added + [(begin, end, f"({one}, {self.name})" if values else f"({self.name}, {one})")]
        return None

    def _format(self, call):
        """One more argument for `format`, unless the part says itself where arguments go."""
        try:
            fields = [
                [f for f in string.Formatter().parse(each) if f[1] is not None]
                for each in (self.left, self.part, self.right)
            ]
        except ValueError:
            raise Refused(refusals.CUTS_PLACE_FOR_VALUE) from None
        names = [f[1] for f in fields[0] + fields[2]]
        if (
            fields[1]
            or "{" in self.part
            or "}" in self.part
            or not names
            or any("{" in (f[2] or "") for f in fields[0] + fields[2])
            or any(isinstance(a, ast.Starred) for a in call.args)
            or any(k.arg is None for k in call.keywords)
        ):
            return None
        place = span(self.text, self.node)
        if all(name == "" for name in names):
            return [
                (*place, self._literal(f"{self.left}{{}}{self.right}")),
                _inserted(self.text, call.args, len(fields[0]), self.name),
            ]
        if all(re.match(r"\d+", name) for name in names):  # ty: ignore[no-matching-overload]
            return [
                (*place, self._literal(f"{self.left}{{{len(call.args)}}}{self.right}")),
                _inserted(self.text, call.args, len(call.args), self.name),
            ]
        if all(re.match(r"[^\W\d]", name) for name in names) and call.keywords:  # ty: ignore[no-matching-overload]
            end = span(self.text, call.keywords[-1].value)[1]
            return [
                (*place, self._literal(f"{self.left}{{{self.name}}}{self.right}")),
                (end, end, f", {self.name}={self.name}"),
            ]
        return None

    def _in_f_string(self, start, end):
        begin, finish = span(self.text, self.node)
        changed = edited(self.text[begin:finish], [(start - begin, end - begin, f"{{{self.name}}}")])
        self.value = self._literal(self.part.replace("{{", "{").replace("}}", "}"))
        try:
            after, value = ast.parse(changed, mode="eval").body, ast.literal_eval(self.value)
        except (SyntaxError, ValueError):
            raise Refused(refusals.NO_TEXT_OF_F_STRING) from None
        if _flat(after, self.name, value) != _flat(self.node, None, ""):
            raise Refused(refusals.NO_TEXT_OF_F_STRING)
        return [(begin, finish, changed)]


def _flat(node, name, value):
    """What an f-string is made of, with a text in the place of one variable."""
    found = [""]
    for each in node.values:
        if isinstance(each, ast.FormattedValue) and getattr(each.value, "id", None) == name and name is not None:
            each = ast.Constant(value)
        if isinstance(each, ast.Constant):
            found[-1] += each.value  # ty: ignore[unsupported-operator]
        else:
            found += [ast.dump(each), ""]
    return found


def _inserted(text, items, at, name):
    if at < len(items):
        begin = span(text, items[at])[0]
        return (begin, begin, f"{name}, ")
    end = span(text, items[-1])[1]
    return (end, end, f", {name}")
