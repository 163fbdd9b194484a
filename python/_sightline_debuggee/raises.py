"""Values as they were when an exception was raised: what a `finally` changes afterwards did not make it fail.

Where the interpreter tells of raises without tracing (3.12 and later), the variables of functions with cleanup are
kept as text at that moment. Older ones cannot do that at no cost: then the stop says that the cleanup has run.
"""

import ast
import collections
import linecache
import os
import sys
import time

from . import stops, values

_MAX_KEPT = 20
_MAX_SECONDS = 0.3
_LIBRARIES = ("site-packages", "dist-packages", "debugpy", os.path.dirname(os.__file__), "<", os.path.dirname(__file__))

_kept = collections.OrderedDict()
_own = {}
_spent = [0.0]


def install():
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None:
        return
    tool = next((each for each in (4, 3) if monitoring.get_tool(each) is None), None)
    if tool is None:
        return
    monitoring.use_tool_id(tool, "sightline raises")
    monitoring.register_callback(tool, monitoring.events.RAISE, _on_raise)
    monitoring.set_events(tool, monitoring.events.RAISE)


def _on_raise(code, _offset, error):
    if not code.co_exceptiontable or not _is_own(code.co_filename) or _spent[0] > _MAX_SECONDS:
        return
    begun = time.perf_counter()
    try:
        frame = sys._getframe(1)
        shown = stops.local_children(frame)[: stops.MAX_LOCALS]
        together = values.shown_together([child.value for child in shown], values.DEFAULT_LIMITS)
        texts = {child.name: text for child, text in zip(shown, together)}
        _kept[(id(error), id(frame))] = texts
        while len(_kept) > _MAX_KEPT:
            _kept.popitem(last=False)
    except Exception:
        # A value that cannot be shown is no reason to disturb the program.
        pass
    finally:
        _spent[0] += time.perf_counter() - begun


def _is_own(file):
    known = _own.get(file)
    if known is None:
        known = _own[file] = not any(part in file for part in _LIBRARIES)
    return known


def as_raised(error, frame, line, described):
    """Puts the values of that moment into the described variables; or answers with what must be said of them."""
    cleanup = cleanup_line(frame.f_code.co_filename, line)
    if cleanup is None:
        return None
    texts = _kept.get((id(error), id(frame)))
    if texts is None:
        return "its finally at line %d has run since, so values may be later ones" % cleanup
    for told in described:
        told["value"] = texts.get(told["name"], told["value"])
    return None


def cleanup_line(file, line):
    """Where the `finally` begins that runs when this line raises."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and node.finalbody and node.lineno <= line < node.finalbody[0].lineno:
            return node.finalbody[0].lineno
    return None
