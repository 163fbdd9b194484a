"""Stops and ends, with what there is to tell of them."""

import gdb
from gdb.dap import events
from gdb.dap.server import send_event

from . import expressions, failures, frames, points, program, watches

_STEPS = ("end-stepping-range", "function-finished", "location-reached")

_failure = {}
_panics = []
_throws = []
_signals_stop = None
# The program was let run by ourselves, on the way of one step.
_is_on_the_way = False
_steps_on = 0
# The command, frame and line of the step that is under way.
_step = None
_COMMANDS = {"next": "next", "stepIn": "step"}


def install():
    for registry, theirs, ours in (
        (gdb.events.stop, events._on_stop, _on_stop),
        (gdb.events.exited, events._on_exit, _on_exit),
        (gdb.events.cont, events._cont, _on_cont),
        (gdb.events.inferior_call, events._on_inferior_call, None),
        (gdb.events.corefile_changed, getattr(events, "_on_corefile_changed", None), None),
    ):
        if theirs is not None:
            registry.disconnect(theirs)
        if ours is not None:
            registry.connect(ours)


def failure():
    return _failure


def failures_stop():
    return _signals_stop is True


def set_exceptions(filters):
    """`uncaught`: panics and fatal signals stop. `caught`, `caught:TYPE`: C++ throws do."""
    for point in _panics + _throws:
        if point.is_valid():
            point.delete()
    del _panics[:]
    del _throws[:]
    uncaught = "uncaught" in filters
    _set_signals(uncaught)
    if uncaught:
        for name in ("__rustc::rust_panic", "rust_panic"):
            point = failures.PanicPoint(name)
            if point.pending or any(_same(point, other) for other in _panics):
                point.delete()
            else:
                _panics.append(point)
    caught = [each for each in filters if each.split(":")[0] == "caught"]
    if caught:
        point = failures.ThrowPoint("__cxa_throw")
        point.wanted = tuple(each.split(":", 1)[1] for each in caught if ":" in each)
        if "caught" in caught:
            point.wanted = ()
        _throws.append(point)


def _same(point, other):
    return {each.address for each in point.locations} & {each.address for each in other.locations}


def _set_signals(stop):
    global _signals_stop
    if _signals_stop == stop:
        return
    _signals_stop = stop
    gdb.execute("handle all nostop noprint pass", to_string=True)
    gdb.execute("handle SIGINT SIGTRAP stop print nopass", to_string=True)
    if stop:
        gdb.execute("handle %s stop print" % " ".join(failures.FATAL), to_string=True)


def leaving(command):
    """The program is about to run because somebody asked for it."""
    global _steps_on, _step
    _steps_on = 0
    _step = None
    if command in _COMMANDS:
        frame = gdb.newest_frame()
        _step = (_COMMANDS[command], frame, frame.find_sal().line)
    frames.forget()
    _failure.clear()


def _on_cont(event):
    global _is_on_the_way
    if expressions.is_evaluating:
        return
    if _is_on_the_way:
        _is_on_the_way = False
        events.inferior_running = True
        return
    events._cont(event)


def _on_stop(event):
    if expressions.is_evaluating:
        return
    events.inferior_running = False
    details = getattr(event, "details", None) or {}
    reason = details.get("reason")
    if reason in _STEPS and _goes_on():
        return
    program.drain()
    points.tell_statistics()
    told = {"threadId": gdb.selected_thread().global_num, "allThreadsStopped": True}
    told.update(_reason(event, details, reason))
    events._expected_pause = False
    events._expected_stop_reason = None
    send_event("stopped", told)


def _goes_on():
    """A step that left the person's own code is not over before it is back there."""
    global _steps_on
    newest = gdb.newest_frame()
    if _steps_on > 20:
        return False
    if frames.is_own(newest):
        # Compilers lay out one line in several pieces.
        if _step is None or newest != _step[1] or newest.find_sal().line != _step[2]:
            return False
        _steps_on += 1
        _post(_step[0] + " &")
        return True
    _steps_on += 1
    own = frames.own_frame(newest)
    if own is None or own.newer() is None:
        _post("continue &")
        return True
    number, level = gdb.selected_thread().global_num, own.newer().level()
    _post("finish &", lambda: frames.frame_at(number * frames._PER_THREAD + level))
    return True


def _post(command, before=None):
    def go():
        global _is_on_the_way
        if before is not None:
            before()
        _is_on_the_way = True
        gdb.execute(command, to_string=True)

    events.inferior_running = True
    gdb.post_event(go)


def _reason(event, details, reason):
    expected = events._expected_stop_reason
    if expected is not None:
        return {"reason": "entry" if expected == "attach" else expected}
    hit = event.breakpoints if isinstance(event, gdb.BreakpointEvent) else []
    if any(isinstance(point, failures.PanicPoint) for point in hit):
        return _failed(failures.of_panic())
    if any(isinstance(point, failures.ThrowPoint) for point in hit):
        return _failed(failures.of_throw())
    changes, numbers = watches.told(hit)
    if changes:
        return {"reason": "data breakpoint", "description": changes, "hitBreakpointIds": numbers}
    if hit:
        is_function = all("name" in getattr(point, "spec", {}) for point in hit)
        reason = "function breakpoint" if is_function else "breakpoint"
        return {"reason": reason, "hitBreakpointIds": [point.number for point in hit]}
    if isinstance(event, gdb.SignalEvent):
        name = details.get("signal-name") or event.stop_signal
        if name in ("SIGINT", "SIGSTOP", "0"):
            return {"reason": "pause"}
        return _failed(failures.of_signal(name))
    # A trap that the program itself asked for has no event of its own.
    if reason is None and not events._expected_pause:
        return _failed(failures.of_signal("SIGTRAP"))
    return {"reason": events.stop_reason_map.get(reason, "pause")}


def _failed(what):
    _failure.clear()
    _failure.update(what, threadId=gdb.selected_thread().global_num)
    return {"reason": "exception", "text": what["type"]}


def jump(number, file, line):
    """Makes a line of the newest frame's function the next one, without running what is between."""
    frame = gdb.newest_frame()
    places = gdb.decode_line('"%s":%d' % (file, line))[1] or ()
    here = frame.function()
    for place in places:
        block = gdb.block_for_pc(place.pc)
        while block is not None and block.function is None:
            block = block.superblock
        if here is not None and block is not None and block.function == here and place.line == line:
            gdb.execute("set var $pc = %d" % place.pc, to_string=True)
            frames.forget()
            _failure.clear()
            send_event("stopped", {"threadId": number, "allThreadsStopped": True, "reason": "goto"})
            return
    raise gdb.GdbError("line %d is not part of %s" % (line, here or "this function"))


def tell_core():
    """A process that died is looked at where it died."""
    number = failures._siginfo("si_signo")
    names = {11: "SIGSEGV", 6: "SIGABRT", 8: "SIGFPE", 4: "SIGILL", 7: "SIGBUS", 5: "SIGTRAP"}
    told = {"threadId": gdb.selected_thread().global_num, "allThreadsStopped": True}
    events.inferior_running = False
    told.update(_failed(failures.of_signal(names.get(number, "SIGSEGV" if number is None else "signal %d" % number))))
    send_event("stopped", told)


def _on_exit(event):
    if expressions.is_evaluating and not hasattr(event, "exit_code"):
        return
    events.inferior_running = False
    program.wait_for_end()
    points.tell_statistics()
    body = {"exitCode": getattr(event, "exit_code", 0)}
    if not hasattr(event, "exit_code"):
        number = gdb.convenience_variable("_exitsignal")
        if number is not None:
            body = {"exitCode": 128 + int(number), "signalNumber": int(number)}
    send_event("exited", body)
    send_event("terminated")
