"""Python processes that a program starts find a folder of ours first; the program's own environment stays as it is."""

import os
import sys


def taken(folder, variable):
    """What was handed over, once: the variables that brought it are not the program's."""
    value = os.environ.pop(variable, None)
    kept = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each != folder]
    if any(kept):
        os.environ["PYTHONPATH"] = os.pathsep.join(kept)
    else:
        os.environ.pop("PYTHONPATH", None)
    return value


def hand_over(folder, variable, value, to=lambda command: True):
    """From now on each child whose command is one of those finds the folder, and the value in the variable."""

    def added(environment, command):
        return _environment(environment, folder, variable, value) if to(os.fsdecode(command)) else environment

    try:
        _watch_fork_exec(added)
        for name in ("posix_spawn", "posix_spawnp"):
            spawn = getattr(os, name, None)
            if spawn is not None:
                setattr(os, name, _spawning(spawn, added))
    except Exception:
        # An interpreter whose inside looks different: its children run on their own.
        pass


def is_python(command):
    return "python" in os.path.basename(command)


def make_way():
    """The `sitecustomize` that the interpreter would have found without ours runs in its place."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        sys.modules["sitecustomize"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules["sitecustomize"])


def _watch_fork_exec(added):
    import _posixsubprocess

    fork_exec = _posixsubprocess.fork_exec

    def with_folder(*args):
        args = list(args)
        # (arguments, executables, close_fds, pass_fds, cwd, environment, ...)
        if len(args) > 5 and (args[5] is None or isinstance(args[5], (list, tuple))):
            args[5] = added(args[5], args[0][0])
        return fork_exec(*args)

    _posixsubprocess.fork_exec = with_folder  # ty: ignore[invalid-assignment]
    subprocess = sys.modules.get("subprocess")
    if hasattr(subprocess, "_fork_exec"):
        subprocess._fork_exec = with_folder  # ty: ignore[missing-attribute]


def _spawning(spawn, added):
    def with_folder(path, argv, env, *args, **kwargs):
        entries = env and [os.fsencode(key) + b"=" + os.fsencode(each) for key, each in env.items()]
        found = added(entries, argv[0])
        if found is not entries:
            env = dict(each.split(b"=", 1) for each in found)
        return spawn(path, argv, env, *args, **kwargs)

    return with_folder


def _environment(environment, folder, variable, value):
    entries = [b"%s=%s" % pair for pair in os.environb.items()] if environment is None else list(environment)
    name = os.fsencode(variable) + b"="
    path = next((each[len(b"PYTHONPATH=") :] for each in entries if each.startswith(b"PYTHONPATH=")), b"")
    kept = [each for each in entries if not each.startswith((b"PYTHONPATH=", name))]
    kept.append(b"PYTHONPATH=" + os.pathsep.encode().join(each for each in (os.fsencode(folder), path) if each))
    kept.append(name + os.fsencode(value))
    return kept
