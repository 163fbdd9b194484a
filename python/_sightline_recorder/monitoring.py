"""Python 3.12 and later: events of the focus's own code objects only; all other code runs as it always does."""

import sys

from .recorder import COUNTED_AT_ONCE

_TOOLS = (4, 3, 2, 1, 0)


class Monitoring(object):
    # Seconds to count a call that is not noted.
    counting_cost = 0.6e-6

    def __init__(self, recorder):
        self.recorder = recorder
        self.plans = recorder.plans
        self.tool = None

    def install(self):
        monitoring = sys.monitoring
        self.tool = next((each for each in _TOOLS if monitoring.get_tool(each) is None), None)
        if self.tool is None:
            return "all tools of sys.monitoring are taken"
        monitoring.use_tool_id(self.tool, "sightline")
        events = monitoring.events
        for event, callback in self._callbacks(events):
            monitoring.register_callback(self.tool, event, callback)
        monitoring.set_events(self.tool, events.PY_START | events.PY_UNWIND | events.PY_THROW)
        return None

    def is_replaced(self):
        """A tool of its own cannot be taken away by the program."""
        return False

    def remove(self):
        if self.tool is not None:
            sys.monitoring.set_events(self.tool, 0)
            sys.monitoring.free_tool_id(self.tool)
            self.tool = None

    def _listen(self, plan):
        events = sys.monitoring.events
        wanted = 0
        if plan.wants_call or plan.sites is not None or plan.everywhere:
            wanted |= events.PY_RETURN
            if plan.is_generator:
                wanted |= events.PY_YIELD | events.PY_RESUME
        if plan.needs_lines:
            wanted |= events.LINE
        if wanted:
            sys.monitoring.set_local_events(self.tool, plan.code, wanted)  # ty: ignore[invalid-argument-type]

    def _callbacks(self, events):
        recorder, plans, frame_of = self.recorder, self.plans, sys._getframe
        disable, mask = sys.monitoring.DISABLE, COUNTED_AT_ONCE - 1
        state, stream = recorder.calls.state, recorder.stream

        def start(code, offset):
            plan = plans.get(id(code))
            if plan is None:
                plan = recorder.plan_for(code)
                if plan is None or not plan.is_wanted:
                    return disable
                self._listen(plan)
            if stream.is_over and plan.is_plain:
                plan.count += 1
                if plan.count & mask or recorder.counted(plan):
                    return None
                if not plan.open:
                    sys.monitoring.set_local_events(self.tool, code, 0)  # ty: ignore[invalid-argument-type]
                return disable
            if not state.is_busy:
                frame = frame_of(1)
                try:
                    recorder.start(plan, frame)
                    recorder.forget_locals(frame)
                except Exception as error:
                    recorder.broke(plan, error)

        def leave(code, offset, value):
            plan = plans.get(id(code))
            if plan is not None and (plan.open or not plan.is_plain) and not state.is_busy:
                try:
                    recorder.leave(plan, frame_of(1), value)
                except Exception as error:
                    recorder.broke(plan, error)

        def unwind(code, offset, error):
            plan = plans.get(id(code))
            if plan is not None and not state.is_busy:
                try:
                    recorder.unwind(plan, frame_of(1), error)
                except Exception as broken:
                    recorder.broke(plan, broken)

        def suspend(code, offset, value):
            plan = plans.get(id(code))
            if plan is not None and not state.is_busy:
                if not recorder.suspend(plan, frame_of(1)):
                    kept = sys.monitoring.get_local_events(self.tool, code)  # ty: ignore[invalid-argument-type]
                    dropped = events.PY_YIELD | events.PY_RESUME
                    sys.monitoring.set_local_events(self.tool, code, kept & ~dropped)  # ty: ignore[invalid-argument-type]

        def resume(code, offset, *error):
            plan = plans.get(id(code))
            if plan is not None and not state.is_busy:
                recorder.resume(plan, frame_of(1))

        def line(code, number):
            plan = plans.get(id(code))
            if plan is None or not plan.wants_line(number):
                return disable
            if not state.is_busy:
                frame = frame_of(1)
                try:
                    recorder.line(plan, frame, number)
                    recorder.forget_locals(frame)
                except Exception as error:
                    recorder.broke(plan, error)

        return (
            (events.PY_START, start),
            (events.PY_RETURN, leave),
            (events.PY_UNWIND, unwind),
            (events.PY_YIELD, suspend),
            (events.PY_RESUME, resume),
            (events.PY_THROW, resume),
            (events.LINE, line),
        )
