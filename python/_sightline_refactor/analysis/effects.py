"""What computing something may change, as far as the text of one file tells."""

from _sightline_debuggee.plainness import MUTATING_METHODS, PURE_BUILTINS

from ..project import trees as ast
from ..project.source import FUNCTIONS

# What these do to the object they are called on is no secret.
CHANGING = MUTATING_METHODS | frozenset(
    "read readline readlines write send close put get_nowait __next__ seek next".split()
)
# These change nothing, and nobody sees that they were called.
QUIET = PURE_BUILTINS | {"callable", "getattr", "hasattr", "map"}
QUIET_METHODS = frozenset(
    "capitalize casefold center copy count decode encode endswith expandtabs find format get index isalnum isalpha "
    "isdigit isidentifier islower isspace isupper items join keys ljust lower lstrip partition removeprefix "
    "removesuffix replace rfind rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper "
    "values zfill".split()
)
ACTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)


class Effects:
    def __init__(self, tree):
        self.functions = {}
        for node in (n for n in ast.walk(tree) if isinstance(n, FUNCTIONS)):
            self.functions.setdefault(node.name, []).append(node)
        self.quiet = {}
        # A module has what it has, whoever calls its functions.
        self.modules = {
            (a.asname or a.name).split(".")[0]
            for n in ast.walk(tree)
            if isinstance(n, (ast.Import, ast.ImportFrom))
            for a in n.names
        } - {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        # Variables that other functions than their own assign.
        self.shared = {name for n in ast.walk(tree) if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}

    def acts(self, node):
        """The calls inside, and whatever else lets other code run, that may change something or show."""
        return [n for n in ast.walk(node) if isinstance(n, ACTS) and not self._is_quiet(n)]

    def _is_quiet(self, node):
        if not isinstance(node, ast.Call):
            return False
        name = called(node)
        if name in self.functions:
            if name not in self.quiet:
                # Whoever calls itself does nothing more by that.
                self.quiet[name] = True
                self.quiet[name] = all(self._does_nothing(each) for each in self.functions[name])
            return self.quiet[name]
        return name in (
            QUIET if isinstance(node.func, ast.Name) else QUIET_METHODS if isinstance(node.func, ast.Attribute) else ()
        )

    def _does_nothing(self, function):
        inside = [n for statement in function.body for n in ast.walk(statement)]
        return not any(
            isinstance(n, (ast.Global, ast.Nonlocal, ast.Raise, ast.Await))
            or isinstance(n, (ast.Attribute, ast.Subscript))
            and not isinstance(n.ctx, ast.Load)
            or isinstance(n, ast.Call)
            and not self._is_quiet(n)
            for n in inside
        )

    def may_change(self, act, value):
        """Whether something that runs may change what an expression reads, other than by assigning variables of the
        same function.
        """
        names = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)} - self.modules
        members = {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute) and not self._is_of_module(n)}
        is_open = bool(members) or any(isinstance(n, (ast.Subscript, ast.Call)) for n in ast.walk(value))
        if isinstance(act, (ast.Yield, ast.YieldFrom)):
            return is_open or bool(names & self.shared)
        known = self._known(act)
        if known is not None:
            inside = [n for function in known for statement in function.body for n in ast.walk(statement)]
            changed = {name for n in inside if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
            stored = [
                n for n in inside if isinstance(n, (ast.Attribute, ast.Subscript)) and not isinstance(n.ctx, ast.Load)
            ]
            changing = any(isinstance(n, ast.Call) and called(n) in CHANGING for n in inside) or any(
                isinstance(n, ast.Subscript) for n in stored
            )
            return (
                any(_changes_outer(function, names) for function in known)
                and (is_open or depends_on_contents(value))
                or bool(changed & names or members & {getattr(n, "attr", None) for n in stored})
                or changing
                and (is_open or depends_on_contents(value))
                and _shares(act, names)
            )
        if isinstance(act, ast.Call) and called(act) in CHANGING and isinstance(act.func, ast.Attribute):
            return (is_open or depends_on_contents(value)) and _shares(act.func.value, names)
        return is_open and _shares(act, names) or bool(names & self.shared)

    def _is_of_module(self, node):
        while isinstance(node, ast.Attribute):
            node = node.value
        return getattr(node, "id", None) in self.modules

    def changes(self, value, place):
        """Whether computing a value is known to change what is read at another place."""
        return any(
            self.may_change(act, place)
            for act in self.acts(value)
            if self._known(act) is not None or called(act) in CHANGING
        )

    def _known(self, act):
        """The functions of the file that a call runs, with those that they call; None when it is not known which."""
        return self.reached(called(act)) if called(act) in self.functions else None

    def reached(self, name):
        seen, waiting, found = {name}, [name] if name in self.functions else [], []
        while waiting:
            found += self.functions[waiting.pop()]
            more = {
                called(n) for function in found for n in ast.walk(function) if isinstance(n, ast.Call)
            } & self.functions.keys() - seen
            seen |= more
            waiting += sorted(more)
        return found


def called(node):
    return getattr(node.func, "id", getattr(node.func, "attr", None)) if isinstance(node, ast.Call) else None


def _shares(node, names):
    """Whether something is given one of these; what is spread over the arguments stays as it is."""
    if isinstance(node, ast.Call):
        given = [
            node.func,
            *(a for a in node.args if not isinstance(a, ast.Starred)),
            *(k.value for k in node.keywords if k.arg is not None),
        ]
        return any(_shares(each, names) for each in given)
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))


def depends_on_contents(value):
    """Whether it depends on what an object holds, not only on which one it is."""
    return any(
        isinstance(
            n,
            (ast.BinOp, ast.Compare, ast.BoolOp, ast.JoinedStr, ast.UnaryOp, ast.IfExp, ast.Starred, ast.comprehension),
        )
        for n in ast.walk(value)
    )


def changed_object(node):
    """What a call or an assignment changes without giving it another name, as it is written."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        return ast.unparse(node.func.value)
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return ast.unparse(node.value)
    # `+=` adds to a list, and gives a number another value.
    is_grown = isinstance(node, ast.AugAssign) and isinstance(
        node.value, (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)
    )
    return ast.unparse(node.target) if is_grown else None


def _changes_outer(function, names):
    """Whether a function changes one of these that is not a variable of its own."""
    own = {n.arg for n in ast.walk(function.args) if isinstance(n, ast.arg)} | {
        n.id
        for statement in function.body
        for n in ast.walk(statement)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return any(changed_object(n) in names - own for statement in function.body for n in ast.walk(statement))


def aliases(scope, names):
    """These names and whatever else, as it is written, is or was made the same object by a plain assignment in the
    scope.
    """
    pairs = []
    for node in ast.walk(scope):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            for target in getattr(node, "targets", [getattr(node, "target", None)]):
                together = (
                    isinstance(target, ast.Tuple)
                    and isinstance(node.value, ast.Tuple)
                    and len(target.elts) == len(node.value.elts)
                )
                for one, other in zip(target.elts, node.value.elts) if together else [(target, node.value)]:
                    pairs += [(ast.unparse(one), ast.unparse(each)) for each in _candidates(other)]
    found = set(names)
    while True:
        more = {each for pair in pairs if found & set(pair) for each in pair} - found
        if not more:
            return found
        found |= more


def _candidates(value):
    if isinstance(value, (ast.BoolOp, ast.IfExp)):
        return [
            each
            for part in (value.values if isinstance(value, ast.BoolOp) else [value.body, value.orelse])
            for each in _candidates(part)
        ]
    return [value] if isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)) else []
