"""A program that nothing is to stop runs untraced, at its own speed.

Uncaught exceptions are seen where they end their way (see exceptions), threads are looked at from outside (see
activity): only breakpoints, raised exceptions, steps and pauses need every line. Tracing begins with the first of them.
"""

import threading

_state = {"needed": False}

# Requests after which the program may have to stop at a line, and what in their arguments says so.
_NEEDING = {
    "sightlineLines": lambda args: bool(args.get("breakpoints")),
    "sightlineFunctions": lambda args: bool(args.get("breakpoints")),
    "sightlineExceptions": lambda args: any(each.get("caught") for each in args.get("breakpoints") or ()),
    "setBreakpoints": lambda args: bool(args.get("breakpoints")),
    "setFunctionBreakpoints": lambda args: bool(args.get("breakpoints")),
    "setExceptionBreakpoints": lambda args: bool(args.get("filters")),
    "launch": lambda args: bool(args.get("stopOnEntry")),
    "attach": lambda args: bool(args.get("stopOnEntry")),
    "pause": lambda args: True,
    "next": lambda args: True,
    "stepIn": lambda args: True,
    "stepOut": lambda args: True,
    "goto": lambda args: True,
}


def install(debugger_class):
    """pydevd asks for tracing in several places: as long as nothing needs it, each of them does nothing."""
    for name in ("enable_tracing", "set_tracing_for_untraced_contexts", "set_trace_for_frame_and_parents"):
        setattr(debugger_class, name, _only_when_needed(getattr(debugger_class, name)))
    debugger_class.patch_threads = _without_tracing_new_threads(debugger_class.patch_threads)


def _only_when_needed(original):
    def patched(self, *args, **kwargs):
        if _state["needed"]:
            return original(self, *args, **kwargs)

    return patched


def _without_tracing_new_threads(original):
    """What traces a thread also holds it, beyond its end."""

    def patched(self, *args, **kwargs):
        result = original(self, *args, **kwargs)
        if not _state["needed"]:
            threading.settrace(None)
        return result

    return patched


def begin_for(py_db, message):
    """Called with each request before it is handled."""
    needs = _NEEDING.get(message.get("command"))
    if needs is not None and not _state["needed"] and needs(message.get("arguments") or {}):
        begin(py_db)


def begin(py_db):
    _state["needed"] = True
    _trace_new_threads(py_db)
    if not py_db.ready_to_run:
        # pydevd itself begins when the program does.
        return
    _trace_threads(py_db)
    py_db.set_tracing_for_untraced_contexts()


def _trace_new_threads(py_db):
    from _pydevd_bundle.pydevd_constants import PYDEVD_USE_SYS_MONITORING

    if not PYDEVD_USE_SYS_MONITORING:
        threading.settrace(py_db.trace_dispatch)


def _trace_threads(py_db):
    from _pydevd_bundle.pydevd_constants import PYDEVD_USE_SYS_MONITORING

    if PYDEVD_USE_SYS_MONITORING:
        py_db.enable_tracing(apply_to_all_threads=True)
        return
    import pydevd_tracing

    # Not in the thread that reads requests, which asks for it.
    pydevd_tracing.set_trace_to_threads(py_db.trace_dispatch)
