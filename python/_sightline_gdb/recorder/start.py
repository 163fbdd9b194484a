"""Runs a program once under the recorder, and ends as it ended: the same exit code, or the same signal."""

import json
import os
import resource
import signal
import threading
import time

import gdb

from .. import failures, program
from . import functions, log
from .calls import Calls, Finish
from .functions import Entry
from .watches import Place, Watches

_SETTINGS = (
    "set confirm off",
    "set pagination off",
    "set print object on",
    "set print thread-events off",
    "set print inferior-events off",
    "set style enabled off",
    "set logging file /dev/null",
    "set logging redirect on",
    "set logging enabled on",
    "set startup-with-shell off",
    "set disable-randomization on",
    "set breakpoint pending off",
    "set backtrace past-main on",
    "set can-use-hw-watchpoints 1",
)
_SAVE_S = 1
_PANICS = ("rust_panic", "__rustc::rust_panic")
_THROWS = ("__cxa_throw", "__cxa_rethrow")
_CATCH = "__cxa_begin_catch"
# A child of the program may hold its pipes open for ever.
_DRAIN_S = 0.3


class _Tee(object):
    """Hands on what the program writes, and keeps the end of it: the words of a failure are there."""

    def __init__(self, category, to):
        self.category, self._to, self.tail = category, to, ""
        self.source, self.sink = os.pipe()
        os.set_inheritable(self.source, False)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.busy = threading.Lock()

    def _run(self):
        while True:
            program._wait_readable(self.source)
            with self.busy:
                data = os.read(self.source, 65536)
                self.tail = (self.tail + data.decode("utf-8", "replace"))[-8000:]
                _write_all(self._to, data)
            if not data:
                return

    def drain(self):
        """Waits until what lies in the pipe has been handed on."""
        deadline = log.now() + _DRAIN_S
        while log.now() < deadline:
            with self.busy:
                if program._unread(self.source) == 0:
                    return
            time.sleep(0.0005)


def _write_all(to, data):
    while data:
        data = data[os.write(to, data) :]


class Way(gdb.Breakpoint):
    """Where exceptions and panics come by."""

    def __init__(self, name):
        super().__init__(function=name, internal=True)
        self.silent = True
        self.name = name


class Recorder(object):
    def __init__(self, orders):
        self._log = log.Log(orders)
        self._orders = orders
        self._calls = Calls(self._log)
        self._watches = Watches(self._log, orders["watches"])
        self._stop = None
        self._exit = None
        self._saved = log.now()
        self._entries = []
        gdb.events.stop.connect(self._stopped)
        gdb.events.exited.connect(self._exited)

    def run(self, path, args, outputs):
        for setting in _SETTINGS:
            gdb.execute(setting, to_string=True)
        gdb.execute("file " + path.replace(" ", "\\ "), to_string=True)
        gdb.selected_inferior().arguments = args
        self._start(outputs)
        self._entries = functions.place_entries(self._orders["focus"])
        self._watches.begin()
        self._place_failures()
        self._stop = None
        while self._exit is None:
            gdb.execute("continue", to_string=True)
            if self._exit is None:
                began = log.now()
                self._look()
                self._log.spent(log.now() - began)
                if self._log.is_over:
                    self._leave()
        self._calls.finish()
        self._log.save()

    def _start(self, outputs):
        """The program has the outputs that we were given; what gdb itself says goes nowhere."""
        quiet = [os.dup(number) for number in (1, 2)]
        for number, replacement in zip((1, 2), outputs):
            os.dup2(replacement, number, True)
        try:
            gdb.execute("starti", to_string=True)
        finally:
            for number, original in zip((1, 2), quiet):
                os.dup2(original, number, True)
                os.close(original)

    def _place_failures(self):
        for name in (*_PANICS, *_THROWS, _CATCH):
            try:
                Way(name)
            except gdb.error:
                # The program has nothing of the kind.
                continue

    def _look(self):
        stop, self._stop = self._stop, None
        if isinstance(stop, gdb.SignalEvent):
            if stop.stop_signal in failures.FATAL:
                program.drain()
                self._calls.thrown(failures.of_signal(stop.stop_signal))
                if stop.stop_signal != "SIGTRAP":
                    self._calls.fall()
        for point in getattr(stop, "breakpoints", ()):
            self._at(point)
        self._watches.left(self._calls.ended)
        del self._calls.ended[:]
        if log.now() - self._saved > _SAVE_S:
            self._saved = log.now()
            self._log.save()

    def _at(self, point):
        if isinstance(point, Place):
            self._calls.settle()
            # A place on the stack is somebody else's when its call is over, or about to be.
            if point.call is None or not (self._calls.is_over(point.call) or self._calls.is_unwinding()):
                self._watches.written(point, self._calls.innermost())
        elif isinstance(point, Finish):
            self._calls.end()
        elif isinstance(point, Entry):
            call = self._calls.begin(point.function)
            if call is not None:
                self._watches.entered(call, point.function)
            if self._log.is_spent(point.function):
                self._log.stop_counting()
                self._calls.let_go(point.function)
                point.delete()
        elif isinstance(point, Way):
            self._on_way(point.name)

    def _on_way(self, name):
        if name == _CATCH:
            self._calls.caught()
        elif name in _PANICS:
            self._calls.thrown(failures.of_panic())
        else:
            self._calls.thrown(failures.of_throw(calls=False))

    def _leave(self):
        """Enough was seen: the program runs on as it would alone."""
        for point in gdb.breakpoints() or ():
            point.delete()
        for point in self._entries:
            if point.is_valid():
                point.delete()

    def _stopped(self, event):
        self._stop = event

    def _exited(self, event):
        self._exit = getattr(event, "exit_code", None)
        if self._exit is None:
            self._exit = -int(gdb.parse_and_eval("$_exitsignal"))


def main():
    wanted = json.loads(os.environ.pop("SIGHTLINE_RECORDED"))
    with open(os.environ.pop("SIGHTLINE_RECORDER")) as stream:
        orders = json.load(stream)
    ours = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number, True)
    tees = [_Tee(name, to) for name, to in zip(("stdout", "stderr"), ours)]
    program._readers[:] = tees
    for tee in tees:
        tee.thread.start()
    recorder = Recorder(orders)
    status = 127
    try:
        recorder.run(wanted["program"], wanted["args"], [tee.sink for tee in tees])
        status = recorder._exit
    except Exception as error:
        os.write(ours[1], ("The program could not be recorded: %s\n" % error).encode())
    for tee in tees:
        os.close(tee.sink)
        tee.thread.join(0.5)
    _end(status)


def _end(status):
    if status is not None and status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status or 0)
