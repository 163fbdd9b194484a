"""When an exception stops the program, and what is told about it.

Uncaught means that nobody catches it but the interpreter, a thread's end or a test runner. These few places are watched
directly, so the program runs at full speed and what it handles itself never stops it.
"""

import ast
import importlib.abc
import importlib.machinery
import linecache
import os
import sys
import threading
import types

from . import failure_parts, monitoring, readonly, values

# What the session asked for; by default everything uncaught stops.
_wanted = [{"id": None, "uncaught": True, "caught": False, "userUnhandled": True}]
_seen = []
_stopping = threading.local()
# The process whose runner decides what is a failure of a test.
_launched = [None]


def launched_here():
    _launched[0] = os.getpid()


def configure(py_db, api, given):
    """Takes the exception breakpoints of the session over; pydevd watches raised ones, we watch uncaught ones."""
    from _pydevd_bundle.pydevd_breakpoints import ExceptionBreakpoint, get_exception_breakpoint

    _wanted[:] = given
    api.remove_all_exception_breakpoints(py_db)
    raised = [each for each in given if each.get("caught")]
    if raised:
        api.add_python_exception_breakpoint(py_db, "BaseException", None, None, 1, 0, 0, False, 1)
    by_spec = [
        (each, ExceptionBreakpoint("BaseException", each.get("condition"), None, 1, 0, 0, False, 1)) for each in raised
    ]
    for each, made in by_spec:
        if each.get("readOnly") and each.get("condition"):
            made.sightline_read_only = _tree(each)

    def choose(kind, exceptions):
        """pydevd knows classes by the name they are imported by; people name them in any way, also before they
        exist.
        """
        if exceptions is not py_db.break_on_caught_exceptions:
            return get_exception_breakpoint(kind, exceptions)
        chosen, breakpoint = next((pair for pair in by_spec if matches_class(pair[0], kind)), ({}, None))
        _stopping.raised = chosen.get("id")
        return breakpoint

    py_db.get_exception_breakpoint = choose
    py_db.exclude_exception_by_filter = _once_per_raise(type(py_db).exclude_exception_by_filter, py_db)
    return [{"id": each["id"], "verified": True} for each in given if each.get("id")]


def _once_per_raise(excludes, py_db):
    """pydevd asks in every frame that an exception passes through, with the traceback from there inwards: it stops in
    the innermost one where it may.
    """

    def exclude(breakpoint, traceback):
        if excludes(py_db, breakpoint, traceback):
            return True
        inner = traceback.tb_next
        while inner is not None:
            if not excludes(py_db, breakpoint, inner):
                return True
            inner = inner.tb_next
        return False

    return exclude


def _tree(each):
    return ast.parse(each["condition"].strip(), "<condition>", "eval")


def matches_class(each, kind):
    name = each.get("exceptionClass")
    if not name:
        return True
    return any(
        name in (base.__name__, base.__qualname__, "%s.%s" % (base.__module__, base.__qualname__))
        for base in kind.__mro__
    )


def on_uncaught(kind, error, traceback, by_runner=False, is_reported=False):
    """Stops in the innermost frame of the user's own code when the session wants to know of this exception.

    What a runner is not told of, or is in another process, need not fail a test: it may expect just that of a thread
    or of a program that it starts.
    """
    from _pydevd_bundle.pydevd_constants import get_global_debugger

    py_db = get_global_debugger()
    if py_db is None or traceback is None or not py_db.ready_to_run or py_db.pydb_disposed:
        return
    if issubclass(kind, (SystemExit, KeyboardInterrupt, GeneratorExit)) or any(error is each for each in _seen):
        return
    traceback = _without_debugger(py_db, traceback)
    frame = own_frame(py_db, traceback)
    if frame is None:
        return
    asked = [each for each in _wanted if each.get("reported") or not is_reported]
    # A file that does not parse: whoever reads it says where, and nobody's code has run.
    if isinstance(error, SyntaxError) and not py_db.in_project_scope(frame):
        return
    wanting = [each for each in asked if _wants(each, kind, by_runner, frame, (kind, error, traceback))]
    if not wanting:
        return
    _seen[:] = _seen[-7:] + [error]
    thread = threading.current_thread()
    info = py_db.set_additional_thread_info(thread)
    resume_monitoring = monitoring.suspend()
    info.is_tracing += 1
    _stopping.uncaught = [each["id"] for each in sorted(wanting, key=_precision, reverse=True) if each["id"]]
    _stopping.by_runner = by_runner and os.getpid() == _launched[0]
    try:
        py_db.do_stop_on_unhandled_exception(thread, frame, {}, (kind, error, traceback))
    finally:
        _stopping.uncaught = None
        info.is_tracing -= 1
        resume_monitoring()


def _is_uncaught():
    return getattr(_stopping, "uncaught", None) is not None


def stopping_ids():
    """The exception breakpoints that stop this thread now; what was asked for most precisely comes first."""
    if _is_uncaught():
        return _stopping.uncaught
    raised = getattr(_stopping, "raised", None)
    return [raised] if raised else []


def _precision(each):
    return bool(each.get("exceptionClass")) + bool(each.get("condition"))


def _wants(each, kind, by_runner, frame, arg):
    if not (each.get("uncaught") or (by_runner and each.get("userUnhandled"))) or not matches_class(each, kind):
        return False
    if not each.get("condition"):
        return True
    try:
        if each.get("readOnly"):
            return readonly.holds(_tree(each), frame, {"__exception__": arg})
        scope = dict(frame.f_globals)
        scope.update(frame.f_locals)
        scope["__exception__"] = arg
        return bool(eval(each["condition"], scope))
    except Exception:
        return False


def _without_debugger(py_db, traceback):
    """The stack may be full in the debugger's own functions: then the call that was about to begin is what failed."""
    entries = []
    while traceback is not None:
        entries.append(traceback)
        traceback = traceback.tb_next
    # A runner may look at an exception while the function is still running that it passed through.
    running = _running_below(entries[0].tb_frame)
    entries = entries[max([index for index, each in enumerate(entries) if each.tb_frame in running] or [0]) :]
    end = len(entries)
    while end > 0 and _is_debugger(py_db, entries[end - 1].tb_frame):
        end -= 1
    if end == 0:
        return entries[0]
    last = entries[end - 1]
    if end < len(entries) and last.tb_lineno == last.tb_frame.f_code.co_firstlineno:
        while end > 1 and entries[end - 1].tb_frame is last.tb_frame:
            end -= 1
    kept, seen = None, set()
    for each in reversed(entries[:end]):
        # A context manager sees the exception pass through the function a second time, at its `with`.
        if id(each.tb_frame) in seen:
            continue
        seen.add(id(each.tb_frame))
        kept = types.TracebackType(kept, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return kept


def _running_below(frame):
    found = set()
    while frame.f_back is not None:
        frame = frame.f_back
        found.add(frame)
    return found


def _is_debugger(py_db, frame):
    # What is compiled names its source by a path that leads nowhere.
    return frame.f_code.co_filename.startswith("_pydevd_") or py_db.get_file_type(frame) == py_db.PYDEV_FILE


def own_frame(py_db, traceback):
    """The innermost frame that is not a library's; when all are, the innermost one that is not ours."""
    own, innermost = None, None
    while traceback is not None:
        frame = traceback.tb_frame
        if not _is_debugger(py_db, frame):
            innermost = frame
            if py_db.in_project_scope(frame) and not frame.f_code.co_filename.startswith("<"):
                own = frame
        traceback = traceback.tb_next
    return own or innermost


def description(py_db, frames_list):
    """What a stop at an exception tells: type, message, where it was thrown, the values of a failed assertion."""
    error = frames_list.exc_desc
    kind = frames_list.exc_type
    if error is None or kind is None:
        return None
    traceback = frames_list.trace_obj
    thrown = None
    while traceback is not None:
        thrown = traceback
        traceback = traceback.tb_next
    result = {
        "type": kind.__name__,
        "message": values.clip(_message(error) + _notes(error), _MAX_MESSAGE),
        "error": error,
        "thrown": None,
        "uncaught": _is_uncaught(),
        "byRunner": _is_uncaught() and _stopping.by_runner,
    }
    top = next(iter(frames_list), None)
    # Where an assertion's own library raises says nothing.
    is_assertion = isinstance(error, AssertionError) or is_of_runner(error)
    if thrown is not None and top is not None and thrown.tb_frame is not top and not is_assertion:
        result["thrown"] = _place(thrown)
    if isinstance(error, AssertionError):
        result.update(failure_parts.told_differences(frames_list.trace_obj))
        said = result.pop("said", None)
        # unittest puts it behind its own difference.
        if said and "differences" in result:
            result["message"] = "%s : %s" % (result["message"].split("\n")[0], said)
        if top is not None and "sides" not in result:
            line = frames_list.frame_id_to_lineno.get(id(top), top.f_lineno)
            result["values"] = assertion_values(top, line)
    result["related"] = failure_parts.related(error, lambda each: raised_at(py_db, each), short_message)
    return result


_MAX_MESSAGE = 6000
_MAX_NOTE = 400


def is_of_runner(error):
    """pytest's own way to end a test, which pretends to be built in."""
    return any(base.__module__.startswith("_pytest.") for base in type(error).__mro__)


def _notes(error):
    """One line each, however they are laid out."""
    notes = getattr(error, "__notes__", None)
    if not isinstance(notes, list):
        return ""
    return "".join("\n" + values.clip(" ".join(str(note).split()), _MAX_NOTE) for note in notes)


def _place(entry):
    """Of code that was made while the program ran also the line itself: nobody can look it up."""
    file = entry.tb_frame.f_code.co_filename
    found = {"file": file, "line": entry.tb_lineno}
    if file.startswith("<"):
        found["code"] = linecache.getline(file, entry.tb_lineno).strip()
    return found


def raised_at(py_db, error):
    """The innermost place that the exception came through in the user's own code, or in code made while it ran."""
    entry, own = error.__traceback__, None
    while entry is not None:
        frame = entry.tb_frame
        is_made = frame.f_code.co_filename.startswith("<") and linecache.getline(
            frame.f_code.co_filename, entry.tb_lineno
        )
        if not _is_debugger(py_db, frame) and (is_made or py_db.in_project_scope(frame)):
            own = entry
        entry = entry.tb_next
    if own is None:
        return {}
    code = own.tb_frame.f_code
    found = _place(own)
    found["function"] = getattr(code, "co_qualname", code.co_name).replace(".<locals>.", ".")
    return found


def short_message(error):
    return _short_cause(_message(error)) + _notes(error)


def _short_cause(message):
    """Of the traceback of another process, the end says where it was and why."""
    lines = message.strip().strip('"').strip().splitlines()
    if len(lines) > 4 and lines[0].startswith("Traceback"):
        at = max(index for index, line in enumerate(lines) if line.startswith("  File "))
        return values.clip(" ".join(line.strip() for line in lines[at:] if line.strip(" ^~")), 300)
    return values.clip(message, 300)


def _message(error):
    if isinstance(error, KeyError) and len(error.args) == 1:
        return values.show(error.args[0], values.DEFAULT_LIMITS)
    try:
        return str(error)
    except Exception:
        return "<its __str__ failed>"


def assertion_values(frame, line):
    """The parts of the failed comparison that can be read without running the user's code."""
    from . import readonly

    node = _statement(frame.f_code.co_filename, line)
    if isinstance(node, ast.Assert):
        parts = _comparands(node.test)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        parts = list(node.value.args[:2])
    else:
        return []
    found = []
    for part in parts:
        # Locals are shown anyway, and literals can be read.
        if _is_literal(part) or (isinstance(part, ast.Name) and part.id in frame.f_locals):
            continue
        try:
            value = readonly.evaluate(ast.Expression(part), frame)
            found.append((_source(frame.f_code.co_filename, part), value))
        except Exception:
            continue
    return found


def _is_literal(node):
    try:
        ast.literal_eval(node)
        return True
    except Exception:
        return False


def _comparands(test):
    if isinstance(test, ast.UnaryOp):
        return _comparands(test.operand)
    if isinstance(test, ast.Compare):
        return [test.left] + list(test.comparators)
    if isinstance(test, ast.BoolOp):
        return [part for each in test.values for part in _comparands(each)]
    if isinstance(test, ast.Call):
        return list(test.args)
    return [test]


def _statement(file, line):
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None
    best = None
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.stmt)
            and not hasattr(node, "body")
            and node.lineno <= line <= getattr(node, "end_lineno", node.lineno)
        ):
            best = node
    return best


def _source(file, node):
    text = (
        ast.get_source_segment("".join(linecache.getlines(file)), node) if hasattr(ast, "get_source_segment") else None
    )
    return " ".join((text or "?").split())


# --- the places where an exception ends its way ---


def watch(patches):
    """Also applies patches of others, each when the module of its name is there."""
    _PATCHES.update(patches)
    _watch_threads()
    _watch_interpreter()
    for name, patch in _PATCHES.items():
        if name in sys.modules:
            patch(sys.modules[name])
    sys.meta_path.insert(0, _PatchingFinder())


def _watch_interpreter():
    previous = sys.excepthook

    def hook(kind, error, traceback):
        on_uncaught(kind, error, traceback)
        previous(kind, error, traceback)

    sys.excepthook = hook


def _watch_threads():
    make = getattr(threading, "_make_invoke_excepthook", None)
    if make is None:
        return

    def wrapped_make():
        invoke = make()

        def wrapped(thread):
            on_uncaught(*sys.exc_info())
            invoke(thread)

        return wrapped

    threading._make_invoke_excepthook = wrapped_make  # ty: ignore[missing-attribute]


def watch_programs_of(debugger_class):
    """A child that pydevd starts itself runs its program here."""
    execute = debugger_class._exec

    def _exec(self, *args, **kwargs):
        try:
            return execute(self, *args, **kwargs)
        except Exception:
            on_uncaught(*sys.exc_info())
            raise

    debugger_class._exec = _exec


def _patch_pytest(module):
    check = module.check_interactive_exception

    def checked(call, report):
        interesting = check(call, report)
        if interesting:
            error = call.excinfo.value
            # A module that cannot be imported is reported by an exception of pytest's own.
            if type(error).__name__ == "CollectError" and error.__cause__ is not None:
                error = error.__cause__
            on_uncaught(type(error), error, error.__traceback__, by_runner=True)
        return interesting

    module.check_interactive_exception = checked


def _patch_unittest(module):
    for name in ("addError", "addFailure"):
        _wrap_result(module.TestResult, name, 1)
    _wrap_result(module.TestResult, "addSubTest", 2)


def _wrap_result(owner, name, at):
    original = getattr(owner, name)

    def wrapped(self, *args, **kwargs):
        info = args[at] if len(args) > at else None
        if info is not None and info[0] is not None:
            on_uncaught(info[0], info[1], info[2], by_runner=True)
        return original(self, *args, **kwargs)

    setattr(owner, name, wrapped)


def _patch_multiprocessing(module):
    run = module.BaseProcess.run

    def wrapped(self):
        try:
            return run(self)
        except Exception:
            on_uncaught(*sys.exc_info())
            raise

    module.BaseProcess.run = wrapped


_PATCHES = {
    "_pytest.assertion.rewrite": failure_parts.patch_pytest_rewrite,
    "_pytest.runner": _patch_pytest,
    "unittest.result": _patch_unittest,
    "multiprocessing.process": _patch_multiprocessing,
}


class _PatchingFinder(importlib.abc.MetaPathFinder):
    """Lets the usual finders find a module, and patches it right after it has been loaded."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname not in _PATCHES:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            try:
                _PATCHES[fullname](module)
            except Exception:
                # A version whose inside looks different: its failures then end the program's run as usual.
                pass

        spec.loader.exec_module = exec_module
        return spec
