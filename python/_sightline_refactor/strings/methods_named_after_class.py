"""Members that are found by the name of a class: `getattr(self, "visit_" + type(node).__name__)` finds `visit_Leaf` for
a `Leaf`. They cannot follow a rename of the class in silence, so they are told.
"""

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..project.source import FUNCTIONS
from .string_patterns import pattern_of

CLASS_NAMES = ("__name__", "__qualname__")


def called_after(places, draft):
    """The conflicts of renaming a class that one of its modules defines."""
    modules, old = list(places.family.classes.modules()), places.old
    if not any(
        isinstance(n, ast.ClassDef) and n.name == old
        for module in modules
        if module.path in places.modules
        for n in module.nodes
    ):
        return []
    wanted = {
        made
        for module in modules
        if any(word in module.text for word in CLASS_NAMES)
        for node in module.nodes
        for made in _made_of(node, old)
    }
    return [
        Conflict("usage", refusals.FOUND_BY_CLASS_NAME.words(name=node.name, other=old), module.path, node.lineno)
        for module in modules
        for node in module.nodes
        if isinstance(node, FUNCTIONS) and node.name in wanted
    ][:5]


def _made_of(node, old):
    """The names that an expression makes of the name of a class."""
    pattern = pattern_of(node)
    if (
        pattern is None
        or pattern == ("", "")
        or not any(isinstance(n, ast.Attribute) and n.attr in CLASS_NAMES for n in ast.walk(node))
    ):
        return []
    before, after = pattern
    return [name for name in (before + each + after for each in (old, old.lower())) if name.isidentifier()]
