"""Names that stand in strings and yet are names: of parameters and attributes in descriptions, of members in `__slots__`. These follow a rename."""

import ast
import re

from .source import FUNCTIONS, edited, span

PARAMETERS = (r"param|parameter|arg|argument|key|keyword|kwarg|kwparam|type", r"args|arguments|parameters|params|keyword args|keyword arguments|other parameters")
ATTRIBUTES = (r"ivar|cvar|var|type", r"attributes|variables")


def follow_descriptions(operations, family, old, new):
    for op, tree, lines in _written(operations, family):
        text, edits = op["content"], {}
        for node in _parameter_owners(tree, lines, new) if family.kind == "parameter" else _classes(tree, lines):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                begin, finish = span(text, first)
                described = text[begin:finish] if family.kind == "parameter" else _renamed(text[begin:finish], old, new, ATTRIBUTES)
                # The fields of a dataclass are the parameters of its constructor, unless it has one of its own.
                is_parameter = family.kind == "parameter" or family.has_keywords and not any(getattr(n, "name", None) == "__init__" for n in node.body)
                edits[begin] = (begin, finish, _renamed(described, old, new, PARAMETERS) if is_parameter else described)
        op["content"] = edited(text, edits.values())


def follow_slots(operations, family, old, new):
    """`__slots__` and `__match_args__` name members by strings."""
    for op, tree, lines in _written(operations, family) if family.kind == "member" else ():
        text, edits = op["content"], {}
        for node in (n for owner in _classes(tree, lines) for n in owner.body if isinstance(n, ast.Assign)):
            if any(getattr(t, "id", None) in ("__slots__", "__match_args__") for t in node.targets):
                # The values of a dictionary describe what its keys name.
                named = node.value.keys if isinstance(node.value, ast.Dict) else ast.walk(node.value)
                for item in (n for n in named if isinstance(n, ast.Constant) and n.value == old):
                    begin, finish = span(text, item)
                    edits[begin] = (begin, finish, text[begin:finish].replace(old, new))
        op["content"] = edited(text, edits.values())


def _written(operations, family):
    """The new texts of modules that declare something of the family, with the lines of that."""
    for op in operations:
        lines = {line for path, line, _column in family.places if path == op.get("path")}
        if op["kind"] != "write" or family.kind is None or not lines:
            continue
        try:
            yield op, ast.parse(op["content"]), lines
        except SyntaxError:
            continue


def _parameter_owners(tree, lines, new):
    """The functions that have the parameter; a constructor is described by its class, too."""
    for owner in ast.walk(tree):
        for node in getattr(owner, "body", ()) if isinstance(getattr(owner, "body", None), list) else ():
            if isinstance(node, FUNCTIONS) and any(isinstance(a, ast.arg) and a.arg == new and a.lineno in lines for a in ast.walk(node.args)):
                yield node
                if isinstance(owner, ast.ClassDef) and node.name == "__init__":
                    yield owner


def _classes(tree, lines):
    """The classes right around some lines."""
    classes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    around = [[n for n in classes if n.lineno <= line <= n.end_lineno] for line in lines]
    return {max(each, key=lambda n: n.lineno) for each in around if each}


def _renamed(source, old, new, kinds):
    name = rf"(?<![\w.]){re.escape(old)}(?!\w)"
    fields, sections = kinds
    source = re.sub(rf"([:@](?:{fields})[ \t]+(?:[^\n:]*[ \t])?\\?\*{{0,2}}){name}(?=[ \t]*:)", rf"\g<1>{new}", source)
    lines, inside, depth = source.split("\n"), None, 0
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        is_ruled = number + 1 < len(lines) and re.fullmatch(r"\s*-{3,}\s*", lines[number + 1]) is not None
        head = re.fullmatch(rf"\s*({sections})\s*(:?)\s*", line, re.I)
        if head and (head.group(2) or is_ruled):
            inside, depth = ("ruled" if is_ruled else "indented"), indent
        elif is_ruled or inside == "indented" and line.strip() and indent <= depth:
            inside = None
        elif inside == "ruled" and indent == depth or inside == "indented" and indent > depth:
            before, colon, rest = line.partition(":")
            listed = re.fullmatch(rf"(\s*(?:\\?\*{{0,2}}[\w]+\s*,\s*)*\\?\*{{0,2}}){name}((?:\s*,\s*\\?\*{{0,2}}\w+)*\s*(?:\(.*)?)", before)
            if listed and (colon or inside == "ruled"):
                lines[number] = f"{listed.group(1)}{new}{listed.group(2)}{colon}{rest}"
    return "\n".join(lines)
