"""What was selected: a part of a text, with the tree of the whole."""

from dataclasses import dataclass

from ..project import trees as ast
from ..project.source import span


@dataclass(frozen=True)
class SourceRange:
    text: str
    tree: ast.Module
    begin: int
    end: int

    def around(self, node):
        """The same, made as large as a node."""
        begin, end = span(self.text, node)
        return SourceRange(self.text, self.tree, min(self.begin, begin), max(self.end, end))

    def at(self, begin, end):
        return SourceRange(self.text, self.tree, begin, end)
