"""One project as rope sees it, and how places and answers are told."""

import ast
import os

from rope.base import change as rope_change
from rope.base import exceptions, project as rope_project

from .rope_repairs import repair

repair()

# More modules than these are not all held as syntax trees.
MANY_FILES = 800


class Refused(Exception):
    """A refusal with its reason; `kind` is 'refused', 'conflict' or 'usage'."""

    def __init__(self, message, kind="refused", data=None):
        super().__init__(message)
        self.kind, self.data = kind, data


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
        self._parsed = {}
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
            ignored_resources=[
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
            ],
        )

    def refresh(self):
        """Takes note of what changed on disk."""
        self.project.validate()
        self.project._custom_source_folders = [self.project.get_folder(name) for name in source_folders(self.root)]

    # Places

    def relative(self, path):
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def resource(self, path):
        return self.project.get_resource(self.relative(path))

    def offset(self, resource, line, column):
        lines = resource.read().split("\n")
        if line > len(lines):
            raise Refused(f"{resource.path} has {len(lines)} lines")
        units = lines[line - 1].encode("utf-16-le")[: (column - 1) * 2]
        return sum(len(each) + 1 for each in lines[: line - 1]) + len(units.decode("utf-16-le", "ignore"))

    def place(self, args):
        self.refresh()
        resource = self.resource(args["path"])
        self.parse(resource)
        return resource, self.offset(resource, args["line"], args["column"])

    @staticmethod
    def parse(resource):
        try:
            return ast.parse(resource.read())
        except SyntaxError as error:
            raise Refused(f"{resource.path} does not parse: {error.msg} (line {error.lineno})")

    def trees(self, word):
        """The modules of the project that contain a word: (resource, text, tree)."""
        for resource in self.project.get_python_files():
            text = resource.read()
            if word in text:
                try:
                    yield resource, text, ast.parse(text)
                except SyntaxError:
                    continue

    def parsed(self, word):
        """The modules of the project that parse: (path, text, tree). Of a large project, those that contain the
        word.
        """
        kept, resources = {}, list(self.project.get_python_files())
        for resource in resources:
            path = resource.real_path
            try:
                found = os.stat(path)
            except OSError:
                continue
            key = (found.st_mtime_ns, found.st_size, found.st_ino)
            known = self._parsed.get(path)
            if known is None or known[0] != key:
                text = resource.read()
                if len(resources) > MANY_FILES and word not in text:
                    continue
                try:
                    known = (key, text, ast.parse(text))
                except SyntaxError:
                    known = (key, text, None)
            kept[path] = known
        # What was parsed is kept until a file changes, unless it is too much.
        self._parsed = kept if len(resources) <= MANY_FILES else {}
        return [(path, text, tree) for path, (_key, text, tree) in kept.items() if tree is not None]

    # Answers

    def operations(self, changes):
        found = []
        for each in changes.changes:
            if isinstance(each, rope_change.ChangeSet):
                found.extend(self.operations(each))
            elif isinstance(each, rope_change.ChangeContents):
                found.append({"kind": "write", "path": each.resource.real_path, "content": each.new_contents})
            elif isinstance(each, rope_change.MoveResource):
                found.append({"kind": "rename", "from": each.resource.real_path, "to": each.new_resource.real_path})
            elif isinstance(each, rope_change.CreateResource):
                if not each.resource.is_folder():
                    found.append({"kind": "create", "path": each.resource.real_path})
            elif isinstance(each, rope_change.RemoveResource):
                found.append({"kind": "delete", "path": each.resource.real_path})
        return found

    @staticmethod
    def answer(operations, summary, notes=(), conflicts=()):
        return {"operations": operations, "summary": summary, "notes": list(notes), "conflicts": list(conflicts)}


def valid_name(name):
    if not name.isidentifier():
        raise Refused(f'"{name}" is not a valid name')


def offsets(session, places):
    """Places told by line and column, as (path, offset)."""
    found = set()
    for place in places:
        if place["path"].endswith((".py", ".pyi")) and place["path"].startswith(session.root + os.sep):
            found.add((place["path"], session.offset(session.resource(place["path"]), place["line"], place["column"])))
    return found
