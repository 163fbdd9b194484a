"""Taking an import, an export or an item of a list out of a text, with the comma and the space that belong to it."""

from ..project import trees as ast
from ..strings.name_strings import exported_strings
from ..project.source import block_of, edited, span


def without_import(text, name):
    tree, edits = ast.parse(text), []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(a.name == name for a in node.names):
            begin, finish = span(text, node)
            keep = [a for a in node.names if a.name != name]
            if keep:
                edits.append(
                    without_item(text, node.names, next(i for i, a in enumerate(node.names) if a.name == name))
                )
            elif len(block_of(tree, node)) == 1 and block_of(tree, node) is not tree.body:
                edits.append((begin, finish, "pass"))
            else:
                edits.append(
                    (text.rfind("\n", 0, begin) + 1, min(text.find("\n", finish) + 1 or len(text), len(text)), "")
                )
    return edited(text, edits)


def without_export(text, name):
    edits = []
    tree = ast.parse(text)
    for item in exported_strings(tree, name):
        holder = next((n for n in ast.walk(tree) if isinstance(n, (ast.List, ast.Tuple)) and item in n.elts), None)
        if holder is not None:
            edits.append(without_element(text, holder, item))
    return edited(text, edits)


def without_item(text, items, index):
    """The edit that takes an item out of a list in the text, with the comma and the space that belong to it."""
    begin, finish = span(text, items[index])
    if index + 1 < len(items):
        return (begin, span(text, items[index + 1])[0], "")
    if index > 0:
        return (span(text, items[index - 1])[1], finish, "")
    return (begin, finish, "")


def without_element(text, holder, item):
    """The same for an element of a list or tuple; what is left stays a tuple."""
    rest = [each for each in holder.elts if each is not item]
    if isinstance(holder, ast.Tuple) and len(rest) < 2:
        return (*span(text, holder), f"({text[slice(*span(text, rest[0]))]},)" if rest else "()")
    return without_item(text, holder.elts, holder.elts.index(item))
