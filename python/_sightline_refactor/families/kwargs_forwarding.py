"""Keywords that reach a function through others, which take what they do not know with `**` and hand it on."""

from ..project import trees as ast
from ..project.source import FUNCTIONS

CONSTRUCTORS = ("__init__", "__new__")


def callee(call):
    """What is called, by its last name; for `partial(f, ...)` it is `f`."""
    function = (
        call.args[0]
        if ast.unparse(call.func).split(".")[-1] in ("partial", "partialmethod") and call.args
        else call.func
    )
    while isinstance(function, (ast.Call, ast.Subscript)):
        function = function.func if isinstance(function, ast.Call) else function.value
    return _last(function)


def given(call, callables):
    """Whether a call is handed one of the callables, to call it with what else it is given: `submit(f, name=1)`,
    `Thread(target=f, kwargs={...})`.
    """
    return any(_last(each) in callables for each in [*call.args, *(k.value for k in call.keywords)])


def _last(node):
    return getattr(node, "id", None) or getattr(node, "attr", "")


def handed_on(modules, name, callables):
    """(module, keyword, whose) of the keywords called `name` that may reach one of the callables so: of a function that
    hands on, or of a `dict`.
    """
    nodes, reached, _takers = _reached(modules, name, callables)
    calls = [(module, node) for module, node in nodes if isinstance(node, ast.Call)]
    is_spread = any(k.arg is None and callee(call) in reached for _, call in calls for k in call.keywords)
    through = (reached - set(callables)) | ({"dict"} if is_spread else set())
    return [
        (module, k, callee(call))
        for module, call in calls
        for k in call.keywords
        if k.arg == name and callee(call) in through
    ]


def reaches_nothing_else(modules, name, callables, is_declared, is_own):
    """Whether who hands on a keyword of that name can hand it to nothing but the callables: nothing else in the project
    takes it, and those who hand on give what they take to nobody outside. `is_declared` says whether a parameter is one
    of the callables', `is_own` whether a call in a function calls something of the project.
    """
    nodes, reached, takers = _reached(modules, name, callables)
    if any(
        isinstance(n, ast.arg)
        and n.arg == name
        and not is_declared(module, n)
        or isinstance(n, ast.Constant)
        and n.value == name
        or isinstance(n, ast.AnnAssign)
        and getattr(n.target, "id", None) == name
        and isinstance(module.parents.get(n), ast.ClassDef)
        for module, n in nodes
    ):
        return False
    # Only those who are given it matter, and those to whom these hand it on.
    giving = {
        callee(node) for _, node in nodes if isinstance(node, ast.Call) and any(k.arg == name for k in node.keywords)
    }
    seen, waiting = set(), sorted(giving & reached - set(callables))
    while waiting:
        current = waiting.pop()
        seen.add(current)
        for module, node in ((module, node) for module, node in takers if _called_by(module, node) == current):
            if not _only_hands_on(module, node, reached, is_own):
                return False
            onward = {callee(n) for n in ast.walk(node) if _hands_on(module, node, n, reached)}
            waiting += sorted(onward - seen - set(callables) - set(waiting))
    return True


def _reached(modules, name, callables):
    """All nodes, what the callables and those who hand on to them are called, and the latter."""
    nodes = [(module, node) for module in modules for node in module.nodes]
    reached = set(callables) | {target for _, node in nodes for target in _other_names(node, callables)}
    takers = [
        (module, node)
        for module, node in nodes
        if isinstance(node, FUNCTIONS)
        and node.args.kwarg
        and all(a.arg != name for a in node.args.args + node.args.kwonlyargs)
    ]
    known, handing = 0, []
    while known != len(reached):
        known = len(reached)
        handing = [
            (module, node)
            for module, node in takers
            if any(_hands_on(module, node, call, reached) for call in ast.walk(node))
        ]
        reached |= {_called_by(module, node) for module, node in handing}
    return nodes, reached, handing


def _only_hands_on(module, function, reached, is_own):
    """Whether a function does nothing with what it takes with `**` but hand it on, and look for keywords by their
    names.
    """
    taking = function.args.kwarg.arg
    for use in (n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == taking):
        parent = module.parents.get(use)
        of = module.parents.get(parent)
        is_handed = (
            isinstance(parent, ast.keyword)
            and parent.arg is None
            and _hands_on(module, function, of, reached)
            and is_own(module, function, of)
        )
        is_asked = (
            isinstance(parent, ast.Attribute)
            and isinstance(of, ast.Call)
            and parent.attr in ("get", "pop", "setdefault")
            and isinstance(of.args[0] if of.args else None, ast.Constant)
            or isinstance(parent, ast.Subscript)
            and isinstance(parent.slice, ast.Constant)
            or isinstance(parent, ast.Compare)
            and isinstance(parent.left, ast.Constant)
        )
        if not is_handed and not is_asked:
            return False
    return True


def taken(modules, name, callables):
    """(path, line) where a decorator of one of the callables, or who hands on to one, looks at the keyword among those
    it was given with `**`.
    """
    nodes = [(module, node) for module in modules for node in module.nodes]
    decorators = {
        ast.unparse(each).split("(")[0].split(".")[-1]
        for _, node in nodes
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name in callables
        for each in node.decorator_list
    }
    for module, function in nodes:
        if not isinstance(function, FUNCTIONS) or function.args.kwarg is None or name not in module.text:
            continue
        looked = [n for n in ast.walk(function) if _asks(n, function.args.kwarg.arg, name)]
        if looked and (
            _is_within(module, function, decorators)
            or any(_hands_on(module, function, call, set(callables)) for call in ast.walk(function))
        ):
            yield from ((module.path, node.lineno) for node in looked)


def _asks(node, taking, name):
    """`options["name"]`, `options.pop("name")`, `"name" in options`."""
    if isinstance(node, ast.Subscript):
        of, key = node.value, node.slice
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("get", "pop", "setdefault")
        and node.args
    ):
        of, key = node.func.value, node.args[0]
    elif isinstance(node, ast.Compare):
        of, key = node.comparators[0], node.left
    else:
        return False
    return getattr(of, "id", None) == taking and getattr(key, "value", None) == name


def _is_within(module, node, names):
    while node is not None:
        if getattr(node, "name", None) in names:
            return True
        node = module.parents.get(node)
    return False


def _other_names(node, callables):
    """`context_class = Context`: what else the same is called by."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or getattr(node.value, "id", None) not in callables:
        return []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [getattr(each, "id", None) or getattr(each, "attr", "") for each in targets]


def _called_by(module, function):
    owner = module.parents.get(function)
    return owner.name if function.name in CONSTRUCTORS and isinstance(owner, ast.ClassDef) else function.name


def _hands_on(module, function, call, reached):
    if not isinstance(call, ast.Call) or not any(
        k.arg is None and getattr(k.value, "id", None) == function.args.kwarg.arg for k in call.keywords
    ):
        return False
    called = callee(call)
    owner = module.parents.get(function)
    bases = (
        [ast.unparse(base).split("[")[0].split(".")[-1] for base in owner.bases]
        if isinstance(owner, ast.ClassDef)
        else []
    )
    return called in reached or called in CONSTRUCTORS and any(base in reached for base in bases)
