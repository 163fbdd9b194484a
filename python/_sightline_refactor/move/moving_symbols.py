"""Moving a function, class or variable to another module. Each importer keeps its own style: names stay names,
`module.name` stays that; nothing but what has to change is changed.
"""

import os
import re

from ..answers import Conflict, Create, MoveSymbolAnswer, Operation, Write
from ..requests import MoveSymbolRequest
from .. import refusals
from ..project import trees as ast
from ..check import Exports
from ..analysis.removal import without_element
from ..strings.docstring_names import follow_moved_types
from .importers import Importer
from ..project.imports import meanings, module_aliases, module_name
from .deferred_imports import LateNames
from .source_module import left
from ..analysis.load_effects import no_longer_loaded
from ..analysis.load_order import DEFINITIONS, changed_by, order_conflicts, reached
from ..project.names import module_of
from ..analysis.registration import is_registered
from .non_import_references import (
    Named,
    assigned_from_outside,
    changes_as_loaded,
    conditional,
    of_its_module,
)
from ..strings.name_strings import exported_strings
from .target_module import head_lines, received
from ..session import Refused
from ..project.source import FUNCTIONS, assigned, edited, last_line, line_start, scope_of, span


def move_symbol(session, args: MoveSymbolRequest):
    resource, _offset = session.place(args)
    name, target, source = args.name, args.target_file, resource.real_path
    moved = _Moved(session, resource, name)
    if not target.endswith(".py"):
        raise Refused(refusals.TARGET_NOT_PYTHON)
    if target == source:
        raise Refused(refusals.THERE_ALREADY)
    exists = os.path.exists(target)
    before = session.resource(target).read() if exists else ""
    if any(getattr(n, "name", None) == name or name in assigned(n) for n in ast.parse(before).body):
        raise Refused(refusals.TARGET_HAS_NAME, path=session.relative(target), name=name)
    moved.refuse_meanings(target, before)
    contents = {}
    for path in sorted({each.real_path for each, _text, _tree in session.trees(name)} - {source, target}):
        text = Importer(session, path, source, target, name).followed()
        if text != session.resource(path).read():
            contents[path] = text
    if (contents or moved.is_used_by_module()) and not all(
        part.isidentifier() for part in module_name(session, source, target, False).split(".")
    ):
        raise Refused(refusals.TARGET_NOT_IMPORTABLE, path=session.relative(target))
    if moved.is_set_as_loaded and (contents or any(u.name == name for u in module_of(before).uses)):
        raise Refused(refusals.ASSIGNED_AGAIN_AS_LOADED, name=name)
    named = Named(session, source, target, name)
    moved.is_named = bool(named)
    contents[source] = left(session, moved, source, target)
    for is_guarded in (False, True):
        contents[target] = received(session, moved, target, before, is_guarded)
        conflicts = _new_cycle(session, contents, source, target, moved)
        if not conflicts:
            break
    if conflicts and moved.late.can_wait(moved.needed - moved.annotated):
        contents[target] = received(session, moved, target, before, bool(moved.annotated))
        conflicts = _new_cycle(session, contents, source, target, moved)
        moved.notes.append(
            f"{session.relative(target)} imports what it needs of {session.relative(source)} where it is used, "
            "since the two modules need each other"
        )
    _follow_exports(contents, source, target, name)
    if not moved.is_used_by_module():
        named.follow(contents)
    if any(isinstance(n, ast.ClassDef) for n in moved.nodes):
        follow_moved_types(session, contents, source, target, name)
    conflicts += named.conflicts(moved.is_used_by_module())
    operations: list[Operation] = [
        Write(path, content) if os.path.exists(path) else Create(path, content) for path, content in contents.items()
    ]
    operations += package_files(session, os.path.dirname(target)) if not exists else []
    conflicts += of_its_module(moved.nodes, source, target) + assigned_from_outside(session, source, name, moved.needed)
    conflicts += order_conflicts(moved.tree, moved.nodes, name, source) + changes_as_loaded(
        moved.tree, moved.nodes, name, source
    )
    conflicts = conflicts or no_longer_loaded(
        session, {path: text for path, text in contents.items() if path.endswith(".py")}, source, target
    )
    assigned_later = [name] if moved.is_reassigned else []
    shown = f"move {name} to {session.relative(target)}"
    return MoveSymbolAnswer(operations, shown, moved.notes, conflicts, assigned_later)


class _Moved:
    """What is moved: its text, and the names of its module that it reads."""

    def __init__(self, session, resource, name):
        self.session, self.name, self.path, self.notes = session, name, resource.real_path, []
        self.text, self.tree = resource.read(), session.parse(resource)
        self.module = module_of(self.text)
        nodes = [n for n in self.tree.body if getattr(n, "name", None) == name or name in assigned(n)] or conditional(
            self.tree, name
        )
        if len(nodes) > 1 and all(isinstance(n, ast.Assign) for n in nodes):
            nodes = nodes[:1]
        if len(nodes) > 1 and any(not isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) for n in nodes):
            raise Refused(refusals.DEFINED_MORE_THAN_ONCE, name=name)
        if any(
            isinstance(n, ast.Assign) and (len(n.targets) > 1 or not isinstance(n.targets[0], ast.Name)) for n in nodes
        ):
            raise Refused(refusals.ASSIGNED_WITH_OTHERS)
        self.nodes, inside = nodes, [n for node in nodes for n in ast.walk(node)]
        declared = {each for n in ast.walk(self.tree) if isinstance(n, ast.Global) for each in n.names}
        stores = [
            n
            for n in ast.walk(self.tree)
            if isinstance(n, ast.Name)
            and n.id == name
            and not isinstance(n.ctx, ast.Load)
            and n not in inside
            and self._is_global(n)
        ]
        # Whoever assigns it does so to the variable of its new module.
        self.is_reassigned = name in declared or bool(stores)
        targets = {
            id(t)
            for n in ast.walk(self.tree)
            if isinstance(n, (ast.Assign, ast.AugAssign))
            for t in (n.targets if isinstance(n, ast.Assign) else [n.target])
        }
        if self.is_reassigned and (
            any(isinstance(n, (*FUNCTIONS, ast.ClassDef)) for n in nodes) or any(id(n) not in targets for n in stores)
        ):
            raise Refused(refusals.ASSIGNED_AGAIN, name=name)
        functions = {n.name: n for n in self.tree.body if isinstance(n, FUNCTIONS)}
        self.is_set_as_loaded = (
            any(isinstance(scope_of(self.tree, n), ast.Module) for n in stores)
            or self.is_reassigned
            and any(
                name in reached(n, functions, {name}, changed_by)
                for n in self.tree.body
                if n not in nodes and not isinstance(n, DEFINITIONS)
            )
        )
        self.needed, self.annotated = self._needed(inside)
        self.late = LateNames(self, declared)
        self.needed -= self.late.variables
        if os.path.isfile(self.path + "i"):
            raise Refused(refusals.STUB_DESCRIBES_MODULE)
        self.is_named, self.is_registered = (
            False,
            is_registered(session, self.path, [n for n in inside if isinstance(n, (*FUNCTIONS, ast.ClassDef))]),
        )
        if self.is_registered:
            self.notes.append(f"{session.relative(self.path)} still imports it: loading that module registers it")

    def refuse_meanings(self, target, before):
        """What the language defines must mean the same in the target, for what is moved and for what is there."""
        there = module_of(before)
        inside = {(n.lineno, n.col_offset) for node in self.nodes for n in ast.walk(node) if isinstance(n, ast.Name)}
        hidden = {
            u.name for u in self.module.uses if u.binding == "builtin" and (u.line, u.column) in inside
        } & there.module_names
        hidden |= {u.name for u in there.uses if u.binding == "builtin" and u.name == self.name}
        if hidden:
            raise Refused(refusals.MEANS_OTHER_IN_FILE, name=sorted(hidden)[0], path=self.session.relative(target))

    def _is_global(self, node):
        return any(
            u.binding == "" and (u.name, u.line, u.column) == (node.id, node.lineno, node.col_offset)
            for u in self.module.uses
        )

    def _needed(self, inside):
        """The names of its module that it reads, and of these those that only annotations name, which nothing
        computes.
        """
        # What comes with everything else from another module is imported by its name.
        imported = meanings(Exports(self.session.root, {}), self.path)[0]
        uses = {
            (u.line, u.column): u.name
            for u in self.module.uses
            if u.binding == "" or u.binding == "unknown" and u.name in imported
        }
        annotations = [
            each
            for n in inside
            for each in (getattr(n, "annotation", None), getattr(n, "returns", None))
            if each is not None
        ]
        quoted = {id(x) for each in annotations for x in ast.walk(each)}
        strings = [n for n in inside if isinstance(n, ast.Constant) and isinstance(n.value, str) and len(n.value) < 200]
        casts = {
            id(x)
            for n in inside
            if isinstance(n, ast.Call) and ast.unparse(n.func).split(".")[-1] in ("cast", "TypeVar")
            for x in ast.walk(n)
        }
        words = {
            word
            for n in strings
            if id(n) in quoted or id(n) in casts
            for word in re.findall(r"(?<![\w.])[^\W\d]\w*", n.value)
        } & self.module.module_names
        late = any(
            isinstance(n, ast.ImportFrom) and n.module == "__future__" and any(a.name == "annotations" for a in n.names)
            for n in self.tree.body
        )
        read = {(n.lineno, n.col_offset) for n in inside if isinstance(n, ast.Name) and not (late and id(n) in quoted)}
        all_read = {(n.lineno, n.col_offset) for n in inside if isinstance(n, ast.Name)}
        computed = {uses[place] for place in read if place in uses} - {self.name}
        needed = ({uses[place] for place in all_read if place in uses} | words) - {self.name}
        return needed, needed - computed

    def pieces(self):
        """(begin, end) of each definition, with its decorators and the comments right above it."""
        lines = self.text.split("\n")
        for node in self.nodes:
            first = min([d.lineno for d in getattr(node, "decorator_list", [])] + [node.lineno])
            while first - 1 > head_lines(self.text) and lines[first - 2].startswith("#"):
                first -= 1
            if (
                lines[node.end_lineno - 1][: node.end_col_offset].lstrip()
                and ";" in _without_strings(lines[node.end_lineno - 1][node.end_col_offset :])
                or lines[node.lineno - 1][: node.col_offset].strip()
            ):
                raise Refused(refusals.SHARES_ITS_LINE)
            begin = line_start(self.text, first)
            last = last_line(lines, node)
            yield begin, min(line_start(self.text, last) + len(lines[last - 1]) + 1, len(self.text))

    def code(self, target):
        """Its text as it stands in the target, which it need not name there."""
        aliases = module_aliases(self.session, self.path, self.tree, target, is_loaded=False)
        inside = [n for node in self.nodes for n in ast.walk(node)]
        reached = [n for n in inside if isinstance(n, ast.Attribute) and ast.unparse(n.value) in aliases]
        gone = {id(x) for n in reached for x in ast.walk(n)}
        self.needed -= {shown.split(".")[0] for shown in aliases} - {
            n.id for n in inside if isinstance(n, ast.Name) and id(n) not in gone
        }
        names = [module_name(self.session, target, self.path, each) for each in (False, self.is_relative())]
        edits = (
            [(*span(self.text, n), n.attr) for n in reached]
            + self._relative_imports(inside, target)
            + self.late.edits(*names)
        )
        pieces = [
            edited(
                self.text[begin:end], [(one - begin, two - begin, new) for one, two, new in edits if begin <= one < end]
            )
            for begin, end in self.pieces()
        ]
        return "\n\n".join(piece.rstrip("\n") + "\n" for piece in pieces)

    def _relative_imports(self, inside, target):
        """Relative imports in its body, which start from another folder there."""
        if os.path.dirname(target) == os.path.dirname(self.path):
            return []
        edits = []
        for node in (n for n in inside if isinstance(n, ast.ImportFrom) and n.level):
            folder = os.path.dirname(self.path)
            for _level in range(node.level - 1):
                folder = os.path.dirname(folder)
            module = os.path.join(folder, *(node.module or "__init__").split("."))
            file = f"{module}.py" if os.path.isfile(f"{module}.py") else os.path.join(module, "__init__.py")
            begin, finish = span(self.text, node)
            head = re.match(r"from\s*\.+\s*[\w.]*\s*import", self.text[begin:finish])
            edits.append((begin, begin + head.end(), f"from {module_name(self.session, target, file, False)} import"))
        return edits

    def is_relative(self):
        """Whether its module speaks of others by where it stands itself."""
        return any(isinstance(n, ast.ImportFrom) and n.level for n in ast.walk(self.tree))

    def is_used_by_module(self):
        return self.is_registered or self.is_read_by_module()

    def is_read_by_module(self):
        inside = {(n.lineno, n.col_offset) for node in self.nodes for n in ast.walk(node) if hasattr(n, "lineno")}
        if any(
            u.name == self.name
            and u.binding == ""
            and not any(
                node.lineno <= u.line <= node.end_lineno and (u.line > node.lineno or u.column >= node.col_offset)
                for node in self.nodes
            )
            for u in self.module.uses
        ):
            return True
        # An annotation that is a string uses it too.
        annotations = [
            each
            for n in ast.walk(self.tree)
            for each in (getattr(n, "annotation", None), getattr(n, "returns", None))
            if each is not None
        ]
        return any(
            isinstance(x, ast.Constant)
            and isinstance(x.value, str)
            and re.search(rf"\b{re.escape(self.name)}\b", x.value)
            and (x.lineno, x.col_offset) not in inside
            for each in annotations
            for x in ast.walk(each)
        )


def _without_strings(line):
    return line.split("#")[0]


def package_files(session, folder):
    """The __init__.py of folders that are new inside a package."""
    found = []
    while folder != session.root and not os.path.exists(folder):
        found.append(os.path.join(folder, "__init__.py"))
        folder = os.path.dirname(folder)
    inside = os.path.exists(os.path.join(folder, "__init__.py"))
    return [Create(path) for path in found] if inside else []


def _follow_exports(contents, source, target, name):
    """`__all__` of the module that loses the name loses it too, unless it still imports it; that of the target gets it
    if it has one.
    """
    text = contents[source]
    tree = ast.parse(text)
    items = list(exported_strings(tree, name))
    still = any(isinstance(n, ast.ImportFrom) and any((a.asname or a.name) == name for a in n.names) for n in tree.body)
    if not items or still:
        return
    for item in items:
        holder = next((n for n in ast.walk(tree) if isinstance(n, (ast.List, ast.Tuple)) and item in n.elts), None)
        if holder is not None:
            contents[source] = edited(text, [without_element(text, holder, item)])
    there = contents.get(target, "")
    for node in ast.parse(there).body:
        if (
            isinstance(node, ast.Assign)
            and any(getattr(t, "id", None) == "__all__" for t in node.targets)
            and getattr(node.value, "elts", None)
        ):
            last = span(there, node.value.elts[-1])[1]
            quote = there[last - 1]
            contents[target] = edited(there, [(last, last, f", {quote}{name}{quote}")])


def _new_cycle(session, contents, source, target, moved):
    """Two modules that import each other as they load, which they did not before."""
    before, after = Exports(session.root, {}), Exports(session.root, contents)
    there, back = (
        os.path.exists(target) and before.reaches(source, target),
        os.path.exists(target) and before.reaches(target, source),
    )
    # A third module that imported the one and now imports the other stood between the two before.
    is_direct = target in after.imported(source)
    if after.reaches(target, source) and (is_direct or there) and not (there and back):
        own = sorted(
            name
            for name in moved.needed
            if any(name in assigned(n) or getattr(n, "name", None) == name for n in moved.tree.body)
        )
        reads = (
            f': "{moved.name}" needs {", ".join(own)} of its module, which needs it; move these first'
            if own and moved.is_used_by_module()
            else ""
        )
        return [Conflict("meaning", refusals.MODULES_IMPORT_EACH_OTHER.words(reads=reads), target, 1)]
    return []
