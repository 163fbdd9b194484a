"""The two sides of an assertion that failed, as they are when it happens."""

import ast
import os
import sys

from _sightline_debuggee import differences, failure_parts

from . import reading, sources, values
from .targets import is_path

# The comparison that failed last in code that pytest has rewritten: (code, operator, left, right).
_compared = [None]
# What unittest's assertions call their two sides.
_SIDES = (
    ("first", "second"),
    ("seq1", "seq2"),
    ("list1", "list2"),
    ("d1", "d2"),
    ("set1", "set2"),
    ("member", "container"),
)


def watch_comparisons(recorder, module):
    """pytest hands both sides of each comparison that failed to a function that words it."""
    explain = module._call_reprcompare

    def explained(ops, results, expls, each_obj):
        for index, result in enumerate(results):
            if result is False:
                _compared[0] = (sys._getframe(2).f_code, ops[index], each_obj[index], each_obj[index + 1])
                break
        return explain(ops, results, expls, each_obj)

    module._call_reprcompare = _unrecorded(recorder, explained)
    module._saferepr = _unrecorded(recorder, module._saferepr)


def _unrecorded(recorder, function):
    """What the runner calls to word a failure is no part of the test."""

    def wrapped(*args):
        state = recorder.calls.state
        was, state.is_busy = state.is_busy, True
        try:
            return function(*args)
        finally:
            state.is_busy = was

    return wrapped


def _entries(traceback):
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def sides(traceback, frame, last_return):
    """The two sides of a comparison that failed in this frame, as (actual, expected); None when they are not known.

    `last_return` is (line, value) of the call that came back to the frame last.
    """
    entries = _entries(traceback)
    for entry in entries:
        inner = entry.tb_frame
        if inner.f_globals.get("__name__") == "unittest.case":
            scope = inner.f_locals
            for one, other in _SIDES:
                if one in scope and other in scope:
                    return _in_order((scope[one], scope[other]), frame)
    if not entries or entries[-1].tb_frame is not frame:
        return None
    if _compared[0] is not None and frame.f_code is _compared[0][0]:
        return _in_order(_compared[0][2:], frame)
    found = _asserted(frame, entries[-1].tb_lineno, last_return)
    return found and _in_order(found, frame)


_LIBRARY = os.path.dirname(os.__file__) + os.sep
_MAX_MESSAGE = 4000
_MAX_LOCALS = 40


def note(error, traceback, frame, max_chars, shown):
    """What an exception says, where its comparison differs, and the variables of the frame it was raised in."""
    kind = values.type_name(type(error))
    found = {"type": kind, "message": _message(error)}
    pair = sides(traceback, frame, None) if issubclass(type(error), AssertionError) else None
    if pair is not None and not _is_membership(traceback, frame):
        differing, more = differences.between(*pair)
        if differing:
            found["differences"] = [_told(each) for each in differing]
        if more:
            found["moreDifferences"] = more
    scope = frame.f_locals
    names = [name for name in scope if name[:1] not in "@." and type(scope[name]) is not type(os)]
    found["locals"] = {name: shown(scope[name]) for name in names[:_MAX_LOCALS]}
    if len(names) > _MAX_LOCALS:
        found["moreLocals"] = len(names) - _MAX_LOCALS
    related = failure_parts.related(error, _place, _message)
    if related:
        found["related"] = related
    return found


def _message(error):
    kind = values.type_name(type(error))
    text = values.error_text(error, _MAX_MESSAGE)
    return text[len(kind) + 2 :] if text.startswith(kind + ": ") else _plain(text, kind)


def _place(error):
    """Where in the user's own code it was raised."""
    for entry in reversed(_entries(error.__traceback__)):
        code = entry.tb_frame.f_code
        if "site-packages" not in code.co_filename and not code.co_filename.startswith((_LIBRARY, "<")):
            location = {"file": os.path.abspath(code.co_filename), "line": entry.tb_lineno}
            return {"location": location, "functionName": code.co_name}
    return {}


def _is_membership(traceback, frame):
    """`a in b`: where the two differ says nothing."""
    if _compared[0] is not None and frame.f_code is _compared[0][0]:
        return _compared[0][1] in ("in", "not in")
    scopes = [entry.tb_frame.f_locals for entry in _entries(traceback)]
    return any("member" in scope and "container" in scope for scope in scopes)


def _plain(text, kind):
    if text.startswith(kind + "(") and text.endswith(")"):
        return text[len(kind) + 1 : -1]
    return "" if text == kind else text


def _told(each):
    names = {"left": "actual", "right": "expected"}
    return {names.get(key, key): value for key, value in each.items()}


def _in_order(pair, frame):
    """Many write what they expect first: a constant, or what is called so, is not what came out."""
    source = sources.of(os.path.abspath(frame.f_code.co_filename))
    extent = source and source.statements.get(frame.f_lineno)
    node = extent and next((each for each in ast.walk(source.tree) if _is_check(each, extent)), None)
    if node is None:
        return pair
    parts = [node.left, node.comparators[0]] if isinstance(node, ast.Compare) else node.args[:2]
    return pair[::-1] if _is_expectation(parts[0]) and not _is_expectation(parts[1]) else pair


def _is_check(node, extent):
    if not extent[0] <= getattr(node, "lineno", 0) <= extent[1]:
        return False
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", "").startswith("assert") and len(node.args) > 1
    return isinstance(node, ast.Compare)


def _is_expectation(node):
    try:
        ast.literal_eval(node)
        return True
    except Exception:
        name = getattr(node, "id", None) or getattr(node, "attr", None) or ""
        return any(word in name.lower() for word in ("expect", "want", "should"))


def _asserted(frame, line, last_return):
    """What `assert a == b` compared, read again where that runs nothing; a call gave what it returned last."""
    source = sources.of(os.path.abspath(frame.f_code.co_filename))
    statement = source and next((each for each in ast.walk(source.tree) if _is_assertion(each, line)), None)
    if statement is None:
        return None
    found = []
    for part in (statement.test.left, statement.test.comparators[0]):
        if isinstance(part, ast.Call):
            if last_return is None or last_return[0] not in range(statement.lineno, sources.end_line(statement) + 1):
                return None
            found.append(last_return[1])
            continue
        try:
            found.append(ast.literal_eval(part))
        except Exception:
            value = reading.read(part, frame.f_locals, frame.f_globals) if is_path(part) else reading.MISSING
            if value is reading.MISSING:
                return None
            found.append(value)
    return tuple(found)


def _is_assertion(node, line):
    return (
        isinstance(node, ast.Assert)
        and node.lineno <= line <= sources.end_line(node)
        and isinstance(node.test, ast.Compare)
        and len(node.test.comparators) == 1
    )
