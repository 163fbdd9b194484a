"""Deleting a declaration that nothing needs."""

import re

from rope.contrib import findit

from ..answers import Answer, Operation, StillUsed, Usage, Write
from ..requests import DeleteRequest
from .. import refusals
from ..project import trees as ast
from ..check import Exports
from ..project.decorators import registered_by
from ..strings.dotted_strings import Strings, of_symbol
from ..families.families import Family
from ..strings.name_strings import exported_strings
from ..strings.getattr_literals import reached_by_name
from ..strings.reflection import Reflection
from ..analysis.removal import without_export, without_import
from ..session import Refused
from ..project.draft import Draft
from ..project.source import (
    FUNCTIONS,
    assigned,
    block_of,
    chars,
    last_line,
    name_place,
    without_unused_imports,
)


class _Deleted:
    """What is deleted: its statements in their module."""

    def __init__(self, session, args: DeleteRequest):
        resource, offset = session.place(args)
        definition = findit.find_definition(session.project, resource.read(), offset, resource)
        home = definition.resource if definition is not None and definition.resource is not None else resource
        if not session.is_own(home.real_path):
            raise Refused(refusals.NOT_IN_PROJECT, name=args.name)
        self.session, self.name, self.home = session, args.name, home
        self.text, self.tree = home.read(), session.parse(home)
        line = definition.lineno if definition is not None else self.text.count("\n", 0, offset) + 1
        self.node = self._declared_on(line)
        if len(assigned(self.node)) > 1 or isinstance(self.node, ast.Assign) and len(self.node.targets) > 1:
            raise Refused(refusals.ASSIGNED_WITH_OTHERS)
        if _does_something(self.node):
            raise Refused(refusals.VALUE_FROM_CALL)
        self.nodes = _together(self.tree, self.node, args.name)
        self.occurrences = [
            each
            for each in findit.find_occurrences(session.project, resource, offset, unsure=True, in_hierarchy=True)
            if not self.is_inside(each.resource.real_path, each.lineno)
        ]

    def _declared_on(self, line):
        nodes = list(ast.walk(self.tree))
        found = [n for n in nodes if _declares(n, self.name) and n.lineno <= line <= (n.end_lineno or n.lineno)]
        if found:
            return found[0]
        if any(isinstance(n, ast.arg) and n.arg == self.name and n.lineno == line for n in nodes):
            raise Refused(refusals.PARAMETER_NOT_DELETED, name=self.name)
        raise Refused(refusals.NOT_DELETABLE, name=self.name)

    def is_inside(self, path, line):
        return path == self.home.real_path and _inside(self.nodes, line)

    def family(self):
        place = name_place(self.text.split("\n"), self.node, self.name)
        return Family(self.session, self.name, [(self.home.real_path, *place)])


def safe_delete(session, args: DeleteRequest):
    deleted = _Deleted(session, args)
    usages, removable = deleted.occurrences, {}
    if args.cascade:
        usages, removable = _cascade(session, usages, args.name)
    found = [_listed(session, each.resource, each.lineno, args.name) for each in usages]
    listed = [*found, *_other_uses(deleted, args, {(each.file, each.line) for each in found}, removable)]
    if listed and not args.force:
        raise Refused(refusals.STILL_USED, StillUsed(args.name, listed, bool(args.cascade)), name=args.name)
    content, helpers = _text_without(deleted, args.cascade)
    operations: list[Operation] = [Write(deleted.home.real_path, content)]
    for other in removable.values():
        operations.append(Write(other.real_path, without_export(without_import(other.read(), args.name), args.name)))
    also = f" with what only it used ({', '.join(helpers)})" if helpers else ""
    return Answer(operations, f"delete {args.name}{also}")


def _other_uses(deleted, args, known, removable):
    """What rope does not tell: by types, by strings, by decorators, and through all members of an enumeration."""
    session, home, name = deleted.session, deleted.home, deleted.name
    # Uses that only somebody who knows types can tell.
    typed = [
        (path, line)
        for path, line, _column in args.sure
        if session.is_own(path) and session.relative(path) not in removable
    ]
    family = deleted.family()
    named = [(each.file, each.line) for each in reached_by_name(session, name)]
    reflected = [(path, line) for path, line, _what in Reflection(family, {home.real_path}, name).found]
    for path, line in [*typed, *named, *reflected]:
        if not deleted.is_inside(path, line) and (session.relative(path), line) not in known:
            yield _listed(session, session.resource(path), line, name)
    for each in registered_by(session, deleted.tree, deleted.node):
        yield Usage(home.path, each.lineno, "registration", f"@{ast.unparse(each)}")
    for path, line in _named_by_dots(deleted):
        if not deleted.is_inside(path, line):
            text = session.resource(path).read().split("\n")[line - 1].strip()
            yield Usage(session.relative(path), line, "use", text[:160])
    for path, line in _taken_as_a_whole(family):
        if (session.relative(path), line) not in known:
            yield _listed(session, session.resource(path), line, name)
    for each in exported_strings(deleted.tree, name) if not args.cascade else ():
        yield Usage(home.path, each.lineno, "re-export", "__all__")


def _text_without(deleted, cascade):
    """The module without it, and the names of the helpers that went along."""
    text, content, helpers = deleted.text, deleted.text, []
    for each in reversed(deleted.nodes):
        content = _without(content, each)
    if cascade:
        content, helpers = _without_helpers(deleted.session, deleted.home, text, without_export(content, deleted.name))
    content = without_unused_imports(text, content)
    if not text.startswith("\n"):
        content = content.lstrip("\n")
    if not text.endswith("\n\n"):
        content = content.rstrip("\n") + ("\n" if text.endswith("\n") and content.strip() else "")
    return content, helpers


def _taken_as_a_whole(family):
    """Where all members of an enumeration may be meant: it is gone through, or asked for one by its value or name."""
    for owner in (
        each
        for each in family.owners
        if any(
            re.search(r"(Enum|Flag)$", ast.unparse(base))
            for one in family.classes.line(each)
            for base in one.node.bases
        )
    ):
        for module in family.classes.modules():
            for node in module.nodes:
                if (
                    isinstance(node, (ast.Name, ast.Attribute))
                    and owner.node.name in (getattr(node, "id", None), getattr(node, "attr", None))
                    and isinstance(node.ctx, ast.Load)
                ):
                    parent = module.parents.get(node)
                    is_gone_through = (
                        isinstance(parent, (ast.For, ast.comprehension))
                        and parent.iter is node
                        or isinstance(parent, ast.Call)
                        and getattr(parent.func, "id", None) != "isinstance"
                        or isinstance(parent, ast.Subscript)
                        and parent.value is node
                        and module.parents.get(parent) not in _annotations(module)
                    )
                    if is_gone_through and family.classes.called(module, ast.unparse(node).split(".")) is owner:
                        yield module.path, node.lineno


def _annotations(module):
    return [n for n in module.nodes if isinstance(n, (ast.arg, ast.AnnAssign))]


def _named_by_dots(deleted):
    """Where strings name it: entry points, and what tests replace."""
    if deleted.node not in deleted.tree.body:
        return []
    session, name = deleted.session, deleted.name
    is_meant = lambda module, between: not between and module == deleted.home.real_path  # noqa: E731
    strings = Strings(session, of_symbol(Exports(session.root, {}), is_meant, name, name + "_"), False)
    strings.follow(Draft(session), name)
    return strings.changed


def _declares(node, name):
    return isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name == name or name in assigned(node)


def _does_something(node):
    """Whether leaving out an assignment leaves out something that happens."""
    return (
        isinstance(node, (ast.Assign, ast.AnnAssign))
        and node.value is not None
        and any(isinstance(n, (ast.Call, ast.Await, ast.Yield)) for n in ast.walk(node.value))
    )


def _together(tree, node, name):
    """The parts of one definition: overloads, and the functions of a property."""
    if not isinstance(node, FUNCTIONS):
        return [node]
    parts = [n for n in block_of(tree, node) if isinstance(n, FUNCTIONS) and n.name == name]

    def belongs(part):
        shown = [ast.unparse(each) for each in part.decorator_list]
        return any(
            each.split(".")[-1] == "overload" or each in (f"{name}.setter", f"{name}.getter", f"{name}.deleter")
            for each in shown
        )

    return parts if len(parts) > 1 and any(belongs(part) for part in parts) else [node]


def _first_line(node):
    return min([d.lineno for d in getattr(node, "decorator_list", [])] + [node.lineno])


def _inside(nodes, line):
    return any(_first_line(node) <= line <= node.end_lineno for node in nodes)


def _without_helpers(session, home, before, content):
    """Leaves out private names of the module that only what has gone used, and again what only those used."""
    gone = []
    while True:
        tree = ast.parse(content)
        used = _mentioned(tree)
        idle = [
            n
            for n in tree.body
            for name in ([n.name] if isinstance(n, (*FUNCTIONS, ast.ClassDef)) else assigned(n)[:1])
            if name.startswith("_")
            and not name.startswith("__")
            and len(assigned(n)) < 2
            and not _does_something(n)
            and not getattr(n, "decorator_list", [])
            and used.get(name, 0) == _mentioned(n).get(name, 0)
            and _mentioned(ast.parse(before)).get(name, 0) > used.get(name, 0)
            and not any(resource != home for resource, _text, _tree in session.trees(name))
        ]
        if not idle:
            return content, gone
        gone.append(getattr(idle[0], "name", None) or assigned(idle[0])[0])
        content = _without(content, idle[0])


def _mentioned(tree):
    """How often each name is used, by strings too."""
    found = {}
    for node in ast.walk(tree):
        word = (
            node.id
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            else node.attr
            if isinstance(node, ast.Attribute)
            else node.value
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            else None
        )
        if word is not None:
            found[word] = found.get(word, 0) + 1
    return found


def _listed(session, resource, line, name):
    text = resource.read()
    context = text.split("\n")[line - 1].strip()
    return Usage(session.relative(resource.real_path), line, _kind(text, line, name), context[:160])


def _kind(text, line, name):
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return "use"
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and node.lineno <= line <= node.end_lineno:
            return "import"
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name == name and node.lineno == line:
            return "implementation"
        if isinstance(node, ast.ClassDef) and any(_says(base, name, line) for base in node.bases):
            return "subclass"
        if isinstance(node, ast.Call) and _says(node.func, name, line):
            return "call"
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store) and _says(node, name, line):
            return "write"
    return "use"


def _says(node, name, line):
    return getattr(node, "id", getattr(node, "attr", None)) == name and node.end_lineno == line


def _cascade(session, usages, name):
    """Files that only import the name, or pass it on, let go of it too; what uses it stays a use."""
    left, removable = [], {}
    for resource in {o.resource for o in usages}:
        tree = session.parse(resource)
        mine = [o for o in usages if o.resource == resource]
        imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and any(a.name == name for a in n.names)]
        in_import = [o for o in mine if any(n.lineno <= o.lineno <= n.end_lineno for n in imports)]
        if len(in_import) == len(mine) and all(a.asname is None for n in imports for a in n.names if a.name == name):
            removable[resource.path] = resource
        else:
            left += [o for o in mine if o not in in_import]
    return left, removable


def _without(text, node):
    """The text without a statement that stands in it where it stood when it was parsed."""
    lines, tree = text.split("\n"), ast.parse(text)
    node = next(
        n
        for n in ast.walk(tree)
        if isinstance(n, type(node)) and (n.lineno, n.col_offset) == (node.lineno, node.col_offset)
    )
    start, end = _first_line(node) - 1, last_line(lines, node)
    while (
        start > 0
        and lines[start - 1].strip().startswith("#")
        and len(lines[start - 1]) - len(lines[start - 1].lstrip()) == node.col_offset
    ):
        start -= 1
    rest = lines[node.end_lineno - 1][chars(lines[node.end_lineno - 1], node.end_col_offset) :].strip()
    if (
        rest
        and not rest.startswith("#")
        or lines[node.lineno - 1][: chars(lines[node.lineno - 1], node.col_offset)].strip()
    ):
        raise Refused(refusals.SHARES_ITS_LINE)
    body = block_of(tree, node) or tree.body
    if len(body) == 1 and body is not tree.body:
        return "\n".join(lines[:start] + [" " * node.col_offset + "pass"] + lines[end:])
    before = next((n for n in range(start) if lines[start - 1 - n].strip()), start)
    after = next((n for n in range(len(lines) - end) if lines[end + n].strip()), len(lines) - end)
    # Of the two gaps the larger stays: what now follows each other may stand on another level. The first of a block has
    # none above it.
    is_first = start > 0 and body[0] is node and body is not tree.body and before == 0
    end += after if is_first else min(before, after) if start > before else after
    return "\n".join(lines[:start] + lines[end:])
