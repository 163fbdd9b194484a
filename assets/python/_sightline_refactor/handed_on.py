"""Keywords that reach a function through others, which take what they do not know with `**` and hand it on."""

import ast

from .source import FUNCTIONS

CONSTRUCTORS = ("__init__", "__new__")


def callee(call):
    """What is called, by its last name; for `partial(f, ...)` it is `f`."""
    function = call.args[0] if ast.unparse(call.func).split(".")[-1] in ("partial", "partialmethod") and call.args else call.func
    return ast.unparse(function).split("(")[0].split("[")[0].split(".")[-1]


def handed_on(modules, name, callables):
    """(path, line) of the keywords called `name` that may reach one of the callables so: of a function that hands on, or of a `dict`."""
    nodes = [(module, node) for module in modules for node in module.nodes]
    reached = set(callables) | {target for _, node in nodes for target in _other_names(node, callables)}
    takers = [(module, node) for module, node in nodes
              if isinstance(node, FUNCTIONS) and node.args.kwarg and all(a.arg != name for a in node.args.args + node.args.kwonlyargs)]
    known = 0
    while known != len(reached):
        known = len(reached)
        reached |= {_called_by(module, node) for module, node in takers if any(_hands_on(module, node, call, reached) for call in ast.walk(node))}
    calls = [(module, node) for module, node in nodes if isinstance(node, ast.Call)]
    if not any(k.arg is None and callee(call) in reached for _, call in calls for k in call.keywords):
        return []
    through = (reached - set(callables)) | {"dict"}
    return sorted({(module.path, k.lineno) for module, call in calls for k in call.keywords if k.arg == name and callee(call) in through})


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
    if not isinstance(call, ast.Call) or not any(k.arg is None and getattr(k.value, "id", None) == function.args.kwarg.arg for k in call.keywords):
        return False
    called = callee(call)
    owner = module.parents.get(function)
    bases = [ast.unparse(base).split("[")[0].split(".")[-1] for base in owner.bases] if isinstance(owner, ast.ClassDef) else []
    return called in reached or called in CONSTRUCTORS and any(base in reached for base in bases)
