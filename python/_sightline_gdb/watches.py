"""Stops when a value changes: the processor watches its place in memory, and what it was and is now is told."""

import itertools
import re

import gdb

from . import expressions, frames, points, values

# What the processors that gdb knows can watch at once: four places of eight bytes.
_MOST_BYTES = 32

_LIMITS = dict(values.DEFAULT_LIMITS, maxValueChars=80)

_wanted = {}
_numbers = itertools.count(1)


class DataPoint(points.Point):
    """Watches a place by its address: what the expression means where the place is written is of no interest."""

    def __init__(self, wanted, expression, frame):
        self.watched = expression
        value = expressions.evaluate(expression, True)
        self.pointer = value.address
        self.before = self._now()
        self.change = ""
        self.ending = None if frame is None else _ending(self, frame)
        place = "*(unsigned char (*)[%d]) %d" % (value.type.sizeof, int(self.pointer))
        with gdb.with_parameter("language", "c"):
            super().__init__(wanted, spec=place, type=gdb.BP_WATCHPOINT, wp_class=gdb.WP_WRITE)
        self.silent = True
        if self.type != gdb.BP_HARDWARE_WATCHPOINT:
            self.delete()
            raise gdb.GdbError("the processor cannot watch %s; watch a part of it" % expression)

    def delete(self):
        if self.ending is not None and self.ending.is_valid():
            self.ending.delete()
        super().delete()

    def stop(self):
        # A place on the stack belongs to somebody else when its call has returned.
        if expressions.is_evaluating or self.ending is not None and not self.ending.is_valid():
            return False
        before, self.before = self.before, self._now()
        self.change = "%s changed from %s to %s%s" % (self.watched, before, self.before, _written_at())
        return super().stop()

    def _now(self):
        return values.show(self.pointer.dereference(), _LIMITS)


class Ending(gdb.FinishBreakpoint):
    """The return of the call whose variable is watched."""

    def __init__(self, point, frame):
        super().__init__(frame, internal=True)
        self.silent = True
        self.point = point

    @property
    def change(self):
        return "%s is gone, its call has returned; it was %s" % (self.point.watched, self.point.before)

    def stop(self):
        gdb.post_event(self._forget)
        return "logPieces" not in self.point.spec and not expressions.is_evaluating

    def out_of_scope(self):
        gdb.post_event(self._forget)

    def _forget(self):
        if self.point.is_valid():
            self.point.delete()


def _ending(point, frame):
    try:
        return Ending(point, frame)
    except (ValueError, gdb.error):
        # The outermost call ends with the program.
        return None


def told(hit):
    """What changed at a stop, and the numbers of what noticed it."""
    noticed = [point for point in hit if isinstance(point, (DataPoint, Ending))]
    numbers = [point.number if isinstance(point, DataPoint) else point.point.number for point in noticed]
    return "; ".join(point.change for point in noticed), numbers


def _written_at():
    """The processor stops behind the instruction that wrote."""
    place = gdb.find_pc_line(gdb.selected_frame().pc() - 1)
    return "" if place.symtab is None else ", written by line %d of %s" % (place.line, place.symtab.filename)


def look_up(expression, frame_id):
    """Whether it can be watched; remembers in which frame it was meant."""
    frame = frames.frame_at(frame_id)
    value = expressions.evaluate(expression, True)
    if value.address is None:
        raise gdb.GdbError("%s is a result, with no place in memory" % expression)
    size = value.type.sizeof
    if size > _MOST_BYTES:
        raise gdb.GdbError(
            "%s takes %d bytes, more than the processor can watch; watch a part of it" % (expression, size)
        )
    key = "%d %s" % (next(_numbers), expression)
    _wanted[key] = (expression, frame_id, _is_local(expression, frame))
    return {"dataId": key, "description": expression, "accessTypes": ["write"]}


def _is_local(expression, frame):
    """A plain name of the function's own: it is gone when the call returns."""
    if re.match(r"\w+$", expression) is None:
        return False
    symbol = gdb.lookup_symbol(expression, frame.block())[0]
    return symbol is not None and symbol.needs_frame


def set_points(specs):
    return points.set_points("data", specs, _place_of, _make)


def _place_of(spec):
    return {"dataId": spec["dataId"]}


def _make(spec, dataId):
    if dataId not in _wanted:
        raise gdb.GdbError("what it watched is gone")
    expression, frame_id, is_local = _wanted.pop(dataId)
    frame = frames.frame_at(frame_id)
    return DataPoint(spec, expression, frame if is_local else None)
