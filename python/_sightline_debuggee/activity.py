"""What the threads of a running program do: where they are found, what changes meanwhile, what they wait for.

The program is not paused: a thread of the debugger reads the frames while it holds the interpreter.
"""

import os
import sys
import threading
import time

from . import stops, values, waits

_STEP_SECONDS = 0.01
_MAX_FRAMES = 40
_MAX_FUNCTIONS = 3
_MAX_LOCALS = 12
_LIMITS = {"maxValueChars": 60, "maxStringChars": 40, "maxItems": 3, "depth": 1}
# A thread that has used less of the processor has waited; one that is woken up now and then uses some.
_BUSY_SECONDS = 0.004
_BUSY_SHARE = 0.02


def look(py_db, seconds):
    """One description for each thread that runs. Must be called in a thread of the debugger."""
    watches = {}
    begun = time.monotonic()
    while True:
        frames = sys._current_frames()
        for thread in _running_threads(py_db):
            if thread.ident in frames:
                watches.setdefault(thread.ident, _Watch(thread)).see(py_db, frames[thread.ident])
        if time.monotonic() - begun >= seconds:
            break
        del frames
        time.sleep(_STEP_SECONDS)
    elapsed = time.monotonic() - begun
    present = {ident: frames[ident] for ident in watches if ident in frames}
    scene = waits.Scene(py_db, present)
    return {
        "machine": os.uname().machine if hasattr(os, "uname") else "",
        "threads": [watches[ident].describe(py_db, frame, scene, elapsed) for ident, frame in present.items()],
    }


def now(py_db, thread):
    """Where a thread that runs is at this moment: its visible frames, and what it waits for if it waits."""
    present = sys._current_frames()
    frame = present.get(thread.ident)
    if frame is None:
        return [], None
    return stops.visible_from(py_db, frame), waits.Scene(py_db, present).wait_of(thread, frame)


def _running_threads(py_db):
    from _pydevd_bundle.pydevd_utils import get_non_pydevd_threads

    for thread in get_non_pydevd_threads():
        if not py_db.set_additional_thread_info(thread).is_in_wait_loop:
            yield thread


class _Watch(object):
    """One thread, seen several times."""

    def __init__(self, thread):
        self._thread = thread
        self._used = _used_seconds(thread)
        self._looks = 0
        self._places = {}
        self._depths = []
        self._first = None
        self._moved = {}

    def see(self, py_db, frame):
        self._looks += 1
        own = _own_frames(py_db, frame)
        if own:
            key = (own[0].f_code, own[0].f_lineno)
            self._places[key] = self._places.get(key, 0) + 1
        if self._first is None:
            self._first = [(each.f_code, _locals_of(each)) for each in own]
        else:
            for each in own:
                self._compare(each)
        if self._looks % 5 == 1:
            self._depths.append(_depth(frame))

    def _compare(self, frame):
        """A variable that goes round may have one value at both ends: what another look found is kept."""
        before = self._at_first(frame) or {}
        for name, text in _locals_of(frame).items():
            if name in before and before[name] != text:
                self._moved.setdefault((frame.f_code, name), text)

    def _at_first(self, frame):
        return next((found for code, found in self._first or () if code is frame.f_code), None)

    def describe(self, py_db, frame, scene, elapsed):
        from _pydevd_bundle._debug_adapter.pydevd_base_schema import BaseSchema
        from _pydevd_bundle.pydevd_constants import get_thread_id

        visible = stops.visible_from(py_db, frame)
        used = _used_seconds(self._thread)
        is_busy = None if used is None else used - self._used > _BUSY_SECONDS + _BUSY_SHARE * elapsed
        wait = None if is_busy else scene.wait_of(self._thread, frame)
        thread_id = get_thread_id(self._thread)
        result = {
            "id": BaseSchema._translate_id_to_dap(thread_id),
            "thread": thread_id,
            "name": self._thread.name,
            "busy": bool(is_busy) if is_busy is not None else wait is None,
            "frames": [stops.describe_frame(py_db, item) for item in visible[:_MAX_FRAMES]],
            "depth": _depth(frame),
            "looks": self._looks,
            "values": self._values(_own_frames(py_db, frame)),
        }
        result.update(self._hot(visible))
        if wait is not None:
            result["wait"] = wait
        result["depths"] = self._depths + [result["depth"]]
        if not result["busy"]:
            result.update(_system_call(self._thread))
        return result

    def _hot(self, visible):
        """The line on which most looks found the user's own code, as the last stack names its file."""
        if not self._places:
            return {}
        (code, line), found = max(self._places.items(), key=lambda item: item[1])
        file = next((item[1] for item in visible if item[0].f_code is code), code.co_filename)
        return {"hot": {"file": file, "line": line, "name": code.co_name, "found": found}}

    def _values(self, own):
        """Variables at the first look and now, of the functions that both found, innermost first."""
        described, seen = [], set()
        for frame in own:
            before = self._at_first(frame)
            if before is None or frame.f_code in seen:
                continue
            seen.add(frame.f_code)
            after = _locals_of(frame)
            described.append(
                {
                    "name": getattr(frame.f_code, "co_qualname", frame.f_code.co_name).replace(".<locals>.", "."),
                    "values": [[name, self._before(frame, name, before, text), text] for name, text in after.items()],
                }
            )
        return described

    def _before(self, frame, name, first, last):
        """What the first look found, or another look where that is the same as the last."""
        found = first.get(name)
        return self._moved.get((frame.f_code, name), found) if found == last else found


def _own_frames(py_db, frame):
    """The innermost frames of the user's own."""
    found = []
    while frame is not None and len(found) < _MAX_FUNCTIONS:
        if not frame.f_code.co_filename.startswith("<") and py_db.in_project_scope(frame):
            found.append(frame)
        frame = frame.f_back
    return found


def _locals_of(frame):
    shown = {}
    for child in stops.local_children(frame)[:_MAX_LOCALS]:
        if not values.is_definition(child.value):
            shown[child.name] = values.show(child.value, _LIMITS)
    return shown


def _depth(frame):
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.f_back
    return depth


def _used_seconds(thread):
    """Processor time of a thread, where the system tells it."""
    try:
        return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    except (AttributeError, OSError):
        return None


def _system_call(thread):
    # A forked child has the numbers of its parent.
    number = os.getpid() if thread is threading.main_thread() else getattr(thread, "native_id", None)
    try:
        with open("/proc/self/task/%s/syscall" % number) as stream:
            line = stream.read().strip()
    except (OSError, ValueError):
        return {}
    result = {"systemCall": line}
    try:
        result["file"] = os.readlink("/proc/self/fd/%d" % int(line.split()[1], 16))
    except (OSError, ValueError, IndexError):
        pass
    return result
