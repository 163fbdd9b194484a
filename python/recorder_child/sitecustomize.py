"""Found first by every Python that a recorded program starts: begins recording, then makes way for the real one."""

import os
import sys


def _begin():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [each for each in sys.path if os.path.abspath(each or ".") != here]
    sys.path.insert(0, os.path.dirname(here))
    try:
        from _sightline_recorder import processes, recorder, runners
    finally:
        del sys.path[0]
    orders = processes.orders(here)
    if orders is None:
        return
    run = recorder.Recorder(orders)
    runners.watch(run)
    processes.watch(run, os.path.dirname(here))
    run.begin()


try:
    _begin()
except Exception:
    # The child is the program's: it runs whether or not it can be recorded.
    pass


def _make_way():
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        sys.modules["sitecustomize"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules["sitecustomize"])


_make_way()
