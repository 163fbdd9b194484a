"""A checker for what a refactoring can break: syntax, names that nothing defines, imports from modules of the project
that do not define the name. It looks at texts only and runs nothing.
"""

import functools
import os

from .answers import CheckedProblem
from .project import texts
from .project import trees as ast
from .project.names import Module


def problems(root, files, contents):
    found = []
    exports = Exports(root, contents)
    for path in files:
        text = exports.text(path)
        if text is None:
            continue
        facts = facts_of(text)
        if facts.error is not None:
            found.append(CheckedProblem(path, *facts.error, "syntax"))
            continue
        for name, line in facts.exported:
            if name not in facts.module_names and exports.module_file(os.path.dirname(path), name) is None:
                found.append(CheckedProblem(path, line, 1, f'"{name}" in __all__ is not defined', "export"))
        for use in facts.unknown:
            found.append(CheckedProblem(path, use.line, use.column + 1, f'"{use.name}" is not defined', "undefined"))
        for node in facts.imports:
            found.extend(exports.broken(path, node))
    return found


class Facts:
    """What one text says by itself, whatever the other modules say."""

    def __init__(self, text):
        self.error, self.names = None, None
        try:
            compile(text, "<text>", "exec", dont_inherit=True)
            module = Module(text)
        except (SyntaxError, ValueError) as error:
            self.error = (
                getattr(error, "lineno", 1) or 1,
                getattr(error, "offset", 1) or 1,
                f"syntax error: {getattr(error, 'msg', error)}",
            )
            return
        self.module_names = module.module_names
        self.exported = [] if module.has_star else list(module.exported())
        self.unknown = module.unknown()
        self.imports = [node for node in ast.walk(module.tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        # What is imported with a star or made on demand is not known by its names.
        if not module.has_star and not any(
            isinstance(n, ast.FunctionDef) and n.name == "__getattr__" for n in module.tree.body
        ):
            self.names = set(module.module_names)


# A change touches few modules; of the others everything is known from the look before it, and from the last change.
@functools.lru_cache(maxsize=2000)
def facts_of(text):
    return Facts(text)


class Exports:
    def __init__(self, root, contents):
        self.root, self.contents = root, contents

    def text(self, path):
        if path in self.contents:
            return None if self.contents[path] is None else self.contents[path].removeprefix("\ufeff")
        try:
            return texts.text(path, "check", lambda: _read(path))
        except (OSError, UnicodeError):
            return None

    def exists(self, path):
        if path in self.contents:
            return self.contents[path] is not None
        return texts.exists(path)

    def module_file(self, folder, dotted):
        base = os.path.join(folder, *dotted.split(".")) if dotted else folder
        for candidate in (base + ".py", os.path.join(base, "__init__.py")):
            if self.exists(candidate):
                return candidate
        return None

    def broken(self, path, node):
        if isinstance(node, ast.Import):
            return [
                self._missing(path, node, alias.name)
                for alias in node.names
                if self._is_own(alias.name) and self._resolve(path, alias.name) is None
            ]
        if node.level:
            folder = os.path.dirname(path)
            for _ in range(node.level - 1):
                folder = os.path.dirname(folder)
            dotted = node.module or ""
            target = self.module_file(folder, dotted)
            package = os.path.join(folder, *dotted.split(".")) if dotted else folder
            if target is None and not os.path.isdir(package):
                return [self._missing(path, node, "." * node.level + dotted)]
        else:
            if not self._is_own(node.module):
                return []
            target = self._resolve(path, node.module)
            if target is None:
                return [self._missing(path, node, node.module)] if not self._is_folder(path, node.module) else []
        if target is None:
            return []
        names = self.names(target)
        if names is None:
            return []
        found = []
        for alias in node.names:
            if alias.name == "*" or alias.name in names:
                continue
            folder = os.path.dirname(target) if os.path.basename(target) == "__init__.py" else None
            if folder and (self.module_file(folder, alias.name) or os.path.isdir(os.path.join(folder, alias.name))):
                continue
            found.append(
                CheckedProblem(
                    path,
                    node.lineno,
                    node.col_offset + 1,
                    f'"{alias.name}" is not defined in {self._dotted(target)}',
                    "import",
                )
            )
        return found

    def _dotted(self, path):
        """A module by its name, which is what a move of it changes."""
        name = os.path.relpath(path, self.root)[: -len(".py")].replace(os.sep, ".")
        return name[: -len(".__init__")] if name.endswith(".__init__") else name

    def source_of(self, path, node):
        """The file of the project that a `from … import …` takes its names from, if there is one."""
        if not node.level:
            return self._resolve(path, node.module) if self._is_own(node.module) else None
        folder = os.path.dirname(path)
        for _ in range(node.level - 1):
            folder = os.path.dirname(folder)
        return self.module_file(folder, node.module or "")

    def module_of(self, path, dotted):
        """The file of the project that `import dotted` means, if there is one."""
        return self._resolve(path, dotted) if self._is_own(dotted) else None

    def submodule(self, path, node, name):
        """The file of the module that a `from package import name` means, if it is one."""
        package = self.source_of(path, node)
        if package is not None and os.path.basename(package) != "__init__.py":
            return None
        if package is not None:
            return (
                self.module_file(os.path.dirname(package), name)
                if name not in (self.names(package) or ())
                else self._reexported(package, name)
            )
        folder = os.path.dirname(path)
        for _ in range(max(node.level - 1, 0)):
            folder = os.path.dirname(folder)
        if node.level:
            return self.module_file(
                os.path.join(folder, *(node.module or "").split(".")) if node.module else folder, name
            )
        return self.module_of(path, f"{node.module}.{name}")

    def _reexported(self, package, name):
        """A package that imports its own module gives it on by its name."""
        found = self.module_file(os.path.dirname(package), name)
        if found is None:
            return None
        tree = ast.parse(self.text(package) or "")
        return (
            found
            if any(
                isinstance(n, ast.ImportFrom)
                and n.level == 1
                and not n.module
                and any((a.asname or a.name) == name == a.name for a in n.names)
                for n in tree.body
            )
            else None
        )

    def imported(self, path):
        """The modules of the project that a module imports as it loads."""
        try:
            tree = ast.parse(self.text(path) or "")
        except (SyntaxError, ValueError):
            return []
        found = []
        waiting = list(tree.body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.ImportFrom):
                target = self.source_of(path, node)
                inner = (
                    [self.module_file(os.path.dirname(target), alias.name) for alias in node.names]
                    if target and os.path.basename(target) == "__init__.py"
                    else []
                )
                # Who takes only modules from a package takes nothing that the package itself defines.
                found += inner if inner and None not in inner else [target, *inner]
            elif isinstance(node, ast.Import):
                found += [self._resolve(path, alias.name) for alias in node.names if self._is_own(alias.name)]
            elif (
                isinstance(node, (ast.If, ast.Try, ast.With))
                and "TYPE_CHECKING" not in ast.unparse(getattr(node, "test", node)).split(":")[0]
            ):
                waiting += [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]
        return [each for each in found if each]

    def reaches(self, start, goal):
        """Whether loading a module of the project loads another one."""
        seen, waiting = set(), [start]
        while waiting:
            for found in self.imported(waiting.pop()):
                if found == goal:
                    return True
                if found not in seen and found.startswith(self.root + os.sep):
                    seen.add(found)
                    waiting.append(found)
        return False

    def names(self, path):
        return facts_of(self.text(path) or "").names

    def _roots(self, path):
        """Folders from which an absolute import could start: those above the file, and the usual source folder."""
        roots, folder = [], os.path.dirname(path)
        while True:
            roots.append(folder)
            if folder == self.root or len(folder) <= len(self.root):
                break
            folder = os.path.dirname(folder)
        return roots + [os.path.join(self.root, "src"), os.path.join(self.root, "lib")]

    def _resolve(self, path, dotted):
        for folder in self._roots(path):
            target = self.module_file(folder, dotted)
            if target:
                return target
        return None

    def _is_folder(self, path, dotted):
        return any(os.path.isdir(os.path.join(folder, *dotted.split("."))) for folder in self._roots(path))

    def _is_own(self, dotted):
        top = dotted.split(".")[0]
        for folder in (self.root, os.path.join(self.root, "src"), os.path.join(self.root, "lib")):
            if self.exists(os.path.join(folder, top + ".py")) or self.exists(os.path.join(folder, top, "__init__.py")):
                return True
        return False

    def _missing(self, path, node, name):
        return CheckedProblem(path, node.lineno, node.col_offset + 1, f'there is no module "{name}"', "import")


def _read(path):
    with open(path, "rb") as stream:
        return decode(stream.read())


def decode(data):
    import io
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding).replace("\r\n", "\n")
