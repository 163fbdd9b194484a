"""How a module that speaks of a symbol follows it to another module."""

import os
import re

from .. import refusals
from ..project import trees as ast
from ..check import Exports
from ..analysis.removal import without_item
from ..analysis.flow import COMPREHENSIONS, bound
from ..project.imports import module_aliases, module_name, with_imports
from ..project.names import module_of
from ..project.source import own_nodes, taken_from, without_unused_imports
from ..session import Refused
from ..project.source import FUNCTIONS, around, block_of, chars, edited, indent_of, line_start, parents_of, span


class Importer:
    """A module that speaks of the name in one way or another."""

    def __init__(self, session, path, source, target, name):
        self.session, self.path, self.source, self.target, self.name = session, path, source, target, name
        self.text = session.resource(path).read()
        self.tree = ast.parse(self.text)
        self.exports, self.edits, self.lines = Exports(session.root, {}), [], []

    def followed(self):
        self._names()
        self._attributes()
        content = with_imports(edited(self.text, self.edits), self.lines)
        if os.path.basename(self.path) == "__init__.py":
            return content
        return without_unused_imports(self.text, content, taken_from(self.session, self.path))

    def _names(self):
        """`from source import name`, wherever it stands."""
        for node in (
            n
            for n in ast.walk(self.tree)
            if isinstance(n, ast.ImportFrom) and self.exports.source_of(self.path, n) == self.source
        ):
            index = next((i for i, a in enumerate(node.names) if a.name == self.name), None)
            if index is None:
                if node.names[0].name == "*" and self.path != self.target and self._takes_star():
                    finish = span(self.text, node)[1]
                    self.edits.append((finish, finish, "\n" + " " * node.col_offset + self._import(node, None)))
                continue
            alias = node.names[index].asname
            begin, finish = span(self.text, node)
            if self.path == self.target:
                if alias is not None and alias != self.name:
                    self._call_by_its_name(alias)
                self.edits.append(self._without(node, index))
            elif len(node.names) == 1:
                self.edits.append((begin, finish, self._import(node, alias)))
            else:
                self.edits.append(without_item(self.text, node.names, index))
                self.edits.append((finish, finish, "\n" + " " * node.col_offset + self._import(node, alias)))

    def _call_by_its_name(self, alias):
        """Its own module calls it by the name that it has there."""
        uses, lines = module_of(self.text).uses, self.text.split("\n")
        if any(u.name == self.name for u in uses):
            raise Refused(
                refusals.ALIAS_AND_NAMESAKE, path=self.session.relative(self.path), alias=alias, name=self.name
            )
        for use in (u for u in uses if u.name == alias and u.binding == ""):
            begin = line_start(self.text, use.line) + chars(lines[use.line - 1], use.column)
            self.edits.append((begin, begin + len(alias), self.name))

    def _takes_star(self):
        public = self.exports.names(self.source)
        if any(
            isinstance(n, ast.ImportFrom)
            and n.names[0].name == "*"
            and self.exports.source_of(self.path, n) == self.target
            for n in ast.walk(self.tree)
        ):
            return False
        return (
            not self.name.startswith("_")
            and (public is None or self.name in public)
            and (
                os.path.basename(self.path) == "__init__.py"
                or any(u.name == self.name and u.binding in ("", "unknown") for u in module_of(self.text).uses)
                or self._gives_on(self.path, {self.path})
            )
        )

    def _gives_on(self, path, seen):
        """Whether somebody takes the name from a module that has it with everything else of another."""
        for other, text, tree in self.session.trees("import"):
            aliases = module_aliases(self.session, other.real_path, tree, path) if self.name in text else {}
            if any(
                isinstance(n, ast.Attribute) and n.attr == self.name and ast.unparse(n.value) in aliases
                for n in ast.walk(tree)
            ):
                return True
            taken = {
                a.name
                for n in ast.walk(tree)
                if isinstance(n, ast.ImportFrom) and self.exports.source_of(other.real_path, n) == path
                for a in n.names
            }
            is_used = self.name in text and any(
                u.name == self.name and u.binding in ("", "unknown") for u in module_of(text).uses
            )
            if (
                self.name in taken
                or "*" in taken
                and (
                    is_used or other.real_path not in seen and self._gives_on(other.real_path, {*seen, other.real_path})
                )
            ):
                return True
        return False

    def _import(self, node, alias):
        module = module_name(self.session, self.path, self.target, node.level)
        return f"from {module} import {self.name}{f' as {alias}' if alias else ''}"

    def _without(self, node, index):
        if len(node.names) > 1:
            return without_item(self.text, node.names, index)
        if len(block_of(self.tree, node)) == 1 and block_of(self.tree, node) is not self.tree.body:
            return (*span(self.text, node), "pass")
        begin = line_start(self.text, node.lineno)
        return (
            begin,
            min(
                line_start(self.text, node.end_lineno) + len(self.text.split("\n")[node.end_lineno - 1]) + 1,
                len(self.text),
            ),
            "",
        )

    def _attributes(self):
        """`module.name`, by every name under which the module is imported."""
        aliases = module_aliases(self.session, self.path, self.tree, self.source)
        parents = parents_of(self.tree)
        found = [
            n
            for n in ast.walk(self.tree)
            if isinstance(n, ast.Attribute)
            and n.attr == self.name
            and ast.unparse(n.value) in aliases
            and not is_hidden_at(parents, n, ast.unparse(n.value).split(".")[0])
        ]
        if not found:
            return
        if self.path == self.target:
            self.edits += [(*span(self.text, n), self.name) for n in found]
            if any(u.name == self.name for u in module_of(self.text).uses):
                raise Refused(refusals.MEANS_OTHER_IN_FILE, name=self.name, path=self.session.relative(self.path))
            self._drop_modules(aliases, found)
            return
        there = module_aliases(self.session, self.path, self.tree, self.target, is_loaded=False)
        shown = sorted(there)[0] if there else self._module_import(aliases[ast.unparse(found[0].value)])
        if any(is_hidden_at(parents, n, shown.split(".")[0]) for n in found):
            self._take_name(aliases, found, shown, is_new=not there)
            return
        self.edits += [(*span(self.text, n.value), shown) for n in found]
        self._import_inside(aliases, found)
        self._drop_modules(aliases, found)

    def _take_name(self, aliases, found, shown, is_new):
        """Where something else hides the target, the name alone is imported of it."""
        if any(u.name == self.name for u in module_of(self.text).uses):
            raise Refused(
                refusals.MEANS_OTHER_WHERE_USED, name=shown.split(".")[0], path=self.session.relative(self.path)
            )
        self.lines = self.lines[:-1] if is_new else self.lines
        self.lines.append(f"from {module_name(self.session, self.path, self.target, False)} import {self.name}")
        self.edits += [(*span(self.text, n), self.name) for n in found]
        self._drop_modules(aliases, found)

    def _import_inside(self, aliases, found):
        """Where functions alone import the source, they import the target too."""
        imports = [
            n
            for n in ast.walk(self.tree)
            if isinstance(n, (ast.Import, ast.ImportFrom))
            and any((a.asname or a.name) in aliases and self._is_source(n, a) for a in n.names)
        ]
        if not self.lines or any(n in self.tree.body for n in imports):
            return
        line, gone = self.lines.pop(), {id(x) for n in found for x in ast.walk(n)}
        for node in imports:
            begin, finish = span(self.text, node)
            first = (node.names[0].asname or node.names[0].name).split(".")[0]
            is_idle = len(node.names) == 1 and not any(
                isinstance(n, ast.Name) and n.id == first and id(n) not in gone for n in ast.walk(self.tree)
            )
            self.edits.append(
                (begin, finish, line) if is_idle else (finish, finish, "\n" + indent_of(self.text, node.lineno) + line)
            )

    def _is_source(self, node, alias):
        found = (
            self.exports.module_of(self.path, alias.name)
            if isinstance(node, ast.Import)
            else self.exports.submodule(self.path, node, alias.name)
        )
        return found == self.source

    def _module_import(self, node):
        """A name for the target in this file, imported the way the source is."""
        taken = module_of(self.text).module_names
        dotted = module_name(self.session, self.path, self.target, False)
        if isinstance(node, ast.ImportFrom):
            last = dotted.split(".")[-1]
            package = (
                module_name(
                    self.session, self.path, os.path.join(os.path.dirname(self.target), "__init__.py"), node.level
                )
                if "." in dotted or node.level
                else ""
            )
            if last not in taken and package:
                self.lines.append(f"from {package} import {last}")
                return last
        # `import a.b` binds `a`, which may be bound by another such import but by nothing else.
        first = dotted.split(".")[0]
        own = {
            a.name.split(".")[0]
            for n in ast.walk(self.tree)
            if isinstance(n, ast.Import)
            for a in n.names
            if a.asname is None
        }
        if first in taken - own:
            raise Refused(refusals.MEANS_OTHER_IN_FILE, name=first, path=self.session.relative(self.path))
        self.lines.append(f"import {dotted}")
        return dotted

    def _drop_modules(self, aliases, found):
        """An import of the source that nothing else in the file uses any more is taken out, or its line given to the
        target.
        """
        gone = {id(x) for n in found for x in ast.walk(n)}
        for shown, node in aliases.items():
            first = shown.split(".")[0]
            others = [n for n in ast.walk(self.tree) if isinstance(n, ast.Name) and n.id == first and id(n) not in gone]
            if (
                others
                or node not in self.tree.body
                or len(node.names) != 1
                or first
                in {
                    text
                    for text in re.findall(
                        r"\w+",
                        " ".join(
                            n.value
                            for n in ast.walk(self.tree)
                            if isinstance(n, ast.Constant) and isinstance(n.value, str)
                        ),
                    )
                }
            ):
                continue
            if os.path.basename(self.path) == "__init__.py":
                continue
            if self.lines:
                self.edits.append((*span(self.text, node), self.lines.pop()))
            else:
                self.edits.append(self._without(node, 0))


def is_hidden_at(parents, node, name):
    """Whether a function or class around it, or a comprehension, has something else of the name of a module."""
    is_in_function = False
    for each in around(parents, node):
        if (
            isinstance(each, ast.ClassDef)
            and not is_in_function
            and any(name in bound(n) for n in own_nodes(each.body))
        ):
            return True
        is_in_function |= isinstance(each, (*FUNCTIONS, ast.Lambda))
        if isinstance(each, (*FUNCTIONS, ast.Lambda)) and any(
            isinstance(n, ast.arg) and n.arg == name for n in ast.walk(each.args)
        ):
            return True
        if isinstance(each, FUNCTIONS) and any(name in bound(n) for n in own_nodes(each.body)):
            return not any(
                name in bound(n) for n in own_nodes(each.body) if isinstance(n, (ast.Import, ast.ImportFrom))
            )
        if isinstance(each, COMPREHENSIONS) and any(
            isinstance(n, ast.Name) and n.id == name for g in each.generators for n in ast.walk(g.target)
        ):
            return True
    return False
