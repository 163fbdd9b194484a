"""Found first by every Python that a probed test starts when nothing is to be watched in it but its failure.

The debugger is loaded when the process fails, so that those that end well cost what they cost without us.
"""

import os
import sys


def _begin():
    folder = os.path.dirname(os.path.abspath(__file__))
    here = os.path.dirname(folder)
    sys.path[:] = [each for each in sys.path if os.path.abspath(each or ".") != folder]
    sys.path.insert(0, here)
    try:
        import _sightline_children
    finally:
        del sys.path[0]
    path = _sightline_children.taken(folder, "SIGHTLINE_LATE_CHILD")
    if path is not None:
        _sightline_children.hand_over(folder, "SIGHTLINE_LATE_CHILD", path, _sightline_children.is_python)
        if "--multiprocessing-fork" in getattr(sys, "orig_argv", ()):
            _joined(here, path)
        else:
            _watch(here, path)
    _sightline_children.make_way()


def _watch(here, path):
    previous = sys.excepthook

    def hook(kind, error, traceback):
        if issubclass(kind, Exception):
            launch = _joined(here, path)
            if launch is not None:
                launch.stop_at_failure(kind, error, traceback)
        previous(kind, error, traceback)

    sys.excepthook = hook


def _joined(here, path):
    """The debugger in this process, or None when it cannot be had: the process is the program's, and goes on."""
    sys.path.insert(0, here)
    try:
        import launch

        launch.join(path)
        return launch
    except Exception:
        return None
    finally:
        sys.modules.pop("launch", None)
        if here in sys.path:
            sys.path.remove(here)


_begin()
