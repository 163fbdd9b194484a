"""Calls of the focus: arguments at entry, what changed in them, what came back, who called and who resumed."""

import sys
import threading
import weakref

from . import endings, failures, values
from .members import changed_names, mark_text, members

# Of one function; a generator that yields more often is not followed from there on.
_MAX_SUSPENSIONS = 20000


class Call(object):
    __slots__ = (
        "id",
        "plan",
        "frame",
        "cell",
        "before",
        "suspensions",
        "parent",
        "task",
        "task_name",
        "last_return",
        "thrown",
    )


class _State(threading.local):
    """Of one thread: the calls that run now, and whether the recorder itself is at work."""

    def __init__(self):
        self.stack = []
        # The same calls by the identity of their frame.
        self.active = {}
        self.is_busy = False
        self.task = None
        self.origin = None
        thread = threading.current_thread() if threading.get_ident() != _MAIN else None
        if thread is not None:
            self.task = thread.name
            self.origin = _origins.pop(id(thread), None)


_MAIN = threading.main_thread().ident
_origins = {}


class Calls(object):
    def __init__(self, stream, numbers, limits, tells_failures=False):
        self.stream = stream
        self.tells_failures = tells_failures
        self.numbers = numbers
        self.max_chars = limits["maxValueChars"]
        self.max_calls = limits["maxCalls"]
        self.max_of_one = limits["maxCallsPerFunction"]
        self.written = 0
        self.last_id = 0
        self.state = _State()
        # The identity of the exception that left a call last.
        self.last_thrown = None
        # Calls that wait at a yield or an await, by the identity of their frame.
        self.suspended = {}
        # Which call made an asyncio task; by the identity of the task.
        self.task_origins = {}

    def value(self, value, is_same=False):
        text = values.show(value, self.max_chars)
        if values.is_atom(value) or type(value) is tuple:
            return {"text": text}
        number = self.numbers.of(value, is_same)
        return {"text": text} if number is None else {"text": text, "object": number}

    def current(self):
        stack = self.state.stack
        return stack[-1].id if stack else None

    def is_noted(self, plan, frame):
        if id(frame) in self.state.active:
            return True
        call = self.suspended.get(id(frame)) if plan.is_generator else None
        return call is not None and call.plan is plan

    def enter(self, plan, frame, is_late=False):
        """A call begins; it was counted already. `is_late`: it is known to end by an exception, and worth the time."""
        stream = self.stream
        if not is_late and stream.is_over_time():
            return
        started = stream.now()
        state = self.state
        stack = state.stack
        call = Call()
        self.last_id += 1
        call.id = self.last_id
        call.plan = plan
        call.frame = frame
        call.suspensions = 0
        call.task_name = None
        call.last_return = None
        call.thrown = None
        call.parent = stack[-1] if stack else None
        self._note(plan, call, frame, state)
        stack.append(call)
        state.active[id(frame)] = call
        plan.open += 1
        stream.spend(started)

    def _note(self, plan, call, frame, state):
        scope = frame.f_locals
        event = {"event": "call", "seq": self.stream.next(), "id": call.id}
        self._place_parent(event, call, frame, state)
        event["fn"] = plan.id
        event["args"] = [self._argument(scope, name) for _, name in plan.params]
        before = call.before = {}
        if plan.receiver is not None and plan.receiver in scope:
            receiver = scope[plan.receiver]
            event["self"] = self.value(receiver)
            self._remember(before, plan.receiver, receiver)
        for _, name in plan.params:
            held = scope.get(name)
            if not values.is_atom(held):
                self._remember(before, name, held)
        if not plan.is_defined:
            plan.is_defined = True
            self.stream.write(plan.definition())
        if plan.written < self.max_of_one and self.written < self.max_calls and self.stream.write(event):
            plan.written += 1
            self.written += 1
            call.cell = None
        else:
            # When this one is pushed out of the ring, so is its return.
            call.cell = [event, None]
            self.stream.ring("calls").append(call.cell)

    @staticmethod
    def _remember(before, name, held):
        seen = members(held)
        if seen is not None:
            before[name] = (_reference(held), seen)

    def _argument(self, scope, name):
        return self.value(scope[name]) if name in scope else {"text": "<unset>"}

    def _place_parent(self, event, call, frame, state):
        parent = call.parent
        task = _current_task() if "asyncio" in sys.modules else None
        call.task = None
        if task is not None and (parent is None or parent.task != id(task)):
            call.task = id(task)
            origin = self._task_origin(task)
            running = origin is not None and next((each for each in state.stack if each.id == origin), None)
            if not running:
                call.task_name = event["task"] = _task_name(task)
                if origin is not None:
                    event["parent"] = origin
                    event["isLater"] = True
                    return
        elif task is not None:
            call.task = parent.task
            if parent.task_name:
                call.task_name = event["task"] = parent.task_name
        elif state.task:
            event["task"] = state.task
        if parent is not None:
            event["parent"] = parent.id
            event["from"] = parent.frame.f_lineno
        elif state.origin is not None:
            event["parent"] = state.origin
            event["isLater"] = True

    def _task_origin(self, task):
        origin, reference = self.task_origins.get(id(task), (None, None))
        return origin if reference is not None and reference() is task else None

    def leave(self, plan, frame, value=None, error=None, traceback=None):
        call = self._taken(plan, frame)
        if call is None:
            return
        stream = self.stream
        started = stream.now()
        plan.open -= 1
        event = {"event": "return", "seq": stream.next(), "id": call.id}
        if error is None:
            event["value"] = self.value(value)
            if plan.source is not None and frame.f_lineno in plan.source.made_returns:
                event["isMade"] = True
        else:
            self.last_thrown = id(error)
            how = endings.quiet(error)
            if how is not None:
                event["value"] = {"text": how}
            else:
                event["threw"] = dict(self.value(error), text=values.error_text(error, self.max_chars * 2))
                traceback = traceback or error.__traceback__
                self._add_sides(event, error, traceback, frame, call)
                if self.tells_failures and call.thrown != id(error):
                    event["failure"] = failures.note(error, traceback, frame, self.max_chars, self.value)
                if call.parent is not None:
                    call.parent.thrown = id(error)
        event["line"] = frame.f_lineno
        if call.parent is not None and call.parent.frame is not None:
            call.parent.last_return = (call.parent.frame.f_lineno, event.get("value"))
        changed, was = self._changed(call)
        if changed:
            event["changed"] = changed
        if was:
            event["was"] = was
        if call.suspensions:
            event["suspensions"] = call.suspensions
        call.frame = None
        call.before = None
        if call.cell is not None:
            call.cell[1] = event
        else:
            stream.write(event)
        if "threw" in event and call.parent is None:
            # What led to a failure is not to be pushed out by what runs after it.
            stream.flush()
        stream.spend(started)

    def _add_sides(self, event, error, traceback, frame, call):
        if not issubclass(type(error), AssertionError):
            return
        found = failures.sides(traceback, frame, call.last_return)
        if found is not None:
            names = ("actual", "expected")
            event["sides"] = {
                name: each if each is (call.last_return or (0, found))[1] else self.value(each)
                for name, each in zip(names, found)
            }

    def _taken(self, plan, frame):
        """The call that this frame is, off the stack; None when it was not noted."""
        state = self.state
        call = state.active.pop(id(frame), None)
        if call is None:
            # One whose coming and going is not followed any more.
            call = self.suspended.pop(id(frame), None) if plan.is_generator else None
            return call if call is not None and call.plan is plan else None
        stack = state.stack
        while stack:
            last = stack.pop()
            if last is call:
                break
            # Its end was not seen.
            state.active.pop(id(last.frame), None)
            last.frame = None
            last.plan.open -= 1
        return call

    def suspend(self, plan, frame):
        """Answers whether its coming and going is to be followed further."""
        state = self.state
        call = state.active.get(id(frame))
        if call is not None and state.stack[-1] is call:
            del state.active[id(frame)]
            state.stack.pop()
            call.suspensions += 1
            # Not the frame itself: of a generator that nobody goes on with nothing is to be kept alive.
            call.frame = None
            self.suspended[id(frame)] = call
        plan.suspensions += 1
        return plan.suspensions < _MAX_SUSPENSIONS

    def resume(self, plan, frame):
        call = self.suspended.pop(id(frame), None)
        if call is not None and call.plan is plan:
            call.frame = frame
            state = self.state
            state.active[id(frame)] = call
            state.stack.append(call)

    def _changed(self, call):
        found, was = {}, {}
        for name, (reference, seen) in call.before.items():
            held = reference()
            now = seen if held is None else members(held)
            if now == seen:
                continue
            inner = changed_names(seen, now)
            if inner and len(inner) <= 8 and values.stored_dict(held) is not None:
                fields = dict(values.fields(held))
                for each in inner:
                    path = "%s.%s" % (name, each)
                    found[path] = self.value(fields[each]) if each in fields else {"text": "<deleted>"}
                    old = mark_text(seen[each]) if each in seen else None
                    if old is not None:
                        was[path] = {"text": old}
            else:
                found[name] = self.value(held, is_same=True)
        return found, was


def _reference(value):
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


def _current_task():
    try:
        asyncio = sys.modules["asyncio"]
        if asyncio.events._get_running_loop() is None:
            return None
        return asyncio.current_task()
    except Exception:
        return None


def _task_name(task):
    try:
        return task.get_name()
    except Exception:
        return "task"


def watch_starts(calls):
    """Notes which call started a thread or made a task, so that what runs there later is put below it."""
    start = threading.Thread.start

    def started(self):
        current = calls.current()
        if current is not None:
            _origins[id(self)] = current
        return start(self)

    started.__name__, started.__qualname__, started.__doc__ = start.__name__, start.__qualname__, start.__doc__
    threading.Thread.start = started


def watch_tasks(calls, module):
    create = module.BaseEventLoop.create_task

    def create_task(self, coro, *args, **kwargs):
        task = create(self, coro, *args, **kwargs)
        current = calls.current()
        if current is not None and len(calls.task_origins) < 10000:
            calls.task_origins[id(task)] = (current, weakref.ref(task))
        return task

    create_task.__doc__ = create.__doc__
    module.BaseEventLoop.create_task = create_task
