"""One run: the orders, what is done with each code object, and what the engines (see monitoring, settrace) report."""

import atexit
import os
import sys

from . import calls, objects, plans, sources, stream
from .focus import Focus
from .probes import Probes
from .writes import Writes

# How many calls are counted before the clock is looked at; a power of two.
COUNTED_AT_ONCE = 1024


class Recorder(object):
    def __init__(self, orders):
        self.orders = orders
        self.focus = Focus(orders)
        self.stream = stream.Stream(orders["folder"], orders["limits"])
        self.calls = calls.Calls(self.stream, objects.Numbers(), orders["limits"], orders.get("failures", False))
        self.probes = Probes(orders, self.stream, self.calls)
        self.writes = Writes(orders, self.stream, self.calls)
        self.counts_lines = orders["record"] == "lines"
        self.plans = {}
        self.last_errors = {}
        self.problems = {}
        self.line_counts = {}
        self.inside = {}
        self.engine = None
        self.stream.on_flush.append(self._write_counts)
        # The snapshot that older interpreters keep in a frame would keep its values alive; under settrace it is theirs.
        self.forgets_locals = sys.version_info[:2] == (3, 12)

    def begin(self):
        if sys.version_info >= (3, 12):
            from .monitoring import Monitoring

            self.engine = Monitoring(self)
        else:
            from .settrace import Tracing

            self.engine = Tracing(self)
        self._write_start()
        calls.watch_starts(self.calls)
        atexit.register(self.end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after_fork)
        problem = self.engine.install()
        if problem:
            self.problems[""] = problem

    def end(self):
        engine, self.engine = self.engine, None
        if engine is None:
            return
        if engine.is_replaced():
            self.problems[""] = "the program set a trace function of its own: what ran afterwards was not seen"
        engine.remove()
        self.stream.close()

    def _write_start(self):
        event = {
            "event": "start",
            "pid": os.getpid(),
            "parentPid": os.getppid(),
            "argv": [sys.executable] + list(sys.argv),
        }
        self.stream.write(event)

    def _after_fork(self):
        if self.engine is None:
            return
        self.stream.after_fork()
        self._write_start()
        for plan in self.plans.values():
            plan.count = plan.written = 0
            plan.is_defined = False
        for stack in (self.calls.state.stack,):
            del stack[:]

    # --- deciding ---

    def plan_for(self, code):
        path = self.focus.path_of(code.co_filename)
        if path is None:
            return None
        source = sources.of(path)
        if source is None:
            self.problems.setdefault(path, "it cannot be read as Python")
        plan = plans.Plan(len(self.plans) + 1, code, path, source)
        first, last, inner = _lines(code)
        plan.wants_call = plan.kind != "module" and plans.is_call(code) and self.focus.wants_call(path, plan.name)
        plan.probes_at_entry = self.probes.at_entry(plan)
        plan.entry_watches = self.writes.entry_watches(plan)
        plan.everywhere = self.probes.everywhere_in(plan)
        plan.sites = self.writes.sites_of(plan, first, last, inner)
        probes = self.probes.at_lines(plan, first, last)
        probes = {line: each for line, each in probes.items() if not any(start <= line <= end for start, end in inner)}
        plan.probes = probes or None
        if self.counts_lines:
            plan.counts = self.line_counts.setdefault(path, {})
        if plan.sites is None and not plan.everywhere and plan.counts is None and probes:
            if all(each.extent[0] == each.extent[1] for found in probes.values() for each in found):
                plan.active_lines = frozenset(probes)
        plan.is_plain = plan.wants_call and not (plan.probes_at_entry or plan.entry_watches or plan.needs_lines)
        self.plans[id(code)] = plan
        return plan

    # --- what the engines report ---

    def start(self, plan, frame):
        plan.count += 1
        if plan.wants_call:
            self.calls.enter(plan, frame)
        if plan.entry_watches:
            self.writes.enter(plan, frame)
        for probe in plan.probes_at_entry:
            self.probes.sample(probe, plan, frame, plan.code.co_firstlineno)

    def counted(self, plan):
        """Many calls of this code were only counted. Answers whether to go on counting them."""
        if not self.stream.counted(COUNTED_AT_ONCE, self.engine.counting_cost):
            return True
        self.stream.dropped["counts"] = True
        return False

    def line(self, plan, frame, line):
        if plan.counts is not None:
            self._count(plan, frame, line)
        if plan.sites is not None:
            started = self.stream.now()
            if self.stream.is_over_time():
                self.writes.pending.pop(id(frame), None)
            else:
                self.writes.line(plan, frame, line)
                self.stream.spend(started)
        if plan.probes is not None:
            self.probes.line(plan, frame, line)
        if plan.everywhere:
            self.probes.look_before(plan, frame, line)

    def leave(self, plan, frame, value):
        self._settle(plan, frame)
        if plan.wants_call:
            self.calls.leave(plan, frame, value)

    def unwind(self, plan, frame, error, traceback=None):
        self._settle(plan, frame)
        if plan.wants_call:
            # What an exception comes through is worth more than what is only one of many.
            if not self.calls.is_noted(plan, frame) and self.stream.may_be_late():
                self.calls.enter(plan, frame, is_late=True)
            self.calls.leave(plan, frame, None, error, traceback)
        elif plan.kind == "module" and id(error) != self.calls.last_thrown and self._is_in_focus(plan):
            # The code of a file itself is no call, unless it is where an exception comes from.
            self.calls.enter(plan, frame, is_late=True)
            self.calls.leave(plan, frame, None, error, traceback)

    def _is_in_focus(self, plan):
        return self.focus.wants_call(plan.path, plan.name)

    def suspend(self, plan, frame):
        """Answers whether to go on following this code when it yields."""
        if not plan.wants_call or self.calls.suspend(plan, frame):
            return True
        reason = "%s yielded more than %d times: what it called afterwards stands below its caller"
        self.problems["%s#%d" % (plan.path, plan.id)] = reason % (plan.name, plan.suspensions)
        return False

    def resume(self, plan, frame):
        if plan.wants_call:
            self.calls.resume(plan, frame)

    def broke(self, plan, error):
        """Whatever goes wrong in here, the program must not notice; a full stack is the program's own affair."""
        if type(error) is not RecursionError:
            self.problems.setdefault(plan.path, "recording it failed: %s: %s" % (type(error).__name__, error))

    def forget_locals(self, frame):
        if self.forgets_locals and frame.f_code.co_flags & 1:
            frame.f_locals.clear()

    def _settle(self, plan, frame):
        if plan.sites is not None:
            self.writes.settle(plan, frame)
        if self.writes.slots:
            self.writes.sweep(plan, frame.f_lineno)
        if plan.probes is not None:
            self.probes.ended(frame)
        if plan.everywhere:
            self.probes.look_at_end(plan, frame)

    def _count(self, plan, frame, line):
        if line == plan.code.co_firstlineno and not plans.is_call(plan.code):
            # The head of a class is a line of what stands around it.
            return
        known = plan.source.statements.get(line) if plan.source else None
        if known is not None and known[0] != known[1]:
            # A statement of several lines is visited line by line, and its first line again: it ran once.
            if self.inside.get(id(frame)) == known:
                return
            self.inside[id(frame)] = known
            line = known[0]
        elif self.inside:
            self.inside.pop(id(frame), None)
        counts = plan.counts
        counts[line] = counts.get(line, 0) + 1

    # --- what is written at the end ---

    def _write_counts(self, is_end):
        write = self.stream.write
        met = [plan for plan in list(self.plans.values()) if plan.count]
        for plan in met:
            if plan.wants_call and not plan.is_defined:
                plan.is_defined = True
                write(plan.definition(), is_end)
        for path, counts in list(self.line_counts.items()):
            write({"event": "lines", "file": path, "counts": dict(counts)}, is_end)
        late = self.stream.written_late
        noted = sum(plan.written for plan in met) + late["calls"]
        dropped = dict(self.stream.dropped)
        dropped["calls"] = sum(plan.count for plan in met if plan.is_defined) - noted
        for kind in ("writes", "samples"):
            dropped[kind] -= late[kind]
        event = {
            "event": "counts",
            "calls": {plan.id: plan.count for plan in met if plan.is_defined},
            "dropped": dropped,
            "probes": {each.id: each.hits for each in self.probes.all},
            "watches": {each.id: each.hits for each in self.writes.watches},
        }
        if self.problems:
            event["problems"] = [
                {"file": file.split("#")[0], "reason": reason} for file, reason in self.problems.items()
            ]
        write(event, is_end)


def _lines(code):
    """First and last line of a code object, and the extents of those inside it."""
    inner = []
    for each in code.co_consts:
        if type(each) is type(code) and each.co_name not in (
            "<listcomp>",
            "<setcomp>",
            "<dictcomp>",
            "<genexpr>",
            "<lambda>",
        ):
            inner.append(_extent(each))
    first, last = _extent(code)
    return first, last, inner


def _extent(code):
    import dis

    lines = [line for _, line in dis.findlinestarts(code) if line]
    for each in code.co_consts:
        if type(each) is type(code):
            lines.append(_extent(each)[1])
    return code.co_firstlineno, max(lines + [code.co_firstlineno])
