"""Processes that the program starts are recorded as well, each into a file of its own."""

import json
import os

import _sightline_children

_VARIABLE = "SIGHTLINE_RECORDER"
_state = {"orders": None}


def orders(here):
    """What is to be recorded, or None; `here` is the folder that holds all our Python."""
    path = _sightline_children.taken(_child_folder(here), _VARIABLE)
    if path is None:
        return None
    _state["orders"] = path
    with open(path, "rb") as stream:
        return json.loads(stream.read().decode("utf-8"))


def watch(recorder, here):
    _watch_exit(recorder)
    _sightline_children.hand_over(_child_folder(here), _VARIABLE, _state["orders"])


def _child_folder(here):
    return os.path.join(here, "recorder_child")


def _watch_exit(recorder):
    """A forked child ends without the interpreter's own end."""
    leave = os._exit

    def _exit(status):
        recorder.end()
        leave(status)

    os._exit = _exit  # ty: ignore[invalid-assignment]
