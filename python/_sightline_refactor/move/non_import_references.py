"""What reaches a symbol that moves otherwise than by importing it: what registers it as its module is loaded, strings
that name it, and what its module does to it.
"""

import os
import re

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..analysis.flow import bound
from ..project.imports import module_aliases, module_name
from ..analysis.load_order import changed_by
from ..session import Refused
from ..project.source import FUNCTIONS, edited, span


def changes_as_loaded(tree, nodes, name, path):
    """What its module does to it as it is loaded, which whoever imports it from elsewhere would not see."""
    for node in tree.body:
        if node in nodes or isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            is_changed = any(ast.unparse(d).startswith(f"{name}.") for d in node.decorator_list)
        else:
            is_changed = bool(changed_by(node, {name}))
        if is_changed:
            return [
                Conflict("meaning", refusals.MODULE_ADDS_TO_IT.words(name=name, line=node.lineno), path, node.lineno)
            ]
    return []


def of_its_module(nodes, source, target):
    """What a function or class takes from the module it stands in by other means than its names."""
    is_near = os.path.dirname(source) == os.path.dirname(target)
    for node in (n for each in nodes for n in ast.walk(each)):
        own = getattr(node, "id", None) if isinstance(node, ast.Name) else None
        calls = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and (node.func.id in ("globals", "eval", "exec") or node.func.id in ("vars", "dir") and not node.args)
        )
        # What is looked for beside the file is found there still.
        if (
            own in ("__name__", "__package__", "__spec__", "__path__", "__doc__")
            or own == "__file__"
            and not is_near
            or calls
        ):
            shown = own or f"{node.func.id}()"
            return [Conflict("meaning", refusals.READS_OF_OWN_MODULE.words(shown=shown), source, node.lineno)]
    return []


def assigned_from_outside(session, source, moved, needed):
    """What others put in the place of a name of the module, which what is moved would not see any more."""
    for name in sorted(needed):
        for path, _text, tree in session.parsed(name):
            dotted, aliases = (
                f"{module_name(session, path, source, False)}.{name}",
                module_aliases(session, path, tree, source) if path != source else {},
            )
            for node in ast.walk(tree):
                is_set = (
                    isinstance(node, ast.Attribute)
                    and node.attr == name
                    and not isinstance(node.ctx, ast.Load)
                    and ast.unparse(node.value) in aliases
                )
                given = (
                    [getattr(a, "value", None) for a in node.args]
                    if isinstance(node, ast.Call) and re.search(r"patch|setattr", ast.unparse(node.func))
                    else []
                )
                if is_set or given and (dotted in given or name in given[1:2] and ast.unparse(node.args[0]) in aliases):
                    return [
                        Conflict(
                            "meaning",
                            refusals.GIVEN_OTHER_VALUE.words(
                                name=name, line=node.lineno, path=session.relative(path), user=moved
                            ),
                            path,
                            node.lineno,
                        )
                    ]
    return []


def conditional(tree, name):
    """The statement that defines a name on each of its ways, and nothing else: `if ...: def name ... else: def name
    ...`.
    """

    def leaves(statements):
        for node in statements:
            if isinstance(node, ast.If) or isinstance(node, ast.Try):
                yield from leaves(
                    [
                        *node.body,
                        *node.orelse,
                        *getattr(node, "finalbody", ()),
                        *(each for h in getattr(node, "handlers", ()) for each in h.body),
                    ]
                )
            else:
                yield node

    def names(node):
        return set(bound(node)) | {
            each for n in ast.walk(node) if not isinstance(node, (*FUNCTIONS, ast.ClassDef)) for each in bound(n)
        }

    found = [
        n for n in tree.body if isinstance(n, (ast.If, ast.Try)) and any(name in names(each) for each in leaves([n]))
    ]
    if not found:
        raise Refused(refusals.NOT_TOP_LEVEL, name=name)
    others = sorted({each for n in found for leaf in leaves([n]) for each in names(leaf)} - {name})
    acts = [
        leaf
        for n in found
        for leaf in leaves([n])
        if not names(leaf)
        and not isinstance(leaf, (ast.Pass, ast.Raise))
        and not isinstance(getattr(leaf, "value", None), ast.Constant)
    ]
    if others or acts or len(found) > 1:
        why = f', together with "{others[0]}"' if others else ", and more is done there" if acts else "s"
        raise Refused(refusals.UNDER_CONDITION, name=name, line=found[0].lineno, why=why)
    return found


class Named:
    """The strings of the project that name it: `"module.name"`, and `"name"` beside its module, as in getattr and
    mock.patch.
    """

    def __init__(self, session, source, target, name):
        self.session, self.source, self.target, self.name = session, source, target, name
        self.dotted, self.beside, self.reached = {}, [], []
        for path, _text, tree in session.parsed(name):
            module = module_name(session, path, source, False)
            aliases = module_aliases(session, path, tree, source) if path != source else {}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and node.value in (f"{module}.{name}", f"{module}:{name}"):
                    self.dotted.setdefault(path, []).append(node)
                elif (
                    isinstance(node, ast.Call)
                    and len(node.args) > 1
                    and getattr(node.args[1], "value", None) == name
                    and ast.unparse(node.args[0]) in aliases
                ):
                    self.beside.append((path, node.lineno))
                elif (
                    isinstance(node, ast.Attribute)
                    and node.attr == name
                    and isinstance(node.value, ast.Call)
                    and any(getattr(a, "value", None) == module for a in node.value.args)
                ):
                    self.beside.append((path, node.lineno))
                elif isinstance(node, ast.Attribute) and node.attr == name and ast.unparse(node.value) in aliases:
                    self.reached.append((path, node.lineno))

    def __bool__(self):
        return bool(self.dotted or self.beside)

    def conflicts(self, is_left):
        """What is named by a string is found by its old module only if that still imports it; then it must be all that
        uses it.
        """
        places = self.beside if not is_left else self.reached[:1] if self else []
        what = "is reached through its module, where a string names it," if is_left else "is named by a string"
        return [
            Conflict(
                "meaning",
                refusals.REFERENCED_OTHERWISE.words(
                    name=self.name, what=what, line=line, path=self.session.relative(path)
                ),
                path,
                line,
            )
            for path, line in places
        ]

    def follow(self, contents):
        """Strings that name it name it where it stands now."""
        old, new = (module_name(self.session, self.source, each, False) for each in (self.source, self.target))
        for path, nodes in self.dotted.items():
            text = contents.get(path) or self.session.resource(path).read()
            values = {node.value for node in nodes}
            found = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant) and n.value in values]
            edits = [
                (begin, end, text[begin:end].replace(old, new, 1))
                for begin, end in (span(text, n) for n in found)
                if text[begin + 1 : end - 1] in values
            ]
            if edits:
                contents[path] = edited(text, edits)
        for file in ("pyproject.toml", "setup.cfg"):
            path = os.path.join(self.session.root, file)
            if os.path.isfile(path):
                with open(path, encoding="utf-8", newline="") as opened:
                    text = opened.read()
                changed = re.sub(rf"(?<![\w.]){re.escape(old)}:{self.name}(?![\w.])", f"{new}:{self.name}", text)
                if changed != text:
                    contents[path] = changed
