"""How those who call name a parameter, or a field of a class that takes its fields so: by keywords, in dictionaries
that are handed over, in decorators.
"""

import io
import re
import sys

from ..project import trees as ast
from ..project.classes import Classes, parameters
from .kwargs_forwarding import callee, given, handed_on, reaches_nothing_else, taken
from ..project.source import FUNCTIONS, name_place, utf16_column

# What makes a copy of an object with other values for some fields.
COPYING = {"replace", "evolve", "_replace", "__replace__"}
COMMON_TYPES = (
    str,
    bytes,
    int,
    float,
    complex,
    list,
    tuple,
    dict,
    set,
    frozenset,
    type,
    object,
    BaseException,
    type(sys),
    type(len),
    type(lambda: 0),
    io.TextIOWrapper,
    io.BytesIO,
    type((x for x in ())),
)


class KeywordUses:
    """What a family knows of that; it says which callables have the parameter, and which others have one of its
    name.
    """

    _callables: "set | frozenset" = frozenset()
    _others: "set | frozenset" = frozenset()
    _takes_all: "set | frozenset" = frozenset()
    _is_by_keyword = True
    # The family's own.
    classes: Classes
    name: str
    kind: "str | None"
    places: list
    owners: list
    has_keywords: bool
    is_only_field: bool

    def _place(self, module, node):
        raise NotImplementedError

    def is_keyword(self, path, line, column):
        raise NotImplementedError

    def keywords(self):
        """Where a field is the keyword of a class that takes its fields so."""
        classes = [one for each in self.owners for one in self.classes.line(each)] if self.has_keywords else []
        for module in self.classes.modules() if classes else ():
            for call in module.nodes if self.name in module.text else ():
                for keyword in call.keywords if isinstance(call, ast.Call) else ():
                    if keyword.arg == self.name and (
                        callee(call) in COPYING
                        and self.is_only_field
                        or self.classes.called(module, ast.unparse(call.func).split(".")) in classes
                    ):
                        yield self._place(module, keyword)

    def named_by_decorators(self):
        """Strings of decorators that name a parameter: options of commands, parts of paths."""
        for path, line, column in self.places:
            module = self.classes.module(path)
            functions = (
                [
                    n
                    for n in module.nodes
                    if isinstance(n, FUNCTIONS) and any(is_at(module, a, line, column) for a in parameters(n))
                ]
                if module is not None
                else []
            )
            for decorator in (
                d
                for function in functions
                for d in function.decorator_list
                if not re.search(r"parametrize|usefixtures|patch", ast.unparse(d).split("(")[0])
            ):
                yield from ((path, n.lineno) for n in ast.walk(decorator) if is_named(n, self.name))

    def spread_at(self):
        """Calls of the function that hand over keywords nobody sees (`**options`), in modules where the name is also a
        key.
        """
        spelled = {id(key) for _module, key in self._spelled()}
        for module in self.classes.modules():
            keys = [n for n in module.nodes if is_named(n, self.name) and id(n) not in spelled]
            keys += [
                k
                for n in module.nodes
                if isinstance(n, ast.Call) and getattr(n.func, "id", None) == "dict"
                for k in n.keywords
                if k.arg == self.name and id(k) not in spelled
            ]
            for node in module.nodes if keys else ():
                if (
                    isinstance(node, ast.Call)
                    and any(_is_unseen(k) for k in node.keywords)
                    and callee(node) in self._callables
                    or isinstance(node, ast.Call)
                    and any(k.arg in ("kwargs", "kwds") for k in node.keywords)
                    and given(node, self._callables)
                ):
                    yield module.path, node.lineno

    def spelled(self):
        """Places of the name in dictionaries that are written out in a call of the function: `f(**{"name": 1})`,
        `f(**dict(name=1))`.
        """
        return [self._place(module, key) for module, key in self._spelled()]

    def _spelled(self):
        calls = [
            (module, n)
            for module in self.classes.modules()
            if self.name in module.text
            for n in module.nodes
            if isinstance(n, ast.Call) and callee(n) in self._callables - self._others
        ]
        for module, given_on in ((module, k.value) for module, call in calls for k in call.keywords if k.arg is None):
            keys = (
                given_on.keys
                if isinstance(given_on, ast.Dict)
                else given_on.keywords
                if isinstance(given_on, ast.Call) and getattr(given_on.func, "id", None) == "dict"
                else []
            )
            yield from (
                (module, key) for key in keys if self.name in (getattr(key, "value", None), getattr(key, "arg", None))
            )

    def absorbed(self, new):
        """Calls that hand over the new name as one of the keywords that the function takes with `**`."""
        for module in self.classes.modules() if self.kind == "parameter" and self._takes_all else ():
            for node in module.nodes if new in module.text else ():
                if (
                    isinstance(node, ast.Call)
                    and callee(node) in self._takes_all
                    and any(k.arg == new for k in node.keywords)
                ):
                    yield module.path, node.lineno

    def handed_on(self):
        """Places of the keywords that may reach the function through others, and those among them that can reach
        nothing else.
        """
        modules, places = self.classes.modules(), set(self.places)
        found = {
            self._place(module, keyword): whose
            for module, keyword, whose in handed_on(modules, self.name, self._callables)
        }
        is_certain = bool(found) and reaches_nothing_else(
            modules,
            self.name,
            self._callables,
            lambda module, node: self._place(module, node) in places,
            self._is_own_call,
        )
        return sorted(found), [place for place, whose in found.items() if is_certain and whose != "dict"]

    def _is_own_call(self, module, function, call):
        """Whether what a function calls is known to be of the project: by its name, or by the class of the object."""
        if not isinstance(call.func, ast.Attribute):
            return isinstance(call.func, ast.Name) and not self.classes.is_from_outside(module, call)
        subject, own = call.func.value, {each.node.name for each in self.classes.all}
        if (
            ast.unparse(subject) == "super()"
            or self.classes.around(module, call, subject) is not None
            or getattr(subject, "id", None) in own
        ):
            return True
        annotations = [
            ast.unparse(a.annotation)
            for a in parameters(function)
            if a.arg == getattr(subject, "id", None) and a.annotation is not None
        ]
        return any(word in own for each in annotations for word in re.findall(r"\w+", each))

    def taken(self):
        return taken(self.classes.modules(), self.name, self._callables)

    def judged(self, path, line, column):
        """Whether a keyword is that of a parameter in the family, by what is called: True, False, or None when that
        cannot be told.
        """
        module = self.classes.module(path)
        if self.kind == "parameter" and not self._is_by_keyword and self.is_keyword(path, line, column):
            return False
        for node in module.nodes if module is not None and self.kind == "parameter" else ():
            if isinstance(node, ast.Call) and any(
                k.arg == self.name and name_place(module.lines, k, self.name) == (line, column) for k in node.keywords
            ):
                called = callee(node)
                if called not in self._callables and (
                    given(node, self._callables) or not isinstance(node.func, (ast.Name, ast.Attribute))
                ):
                    return (
                        True
                        if given(node, self._callables)
                        and called not in self._others
                        and called not in self.classes.plain()
                        else None
                    )
                if called in self._callables and called not in self._others:
                    return True if not any(hasattr(t, called) for t in COMMON_TYPES) else None
                is_other = called not in self._callables and (
                    called in self.classes.plain() or self.classes.is_from_outside(module, node)
                )
                return False if is_other else None
        return None


def is_named(node, name):
    """Whether a string is the name, as options of commands, which become keywords without their dashes, and parts of
    paths say it.
    """
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return (
        text.lstrip("-").replace("-", "_") == name
        or re.search(rf"[<{{](?:\w+:)?{re.escape(name)}(?::\w+)?[>}}]", text) is not None
    )


def _is_unseen(keyword):
    """Whether a call hands over keywords that do not stand there."""
    value = keyword.value
    is_written_out = (
        isinstance(value, ast.Dict)
        and all(isinstance(key, ast.Constant) for key in value.keys)
        or isinstance(value, ast.Call)
        and getattr(value.func, "id", None) == "dict"
        and not value.args
        and all(k.arg for k in value.keywords)
    )
    return keyword.arg is None and not is_written_out


def is_at(module, node, line, column):
    return node.lineno == line and utf16_column(module.lines[line - 1], node.col_offset) == column
