"""A stop, told in one message: where, why, the frames and the variables of the first one."""

import inspect
import os
import sys
import threading

from . import children, exceptions, identities, raises, values

MAX_FRAMES = 40
MAX_RUNNING_FRAMES = 200
MAX_LOCALS = 60

_references = {}
_paths = {}
_next_reference = [0]


_LAUNCHER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "launch.py")


def forget():
    """References live as long as the stop."""
    _references.clear()
    _paths.clear()
    identities.forget()


def visible_frames(py_db, thread_id):
    """(frame, file, line, name) of a paused thread, innermost first, without the debugger's own and the launcher's
    frames.
    """
    frames_list = py_db.suspended_frames_manager.get_frames_list(thread_id)
    return frames_list, [] if frames_list is None else _visible(py_db, frames_list)


def visible_from(py_db, frame):
    """The same for a frame of a thread that runs. A deep stack is not followed to its end."""
    from _pydevd_bundle.pydevd_frame_utils import FramesList

    frames_list = FramesList()
    while frame is not None and len(frames_list) < MAX_RUNNING_FRAMES:
        frames_list.append(frame)
        frame = frame.f_back
    return _visible(py_db, frames_list)


def _visible(py_db, frames_list):
    found = []
    for item in py_db.cmd_factory._iter_visible_frames_info(py_db, frames_list):
        # Ours stand between the program and what calls it, also in a process that it forks.
        if __package__ not in item[4] and item[4] != _LAUNCHER:
            found.append((item[1], item[4], item[5], item[2]))
    while found and _is_start_up(found[-1]):
        found.pop()
    return found


def _is_start_up(item):
    file = item[1]
    return file.startswith("<frozen ") or (os.path.basename(file) in ("runpy.py", "pydevd_runpy.py"))


def find_frame(py_db, thread_id, index):
    _, frames = visible_frames(py_db, thread_id)
    return frames[index][0] if 0 <= index < len(frames) else None


def describe_frames(py_db, thread_id, start, count):
    frames_list, frames = visible_frames(py_db, thread_id)
    return frames_list, frames, [describe_frame(py_db, each) for each in frames[start : start + count]]


def describe_frame(py_db, item):
    frame, file, line, name = item
    return {
        "name": _frame_name(frame, name),
        "class": _class_name(frame),
        "file": file,
        "line": line,
        "library": not py_db.in_project_scope(frame) or file.startswith("<"),
    }


def _frame_name(frame, name):
    return getattr(frame.f_code, "co_qualname", name).replace(".<locals>.", ".")


def _class_name(frame):
    qualified = getattr(frame.f_code, "co_qualname", None)
    if qualified is not None:
        owner = qualified.rsplit("<locals>.", 1)[-1].rpartition(".")[0]
        return owner or None
    code = frame.f_code
    if code.co_argcount and code.co_varnames[0] in ("self", "cls"):
        owner = frame.f_locals.get(code.co_varnames[0])
        return (owner if isinstance(owner, type) else type(owner)).__name__ if owner is not None else None
    return None


def local_children(frame):
    """Arguments first, then the other locals in the order they came; at module level state only, not definitions."""
    code = frame.f_code
    stored = frame.f_locals
    at_module_level = code.co_name == "<module>"
    argument_count = code.co_argcount + code.co_kwonlyargcount
    argument_count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    arguments = code.co_varnames[:argument_count]
    found = []
    # Comprehensions name their input `.0`.
    for name in arguments:
        if name in stored and name.isidentifier() and values.is_user_visible(name):
            found.append(children.Child(name, stored[name], name, "argument"))
    for name, value in list(stored.items()):
        if name in arguments or not values.is_user_visible(name) or (at_module_level and values.is_definition(value)):
            continue
        if name.isidentifier():
            found.append(children.Child(name, value, name))
    return found


def global_children(frame):
    return [
        children.Child(name, value, name)
        for name, value in list(frame.f_globals.items())
        if values.is_user_visible(name)
    ]


def describe(child, limits):
    """A child as the session sees it: text, and a reference when it can be opened."""
    return describe_all([child], limits)[0]


def describe_all(shown, limits):
    """Children that are told together: two names for one object have the same number."""
    texts = iter(values.shown_together([child.value for child in shown if child.kind != "getter"], limits, True))
    return [_described(child, None if child.kind == "getter" else next(texts)) for child in shown]


def _described(child, text):
    if text is None:
        return {"name": child.name, "value": "(property)", "type": "property", "path": child.path, "kind": "getter"}
    indexed, named = children.counts(child.value)
    result = {"name": child.name, "value": text, "type": values.type_name(child.value)}
    if indexed or named:
        result["ref"] = remember(child.value, child.path)
        if indexed:
            result["indexed"] = indexed
        if named:
            result["named"] = named
    if child.path:
        result["path"] = child.path
    if child.kind:
        result["kind"] = child.kind
    return result


def remember(value, path):
    _next_reference[0] += 1
    _references[_next_reference[0]] = value
    _paths[_next_reference[0]] = path
    return _next_reference[0]


def open_reference(reference):
    return _references[reference], _paths[reference]


def report(py_db, thread_id, reason):
    """Everything the first answer about a stop needs. Output of the program is on its way before the report is."""
    values.flush_output()
    frames_list, frames, described = describe_frames(py_db, thread_id, 0, MAX_FRAMES)
    result = {"frames": described, "total": len(frames), "threads": describe_threads(py_db, thread_id)}
    if frames:
        shown = local_children(frames[0][0])
        result["locals"] = describe_all(shown[:MAX_LOCALS], values.DEFAULT_LIMITS)
        result["localsTotal"] = len(shown)
    if reason == "exception" and frames_list is not None:
        result["exception"] = describe_exception(py_db, frames_list)
        if frames and frames_list.exc_desc is not None:
            frame, _, line, _ = frames[0]
            result["remark"] = raises.as_raised(frames_list.exc_desc, frame, line, result["locals"])
    return result


def describe_exception(py_db, frames_list):
    told = exceptions.description(py_db, frames_list)
    if told is None:
        return None
    error = told.pop("error")
    details = [
        describe(children.Child(name, value, name), values.DEFAULT_LIMITS) for name, value in told.pop("values", ())
    ]
    for name, text in told.pop("sides", ()):
        details.append({"name": name, "value": text, "type": ""})
    fields = () if exceptions.is_of_runner(error) else values.instance_fields(error)[:12]
    for name, value in fields:
        details.append(describe(children.Child(name, value), values.DEFAULT_LIMITS))
    told["details"] = details
    told["value"] = describe(children.Child("exception", error), values.DEFAULT_LIMITS)
    return told


def thread_named(thread_id):
    from _pydevd_bundle.pydevd_constants import get_thread_id
    from _pydevd_bundle.pydevd_utils import get_non_pydevd_threads

    return next((each for each in get_non_pydevd_threads() if get_thread_id(each) == thread_id), None)


def describe_threads(py_db, stopping=None):
    from _pydevd_bundle._debug_adapter.pydevd_base_schema import BaseSchema
    from _pydevd_bundle.pydevd_constants import get_thread_id
    from _pydevd_bundle.pydevd_utils import get_non_pydevd_threads

    found = []
    frames = sys._current_frames()
    for thread in get_non_pydevd_threads():
        thread_id = get_thread_id(thread)
        info = py_db.set_additional_thread_info(thread)
        state = "paused" if info.is_in_wait_loop or thread_id == stopping else "running"
        frame = frames.get(thread.ident)
        if state == "running" and frame is not None and _is_waiting(frame.f_code):
            state = "waiting"
        found.append(
            {"id": BaseSchema._translate_id_to_dap(thread_id), "thread": thread_id, "name": thread.name, "state": state}
        )
    return found


def _is_waiting(code):
    """Whether that is one of the standard library's functions in which a thread waits for another or for the system."""
    if code.co_filename == threading.__file__:
        return code.co_name in ("wait", "wait_for", "acquire", "join", "_wait_for_tstate_lock", "__enter__")
    return code.co_name == "select" and os.path.basename(code.co_filename) == "selectors.py"
