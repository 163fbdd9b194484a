"""What a thread waits for, read from its frames: a lock and who holds it, another thread, a queue, a child process."""

import ast
import linecache
import os
import re
import selectors
import subprocess
import sys
import threading

from . import readonly

_LOCK = type(threading.Lock())
_RLOCK = type(threading.RLock())
_OWNER = re.compile(r"owner=(\d+)")
_MAX_FRAMES = 60


class Scene(object):
    """All threads at one moment."""

    def __init__(self, py_db, frames):
        self._py_db = py_db
        self._frames = frames

    def wait_of(self, thread, frame):
        """{kind, call, thread, detail}, each only when it is known; None when nothing is."""
        return self._in_library(frame) or self._in_own_call(frame)

    def _in_library(self, frame):
        """Waiting calls of the standard library that are written in Python."""
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if file == selectors.__file__ and name == "select":
            return self._event_loop(frame) or {"kind": "events"}
        if file == threading.__file__ or _base(file) in ("queue.py", "subprocess.py") or _is_futures(file):
            return self._library_call(frame)
        return None

    def _library_call(self, frame):
        """The outermost of the library's frames is the call that the program made."""
        call = frame
        while call.f_back is not None and _is_waiting_library(call.f_back.f_code.co_filename):
            call = call.f_back
        file, name = call.f_code.co_filename, call.f_code.co_name
        owner = call.f_locals.get("self")
        process = _local_of(frame, call, subprocess.Popen)
        found = {"call": "%s.%s" % (type(owner).__name__, name) if owner is not None else name}
        if isinstance(owner, threading.Thread) and name == "join":
            found.update(kind="thread", thread=self._thread_id(owner.ident))
        elif file == threading.__file__ and name == "_shutdown":
            # The main thread is at its end and waits for the others.
            found = {"kind": "thread"}
        elif process is not None:
            found.update(kind="process", call=None, detail="%s (pid %s)" % (_command(process.args), process.pid))
        elif _base(file) == "queue.py":
            found["kind"] = "queue"
        elif isinstance(owner, (threading.Condition, threading.Semaphore)) and name in ("acquire", "__enter__"):
            lock = getattr(owner, "_lock", None)
            found.update(kind="lock", **self._holder(lock))
        else:
            found["kind"] = "other"
        return _known(found)

    def _in_own_call(self, frame):
        """A call that is written in C leaves no frame: the call is read from the line, and what is called looked up."""
        node = _call_at(frame)
        if node is None:
            return None
        if isinstance(node, ast.Call):
            text, target = _text(node.func), node.func
            receiver = target.value if isinstance(target, ast.Attribute) else None
        else:
            text, receiver = "with %s" % _text(node), node
            target = None
        value = _value(receiver, frame)
        if isinstance(value, (_LOCK, _RLOCK)):
            return _known(dict(kind="lock", call=text, **self._holder(value)))
        if isinstance(value, threading.Thread) and text.endswith(".join"):
            return _known({"kind": "thread", "call": text, "thread": self._thread_id(value.ident)})
        if target is not None and _value(target, frame) is input:
            return {"kind": "input", "call": text}
        return {"call": text}

    def _holder(self, lock):
        """Of a re-entrant lock the interpreter knows the owner; of a plain one it is who stands in its `with` block."""
        if isinstance(lock, _RLOCK):
            owner = _OWNER.search(repr(lock))
            return {"thread": self._thread_id(int(owner.group(1)))} if owner and owner.group(1) != "0" else {}
        if not isinstance(lock, _LOCK):
            return {}
        for ident, frame in self._frames.items():
            depth = 0
            while frame is not None and depth < _MAX_FRAMES:
                if self._py_db.in_project_scope(frame) and _stands_within(frame, lock):
                    return {"thread": self._thread_id(ident)}
                frame, depth = frame.f_back, depth + 1
        return {}

    def _thread_id(self, ident):
        from _pydevd_bundle._debug_adapter.pydevd_base_schema import BaseSchema
        from _pydevd_bundle.pydevd_constants import get_thread_id

        thread = next((each for each in threading.enumerate() if each.ident == ident), None)
        return None if thread is None else BaseSchema._translate_id_to_dap(get_thread_id(thread))

    def _event_loop(self, frame):
        """An event loop that has nothing to do: where its tasks wait."""
        while frame is not None and frame.f_code.co_name != "run_forever":
            frame = frame.f_back
        loop = None if frame is None else frame.f_locals.get("self")
        asyncio = sys.modules.get("asyncio")
        if loop is None or asyncio is None:
            return None
        try:
            tasks = [task for task in asyncio.all_tasks(loop) if not task.done()]
        except Exception:
            return None
        places = [_task_place(task) for task in tasks]
        count = "%d asyncio task%s" % (len(tasks), " waits" if len(tasks) == 1 else "s wait")
        return {"kind": "events", "detail": count + (": " + "; ".join(places[:4]) if places else "")}


def _local_of(frame, last, kind):
    """The object of that class whose method is among the frames, up to the last one."""
    while frame is not None:
        owner = frame.f_locals.get("self")
        if isinstance(owner, kind):
            return owner
        frame = None if frame is last else frame.f_back
    return None


def _task_place(task):
    """`Task-1 in load app.py:5`: the innermost coroutine that has a frame."""
    coroutine, place = task.get_coro(), ""
    for _ in range(_MAX_FRAMES):
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        if frame is None:
            break
        place = " in %s %s:%d" % (frame.f_code.co_name, _base(frame.f_code.co_filename), frame.f_lineno)
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return task.get_name() + place if hasattr(task, "get_name") else "a task" + place


def _known(found):
    return {key: value for key, value in found.items() if value is not None}


def _base(file):
    return os.path.basename(file)


def _is_futures(file):
    return os.path.join("concurrent", "futures") in file


def _is_waiting_library(file):
    return file == threading.__file__ or _base(file) in ("queue.py", "subprocess.py") or _is_futures(file)


def _command(args):
    return args if isinstance(args, str) else " ".join(str(each) for each in args)[:80]


def _value(node, frame):
    """What an expression of names and stored attributes means; None when that cannot be told without running code."""
    if node is None:
        return None
    try:
        return readonly.evaluate(ast.Expression(node), frame)
    except Exception:
        return None


def _stands_within(frame, lock):
    for item in _withs_around(frame.f_code.co_filename, frame.f_lineno):
        value = _value(item, frame)
        if value is lock or (isinstance(value, threading.Condition) and getattr(value, "_lock", None) is lock):
            return True
    return False


def _withs_around(file, line):
    """The expressions of the `with` statements in whose body the line is. On their own line it may still be waiting."""
    found = []
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.With) and node.body[0].lineno <= line <= (_end(node) or 0):
            found.extend(item.context_expr for item in node.items if (_end(item.context_expr) or line) < line)
    return found


def _call_at(frame):
    """The call, or the expression of a `with`, that a frame is in; None when the text does not tell."""
    tree, line = _tree(frame.f_code.co_filename), frame.f_lineno
    exact = _position(frame)
    nodes = [node for node in ast.walk(tree) if getattr(node, "lineno", None) == line]
    if exact is not None:
        for node in nodes:
            if isinstance(node, (ast.Call, ast.expr)) and _span(node) == exact:
                parent_with = _with_of(tree, node)
                if isinstance(node, ast.Call) or parent_with:
                    return node
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    if len(calls) == 1:
        return calls[0]
    items = [item.context_expr for node in nodes if isinstance(node, ast.With) for item in node.items]
    return items[0] if not calls and len(items) == 1 else None


def _with_of(tree, expression):
    return any(
        isinstance(node, ast.With) and any(item.context_expr is expression for item in node.items)
        for node in ast.walk(tree)
    )


def _position(frame):
    """Where in the text the current instruction stands, from Python 3.11 on."""
    positions = getattr(frame.f_code, "co_positions", None)
    if positions is None or frame.f_lasti < 0:
        return None
    for index, position in enumerate(positions()):
        if index == frame.f_lasti // 2:
            return position
    return None


def _span(node):
    return node.lineno, getattr(node, "end_lineno", None), node.col_offset, getattr(node, "end_col_offset", None)


def _end(node):
    return getattr(node, "end_lineno", None)


_trees = {}


def _tree(file):
    lines = linecache.getlines(file)
    key = (file, len(lines))
    if key not in _trees:
        try:
            _trees[key] = ast.parse("".join(lines))
        except (SyntaxError, ValueError, RecursionError):
            _trees[key] = ast.Module(body=[], type_ignores=[])
    return _trees[key]


def _text(node):
    try:
        return ast.unparse(node)[:60]
    except Exception:
        return getattr(node, "attr", None) or getattr(node, "id", "")
