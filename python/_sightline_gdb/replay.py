"""What the calls on the line of a failed assertion gave: it is run once more before the program dies of it."""

import gdb

from . import expressions, frames, program, values

_MAX_CALLS = 4
_MAX_STEPS = 40
# Who took longer than this to get there may take as long again.
_MAX_CPU_S = 1.0
_LIMITS = dict(values.DEFAULT_LIMITS, maxValueChars=160)


def calls_of_line():
    """`total(items: [1, 2]) = 3` for each call of the person's own code; [] where it cannot be told."""
    own = frames.own_frame(gdb.newest_frame())
    if own is None or own.newer() is None or _cpu_seconds() > _MAX_CPU_S:
        return []
    start = _start_of_line(own)
    if start is None:
        return []
    was, expressions.is_evaluating = expressions.is_evaluating, True
    program.drain()
    program.is_muted = True
    try:
        return _run_again(own, start)
    except (gdb.error, gdb.GdbError, RuntimeError):
        return []
    finally:
        program.drain()
        program.is_muted = False
        expressions.is_evaluating = was
        frames.forget()


def _cpu_seconds():
    with open("/proc/%d/stat" % gdb.selected_inferior().pid) as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / 100.0


def _start_of_line(frame):
    """The first instruction of the line in its function. What a function begins with is not run twice."""
    place = frame.find_sal()
    if place.symtab is None or frame.function() is None:
        return None
    first, last = frame.block().start, frame.pc()
    block = frame.block()
    while block.function is None and block.superblock is not None:
        block = block.superblock
        first = block.start
    starts = [each.pc for each in place.symtab.linetable().line(place.line) or () if first < each.pc <= last]
    return min(starts) if starts else None


def _run_again(own, start):
    depth = _depth(own)
    own.newer().select()
    gdb.execute("return", to_string=True)
    gdb.execute("set var $pc = %d" % start, to_string=True)
    # The signal it would die of has not been given to it yet.
    gdb.execute("queue-signal 0", to_string=True)
    told = []
    for _ in range(_MAX_STEPS):
        gdb.execute("step", to_string=True)
        newest = gdb.newest_frame()
        if _is_dying():
            return told
        if _depth(newest) <= depth:
            continue
        if frames.is_own(newest) and len(told) < _MAX_CALLS:
            told.append(_finished(newest))
        else:
            gdb.execute("finish", to_string=True)
        if _is_dying():
            return told
    gdb.execute("continue", to_string=True)
    return told


def _is_dying():
    return any("abort" in (frame.name() or "") or "raise" in (frame.name() or "") for frame in _frames(6))


def _frames(count):
    frame = gdb.newest_frame()
    while frame is not None and count > 0:
        yield frame
        frame = frame.older()
        count -= 1


def _depth(frame):
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.older()
    return depth


def _finished(frame):
    arguments = []
    for symbol in frame.block():
        if symbol.is_argument:
            arguments.append("%s: %s" % (symbol.name, values.show(symbol.value(frame), _LIMITS)))
    call = "%s(%s)" % ((frame.name() or "").split("(")[0], ", ".join(arguments))
    end = gdb.FinishBreakpoint(frame, internal=True)
    gdb.execute("continue", to_string=True)
    given = end.return_value
    return call if given is None else "%s = %s" % (call, values.show(given, _LIMITS))
