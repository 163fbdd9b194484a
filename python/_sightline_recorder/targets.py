"""What a watch names: a variable, an attribute, an element, or any expression."""

import ast
import re

VARIABLE, ATTRIBUTE, ITEM, EXPRESSION = "variable", "attribute", "item", "expression"


class Target(object):
    """`holder` is the text of what has the attribute or element; `name` the attribute, variable or key."""

    __slots__ = ("kind", "text", "root", "holder", "holder_node", "name")

    def __init__(self, expression):
        # As people say it who come from another language.
        self.text = re.sub(r"^this\b", "self", expression.strip())
        self.root = self.holder = self.holder_node = None
        self.name = None
        try:
            node = ast.parse(self.text, "<watch>", "eval").body
        except (SyntaxError, ValueError):
            self.kind = EXPRESSION
            return
        self.root = _root(node)
        if isinstance(node, ast.Name):
            self.kind, self.name = VARIABLE, node.id
        elif isinstance(node, ast.Attribute) and is_path(node.value):
            self.kind, self.name = ATTRIBUTE, node.attr
            self.holder_node, self.holder = node.value, path_text(node.value)
        elif isinstance(node, ast.Subscript) and is_path(node.value) and _key(node) is not None:
            self.kind, self.name = ITEM, _key(node)[0]
            self.holder_node, self.holder = node.value, path_text(node.value)
        else:
            self.kind = EXPRESSION


def _key(node):
    """The constant in brackets, as a tuple of one, or None."""
    try:
        return (ast.literal_eval(index(node)),)
    except Exception:
        return None


def is_path(node):
    """Names, attributes and elements by a name or constant: they can be read without running anything."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if (
            isinstance(node, ast.Subscript)
            and _key(node) is None
            and not isinstance(index(node), (ast.Name, ast.Attribute))
        ):
            return False
        node = node.value
    return isinstance(node, ast.Name)


def path_text(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return "%s.%s" % (path_text(node.value), node.attr)
    key = _key(node)
    return "%s[%s]" % (path_text(node.value), path_text(index(node)) if key is None else repr(key[0]))


def index(node):
    return node.slice.value if type(node.slice).__name__ == "Index" else node.slice


def _root(node):
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
