"""Found first by every Python that a recorded program starts: begins recording, then makes way for the real one."""

import os
import sys


def _begin():
    folder = os.path.dirname(os.path.abspath(__file__))
    here = os.path.dirname(folder)
    sys.path[:] = [each for each in sys.path if os.path.abspath(each or ".") != folder]
    sys.path.insert(0, here)
    try:
        import _sightline_children
        from _sightline_recorder import processes, recorder, runners
    finally:
        del sys.path[0]
    try:
        orders = processes.orders(here)
        if orders is not None:
            run = recorder.Recorder(orders)
            runners.watch(run)
            processes.watch(run, here)
            run.begin()
    except Exception:
        # The child is the program's: it runs whether or not it can be recorded.
        pass
    _sightline_children.make_way()


_begin()
