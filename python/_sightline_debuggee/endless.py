"""Tells that a running program is in a loop that never ends, without touching it.

The program is only looked at: between two instructions, while it waits for us to give the interpreter back. When the
same call comes by the end of the same pass twice with all that decides about the loop's end unchanged, it will do so
for ever. Which variables those are is told from the text by `loop_text`; no code of the program is run to compare them.
"""

import signal
import sys
import threading
import time

from . import breakpoints, loop_plan, loop_text, plain_state

_SAMPLES = 14
_SECONDS = 0.09
# Whoever has just got the interpreter keeps it for the switch interval, five milliseconds; what took longer may have
# been interrupted.
_UNDISTURBED_SECONDS = 0.0035
_state = {"told": False}


def look(py_db):
    """Why a thread of this program never ends, or None. Must be called in a thread of the debugger."""
    if (
        _state["told"]
        or not hasattr(time, "pthread_getcpuclockid")
        or _has_alarm()
        or sys.getswitchinterval() <= _UNDISTURBED_SECONDS
    ):
        return None
    seen = {}
    deadline = time.monotonic() + _SECONDS
    for _ in range(_SAMPLES):
        time.sleep(0.001)
        for ident, frame in _user_frames(py_db):
            reason = _visit(ident, frame, seen)
            if reason is not None:
                _state["told"] = True
                return reason
        if time.monotonic() > deadline:
            break
    return None


def _has_alarm():
    """A signal handler may end any loop."""
    kinds = [getattr(signal, name, None) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")]
    return any(kind is not None and signal.getitimer(kind)[0] > 0 for kind in kinds)


def _user_frames(py_db):
    frames = sys._current_frames()
    for thread in threading.enumerate():
        frame = frames.get(thread.ident)
        if frame is not None and not getattr(thread, "is_pydev_daemon_thread", False) and py_db.in_project_scope(frame):
            yield thread.ident, frame


def _visit(ident, frame, seen):
    """Notes where a thread is; a frame is kept meanwhile, so that no other call can be taken for it."""
    begun = time.perf_counter()
    key = (ident, id(frame), frame.f_lasti)
    if key not in seen:
        seen[key] = (frame, _begin(frame, key[2]), [])
        return None
    _, trial, states = seen[key]
    state = None if trial is None else trial.state_of(frame)
    if state is None or frame.f_lasti != key[2] or time.perf_counter() - begun > _UNDISTURBED_SECONDS:
        return None
    used, now = _used_seconds(ident), time.monotonic()
    for before, used_before, seen_at in states:
        if before == state:
            # A thread that only waits for the interpreter wakes up now and then; one that has had it has gone on from
            # here.
            has_run = used - used_before > 0.002 + 0.05 * (now - seen_at)
            return trial.reason() if has_run else None
    states.append((state, used, now))
    return None


def _used_seconds(ident):
    """Processor time of a thread."""
    return time.clock_gettime(time.pthread_getcpuclockid(ident))


def _begin(frame, offset):
    try:
        text = loop_text.Text.of(frame.f_code)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    loop = None if text is None else text.loop_at(frame.f_code, offset)
    if loop is None:
        return None
    is_alone = sum(not getattr(thread, "is_pydev_daemon_thread", False) for thread in threading.enumerate()) == 1
    trial = _Trial(text, loop, is_alone)
    return trial if trial.prepare(frame) else None


class _Trial:
    def __init__(self, text, loop, is_alone):
        self._text = text
        self._loop = loop
        self._is_alone = is_alone
        self._plan = None

    def prepare(self, frame):
        moving = set()
        while True:
            plan = loop_plan.plan(self._text, self._loop, frame, moving)
            if plan is None:
                return False
            before = len(moving)
            moving.update(stay.text for stay in plan.staying if not stay.holds(frame))
            if len(moving) == before:
                break
        if breakpoints.may_stop_in(frame.f_code.co_filename, plan.lines):
            return False
        if not self._is_alone and (plan.with_contents or plan.reads_shared):
            return False
        if plan.touches_objects and plain_state.of(plan.values(frame, plan.objects), plan.attributes) is None:
            return False
        self._plan = plan
        return True

    def state_of(self, frame):
        return plain_state.of(self._plan.values(frame, self._plan.state), self._plan.attributes)

    def reason(self):
        return "endless loop at line %d: %s" % (self._loop.lineno, self._plan.reason())
