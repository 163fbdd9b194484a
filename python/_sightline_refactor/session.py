"""One project as rope sees it, and how places and answers are told."""

import os

from rope.base import change as rope_change
from rope.base import exceptions, project as rope_project

from .answers import StillUsed, Create, Delete, Move, Write
from .requests import NameRequest
from . import refusals
from .project import texts
from .project import trees as ast
from .rope_repairs import repair

repair()

# More modules than these are not all held as syntax trees.
MANY_FILES = 800


IGNORED = [
    "*.pyc",
    "*~",
    ".git",
    "__pycache__",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".pytest_cache",
    "node_modules",
    "build",
    "dist",
    "site-packages",
    ".eggs",
]


class Refused(Exception):
    """A refusal for a reason of the list."""

    def __init__(self, reason: refusals.Reason, data: StillUsed | None = None, **values: object):
        super().__init__(reason.words(**values))
        self.kind, self.data = reason.kind, data


REFUSALS = (
    exceptions.RefactoringError,
    exceptions.BadIdentifierError,
    exceptions.ModuleNotFoundError,
    exceptions.AttributeNotFoundError,
    exceptions.NameNotFoundError,
)


def source_folders(root):
    """rope looks no further than the root when a package, such as the tests, lies in it."""
    return [
        name
        for name in ("src", "lib", "python")
        if os.path.isdir(os.path.join(root, name)) and not os.path.exists(os.path.join(root, name, "__init__.py"))
    ]


class Session:
    def __init__(self, root):
        self.root = root
        # The trees of the modules by their paths, with the texts they were made of.
        self._trees = {}
        self._stamps, self._files = {}, []
        self.project = rope_project.Project(
            root,
            ropefolder=None,
            save_objectdb=False,
            save_history=False,
            automatic_soa=False,
            validate_objectdb=False,
            import_dynload_stdmods=False,
            ignore_syntax_errors=True,
            ignore_bad_imports=True,
            ignored_resources=IGNORED,
        )

    def refresh(self):
        """Takes note of what changed on disk."""
        stamps = self._look()
        texts.see({path: stamp for path, stamp in stamps.items() if path.endswith((".py", ".pyi"))})
        if stamps == self._stamps:
            return
        self._stamps = stamps
        self.project.validate()
        self.project._custom_source_folders = [self.project.get_folder(name) for name in source_folders(self.root)]
        # rope looks for them in the whole tree again for every import.
        found = type(self.project).get_source_folders(self.project)
        self.project.get_source_folders = lambda: found
        # rope has them in no order; an answer names them in one.
        self._files = sorted(self.project.get_python_files(), key=lambda resource: resource.path)
        for path in [path for path in self._trees if path not in stamps]:
            self._forget(path)

    def _look(self):
        """The modules and folders of the project, each with what changes when it does."""
        found, waiting, seen = {}, [self.root], set()
        while waiting:
            folder = waiting.pop()
            try:
                known = os.stat(folder)
                # A link may lead back to where one has been.
                if known.st_ino in seen:
                    continue
                seen.add(known.st_ino)
                found[folder] = known.st_mtime_ns
                for entry in os.scandir(folder):
                    if entry.name in IGNORED:
                        continue
                    if entry.is_dir():
                        waiting.append(entry.path)
                    elif entry.name.endswith((".py", ".pyi")):
                        known = entry.stat()
                        found[entry.path] = (known.st_mtime_ns, known.st_size, known.st_ino)
            except OSError:
                continue
        return found

    def files(self):
        """The Python files of the project."""
        return self._files

    # Places

    def is_own(self, path):
        return path.startswith(self.root + os.sep)

    def relative(self, path):
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def resource(self, path):
        return self.project.get_resource(self.relative(path))

    def offset(self, resource, line, column):
        lines = resource.read().split("\n")
        if line > len(lines):
            raise Refused(refusals.NO_SUCH_LINE, path=resource.path, count=len(lines))
        units = lines[line - 1].encode("utf-16-le")[: (column - 1) * 2]
        return sum(len(each) + 1 for each in lines[: line - 1]) + len(units.decode("utf-16-le", "ignore"))

    def place(self, args: NameRequest):
        self.refresh()
        resource = self.resource(args.path)
        self.parse(resource)
        return resource, self.offset(resource, args.line, args.column)

    def parse(self, resource):
        try:
            return self._tree(resource.real_path, resource.read())
        except SyntaxError as error:
            raise Refused(refusals.DOES_NOT_PARSE, path=resource.path, error=error.msg, line=error.lineno)

    def _tree(self, path, text):
        """The tree of a module; of a very large project they are not all kept."""
        known = self._trees.get(path)
        if known is not None and known[0] == text:
            return known[1]
        if len(self._files) > MANY_FILES:
            return ast.parse(text)
        self._forget(path)
        tree = ast.fresh(text)
        ast.hold(text, tree)
        self._trees[path] = (text, tree)
        return tree

    def _forget(self, path):
        if path in self._trees:
            ast.release(*self._trees.pop(path))

    def trees(self, word):
        """The modules of the project that contain a word: (resource, text, tree)."""
        for resource in self._files:
            text = resource.read()
            if word in text:
                try:
                    yield resource, text, self._tree(resource.real_path, text)
                except SyntaxError:
                    continue

    def parsed(self, word):
        """The modules of the project that parse: (path, text, tree). Of a large project, those that contain the
        word.
        """
        found = self.trees("" if len(self._files) <= MANY_FILES else word)
        return [(resource.real_path, text, tree) for resource, text, tree in found]

    # Answers

    def operations(self, changes):
        found = []
        for each in changes.changes:
            if isinstance(each, rope_change.ChangeSet):
                found.extend(self.operations(each))
            elif isinstance(each, rope_change.ChangeContents):
                found.append(Write(each.resource.real_path, each.new_contents))
            elif isinstance(each, rope_change.MoveResource):
                found.append(Move(each.resource.real_path, each.new_resource.real_path))
            elif isinstance(each, rope_change.CreateResource):
                if not each.resource.is_folder():
                    found.append(Create(each.resource.real_path))
            elif isinstance(each, rope_change.RemoveResource):
                found.append(Delete(each.resource.real_path))
        return found


def valid_name(name):
    if not name.isidentifier():
        raise Refused(refusals.INVALID_NAME, name=name)


def offsets(session, places):
    """Places of the project's modules as (path, offset)."""
    return {
        (path, session.offset(session.resource(path), line, column))
        for path, line, column in places
        if path.endswith((".py", ".pyi")) and session.is_own(path)
    }
