"""What the calls in an assertion returned, noted while they return: a process that is about to die is not asked again.

Only calls that an `assert` itself makes of the person's own functions are looked at, and of a whole run only so many: a
function that is asserted in an inner loop is let go.
"""

import re

import gdb

from . import expressions, frames, values

_MOST_CALLS = 1000
_MOST_FILES = 300
_MOST_FUNCTIONS = 60
_LIMITS = dict(values.DEFAULT_LIMITS, maxValueChars=120, maxStringChars=100)

_ASSERTION = re.compile(r"\b(?:debug_)?assert(?:!\s*|\s*)\(")
_CALL = re.compile(r"(\w+)\s*\(")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'')

# By path: the lines of each assertion, and the functions that it calls.
_statements = {}
_points = []
# By thread: the assertion that it was in last, and what its calls returned.
_noted = {}
_calls = [0]


class _Statement(object):
    def __init__(self, first, last, names):
        self.first = first
        self.last = last
        self.names = names


class _Noted(object):
    def __init__(self, statement):
        self.statement = statement
        self.entered = []
        self.returned = []


def install():
    """Before the program runs. What has no assertion of its own costs nothing then."""
    texts = _own_texts()
    for path, text in texts.items():
        found = _assertions(text)
        if found:
            _statements[path] = found
    called = {name for found in _statements.values() for statement in found for name in statement.names}
    everything = "\n".join(texts.values()) if called else ""
    for name in sorted(called)[:_MOST_FUNCTIONS]:
        if _is_defined(name, everything):
            _watch(name)


def of_failure():
    """The calls of the assertion at which the program stands, in the order of their return."""
    own = frames.own_frame(gdb.newest_frame())
    noted = _noted.get(gdb.selected_thread().global_num)
    if own is None or noted is None or noted.statement is not _statement_at(own):
        return []
    return list(noted.returned)


def _own_texts():
    texts = {}
    for path in re.split(r",\s+|\n", gdb.execute("info sources", to_string=True)):
        if len(texts) >= _MOST_FILES:
            break
        if not path.startswith("/") or path.endswith(":") or frames.is_library_path(path):
            continue
        try:
            with open(path, "r", errors="replace") as source:
                texts[path] = source.read(1 << 20)
        except OSError:
            continue
    return texts


def _assertions(text):
    plain = _STRING.sub(lambda found: re.sub(r"[^\n]", "_", found.group()), text)
    found = []
    for match in _ASSERTION.finditer(plain):
        end = _closing(plain, match.end())
        names = _CALL.findall(plain[match.end() : end])
        if names:
            first = plain.count("\n", 0, match.start()) + 1
            found.append(_Statement(first, first + plain.count("\n", match.start(), end), names))
    return found


def _closing(text, start):
    depth = 1
    for at in range(start, min(len(text), start + 4000)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth == 0:
                return at
    return start


def _is_defined(name, text):
    return re.search(r"\bfn\s+%s\b|\b%s\s*\([^;{}]*\)[^;{}()]*\{" % (name, name), text) is not None


def _statement_at(frame):
    line = frame.find_sal().line
    for statement in _statements.get(frames.path_of(frame), ()):
        if statement.first <= line <= statement.last:
            return statement
    return None


def _watch(name):
    from .points import function_place

    try:
        point = _Entry(name, function_place(name)["function"])
    except (gdb.error, RuntimeError):
        return
    places = [each.fullname for each in point.locations if each.fullname]
    if point.pending or not places or any(frames.is_library_path(each) for each in places):
        point.delete()
        return
    _points.append(point)


class _Entry(gdb.Breakpoint):
    def __init__(self, name, function):
        super().__init__(function=function, internal=True)
        self.silent = True
        self.called = name

    def stop(self):
        if expressions.is_evaluating:
            return False
        _calls[0] += 1
        if _calls[0] > _MOST_CALLS:
            _noted.clear()
            for point in _points:
                point.enabled = False
            return False
        frame = gdb.newest_frame()
        caller = frame.older()
        statement = None if caller is None else _statement_at(caller)
        if statement is not None and self.called in statement.names:
            self._follow(frame, statement)
        return False

    def _follow(self, frame, statement):
        thread = gdb.selected_thread().global_num
        noted = _noted.get(thread)
        # The same call once more is the assertion once more.
        if (
            noted is None
            or noted.statement is not statement
            or noted.entered.count(self.called) >= statement.names.count(self.called)
        ):
            noted = _noted[thread] = _Noted(statement)
        noted.entered.append(self.called)
        try:
            _Return(frame, self, noted)
        except (ValueError, gdb.error):
            return
        # What it calls itself, and that again, is of no interest.
        self.enabled = False


class _Return(gdb.FinishBreakpoint):
    def __init__(self, frame, entry, noted):
        super().__init__(frame, internal=True)
        self.silent = True
        self.entry = entry
        self.noted = noted
        self.kind = frame.function().type.target()
        self.is_rust = frame.language() == "rust"
        given = [values.show(value, _LIMITS) for _, value in frames.arguments_of(frame)]
        self.text = "%s(%s)" % (entry.called, ", ".join(given))

    def stop(self):
        self.entry.enabled = True
        value = _rust_value(self.kind) if self.is_rust and _is_small_struct(self.kind) else self.return_value
        if value is not None:
            self.noted.returned.append({"name": self.text, "value": values.show(value, _LIMITS)})
        return False

    def out_of_scope(self):
        self.entry.enabled = True


def _is_small_struct(kind):
    return kind.strip_typedefs().code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) and kind.sizeof <= 16


_INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_PTR)


def _rust_value(kind):
    """Rust returns two scalars in a register each; C, which gdb goes by, packs them. None for other small ones."""
    frame = gdb.selected_frame()
    fields = [field for field in kind.strip_typedefs().fields() if hasattr(field, "bitpos")]
    codes = [field.type.strip_typedefs().code for field in fields]
    if not frame.architecture().name().startswith("i386:x86-64") or len(fields) != 2:
        return None
    if any(code not in (*_INTEGERS, gdb.TYPE_CODE_FLT) for code in codes):
        return None
    integers, floats = iter(("rax", "rdx")), iter(("xmm0", "xmm1"))
    memory = bytearray(kind.sizeof)
    for field, code in sorted(zip(fields, codes), key=lambda each: each[0].bitpos):
        register = frame.read_register(next(floats if code == gdb.TYPE_CODE_FLT else integers))
        at, size = field.bitpos // 8, field.type.sizeof
        memory[at : at + size] = register.bytes[:size]
    return gdb.Value(bytes(memory), kind)
