"""The classes of a project, how they inherit from each other, and the modules that hold them."""

import functools
import builtins
import dis
import importlib
import sys

from . import trees as ast
from ..check import Exports
from .namedtuple_classes import made_classes
from .source import FUNCTIONS

PLAIN_DECORATORS = {"staticmethod", "classmethod", "overload", "override", "abstractmethod", "final"}
# Importing these does something.
NOT_LOOKED_INTO = {"antigravity", "this", "__main__", "idlelib", "turtledemo"}

# What names members of a class by strings.
NAMING = ("__slots__", "__match_args__")


def project_classes(session, name, path, class_name, line):
    """A class of a module with all above and below it."""
    classes = Classes(session, name)
    own = next(
        (
            each
            for each in classes.all
            if (each.module.path, each.node.name, each.node.lineno) == (path, class_name, line)
        ),
        None,
    )
    return classes.line(own) if own is not None else []


class Module:
    def __init__(self, path, text, tree):
        self.path, self.text, self.tree, self.lines = path, text, tree, text.split("\n")
        self.nodes = list(ast.walk(tree))
        self.imports = [n for n in self.nodes if isinstance(n, ast.ImportFrom)]
        self.parents = {child: parent for parent in self.nodes for child in ast.iter_child_nodes(parent)}
        # What calls make classes, by their calls.
        self.made = dict(made_classes(text, self.nodes, self.parents))
        for call, node in self.made.items():
            inside = list(ast.walk(node))
            self.nodes += inside
            self.parents |= {node: call} | {
                child: parent for parent in inside for child in ast.iter_child_nodes(parent)
            }

    @functools.cached_property
    def calls(self):
        """The calls by the last name of what is called."""
        found = {}
        for node in self.nodes:
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
                found.setdefault(name, []).append(node)
        return found


def _module(path, text, tree):
    """A module is looked at once for as long as it does not change."""
    known = getattr(tree, "sightline_module", None)
    if known is None or known.path != path:
        known = tree.sightline_module = Module(path, text, tree)
    return known


class Class:
    def __init__(self, module, node):
        self.module, self.node, self.bases, self.heirs, self.unknown = module, node, [], [], []

    def members(self, name):
        """The nodes that declare a member: functions, assignments in the class, attributes of `self` that are assigned,
        and strings in `__slots__` and `__match_args__`.
        """
        for node in self.node.body:
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and node.name == name:
                yield node
        for statement in self.node.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
                        yield node
                if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", None) in NAMING:
                    # The values of a dictionary describe what its keys name.
                    named = statement.value.keys if isinstance(statement.value, ast.Dict) else ast.walk(statement.value)
                    yield from (n for n in named if isinstance(n, ast.Constant) and n.value == name)
            elif isinstance(statement, FUNCTIONS) and parameters(statement):
                first = parameters(statement)[0].arg
                for node in ast.walk(statement):
                    if (
                        isinstance(node, ast.Attribute)
                        and node.attr == name
                        and isinstance(node.ctx, ast.Store)
                        and getattr(node.value, "id", None) == first
                    ):
                        yield node

    def uses(self, name):
        """The places where its own functions read a member of the object they belong to."""
        for function in self.node.body:
            if isinstance(function, FUNCTIONS) and parameters(function):
                first = parameters(function)[0].arg
                for node in ast.walk(function):
                    if (
                        isinstance(node, ast.Attribute)
                        and node.attr == name
                        and isinstance(node.ctx, ast.Load)
                        and getattr(node.value, "id", None) == first
                    ):
                        yield node

    def is_protocol(self):
        return any(ast.unparse(base).split("[")[0].split(".")[-1] == "Protocol" for base in self.node.bases)

    def takes_fields_as_keywords(self):
        shown = [ast.unparse(each) for each in self.node.decorator_list + self.node.bases]
        return any(
            word in each
            for each in shown
            for word in ("dataclass", "attr", "define", "frozen", "NamedTuple", "TypedDict", "BaseModel", "Struct")
        )


class Classes:
    """The classes of the project and how they inherit from each other, by name and import."""

    def __init__(self, session, name):
        self.exports = Exports(session.root, {})
        self._modules = {path: _module(path, text, tree) for path, text, tree in session.parsed(name)}
        self._plain = None
        self.all = [
            Class(module, node)
            for module in self.modules()
            if "class " in module.text or module.made
            for node in module.nodes
            if isinstance(node, ast.ClassDef)
        ]
        self._by_node = {id(each.node): each for each in self.all}
        for each in self.all:
            for base in each.node.bases:
                base = base.value if isinstance(base, ast.Subscript) else base
                found = (
                    self._by_node[id(each.module.made[base])]
                    if base in each.module.made
                    else self._class_called(each.module, ast.unparse(base).split("."))
                )
                if found is None or found is each:
                    each.unknown.append(base)
                else:
                    each.bases.append(found)
                    found.heirs.append(each)

    def modules(self):
        return self._modules.values()

    def plain(self):
        """The names that always mean a function or class of the project: nothing else is called so, and nothing is made
        of them.
        """
        if self._plain is None:
            nodes = [n for m in self._modules.values() for n in m.nodes]
            functions = [n for n in nodes if isinstance(n, FUNCTIONS)]
            changed = {
                n.name
                for n in functions
                if any(ast.unparse(d).split(".")[-1] not in PLAIN_DECORATORS for d in n.decorator_list)
            }
            bound = (
                {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                | {n.arg for n in nodes if isinstance(n, ast.arg)}
                | {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
            )
            self._plain = {n.name for n in functions} | {n.name for n in nodes if isinstance(n, ast.ClassDef)}
            self._plain -= changed | bound
        return self._plain

    def is_from_outside(self, module, call):
        """Whether what is called is built into the language or imported from outside the project, and not handed a
        function of the project.
        """
        dotted = ast.unparse(call.func).split("(")[0].split("[")[0].split(".")
        if any(isinstance(each, (ast.Name, ast.Attribute, ast.Lambda)) for each in call.args[:1]) and dotted[-1] in (
            "partial",
            "partialmethod",
        ):
            return False
        nodes = [n for m in self._modules.values() for n in m.nodes]
        if dotted[0] in {getattr(n, "name", None) for n in nodes if isinstance(n, FUNCTIONS + (ast.ClassDef,))} | {
            n.arg for n in nodes if isinstance(n, ast.arg)
        } | {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}:
            return False
        for node in (n for n in module.nodes if isinstance(n, (ast.Import, ast.ImportFrom))):
            if any((a.asname or a.name).split(".")[0] == dotted[0] for a in node.names):
                return (
                    isinstance(node, ast.Import)
                    and all(self.exports.module_of(module.path, a.name) is None for a in node.names)
                    or isinstance(node, ast.ImportFrom)
                    and not node.level
                    and self.exports.source_of(module.path, node) is None
                    and self.exports.submodule(module.path, node, dotted[0]) is None
                )
        return hasattr(builtins, dotted[0])

    def module(self, path):
        return self._modules.get(path)

    def of(self, module, node):
        return self._by_node[id(node)]

    def around(self, module, node, subject):
        """The class in whose function a node stands, if the subject is the object that the function belongs to."""
        parent = module.parents.get(node)
        while parent is not None:
            owner = module.parents.get(parent)
            if isinstance(parent, FUNCTIONS) and isinstance(owner, ast.ClassDef):
                first = next((a.arg for a in parameters(parent)), None)
                is_own = (
                    isinstance(subject, ast.Name)
                    and subject.id == first
                    or ast.unparse(subject) in (f"type({first})", f"{first}.__class__")
                )
                return self.of(module, owner) if is_own else None
            parent = owner
        return None

    def owner(self, module, node, name):
        """The class whose member of this name the node declares."""
        parent = module.parents.get(node)
        while parent is not None:
            if isinstance(parent, ast.ClassDef):
                each = self._by_node.get(id(parent))
                return each if each is not None and any(node is one for one in each.members(name)) else None
            parent = module.parents.get(parent)
        return None

    def related(self, owners, name):
        """The classes whose member is the same one: those above and below that declare it too."""
        found, waiting = [], list(owners)
        while waiting:
            each = waiting.pop()
            if each in found:
                continue
            found.append(each)
            line = self._all(each, "bases") + self._all(each, "heirs")
            # A base that uses what only its heirs have means that of all of them.
            line += [
                heir
                for base in self._all(each, "bases")
                if next(base.uses(name), None) is not None
                for heir in self._all(base, "heirs")
            ]
            waiting += [one for one in line if next(one.members(name), None) is not None]
        return found

    def line(self, start):
        """A class with all above and below it."""
        return [start, *self._all(start, "bases"), *self._all(start, "heirs")]

    def above(self, start):
        return self._all(start, "bases")

    @staticmethod
    def _all(start, direction):
        found, waiting = [], list(getattr(start, direction))
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.append(each)
                waiting += getattr(each, direction)
        return found

    def has_unclear_base(self, start):
        """Whether a base is neither a class of the project nor one that is imported from elsewhere or built in."""
        for each in [start, *self._all(start, "bases")]:
            imported = {
                (a.asname or a.name).split(".")[0]
                for n in each.module.nodes
                if isinstance(n, (ast.Import, ast.ImportFrom))
                for a in n.names
            }
            for base in each.unknown:
                first = ast.unparse(base).split(".")[0].split("(")[0]
                if first not in imported and not hasattr(builtins, first):
                    return True
        return False

    def outside(self, start, name):
        """The class of the standard library above this one that has such a member, by its name."""
        for each in [start, *self._all(start, "bases")]:
            for base in each.unknown:
                found = _standard_class(each.module.tree, ast.unparse(base).split("."))
                if isinstance(found, type) and found is not object and (hasattr(found, name) or _assigns(found, name)):
                    return ast.unparse(base)
        return None

    def called(self, module, dotted):
        return self._class_called(module, dotted)

    def _class_called(self, module, dotted, depth=0):
        name = dotted[-1]
        if len(dotted) == 1:
            own = [each for each in self.all if each.module is module and each.node.name == name]
            if own:
                return own[-1]
        for node in module.imports:
            if depth < 8:
                for alias in node.names:
                    if (
                        len(dotted) == 1
                        and (alias.asname or alias.name) == name
                        or len(dotted) == 1
                        and alias.name == "*"
                    ):
                        source = self.exports.source_of(module.path, node)
                        target = self.module(source) if source else None
                        found = (
                            self._class_called(target, [name if alias.name == "*" else alias.name], depth + 1)
                            if target is not None
                            else None
                        )
                        if found is not None:
                            return found
        if len(dotted) > 1:
            found = [each for each in self.all if each.node.name == name]
            return found[0] if len(found) == 1 and _standard_class(module.tree, dotted) is None else None
        return None


def _standard_class(tree, dotted):
    """A class of the standard library by what a module calls it. Modules of the project are never imported."""
    if len(dotted) == 1 and isinstance(getattr(builtins, dotted[0], None), type):
        return getattr(builtins, dotted[0])
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and len(dotted) == 1:
            origin = next(((node.module, a.name) for a in node.names if (a.asname or a.name) == dotted[0]), None)
        elif isinstance(node, ast.Import) and len(dotted) > 1:
            origin = next(
                ((a.name, dotted[-1]) for a in node.names if (a.asname or a.name) == ".".join(dotted[:-1])), None
            )
        else:
            continue
        if origin is not None and origin[0].split(".")[0] in sys.stdlib_module_names - NOT_LOOKED_INTO:
            try:
                found = getattr(importlib.import_module(origin[0]), origin[1], None)
            except ImportError:
                return None
            # NamedTuple and TypedDict look like classes and are functions.
            return found if isinstance(found, type) else None
    return None


def _assigns(outside, name):
    """Whether the functions of a class, or of those above it, assign such an attribute of the object."""
    functions = [each for one in outside.__mro__ for each in vars(one).values() if hasattr(each, "__code__")]
    return any(
        name in each.__code__.co_names
        and any(op.opname == "STORE_ATTR" and op.argval == name for op in dis.get_instructions(each))
        for each in functions
    )


def parameters(function):
    args = function.args
    return args.posonlyargs + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]
