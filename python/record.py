"""Starts a Python program with a recorder inside: ``python record.py``, what to run in SIGHTLINE_RECORDED.

The program sees what it would see without us: its own ``__main__``, ``sys.argv``, ``sys.path`` and environment.
"""

import json
import os
import sys


def main():
    program = json.loads(os.environ.pop("SIGHTLINE_RECORDED"))
    here = os.path.dirname(os.path.abspath(__file__))
    safe_path = sys.flags.isolated or getattr(sys.flags, "safe_path", False)
    if not safe_path and sys.path and os.path.abspath(sys.path[0]) == here:
        del sys.path[0]
    sys.path.insert(0, here)
    try:
        from _sightline_debuggee import scripts, test_runs
        from _sightline_recorder import processes, recorder, runners
    finally:
        sys.path.remove(here)
    is_module = program["kind"] == "module"
    scripts.name_command((["-m"] if is_module else []) + [program["target"]] + program["args"])
    _prepare(program, safe_path)
    run = recorder.Recorder(processes.orders(here))
    runners.watch(run)
    processes.watch(run, here)
    run.begin()
    try:
        if program["kind"] == "test":
            test_runs.run(program["target"], program.get("test") or {}, program["args"], lambda *_, **__: None)
        elif is_module:
            import runpy

            runpy._run_module_as_main(program["target"])  # ty: ignore[missing-attribute]
        else:
            scripts.run_script(program["target"])
    except Exception:
        _end_with_traceback()


def _prepare(program, safe_path):
    import types

    main_module = types.ModuleType("__main__")
    main_module.__builtins__ = __builtins__  # ty: ignore[missing-attribute]
    sys.modules["__main__"] = main_module
    for stream in (sys.stdout, sys.stderr):
        # What a program has printed before it hangs or is ended is part of the answer.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True)  # ty: ignore[call-non-callable]
    if not safe_path:
        entry = os.getcwd() if program["kind"] != "file" else os.path.dirname(os.path.realpath(program["target"]))
        sys.path.insert(0, entry)


def _end_with_traceback():
    """Prints what the interpreter would print, without our own frames, and ends with its status."""
    kind, error, traceback = sys.exc_info()
    here = os.path.dirname(os.path.abspath(__file__)) + os.sep
    while traceback is not None and os.path.abspath(traceback.tb_frame.f_code.co_filename).startswith(here):
        traceback = traceback.tb_next
    sys.excepthook(kind, error.with_traceback(traceback), traceback)  # ty: ignore[invalid-argument-type]
    sys.exit(1)


if __name__ == "__main__":
    main()
