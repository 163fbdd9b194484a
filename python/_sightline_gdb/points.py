"""Breakpoints that count: conditions, hit conditions and messages mean here what they mean in every other language."""

import re

import gdb
from gdb.dap.server import send_event

from . import expressions, values

_by_key = {}


class Point(gdb.Breakpoint):
    def __init__(self, wanted, **place):
        self.spec = {}
        self.counts = {"hits": 0, "conditionFalse": 0, "conditionErrors": 0}
        self.told_pending = None
        super().__init__(**place)
        self.amend(wanted)

    def amend(self, spec):
        self.spec = spec

    def stop(self):
        # Asked for by gdb at each pass; the answer says whether the program stands still.
        if expressions.is_evaluating:
            return False
        spec, counts = self.spec, self.counts
        read_only = spec.get("readOnly", False)
        condition = spec.get("condition")
        if condition:
            try:
                if not bool(expressions.evaluate(condition, read_only)):
                    counts["conditionFalse"] += 1
                    return False
            except Exception as error:
                counts["conditionErrors"] += 1
                counts["lastConditionError"] = values.clip(str(error), 200)
                return False
        counts["hits"] += 1
        if not _matches(spec.get("hit"), counts["hits"]):
            return False
        pieces = spec.get("logPieces")
        if pieces is not None:
            self._log(pieces, read_only)
            return False
        return not spec.get("neverStops", False)

    def _log(self, pieces, read_only):
        text = ""
        for piece in pieces:
            if isinstance(piece, str):
                text += piece
                continue
            try:
                value = expressions.evaluate(piece["expression"], read_only)
                text += values.show(value, values.DEFAULT_LIMITS)
            except Exception as error:
                text += "<%s>" % values.clip(str(error), 100)
        send_event("output", {"category": "console", "output": text, "sightlinePoint": self.number})


def _matches(hit, count):
    if hit is None:
        return True
    operator, wanted = hit["operator"], hit["count"]
    if operator == "%":
        return count % wanted == 0
    return {
        "==": count == wanted,
        ">=": count >= wanted,
        ">": count > wanted,
        "<": count < wanted,
        "<=": count <= wanted,
    }[operator]


def set_points(kind, specs, place_of, make=Point):
    """Replaces those of one kind. One that stands where it stood keeps its counts unless what it asks for is new."""
    old = _by_key.get(kind, {})
    new, told = {}, []
    for spec in specs:
        place = place_of(spec)
        key = tuple(sorted(place.items())) + (len([k for k in new if k[:-1] == tuple(sorted(place.items()))]),)
        point = old.pop(key, None)
        try:
            if point is None or not point.is_valid() or point.spec != spec:
                if point is not None and point.is_valid():
                    point.delete()
                point = make(spec, **place)
            new[key] = point
            told.append(describe(point))
        except Exception as error:
            told.append({"verified": False, "message": values.clip(str(error), 200)})
    for point in old.values():
        if point.is_valid():
            point.delete()
    _by_key[kind] = new
    return told


def describe(point):
    told = {"id": point.number, "verified": not point.pending}
    point.told_pending = point.pending
    if point.pending:
        told["message"] = _why_pending(point)
        return told
    for location in point.locations:
        if location.source is None:
            continue
        told["source"] = {"path": location.fullname or location.source[0]}
        told["line"] = location.source[1]
        if location.source[1] >= point.spec.get("line", 0):
            break
    return told


def function_place(name):
    """Where gdb looks for a function. Of Rust it knows whole paths only: the end of one is looked up first."""
    if gdb.current_language() != "rust":
        return {"function": name}
    wanted = re.escape(name)
    listed = gdb.execute("info functions -q -n %s$" % wanted, to_string=True)
    found = sorted(set(re.findall(r"\bfn ((?:[^\s()]+::)?%s)(?:<|\()" % wanted, listed)))
    return {"function": next((each for each in found if each == name), found[0] if len(found) == 1 else name)}


def _why_pending(point):
    if "line" in point.spec:
        return "no code of the program was compiled from this line, as far as it is loaded"
    return "no function of this name is loaded"


def changed(point):
    """A library was loaded that has it."""
    if isinstance(point, Point) and point.told_pending is True and not point.pending:
        send_event("breakpoint", {"reason": "changed", "breakpoint": describe(point)})


def statistics():
    counts = []
    for points in _by_key.values():
        for point in points.values():
            # One that watched a variable goes with the call it belonged to.
            if not point.is_valid():
                continue
            counts.append(dict(point.counts, id=point.number, loaded=point.told_pending is False))
    return {"points": counts}


def tell_statistics():
    send_event("sightlineStatistics", statistics())
