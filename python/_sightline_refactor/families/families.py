"""What must be called the same: members that override each other, overloads, and parameters of both. rope knows part of
this; it loses sight of a class whose base is written with type arguments, and it renames a parameter in one function
only.
"""

import re

from ..project import trees as ast
from ..project.classes import Classes, parameters
from .kwargs_forwarding import CONSTRUCTORS, callee
from .keyword_uses import COMMON_TYPES, KeywordUses, is_at, is_named
from ..project.source import FUNCTIONS, name_place, utf16_column
from ..project.stubs import counterparts


class Family(KeywordUses):
    """The declarations that belong together with those at the given places: `kind` is 'member', 'parameter' or None for
    all else.
    """

    def __init__(self, session, name, places, alike=()):
        self.session, self.name = session, name
        self.kind, self.places, self.is_unique, self.has_keywords, self.outside, self.likely, self.relatives = (
            None,
            [],
            False,
            False,
            [],
            [],
            [],
        )
        # What classes above it use of their heirs.
        self.uses = []
        self.owners, self.is_only_field = [], False
        self.classes = Classes(session, name)
        # Classes that are used in each other's place, by their names.
        self._alike = set(alike)
        owners, functions = [], []
        for path, line, column in places:
            for module, node, owner in self._declared(path, line, column):
                if isinstance(node, ast.arg):
                    functions.append((module, owner, node))
                else:
                    owners.append(owner)
        if functions:
            self.kind = "parameter"
            self._parameters(functions)
        elif owners or self._only_owners(places):
            self.kind = "member"
            self._members(owners or self._only_owners(places))
            self.uses += places[:1] if not owners else []
        for place in list(dict.fromkeys([*places, *self.places])):
            self.places += [each for each in counterparts(*place, name) if each not in self.places]

    def _declared(self, path, line, column):
        """What is declared at a place: (module, node, owner), the owner being a class, or the function of a
        parameter.
        """
        module = self.classes.module(path)
        if module is None:
            return
        for node in module.nodes:
            if isinstance(node, ast.arg) and node.arg == self.name and is_at(module, node, line, column):
                yield module, node, module.parents.get(module.parents.get(node))
            if (
                self.name not in (getattr(node, "name", None), getattr(node, "id", None), getattr(node, "attr", None))
                or (line, column) != self._place(module, node)[1:]
            ):
                continue
            owner = self.classes.owner(module, node, self.name)
            if owner is not None:
                yield module, node, owner

    def _only_owners(self, places):
        """Whose member an attribute of something unknown is, when nothing else in the project has one of that name."""
        module = self.classes.module(places[0][0]) if len(set(places)) == 1 else None
        node = (
            next(
                (
                    n
                    for n in module.nodes
                    if isinstance(n, ast.Attribute) and n.attr == self.name and self._place(module, n) == places[0]
                ),
                None,
            )
            if module is not None
            else None
        )
        owners = (
            [each for each in self.classes.all if next(each.members(self.name), None) is not None]
            if node is not None
            else []
        )
        if (
            not owners
            or any(hasattr(t, self.name) for t in COMMON_TYPES)
            or self.classes.is_from_outside(module, ast.Call(func=node, args=[], keywords=[]))  # ty: ignore[invalid-argument-type]
        ):
            return []
        around = self.classes.around(module, node, node.value)
        family = self.classes.related(owners[:1], self.name)
        return (
            owners
            if all(each in family for each in owners)
            and (around is None or any(around in self.classes.line(each) for each in family))
            else []
        )

    def _members(self, owners):
        stand_ins = [
            each
            for each in self.classes.all
            if each.node.name in self._alike and next(each.members(self.name), None) is not None
        ]
        if any(each.is_protocol() for each in [*owners, *stand_ins]):
            owners = [*owners, *stand_ins]
        family = self.owners = self.classes.related(owners, self.name)
        for each in family:
            self.places += [self._place(each.module, node) for node in each.members(self.name)]
            self.uses += [
                self._place(base.module, node)
                for base in self.classes.above(each)
                if base not in family
                for node in base.uses(self.name)
            ]
        self.places += self._in_patterns(family)
        others = [
            each
            for each in self.classes.all
            if each not in family and any(not _is_of_tests(node) for node in each.members(self.name))
        ]
        # A class whose base is some expression may or may not be one of the family.
        likely = [each for each in others if self.classes.has_unclear_base(each)]
        self.is_unique = (
            len(likely) == len(others)
            and not any(hasattr(t, self.name) for t in COMMON_TYPES)
            and not self._is_option()
        )
        self.likely = [self._place(each.module, node) for each in likely for node in each.members(self.name)]
        self.has_keywords = any(each.takes_fields_as_keywords() for each in family)
        # Who makes objects of it by its fields, or copies of them with others.
        self._callables, self._others = (
            {one.node.name for each in family for one in self.classes.line(each)} if self.has_keywords else set(),
            set(),
        )
        self.is_only_field = self.has_keywords and not any(each.takes_fields_as_keywords() for each in others)
        self.relatives = [one for one in self.classes.all if any(one in self.classes.line(each) for each in family)]
        self.outside = [each for each in (self.classes.outside(one, self.name) for one in family) if each]

    def _is_option(self):
        """Whether an option of the command line has the name, which is then an attribute of what the command line
        says.
        """
        return any(
            is_named(n, self.name)
            for module in self.classes.modules()
            if "add_argument" in module.text or "add_option" in module.text
            for call in module.nodes
            if isinstance(call, ast.Call) and getattr(call.func, "attr", None) in ("add_argument", "add_option")
            for n in [*call.args, *(k.value for k in call.keywords)]
        )

    def is_made_outside(self, path, line, column):
        """Whether a place is a member of a variable that only holds what functions from outside the project made, of
        which nothing is known.
        """
        module, node = self._member_at(path, line, column)
        stores = _stores(module, node)
        values = [getattr(module.parents.get(n), "value", None) for n in stores]
        # What stands in for something has the members of that.
        return bool(values) and all(
            isinstance(each, ast.Call)
            and each not in module.made
            and "ock" not in callee(each)
            and "patch" not in ast.unparse(each.func)
            and self.classes.is_from_outside(module, each)
            for each in values
        )

    def _member_at(self, path, line, column):
        module = self.classes.module(path) if self.kind == "member" else None
        node = (
            next(
                (
                    n
                    for n in module.nodes
                    if isinstance(n, ast.Attribute)
                    and n.attr == self.name
                    and self._place(module, n) == (path, line, column)
                ),
                None,
            )
            if module is not None
            else None
        )
        return module, node

    def _in_patterns(self, family):
        """Where `case Point(name=...)` says the name of a member."""
        classes = [one for each in family for one in self.classes.line(each) if each in self.classes.line(one)]
        for module in self.classes.modules():
            for node in module.nodes if self.name in module.text else ():
                if (
                    type(node).__name__ == "MatchClass"
                    and self.name in node.kwd_attrs
                    and self.classes.called(module, ast.unparse(node.cls).split(".")) in classes
                ):
                    pattern = node.kwd_patterns[node.kwd_attrs.index(self.name)]
                    before = module.lines[pattern.lineno - 1].encode()[: pattern.col_offset].decode()
                    found = re.search(rf"\b{re.escape(self.name)}\s*=\s*$", before)
                    if found is not None:
                        yield module.path, pattern.lineno, len(before[: found.start()].encode("utf-16-le")) // 2 + 1

    def _parameters(self, functions):
        chosen = []
        for module, function, argument in functions:
            if isinstance(function, ast.Lambda):
                continue
            position = parameters(function).index(argument)
            owner = module.parents.get(function)
            siblings = [
                (module, each)
                for each in module.nodes
                if isinstance(each, FUNCTIONS)
                and each.name == function.name
                and module.parents.get(each) is owner
                and (_is_overload(each) or _is_overload(function) or each is function)
            ]
            if isinstance(owner, ast.ClassDef) and position > 0 and not function.name.startswith("__"):
                family = self.classes.related([self.classes.of(module, owner)], function.name)
                siblings += [
                    (each.module, node)
                    for each in family
                    for node in each.node.body
                    if isinstance(node, FUNCTIONS) and node.name == function.name
                ]
            for home, each in siblings:
                chosen += [(home, a) for a in parameters(each) if a.arg == self.name and (home, a) not in chosen]
        self.places += [(m.path, a.lineno, utf16_column(m.lines[a.lineno - 1], a.col_offset)) for m, a in chosen]
        mine = {id(a) for _, a in chosen}
        self.is_unique = not any(
            isinstance(n, ast.arg)
            and n.arg == self.name
            and id(n) not in mine
            and not _is_of_tests(m.parents.get(m.parents.get(n)))
            for m in self.classes.modules()
            if self.name in m.text
            for n in m.nodes
        )
        # What gathers arguments, and what stands before a `/`, is never named by those who call.
        self._is_by_keyword = not chosen or any(
            a in (*f.args.args, *f.args.kwonlyargs) for m, a in chosen for f in [m.parents.get(m.parents.get(a))]
        )
        self._callables = self._called(chosen) if self._is_by_keyword else set()
        self._takes_all = self._called([(m, a) for m, a in chosen if m.parents.get(a).kwarg])
        everyone = [
            (m, n)
            for m in self.classes.modules()
            if self.name in m.text
            for n in m.nodes
            if isinstance(n, ast.arg) and n.arg == self.name and id(n) not in mine
        ]
        self._others = self._called(everyone)

    def _called(self, arguments):
        """By which names the functions of some parameters are called; a constructor by that of its class, and of those
        below that have none of their own.
        """
        found = set()
        for module, argument in arguments:
            function = module.parents.get(module.parents.get(argument))
            owner = module.parents.get(function)
            if isinstance(function, FUNCTIONS) and function.name in CONSTRUCTORS and isinstance(owner, ast.ClassDef):
                classes = [self.classes.of(module, owner)]
                while classes:
                    found.add(classes[0].node.name)
                    classes = classes[1:] + [
                        each
                        for each in classes[0].heirs
                        if not any(getattr(n, "name", None) in CONSTRUCTORS for n in each.node.body)
                    ]
            elif isinstance(function, FUNCTIONS):
                found.add(function.name)
        return found

    def clashes(self, new):
        """Where a related class has a member of the new name already: (path, line, class)."""
        for each in self.relatives:
            for node in each.members(new):
                yield each.module.path, node.lineno, each.node.name
            if self.classes.outside(each, new):
                yield each.module.path, each.node.lineno, self.classes.outside(each, new)

    def unclear(self):
        """The places that may mean it, by the look of them: attributes for a member, keywords for a parameter."""
        for module in self.classes.modules():
            for node in module.nodes if self.name in module.text else ():
                if self.kind == "member" and isinstance(node, ast.Attribute) and node.attr == self.name:
                    yield (module.path, *name_place(module.lines, node, self.name))
                elif self.kind == "parameter" and isinstance(node, ast.keyword) and node.arg == self.name:
                    yield (module.path, *name_place(module.lines, node, self.name))

    def is_keyword(self, path, line, column):
        """Whether a keyword or a parameter stands at a place, which is never what a module calls so."""
        module = self.classes.module(path)
        return module is not None and any(
            isinstance(n, (ast.keyword, ast.arg))
            and n.arg == self.name
            and name_place(module.lines, n, self.name) == (line, column)
            for n in module.nodes
        )

    def is_from_elsewhere(self, path, line, column):
        """Whether a place is a member of something that is imported from outside the project, which is never what a
        module of it calls so.
        """
        module = self.classes.module(path)
        found = (
            [
                n
                for n in module.nodes
                if isinstance(n, ast.Attribute)
                and n.attr == self.name
                and name_place(module.lines, n, self.name) == (line, column)
            ]
            if module
            else []
        )
        return any(
            isinstance(n.value, ast.Name)
            and (self._is_outside(module, n) or self._holds_outside(module, n) or _is_defined(module, n.value.id))
            for n in found
        )

    def _is_outside(self, module, node):
        return isinstance(node, (ast.Name, ast.Attribute)) and self.classes.is_from_outside(
            module, ast.Call(func=node, args=[], keywords=[])
        )

    def _holds_outside(self, module, node):
        """Whether it is a member of a variable that only ever holds a part of something imported from outside."""
        given = [module.parents.get(n) for n in _stores(module, node)]
        return bool(given) and all(
            isinstance(each, ast.Assign)
            and isinstance(each.value, ast.Attribute)
            and self._is_outside(module, each.value)
            for each in given
        )

    def is_of_literal(self, path, line, column):
        """Whether a place is a member of a variable that only ever holds values written out."""
        module, node = self._member_at(path, line, column)
        given = [module.parents.get(n) for n in _stores(module, node)]
        return bool(given) and all(
            isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant) and each.value.value is not None
            for each in given
        )

    def _place(self, module, node):
        if isinstance(node, ast.Constant):
            # A string that is the name says it behind its quote.
            line = module.lines[node.lineno - 1]
            return (
                module.path,
                node.lineno,
                utf16_column(line, node.col_offset + line.encode()[node.col_offset :].find(self.name.encode())),
            )
        return (module.path, *name_place(module.lines, node, self.name))


def _stores(module, attribute):
    """What gives a value to the variable whose attribute it is."""
    name = getattr(attribute.value, "id", None) if attribute is not None else None
    return (
        [
            n
            for n in module.nodes
            if isinstance(n, ast.Name)
            and n.id == name
            and not isinstance(n.ctx, ast.Load)
            or isinstance(n, ast.arg)
            and n.arg == name
        ]
        if name
        else []
    )


def _is_defined(module, name):
    """Whether a name is nowhere in a module anything but a function or class that is defined there."""
    found = [
        n
        for n in module.nodes
        if name in (getattr(n, "name", None), getattr(n, "arg", None))
        or isinstance(n, ast.Name)
        and n.id == name
        and not isinstance(n.ctx, ast.Load)
        or isinstance(n, ast.alias)
        and (n.asname or n.name).split(".")[0] in (name, "*")
    ]
    return bool(found) and all(isinstance(n, (*FUNCTIONS, ast.ClassDef)) for n in found)


def _is_of_tests(node):
    """Tests and fixtures are called by their runner alone, and lambdas never by keyword."""
    return (
        isinstance(node, ast.Lambda)
        or isinstance(node, FUNCTIONS)
        and (node.name.startswith("test_") or any("fixture" in ast.unparse(each) for each in node.decorator_list))
    )


def _is_overload(function):
    return any(ast.unparse(each).split(".")[-1] == "overload" for each in function.decorator_list)
