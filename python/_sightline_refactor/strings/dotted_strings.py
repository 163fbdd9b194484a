"""Names that are written out in strings: `import_module("package.module")`, `patch("package.module.name")`, entry
points. Those that are certain to be looked up by the program follow a rename or a move; others that read the same are
told.
"""

import os
import re

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..project.source import span

# What is looked up by its dotted name: the first argument of these.
LOOKED_UP = {
    "import_module",
    "__import__",
    "importorskip",
    "find_spec",
    "resolve_name",
    "import_string",
    "locate",
    "run_module",
    "patch",
    "PackageLoader",
    "files",
    "resource_filename",
    "resource_string",
    "resource_stream",
}
# The same when they are called on these.
LOOKED_UP_ON = {
    ("patch", "dict"),
    ("patch", "multiple"),
    ("monkeypatch", "setattr"),
    ("monkeypatch", "delattr"),
    ("mp", "setattr"),
    ("mp", "delattr"),
    ("resources", "open_text"),
    ("resources", "read_text"),
    ("resources", "open_binary"),
    ("resources", "read_binary"),
    ("resources", "path"),
    ("pkgutil", "get_data"),
}
DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
ENTRY = re.compile(rf"(?:\s*[\w.-]+\s*=\s*)?({DOTTED}(?::{DOTTED})?)(?:\s*\[.*\])?\s*")
# Settings of a project that name modules and functions.
SETTINGS = ("pyproject.toml", "setup.cfg")


class Strings:
    """`change` says what becomes of a dotted name that a file speaks of: (start, end, new) within it, without a new one
    if that is unclear, or nothing. A string that names a module is changed wherever it stands if it is longer than one
    word, for nothing else reads so; one that names less, where it is looked up.
    """

    def __init__(self, session, change, is_module):
        self.session, self.change, self.is_module = session, change, is_module
        self.changed, self.left, self.unclear = [], [], []

    def follow(self, draft, word):
        for resource in self.session.files():
            path = resource.real_path
            if word in draft.text(path):
                draft.edit(path, self._in_module(path, draft.text(path)))
        for name in SETTINGS:
            path = os.path.join(self.session.root, name)
            if os.path.isfile(path):
                draft.edit(path, self._in_settings(path, draft.text(path)))

    def notes(self):
        shown = [
            (self.changed, "strings that name it were changed too"),
            (self.left, "strings that read like its name were left as they are"),
        ]
        return [f"{what}: {_listed(self.session, places)}" for places, what in shown if places]

    def _in_module(self, path, text):
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return
        looked_up = {id(node) for call in ast.walk(tree) if isinstance(call, ast.Call) for node in _looked_up(call)}
        looked_up |= {
            id(after)
            for n in ast.walk(tree)
            if isinstance(n, (ast.List, ast.Tuple))
            for before, after in zip(n.elts, n.elts[1:])
            if getattr(before, "value", None) == "-m"
        }
        documents = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in documents:
                continue
            entry = ENTRY.fullmatch(node.value)
            if entry is None:
                continue
            dotted = entry.group(1)
            edit = self.change(path, dotted.replace(":", "."))
            if edit is None:
                continue
            if edit[2] is None:
                self.unclear += [(path, node.lineno)] if id(node) in looked_up else []
                continue
            begin, finish = span(text, node)
            at = text.find(dotted, begin, finish)
            is_certain = id(node) in looked_up or ":" in dotted or self.is_module and "." in dotted
            if is_certain and at >= 0:
                self.changed.append((path, node.lineno))
                yield (at + edit[0], at + edit[1], edit[2])
            elif id(node) in looked_up or "." in dotted:
                self.left.append((path, node.lineno))

    def _in_settings(self, path, text):
        for match in re.finditer(rf"(?<![\w./-]){DOTTED}(?::{DOTTED})?(?![\w/-])", text):
            dotted, line = match.group(), text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            edit = self.change(path, dotted.replace(":", ".")) if "#" not in line and not line.startswith("[") else None
            if edit is None or edit[2] is None:
                continue
            is_read = re.search(r"\battr\s*[=:]\s*[\"']?$", line) is not None
            if ":" in dotted or is_read or self.is_module and "." in dotted:
                self.changed.append((path, text.count("\n", 0, match.start()) + 1))
                yield (match.start() + edit[0], match.start() + edit[1], edit[2])
            elif line.strip() and not re.fullmatch(r"\s*(?:name|description|title)\s*=\s*[\"']?", line):
                self.left.append((path, text.count("\n", 0, match.start()) + 1))


def of_module(pairs):
    """What becomes of the dotted names of a module that has others now."""

    def change(_path, dotted):
        for before, after in pairs:
            if before != after and (dotted + ".").startswith(before + "."):
                return (0, len(before), after)
        return None

    return change


def of_symbol(exports, is_meant, old, new):
    """What becomes of `package.module.name` when a name of the module, or of a class in it, is another one now."""

    def change(path, dotted):
        parts = dotted.split(".")
        if old not in parts[1:]:
            return None
        for length in range(len(parts) - 1, 0, -1):
            module = exports.module_of(path, ".".join(parts[:length]))
            if module is not None:
                for at in (n for n in range(length, len(parts)) if parts[n] == old):
                    judged, start = is_meant(module, parts[length:at]), sum(len(each) + 1 for each in parts[:at])
                    if judged is not False:
                        return (start, start + len(old), new if judged else None)
                return None
        return None

    return change


def follow_dotted(places, draft):
    strings = Strings(
        places.session, of_symbol(places.owners.exports, places.owners.is_meant, places.old, places.new), False
    )
    strings.follow(draft, places.old)
    draft.notes += strings.notes()
    message = refusals.STRING_MAY_NAME_IT.words(name=places.old)
    return [Conflict("usage", message, path, line) for path, line in strings.unclear]


def _looked_up(call):
    """The arguments of a call that are looked up by their dotted name."""
    names = ast.unparse(call.func).split(".")
    first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg in ("target", "name")), None)
    if first is not None and (names[-1] in LOOKED_UP or tuple(names[-2:]) in LOOKED_UP_ON):
        yield first


def _listed(session, places):
    shown = [f"{session.relative(path)}:{line}" for path, line in sorted(set(places))]
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")
