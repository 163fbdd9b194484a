"""Processes that the program starts are recorded as well, each into a file of its own."""

import json
import os
import sys

_VARIABLE = "SIGHTLINE_RECORDER"
_state = {"orders": None}


def orders(child_folder=None):
    """The orders, once: the variables that brought them are not the program's."""
    path = os.environ.pop(_VARIABLE, None)
    if child_folder is not None:
        _forget_folder(child_folder)
    if path is None:
        return None
    _state["orders"] = path
    with open(path, "rb") as stream:
        return json.loads(stream.read().decode("utf-8"))


def _forget_folder(folder):
    kept = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each != folder]
    if any(kept):
        os.environ["PYTHONPATH"] = os.pathsep.join(kept)
    else:
        os.environ.pop("PYTHONPATH", None)


def watch(recorder, here):
    folder = os.path.join(here, "recorder_child")
    _watch_exit(recorder)
    try:
        _watch_exec(folder)
    except Exception:
        # An interpreter whose inside looks different: its children run unrecorded.
        pass


def _watch_exit(recorder):
    """A forked child ends without the interpreter's own end."""
    leave = os._exit

    def _exit(status):
        recorder.end()
        leave(status)

    os._exit = _exit  # ty: ignore[invalid-assignment]


def _watch_exec(folder):
    """Children get the two variables; the program's own environment stays as it is."""
    import _posixsubprocess

    _watch_spawn(folder)
    fork_exec = _posixsubprocess.fork_exec

    def with_recorder(*args):
        args = list(args)
        # (arguments, executables, close_fds, pass_fds, cwd, environment, ...)
        if len(args) > 5 and (args[5] is None or isinstance(args[5], (list, tuple))):
            args[5] = _environment(args[5], folder)
        return fork_exec(*args)

    _posixsubprocess.fork_exec = with_recorder  # ty: ignore[invalid-assignment]
    subprocess = sys.modules.get("subprocess")
    if hasattr(subprocess, "_fork_exec"):
        subprocess._fork_exec = with_recorder  # ty: ignore[missing-attribute]


def _watch_spawn(folder):
    """The other way to start a child."""
    for name in ("posix_spawn", "posix_spawnp"):
        spawn = getattr(os, name, None)
        if spawn is not None:
            setattr(os, name, _spawning(spawn, folder))


def _spawning(spawn, folder):
    def with_recorder(path, argv, env, *args, **kwargs):
        entries = env and [os.fsencode(key) + b"=" + os.fsencode(value) for key, value in env.items()]
        found = dict(each.split(b"=", 1) for each in _environment(entries, folder))
        return spawn(path, argv, found, *args, **kwargs)

    return with_recorder


def _environment(environment, folder):
    entries = [b"%s=%s" % pair for pair in os.environb.items()] if environment is None else list(environment)
    path = next((each[len(b"PYTHONPATH=") :] for each in entries if each.startswith(b"PYTHONPATH=")), b"")
    kept = [each for each in entries if not each.startswith((b"PYTHONPATH=", _VARIABLE.encode() + b"="))]
    kept.append(b"PYTHONPATH=" + os.pathsep.encode().join(each for each in (os.fsencode(folder), path) if each))
    kept.append(_VARIABLE.encode() + b"=" + os.fsencode(_state["orders"]))  # ty: ignore[invalid-argument-type]
    return kept
