"""Frames, scopes and values that stay valid as long as the program stands still, whatever is called meanwhile."""

import os
import re

import gdb

from . import values

_PER_THREAD = 100000
# Deeper stacks are walked no further: a recursion without end has millions of frames.
_DEEPEST = 2000

# What holds the variables of each reference, and the id of the frame they are of: values are shown in its language.
_references = []
_selected = [None]


def forget():
    del _references[:]
    _selected[0] = None


def frame_at(frame_id):
    """The frame of an id, selected: expressions and the language are those of the selected frame."""
    number, level = divmod(frame_id, _PER_THREAD)
    select_thread(number)
    frame = gdb.newest_frame()
    for _ in range(level):
        frame = frame.older()
        if frame is None:
            raise gdb.GdbError("That frame is gone.")
    frame.select()
    _selected[0] = frame_id
    return frame


def select_thread(number):
    current = gdb.selected_thread()
    if current is not None and current.global_num == number:
        return
    for thread in gdb.selected_inferior().threads():
        if thread.global_num == number:
            thread.switch()
            return
    raise gdb.GdbError("Thread %d is gone." % number)


def stack(number, start, count):
    select_thread(number)
    told = []
    frame = gdb.newest_frame()
    level = 0
    while frame is not None and level < _DEEPEST and (count == 0 or level < start + count):
        if level >= start:
            told.append(_told_frame(frame, number * _PER_THREAD + level))
            # What the test harness of Rust wraps around each test has the test's own name.
            if len(told) > 1 and told[-1]["name"] == told[-2]["name"] + "::{closure#0}":
                told[-1]["presentationHint"] = "subtle"
        try:
            frame = frame.older()
        except gdb.error:
            break
        level += 1
    gdb.newest_frame().select()
    return {"stackFrames": told}


def _told_frame(frame, frame_id):
    told = {"id": frame_id, "name": function_name(frame), "line": 0, "column": 0}
    path = path_of(frame)
    if path is not None:
        told["line"] = frame.find_sal().line
        told["source"] = {"name": os.path.basename(path), "path": path}
    if not is_own(frame):
        told["presentationHint"] = "subtle"
    return told


def function_name(frame):
    name = frame.name()
    if name is None:
        return "0x%x" % frame.pc()
    # Rust tells closures and generic arguments apart by what no source has.
    return re.sub(r"::h[0-9a-f]{16}$", "", re.sub(r"::\{(closure|async_fn|async_block)_env#\d+\}", r"::{\1}", name))


def path_of(frame):
    table = frame.find_sal().symtab
    return None if table is None else table.fullname()


_LIBRARY = re.compile(
    r"^/usr/(?!src/app)|^/rustc/|/\.cargo/(registry|git)/|/\.rustup/|/rustlib/|^/build/|/gtest/|/_deps/"
)


def is_library_path(path):
    return _LIBRARY.search(path) is not None or not os.path.exists(path)


def is_own(frame):
    path = path_of(frame)
    return path is not None and not is_library_path(path)


def own_frame(frame):
    """The first frame of the person's own code, from here outwards."""
    for _ in range(200):
        if frame is None or is_own(frame):
            return frame
        try:
            frame = frame.older()
        except gdb.error:
            return None
    return None


def scopes(frame_id):
    frame = frame_at(frame_id)
    arguments, local = _variables_of(frame)
    told = []
    for name, hint, variables in (("Arguments", "arguments", arguments), ("Locals", "locals", local)):
        if variables:
            told.append(_scope(name, hint, _Named(variables)))
    registers = [(each.name, each) for each in frame.architecture().registers()]
    told.append(dict(_scope("Registers", "registers", _Registers(frame_id, registers)), expensive=True))
    globals_ = _globals_of(frame)
    if globals_:
        told.append(dict(_scope("Globals", "globals", _Named(globals_)), expensive=True))
    return {"scopes": told}


def _scope(name, hint, holder):
    return {
        "name": name,
        "presentationHint": hint,
        "variablesReference": _remember(holder),
        "expensive": False,
        "namedVariables": len(holder.variables),
    }


def arguments_of(frame):
    return _variables_of(frame)[0]


def _variables_of(frame):
    """What the frame has by now: arguments, and locals whose declaration lies behind."""
    try:
        block = frame.block()
    except RuntimeError:
        return [], []
    arguments, local, seen = [], [], set()
    here = _Place(frame)
    while block is not None and not (block.is_global or block.is_static):
        for symbol in block:
            if symbol.name in seen or not (symbol.is_argument or symbol.is_variable):
                continue
            if symbol.is_argument:
                seen.add(symbol.name)
                value = _value_of(symbol, frame)
                if symbol.name != "this" or _has_members(value):
                    arguments.append((symbol.print_name, value))
            elif symbol.addr_class != gdb.SYMBOL_LOC_STATIC and here.has(symbol) and not here.is_made(symbol):
                seen.add(symbol.name)
                if not symbol.name.startswith("__for_"):
                    local.append((symbol.print_name, _value_of(symbol, frame)))
        if block.function is not None:
            break
        block = block.superblock
    return arguments, local


def _value_of(symbol, frame):
    try:
        return symbol.value(frame)
    except (gdb.error, TypeError) as error:
        return gdb.Value("<%s>" % error)


def _has_members(this):
    try:
        return bool(values.members(this.referenced_value()))
    except (gdb.error, TypeError):
        return True


class _Place(object):
    """Compilers of C and C++ say that a local exists from the start of its function on, when it holds anything."""

    def __init__(self, frame):
        sal = frame.find_sal()
        self.table = sal.symtab
        self.line = sal.line
        self.pc = frame.pc()
        self.is_exact = frame.language() == "rust"

    def has(self, symbol):
        if self.is_exact or symbol.symtab is None or self.table is None:
            return True
        if symbol.symtab.fullname() != self.table.fullname() or symbol.line < self.line:
            return True
        if symbol.line > self.line:
            return False
        return self._is_loop() and self.pc != self._first_pc()

    def is_made(self, symbol):
        """By a macro of a library: nobody has written its name here."""
        if not self.is_exact or self.table is None or not symbol.name.isidentifier():
            return False
        text = self._text()
        return text != "" and re.search(r"\b%s\b" % symbol.name, text) is None

    def _text(self):
        try:
            with open(self.table.fullname(), "r", errors="replace") as source:
                return source.read()
        except OSError:
            return ""

    def _is_loop(self):
        lines = self._text().split("\n")
        return re.match(r"\s*(for|while|if|switch)\b", "".join(lines[self.line - 1 : self.line])) is not None

    def _first_pc(self):
        places = [entry.pc for entry in self.table.linetable().line(self.line) or ()]
        return min(places) if places else None


def _globals_of(frame):
    try:
        block = frame.block().static_block
    except (RuntimeError, AttributeError):
        return []
    found = []
    for scope in (block, block.superblock if block is not None else None):
        for symbol in scope or ():
            if symbol.is_variable and len(found) < 200 and not is_library_path(symbol.symtab.fullname()):
                found.append((symbol.print_name, _value_of(symbol, frame)))
    return found


def _remember(holder):
    _references.append((holder, _selected[0]))
    return len(_references)


class _Named(object):
    def __init__(self, variables):
        self.variables = variables

    def page(self, start, count):
        return self.variables[start : start + count if count else None]


class _Registers(object):
    def __init__(self, frame_id, variables):
        self.frame_id = frame_id
        self.variables = variables

    def page(self, start, count):
        frame = frame_at(self.frame_id)
        part = self.variables[start : start + count if count else None]
        return [(name, frame.read_register(register)) for name, register in part]


class _Inside(object):
    """The children of a value, as its printer or its type has them."""

    def __init__(self, value):
        self.value = value

    def page(self, start, count):
        return list(inside(self.value, start, count or 200))


def inside(value, start, count):
    variant = values.variant_of(value)
    if variant is not None:
        value = variant[1]
    kind = value.type.strip_typedefs()
    printer = values.printer_of(value)
    if printer is not None and hasattr(printer, "children"):
        children = values.children_of(printer, (start + count) * 2)
        if values.hint_of(printer) == "map":
            limits = dict(values.DEFAULT_LIMITS, maxValueChars=60)
            children = [("[%s]" % values.show(k[1], limits), v[1]) for k, v in zip(children[::2], children[1::2])]
        elif len(children) == 1 and children[0][0] in ("get()", "[contained value]"):
            return inside(children[0][1], start, count)
        return children[start : start + count]
    if kind.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        target = values._as_made(value, kind)
        if target.type.strip_typedefs().code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            return inside(target, start, count)
        return [("*", target)][start : start + count]
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        return [("[%d]" % at, value[at]) for at in range(low + start, min(low + start + count, high + 1))]
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return [(re.sub(r"^__(\d+)$", r"\1", name), each) for name, each in values.members(value)][
            start : start + count
        ]
    return []


def has_inside(value):
    try:
        kind = value.type.strip_typedefs()
        printer = values.printer_of(value)
        if printer is not None:
            return hasattr(printer, "children") and values.hint_of(printer) != "string"
        if kind.code == gdb.TYPE_CODE_PTR:
            target = kind.target().strip_typedefs()
            return int(value) != 0 and target.code not in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_INT)
        return kind.code in (
            gdb.TYPE_CODE_ARRAY,
            gdb.TYPE_CODE_STRUCT,
            gdb.TYPE_CODE_UNION,
            gdb.TYPE_CODE_REF,
            gdb.TYPE_CODE_RVALUE_REF,
        )
    except gdb.error:
        return False


def told(name, value, limits, result_name="value"):
    shown = {
        "name": name,
        result_name: values.show(value, limits),
        "type": values.type_name(value),
        "variablesReference": _remember(_Inside(value)) if has_inside(value) else 0,
    }
    printer = values.printer_of(value)
    if printer is not None and values.hint_of(printer) == "array":
        count = values.count_of(printer)
        if count is not None:
            shown["indexedVariables"] = count
    return shown


def variables(reference, start, count, limits):
    if not 0 < reference <= len(_references):
        raise gdb.GdbError("That value was of an earlier stop.")
    holder, frame_id = _references[reference - 1]
    if frame_id is not None:
        frame_at(frame_id)
    page = holder.page(start, count)
    return {"variables": [told(name, value, limits) for name, value in page]}
