"""What has the thing that is renamed, and who asks for it by its name."""

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..check import Exports
from ..strings.getattr_literals import HERE, STAND_IN


class Owners:
    """What has the thing that is renamed: modules whose own name it is, or classes whose member."""

    def __init__(self, places):
        self.exports, self.family, self.modules = Exports(places.session.root, {}), places.family, places.modules

    def is_meant(self, path, between):
        """Whether the name is meant that a module, or a class in it, has."""
        if self.family.kind is None:
            return not between and path in self.modules
        module = self.family.classes.module(path)
        if len(between) != 1 or module is None:
            return False
        found = self.family.classes.called(module, between)
        return found in self.family.owners if found is not None else self._makes(module, between[0])

    def _makes(self, module, name):
        """Whether a variable of a module is an object of such a class; nothing when that is not known."""
        for node in module.tree.body:
            if isinstance(node, ast.Assign) and any(getattr(t, "id", None) == name for t in node.targets):
                made = (
                    self.family.classes.called(module, ast.unparse(node.value.func).split("."))
                    if isinstance(node.value, ast.Call)
                    else None
                )
                return made in self.family.owners if made is not None else None
        return False

    def _is_made(self, path, tree, dotted):
        for node in ast.walk(tree):
            for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                if (alias.asname or alias.name) == dotted[0]:
                    found = (
                        self.exports.module_of(path, alias.name)
                        if isinstance(node, ast.Import)
                        else self.exports.submodule(path, node, alias.name)
                    )
                    module = self.family.classes.module(found) if found else None
                    return bool(module is not None and self._makes(module, dotted[1]))
        return False

    def is_owner(self, path, tree, node):
        """Whether an expression is certain to be such a module or class. What stands in for one has it too, if nothing
        else does.
        """
        if node == HERE:
            return self.family.kind is None and path in self.modules
        if node == STAND_IN:
            return self.family.is_unique if self.family.kind == "member" else None
        dotted = ast.unparse(node).split(".")
        bound = [
            n
            for n in ast.walk(tree)
            if isinstance(n, ast.arg)
            and n.arg == dotted[0]
            or isinstance(n, ast.Name)
            and n.id == dotted[0]
            and not isinstance(n.ctx, ast.Load)
        ]
        makes = [
            each
            for each in self.family.owners
            if each.module.path == path and each.node in each.module.made.values() and each.node.name == dotted[0]
        ]
        if not all(each.isidentifier() for each in dotted) or len(bound) > len(makes):
            return False
        if self.family.kind == "member":
            module = self.family.classes.module(path)
            return module is not None and (
                self.family.classes.called(module, dotted) in self.family.owners
                or len(dotted) == 2
                and self._is_made(path, tree, dotted)
            )
        for each in ast.walk(tree):
            for alias in (
                each.names if self.family.kind is None and isinstance(each, (ast.Import, ast.ImportFrom)) else ()
            ):
                if (alias.asname or alias.name) == ".".join(dotted):
                    found = (
                        self.exports.module_of(path, alias.name)
                        if isinstance(each, ast.Import)
                        else self.exports.submodule(path, each, alias.name)
                    )
                    return found in self.modules
        return False


MADE_DICTIONARIES = {"asdict", "_asdict", "model_dump", "to_dict"}


def keys_asked_for(places):
    """Where a key of a typed dictionary may be asked for in ways that type checkers let pass whatever they name, and
    where a field is asked for by its name in what was made a dictionary.
    """
    old, owners = places.old, places.family.owners
    if not places.family.has_keywords:
        return []
    is_dictionary = any("TypedDict" in ast.unparse(base) for each in owners for base in each.node.bases)
    return [
        Conflict(
            "usage",
            refusals.MAY_BE_ASKED_FOR.words(name=old, text=ast.unparse(node)),
            resource.real_path,
            node.lineno,
            hint="Change that first, or write it in a way that type checkers follow; preview: true shows the change, "
            "and force: true makes it without these places.",
        )
        for resource, _text, tree in places.session.trees(old)
        for node in ast.walk(tree)
        if _asks_for(node, old)
        and (is_dictionary and not isinstance(node, ast.Subscript) or _is_made_dictionary(_asks_for(node, old)))
    ]


def _asks_for(node, key):
    """What is asked for a key, if a node does so: `x.get("key")`, `"key" in x`, `x["key"]`."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", None) in ("get", "pop", "setdefault") and node.args:
        asked, of = node.args[0], node.func
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        asked, of = node.left, node.comparators[0]
    elif isinstance(node, ast.Subscript):
        asked, of = node.slice, node.value
    else:
        return None
    return of if isinstance(asked, ast.Constant) and asked.value == key else None


def _is_made_dictionary(node):
    return any(
        isinstance(n, ast.Call) and getattr(n.func, "attr", getattr(n.func, "id", None)) in MADE_DICTIONARIES
        for n in ast.walk(node)
    )
