"""How one module speaks of another, and what a module has to import to mean by a name what another one means."""

import os

from .. import refusals
from . import trees as ast
from ..check import Exports
from .names import module_of
from ..session import Refused, source_folders
from .source import assigned, line_start


def module_name(session, path, target, is_relative):
    """How a module speaks of the target, relative where the import it replaces was."""
    package = os.path.dirname(target) if os.path.basename(target) == "__init__.py" else target[:-3]
    folder, dots = os.path.dirname(path), 1
    while not (package + os.sep).startswith(folder + os.sep):
        folder, dots = os.path.dirname(folder), dots + 1
    # What lies in no package cannot be spoken of so.
    roots = [session.root, *(os.path.join(session.root, each) for each in source_folders(session.root))]
    if is_relative and (folder not in roots or os.path.exists(os.path.join(folder, "__init__.py"))):
        return "." * dots + os.path.relpath(package, folder).replace(os.sep, ".").strip(".")
    top = os.path.dirname(target)
    # A folder that is going to be made is a package when it lies in one.
    while top != session.root and (os.path.exists(os.path.join(top, "__init__.py")) or not os.path.exists(top)):
        top = os.path.dirname(top)
    if os.path.basename(target) == "__init__.py" and top == os.path.dirname(target):
        top = os.path.dirname(top)
    return os.path.relpath(package, top).replace(os.sep, ".")


def module_aliases(session, path, tree, target, is_loaded=True):
    """What a module calls another one, where it imports it as a module: text -> the import. Who imports a package
    reaches those of its modules that somebody else has loaded.
    """
    exports, found = Exports(session.root, {}), {}
    dotted = module_name(session, path, target, False)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if exports.module_of(path, alias.name) == target:
                    found[alias.asname or alias.name] = node
                elif (
                    is_loaded
                    and alias.asname is None
                    and "." in dotted
                    and alias.name.split(".")[0] == dotted.split(".")[0]
                ):
                    found.setdefault(dotted, node)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if exports.submodule(path, node, alias.name) == target:
                    found[alias.asname or alias.name] = node
    return found


def prefers_names(session, path, tree):
    """Whether a file, or else most of the project, imports names from the project's modules rather than the modules."""
    exports = Exports(session.root, {})

    def counted(where, inside):
        found = [0, 0]
        for node in ast.walk(inside):
            if isinstance(node, ast.ImportFrom) and (node.level or exports.source_of(where, node)):
                for alias in node.names:
                    found[1 if exports.submodule(where, node, alias.name) is None else 0] += 1
            elif isinstance(node, ast.Import):
                found[0] += sum(1 for alias in node.names if exports.module_of(where, alias.name))
        return found

    modules, names = counted(path, tree)
    if modules == names:
        for resource, _text, each in session.trees("import"):
            more = counted(resource.real_path, each)
            modules, names = modules + more[0], names + more[1]
    return names > modules


class Missing:
    """The import statements that a module lacks to mean by names what they mean in `home`."""

    def __init__(self, session, home, path, text=None, is_relative=None):
        self.session, self.home, self.path = session, home, path
        text = session.resource(path).read() if text is None else text
        self.exports = Exports(session.root, {path: text})
        self.taken = module_of(text).module_names
        # What `home` does not define but imports.
        self.imported = {name for meanings in meanings(self.exports, home) for name in meanings}
        self.is_relative = (
            any(isinstance(n, ast.ImportFrom) and n.level for n in ast.walk(ast.parse(text)))
            if is_relative is None
            else is_relative
        )
        # Imports at the top; those that only a type checker follows, by their condition; and other names for what is
        # called differently here.
        self.lines, self.guarded, self.renamed = [], {}, {}
        # Those of the project come after others, as is usual.
        self.own = set()

    def need(self, names, may_rename=False):
        """Where a name means something else, it is refused, or imported under another."""
        theirs, guarded = meanings(self.exports, self.home)
        mine, mine_guarded = meanings(self.exports, self.path)
        mine.update({name: meaning for name, (_test, meaning) in mine_guarded.items()})
        for name in sorted(names):
            test, wanted = guarded.get(name, (None, theirs.get(name, (self.home, name))))
            if mine.get(name) == wanted or wanted == (self.path, name):
                continue
            called = name
            if name in self.taken or name in mine:
                called = f"{os.path.basename(self.home)[:-3].strip('_')}_{name.strip('_')}"
                if not may_rename or called in self.taken:
                    raise Refused(refusals.MEANS_OTHER_IN_FILE, name=name, path=self.session.relative(self.path))
                self.renamed[name] = called
            line = self._line(wanted, called)
            if test is None:
                self.lines.append(line)
                self.own |= {line} if os.path.isabs(wanted[0]) else set()
            else:
                self.need({n.id for n in ast.walk(ast.parse(test)) if isinstance(n, ast.Name)})
                self.guarded.setdefault(test, []).append(line)
        self.lines = list(dict.fromkeys(self.lines))

    def need_module(self, module):
        """A module of the project as such."""
        dotted = module_name(self.session, self.path, module, False)
        first, known = dotted.split(".")[0], meanings(self.exports, self.path)[0]
        if (
            first in self.taken
            and known.get(first, (None, None))[1] is not None
            or first in self.taken
            and first not in known
        ):
            raise Refused(refusals.MEANS_OTHER_IN_FILE, name=first, path=self.session.relative(self.path))
        self.lines.append(f"import {dotted}")
        self.own.add(self.lines[-1])

    def ordered(self):
        return sorted(self.lines, key=lambda line: (line in self.own, line.startswith("from"), line))

    def together(self, order):
        """The same with one line for what comes from one module, the names in the given order."""
        found = {}
        for line in self.ordered():
            module, _, name = line.partition(" import ") if line.startswith("from ") else (line, "", "")
            found.setdefault(module, []).append(name)
            self.own |= {module} if line in self.own else set()
        lines = []
        for module, names in found.items():
            names.sort(
                key=lambda name: order.index(name.split(" ")[-1]) if name.split(" ")[-1] in order else len(order)
            )
            lines.append(f"{module} import {', '.join(names)}" if names[0] else module)
            self.own |= {lines[-1]} if module in self.own else set()
        return lines

    def need_for_types(self, names):
        """The same for what only a type checker has to know."""
        theirs, guarded = meanings(self.exports, self.home)
        self.need(names & guarded.keys())
        typing = next((name for name, meaning in theirs.items() if meaning == ("typing", None)), None)
        lines = len(self.lines)
        self.need(names - guarded.keys())
        self.lines, late = self.lines[:lines], self.lines[lines:]
        test = f"{typing}.TYPE_CHECKING" if typing else "TYPE_CHECKING"
        if late and typing:
            self.need({typing})
        elif late:
            self.lines += [] if "TYPE_CHECKING" in self.taken else ["from typing import TYPE_CHECKING"]
        if late:
            self.guarded.setdefault(test, []).extend(late)

    def _line(self, meaning, called):
        module, original = meaning
        if original is None:
            return f"import {module}" if module.split(".")[0] == called else f"import {module} as {called}"
        if os.path.isabs(module):
            module = module_name(self.session, self.path, module, self.is_relative)
        return f"from {module} import {original}{f' as {called}' if called != original else ''}"


def with_imports(text, lines, guarded=None):
    """The text with import statements after those at its head; those for type checkers only under their condition,
    which may stand there already.
    """
    present = {ast.unparse(n) for n in ast.parse(text).body}
    lines = [line for line in lines if line not in present]
    for line in (each for each in lines if "__future__" in each):
        text = _inserted(text, [line], _after_description(text))
    text = _inserted(text, [line for line in lines if "__future__" not in line], after_imports(text))
    for test, inner in (guarded or {}).items():
        known = next((n for n in ast.parse(text).body if isinstance(n, ast.If) and ast.unparse(n.test) == test), None)
        block = [f"    {line}" for line in inner]
        if known is not None:
            text = _inserted(text, block, known.body[-1].end_lineno + 1)
        else:
            text = _inserted(text, ["", f"if {test}:", *block], after_imports(text))
    return text


def _inserted(text, lines, line):
    if not lines:
        return text
    at = line_start(text, line) if line <= text.count("\n") + 1 else len(text)
    head, rest = text[:at], text[at:]
    head = head if head.endswith("\n") or not head else head + "\n"
    # Code that follows at once keeps its distance, if the file keeps any.
    gap = (
        "\n\n"
        if rest.strip()
        and not rest.startswith("\n")
        and not rest.startswith(("import ", "from "))
        and "\n\n\n" in text
        and line == _after_description(text)
        else ""
    )
    return head + "".join(f"{each}\n" for each in lines) + gap + rest


def _after_description(text):
    """The line after a module's own comments and description."""
    body = ast.parse(text).body
    if (
        body
        and isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    ):
        lines = text.split("\n")
        line = body[0].end_lineno + 1
        while line <= len(lines) - 1 and not lines[line - 1].strip() and len(body) > 1:
            line += 1
        return line
    lines, line = text.split("\n"), 1
    while line <= len(lines) and lines[line - 1].startswith("#"):
        line += 1
    return (
        line
        if line <= len(lines) and not lines[line - 1].strip() or line == 1
        else (2 if lines[0].startswith("#!") else 1)
    )


def after_imports(text):
    last = None
    for index, node in enumerate(ast.parse(text).body):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            last = node
        elif not (index == 0 and isinstance(node, ast.Expr)):
            break
    return last.end_lineno + 1 if last is not None else _after_description(text)


def meanings(exports, path):
    """What the names are that a module imports as it loads: name -> (module, name in it), the module being a file of
    the project or a dotted name; and the same of what it imports for type checkers only, with the condition.
    """
    found, guarded, computed = {}, {}, set()
    for node in ast.parse(exports.text(path) or "").body:
        found.update(_imported(exports, path, node))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            test, inside, outside = (
                (node.test.operand, node.orelse, node.body)
                if isinstance(node.test, ast.UnaryOp)
                else (node.test, node.body, node.orelse)
            )
            for each in inside:
                # What is defined there exists for type checkers only, too.
                own = {name: (path, name) for name in [*assigned(each), getattr(each, "name", None)] if name}
                guarded.update(
                    {
                        name: (ast.unparse(test), meaning)
                        for name, meaning in {**own, **_imported(exports, path, each)}.items()
                    }
                )
            # The other way is what the program takes.
            for each in (n for statement in outside for n in ast.walk(statement)):
                computed.update([*assigned(each), getattr(each, "name", None), *_imported(exports, path, each)])
        else:
            computed.update([*assigned(node), getattr(node, "name", None)])
    return found, {name: value for name, value in guarded.items() if name not in found and name not in computed}


def _imported(exports, path, node):
    if isinstance(node, ast.ImportFrom):
        source = exports.source_of(path, node) or ("." * node.level + (node.module or ""))
        if node.names[0].name == "*":
            return (
                {name: (source, name) for name in exports.names(source) or () if not name.startswith("_")}
                if os.path.isabs(source)
                else {}
            )
        return {a.asname or a.name: (source, a.name) for a in node.names if source[:1] != "."}
    if isinstance(node, ast.Import):
        return {a.asname or a.name.split(".")[0]: (a.name, None) for a in node.names}
    return {}
