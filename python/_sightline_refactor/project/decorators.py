"""Whether a decorator hands what it decorates to somebody who will use it: a router, a registry, a test runner."""

import sys

from . import trees as ast
from .source import FUNCTIONS

# What only changes or describes a function or class, wherever it comes from.
PLAIN = {
    "staticmethod",
    "classmethod",
    "property",
    "setter",
    "getter",
    "deleter",
    "cached_property",
    "wraps",
    "dataclass",
    "define",
    "frozen",
    "attrs",
    "attrib",
    "contextmanager",
    "asynccontextmanager",
    "overload",
    "override",
    "final",
    "deprecated",
    "runtime_checkable",
    "type_check_only",
    "jit",
    "njit",
    "vectorize",
    "usefixtures",
    "parametrize",
    "skip",
    "skipif",
    "xfail",
    "patch",
    "given",
    "pass_context",
    "pass_obj",
    "retry",
    "login_required",
}
# Whoever is handed a function by these looks at it only.
LOOKING = {
    "wraps",
    "update_wrapper",
    "iscoroutinefunction",
    "isasyncgenfunction",
    "isgeneratorfunction",
    "isclass",
    "signature",
    "getattr",
    "hasattr",
    "isinstance",
    "callable",
    "cast",
    "len",
    "repr",
    "str",
    "print",
    "id",
    "type",
    "get_type_hints",
    "getdoc",
}


def registered_by(session, tree, node):
    """The decorators that may keep what they are given."""
    return [each for each in getattr(node, "decorator_list", ()) if _keeps(session, tree, each)]


def _keeps(session, tree, decorator):
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    dotted = ast.unparse(called).split(".")
    if dotted[-1] in ("fixture", "yield_fixture"):
        return any(
            k.arg == "autouse" and getattr(k.value, "value", None) is not False
            for k in getattr(decorator, "keywords", ())
        )
    if dotted[-1] in PLAIN or _is_standard(tree, dotted) and dotted[-1] != "register":
        return False
    own = [
        n
        for _path, _text, other in session.parsed(dotted[-1])
        for n in ast.walk(other)
        if isinstance(n, (*FUNCTIONS, ast.ClassDef)) and n.name == dotted[-1]
    ]
    if not own:
        return True
    return any(_passes_on(each, isinstance(decorator, ast.Call)) for each in own if isinstance(each, FUNCTIONS))


def _is_standard(tree, dotted):
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ImportFrom)
            and not node.level
            and any((a.asname or a.name) == dotted[0] for a in node.names)
        ):
            return node.module.split(".")[0] in sys.stdlib_module_names
        if isinstance(node, ast.Import) and any((a.asname or a.name).split(".")[0] == dotted[0] for a in node.names):
            return dotted[0] in sys.stdlib_module_names
    return False


def _passes_on(function, is_factory):
    """Whether a decorator of the project stores the function, or hands it to somebody who is not known to let it be."""
    inner = [n for n in function.body if isinstance(n, FUNCTIONS)]
    receivers = [*(inner if is_factory else ()), *([] if is_factory and inner else [function])]
    for receiver in receivers:
        names = [a.arg for a in receiver.args.posonlyargs + receiver.args.args]
        given = next((each for each in names if each not in ("self", "cls")), None)
        # What it returns may be kept.
        called = {id(n.func) for n in ast.walk(receiver) if isinstance(n, ast.Call)}
        for node in ast.walk(receiver):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func).split(".")[-1] not in LOOKING
                and any(getattr(each, "id", None) == given for each in [*node.args, *(k.value for k in node.keywords)])
            ):
                return True
            if (
                isinstance(node, ast.Assign)
                and any(
                    isinstance(t, (ast.Subscript, ast.Attribute))
                    and getattr(getattr(t, "value", None), "id", None) != given
                    for t in node.targets
                )
                and any(getattr(n, "id", None) == given and id(n) not in called for n in ast.walk(node.value))
            ):
                return True
    return False
