"""Expressions as gdb reads them; and, where it gives up, the reading of containers as their languages write it."""

import re
from contextlib import ExitStack

import gdb

from . import values

# While this is set, breakpoints in what an expression calls do not stop it.
is_evaluating = False


def evaluate(text, read_only, timeout_s=5):
    """Throws in the words of gdb. `read_only`: gdb itself refuses to write and to call."""
    global is_evaluating
    if "$_" in text:
        raise gdb.GdbError("Functions of gdb itself ($_...) are not evaluated.")
    was, is_evaluating = is_evaluating, True
    try:
        with ExitStack() as settings:
            for name, value in _settings(read_only, timeout_s):
                settings.enter_context(gdb.with_parameter(name, value))
            try:
                return gdb.parse_and_eval(text)
            except gdb.error:
                found = _read(text.strip())
                if found is None:
                    raise
                return found
    finally:
        is_evaluating = was


def _settings(read_only, timeout_s):
    if read_only:
        return [("may-call-functions", False), ("may-write-memory", False), ("may-write-registers", False)]
    settings = [("unwind-on-signal", True), ("unwind-on-terminating-exception", True)]
    if _has_parameter("direct-call-timeout"):
        settings += [("direct-call-timeout", timeout_s), ("unwind-on-timeout", True)]
    return settings


def _has_parameter(name):
    try:
        gdb.parameter(name)
        return True
    except RuntimeError:
        return False


_SUFFIX = re.compile(
    r"(?s)^(?P<base>.+?)(?:\.(?P<call>len|size|length|is_empty|empty|unwrap|as_ref|get|value|has_value|is_some|is_none)"
    r"\(\)|(?:->|\.)(?P<field>\w+)|\[(?P<index>[^\[\]]+)\])$"
)


def _read(text):
    """`v.len()`, `m["two"]`, `p->x`, of which no compiled code may be left to call. None when it is no such reading."""
    parts = _SUFFIX.match(text)
    if parts is None:
        return None
    base = _value(parts.group("base"))
    if base is None:
        return None
    if parts.group("call"):
        return _called(parts.group("call"), base)
    if parts.group("field"):
        return _named(parts.group("field"), base)
    return _indexed(parts.group("index"), base)


def _value(text):
    try:
        return gdb.parse_and_eval(text)
    except gdb.error:
        return _read(text.strip())


def _seen_through(value):
    """What references and smart pointers lead to."""
    for _ in range(4):
        kind = value.type.strip_typedefs()
        if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF, gdb.TYPE_CODE_PTR):
            value = value.referenced_value()
            continue
        printer = values.printer_of(value)
        if printer is None or not hasattr(printer, "children") or values.hint_of(printer) in ("map", "array", "string"):
            return value
        children = values.children_of(printer, 1)
        if not children or children[0][0] not in ("get()", "value", "[contained value]"):
            return value
        value = children[0][1]
    return value


def _called(name, base):
    variant = values.variant_of(base)
    if name in ("is_some", "is_none", "has_value", "unwrap", "value"):
        if variant is not None:
            holds = variant[0] in ("Some", "Ok")
            if name in ("unwrap", "value"):
                fields = values.members(variant[1])
                return fields[0][1] if holds and fields else None
            return gdb.Value(holds if name != "is_none" else not holds)
        printer = values.printer_of(base)
        if printer is None or not hasattr(printer, "children"):
            return None
        children = values.children_of(printer, 1)
        if name == "has_value":
            return gdb.Value(bool(children))
        return children[0][1] if children else None
    if name in ("get", "as_ref"):
        return _seen_through(base)
    size = _size(_seen_through(base))
    if size is None:
        return None
    return gdb.Value(size == 0) if name in ("is_empty", "empty") else gdb.Value(size)


def _size(value):
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return kind.range()[1] + 1
    printer = values.printer_of(value)
    if printer is None:
        return None
    if values.hint_of(printer) == "string":
        text = printer.to_string()
        return text.length if hasattr(text, "length") and text.length >= 0 else len(str(text))
    return values.count_of(printer)


def _named(name, base):
    for field, value in values.members(_seen_through(base)):
        if field == name or field == "__" + name:
            return value
    return None


def _indexed(text, base):
    value = _seen_through(base)
    printer = values.printer_of(value)
    if printer is None or not hasattr(printer, "children"):
        return None
    if values.hint_of(printer) == "map":
        wanted = _shown(_value(text)) if not text.startswith('"') else text
        children = values.children_of(printer, 20000)
        for key, held in zip(children[::2], children[1::2]):
            if _shown(key[1]) == wanted:
                return held[1]
        raise gdb.GdbError("There is no key %s in it." % text)
    index = int(_value(text))
    children = values.children_of(printer, index + 1)
    if not 0 <= index < len(children):
        raise gdb.GdbError("Index %d is out of its %d items." % (index, len(children)))
    return children[index][1]


def _shown(value):
    return None if value is None else values.show(value, values.DEFAULT_LIMITS)
