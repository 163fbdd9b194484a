"""Code that finds things by names it computes or collects: `getattr(self, "visit_" + kind)`, `for name in FIELDS:
getattr(x, name)`, `dir(x)`, `vars(x)`. What is found so cannot follow a rename, so it is told.
"""

import re

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..project.classes import parameters
from ..project.source import FUNCTIONS
from .string_patterns import pattern_of

BY_NAME = {"getattr", "setattr", "hasattr", "delattr"}
COLLECTING = {"dir", "vars", "getmembers", "getmembers_static", "fields", "asdict"}
SPACES = {"__dict__", "__slots__"}
# What names members by strings that follow a rename.
FOLLOWED = {"__slots__", "__match_args__", "_fields"}
ASKING = {"get", "pop", "setdefault"}
EVALUATED = {"eval", "exec", "timeit", "Timer", "runctx"}
LOOKING_UP = BY_NAME | COLLECTING | ASKING | EVALUATED | {"globals"}
WORDS = re.compile(
    r"\beval|\bexec|timeit|Timer|runctx|\{\w*\.|getattr|setattr|hasattr|delattr|"
    r"\bvars\(|\bdir\(|getmembers|__dict__|__slots__|globals\(|\*\*|def __getattr__"
)


class Reflection:
    """`modules` are those whose own name it is, for what is no member."""

    def __init__(self, family, modules, old, new=None):
        self.family, self.modules, self.old, self.new = family, modules, old, new
        self.found, self._collected = [], []
        for module in family.classes.modules():
            self._look(module)
        if self._collected:
            self._keys_of_collections()

    def notes(self, session):
        """What is called otherwise shows otherwise where all names are collected, which may be what is wanted."""
        places = [f"{session.relative(path)}:{line}" for path, line in sorted(set(self._collected))[:3]]
        return (
            [f"all names of an object are looked at in {', '.join(places)}, where the new one shows"] if places else []
        )

    def _look(self, module):
        for node in _lookups(module):
            subject, key = _asked(node)
            if key is not None and self._may_have(module, node, subject):
                is_said = (
                    isinstance(node, ast.Call)
                    and getattr(node.func, "attr", None) in ASKING
                    and getattr(key, "value", None) == self.old
                )
                if is_said or any(self._is_meant(pattern) for pattern in self._keys(module, node, key)):
                    self._tell(module, node)
            elif self._collects(module, node):
                self._collected += [(module.path, node.lineno)] if self.family.kind == "member" else []
                self._filtered(module, node)
            elif self._is_written_out(module, node):
                self._tell(module, node)
            elif (
                isinstance(node, FUNCTIONS)
                and node.name == "__getattr__"
                and isinstance(module.parents.get(node), ast.Module)
                and self.family.kind is None
            ):
                self._lazily(module, node)

    def _is_written_out(self, module, node):
        """`eval("name + 1")`, and `"{0.name}"`, whose value is asked for what it names."""
        if (
            isinstance(node, ast.Call)
            and (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) in EVALUATED
        ):
            texts = [n.value for n in node.args[:1] if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            return any(self._reads(text) for text in texts)
        return (
            self.family.kind == "member"
            and isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not isinstance(module.parents.get(node), (ast.Expr, ast.JoinedStr))
            and re.search(rf"\{{\w*(?:\.\w+)*\.{re.escape(self.old)}[.!:\[}}]", node.value) is not None
        )

    def _reads(self, text):
        try:
            nodes = list(ast.walk(ast.parse(text.strip())))
        except SyntaxError:
            return re.search(rf"\b{re.escape(self.old)}\b", text) is not None
        return any(
            isinstance(n, (ast.Name, ast.Attribute))
            and isinstance(n.ctx, ast.Load)
            and self.old in (getattr(n, "id", None), getattr(n, "attr", None))
            for n in nodes
        )

    def _keys_of_collections(self):
        """Where the name is a key, if all names of what has it are collected anywhere."""
        for module in self.family.classes.modules():
            for node in module.nodes if self.old in module.text else ():
                asked = (
                    [node.slice]
                    if isinstance(node, ast.Subscript)
                    else [node.left]
                    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Eq))
                    else node.args[:1]
                    if isinstance(node, ast.Call) and getattr(node.func, "attr", None) in ("get", "pop", "setdefault")
                    else []
                )
                # A class that takes whatever keywords it is given and makes members of them.
                made = (
                    isinstance(node, ast.Call)
                    and any(k.arg == self.old for k in node.keywords)
                    and any(
                        (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) == each.node.name
                        for each in self._taking()
                    )
                )
                shown = (
                    isinstance(node, ast.BinOp)
                    and isinstance(node.op, ast.Mod)
                    and f"%({self.old})" in str(getattr(node.left, "value", ""))
                )
                if made or shown or any(getattr(each, "value", None) == self.old for each in asked):
                    self._tell(module, node)

    def _taking(self):
        return [
            each
            for each in self.family.relatives
            if any(getattr(n, "name", None) == "__init__" and n.args.kwarg for n in each.node.body)
        ]

    def _tell(self, module, node):
        self.found.append((module.path, node.lineno, ast.unparse(node).split("\n")[0][:80]))

    def _is_meant(self, pattern):
        before, after = pattern
        return (
            after is None
            and before == self.old
            or after is not None
            and re.search(r"[^\W_]", before + after) is not None
            and len(self.old) >= len(before + after)
            and self.old.startswith(before)
            and self.old.endswith(after)
        )

    def _may_have(self, module, node, subject):
        """Whether something can be the owner of what is renamed, as far as it is known what it is."""
        if subject is None:
            return self.family.kind is None and module.path in self.modules
        if self.family.kind is None:
            # Of what is no member, only modules are asked.
            return isinstance(subject, ast.Name) and any(
                isinstance(n, (ast.Import, ast.ImportFrom))
                and any((a.asname or a.name).split(".")[0] == subject.id for a in n.names)
                for n in module.nodes
            )
        around = self.family.classes.around(module, node, subject)
        return around is None or any(around in self.family.classes.line(each) for each in self.family.owners)

    def _keys(self, module, node, key, depth=0):
        """What a key can be: (text, None) for that text, (beginning, end) for all that begins and ends so."""
        if isinstance(key, ast.Constant):
            # Strings written there are found by others.
            if depth > 0 and isinstance(key.value, str):
                yield key.value, None
        elif pattern_of(key) is not None:
            yield pattern_of(key)
        elif (
            isinstance(key, ast.Call)
            and getattr(key.func, "attr", None) in ("items", "keys")
            and isinstance(key.func.value, ast.Name)
        ):
            yield from self._keys(module, node, key.func.value, depth)
        elif isinstance(key, ast.Name) and depth < 3:
            yield from self._of_variable(module, node, key.id, depth)
        elif isinstance(key, (ast.List, ast.Tuple, ast.Set)) and depth > 0:
            for each in key.elts:
                yield from self._keys(module, node, each, depth)
        elif isinstance(key, ast.Dict) and depth > 0:
            for each in key.keys:
                yield from self._keys(module, node, each, depth)
        elif isinstance(key, ast.Attribute) and depth < 3 and key.attr not in FOLLOWED:
            for each in module.nodes:
                if (
                    isinstance(each, (ast.Assign, ast.AnnAssign))
                    and each.value is not None
                    and key.attr in _targets(each)
                ):
                    yield from self._keys(module, node, each.value, depth + 1)

    def _of_variable(self, module, node, name, depth):
        scopes = [node]
        while scopes[-1] is not None:
            scopes.append(module.parents.get(scopes[-1]))
        for scope in (s for s in scopes if isinstance(s, (*FUNCTIONS, ast.Lambda, ast.Module))):
            bound = False
            for each in ast.walk(scope):
                value = (
                    each.value
                    if isinstance(each, (ast.Assign, ast.AnnAssign)) and name in _targets(each)
                    else each.iter
                    if isinstance(each, (ast.For, ast.comprehension))
                    and any(getattr(n, "id", None) == name for n in ast.walk(each.target))
                    else None
                )
                if value is not None:
                    bound = True
                    yield from self._keys(module, node, value, depth + 1)
            if isinstance(scope, FUNCTIONS) and scope.args.kwarg and scope.args.kwarg.arg == name:
                bound = True
                yield from (
                    (k.arg, None) for _module, call in self._calls(module, scope) for k in call.keywords if k.arg
                )
            elif isinstance(scope, FUNCTIONS) and any(a.arg == name for a in parameters(scope)):
                bound = True
                for caller, call, argument in self._given(module, scope, name):
                    # Strings that are handed over count; further back than one more call nobody is followed.
                    yield from self._keys(caller, call, argument, max(depth + 1, 2))
            if bound:
                return

    def _given(self, module, function, name):
        """What calls of a function hand over for a parameter."""
        at = [a.arg for a in parameters(function)].index(name) - isinstance(module.parents.get(function), ast.ClassDef)
        for caller, call in self._calls(module, function):
            yield from ((caller, call, each) for each in call.args[at : at + 1] if at >= 0)
            yield from ((caller, call, k.value) for k in call.keywords if k.arg == name)

    def _calls(self, module, function):
        owner = module.parents.get(function)
        is_constructor = isinstance(owner, ast.ClassDef) and function.name == "__init__"
        called = (
            {each.node.name for each in self.family.classes.line(self.family.classes.of(module, owner))}
            if is_constructor
            else {function.name}
        )
        for other in self.family.classes.modules():
            for name in sorted(called):
                yield from ((other, call) for call in other.calls.get(name, ()))

    def _collects(self, module, node):
        """Whether all names of something are collected there that may be its owner."""
        if (
            isinstance(node, ast.Call)
            and node.args
            and (
                getattr(node.func, "id", None) in COLLECTING
                or getattr(node.func, "attr", None) in COLLECTING
                and getattr(node.func.value, "id", None) in ("inspect", "dataclasses")
            )
        ):
            subject = node.args[0]
        elif (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", None) in ("globals", "vars", "dir")
            and not node.args
        ):
            return (
                self.family.kind is None
                and module.path in self.modules
                and not isinstance(module.parents.get(node), ast.Subscript)
            )
        elif isinstance(node, ast.Attribute) and node.attr in SPACES and isinstance(node.ctx, ast.Load):
            subject = node.value
        else:
            return False
        # `vars(x)["name"]` and `vars(x).get("name")` say which name they ask for.
        parent = module.parents.get(node)
        if (
            isinstance(parent, ast.Subscript)
            or isinstance(parent, ast.Attribute)
            and parent.attr in ASKING
            or not self._may_have(module, node, subject)
        ):
            return False
        # Of something unknown only where the class is spoken of.
        return self.family.classes.around(module, node, subject) is not None or any(
            re.search(rf"\b{each.node.name}\b", module.text) for each in self.family.owners
        )

    def _filtered(self, module, node):
        """What the function that collects names compares them with."""
        scope = node
        while module.parents.get(scope) is not None and not isinstance(scope, FUNCTIONS):
            scope = module.parents[scope]
        for each in ast.walk(scope):
            method = (
                {"startswith": str.startswith, "endswith": str.endswith}.get(each.func.attr)
                if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
                else None
            )
            part = getattr(each.args[0], "value", None) if method and each.args else None
            if isinstance(part, str) and method(self.old, part) and (self.new is None or not method(self.new, part)):  # ty: ignore[call-non-callable]
                self._tell(module, each)
            elif isinstance(each, ast.Compare) and any(
                getattr(n, "value", None) == self.old for n in ast.walk(each) if isinstance(n, ast.Constant)
            ):
                self._tell(module, each)

    def _lazily(self, module, function):
        """A module that makes its names when they are asked for names them in strings."""
        for node in module.nodes:
            if (
                isinstance(node, ast.Constant)
                and node.value == self.old
                and not isinstance(module.parents.get(node), ast.Expr)
            ):
                self.found.append((module.path, node.lineno, f'"{self.old}" beside __getattr__'))


def found_by_name(places, draft):
    reflection = Reflection(places.family, places.modules, places.old, places.new)
    draft.notes += reflection.notes(places.session)
    return [
        Conflict("usage", refusals.FOUND_BY_NAME.words(name=places.old, what=what), path, line)
        for path, line, what in sorted(set(reflection.found))[:5]
    ]


def _lookups(module):
    """The nodes of a module that may find something by a name: told once for as long as the module does not change, for
    every rename asks for all of the project.
    """
    known = module.__dict__.get("lookups")
    if known is None:
        found = (n for n in module.nodes if _may_look_up(n)) if WORDS.search(module.text) else ()
        known = module.lookups = list(found)
    return known


def _may_look_up(node):
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
        return name in LOOKING_UP
    if isinstance(node, ast.Attribute):
        return node.attr in SPACES
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and "{" in node.value
    return isinstance(node, ast.Subscript) or isinstance(node, FUNCTIONS) and node.name == "__getattr__"


def _asked(node):
    """(what, key) of `getattr(what, key)` and `what.__dict__[key]`; what is nothing for the module itself."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) in BY_NAME and len(node.args) > 1:
        return node.args[0], node.args[1]
    value = (
        node.value
        if isinstance(node, ast.Subscript)
        else node.func.value
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) in ASKING and node.args
        else None
    )
    key = node.slice if isinstance(node, ast.Subscript) else node.args[0] if value is not None else None
    if isinstance(value, ast.Attribute) and value.attr == "__dict__":
        return value.value, key
    if isinstance(value, ast.Call) and getattr(value.func, "id", None) in ("globals", "vars"):
        return (value.args[0] if value.args else None), key
    return None, None


def _targets(node):
    return [
        getattr(t, "id", None) or getattr(t, "attr", None)
        for t in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
