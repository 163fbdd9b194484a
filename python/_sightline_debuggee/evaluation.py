"""Expressions and statements in a paused frame, with a deadline."""

import ast
import ctypes
import signal
import sys
import threading
import time

from . import monitoring, readonly


class EvaluationTimeout(BaseException):
    """Thrown into an evaluation that has run too long. Not an Exception, so that `except Exception` does not keep it
    going.
    """


class EvaluationFailure(Exception):
    """What the caller is told: in the program's own words."""


def evaluate(py_db, frame, expression, timeout_seconds, read_only):
    """The value of the expression, or of the last expression of several statements (None when there is none)."""
    if read_only:
        tree = _parse(expression)
        return _guarded(py_db, timeout_seconds, lambda: readonly.evaluate(tree, frame))
    code = _compile(expression)
    return _guarded(py_db, timeout_seconds, lambda: _run(frame, code))


def assign(py_db, frame, path, value_expression, timeout_seconds):
    """Gives the variable at `path` (`total`, `order.items[2].qty`) a new value; answers with (old, new)."""
    target = _parse(path)
    if not (isinstance(target, ast.Expression) and isinstance(target.body, (ast.Name, ast.Attribute, ast.Subscript))):
        raise EvaluationFailure("'%s' cannot be assigned to: give a variable, an attribute or an element." % path)
    value_code = _compile(value_expression)
    if value_code[1] is None:
        raise EvaluationFailure("'%s' is not an expression." % value_expression)
    store = ast.parse("%s = __sightline_value__" % path)
    store_code = (compile(store, "<assignment>", "exec"), None, store)

    def change():
        old = _run(frame, _compile(path))
        new = _run(frame, value_code)
        _run(frame, store_code, {"__sightline_value__": new})
        return old, _run(frame, _compile(path))

    return _guarded(py_db, timeout_seconds, change)


def _parse(text):
    stripped = text.strip()
    try:
        return ast.parse(stripped, "<expression>", "eval")
    except SyntaxError:
        pass
    try:
        return ast.parse(_dedent(text), "<expression>", "exec")
    except SyntaxError as error:
        raise EvaluationFailure(
            "SyntaxError: %s%s" % (error.msg, " (line %d)" % error.lineno if error.lineno and error.lineno > 1 else "")
        )


def _dedent(text):
    import textwrap

    return textwrap.dedent(text.strip("\n"))


def _compile(text):
    """(code of the statements or None, code of the last expression or None, tree of the statements)"""
    tree = _parse(text)
    if isinstance(tree, ast.Expression):
        return None, compile(tree, "<expression>", "eval"), None
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), "<expression>", "eval")
    return compile(tree, "<expression>", "exec"), last, tree


def _run(frame, code, additions=None):
    statements, last, tree = code
    at_module_level = frame.f_locals is frame.f_globals or frame.f_code.co_name == "<module>"
    if at_module_level:
        scope = frame.f_globals
        if additions:
            scope = dict(scope)
            scope.update(additions)
        if statements is not None:
            exec(statements, scope)
            if additions:
                frame.f_globals.update((name, value) for name, value in scope.items() if name not in additions)
        return eval(last, scope) if last is not None else None
    stored = frame.f_locals
    local = dict(stored)
    # Lambdas and comprehensions inside the expression see only globals, so these carry the locals too.
    everything = dict(frame.f_globals)
    everything.update(local)
    scope = dict(local)
    if additions:
        everything.update(additions)
    result = None
    if statements is not None:
        exec(statements, everything, scope)
    if last is not None:
        everything.update(scope)
        result = eval(last, everything, scope)
    _write_back(frame, local, scope, tree, everything)
    return result


def _write_back(frame, before, after, tree, everything):
    changed = [name for name, value in after.items() if name not in before or before[name] is not value]
    if changed:
        from _pydevd_bundle.pydevd_save_locals import save_locals

        stored = frame.f_locals
        for name in changed:
            stored[name] = after[name]
        save_locals(frame)
    declared = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Global):
            declared.update(node.names)
    for name in declared:
        if name in everything:
            frame.f_globals[name] = everything[name]


def _guarded(py_db, timeout_seconds, work):
    """Runs `work` with breakpoints off in this thread, and ends it when its time is up."""
    thread = threading.current_thread()
    info = py_db.set_additional_thread_info(thread)
    watch = _Watch(thread)
    resume_monitoring = monitoring.suspend()
    info.is_tracing += 1
    try:
        with py_db.timeout_tracker.call_on_timeout(timeout_seconds, watch.expire):
            try:
                return work()
            finally:
                watch.finish(sys.exc_info()[0])
    except (EvaluationTimeout, KeyboardInterrupt):
        if not watch.expired:
            raise EvaluationFailure("KeyboardInterrupt")
        raise EvaluationFailure(
            "The evaluation did not end within %d ms and was stopped." % int(timeout_seconds * 1000)
        )
    except EvaluationFailure:
        raise
    except BaseException as error:
        raise EvaluationFailure(_words(error))
    finally:
        info.is_tracing -= 1
        resume_monitoring()


def _words(error):
    try:
        message = str(error)
    except Exception:
        message = ""
    return "%s: %s" % (type(error).__name__, message) if message else type(error).__name__


class _Watch(object):
    """Throws into the evaluating thread when it is late. The lock keeps the throw from hitting what runs afterwards."""

    def __init__(self, thread):
        self._thread = thread
        self._lock = threading.Lock()
        self._finished = False
        self.expired = False

    def finish(self, thrown):
        with self._lock:
            self._finished = True
        if not self.expired or thrown is EvaluationTimeout:
            return
        # The throw is on its way and must not hit the program. Taking it back with a null exception leaves the
        # interpreter of Python 3.11 spinning, so it is waited for: it comes at the next jump or call.
        try:
            deadline = time.time() + 0.05
            while time.time() < deadline:
                pass
        except EvaluationTimeout:
            pass

    def expire(self):
        with self._lock:
            if self._finished:
                return
            self.expired = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self._thread.ident), ctypes.py_object(EvaluationTimeout)
            )
        # A blocking call (sleep, read) does not notice; a signal makes it return, in the main thread.
        if self._thread is not threading.main_thread() or not hasattr(signal, "pthread_kill"):
            return
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return
        deadline = time.time() + 0.1
        while time.time() < deadline and not self._finished:
            time.sleep(0.01)
        with self._lock:
            if not self._finished:
                signal.pthread_kill(self._thread.ident, signal.SIGINT)
