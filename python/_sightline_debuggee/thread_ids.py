"""Names for threads. pydevd names them by their address and keeps each for ever, so that none gets the name of another;
but then a program that waits for a thread, and what it holds, to be gone waits in vain. Ours are counted instead.
"""

import itertools

_numbers = itertools.count(1)


def install():
    from _pydevd_bundle import pydevd_constants

    def compute(thread, is_current_thread):
        with pydevd_constants._thread_id_lock:
            name = getattr(thread, "__pydevd_id__", None)
            if name is None:
                name = "pid_%s_id_%s" % (pydevd_constants.get_pid(), next(_numbers))
                thread.__pydevd_id__ = name
        return name

    pydevd_constants._get_or_compute_thread_id_with_lock = compute
