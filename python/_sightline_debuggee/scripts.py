"""Running a script as the interpreter would, in the `__main__` that is there."""

import os
import sys


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
    main_module.__cached__ = None
    main_module.__loader__ = SourceFileLoader("__main__", path)
    exec(compile(source, path, "exec", dont_inherit=True), main_module.__dict__)
    return main_module
