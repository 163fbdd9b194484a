"""What was seen, within the limits, as the recordings of all languages hold it: one JSON object per line."""

import json
import os
import time

# Each stop costs a thousand times what a recorder inside a program would: fewer calls of one function are noted, and
# all of it together takes no longer than this.
_MOST_OF_ONE = 120
_MOST_S = 8


class Log(object):
    def __init__(self, orders):
        self.limits = orders["limits"]
        self.value_limits = {
            "maxValueChars": self.limits["maxValueChars"],
            "maxStringChars": self.limits["maxValueChars"],
            "maxItems": 8,
            "depth": 3,
        }
        self._stream = open(os.path.join(orders["folder"], "events-%d-gdb.jsonl" % os.getpid()), "w")
        self._bytes = 0
        self._seq = 0
        self._calls = 0
        self._functions = {}
        self._watches = {}
        self._places = {}
        self._dropped = {"calls": 0, "writes": 0, "samples": 0, "bytes": False, "time": False}
        self._problems = []
        self._spent_s = 0.0
        self._add({"event": "start", "pid": os.getpid()})

    def is_spent(self, function):
        """No further call of it is noted, so it need not be stopped at."""
        most = min(self.limits["maxCallsPerFunction"], _MOST_OF_ONE)
        count = self._functions.get(function["id"], 0)
        return self.is_over or count >= most or self._calls >= self.limits["maxCalls"]

    @property
    def is_over(self):
        return self._dropped["time"] or self._dropped["bytes"]

    def call(self, function, about):
        if function["id"] not in self._functions:
            self._add(dict(function, event="function"))
        self._functions[function["id"]] = self._functions.get(function["id"], 0) + 1
        self._calls += 1
        self._add(dict(about, event="call", seq=self._next(), id=self._calls, fn=function["id"]))
        return self._calls

    def returned(self, call, **about):
        self._add(dict(about, event="return", seq=self._next(), id=call))

    def write(self, watch, file, line, **about):
        self._watches[watch] = self._watches.get(watch, 0) + 1
        place = (watch, file, line)
        self._places[place] = self._places.get(place, 0) + 1
        if self._places[place] > self.limits["maxPerPlace"]:
            self._dropped["writes"] += 1
            return
        self._add(dict(about, event="write", seq=self._next(), watch=watch, file=file, line=line))

    def stop_counting(self):
        self._dropped["counts"] = True

    def problem(self, file, reason):
        if len(self._problems) < 5:
            self._problems.append({"file": file, "reason": reason})

    def spent(self, seconds):
        self._spent_s += seconds
        if self._spent_s > _MOST_S and not self._dropped["time"]:
            self._dropped["time"] = True
            self.stop_counting()

    def save(self):
        """Written again and again: of several the last counts, and a program may never end."""
        counts = {
            "event": "counts",
            "calls": self._functions,
            "dropped": self._dropped,
            "probes": {},
            "watches": self._watches,
            "problems": self._problems,
        }
        self._stream.write(json.dumps(counts) + "\n")
        self._stream.flush()

    def _next(self):
        self._seq += 1
        return self._seq

    def _add(self, event):
        line = json.dumps(event) + "\n"
        self._bytes += len(line)
        if self._bytes > self.limits["maxBytes"]:
            self._dropped["bytes"] = True
        else:
            self._stream.write(line)


def now():
    return time.monotonic()
