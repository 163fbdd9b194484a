"""Pausing a program that waits inside a native call: sleep, a lock, a socket, input.

pydevd pauses at the next line, which such a program does not reach. A signal makes the call run a Python handler in the
main thread, and that is where the thread then stands still; afterwards the call goes on waiting (PEP 475).
"""

import signal
import threading
import time

from . import monitoring

# Ignored by default, and hardly ever used by programs.
_SIGNAL = getattr(signal, "SIGURG", None)
_PATIENCE_SECONDS = 0.15
_LEAVING_SECONDS = 2


def install():
    """Must be called in the main thread. A program that uses the signal itself keeps it."""
    if _SIGNAL is None or threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(_SIGNAL) in (signal.SIG_DFL, None):
        signal.signal(_SIGNAL, _stand_still)


def let_resumed_leave(py_db):
    """A thread that was just let go has not left its stop yet: a pause now would keep it there, told to nobody."""
    ends = time.monotonic() + _LEAVING_SECONDS
    while any(_is_leaving(info) for info in _infos(py_db)) and time.monotonic() < ends:
        time.sleep(0.002)


def is_standing(py_db):
    """A stop that crosses the wish for a pause fulfils it; pydevd would tell of the same stop once more, later."""
    from _pydevd_bundle.pydevd_constants import STATE_SUSPEND

    return any(info.is_in_wait_loop and info.pydev_state == STATE_SUSPEND for info in _infos(py_db))


def _is_leaving(info):
    from _pydevd_bundle.pydevd_constants import STATE_SUSPEND

    return info.is_in_wait_loop and info.pydev_state != STATE_SUSPEND


def _infos(py_db):
    from _pydevd_bundle.pydevd_utils import get_non_pydevd_threads

    return [py_db.set_additional_thread_info(thread) for thread in get_non_pydevd_threads()]


def nudge_later(py_db):
    py_db.timeout_tracker.call_on_timeout(_PATIENCE_SECONDS, _nudge, kwargs={"py_db": py_db})


def _nudge(py_db):
    main_thread = threading.main_thread()
    if _SIGNAL is not None and signal.getsignal(_SIGNAL) is _stand_still and _is_awaited(py_db, main_thread):
        signal.pthread_kill(main_thread.ident, _SIGNAL)  # ty: ignore[invalid-argument-type]


def _stand_still(_number, frame):
    from _pydevd_bundle.pydevd_constants import get_global_debugger

    py_db = get_global_debugger()
    thread = threading.current_thread()
    if py_db is None or frame is None or not _is_awaited(py_db, thread):
        return
    info = py_db.set_additional_thread_info(thread)
    resume_monitoring = monitoring.suspend()
    info.is_tracing += 1
    try:
        py_db.do_wait_suspend(thread, frame, "line", None)
    finally:
        info.is_tracing -= 1
        resume_monitoring()


def _is_awaited(py_db, thread):
    from _pydevd_bundle.pydevd_constants import STATE_SUSPEND

    info = py_db.set_additional_thread_info(thread)
    return info.pydev_state == STATE_SUSPEND and not info.is_in_wait_loop and info.is_tracing == 0
