"""One event in each line of a file outside the project, written at once: a runner that is killed told all it knew."""

import json
import os

_MAX_VALUE = 4000
_MAX_MESSAGE = 8000
_MAX_OUTPUT = 4000
_descriptor = [None]
_RUNNER_MODULES = ("_pytest", "pluggy", "unittest", "_sightline_tests", "pytest", "xdist", "execnet", "importlib")


def emit(kind, **fields):
    if _descriptor[0] is None:
        _descriptor[0] = os.open(os.environ["SIGHTLINE_TEST_EVENTS"], os.O_WRONLY | os.O_APPEND)
    event = {"type": kind}
    event.update((name, value) for name, value in fields.items() if value is not None)
    os.write(_descriptor[0], (json.dumps(event) + "\n").encode("utf-8", "replace"))


def failure(error, traceback, compared=None):
    """What was raised, with frames from the innermost outwards; the runner's own are left out. `compared` is text."""
    told = {
        "type": type(error).__name__,
        "message": _message(error)[:_MAX_MESSAGE],
        "frames": frames(traceback),
    }
    sides = compared or unittest_sides(traceback)
    if sides is not None:
        told["actual"], told["expected"] = sides
    return told


def frames(traceback):
    found = []
    while traceback is not None:
        frame = traceback.tb_frame
        name = frame.f_globals.get("__name__") or ""
        if name.split(".")[0] not in _RUNNER_MODULES and not frame.f_locals.get("__tracebackhide__", False) is True:
            found.append(
                {
                    "file": os.path.abspath(frame.f_code.co_filename),
                    "line": traceback.tb_lineno,
                    "function": frame.f_code.co_name,
                }
            )
        traceback = traceback.tb_next
    return found[::-1][:40]


def _message(error):
    try:
        text = str(error)
    except Exception:
        text = "<its message cannot be made>"
    members = getattr(error, "exceptions", None)
    if isinstance(members, (tuple, list)):
        text += "".join("\n- %s: %s" % (type(each).__name__, each) for each in members[:8])
    if isinstance(error, SyntaxError) and error.filename:
        text += " in %s:%s" % (error.filename, error.lineno)
    cause = getattr(error, "__cause__", None)
    if cause is not None:
        text += "\ncaused by %s: %s" % (type(cause).__name__, cause)
    return text


# What unittest's assertions call their two sides.
_SIDES = (("first", "second"), ("seq1", "seq2"), ("list1", "list2"), ("d1", "d2"), ("set1", "set2"))
_ANY_ORDER = ("assertCountEqual", "assertNotEqual", "assertNotAlmostEqual", "assertIsNot")


def unittest_sides(traceback):
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_globals.get("__name__") == "unittest.case":
            if frame.f_code.co_name in _ANY_ORDER:
                return None
            for one, other in _SIDES:
                if one in frame.f_locals and other in frame.f_locals:
                    return shown(frame.f_locals[one]), shown(frame.f_locals[other])
        traceback = traceback.tb_next
    return None


def shown(value):
    """A side of an assertion: texts as they are, so that their lines can be compared; the rest as Python writes it."""
    if isinstance(value, str):
        return value[:_MAX_VALUE]
    try:
        import pprint

        return pprint.pformat(value, width=80, depth=6)[:_MAX_VALUE]
    except Exception:
        return "<%s that cannot be shown>" % type(value).__name__


def last_of(text):
    return text if len(text) <= _MAX_OUTPUT else "..." + text[-_MAX_OUTPUT:]
