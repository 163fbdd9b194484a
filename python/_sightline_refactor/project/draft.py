"""The files as a refactoring would leave them, while it is worked out."""

from ..answers import Operation, Write
from . import trees as ast
from .source import edited


class Draft:
    """What has not been changed reads as it is; `notes` are for whoever asked for the change."""

    def __init__(self, session, operations=()):
        self.session, self.notes = session, []
        self._texts = {op.path: op.content for op in operations if isinstance(op, Write)}
        self._others = [op for op in operations if not isinstance(op, Write)]

    def __contains__(self, path):
        return path in self._texts

    def paths(self):
        """The files that are written."""
        return list(self._texts)

    def modules(self):
        return [path for path in self._texts if path.endswith((".py", ".pyi"))]

    def before(self, path):
        return self.session.resource(path).read()

    def text(self, path):
        return self._texts[path] if path in self._texts else self.before(path)

    def tree(self, path):
        """The tree of the new text, or nothing when it does not parse."""
        try:
            return ast.parse(self.text(path))
        except SyntaxError:
            return None

    def nodes(self, path):
        tree = self.tree(path)
        return () if tree is None else ast.walk(tree)

    def put(self, path, text):
        if text != self.text(path):
            self._texts[path] = text

    def edit(self, path, edits):
        self.put(path, edited(self.text(path), edits))

    def writes(self):
        return [Write(path, text) for path, text in self._texts.items() if text != self.before(path)]

    def operations(self) -> list[Operation]:
        """Texts are told by where the files are now, so whatever moves does so after them."""
        return [*self.writes(), *self._others]
