"""What belongs to a failure besides its message: the two sides of its assertion, its causes, the members of a group."""

from . import differences, values

_MAX_RELATED = 8
_MAX_DEPTH = 3
# The comparison that failed last in code that pytest has rewritten: (code, what is told of it). Told at once, because
# what cleans up after the test changes the values before the failure is looked at.
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
                is_equality = ops[index] == "=="
                told = _told(each_obj[index], each_obj[index + 1]) if is_equality else {}
                _compared[0] = (sys._getframe(1).f_code, told)
                break
        return explain(ops, results, expls, each_obj)

    module._call_reprcompare = explained


def _is_true(result):
    try:
        return bool(result)
    except Exception:
        return True


def told_differences(traceback):
    """Where the two sides of a failed comparison for equality differ, and what the test says of it."""
    frames = []
    while traceback is not None:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    for frame in frames:
        if frame.f_globals.get("__name__") == "unittest.case":
            if frame.f_code.co_name in _ANY_ORDER:
                return {}
            for one, other in _SIDES:
                if one in frame.f_locals and other in frame.f_locals:
                    return _told(frame.f_locals[one], frame.f_locals[other], frame.f_locals.get("msg"))
    if _compared[0] is None or all(frame.f_code is not _compared[0][0] for frame in frames[-1:]):
        return {}
    return dict(_compared[0][1])


def _told(left, right, said=None):
    found, more = differences.between(left, right)
    limits = values.DEFAULT_LIMITS
    result = {"sides": [("left", values.show(left, limits)), ("right", values.show(right, limits))]}
    if found:
        result.update(differences=found, moreDifferences=more)
    if isinstance(said, str):
        result["said"] = said
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
            "fields": _fields(each),
            "depth": depth,
        }
        told.update(place_of(each))
        found.append(told)
        found.extend(related(each, place_of, message_of, depth + 1))
    return found[:_MAX_RELATED]


def _fields(error):
    """What it carries beyond its message and what the interpreter or a runner put there."""
    own = [(name, value) for name, value in values.instance_fields(error) if not name.startswith("_")]
    return ["%s = %s" % (name, values.clip(values.show(value, _FIELD_LIMITS), 60)) for name, value in own[:4]]


_FIELD_LIMITS = {"maxValueChars": 60, "maxStringChars": 60, "maxItems": 4, "depth": 1}
