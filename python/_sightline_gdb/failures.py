"""What a failure is: signals with the words the program printed last, C++ exceptions, Rust panics, assertions."""

import re

import gdb

from . import asserted, expressions, frames, program, values

_MEANINGS = {
    "SIGSEGV": "invalid memory access",
    "SIGABRT": "the program called abort()",
    "SIGFPE": "arithmetic error",
    "SIGILL": "illegal instruction",
    "SIGBUS": "bus error",
    "SIGTRAP": "trap",
    "SIGSYS": "bad system call",
}

FATAL = tuple(_MEANINGS)


def of_signal(name):
    if name == "SIGABRT":
        return _of_abort()
    if name == "SIGTRAP":
        return _of_trap()
    return {"type": name, "message": _meaning(name), "uncaught": True}


def _meaning(name):
    if name in ("SIGSEGV", "SIGBUS"):
        return _of_access(name)
    if name == "SIGFPE" and _siginfo("si_code") == 1:
        return "integer division by zero"
    return _MEANINGS.get(name, "")


def _of_access(name):
    address = _siginfo("_sifields._sigfault.si_addr")
    if address is None:
        return _MEANINGS[name]
    stack = gdb.newest_frame().read_register("sp" if _has_register("sp") else "rsp")
    if abs(int(address) - int(stack)) < 1 << 20:
        return "stack overflow: the stack has no room for another call"
    if address < 4096:
        return "null pointer access, address %s" % hex(address)
    return "invalid memory access, address %s" % hex(address)


def _has_register(name):
    try:
        gdb.newest_frame().read_register(name)
        return True
    except ValueError:
        return False


def _siginfo(path):
    try:
        return int(gdb.parse_and_eval("$_siginfo." + path))
    except gdb.error:
        return None


_THROWN = re.compile(r"terminate called after throwing an instance of '([^\n]*)'\n(?:  what\(\):  ([\s\S]*))?")
_ASSERTED = re.compile(r"^(?:[^\n:]+: )?[^\n:]+:\d+: [^\n]*?: Assertion [`']([^\n]*)' failed\.", re.MULTILINE)
_PANICKED = re.compile(
    r"thread '[^\n']*'(?: \(\d+\))? panicked at ([^\n]*?):(\d+):(\d+):\n([\s\S]*?)"
    r"(?=\nstack backtrace:|\nnote: run with|\nthread '|\Z)"
)
_NOTE = re.compile(r"(?:\nnote: run with[^\n]*)?")


def _of_abort():
    text = program.printed("stderr")
    thrown = _last(_THROWN, text)
    if thrown is not None:
        kind = re.sub(r"std::__cxx11::", "std::", thrown.group(1))
        return {"type": kind, "message": (thrown.group(2) or "").rstrip("\n"), "uncaught": True}
    failed = _last(_ASSERTED, text)
    if failed is not None:
        return {
            "type": "assertion failed",
            "message": failed.group(1),
            "uncaught": True,
            "calls": asserted.of_failure(),
            "printed": failed.group(),
        }
    panicked = _panic(text)
    if panicked is not None:
        return panicked
    said = text.rstrip("\n").rsplit("\n", 1)[-1].strip()
    return {"type": "SIGABRT", "message": said or _MEANINGS["SIGABRT"], "uncaught": True}


def _of_trap():
    """GoogleTest stops so where an assertion of it failed, and has printed which."""
    failure = _last(re.compile(r"^\S+:\d+: Failure\n([\s\S]*?)\n*\Z", re.MULTILINE), program.printed("stdout"))
    if failure is None:
        return {"type": "SIGTRAP", "message": _MEANINGS["SIGTRAP"], "uncaught": True}
    return {"type": "test failure", "message": failure.group(1).strip(), "uncaught": True}


def of_panic():
    program.drain()
    return _panic(program.printed("stderr")) or {"type": "panic", "message": "", "uncaught": True}


def _panic(text):
    found = _last(_PANICKED, text)
    if found is None:
        return None
    return {
        "type": "panic",
        "message": found.group(4).strip("\n"),
        "uncaught": True,
        "calls": asserted.of_failure(),
        "printed": found.group() + _NOTE.match(text, found.end()).group(),
    }


def _last(pattern, text):
    found = None
    for found in pattern.finditer(text):
        pass
    return found


class _Quiet(gdb.Breakpoint):
    """Stands where failures begin, and is none that anybody set."""

    def __init__(self, function):
        super().__init__(function=function, internal=True)
        self.silent = True


class PanicPoint(_Quiet):
    def stop(self):
        return not expressions.is_evaluating


class ThrowPoint(_Quiet):
    wanted = ()

    def stop(self):
        if expressions.is_evaluating:
            return False
        if not self.wanted:  # ty: ignore[redundant-condition]
            return True
        name = thrown_type()
        return any(each == name or name.endswith("::" + each) for each in self.wanted)


_ARGUMENTS = (("rdi", "rsi"), ("x0", "x1"))


def _thrown():
    frame = gdb.newest_frame()
    for first, second in _ARGUMENTS:
        try:
            return int(frame.read_register(first)), int(frame.read_register(second))
        except ValueError:
            continue
    return None


def thrown_type():
    registers = _thrown()
    if registers is None:
        return ""
    symbol = gdb.execute("info symbol %d" % registers[1], to_string=True)
    found = re.match(r"typeinfo for (.*?)(?:@+[A-Z_.\d]+)?(?: in section.*)?$", symbol.strip())
    return "" if found is None else values.short_type(found.group(1))


def of_throw(calls=True):
    """What is thrown; without `calls` its words are read from memory, where they are there."""
    name = thrown_type()
    registers = _thrown()
    message = ""
    if registers is not None and name:
        try:
            message = _words(name, registers[0], calls)
        except gdb.error:
            pass
    return {"type": name or "exception", "message": message, "uncaught": False}


# Exceptions of the C++ library that hold a text: behind the table of their functions lies its address.
_WORDED = re.compile(
    r"std::(runtime|logic|domain|length|range|overflow|underflow)_error$|std::(invalid_argument|out_of_range)$"
)


def _words(name, address, calls):
    if not calls and _WORDED.match(name):
        text = gdb.Value(address + 8).cast(gdb.lookup_type("char").pointer().pointer()).dereference()
        return text.string("utf-8", "replace", length=values._length(text, 500))
    kind = gdb.lookup_type(name)
    if _is_exception(kind):
        return _what(address) if calls else ""
    return values.show(gdb.Value(address).cast(kind.pointer()).dereference(), values.DEFAULT_LIMITS)


def _is_exception(kind):
    if kind.name == "std::exception":
        return True
    return any(_is_exception(field.type) for field in kind.strip_typedefs().fields() if field.is_base_class)


def _what(address):
    own = frames.own_frame(gdb.newest_frame())
    if own is not None:
        own.select()
    try:
        text = expressions.evaluate("((std::exception*)%d)->what()" % address, False, 1)
        return text.string("utf-8", "replace", length=values._length(text, 500))
    except gdb.error:
        return ""
    finally:
        gdb.newest_frame().select()
