"""The program's three pipes. Each output is told as what it is, and before the stop or the end that follows it."""

import codecs
import fcntl
import os
import struct
import termios
import threading
import time

import gdb
from gdb.dap.server import send_event
from gdb.dap.startup import start_thread

_KEPT = 8000
# A child of the program may hold its pipes open for ever.
_DRAIN_S = 0.3


class _Reader(object):
    def __init__(self, category):
        self.category = category
        self.tail = ""
        self.source, self.sink = os.pipe()
        os.set_inheritable(self.source, False)
        self.busy = threading.Lock()
        self.over = threading.Event()

    def run(self):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            data = b""
            try:
                # Held from before the bytes leave the pipe until they are told.
                _wait_readable(self.source)
                with self.busy:
                    data = os.read(self.source, 65536)
                    text = decoder.decode(data, final=not data)
                    if text:
                        self.tail = (self.tail + text)[-_KEPT:]
                        send_event("output", {"category": self.category, "output": text})
            except OSError:
                pass
            if not data:
                self.over.set()
                return

    def drain(self):
        """Waits until what lies in the pipe has been told."""
        deadline = time.monotonic() + _DRAIN_S
        while time.monotonic() < deadline and not self.over.is_set():
            with self.busy:
                if _unread(self.source) == 0:
                    return
            time.sleep(0.0005)


def _wait_readable(source):
    import select

    select.select([source], [], [])


def _unread(source):
    return struct.unpack("i", fcntl.ioctl(source, termios.FIONREAD, b"\0\0\0\0"))[0]


_readers = []
_input = None


def run(command):
    """Starts the program with pipes of its own; gdb's own words go nowhere meanwhile."""
    global _input
    source, _input = os.pipe()
    os.set_inheritable(_input, False)
    _readers[:] = [_Reader("stdout"), _Reader("stderr")]
    saved = [os.dup(number) for number in range(3)]
    for number, replacement in enumerate([source, _readers[0].sink, _readers[1].sink]):
        os.dup2(replacement, number, True)
    try:
        gdb.execute(command, from_tty=False, to_string=True)
    finally:
        for number, original in enumerate(saved):
            os.dup2(original, number, True)
            os.close(original)
        for used in (source, _readers[0].sink, _readers[1].sink):
            os.close(used)
    for reader in _readers:
        start_thread("%s reader" % reader.category, reader.run)


def drain():
    for reader in _readers:
        reader.drain()


def wait_for_end():
    for reader in _readers:
        reader.over.wait(_DRAIN_S)


def printed(category):
    """The end of what the program has written."""
    for reader in _readers:
        if reader.category == category:
            return reader.tail
    return ""


def write_input(text):
    if _input is None:
        raise gdb.GdbError("The program was not started here, so it takes no input from here.")
    os.write(_input, text.encode("utf-8"))
