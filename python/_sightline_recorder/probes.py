"""Expressions that are evaluated where a place is reached, before the code there runs."""

import ast

from . import values
from .focus import around, matches

_NOTHING = object()


class Probe(object):
    def __init__(self, orders):
        self.id = orders["id"]
        self.file = orders.get("file")
        self.line = orders.get("line")
        self.function = orders.get("function")
        self.expressions = [compiled(each) for each in orders["expressions"]]
        self.hits = 0
        self.written = 0
        # Where it stands in its file: first and last line of the statement.
        self.extent = None
        self.is_everywhere = bool(orders.get("isEverywhere"))
        self.last = None


def compiled(expression):
    """Code to evaluate, or the text that says why there is none."""
    try:
        tree = ast.parse(expression.strip(), "<expression>", "eval")
        if any(type(node).__name__ == "NamedExpr" for node in ast.walk(tree)):
            return "<an expression that assigns is not evaluated>"
        return compile(tree, "<expression>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return "<%s: %s>" % (type(error).__name__, getattr(error, "msg", None) or error)


def evaluate(code, frame):
    """Names in a function or comprehension inside the expression would not find the frame's variables."""
    if any(type(each) is type(code) for each in code.co_consts):
        names = dict(frame.f_globals)
        names.update(frame.f_locals)
        return eval(code, names)
    return eval(code, frame.f_globals, frame.f_locals)


class Probes(object):
    def __init__(self, orders, stream, calls):
        self.all = [Probe(each) for each in orders["probes"]]
        self.stream = stream
        self.calls = calls
        self.limit = orders["limits"]["maxPerPlace"]
        # Frames inside a statement of several lines that was noted already.
        self.inside = {}
        # The line that ran last in a frame: what is different now, it has made.
        self.before = {}

    def at_entry(self, plan):
        return [
            each
            for each in self.all
            if each.line is None
            and not each.is_everywhere
            and each.function
            and matches(each.function, plan.name)
            and (each.file is None or each.file == plan.path)
        ]

    def at_lines(self, plan, first, last):
        """line -> probes, of those whose statement stands in this code."""
        found = {}
        for each in self.all:
            if each.line is None or each.is_everywhere or each.file != plan.path or plan.source is None:
                continue
            each.extent = plan.source.line_for(each.line)
            if each.extent is None or not first <= each.extent[0] <= last:
                continue
            for line in range(each.extent[0], each.extent[1] + 1):
                found.setdefault(line, []).append(each)
        return found

    def everywhere_in(self, plan):
        return [
            each
            for each in self.all
            if each.is_everywhere
            and (each.file is None or each.file == plan.path)
            and (each.function is None or any(matches(each.function, name) for name in around(plan.name)))
            and all(type(code) is not str for code in each.expressions)
        ]

    def look_before(self, plan, frame, line):
        before = self.before.get(id(frame), line)
        for probe in plan.everywhere:
            self.look(probe, plan, frame, before)
        self.before[id(frame)] = line

    def look_at_end(self, plan, frame):
        before = self.before.pop(id(frame), frame.f_lineno)
        for probe in plan.everywhere:
            self.look(probe, plan, frame, before)

    def look(self, probe, plan, frame, line):
        """One that is looked at everywhere is told when it has changed; where its names are missing it says nothing."""
        found = []
        for code in probe.expressions:
            try:
                found.append(self.evaluate(code, frame))
            except BaseException:  # as above
                return
        last = probe.last
        if last is not None and all(_is_same(*pair) for pair in zip(last[0], found)):
            return
        noted = [self.calls.value(each) for each in found]
        texts = [each["text"] for each in noted]
        # Only what cannot change is worth keeping for the next look.
        kept = found if all(values.is_atom(each) for each in found) else [_NOTHING] * len(found)
        if last is None or last[1] != texts:
            self._write(probe, plan, noted, line)
        probe.last = (kept, texts)

    def line(self, plan, frame, line):
        for probe in plan.probes.get(line, ()):
            key = (id(frame), probe.id)
            if probe.extent[0] == probe.extent[1]:
                self.sample(probe, plan, frame, line)
            elif key not in self.inside:
                self.inside[key] = probe
                self.sample(probe, plan, frame, line)
        if self.inside:
            self._left(frame, line)

    def _left(self, frame, line):
        for key, probe in list(self.inside.items()):
            if key[0] == id(frame) and not probe.extent[0] <= line <= probe.extent[1]:
                del self.inside[key]

    def ended(self, frame):
        if self.inside:
            self._left(frame, -1)

    def sample(self, probe, plan, frame, line):
        started = self.stream.now()
        self._write(probe, plan, [self.evaluated(each, frame) for each in probe.expressions], line)
        self.stream.spend(started)

    def _write(self, probe, plan, noted, line):
        probe.hits += 1
        stream = self.stream
        event = {"event": "sample", "seq": stream.next(), "probe": probe.id, "values": noted}
        event["file"] = plan.path
        event["line"] = line
        current = self.calls.current()
        if current is not None:
            event["call"] = current
        if probe.written < self.limit and stream.write(event):
            probe.written += 1
        else:
            stream.dropped["samples"] += 1
            stream.ring("samples").append((event,))

    def evaluated(self, code, frame):
        if type(code) is str:
            return {"text": code, "failed": True}
        try:
            return self.calls.value(self.evaluate(code, frame))
        except BaseException as error:  # an expression may do anything, and the program must not notice
            return {"text": "<%s>" % _words(error), "failed": True}

    def evaluate(self, code, frame):
        state = self.calls.state
        state.is_busy = True
        try:
            return evaluate(code, frame)
        finally:
            state.is_busy = False


def _is_same(old, new):
    return old is new or (type(old) is type(new) and values.is_atom(new) and old == new)


def _words(error):
    try:
        return "%s: %s" % (type(error).__name__, str(error)[:200])
    except Exception:
        return type(error).__name__
