"""Starts a Python program under Sightline's debugger: ``python launch.py`` with its orders in SIGHTLINE_DEBUGGEE.

The program sees what it would see without us: its own ``__main__``, ``sys.argv``, ``sys.path`` and environment.
"""

import json
import os
import sys


_support = {}


def main():
    orders = json.loads(os.environ.pop("SIGHTLINE_DEBUGGEE"))
    here = os.path.dirname(os.path.abspath(__file__))
    safe_path = sys.flags.isolated or getattr(sys.flags, "safe_path", False)
    if not safe_path and sys.path and os.path.abspath(sys.path[0]) == here:
        del sys.path[0]
    # Otherwise pydevd prints a warning about frozen modules into the program's stderr, here and in every child.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    _load(here, orders["debugpy"])
    is_module = orders["kind"] == "module"
    _support["scripts"].name_command((["-m"] if is_module else []) + [orders["target"]] + orders["args"])
    _prepare(orders, safe_path)
    _tell_crashes()
    _connect(orders, here)
    _support["exceptions"].launched_here()
    try:
        _run(orders)
    except Exception:
        _end_with_traceback()


def join(path):
    """The same for a process that the program has started, once it has failed."""
    with open(path) as stream:
        orders = json.load(stream)
    here = os.path.dirname(os.path.abspath(__file__))
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    _load(here, orders["debugpy"])
    _connect(orders, here)


def stop_at_failure(kind, error, traceback):
    _support["exceptions"].on_uncaught(kind, error, traceback)


def _load(here, debugpy_parent):
    sys.path[:0] = [here, debugpy_parent]
    stand_ins = _without_console_modules()
    try:
        import debugpy._vendored.force_pydevd  # noqa: F401
        from _pydevd_bundle import pydevd_defaults

        import _sightline_children
        from _sightline_debuggee import engine, exceptions, printed, scripts, test_runs

        engine.install(dies_with_debugger=True)
        _support.update(
            children=_sightline_children, exceptions=exceptions, printed=printed, scripts=scripts, test_runs=test_runs
        )
        # Children find both by this one entry: the package of pydevd is put on the path by pydevd itself.
        pydevd_defaults.PydevdCustomization.PREIMPORT = "%s;debuggee_child" % here
    finally:
        for name in stand_ins:
            sys.modules.pop(name, None)
        sys.path.remove(here)
        sys.path.remove(debugpy_parent)


def _tell_crashes():
    """A program that crashes in native code says on stderr where it was in Python."""
    import faulthandler

    if not faulthandler.is_enabled() and sys.stderr is not None:
        try:
            faulthandler.enable(all_threads=False)
        except (OSError, ValueError, AttributeError):
            pass


def _without_console_modules():
    """pydevd imports these for a console that nobody opens here, and they take most of its start-up time.

    While it loads it is given empty ones; the program itself gets the real ones when it imports them.
    """
    import types

    def anything(name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})

    made = []
    for name in ("xmlrpc", "xmlrpc.client", "xmlrpc.server", "http.server"):
        if name not in sys.modules:
            module = sys.modules[name] = types.ModuleType(name)
            module.__path__ = []
            module.__file__ = name
            module.__getattr__ = anything
            made.append(name)
    for name in made:
        parent, _, child = name.rpartition(".")
        if parent in made:
            setattr(sys.modules[parent], child, sys.modules[name])
    if "http.server" in made and "http" not in sys.modules:
        sys.modules["http"] = types.ModuleType("http")
        sys.modules["http"].__path__ = []
        made.append("http")
    return made


def _connect(orders, here):
    import pydevd

    if orders.get("lateChildren"):
        _leave_children(orders["lateChildren"], here)
    pydevd.settrace(
        host="127.0.0.1",
        port=orders["port"],
        suspend=False,
        patch_multiprocessing=True,
        notify_stdin=False,
        # Taken out: a program that is paused right here would show it.
        client_access_token=orders.pop("token"),
        dont_trace_start_patterns=(here, os.path.join(orders["debugpy"], "debugpy")),
        dont_trace_end_patterns=(),
    )


def _leave_children(path, here):
    """Processes that the program starts come to the debugger when they fail, not when they start."""
    from _pydev_bundle import pydev_monkey

    pydev_monkey.patch_args = lambda args, *_, **__: args
    children = _support["children"]
    children.hand_over(os.path.join(here, "late_child"), "SIGHTLINE_LATE_CHILD", path, children.is_python)


def _prepare(orders, safe_path):
    """What may fail for reasons of the program (a missing file, a syntax error) fails before or after, never in
    between.
    """
    import types

    main_module = types.ModuleType("__main__")
    main_module.__builtins__ = __builtins__  # ty: ignore[missing-attribute]
    sys.modules["__main__"] = main_module
    for stream in (sys.stdout, sys.stderr):
        # As on a terminal: what the program has printed is seen when it is printed.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True)  # ty: ignore[call-non-callable]
    _support["printed"].install()
    if not safe_path:
        entry = os.getcwd() if orders["kind"] != "file" else os.path.dirname(os.path.realpath(orders["target"]))
        sys.path.insert(0, entry)


def _run(orders):
    if orders["kind"] == "test":
        _support["test_runs"].run(orders["target"], orders.get("test") or {}, orders["args"])
    elif orders["kind"] == "module":
        import runpy

        runpy._run_module_as_main(orders["target"])  # ty: ignore[missing-attribute]
    else:
        _support["scripts"].run_script(orders["target"])


def _end_with_traceback():
    """Prints what the interpreter would print, without our own frames, and ends with its status."""
    kind, error, traceback = sys.exc_info()
    here = os.path.dirname(os.path.abspath(__file__)) + os.sep
    while traceback is not None and os.path.abspath(traceback.tb_frame.f_code.co_filename).startswith(here):
        traceback = traceback.tb_next
    # A program with an excepthook of its own fails as one without.
    _support["exceptions"].on_uncaught(kind, error, traceback, by_runner=True)
    sys.excepthook(kind, error.with_traceback(traceback), traceback)  # ty: ignore[invalid-argument-type]
    sys.exit(1)


if __name__ == "__main__":
    main()
