"""Members that others know by another name: a private one is `_Class__name` outside its class, and the constructor that
attrs makes takes `_name` as `name`.
"""

import re

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..project.source import span


def follow_private(places, draft):
    """Changes what names the member from outside its class, and returns the places that cannot be told."""
    old, new, left = places.old, places.new, []
    mangled = {
        _mangled(each.node.name, old): _mangled(each.node.name, new) if is_private(new) else new
        for each in places.family.owners
    }
    outside = re.compile(rf"\b_\w+?{re.escape(old)}\b")
    for path, before, _tree in places.session.parsed(old):
        if not outside.search(before):
            continue
        text, edits = draft.text(path), {}
        for node in draft.nodes(path):
            if isinstance(node, ast.Attribute) and node.attr in mangled:
                end = span(text, node)[1]
                edits[end - len(node.attr)] = (end - len(node.attr), end, mangled[node.attr])
        for match in outside.finditer(text):
            if match.start() not in edits:
                line = text.count("\n", 0, match.start()) + 1
                left.append(Conflict("usage", refusals.PRIVATE_NAME_OUTSIDE.words(text=match.group()), path, line))
        draft.edit(path, edits.values())
    return left[:5]


def becomes_private(places, draft):
    """Where a member that becomes private is used outside of its class, where its name is another."""
    owner, found = places.family.owners[0], []
    for path in draft.paths():
        own = range(owner.node.lineno, owner.node.end_lineno + 1) if owner.module.path == path else ()
        for node in draft.nodes(path):
            word = getattr(node, "attr", None) or getattr(node, "arg", None) or getattr(node, "name", None)
            if word == places.new and node.lineno not in own:
                message = refusals.BECOMES_PRIVATE.words(name=places.new, other=owner.node.name)
                found.append(Conflict("name", message, path, node.lineno))
    return found[:5]


def follow_constructors(places, draft):
    """The keywords of constructors that attrs makes."""
    family = places.family
    before, after = places.old.lstrip("_"), places.new.lstrip("_")
    made = [each for each in family.owners if _is_made_by_attrs(each.node)]
    if not made or before == places.old and after == places.new or before == after:
        return
    classes = [one for each in made for one in family.classes.line(each)]
    for module in [each for each in family.classes.modules() if before in draft.text(each.path)]:
        text, edits = draft.text(module.path), []
        for call in (n for n in draft.nodes(module.path) if isinstance(n, ast.Call)):
            for keyword in (k for k in call.keywords if k.arg in (before, places.new) and k.arg != after):
                if family.classes.called(module, ast.unparse(call.func).split(".")) in classes:
                    begin = span(text, keyword)[0]
                    edits.append((begin, begin + len(keyword.arg), after))
        draft.edit(module.path, edits)


def _is_made_by_attrs(node):
    decorators = [ast.unparse(each) for each in node.decorator_list]
    return any(re.search(r"\battrs?\b|\bdefine\b|\bfrozen\b|\bmutable\b", each) for each in decorators) and not any(
        "dataclass" in each for each in decorators
    )


def is_private(name):
    return name.startswith("__") and not name.endswith("__")


def _mangled(class_name, name):
    return f"_{class_name.lstrip('_')}{name}"
