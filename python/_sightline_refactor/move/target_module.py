"""The module that gets a definition which is moved: what it imports already, what it lacks, and where the definition
stands in it.
"""

import re

from ..project import trees as ast
from .importers import Importer
from ..project.imports import Missing, with_imports
from ..project.source import assigned, line_start


def received(session, moved, target, before, is_guarded):
    """What only annotations name can be imported for type checkers alone, so that the modules do not need each other as
    they load.
    """
    name, source = moved.name, moved.path
    text = Importer(session, target, source, target, name).followed() if before else ""
    code = moved.code(target)
    missing = Missing(session, source, target, text, is_relative=moved.is_relative() if not before else None)
    missing.need((moved.needed - moved.annotated if is_guarded else moved.needed) - moved.late.waiting())
    if moved.late.variables and not moved.late.is_late:
        missing.need_module(source)
    if is_guarded:
        missing.need_for_types(moved.annotated)
    future = [n for n in moved.tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    annotated = any(
        getattr(n, "annotation", None) is not None or getattr(n, "returns", None) is not None
        for node in moved.nodes
        for n in ast.walk(node)
    )
    lines = [
        *(ast.get_source_segment(moved.text, n) for n in future if annotated or not before),
        *missing.together(_in_order(moved.nodes)),
    ]
    text = with_imports(text, lines, missing.guarded)
    if not text.strip():
        return code
    if not before and _keeps_groups_apart(moved.tree):
        text = _in_groups(text, missing.own)
    return _placed(text, code, moved)


def _in_order(nodes):
    """The names that it reads, in the order in which it does."""
    found = [n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)]
    return list(dict.fromkeys(n.id for n in sorted(found, key=lambda n: (n.lineno, n.col_offset))))


def _placed(text, code, moved):
    """After the imports, and after what the definition itself needs while the module loads."""
    tree = ast.parse(text)
    own = {n.id for node in moved.nodes for n in ast.walk(node) if isinstance(n, ast.Name)}
    needed = [n for n in tree.body if getattr(n, "name", None) in own or set(assigned(n)) & own]
    leading = _leading(tree)
    after = needed[-1] if needed else leading[-1] if leading else None
    line = after.end_lineno if after is not None else head_lines(text)
    at = min(line_start(text, line) + len(text.split("\n")[line - 1]) + 1, len(text)) if line else 0
    is_spaced = not needed and after is not None or "\n\n\n" in text or "\n\n\n" in moved.text
    rest, head = text[at:].lstrip("\n"), text[:at] if text[:at].endswith("\n") or not text[:at] else text[:at] + "\n"
    gap = "\n\n" if is_spaced and head else ""
    return head + gap + code + ((("\n\n" if is_spaced else "") + rest) if rest else "")


def _leading(tree):
    """The statements at the head of a module: its description, its imports, and what it says about itself."""
    found = []
    for node in tree.body:
        if not (
            isinstance(node, (ast.Import, ast.ImportFrom))
            or node is tree.body[0]
            and isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            or isinstance(node, ast.If)
            and "TYPE_CHECKING" in ast.unparse(node.test)
            or assigned(node)
            and all(re.fullmatch(r"__\w+__", each) for each in assigned(node))
        ):
            break
        found.append(node)
    return found


def head_lines(text):
    """How many lines of comments at the top of a file are about the file: how it is run and read, who may use it, and
    what an empty line sets apart.
    """
    lines = text.split("\n")
    count = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    is_apart = (
        count == len(lines)
        or not lines[count].strip()
        or any(re.search(r"copyright|licen[cs]e|SPDX|\(c\)", line, re.I) for line in lines[:count])
    )
    if is_apart:
        return count
    return sum(
        1
        for number, line in enumerate(lines[:2])
        if line.startswith("#!") and number == 0 or re.match(r"#.*coding[:=]", line)
    )


def _keeps_groups_apart(tree):
    imports = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    return any(after.lineno > before.end_lineno + 1 for before, after in zip(imports, imports[1:]))


def _in_groups(text, own):
    """Imports from the future, those of other packages and those of the project, a line apart."""
    lines, group = [], None
    for line in text.split("\n"):
        this = (
            "future"
            if "__future__" in line
            else "own"
            if line in own
            else "other"
            if line.startswith(("import ", "from "))
            else None
        )
        lines += [""] if this and group and this != group else []
        lines.append(line)
        group = this
    return "\n".join(lines)
