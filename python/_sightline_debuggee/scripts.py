"""Running a script as the interpreter would, in the `__main__` that is there."""

import os
import sys

# Where in `sys.orig_argv` the launcher stands, behind the interpreter and its options.
_state = {"first": len(getattr(sys, "orig_argv", [])) - 1}


def run_script(path):
    if os.path.isdir(path) or not path.endswith((".py", ".pyw")):
        import runpy

        runpy.run_path(path, run_name="__main__")
        return sys.modules["__main__"]
    from importlib.machinery import SourceFileLoader

    with open(path, "rb") as stream:
        source = stream.read()
    main_module = sys.modules["__main__"]
    main_module.__file__ = path
    main_module.__cached__ = None  # ty: ignore[missing-attribute]
    main_module.__loader__ = SourceFileLoader("__main__", path)
    exec(compile(source, path, "exec", dont_inherit=True), main_module.__dict__)
    return main_module


def name_command(arguments):
    """`sys.argv` and `sys.orig_argv` as they were if the interpreter had been started with these arguments."""
    sys.argv = arguments[1:] if arguments[0] == "-m" else list(arguments)
    if hasattr(sys, "orig_argv"):
        # Programs that restart themselves, as reloaders do, start what stands there.
        sys.orig_argv[_state["first"] :] = arguments


def name_command_of_child():
    """A child process was started through pydevd: `python pydevd.py --port 1 --module --file name arguments`."""
    arguments = getattr(sys, "orig_argv", [])
    starter = next((index for index, each in enumerate(arguments) if os.path.basename(each) == "pydevd.py"), None)
    if starter is None or "--file" not in arguments[starter:]:
        return
    file = arguments.index("--file", starter)
    is_module = "--module" in arguments[starter:file]
    sys.orig_argv[starter:] = (["-m"] if is_module else []) + arguments[file + 1 :]
