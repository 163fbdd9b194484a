"""Which variables a stretch of statements needs from before and which of its own are needed afterwards, by following
the ways that control can take through the function around it.
"""

from collections import namedtuple

from ..project import trees as ast
from ..project.source import FUNCTIONS

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# What is needed where control goes when it does not simply go on.
Ways = namedtuple("Ways", "breaks continues raises returns")
NOWHERE = Ways(frozenset(), frozenset(), frozenset(), frozenset())


def stored(nodes):
    """The names that these nodes bind in the scope they stand in."""
    found = []
    waiting = list(nodes)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            found.append(node.name)
            waiting += node.decorator_list
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, COMPREHENSIONS):
            found += [n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
            continue
        found += bound(node)
        waiting = list(ast.iter_child_nodes(node)) + waiting
    return list(dict.fromkeys(found))


def reads(nodes):
    """The names that are read, also by functions inside, which read them when they are called."""
    return set(ordered_reads(nodes))


def ordered_reads(nodes):
    """The same, in the order in which they are first read."""
    return list(dict.fromkeys(name for node in nodes for name in _reads(node)))


def late_reads(function):
    """The names that a function reads when it is called, not when it is defined."""
    return set(_inner_reads(function) if isinstance(function, FUNCTIONS + (ast.Lambda,)) else _reads(function))


def exposed(statements):
    """The names that may be read before these statements have assigned them."""
    return _Flow(None).live(statements, frozenset(), NOWHERE)


def needed_after(body, last):
    """The names that may be read after a statement has run, in the body of a function."""
    flow = _Flow(last)
    flow.live(body, frozenset(), NOWHERE)
    return set(flow.after)


def surely_assigned(statements, swallowing=False):
    """The names that are assigned on every way through these statements; None if no way leads through. A `with` may
    swallow an error of its body.
    """
    found = set()
    for node in statements:
        more = _assigned_by(node, swallowing)
        if more is None:
            return None
        found |= more
    return found


def bound(node):
    """The names that a node binds itself, whatever the nodes inside it do."""
    if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
        return [node.name]
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return [node.id]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(a.asname or a.name).split(".")[0] for a in node.names]
    if isinstance(node, ast.ExceptHandler) or type(node).__name__ in ("MatchAs", "MatchStar"):
        return [node.name] if node.name else []
    if type(node).__name__ == "MatchMapping":
        return [node.rest] if node.rest else []
    return []


def _reads(node):
    if isinstance(node, FUNCTIONS + (ast.Lambda,)):
        args = node.args
        outside = args.defaults + [d for d in args.kw_defaults if d] + getattr(node, "decorator_list", [])
        outside += [a.annotation for a in ast.walk(args) if isinstance(a, ast.arg) and a.annotation] + (
            [node.returns] if getattr(node, "returns", None) else []
        )
        return [n for each in outside for n in _reads(each)] + _inner_reads(node)
    if isinstance(node, ast.ClassDef):
        return [n for each in ast.iter_child_nodes(node) for n in _reads(each)]
    if isinstance(node, COMPREHENSIONS):
        own = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        # What a condition assigns, it has assigned before the next item is made.
        own |= {name for g in node.generators for each in g.ifs for name in _named(each)}
        first = set(_reads(node.generators[0].iter))
        return [n for each in ast.iter_child_nodes(node) for n in _reads(each) if n not in own or n in first]
    if isinstance(node, ast.BoolOp):
        assigned = _named(node.values[0])
        return _reads(node.values[0]) + [n for each in node.values[1:] for n in _reads(each) if n not in assigned]
    if isinstance(node, ast.IfExp):
        assigned = _named(node.test)
        return _reads(node.test) + [n for each in (node.body, node.orelse) for n in _reads(each) if n not in assigned]
    if isinstance(node, ast.Name):
        return [node.id] if not isinstance(node.ctx, ast.Store) else []
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        # The value comes before what it is assigned to.
        children = [each for each in children if each is node.value] + [
            each for each in children if each is not node.value
        ]
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        children = [node.iter, node.target, *node.body, *node.orelse]
    found = [n for each in children for n in _reads(each)]
    return found + ([node.target.id] if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) else [])


def _inner_reads(function):
    body = function.body if isinstance(function.body, list) else [function.body]
    declared = {name for n in ast.walk(function) if isinstance(n, ast.Nonlocal) for name in n.names}
    own = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)} | set(stored(body)) - declared
    return [n for each in body for n in _reads(each) if n not in own] + sorted(declared)


def _kills(node):
    """The names that a simple statement assigns whatever happens; an assignment inside an expression may not happen."""
    if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
        return {node.name}
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        if isinstance(node, ast.AnnAssign) and node.value is None:
            return set()
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return set(bound(node))
    return set()


def _assigned_by(node, swallowing=False):
    if isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
        return None
    if isinstance(node, ast.If):
        found = _both(surely_assigned(node.body, swallowing), surely_assigned(node.orelse, swallowing))
        return None if found is None else found | _named(node.test)
    if isinstance(node, (ast.With, ast.AsyncWith)):
        inside = surely_assigned(node.body, swallowing)
        names = {
            n.id
            for item in node.items
            if item.optional_vars
            for n in ast.walk(item.optional_vars)
            if isinstance(n, ast.Name)
        }
        return (names if swallowing else None) if inside is None else inside | names
    if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
        found = surely_assigned(node.body + node.orelse, swallowing)
        for handler in node.handlers:
            found = _both(found, surely_assigned(handler.body, swallowing))
        last = surely_assigned(node.finalbody, swallowing)
        return None if found is None or last is None else found | last
    if type(node).__name__ == "Match" and _is_exhaustive(node):
        found = surely_assigned(node.cases[-1].body, swallowing)
        for case in node.cases[:-1]:
            found = _both(found, surely_assigned(case.body, swallowing))
        return found
    if isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value:
        ways = list(_at_breaks(node.body, set()))
        return set.intersection(*ways) if ways else None
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)) or type(node).__name__ == "Match":
        return set()
    return _kills(node)


def _is_exhaustive(match):
    last = match.cases[-1]
    return last.guard is None and type(last.pattern).__name__ == "MatchAs" and last.pattern.pattern is None


def _at_breaks(statements, found):
    """What is assigned on the way to each `break` that leaves the loop around these statements."""
    for node in statements:
        if isinstance(node, ast.Break):
            yield found
            return
        if isinstance(node, ast.If):
            for block in (node.body, node.orelse):
                yield from _at_breaks(block, found | _named(node.test))
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            for block in (node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody):
                yield from _at_breaks(block, found)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            yield from _at_breaks(node.orelse, found)
        elif isinstance(node, (ast.With, ast.AsyncWith)) or type(node).__name__ == "Match":
            for block in [node.body] if hasattr(node, "body") else [case.body for case in node.cases]:
                yield from _at_breaks(block, found)
        more = _assigned_by(node)
        if more is None:
            return
        found = found | more


def always(node):
    """The expressions inside that are computed whenever the whole is."""
    found, waiting = [], [node]
    while waiting:
        each = waiting.pop()
        found.append(each)
        if isinstance(each, ast.BoolOp):
            waiting.append(each.values[0])
        elif isinstance(each, ast.IfExp):
            waiting.append(each.test)
        elif isinstance(each, ast.Compare):
            waiting += [each.left, each.comparators[0]]
        elif not isinstance(each, (ast.Lambda, *COMPREHENSIONS)):
            waiting += ast.iter_child_nodes(each)
    return found


def _named(test):
    """What `name := value` assigns whenever a condition is computed."""
    return {n.target.id for n in always(test) if isinstance(n, ast.NamedExpr)}


def _both(one, other):
    return other if one is None else one if other is None else one & other


class _Flow:
    """Goes backwards through statements. `live` is what may be read from there on; `after` what was so after the
    watched statement.
    """

    def __init__(self, watched):
        self.watched, self.after = watched, set()

    def live(self, statements, out, ways):
        for node in reversed(statements):
            if node is self.watched:
                self.after |= out
            out = frozenset(self._before(node, out, ways)) | ways.raises
        return out

    def _before(self, node, out, ways):
        if isinstance(node, ast.If):
            return (self.live(node.body, out, ways) | self.live(node.orelse, out, ways)) - _named(node.test) | reads(
                [node.test]
            )
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self._loop(node, out, ways)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            targets = {
                n.id
                for item in node.items
                if item.optional_vars
                for n in ast.walk(item.optional_vars)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
            return self.live(node.body, out, ways) - targets | reads(node.items)
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            return self._try(node, out, ways)
        if type(node).__name__ == "Match":
            found = set(out) | reads([node.subject])
            for case in node.cases:
                found |= (self.live(case.body, out, ways) | reads([case.guard] if case.guard else [])) - set(
                    stored([case.pattern])
                ) | reads([case.pattern])
            return found
        if isinstance(node, ast.Return):
            return reads([node]) | ways.returns
        if isinstance(node, ast.Raise):
            return reads([node]) | ways.raises
        if isinstance(node, ast.Break):
            return ways.breaks
        if isinstance(node, ast.Continue):
            return ways.continues
        return out - _kills(node) | reads([node])

    def _loop(self, node, out, ways):
        leave = self.live(node.orelse, out, ways)
        is_while = isinstance(node, ast.While)
        targets = (
            set()
            if is_while
            else {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        )
        own = reads([node.test]) if is_while else reads([node.target])
        head = frozenset(leave - (_named(node.test) if is_while else set()) | own)
        while True:
            body = self.live(node.body, head, ways._replace(breaks=out, continues=head))
            more = frozenset((leave | body - targets) - (_named(node.test) if is_while else set()) | own)
            if more == head:
                return head | (set() if is_while else reads([node.iter]))
            head = more

    def _try(self, node, out, ways):
        # What comes at last runs on every way out.
        last = lambda onward: self.live(node.finalbody, onward, ways)
        onward = last(out)
        outer = Ways(*(last(way) if node.finalbody else way for way in ways))
        caught = frozenset(outer.raises)
        for handler in node.handlers:
            caught |= self.live(handler.body, onward, outer) - {handler.name} | reads(
                [handler.type] if handler.type else []
            )
        return self.live(node.body, self.live(node.orelse, onward, outer), outer._replace(raises=caught))
