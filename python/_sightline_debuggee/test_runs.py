"""Runs one test file (or one test of it) with whatever runner the interpreter has."""

import ast
import os
import sys

from . import exceptions, scripts


def run(path, test, args, on_failure=exceptions.on_uncaught):
    """`on_failure` is told of each test that fails where no runner tells."""
    from importlib.util import find_spec

    name = test.get("name") or _name_at(path, test.get("line"))
    if find_spec("pytest") is not None:
        _pytest(path, name, args, find_spec)
    elif _has_test_case(path):
        _unittest(path, name, args)
    else:
        _plain(path, name, on_failure)


def _pytest(path, name, args, find_spec):
    arguments = [path + "::" + _node_id(name) if name else path, "-q"]
    if not _uses_cache():
        arguments += ["-p", "no:cacheprovider"]
    # Workers, coverage and time-outs of the project's own configuration get in the way of a paused program.
    if find_spec("xdist") is not None:
        arguments.append("-n0")
    if find_spec("pytest_cov") is not None:
        arguments.append("--no-cov")
    if find_spec("pytest_timeout") is not None:
        arguments.append("--timeout=0")
    import pytest

    scripts.name_command(["-m", "pytest"] + arguments + list(args))
    _name_main(find_spec("pytest.__main__"))
    sys.exit(pytest.main(arguments + list(args)))


def _name_main(spec):
    """As `python -m` leaves it: programs look at it, and those that start others by it do so in them."""
    main = sys.modules["__main__"]
    if spec is not None and spec.origin is not None:
        main.__spec__ = spec
        main.__file__ = spec.origin
        main.__package__ = spec.parent


def _node_id(name):
    """Dots separate a class from its method; in the brackets of a parametrised test they are its own."""
    plain, bracket, parameters = name.partition("[")
    return plain.replace(".", "::").replace(" > ", "::") + bracket + parameters


def _uses_cache():
    """Options of the project that would be errors without pytest's cache."""
    texts = [os.environ.get("PYTEST_ADDOPTS", "")]
    for name in ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"):
        try:
            with open(name, "rb") as stream:
                texts.append(stream.read(200000).decode("utf-8", "replace"))
        except OSError:
            continue
    options = (
        "--lf",
        "--ff",
        "--nf",
        "--sw",
        "--last-failed",
        "--failed-first",
        "--new-first",
        "--stepwise",
        "--cache-",
    )
    return any(option in text for text in texts for option in options)


def _unittest(path, name, args):
    import unittest

    folder = os.path.dirname(path)
    dotted = os.path.relpath(path, os.getcwd())[: -len(".py")].replace(os.sep, ".")
    if dotted.startswith("..") or not all(part.isidentifier() for part in dotted.split(".")):
        sys.path.insert(0, folder)
        dotted = os.path.basename(path)[: -len(".py")]
    elif not _is_importable(dotted):
        sys.path.insert(0, folder)
        dotted = dotted.rsplit(".", 1)[-1]
    selected = [dotted]
    if name:
        parts = name.replace("::", ".").split(".")
        selected = (
            [".".join([dotted] + parts)] if len(parts) > 1 or parts[0][:1].isupper() else [dotted, "-k", parts[0]]
        )
    scripts.name_command(["-m", "unittest"] + selected + list(args))
    unittest.main(module=None, argv=sys.argv)


def _is_importable(dotted):
    from importlib.util import find_spec

    try:
        return find_spec(dotted) is not None
    except (ImportError, ValueError):
        return False


def _plain(path, name, on_failure):
    """No runner and no TestCase: the file is run, then its test functions and methods are called in order."""
    tests = dict(_tests_of(scripts.run_script(path)))
    if name is not None:
        wanted = name.replace(".", "::")
        tests = {label: test for label, test in tests.items() if label == wanted or label.startswith(wanted + "::")}
        if not tests:
            sys.exit(
                "There is no test %s in %s, or it needs pytest, which this Python (%s) does not have."
                % (name, path, sys.executable)
            )
    failed = sum(not _passes(test, label, on_failure) for label, test in tests.items())
    if tests:
        print("%d passed, %d failed" % (len(tests) - failed, failed))
    sys.exit(1 if failed else 0)


def _tests_of(module):
    for name, value in list(vars(module).items()):
        if name.startswith("test") and callable(value):
            yield name, value
        elif name.startswith("Test") and isinstance(value, type):
            for method in vars(value):
                if method.startswith("test"):
                    yield "%s::%s" % (name, method), _Method(value, method)


class _Method(object):
    def __init__(self, owner, name):
        self._owner = owner
        self._name = name

    def __call__(self):
        instance = self._owner()
        set_up = getattr(instance, "setup_method", None)
        if set_up is not None:
            set_up()
        getattr(instance, self._name)()


def _passes(function, name, on_failure):
    try:
        function()
        return True
    except Exception:
        kind, error, traceback = sys.exc_info()
        on_failure(kind, error, traceback, by_runner=True)
        print("FAILED %s: %s: %s" % (name, kind.__name__, error))
        return False


def _has_test_case(path):
    try:
        with open(path, "rb") as stream:
            tree = ast.parse(stream.read())
    except (OSError, SyntaxError):
        return False
    bases = (ast.unparse(base) if hasattr(ast, "unparse") else getattr(base, "attr", getattr(base, "id", ""))
             for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases)  # fmt: skip
    return any("TestCase" in base for base in bases)


def _name_at(path, line):
    """The test that stands at a line: `TestOrder::test_total`."""
    if not line:
        return None
    with open(path, "rb") as stream:
        tree = ast.parse(stream.read())

    def inside(node):
        first = min([node.lineno] + [each.lineno for each in node.decorator_list])
        return first <= line <= getattr(node, "end_lineno", node.lineno)

    for node in tree.body:
        if isinstance(node, ast.ClassDef) and inside(node):
            for each in node.body:
                if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and inside(each):
                    return "%s::%s" % (node.name, each.name)
            return node.name
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and inside(node):
            return node.name
    return None
