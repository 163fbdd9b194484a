"""How much the program has printed: by that a log message finds its place in the output, which comes another way."""

import io
import os
import sys

_state = {"stream": None, "pid": None, "kept": None, "children": None}


class _Counting(io.FileIO):
    count = 0

    def write(self, data):
        written = io.FileIO.write(self, data)
        self.count += written or 0
        return written


def install():
    """Before the program begins; only what is printed through ``sys.stdout`` into a pipe is counted."""
    old = sys.stdout
    try:
        is_buffered = type(old.buffer) is io.BufferedWriter
        if type(old) is not io.TextIOWrapper or not (is_buffered or type(old.buffer) is io.FileIO) or old.isatty():
            return
        old.flush()
        raw = _Counting(old.fileno(), "wb", closefd=False)
        raw.name = "<stdout>"
        new = io.TextIOWrapper(
            io.BufferedWriter(raw) if is_buffered else raw,
            encoding=old.encoding,
            errors=old.errors,
            line_buffering=old.line_buffering,
            write_through=not is_buffered,
        )
        new.mode = "w"  # ty: ignore[invalid-assignment]
    except (OSError, ValueError, AttributeError):
        return
    # Whoever closes the old one closes what both print to.
    _state.update(stream=raw, pid=os.getpid(), kept=old, children=_of_children())
    if sys.__stdout__ is old:
        sys.__stdout__ = new
    sys.stdout = new


def byte_count():
    """None where others may have printed too."""
    if _state["stream"] is None or _state["pid"] != os.getpid():
        return None
    if _state["children"] is None or _state["children"] != _of_children():
        return None
    return _state["stream"].count


def _of_children():
    """What the system has noted of children that are over; whoever started us in our place may have had some."""
    try:
        import resource
    except ImportError:
        return None
    return tuple(resource.getrusage(resource.RUSAGE_CHILDREN))
