"""What belongs to a failure besides its message: the two sides of its assertion, its causes, the members of a group."""

from . import differences, values

_MAX_RELATED = 8
_MAX_DEPTH = 3
# The comparison that failed last in code that pytest has rewritten: (code, operator, left, right).
_compared = [None]
# What unittest's assertions call their two sides.
_SIDES = (("first", "second"), ("seq1", "seq2"), ("list1", "list2"), ("d1", "d2"), ("set1", "set2"))
_ANY_ORDER = ("assertCountEqual", "assertNotEqual", "assertNotAlmostEqual", "assertIsNot")


def patch_pytest_rewrite(module):
    """pytest hands both sides of each comparison that failed to a function that words it."""
    explain = module._call_reprcompare

    def explained(ops, results, expls, each_obj):
        import sys

        for index, result in enumerate(results):
            if not _is_true(result):
                _compared[0] = (sys._getframe(1).f_code, ops[index], each_obj[index], each_obj[index + 1])
                break
        return explain(ops, results, expls, each_obj)

    module._call_reprcompare = explained


def _is_true(result):
    try:
        return bool(result)
    except Exception:
        return True


def sides(traceback):
    """The two sides of a failed comparison for equality and what the test says of it, or None."""
    frames = []
    while traceback is not None:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    for frame in frames:
        if frame.f_globals.get("__name__") == "unittest.case":
            if frame.f_code.co_name in _ANY_ORDER:
                return None
            for one, other in _SIDES:
                if one in frame.f_locals and other in frame.f_locals:
                    return frame.f_locals[one], frame.f_locals[other], frame.f_locals.get("msg")
    if _compared[0] is None or all(frame.f_code is not _compared[0][0] for frame in frames[-1:]):
        return None
    _, operator, left, right = _compared[0]
    return (left, right, None) if operator == "==" else None


def told_differences(traceback):
    """Where the two sides differ, as the session takes it."""
    told = sides(traceback)
    if told is None:
        return {}
    pair = told[:2]
    found, more = differences.between(*pair)
    limits = values.DEFAULT_LIMITS
    whole = [("left", values.show(pair[0], limits)), ("right", values.show(pair[1], limits))]
    result = {"sides": whole}
    if found:
        result.update(differences=found, moreDifferences=more)
    if isinstance(told[2], str):
        result["said"] = told[2]
    return result


def related(error, place_of, message_of, depth=0):
    """Causes and members, outermost first; each with the place in the user's own code where it was raised."""
    if depth >= _MAX_DEPTH:
        return []
    found = []
    cause = error.__cause__
    context = None if error.__suppress_context__ else error.__context__
    members = getattr(error, "exceptions", None)
    pairs = [("cause", cause)] if cause is not None else [("context", context)] if context is not None else []
    if isinstance(members, (tuple, list)):
        pairs.extend(("member", each) for each in members if isinstance(each, BaseException))
    for relation, each in pairs:
        told = {
            "relation": relation,
            "type": type(each).__name__,
            "message": values.clip(message_of(each), 1000),
            "depth": depth,
        }
        told.update(place_of(each))
        found.append(told)
        found.extend(related(each, place_of, message_of, depth + 1))
    return found[:_MAX_RELATED]
