"""Exceptions of the user's code that a library caught and only reported: a web framework, an event loop, a scheduler.

They do not end the program, so nothing stops unless it was asked for. Such libraries log what they caught, and that
is where it is noticed.
"""

import sys
import threading

from . import exceptions, values

_sender = [None]
_last = [None]
_busy = threading.local()


def report_by(send_event):
    _sender[0] = send_event


def patch_logging(module):
    handle = module.Logger.handle

    def handled(self, record):
        if record.exc_info and not getattr(_busy, "now", False):
            _busy.now = True
            try:
                _tell(record)
            except Exception:
                # What the program logs matters more than that we say it.
                pass
            finally:
                _busy.now = False
        return handle(self, record)

    module.Logger.handle = handled


def _tell(record):
    from _pydevd_bundle.pydevd_constants import get_global_debugger

    py_db, (kind, error, traceback) = get_global_debugger(), record.exc_info
    if py_db is None or _sender[0] is None or traceback is None or error is _last[0]:
        return
    reporter = _caller_of_logging()
    # The user's own code reports what it handled by itself: it says that in its own words.
    if reporter is None or py_db.in_project_scope(reporter):
        return
    raised = exceptions.raised_at(py_db, error)
    if not raised:
        return
    _last[0] = error
    code = reporter.f_code
    _sender[0](
        "sightlineHandled",
        {
            "type": kind.__name__,
            "message": exceptions.short_message(error).split("\n")[0],
            "file": raised["file"],
            "line": raised["line"],
            "function": raised["function"],
            "reporter": "%s.%s" % (reporter.f_globals.get("__name__", "?"), getattr(code, "co_qualname", code.co_name)),
            "said": values.clip(record.getMessage().split("\n")[0], 120),
        },
    )
    exceptions.on_uncaught(kind, error, traceback, by_runner=True, is_reported=True)


def _caller_of_logging():
    # Beyond this function, its caller and the wrapper.
    frame = sys._getframe(3)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "logging":
        frame = frame.f_back
    return frame
