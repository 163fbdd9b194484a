"""Puts our answers in the place of gdb's for the requests where those have gaps."""

import os
import sys

import gdb
from gdb.dap import launch as gdb_launch
from gdb.dap import breakpoint as gdb_breakpoint
from gdb.dap import events
from gdb.dap.server import request, send_gdb, send_gdb_with_response

from . import asserted, expressions, frames, points, program, stops, values, watches

# The package has a variable of the same name.
server = sys.modules["gdb.dap.server"]

for _name in (
    "setBreakpoints setFunctionBreakpoints setExceptionBreakpoints launch attach stackTrace scopes variables evaluate "
    "setExpression setVariable threads"
).split():
    server._commands.pop(_name)

server._capabilities.update(
    {
        "supportsExceptionInfoRequest": True,
        "supportsSetVariable": False,
        "supportsDataBreakpoints": True,
        "exceptionBreakpointFilters": [
            {"filter": "uncaught", "label": "Panics, fatal signals and uncaught exceptions"},
            {"filter": "caught", "label": "C++ exceptions, when thrown"},
        ],
    }
)


def _discard(self):
    """What gdb itself says goes nowhere: the program has pipes of its own."""
    while self._child_stream.readline():
        pass


server.Server._read_inferior_output = _discard

for _registry, _theirs in (
    (gdb.events.breakpoint_created, gdb_breakpoint._bp_created),
    (gdb.events.breakpoint_modified, gdb_breakpoint._bp_modified),
    (gdb.events.breakpoint_deleted, gdb_breakpoint._bp_deleted),
):
    _registry.disconnect(_theirs)
gdb.events.breakpoint_modified.connect(points.changed)
stops.install()

for _setting in (
    "set print object on",
    "set confirm off",
    "set breakpoint pending on",
    "set print thread-events off",
    "set style enabled off",
    "set backtrace past-main off",
    "set print frame-arguments none",
    "set disable-randomization on",
):
    gdb.execute(_setting, to_string=True)
# Stepping into a call stops in the person's own code, not in that of a library.
for _pattern in ("/usr/include/*", "/usr/lib/*", "/rustc/*", "*/.cargo/registry/*", "*/.rustup/*", "*/rustlib/*"):
    gdb.execute("skip -gfi %s" % _pattern, to_string=True)


def _leaving(name):
    answer = server._commands[name]

    def leave_and(**args):
        send_gdb_with_response(lambda: stops.leaving(name))
        return answer(**args)

    server._commands[name] = leave_and


for _name in ("next", "stepIn", "stepOut", "continue"):
    _leaving(_name)


def _limits(sightline):
    return dict(values.DEFAULT_LIMITS, **((sightline or {}).get("limits") or {}))


@request("setBreakpoints", expect_stopped=False)
def set_breakpoints(*, source, breakpoints=(), **args):
    path = source["path"]
    return {
        "breakpoints": points.set_points(
            path, [dict(each) for each in breakpoints], lambda spec: {"source": path, "line": spec["line"]}
        )
    }


@request("setFunctionBreakpoints", expect_stopped=False)
def set_function_breakpoints(*, breakpoints=(), **args):
    specs = [dict(each) for each in breakpoints]
    return {"breakpoints": points.set_points("", specs, lambda spec: points.function_place(spec["name"]))}


@request("setExceptionBreakpoints", expect_stopped=False)
def set_exception_breakpoints(*, filters=(), **args):
    stops.set_exceptions(filters)


@request("dataBreakpointInfo")
def data_breakpoint_info(*, name: str, frameId: int, **args):
    try:
        return watches.look_up(name, frameId)
    except (gdb.error, gdb.GdbError) as error:
        return {"dataId": None, "description": str(error)}


@request("setDataBreakpoints", expect_stopped=False)
def set_data_breakpoints(*, breakpoints=(), **args):
    return {"breakpoints": watches.set_points([dict(each) for each in breakpoints])}


@request("sightlineInput", expect_stopped=False)
def write_input(*, text: str, **args):
    program.write_input(text)


@request("sightlineJump")
def jump(*, threadId: int, file: str, line: int, **args):
    stops.jump(threadId, file, line)


def _set_up(program_path, cwd, args, env):
    if cwd is not None:
        gdb.execute("cd " + cwd, to_string=True)
    gdb_launch.file_command(program_path)
    inferior = gdb.selected_inferior()
    inferior.arguments = args
    if env is not None:
        inferior.clear_env()
        for name, value in env.items():
            inferior.set_env(name, value)
    stops.set_exceptions([])


@request("launch", on_dap_thread=True)
def launch(*, program: str, cwd=None, args=(), env=None, stopOnEntry=False, coreFile=None, **extra):
    # At once, so that breakpoints find the code they are for.
    send_gdb_with_response(lambda: _set_up(program, cwd, list(args), env))

    def go():
        if coreFile is not None:
            return send_gdb_with_response(lambda: _open_core(coreFile))
        send_gdb(lambda: _run("start" if stopOnEntry else "run"))
        return None

    return gdb_launch._LaunchOrAttachDeferredRequest(go)


def _run(command):
    events.expect_process("process")
    events._suppress_cont = True
    if stops.failures_stop():
        asserted.install()
    if command == "start":
        events.expect_stop("entry")
    try:
        program.run(command + " &")
    except gdb.error as error:
        server.send_event("output", {"category": "stderr", "output": "%s\n" % error})
        server.send_event("exited", {"exitCode": 127})
        server.send_event("terminated")


def _open_core(path):
    events.expect_process("attach")
    gdb.execute("core-file " + gdb_launch.escape_filename(path), to_string=True)
    stops.tell_core()


@request("attach", on_dap_thread=True)
def attach(*, pid=None, program=None, target=None, **args):
    send_gdb_with_response(lambda: _find_program(pid, program))

    def go():
        return send_gdb_with_response(lambda: _attach(pid, target))

    return gdb_launch._LaunchOrAttachDeferredRequest(go)


def _find_program(pid, path):
    path = path or (None if pid is None else os.path.realpath("/proc/%d/exe" % pid))
    if path is not None and os.path.exists(path):
        gdb_launch.file_command(path)
    stops.set_exceptions([])


def _attach(pid, target):
    """The program runs on, as it did."""
    events.expect_process("attach")
    expressions.is_evaluating = True
    try:
        gdb.execute("attach %d" % pid if pid is not None else "target remote %s" % target, to_string=True)
    finally:
        expressions.is_evaluating = False
    events.inferior_running = False
    stops._post("continue &")


@request("threads", expect_stopped=False)
def threads(**args):
    found = gdb.selected_inferior().threads()
    return {"threads": [{"id": each.global_num, "name": each.name or "thread %d" % each.num} for each in found[::-1]]}


@request("stackTrace")
def stack_trace(*, threadId: int, startFrame: int = 0, levels: int = 0, **args):
    return frames.stack(threadId, startFrame, levels)


@request("scopes")
def scopes(*, frameId: int, **args):
    return frames.scopes(frameId)


@request("variables")
def variables(*, variablesReference: int, start: int = 0, count: int = 0, sightline=None, **args):
    return frames.variables(variablesReference, start, count, _limits(sightline))


@request("evaluate")
def evaluate(*, expression: str, frameId=None, sightline=None, **args):
    settings = sightline or {}
    if frameId is not None:
        frames.frame_at(frameId)
    timeout_s = max(1, int(settings.get("timeoutMs", 5000) / 1000))
    value = expressions.evaluate(expression, settings.get("readOnly", False), timeout_s)
    return frames.told(expression, value, _limits(settings), "result")


@request("setExpression")
def set_expression(*, expression: str, value: str, frameId=None, sightline=None, **args):
    if frameId is not None:
        frames.frame_at(frameId)
    target = expressions.evaluate(expression, True)
    try:
        expressions.evaluate("%s = %s" % (expression, value), False)
    except gdb.error:
        # Where only our own reading knows the place.
        target.assign(expressions.evaluate(value, False))
    return frames.told(expression, expressions.evaluate(expression, True), _limits(sightline))


@request("exceptionInfo")
def exception_info(*, threadId: int, **args):
    failure = stops.failure()
    if failure.get("threadId") != threadId:
        raise gdb.GdbError("That thread stopped for another reason.")
    return {
        "exceptionId": failure["type"],
        "description": failure["message"],
        "breakMode": "unhandled" if failure["uncaught"] else "always",
        "sightlineCalls": failure.get("calls", []),
        "sightlinePrinted": failure.get("printed"),
    }
