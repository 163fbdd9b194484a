"""Moving modules and packages between folders."""

import os
import re
import sys

from rope.refactor import rename as rope_rename

from ..answers import Answer, Conflict, Move, Write
from ..requests import MoveFileRequest
from .. import refusals
from ..project import trees as ast
from ..check import Exports
from ..strings.dotted_strings import Strings, of_module
from ..project.draft import Draft
from ..project.imports import after_imports
from .moved_hazards import hazards
from .moving_symbols import package_files
from ..strings.name_strings import exported_strings
from ..project.names import module_of
from ..session import Refused
from ..project.source import assigned, chars, indent_of, line_start, span
from ..analysis.variables import follow_scopes


def move_file(session, args: MoveFileRequest):
    session.refresh()
    source = session.resource(args.source)
    before, after = os.path.dirname(args.source), os.path.dirname(args.to)
    old, new = os.path.basename(args.source), os.path.basename(args.to)
    if old == "__init__.py":
        raise Refused(refusals.INIT_MAKES_PACKAGE)
    if os.path.exists(args.to):
        raise Refused(refusals.FILE_EXISTS, path=session.relative(args.to))
    stem = new[:-3] if new.endswith(".py") else new
    if old != new and not source.is_folder() and not new.endswith(".py"):
        raise Refused(refusals.NO_PYTHON_ENDING)
    if old != new and not stem.isidentifier():
        raise Refused(refusals.NO_MODULE_NAME, name=stem)
    hidden = hidden_by(session, before, old.removesuffix(".py"))
    if before == after and hidden is None:
        # rope runs into itself with folders that do not say that they are packages.
        is_plain = source.is_folder() and not os.path.exists(os.path.join(args.source, "__init__.py"))
        operations = (
            [Move(args.source, args.to)]
            if is_plain
            else session.operations(rope_rename.Rename(session.project, source).get_changes(stem))
        )
        # rope renames what files call the module, too.
        operations = [
            op
            for op in operations
            if not isinstance(op, Write) or not _calls_so(session.resource(op.path).read(), old.removesuffix(".py"))
        ]
    else:
        operations = [Move(args.source, args.to)]
        if not os.path.isdir(after):
            operations = package_files(session, after) + operations
    stub = args.source + "i"
    if os.path.isfile(stub) and args.source.endswith(".py"):
        if os.path.exists(args.to + "i"):
            raise Refused(refusals.STUB_EXISTS, path=session.relative(args.to))
        # What describes a module for type checkers stays beside it.
        operations.append(Move(stub, args.to + "i"))
    draft = Draft(session, operations)
    if before == after and hidden is None:
        follow_scopes(draft, "module", old.removesuffix(".py"), stem)
    followed = _Followed(draft, args, hidden is not None)
    followed.follow()
    conflicts = followed.unclear + [
        Conflict("name", refusals.MODULE_WOULD_BE_HIDDEN.words(name=stem), file, line)
        for file, line in filter(None, [hidden_by(session, after, stem)])
    ]
    conflicts += hazards(draft, args, followed.pairs)
    strings = Strings(session, of_module(followed.pairs), True)
    strings.follow(draft, old.removesuffix(".py"))
    return Answer(draft.operations(), f"move {old} to {session.relative(args.to)}", strings.notes(), conflicts)


def _calls_so(text, name):
    """Whether a file imports something under a name of its own choice that is this one."""
    return any(
        alias.asname == name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    )


class _Followed:
    """Every import of what moves names its new place, wherever it stands and whatever it is called there; relative ones
    that lead out of what moves become absolute.
    """

    def __init__(self, draft, args: MoveFileRequest, is_hidden):
        session, old, new = draft.session, args.source, args.to
        self.session, self.draft, self.is_hidden = session, draft, is_hidden
        self.old, self.new = _base(old), _base(new)
        self.unclear = []
        self.is_renamed = os.path.dirname(old) == os.path.dirname(new)
        shown = [session.relative(each).replace("/", ".") for each in (self.old, self.new)]
        # By which names it may be imported now, and by which one then.
        self.pairs = list(
            {
                shown[0]: shown[1],
                self._dotted(self.old): self._rooted(self.new),
                self._rooted(self.old): self._rooted(self.new),
            }.items()
        )

    def follow(self):
        stubs = [each for each in self.session.project.get_files() if each.path.endswith(".pyi")]
        for path in [each.real_path for each in [*self.session.files(), *stubs]]:
            tree = self.draft.tree(path)
            if tree is not None:
                self.draft.edit(path, self._edits(path, self.draft.text(path), tree))

    def _edits(self, path, text, tree):
        inside, found = (_base(path) + os.sep).startswith(self.old + os.sep), {}
        for node in ast.walk(tree):
            edits = []
            if isinstance(node, ast.Import):
                edits = [edit for alias in node.names for edit in self._import(text, alias)]
                if self.is_hidden and any(alias.asname and alias.name in dict(self.pairs) for alias in node.names):
                    self.unclear.append(Conflict("meaning", refusals.IMPORT_TAKES_OTHER.words(), path, node.lineno))
                edits += self._beside(text, tree, node) if _base(path) == self.old else []
            elif isinstance(node, ast.ImportFrom):
                edits = list(self._relative(path, text, node, inside) if node.level else self._absolute(text, node))
                edits += (
                    self._beside(text, tree, node) if _base(path) == self.old and not node.level and not edits else []
                )
            found.update({edit[:2]: edit for edit in edits})
        found.update({edit[:2]: edit for edit in self._relative_strings(path, text, tree, inside)})
        if not self.is_hidden:
            found.update({edit[:2]: edit for edit in self._uses(text, tree)})
            found.update({edit[:2]: edit for edit in self._bound_by_import(path, text, tree)})
        return found.values()

    def _bound_by_import(self, path, text, tree):
        """Importing from a module makes it a name of its package, which nothing in the package's own file says."""
        if os.path.basename(path) == "__init__.py" and os.path.dirname(path) == os.path.dirname(self.old):
            lines, name = text.split("\n"), os.path.basename(self.old)
            for item in exported_strings(tree, name):
                begin, finish = span(text, item)
                yield (begin, finish, text[begin:finish].replace(name, os.path.basename(self.new)))
                if not self.is_renamed:
                    self.unclear.append(
                        Conflict("usage", refusals.LEAVES_OFFERING_PACKAGE.words(name=name), path, item.lineno)
                    )
            for use in module_of(text).uses:
                if use.binding == "unknown" and use.name == name:
                    if not self.is_renamed:
                        self.unclear.append(
                            Conflict("usage", refusals.LEAVES_PACKAGE.words(name=use.name), path, use.line)
                        )
                    begin = line_start(text, use.line) + chars(lines[use.line - 1], use.column)
                    yield (begin, begin + len(use.name), os.path.basename(self.new))

    def _import(self, text, alias):
        for before, after in self.pairs:
            if (alias.name + ".").startswith(before + ".") and before != after:
                begin = span(text, alias)[0]
                yield (begin, begin + len(before), after)
                return

    def _beside(self, text, tree, node):
        """A script may import what lies beside it by its mere name; once it is elsewhere, the package is named."""
        folder = os.path.dirname(self.old)
        if isinstance(node, ast.ImportFrom):
            if self._lies_beside(node.module):
                yield self._from(text, node, f"{self._dotted(folder)}.{node.module}")
            return
        for alias in node.names:
            if self._lies_beside(alias.name):
                dotted = f"{self._dotted(folder)}.{alias.name}"
                begin = span(text, alias)[0]
                yield (begin, begin + len(alias.name), dotted)
                uses = [
                    n
                    for n in ast.walk(tree)
                    if isinstance(n, (ast.Name, ast.Attribute))
                    and isinstance(n.ctx, ast.Load)
                    and ast.unparse(n) == alias.name
                ]
                yield from (
                    (*span(text, n), dotted) for n in (_of_imports(text, tree, uses) if alias.asname is None else ())
                )

    def _lies_beside(self, dotted):
        folder, first = os.path.dirname(self.old), dotted.split(".")[0]
        there = [
            base
            for base in (folder, self.session.root)
            if os.path.exists(os.path.join(base, first + ".py")) or os.path.isdir(os.path.join(base, first))
        ]
        return (
            there == [folder]
            and not self.is_renamed
            and first not in sys.stdlib_module_names
            and os.path.exists(os.path.join(folder, "__init__.py"))
        )

    def _uses(self, text, tree):
        """`package.module`, where the package or the module was imported as such."""
        chains = {}
        for node in ast.walk(tree):
            for alias in (
                node.names
                if isinstance(node, ast.Import) or isinstance(node, ast.ImportFrom) and not node.level
                else ()
            ):
                dotted = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
                bound = alias.asname or (dotted if isinstance(node, ast.Import) else alias.name)
                for before, after in self.pairs:
                    if before == after:
                        continue
                    if (
                        alias.asname is None
                        and isinstance(node, ast.Import)
                        and dotted.split(".")[0] == before.split(".")[0]
                    ):
                        chains[before] = (
                            after,
                            (dotted + ".").startswith(before + ".") or (after + ".").startswith(dotted + "."),
                        )
                    elif before.startswith(dotted + "."):
                        is_below = after.startswith(dotted + ".")
                        chains[bound + before[len(dotted) :]] = (
                            bound + after[len(dotted) :] if is_below else after,
                            is_below,
                        )
        uses = [
            n
            for n in ast.walk(tree)
            if chains
            and isinstance(n, (ast.Attribute, ast.Name))
            and isinstance(n.ctx, ast.Load)
            and ast.unparse(n) in chains
        ]
        uses = _of_imports(text, tree, uses) if uses else []
        for use in uses:
            yield (*span(text, use), chains[ast.unparse(use)][0])
        imported = {
            dict(self.pairs).get(a.name, a.name)
            for n in ast.walk(tree)
            if isinstance(n, ast.Import)
            for a in n.names
            if a.asname is None
        }
        imported |= {
            after
            for n in ast.walk(tree)
            if isinstance(n, ast.ImportFrom) and not n.level
            for a in n.names
            for before, after in self.pairs
            if a.asname is None and "." not in after and before == f"{n.module}.{a.name}"
        }
        missing = {chains[ast.unparse(n)][0] for n in uses if not chains[ast.unparse(n)][1]} - imported
        at = line_start(text, after_imports(text)) if missing else 0
        for name in sorted(missing):
            yield (at, at, f"import {name}\n")

    def _absolute(self, text, node):
        for before, after in self.pairs:
            if (node.module + ".").startswith(before + ".") and before != after:
                yield self._from(text, node, after + node.module[len(before) :])
                return
            parent, _, last = before.rpartition(".")
            if (
                parent
                and not self.is_hidden
                and node.module == parent
                and before != after
                and any(a.name == last for a in node.names)
            ):
                yield self._module_import(text, node, last, after)
                return

    def _relative(self, path, text, node, inside):
        target = _above(path, node.level)
        if node.module:
            target = os.path.join(target, *node.module.split("."))
        if (
            not inside
            and not self.is_hidden
            and target == os.path.dirname(self.old)
            and any(a.name == os.path.basename(self.old) for a in node.names)
        ):
            yield self._module_import(text, node, os.path.basename(self.old), self._rooted(self.new))
            return
        after = self._moved(target)
        if after == target and not inside:
            return
        anchor = _above(self._moved(path) if inside else path, node.level)
        is_package = anchor != self.session.root and self._rooted(anchor) != ""
        is_below = is_package and (after + os.sep).startswith(anchor + os.sep)
        module = os.path.relpath(after, anchor).replace(os.sep, ".") if is_below else None
        if module is None:
            yield self._from(text, node, self._rooted(after))
        elif module.strip(".") != (node.module or ""):
            yield self._from(text, node, "." * node.level + module.strip("."))

    def _relative_strings(self, path, text, tree, inside):
        """`import_module(".module", __package__)`, and the names of modules in a file that imports them so."""
        calls = [
            n
            for n in ast.walk(tree)
            if isinstance(n, ast.Call) and ast.unparse(n.func).split(".")[-1] == "import_module" and len(n.args) > 1
        ]
        own = [
            call.args[0]
            for call in calls
            if ast.unparse(call.args[1]) == "__package__"
            or ast.unparse(call.args[1]) == "__name__"
            and os.path.basename(path) == "__init__.py"
        ]
        is_table = any(not isinstance(each, ast.Constant) for each in own)
        for name in ast.walk(tree) if own else ():
            if (
                not (
                    isinstance(name, ast.Constant)
                    and isinstance(name.value, str)
                    and re.fullmatch(r"\.+\w+(\.\w+)*", name.value)
                )
                or not is_table
                and name not in own
            ):
                continue
            dotted = name.value.lstrip(".")
            level = len(name.value) - len(dotted)
            target = os.path.join(_above(path, level), *dotted.split("."))
            after, anchor = self._moved(target), _above(self._moved(path) if inside else path, level)
            if after == target and not inside:
                continue
            is_below = (after + os.sep).startswith(anchor + os.sep)
            shown = (
                "." * level + os.path.relpath(after, anchor).replace(os.sep, ".") if is_below else self._rooted(after)
            )
            if shown != name.value:
                begin, finish = span(text, name)
                yield (begin, finish, text[begin:finish].replace(name.value, shown))

    def _moved(self, path):
        return self.new + path[len(self.old) :] if (_base(path) + os.sep).startswith(self.old + os.sep) else path

    def _from(self, text, node, dotted):
        begin = span(text, node)[0]
        dotted_text = r"\s*\.\s*".join((node.module or "").split("."))
        head = re.compile(rf"from\s*[.\s]*{dotted_text}").match(text, begin)
        return (begin, head.end(), f"from {dotted}{'' if node.module else ' '}") if dotted else (begin, begin, "")

    def _module_import(self, text, node, name, after):
        """`from package import module`, alone or with others, when the module is elsewhere now."""
        alias = next(a for a in node.names if a.name == name)
        parent, _, last = after.rpartition(".")
        called = alias.asname or name
        shown = f" as {called}" if called != last else ""
        new = f"from {parent} import {last}{shown}" if parent else f"import {last}{shown}"
        begin, finish = span(text, node)
        others = [a for a in node.names if a is not alias]
        if not others:
            return (begin, finish, new)
        head = text[begin : span(text, node.names[0])[0]].split(" import")[0]
        kept = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in others)
        return (begin, finish, f"{head} import {kept}\n{indent_of(text, node.lineno)}{new}")

    def _dotted(self, base):
        """The name by which a module or folder is imported."""
        top = os.path.dirname(base)
        while top != self.session.root and (
            os.path.exists(os.path.join(top, "__init__.py")) or not os.path.exists(top)
        ):
            top = os.path.dirname(top)
        return os.path.relpath(base, top).replace(os.sep, ".").strip(".")

    def _rooted(self, base):
        """The same for what lies in a package for certain, which need not say that it is one."""
        if os.path.exists(os.path.join(os.path.dirname(base), "__init__.py")):
            return self._dotted(base)
        # A folder that is only made by the move is no place from which modules are imported.
        tops = [
            top
            for top in (os.path.join(self.session.root, name) for name in ("src", "lib", "python"))
            if os.path.isdir(top)
        ]
        top = next((each for each in tops if base.startswith(each + os.sep)), self.session.root)
        return os.path.relpath(base, top).replace(os.sep, ".").strip(".")


def hidden_by(session, folder, name):
    """Where a package binds a name of its own or takes one with a star import, so that `package.name` is not the module
    of that name.
    """
    init, exports = os.path.join(folder, "__init__.py"), Exports(session.root, {})
    return _bound(exports, init, name, set()) if os.path.exists(init) else None


def _bound(exports, path, name, seen):
    """The place (path, line) where a module binds a name to something that is no module."""
    seen.add(path)
    try:
        tree = ast.parse(exports.text(path) or "")
    except SyntaxError:
        return None
    found = None
    for node in tree.body:
        if (
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and node.name == name
            or name in assigned(node)
        ):
            found = path, node.lineno
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            source = exports.source_of(path, node)
            if alias.name == "*" and source is not None and source not in seen:
                given = [each for each, _line in module_of(exports.text(source) or "").exported()]
                found = (
                    (name in given or not given and not name.startswith("_"))
                    and _bound(exports, source, name, seen)
                    or found
                )
            elif (
                (alias.asname or alias.name) == name
                and alias.name != "*"
                and exports.submodule(path, node, alias.name) is None
            ):
                found = path, node.lineno
    return found


def _of_imports(text, tree, nodes):
    """Of some names and attributes those whose first name is what an import says, and no variable or parameter of that
    name.
    """
    module = module_of(text)
    bindings = {(u.line, u.column, u.name): u.binding for u in module.uses}
    assigned = {
        bindings.get((n.lineno, n.col_offset, getattr(n, "id", None) or n.arg))
        for n in ast.walk(tree)
        if isinstance(n, ast.arg) or isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        for first in {ast.unparse(each).split(".")[0] for each in nodes}
        if first == (getattr(n, "id", None) or getattr(n, "arg", None))
    }
    return [n for n in nodes if bindings.get((n.lineno, n.col_offset, ast.unparse(n).split(".")[0])) not in assigned]


def _above(path, levels):
    for _ in range(levels):
        path = os.path.dirname(path)
    return path


def _base(path):
    return re.sub(r"\.pyi?$", "", path)
