"""Names of parameters and attributes in descriptions, and the types that these name. They follow a rename."""

import functools
import re

from ..project import trees as ast
from ..project.imports import module_name
from .name_strings import is_known_as
from ..project.source import FUNCTIONS, edited, span

PARAMETERS = (
    r"param|parameter|arg|argument|key|keyword|kwarg|kwparam|type",
    r"args|arguments|parameters|params|keyword args|keyword arguments|other parameters",
)
ATTRIBUTES = (r"ivar|cvar|var|type", r"attributes|variables")


def follow_descriptions(places, draft):
    family, old, new = places.family, places.old, places.new
    for path, tree, lines in _declaring(places, draft):
        text, edits = draft.text(path), {}
        for node in _parameter_owners(tree, lines, new) if places.kind == "parameter" else _classes(tree, lines):
            if _description(node) is None:
                continue
            begin, finish = span(text, _description(node))
            described = text[begin:finish]
            if places.kind == "member":
                described = _renamed(described, old, new, ATTRIBUTES)
            # The fields of a dataclass are the parameters of its constructor, unless it has one of its own.
            has_own = any(getattr(n, "name", None) == "__init__" for n in node.body)
            if places.kind == "parameter" or family.has_keywords and not has_own:
                described = _renamed(described, old, new, PARAMETERS)
            edits[begin] = (begin, finish, described)
        draft.edit(path, edits.values())


def follow_described_types(places, draft):
    """Descriptions name classes as annotations do: these follow in files whose own or imported name is that of the
    class.
    """
    trees = {path: draft.tree(path) for path in draft.modules()}
    if any(isinstance(n, ast.ClassDef) and n.name == places.new for tree in trees.values() if tree for n in tree.body):
        for path in [path for path, tree in trees.items() if is_known_as(tree, places)]:
            changed = functools.partial(_with_types, old=places.old, new=places.new)
            draft.put(path, _with_described(draft.text(path), changed))


def follow_moved_types(session, contents, source, target, name):
    """Descriptions that say in which module a class is say where it is then; its old module says so where it does not
    import it any more.
    """
    for path, text, _tree in session.parsed(name):
        old, new = (f"{module_name(session, path, each, False)}.{name}" for each in (source, target))
        before = contents.get(path, text)
        after = _with_described(before, lambda described: _with_types(described, old, new))
        if path == source and name not in _top_names(ast.parse(after)):
            after = _with_described(after, lambda described: _with_types(described, name, new))
        if after != before:
            contents[path] = after
    # A module that is new is not among them.
    if target in contents:
        old, new = (f"{module_name(session, target, each, False)}.{name}" for each in (source, target))
        contents[target] = _with_described(contents[target], lambda described: _with_types(described, old, new))


def _with_described(text, changed):
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (*FUNCTIONS, ast.ClassDef, ast.Module))]
    spans = [span(text, _description(node)) for node in nodes if _description(node) is not None]
    return edited(text, [(begin, finish, changed(text[begin:finish])) for begin, finish in spans])


def _with_types(source, old, new):
    word = rf"(?<![\w.]){re.escape(old)}(?!\w)"

    def renamed(match):
        return match.group(1) + re.sub(word, new, match.group(2)) + match.group(3)

    source = re.sub(r"([:@](?:type|rtype|vartype)\b[^\n:]*:)([^\n]*)()", renamed, source)
    source = re.sub(
        rf"([:@](?:{PARAMETERS[0]}|{ATTRIBUTES[0]})[ \t]+)([^\n:]*?)([ \t]+\\?\*{{0,2}}\w+[ \t]*:)", renamed, source
    )
    source = re.sub(r"([:@](?:raises?|except|exception)[ \t]+)([^\n:]*)(:)", renamed, source)
    source = re.sub(r"(:(?:py:)?(?:class|exc|obj|data):`[~!]?)([\w.]*)(`)", renamed, source)
    lines = source.split("\n")
    for number, (kind, style, line) in enumerate(_sections(source, TYPED_SECTIONS)):
        if kind is None:
            continue
        lines[number] = re.sub(ENTRIES[kind in RETURNING, style], renamed, line)
    return "\n".join(lines)


def _top_names(tree):
    return {getattr(n, "name", None) for n in tree.body} | {
        a.asname or a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names
    }


RETURNING = ("returns", "return", "yields", "yield", "raises", "raise")
# Where the type stands in an entry of a section.
ENTRIES = {
    (False, "ruled"): r"^(\s*[\w*, \\]+\s*:)([^\n]*)()$",
    (False, "indented"): r"^(\s*\\?\*{0,2}\w+\s*\()([^)]*)(\).*)$",
    (True, "ruled"): r"^((?:\s*\w+\s*:)?\s*)([^\n]*)()$",
    (True, "indented"): r"^(\s*)([\w.\[\], |]+)(:.*)$",
}
TYPED_SECTIONS = "|".join([PARAMETERS[1], ATTRIBUTES[1], *RETURNING])


def _sections(source, names):
    """Each line with the section it is an entry of, and how sections are told apart there: by a rule below the heading,
    or by indentation.
    """
    lines, kind, style, depth, first = source.split("\n"), None, None, 0, None
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        is_ruled = number + 1 < len(lines) and re.fullmatch(r"\s*-{3,}\s*", lines[number + 1]) is not None
        head = re.fullmatch(rf"\s*({names})\s*(:?)\s*", line, re.I)
        is_entry = False
        if head and (head.group(2) or is_ruled):
            kind, style, depth, first = head.group(1).lower(), "ruled" if is_ruled else "indented", indent, None
        elif is_ruled or style == "indented" and line.strip() and indent <= depth:
            kind = None
        elif kind is not None and line.strip() and not re.fullmatch(r"\s*-{3,}\s*", line):
            first = indent if first is None else first
            is_entry = indent == first
        yield (kind if is_entry else None), style, line


def _declaring(places, draft):
    """The written modules that declare something of the family, with the lines of that."""
    for path in draft.paths():
        lines = {line for each, line, _column in places.family.places if each == path}
        tree = draft.tree(path) if lines else None
        if tree is not None:
            yield path, tree, lines


def _description(node):
    """The statement that describes a function, class or module."""
    first = node.body[0] if node.body else None
    is_text = isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str)
    return first if is_text else None


def _parameter_owners(tree, lines, new):
    """The functions that have the parameter; a constructor is described by its class, too."""
    for owner in ast.walk(tree):
        for node in getattr(owner, "body", ()) if isinstance(getattr(owner, "body", None), list) else ():
            if isinstance(node, FUNCTIONS) and any(
                isinstance(a, ast.arg) and a.arg == new and a.lineno in lines for a in ast.walk(node.args)
            ):
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
    lines = source.split("\n")
    for number, (kind, style, line) in enumerate(_sections(source, sections)):
        before, colon, rest = line.partition(":")
        listed = (
            re.fullmatch(
                rf"(\s*(?:\\?\*{{0,2}}[\w]+\s*,\s*)*\\?\*{{0,2}}){name}((?:\s*,\s*\\?\*{{0,2}}\w+)*\s*(?:\(.*)?)",
                before,
            )
            if kind is not None
            else None
        )
        if listed and (colon or style == "ruled"):
            lines[number] = f"{listed.group(1)}{new}{listed.group(2)}{colon}{rest}"
    return "\n".join(lines)
