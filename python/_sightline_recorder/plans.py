"""What is to be done with one code object, decided when it is first met."""

import inspect

from . import sources

_HIDDEN = frozenset(["<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"])


class Plan(object):
    """`wants_call`: its calls are noted. `probes`: what is sampled before a line. `sites`: lines that may write."""

    __slots__ = (
        "id code path name source params receiver wants_call is_generator is_defined count written "
        "probes_at_entry probes sites entry_watches counts bytecode kind tracer active_lines "
        "is_plain open is_retired everywhere suspensions is_lost"
    ).split()

    def __init__(self, number, code, path, source):
        self.id = number
        self.code = code
        self.path = path
        self.source = source
        self.name = sources.qualified_name(code, source)
        flags = code.co_flags
        self.is_generator = bool(flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR))
        self.kind = _kind(code)
        self.params, self.receiver = _params(code, self.name, flags)
        self.wants_call = False
        self.is_defined = False
        self.count = 0
        self.written = 0
        self.probes_at_entry = ()
        # line -> probes, for the first line of a statement and each further one of it
        self.probes = None
        # line -> sites of writes that begin there
        self.sites = None
        # probes that are looked at before each line
        self.everywhere = ()
        # names that are arguments
        self.entry_watches = ()
        self.counts = None
        self.bytecode = None
        self.tracer = None
        # Nothing but its calls is wanted; how many of those noted are running.
        self.is_plain = False
        self.open = 0
        self.is_retired = False
        self.suspensions = 0
        self.is_lost = False
        # The lines before which something is done; None is each.
        self.active_lines = None

    def wants_line(self, line):
        return self.active_lines is None or line in self.active_lines

    @property
    def is_wanted(self):
        is_module = self.kind == "module"
        return (
            self.wants_call or is_module or bool(self.probes_at_entry) or bool(self.entry_watches) or self.needs_lines
        )

    @property
    def needs_lines(self):
        return bool(self.probes is not None or self.sites is not None or self.everywhere or self.counts is not None)

    def definition(self):
        line = self.code.co_firstlineno
        known = self.source and self.source.functions.get((line, self.code.co_name))
        event = {"event": "function", "id": self.id, "name": self.name, "file": self.path, "line": line}
        if known:
            event["endLine"] = known[1]
        event["params"] = [name for name, _ in self.params]
        if self.kind:
            event["kind"] = self.kind
        return event


def is_call(code):
    """Bodies of classes and comprehensions are parts of what stands around them."""
    if code.co_name in _HIDDEN:
        return False
    return code.co_name == "<module>" or bool(code.co_flags & inspect.CO_OPTIMIZED)


def _kind(code):
    flags = code.co_flags
    if flags & inspect.CO_ASYNC_GENERATOR:
        return "asyncGenerator"
    if flags & (inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE):
        return "async"
    if flags & inspect.CO_GENERATOR:
        return "generator"
    return "module" if code.co_name == "<module>" else None


def _params(code, name, flags):
    """([(shown name, variable)], variable of the receiver or None)."""
    count = code.co_argcount + code.co_kwonlyargcount
    names = list(code.co_varnames[:count])
    found = [(each, each) for each in names]
    at = count
    if flags & inspect.CO_VARARGS:
        found.insert(code.co_argcount, ("*" + code.co_varnames[at], code.co_varnames[at]))
        at += 1
    if flags & inspect.CO_VARKEYWORDS:
        found.append(("**" + code.co_varnames[at], code.co_varnames[at]))
    receiver = None
    if names and names[0] in ("self", "cls", "mcs") and code.co_argcount > 0 and "." in name:
        receiver = names[0]
        found = found[1:]
    return found, receiver
