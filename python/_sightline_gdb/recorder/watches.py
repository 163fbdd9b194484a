"""Writes to watched variables: the processor watches their places, that of a local as long as its call runs."""

import re

import gdb

from .. import expressions, frames, values

# What the processors that gdb knows can watch at once.
_MOST = 4
_MOST_BYTES = 8


class Place(gdb.Breakpoint):
    def __init__(self, watch, name, pointer, call, declared, holder):
        self.watch, self.name, self.pointer, self.call, self.declared = watch, name, pointer, call, declared
        self.holder = holder
        size = pointer.dereference().type.sizeof
        with gdb.with_parameter("language", "c"):
            super().__init__(
                "*(unsigned char (*)[%d]) %d" % (size, int(pointer)),
                type=gdb.BP_WATCHPOINT,
                wp_class=gdb.WP_WRITE,
                internal=True,
            )
        self.silent = True
        self.before = None


class Watches(object):
    def __init__(self, log, wanted):
        self._log = log
        self._wanted = wanted
        self._places = []

    def begin(self):
        """Variables that are there all the time."""
        for watch in self._wanted:
            symbol = gdb.lookup_global_symbol(watch["expression"]) or gdb.lookup_static_symbol(watch["expression"])
            if symbol is not None and symbol.is_variable and not symbol.needs_frame:
                self._add(watch, watch["expression"], symbol.value().address, None, 0, None)

    def entered(self, call, function):
        for watch in self._wanted:
            if watch.get("file") not in (None, function["file"]):
                continue
            if re.match(r"\w+$", watch["expression"]):
                self._local(watch, call)
            else:
                self._member(watch)

    def left(self, calls):
        for place in [each for each in self._places if each.call in calls and each.call is not None]:
            self._places.remove(place)
            if place.is_valid():
                place.delete()

    def _local(self, watch, call):
        frame = gdb.newest_frame()
        for symbol in _variables_of(frame):
            if symbol.print_name != watch["expression"]:
                continue
            try:
                value = symbol.value(frame)
            except (gdb.error, TypeError):
                continue
            declared = 0 if symbol.is_argument else symbol.line
            self._add(watch, symbol.print_name, value.address, call, declared, None)

    def _member(self, watch):
        try:
            value = expressions.evaluate(watch["expression"], True)
        except gdb.error:
            return
        owner = re.sub(r"(?:\.|->)\w+$", "", watch["expression"])
        try:
            holder = expressions.evaluate(owner, True)
            address = holder.referenced_value().address if _is_address(holder) else holder.address
        except gdb.error:
            address = None
        holder = None if address is None else int(address)
        self._add(watch, watch["expression"], value.address, None, 0, holder)

    def _add(self, watch, name, pointer, call, declared, holder):
        if pointer is None or any(int(each.pointer) == int(pointer) for each in self._places):
            return
        if pointer.dereference().type.sizeof > _MOST_BYTES:
            self._log.problem(name, "larger than what the processor can watch; ask for a part of it")
            return
        if len(self._places) >= _MOST:
            self._log.problem(name, "the processor watches four places at once")
            return
        try:
            place = Place(watch["id"], name, pointer, call, declared, holder)
        except gdb.error as error:
            self._log.problem(name, str(error))
            return
        if place.type != gdb.BP_HARDWARE_WATCHPOINT:
            place.delete()
            self._log.problem(name, "the processor cannot watch it")
            return
        place.before = self._shown(place)
        self._places.append(place)

    def _shown(self, place):
        return values.show(place.pointer.dereference(), self._log.value_limits)

    def written(self, place, innermost):
        before, place.before = place.before, self._shown(place)
        frame = gdb.newest_frame()
        # The processor stops behind the instruction that wrote.
        sal = gdb.find_pc_line(frame.pc() - 1)
        if not frames.is_own(frame):
            frame = frames.own_frame(frame)
            sal = None if frame is None else frame.find_sal()
        if sal is None or sal.symtab is None:
            return
        is_first = place.declared != 0 and sal.line <= place.declared
        if before == place.before and not is_first:
            return
        about = {"target": place.name, "new": {"text": place.before}, "kind": "assign"}
        if not is_first:
            about["old"] = {"text": before}
        if innermost is not None:
            about["call"] = innermost.number
        if place.holder is not None:
            about["holder"] = place.holder
        self._log.write(place.watch, sal.symtab.fullname(), sal.line, **about)


def _is_address(value):
    return value.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


def _variables_of(frame):
    """All that a function declares, in whatever block of it."""
    outer = gdb.block_for_pc(frame.function().value().address)
    found, seen = [], set()
    for item in frame.find_sal().symtab.linetable():
        if not outer.start <= item.pc < outer.end:
            continue
        block = gdb.block_for_pc(item.pc)
        while block is not None and (block.start, block.end) not in seen:
            seen.add((block.start, block.end))
            found.extend(each for each in block if each.is_variable or each.is_argument)
            if block.function is not None:
                break
            block = block.superblock
    return found
