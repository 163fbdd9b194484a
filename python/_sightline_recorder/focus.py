"""Whose code is looked at: files and folders of the project, and in them the functions that were named."""

import os

_INSTALLED = ("site-packages", "dist-packages", "node_modules", ".venv", "venv", ".tox", ".nox", "__pypackages__")


class Focus(object):
    def __init__(self, orders):
        wanted = orders["focus"]
        self.root = orders["root"]
        self._files = set()
        self._folders = []
        for each in wanted["files"]:
            for path in {each, os.path.realpath(each) + ("/" if each.endswith("/") else "")}:
                if path.endswith("/"):
                    self._folders.append(path)
                else:
                    self._files.add(path)
        self.functions = [each.replace("::", ".").replace("#", ".") for each in wanted["functions"]]
        self._ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
        # What a watch or a probe names is looked at wherever it stands.
        self.named = {each["file"] for kind in ("watches", "probes") for each in orders[kind] if each.get("file")}
        self.known = {}

    def path_of(self, filename):
        """The absolute path of a code object's file when it is in the focus, or None; told once per name."""
        try:
            return self.known[filename]
        except KeyError:
            found = self.known[filename] = self._path_of(filename)
            return found

    def _path_of(self, filename):
        if not filename or filename[0] == "<":
            return None
        path = os.path.abspath(filename)
        if path.startswith(self._ours):
            return None
        real = os.path.realpath(path)
        if path in self._files or real in self._files or path in self.named or real in self.named:
            return path
        for folder in self._folders:
            for each in (path, real):
                if each.startswith(folder) and not self._is_installed(each[len(folder) :]):
                    return path
        return None

    @staticmethod
    def _is_installed(rest):
        return any(part in _INSTALLED for part in rest.split(os.sep)[:-1])

    def wants_call(self, path, name):
        if self.functions:
            return any(matches(each, name) for each in self.functions)
        return path in self._files or path not in self.named or self._in_folder(path)

    def _in_folder(self, path):
        return any(path.startswith(folder) and not self._is_installed(path[len(folder) :]) for folder in self._folders)


def matches(wanted, name):
    """`total` and `Cart.total` name `shop.Cart.total`."""
    return name == wanted or name.endswith("." + wanted)


def around(name):
    """A function inside another is part of it: its own name, and those of what it stands in."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
