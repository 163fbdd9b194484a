"""The events of one process, one JSON object per line, in a file of its own.

The file is mapped into memory: what was noted is there for Sightline to read even when the program is killed or hangs,
and no file descriptor stands open that the program could close or take for its own.
"""

import collections
import json
import mmap
import os
import time

_CHUNK = 1 << 20
# The last part of the room is kept for what is written at the end: rings and counts.
_END_SHARE = 0.75
# What it takes to reach our code and to come back from it, in seconds.
_UNSEEN = 1e-6
_COUNTING_SHARE = 0.1
_COUNTING_GRACE = 0.2
# What it takes to note a call when it ends.
_LATE = 5e-5
_LATE_GRACE = 0.5


class Stream(object):
    def __init__(self, folder, limits):
        self.folder = folder
        self.limits = limits
        # Kept in the object: what pretends another time to a program goes through the names of modules.
        self.now = time.perf_counter
        self.encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
        self.started = self.now()
        self.spent = 0.0
        self.seq = 0
        self.dropped = {"calls": 0, "writes": 0, "samples": 0, "bytes": False, "time": False}
        self.rings = {}
        self.written_late = collections.Counter()
        self._grace = limits["graceMs"] / 1000.0
        # What an interpreter does more slowly around each note is as much again.
        self._share = limits["maxTimeShare"] / 2
        self.is_over = False
        self._checks = 0
        self._counting = 0.0
        self._late = 0
        self.flushed = self.started
        # Called once a second, and at the end: what writes the counts.
        self.on_flush = []
        self._open()

    def _open(self):
        self.pid = os.getpid()
        path = os.path.join(self.folder, "events-%d-%d.jsonl" % (self.pid, int(self.now() * 1e6)))
        self.path = path
        self._map = None
        self._size = 0
        self._at = 0

    def next(self):
        self.seq += 1
        return self.seq

    def is_over_time(self):
        """Whether noting has taken its part of the running time; then events are only counted."""
        if self.is_over:
            self._checks += 1
            if self._checks & 63:
                return True
        return self.check_time()

    def check_time(self):
        now = self.now()
        if now - self.flushed > 1.0:
            self.flush()
        self.is_over = self.spent > self._grace and self.spent > self._share * (now - self.started)
        if self.is_over:
            self.dropped["time"] = True
        return self.is_over

    def may_be_late(self):
        """Whether there is time for a call that was not noted when it began; there may be millions of exceptions."""
        self._late += 1
        return self._late * _LATE < _LATE_GRACE + _COUNTING_SHARE * (self.now() - self.started)

    def spend(self, started):
        self.spent += self.now() - started + _UNSEEN

    def counted(self, calls, cost):
        """So many calls were counted and not noted. Answers whether even counting has become a burden."""
        self.spent += calls * cost
        self._counting += calls * cost
        self.check_time()
        return self._counting > _COUNTING_GRACE + _COUNTING_SHARE * (self.now() - self.started)

    def ring(self, name):
        found = self.rings.get(name)
        if found is None:
            found = self.rings[name] = collections.deque(maxlen=self.limits["ring"])
        return found

    def write(self, event, is_end=False):
        """Whether there was room."""
        data = (self.encode(event) + "\n").encode("utf-8", "surrogatepass")
        room = self.limits["maxBytes"] * (1 if is_end else _END_SHARE)
        if self._at + len(data) > room:
            self.dropped["bytes"] = True
            return False
        if self._at + len(data) > self._size:
            self._grow(len(data))
        self._map[self._at : self._at + len(data)] = data  # ty: ignore[invalid-assignment]
        self._at += len(data)
        return True

    def _grow(self, needed):
        """Another chunk is mapped from the start: resizing a mapping is not possible on every system."""
        self._size = (self._at + needed + _CHUNK - 1) // _CHUNK * _CHUNK
        if self._map is not None:
            self._map.close()
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            os.ftruncate(descriptor, self._size)
            self._map = mmap.mmap(descriptor, self._size)
        finally:
            os.close(descriptor)

    def flush(self, is_end=False):
        self.flushed = self.now()
        for name, ring in self.rings.items():
            while ring:
                cell = ring.popleft()
                self.written_late[name] += bool(self.write(cell[0], is_end))
                if len(cell) > 1 and cell[1] is not None:
                    self.write(cell[1], is_end)
        for each in self.on_flush:
            each(is_end)

    def close(self):
        """At the end of the process: the file gets the length of what is in it."""
        if self.pid != os.getpid():
            return
        self.flush(is_end=True)
        if self._map is not None:
            self._map.flush()
            self._map.close()
            self._map = None
            os.truncate(self.path, self._at)
            self._size = self._at

    def after_fork(self):
        """A forked child begins a file of its own; what its parent has kept is the parent's to write."""
        self.rings.clear()
        self._open()
