"""What must be called the same: members that override each other, overloads, and parameters of both. rope knows part of this; it loses
sight of a class whose base is written with type arguments, and it renames a parameter in one function only."""

import ast
import builtins
import dis
import importlib
import io
import os
import re
import sys

from .check import Exports
from .handed_on import callee, handed_on
from .source import FUNCTIONS, name_place, utf16_column

# Importing these does something.
NOT_LOOKED_INTO = {"antigravity", "this", "__main__", "idlelib", "turtledemo"}


class Family:
    """The declarations that belong together with those at the given places: `kind` is 'member', 'parameter' or None for all else."""

    def __init__(self, session, name, places):
        self.session, self.name = session, name
        self.kind, self.places, self.is_unique, self.has_keywords, self.outside, self.likely, self.relatives = None, [], False, False, [], [], []
        # What classes above it use of their heirs.
        self.uses = []
        self.owners, self.is_only_field = [], False
        self.classes = _Classes(session, name)
        owners, functions = [], []
        for path, line, column in places:
            for module, node, owner in self._declared(path, line, column):
                if isinstance(node, ast.arg):
                    functions.append((module, owner, node))
                else:
                    owners.append(owner)
        if functions:
            self.kind = "parameter"
            self._parameters(functions)
        elif owners:
            self.kind = "member"
            self._members(owners)
        for place in list(dict.fromkeys([*places, *self.places])):
            self.places += [each for each in counterparts(*place, name) if each not in self.places]

    def _declared(self, path, line, column):
        """What is declared at a place: (module, node, owner), the owner being a class, or the function of a parameter."""
        module = self.classes.module(path)
        if module is None:
            return
        for node in module.nodes:
            if isinstance(node, ast.arg) and node.arg == self.name and _is_at(module, node, line, column):
                yield module, node, module.parents.get(module.parents.get(node))
            if self.name not in (getattr(node, "name", None), getattr(node, "id", None), getattr(node, "attr", None)) or \
                    (line, column) != self._place(module, node)[1:]:
                continue
            owner = self.classes.owner(module, node, self.name)
            if owner is not None:
                yield module, node, owner

    def _members(self, owners):
        family = self.owners = self.classes.related(owners, self.name)
        for each in family:
            self.places += [self._place(each.module, node) for node in each.members(self.name)]
            self.uses += [self._place(base.module, node) for base in self.classes.above(each) if base not in family for node in base.uses(self.name)]
        self.places += self._in_patterns(family)
        others = [each for each in self.classes.all if each not in family and any(not _is_of_tests(node) for node in each.members(self.name))]
        # A class whose base is some expression may or may not be one of the family.
        likely = [each for each in others if self.classes.has_unclear_base(each)]
        self.is_unique = len(likely) == len(others) and not any(hasattr(t, self.name) for t in COMMON_TYPES)
        self.likely = [self._place(each.module, node) for each in likely for node in each.members(self.name)]
        self.has_keywords = any(each.takes_fields_as_keywords() for each in family)
        self.is_only_field = self.has_keywords and not any(each.takes_fields_as_keywords() for each in others)
        self.relatives = [one for one in self.classes.all if any(one in self.classes.line(each) for each in family)]
        self.outside = [each for each in (self.classes.outside(one, self.name) for one in family) if each]

    def _in_patterns(self, family):
        """Where `case Point(name=...)` says the name of a member."""
        classes = [one for each in family for one in self.classes.line(each) if each in self.classes.line(one)]
        for module in self.classes.modules():
            for node in module.nodes if self.name in module.text else ():
                if type(node).__name__ == "MatchClass" and self.name in node.kwd_attrs and \
                        self.classes.called(module, ast.unparse(node.cls).split(".")) in classes:
                    pattern = node.kwd_patterns[node.kwd_attrs.index(self.name)]
                    before = module.lines[pattern.lineno - 1].encode()[:pattern.col_offset].decode()
                    found = re.search(rf"\b{re.escape(self.name)}\s*=\s*$", before)
                    if found is not None:
                        yield module.path, pattern.lineno, len(before[:found.start()].encode("utf-16-le")) // 2 + 1

    def spread_at(self):
        """Calls of the function that hand over keywords nobody sees (`**options`), in modules where the name is also a key."""
        for module in self.classes.modules():
            keys = [n for n in module.nodes if isinstance(n, ast.Constant) and n.value == self.name]
            keys += [k for n in module.nodes if isinstance(n, ast.Call) and getattr(n.func, "id", None) == "dict" for k in n.keywords if k.arg == self.name]
            for node in module.nodes if keys else ():
                if isinstance(node, ast.Call) and any(k.arg is None for k in node.keywords) and callee(node) in self._callables:
                    yield module.path, node.lineno

    def handed_on(self):
        return handed_on(self.classes.modules(), self.name, self._callables)

    def _parameters(self, functions):
        chosen = []
        for module, function, argument in functions:
            if isinstance(function, ast.Lambda):
                continue
            position = _parameters(function).index(argument)
            owner = module.parents.get(function)
            siblings = [(module, each) for each in module.nodes if isinstance(each, FUNCTIONS) and each.name == function.name and module.parents.get(each) is owner and
                        (_is_overload(each) or _is_overload(function) or each is function)]
            if isinstance(owner, ast.ClassDef) and position > 0 and not function.name.startswith("__"):
                family = self.classes.related([self.classes.of(module, owner)], function.name)
                siblings += [(each.module, node) for each in family for node in each.node.body if isinstance(node, FUNCTIONS) and node.name == function.name]
            for home, each in siblings:
                chosen += [(home, a) for a in _parameters(each) if a.arg == self.name and (home, a) not in chosen]
        self.places += [(m.path, a.lineno, utf16_column(m.lines[a.lineno - 1], a.col_offset)) for m, a in chosen]
        mine = {id(a) for _, a in chosen}
        self.is_unique = not any(isinstance(n, ast.arg) and n.arg == self.name and id(n) not in mine and not _is_of_tests(m.parents.get(m.parents.get(n)))
                                 for m in self.classes.modules() if self.name in m.text for n in m.nodes)
        self._callables = _callables(chosen)
        everyone = [(m, n) for m in self.classes.modules() if self.name in m.text for n in m.nodes if isinstance(n, ast.arg) and n.arg == self.name and id(n) not in mine]
        self._others = _callables(everyone)

    def clashes(self, new):
        """Where a related class has a member of the new name already: (path, line, class)."""
        for each in self.relatives:
            for node in each.members(new):
                yield each.module.path, node.lineno, each.node.name
            if self.classes.outside(each, new):
                yield each.module.path, each.node.lineno, self.classes.outside(each, new)

    def unclear(self):
        """The places that may mean it, by the look of them: attributes for a member, keywords for a parameter."""
        for module in self.classes.modules():
            for node in module.nodes if self.name in module.text else ():
                if self.kind == "member" and isinstance(node, ast.Attribute) and node.attr == self.name:
                    yield (module.path, *name_place(module.lines, node, self.name))
                elif self.kind == "parameter" and isinstance(node, ast.keyword) and node.arg == self.name:
                    yield (module.path, *name_place(module.lines, node, self.name))

    def is_keyword(self, path, line, column):
        """Whether a keyword or a parameter stands at a place, which is never what a module calls so."""
        module = self.classes.module(path)
        return module is not None and any(
            isinstance(n, (ast.keyword, ast.arg)) and n.arg == self.name and name_place(module.lines, n, self.name) == (line, column) for n in module.nodes)

    def is_from_elsewhere(self, path, line, column):
        """Whether a place is a member of something that is imported from outside the project, which is never what a module of it calls so."""
        module = self.classes.module(path)
        found = [n for n in module.nodes if isinstance(n, ast.Attribute) and n.attr == self.name and name_place(module.lines, n, self.name) == (line, column)] if module else []
        return any(isinstance(n.value, ast.Name) and self.classes.is_from_outside(module, ast.Call(func=n, args=[], keywords=[])) for n in found)

    def judged(self, path, line, column):
        """Whether a keyword is that of a parameter in the family, by what is called: True, False, or None when that cannot be told."""
        module = self.classes.module(path)
        for node in module.nodes if module is not None and self.kind == "parameter" else ():
            if isinstance(node, ast.Call) and any(k.arg == self.name and name_place(module.lines, k, self.name) == (line, column) for k in node.keywords):
                called = callee(node)
                if called in self._callables and called not in self._others:
                    return True if not any(hasattr(t, called) for t in COMMON_TYPES) else None
                is_other = called not in self._callables and (called in self.classes.plain() or self.classes.is_from_outside(module, node))
                return False if is_other else None
        return None

    def _place(self, module, node):
        return (module.path, *name_place(module.lines, node, self.name))


def counterparts(path, line, column, name):
    """Where the stub beside a module, or the module beside a stub, declares what is declared at a place."""
    other = path + "i" if path.endswith(".py") else path[:-1]
    if not os.path.isfile(other):
        return []
    modules = [_read(each) for each in (path, other)]
    if None in modules:
        return []
    mine, theirs = modules
    here = [way for way, node in _ways(mine.tree) if way[-1] == name and name_place(mine.lines, node, name) == (line, column)]
    return [(other, *name_place(theirs.lines, node, name)) for way, node in _ways(theirs.tree) if way in here]


def _read(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        text = stream.read()
    try:
        return _Module(path, text, ast.parse(text))
    except SyntaxError:
        return None


def _ways(node, way=()):
    """Everything that is declared in a module, by the names that lead to it."""
    for each in node.body:
        for child in [each, *(n for n in ast.walk(each) if isinstance(each, (ast.If, ast.Try)) and isinstance(n, ast.stmt))]:
            if isinstance(child, FUNCTIONS + (ast.ClassDef,)):
                yield (*way, child.name), child
                if isinstance(child, ast.ClassDef):
                    yield from _ways(child, (*way, child.name))
                else:
                    yield from (((*way, child.name, a.arg), a) for a in _parameters(child))
            elif isinstance(child, (ast.Assign, ast.AnnAssign)):
                for target in child.targets if isinstance(child, ast.Assign) else [child.target]:
                    if isinstance(target, ast.Name):
                        yield (*way, target.id), target


PLAIN_DECORATORS = {"staticmethod", "classmethod", "overload", "override", "abstractmethod", "final"}
COMMON_TYPES = (str, bytes, int, float, complex, list, tuple, dict, set, frozenset, type, object, BaseException, type(sys), type(len), type(lambda: 0),
                io.TextIOWrapper, io.BytesIO, type((x for x in ())))


def project_classes(session, name, path, class_name, line):
    """A class of a module with all above and below it."""
    classes = _Classes(session, name)
    own = next((each for each in classes.all if (each.module.path, each.node.name, each.node.lineno) == (path, class_name, line)), None)
    return classes.line(own) if own is not None else []


class _Module:
    def __init__(self, path, text, tree):
        self.path, self.text, self.tree, self.lines = path, text, tree, text.split("\n")
        self.nodes = list(ast.walk(tree))
        self.imports = [n for n in self.nodes if isinstance(n, ast.ImportFrom)]
        self.parents = {child: parent for parent in self.nodes for child in ast.iter_child_nodes(parent)}


def _module(path, text, tree):
    """A module is looked at once for as long as it does not change."""
    if getattr(tree, "sightline_module", None) is None:
        tree.sightline_module = _Module(path, text, tree)
    return tree.sightline_module


class _Class:
    def __init__(self, module, node):
        self.module, self.node, self.bases, self.heirs, self.unknown = module, node, [], [], []

    def members(self, name):
        """The nodes that declare a member: functions, assignments in the class, and attributes of `self` that are assigned."""
        for node in self.node.body:
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and node.name == name:
                yield node
        for statement in self.node.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
                        yield node
            elif isinstance(statement, FUNCTIONS) and _parameters(statement):
                first = _parameters(statement)[0].arg
                for node in ast.walk(statement):
                    if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store) and getattr(node.value, "id", None) == first:
                        yield node

    def uses(self, name):
        """The places where its own functions read a member of the object they belong to."""
        for function in self.node.body:
            if isinstance(function, FUNCTIONS) and _parameters(function):
                first = _parameters(function)[0].arg
                for node in ast.walk(function):
                    if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load) and getattr(node.value, "id", None) == first:
                        yield node

    def takes_fields_as_keywords(self):
        shown = [ast.unparse(each) for each in self.node.decorator_list + self.node.bases]
        return any(word in each for each in shown for word in ("dataclass", "attr", "define", "frozen", "NamedTuple", "TypedDict", "BaseModel", "Struct"))


class _Classes:
    """The classes of the project and how they inherit from each other, by name and import."""

    def __init__(self, session, name):
        self.exports = Exports(session.root, {})
        self._modules = {path: _module(path, text, tree) for path, text, tree in session.parsed(name)}
        self._plain = None
        self.all = [_Class(module, node) for module in self.modules() if "class " in module.text
                    for node in module.nodes if isinstance(node, ast.ClassDef)]
        self._by_node = {id(each.node): each for each in self.all}
        for each in self.all:
            for base in each.node.bases:
                base = base.value if isinstance(base, ast.Subscript) else base
                found = self._class_called(each.module, ast.unparse(base).split("."))
                if found is None or found is each:
                    each.unknown.append(base)
                else:
                    each.bases.append(found)
                    found.heirs.append(each)

    def modules(self):
        return self._modules.values()

    def plain(self):
        """The names that always mean a function or class of the project: nothing else is called so, and nothing is made of them."""
        if self._plain is None:
            nodes = [n for m in self._modules.values() for n in m.nodes]
            functions = [n for n in nodes if isinstance(n, FUNCTIONS)]
            changed = {n.name for n in functions if any(ast.unparse(d).split(".")[-1] not in PLAIN_DECORATORS for d in n.decorator_list)}
            bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {n.arg for n in nodes if isinstance(n, ast.arg)} | \
                {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
            self._plain = {n.name for n in functions} | {n.name for n in nodes if isinstance(n, ast.ClassDef)}
            self._plain -= changed | bound
        return self._plain

    def is_from_outside(self, module, call):
        """Whether what is called is built into the language or imported from outside the project, and not handed a function of the project."""
        dotted = ast.unparse(call.func).split("(")[0].split("[")[0].split(".")
        if any(isinstance(each, (ast.Name, ast.Attribute, ast.Lambda)) for each in call.args[:1]) and dotted[-1] in ("partial", "partialmethod"):
            return False
        nodes = [n for m in self._modules.values() for n in m.nodes]
        if dotted[0] in {getattr(n, "name", None) for n in nodes if isinstance(n, FUNCTIONS + (ast.ClassDef,))} | {n.arg for n in nodes if isinstance(n, ast.arg)} | \
                {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}:
            return False
        for node in (n for n in module.nodes if isinstance(n, (ast.Import, ast.ImportFrom))):
            if any((a.asname or a.name).split(".")[0] == dotted[0] for a in node.names):
                return isinstance(node, ast.Import) and all(self.exports.module_of(module.path, a.name) is None for a in node.names) or \
                    isinstance(node, ast.ImportFrom) and not node.level and self.exports.source_of(module.path, node) is None and \
                    self.exports.submodule(module.path, node, dotted[0]) is None
        return hasattr(builtins, dotted[0])

    def module(self, path):
        return self._modules.get(path)

    def of(self, module, node):
        return self._by_node[id(node)]

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
            line += [heir for base in self._all(each, "bases") if next(base.uses(name), None) is not None for heir in self._all(base, "heirs")]
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
            imported = {(a.asname or a.name).split(".")[0] for n in each.module.nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
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
                    if len(dotted) == 1 and (alias.asname or alias.name) == name or len(dotted) == 1 and alias.name == "*":
                        source = self.exports.source_of(module.path, node)
                        target = self.module(source) if source else None
                        found = self._class_called(target, [name if alias.name == "*" else alias.name], depth + 1) if target is not None else None
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
            origin = next(((a.name, dotted[-1]) for a in node.names if (a.asname or a.name) == ".".join(dotted[:-1])), None)
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
    return any(name in each.__code__.co_names and any(op.opname == "STORE_ATTR" and op.argval == name for op in dis.get_instructions(each)) for each in functions)


def _parameters(function):
    args = function.args
    return args.posonlyargs + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]


def _callables(arguments):
    return {name for module, a in arguments for name in _called(module, module.parents.get(module.parents.get(a)))}


def _called(module, function):
    """By which names a function is called; a constructor by that of its class."""
    if not isinstance(function, FUNCTIONS):
        return []
    owner = module.parents.get(function)
    return [owner.name] if function.name in ("__init__", "__new__") and isinstance(owner, ast.ClassDef) else [function.name]


def _is_of_tests(node):
    """Tests and fixtures are called by their runner alone, and lambdas never by keyword."""
    return isinstance(node, ast.Lambda) or isinstance(node, FUNCTIONS) and (
        node.name.startswith("test_") or any("fixture" in ast.unparse(each) for each in node.decorator_list))


def _is_overload(function):
    return any(ast.unparse(each).split(".")[-1] == "overload" for each in function.decorator_list)


def _is_at(module, node, line, column):
    return node.lineno == line and utf16_column(module.lines[line - 1], node.col_offset) == column
