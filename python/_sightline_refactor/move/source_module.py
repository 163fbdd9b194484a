"""The module that loses a definition which is moved, and speaks of it where it is then."""

import re

from .. import refusals
from ..project import trees as ast
from .importers import is_hidden_at
from ..project.imports import module_aliases, module_name, prefers_names, with_imports
from ..session import Refused
from ..project.source import block_of, edited, line_start, parents_of, span, taken_from, without_unused_imports


def left(session, moved, source, target):
    text, name = moved.text, moved.name
    edits = []
    for begin, end in moved.pieces():
        after = len(text[end:]) - len(text[end:].lstrip("\n"))
        edits.append((begin, end + after, ""))
    is_used = moved.is_used_by_module()
    mark = "  # noqa: F401" if moved.is_registered and not moved.is_read_by_module() else ""
    aliases = module_aliases(session, source, moved.tree, target, is_loaded=False)
    line = f"from {module_name(session, source, target, moved.is_relative())} import {name}{mark}"
    if is_used and (
        moved.is_reassigned
        or not (moved.is_named or mark or not aliases and prefers_names(session, source, moved.tree))
    ):
        dotted = module_name(session, source, target, False)
        shown = sorted(aliases)[0] if aliases else dotted
        inside = {id(n) for node in moved.nodes for n in ast.walk(node)}
        bound = {(u.line, u.column) for u in moved.module.uses if u.name == name and u.binding == ""}
        uses = [
            n
            for n in ast.walk(moved.tree)
            if isinstance(n, ast.Name) and n.id == name and (n.lineno, n.col_offset) in bound and id(n) not in inside
        ]
        parents, first = parents_of(moved.tree), shown.split(".")[0]
        is_hidden = (
            first in moved.module.module_names and not aliases or any(is_hidden_at(parents, n, first) for n in uses)
        )
        if moved.is_reassigned and (is_hidden or moved.is_named):
            raise Refused(refusals.MODULE_CANNOT_NAME_IT, name=name, dotted=dotted)
        # Where other names hide the package, or an annotation names it, the name is imported.
        if moved.is_reassigned or not is_hidden and name not in _named_in_strings(moved.tree, inside):
            edits += [
                *((*span(text, n), f"{shown}.{name}") for n in uses),
                *no_longer_global(text, moved.tree, name, [moved.tree]),
            ]
            line = f"import {dotted}" if uses and not aliases else None
    content = edited(text, edits)
    if is_used and line is not None:
        content = _spaced(text, edits[0], with_imports(content, [line]), line)
    content = without_unused_imports(text, content, taken_from(session, source))
    if content.strip() == "":
        return ""
    content = content.lstrip("\n") if not text.startswith("\n") else content
    return content.rstrip("\n") + "\n" if text.endswith("\n") and not text.endswith("\n\n") else content


def no_longer_global(text, tree, name, nodes):
    """A variable of another module is not declared in a function."""
    for node in (n for each in nodes for n in ast.walk(each) if isinstance(n, ast.Global) and name in n.names):
        begin, finish = span(text, node)
        kept = [each for each in node.names if each != name]
        first = line_start(text, node.lineno)
        is_alone = not text[first:begin].strip() and text[finish:].split("\n")[0].strip() == ""
        if kept:
            yield (begin, finish, f"global {', '.join(kept)}")
        elif is_alone and len(block_of(tree, node)) > 1:
            yield (first, min(finish + len(text[finish:].split("\n")[0]) + 1, len(text)), "")
        else:
            yield (begin, finish, "pass")


def _spaced(before, removed, after, line):
    """What followed the definition keeps its distance from the import that is now above it."""
    begin, end, _new = removed
    blank = before[begin:end].count("\n") - before[begin:end].rstrip("\n").count("\n") - 1
    lines = after.split("\n")
    at = lines.index(line) + 1
    is_close = (
        at < len(lines)
        and lines[at].strip()
        and not re.match(r"(import|from) ", lines[at])
        and before[end:].startswith(lines[at])
    )
    return "\n".join([*lines[:at], *[""] * min(blank, 2), *lines[at:]]) if is_close and blank > 0 else after


def _named_in_strings(tree, inside):
    return {
        word
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in inside and len(n.value) < 200
        for word in re.findall(r"\w+", n.value)
    }
