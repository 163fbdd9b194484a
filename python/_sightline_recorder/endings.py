"""Ways to leave a call that are exceptions to the interpreter and no failures to people."""

from . import values

_SKIPPED = ("Skipped", "SkipTest")


def quiet(error):
    """What happened, for such a way; None for an exception proper."""
    kind = type(error)
    name = kind.__name__
    if kind is GeneratorExit:
        return "<closed>"
    if kind is SystemExit:
        return "<exits>" if error.code is None else "<exits with %s>" % values.show(error.code, 40)
    if name == "CancelledError" and kind.__module__.startswith(("asyncio", "concurrent")):
        return "<cancelled>"
    if name in _SKIPPED and kind.__module__.split(".")[0] in ("_pytest", "builtins", "unittest"):
        return "<skipped>"
    return None
