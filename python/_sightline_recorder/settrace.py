"""Python before 3.12: the trace function, which leaves every frame outside the focus at once."""

import opcode
import sys
import threading

from .recorder import COUNTED_AT_ONCE

_RETURN = opcode.opmap.get("RETURN_VALUE")
_YIELD = opcode.opmap.get("YIELD_VALUE")
_YIELD_FROM = opcode.opmap.get("YIELD_FROM")
_RESUME = opcode.opmap.get("RESUME")

_MAX_UNSEEN = 2000000


class Tracing(object):
    # Seconds to count a call that is not noted.
    counting_cost = 2e-6

    def __init__(self, recorder):
        self.recorder = recorder
        # Calls that are not even counted any more.
        self.unseen = 0
        self.has_ended = False
        self.function = self._function()

    def install(self):
        threading.settrace(self.function)
        sys.settrace(self.function)
        return None

    def remove(self):
        threading.settrace(None)
        if sys.gettrace() is self.function:
            sys.settrace(None)

    def is_replaced(self):
        return not self.has_ended and sys.gettrace() is not self.function

    def _give_up(self, plan):
        """To be called and to do nothing has become the most expensive thing in the program."""
        self.remove()
        self.has_ended = True
        reason = "%s is called so often that recording ended after %d calls: what ran later was not seen"
        self.recorder.problems[plan.path] = reason % (plan.name, plan.count + self.unseen)

    def _function(self):
        recorder = self.recorder
        plans, known, stream = recorder.plans, recorder.focus.known, recorder.stream
        state = recorder.calls.state
        missing, mask = object(), COUNTED_AT_ONCE - 1

        def trace(frame, event, arg):
            code = frame.f_code
            if known.get(code.co_filename, missing) is None:
                # Otherwise the interpreter looks for a trace function at each of its lines.
                frame.f_trace_lines = False
                return None
            plan = plans.get(id(code))
            if plan is None:
                plan = recorder.plan_for(code)
                if plan is None:
                    return None
            if state.is_busy:
                return None
            if plan.is_plain:
                frame.f_trace_lines = False
                if stream.is_over and not plan.open:
                    if plan.is_retired:
                        self.unseen += 1
                        if self.unseen > _MAX_UNSEEN:
                            self._give_up(plan)
                    else:
                        plan.count += 1
                        if not plan.count & mask:
                            plan.is_retired = not recorder.counted(plan)
                    return None
            elif not plan.is_wanted:
                frame.f_trace_lines = False
                return None
            try:
                if not plan.needs_lines:
                    frame.f_trace_lines = False
                if _is_start(plan, frame):
                    recorder.start(plan, frame)
                elif plan.is_lost and plan.is_plain:
                    # To answer with nothing would leave the one that is there.
                    frame.f_trace = None
                    return None
                else:
                    recorder.resume(plan, frame)
            except Exception as error:
                recorder.broke(plan, error)
            return plan.tracer or _local(recorder, plan)

        return trace


def _local(recorder, plan):
    """What follows a frame of the focus: one function per code object."""
    last_error = recorder.last_errors

    def trace(frame, event, arg):
        try:
            if event == "line":
                number = frame.f_lineno
                if plan.wants_line(number):
                    recorder.line(plan, frame, number)
            elif event == "exception":
                # The exception itself does not have its traceback yet.
                last_error[id(frame)] = arg[1:]
            elif event == "return":
                error, traceback = last_error.pop(id(frame), (None, None))
                how = "return" if arg is not None else _ending(plan, frame)
                if how == "return" and plan.is_generator:
                    how = _ending(plan, frame)
                if how == "return":
                    recorder.leave(plan, frame, arg)
                elif how == "yield":
                    plan.is_lost = not recorder.suspend(plan, frame)
                else:
                    recorder.unwind(plan, frame, error, traceback)
        except Exception as error:
            recorder.broke(plan, error)
        return trace

    plan.tracer = trace
    return trace


def _bytecode(plan):
    if plan.bytecode is None:
        plan.bytecode = plan.code.co_code
    return plan.bytecode


def _is_start(plan, frame):
    """A generator is also called each time it goes on."""
    if not plan.is_generator:
        return True
    at = frame.f_lasti
    if _RESUME is None:
        return at < 0
    code = _bytecode(plan)
    return code[at] == _RESUME and code[at + 1] & 3 == 0


def _ending(plan, frame):
    """By which instruction the frame was left: the interpreter tells all three in the same way."""
    code, at = _bytecode(plan), frame.f_lasti
    if code[at] == _RETURN:
        return "return"
    if code[at] == _YIELD:
        return "yield"
    if _YIELD_FROM is not None and at + 2 < len(code) and code[at + 2] == _YIELD_FROM:
        return "yield"
    return "unwind"
