"""The calls that each thread is in, as far as they are noted."""

import gdb

from .. import frames, values

_STRUCTS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
_POINTERS = (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


# Arguments that compilers of C++ add.
MADE_UP = ("__in_chrg", "__vtt_parm")


class Finish(gdb.FinishBreakpoint):
    """The return of a call, which tells what it gave."""

    def __init__(self, frame):
        super().__init__(frame, internal=True)
        self.silent = True


class Call(object):
    def __init__(self, number, function, top, given):
        self.number = number
        self.function = function
        # The stack pointer of its caller: while it runs, the stack reaches deeper.
        self.top = top
        self.given = given
        self.finish = None


class Calls(object):
    def __init__(self, log):
        self._log = log
        self._open = {}
        # What was thrown in each thread and not yet seen to be caught.
        self._thrown = {}
        self.ended = []

    def innermost(self):
        open_calls = self._of_thread()
        return open_calls[-1] if open_calls else None

    def begin(self, function):
        frame = gdb.newest_frame()
        caller = frame.older()
        if caller is None:
            return None
        open_calls = self.settle()
        parent = open_calls[-1] if open_calls else None
        top = int(caller.read_register("sp"))
        if parent is not None and parent.top == top:
            # The first line of a loop comes by here again.
            return None
        given = [each for each in self._given(frame) if each["name"] != "this" or not _is_maker(function["name"])]
        self_value = next((each for each in given if each["name"] == "this"), None)
        about = {"args": [each["value"] for each in given if each is not self_value]}
        if self_value is not None:
            about["self"] = self_value["value"]
        if parent is not None:
            about["parent"] = parent.number
            line = self._line_in(caller, parent)
            if line:
                about["from"] = line
        thread = gdb.selected_thread()
        if thread.num > 1:
            about["task"] = "thread %d" % thread.num
        call = Call(self._log.call(function, about), function, top, given)
        try:
            call.finish = Finish(frame)
        except (ValueError, gdb.error):
            pass
        open_calls.append(call)
        return call

    def end(self):
        """A call has returned. In a recursion gdb names all that wait at that place: the stack tells which it is."""
        open_calls = self._of_thread()
        here = int(gdb.newest_frame().read_register("sp"))
        call = next((each for each in open_calls if each.top == here), None)
        if call is None or call.finish is None:
            return
        while open_calls[-1] is not call:
            self._lose(open_calls, gdb.selected_thread().num)
        open_calls.pop()
        value = call.finish.return_value
        text = "void" if value is None else values.show(value, self._log.value_limits)
        changed, was = self._changes(call)
        about = {"changed": changed, "was": was} if changed else {}
        self._log.returned(call.number, value={"text": text}, **about)
        self.ended.append(call)

    def thrown(self, failure):
        """What leaves the calls from now on, until it is seen where it ended."""
        thread = gdb.selected_thread().num
        # An exception that nobody catches ends by a signal, which says less.
        if failure["type"] == "SIGABRT" and thread in self._thrown:
            return
        text = ": ".join(part for part in (failure["type"], failure["message"]) if part)
        own = frames.own_frame(gdb.newest_frame())
        line = own.find_sal().line if own is not None else 0
        self._thrown[thread] = {"text": text, "line": line}

    def fall(self):
        """The thread dies: everything that it is in ends by what was thrown."""
        open_calls = self._of_thread()
        while open_calls:
            self._lose(open_calls, gdb.selected_thread().num)

    def finish(self):
        """The program is over. What a panic has left was not seen to end."""
        for thread, open_calls in self._open.items():
            while open_calls and thread in self._thrown:
                self._lose(open_calls, thread)

    def let_go(self, function):
        """Of a recursion, the returns inside it are passed by all the calls that are not noted any more."""
        for open_calls in self._open.values():
            for call in [each for each in open_calls if each.function is function][1:]:
                if call.finish is not None and call.finish.is_valid():
                    call.finish.delete()

    def is_unwinding(self):
        return gdb.selected_thread().num in self._thrown

    def is_over(self, call, frame=None):
        return int((frame or gdb.newest_frame()).read_register("sp")) >= call.top

    def settle(self, frame=None):
        """Calls that the stack does not reach any more are over: an exception has left them, or a jump."""
        open_calls = self._of_thread()
        while open_calls and self.is_over(open_calls[-1], frame):
            self._lose(open_calls, gdb.selected_thread().num)
        return open_calls

    def _lose(self, open_calls, thread):
        call = open_calls.pop()
        thrown = self._thrown.get(thread)
        if thrown is None:
            self._log.returned(call.number, value={"text": "(result not noted)"})
        else:
            about = {"line": thrown["line"]} if thrown["line"] else {}
            self._log.returned(call.number, threw={"text": thrown["text"]}, **about)
            thrown["line"] = 0
        if call.finish is not None and call.finish.is_valid():
            call.finish.delete()
        self.ended.append(call)

    def caught(self):
        """The frame that catches has called what we stand in: what it had called before is over."""
        self.settle(gdb.newest_frame().older())
        self._thrown.pop(gdb.selected_thread().num, None)

    def _of_thread(self):
        return self._open.setdefault(gdb.selected_thread().num, [])

    def _line_in(self, frame, parent):
        """The line of the parent that leads here; what lies between is not noted."""
        for _ in range(60):
            outer = frame.older()
            if outer is None or int(outer.read_register("sp")) >= parent.top:
                break
            frame = outer
        return frame.find_sal().line

    def _given(self, frame):
        given = []
        for symbol in frame.function().symtab and gdb.block_for_pc(frame.function().value().address) or ():
            if not symbol.is_argument or symbol.name in MADE_UP:
                continue
            try:
                value = symbol.value(frame)
            except (gdb.error, TypeError) as error:
                given.append({"name": symbol.print_name, "value": {"text": "<%s>" % error}, "place": None, "text": ""})
                continue
            place = _pointed(value)
            shown = {"text": values.show(value, self._log.value_limits)}
            if place is not None:
                shown["object"] = int(place)
            given.append({"name": symbol.print_name, "value": shown, "place": place, "text": self._inside(place)})
        return given

    def _inside(self, place):
        return "" if place is None else values.show(place.dereference(), self._log.value_limits)

    def _changes(self, call):
        changed, was = {}, {}
        for each in call.given:
            text = self._inside(each["place"])
            if text != each["text"]:
                changed[each["name"]] = {"text": text}
                was[each["name"]] = {"text": each["text"]}
        return changed, was


def _is_maker(name):
    """A constructor, or what ends an object: before the one and after the other there is nothing to look at."""
    parts = name.split("::")
    return len(parts) > 1 and parts[-1].lstrip("~") == parts[-2].split("<")[0]


def _pointed(value):
    """The place of a struct or container that was handed over by address."""
    try:
        kind = value.type.strip_typedefs()
        if kind.code not in _POINTERS or kind.target().strip_typedefs().code not in _STRUCTS:
            return None
        target = value.referenced_value()
        return None if target.address is None or int(target.address) == 0 else target.address
    except gdb.error:
        return None
