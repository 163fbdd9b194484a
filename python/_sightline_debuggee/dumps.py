"""Stacks of a program whose interpreter is kept by a native call, so that no Python code of ours can run in it.

The interpreter's own fault handler writes them from a signal handler, into memory that has a file's number; the
debugger sends the signal and reads there.
"""

import faulthandler
import os
import signal

_state = {"stacks": None}


def install():
    """Once per process; a forked child has it from its parent. A program that uses the signal itself keeps it."""
    if not hasattr(os, "memfd_create") or not hasattr(faulthandler, "register"):
        return
    number = signal.SIGRTMAX - 7
    if signal.getsignal(number) not in (signal.SIG_DFL, None):
        return
    file = os.memfd_create("sightline-stacks")
    faulthandler.register(number, file=file, all_threads=True, chain=False)
    _state["stacks"] = {"signal": int(number), "file": file}


def stacks():
    return _state["stacks"]
