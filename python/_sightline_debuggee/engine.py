"""Joins Sightline to pydevd: requests of our own, a stop event that carries its report, and no Nagle delay."""

import json
import os
import sys
import threading

from . import (
    activity,
    breakpoints,
    children,
    dumps,
    evaluation,
    exceptions,
    handled,
    pausing,
    raises,
    readonly,
    stops,
    thread_ids,
    tracing,
    values,
)

_state = {"installed": False, "diesWithDebugger": False, "detached": False, "loaded": set()}


def install(dies_with_debugger=False):
    """Once per process, before or after pydevd has connected.

    :param dies_with_debugger: a program that was started to be debugged does not run on alone when the debugger is
    killed.
    """
    if _state["installed"]:
        return
    _state["installed"] = True
    _state["diesWithDebugger"] = dies_with_debugger
    from _pydevd_bundle import pydevd_net_command_factory_json, pydevd_process_net_command_json
    from _pydevd_bundle.pydevd_net_command import NetCommand

    import pydevd_tracing

    breakpoints._send_event[0] = send_event
    # doctest and others set the trace function for a moment and back; pydevd would print a page about it.
    pydevd_tracing.TracingFunctionHolder._warn = False
    _patch_sending(NetCommand)
    for module in debugger_modules():
        _patch_connecting(module)
        _patch_conditions(module.PyDB)
        _patch_suspending(module.PyDB)
        _patch_end(module.PyDB)
        exceptions.watch_programs_of(module.PyDB)
        tracing.install(module.PyDB)
    _patch_stop_event(pydevd_net_command_factory_json.NetCommandFactoryJson)
    processor = pydevd_process_net_command_json.PyDevJsonCommandProcessor
    _patch_requests(processor)
    _patch_steps(processor)
    _patch_pause(processor)
    pausing.install()
    thread_ids.install()
    if dies_with_debugger:
        dumps.install()
        raises.install()
    _patch_lost_connection()
    _patch_code_of_children()
    _patch_exit()
    _leave_connection_of_parent()
    handled.report_by(send_event)
    exceptions.watch({"logging": handled.patch_logging})
    _join_running_debugger()


def debugger_modules():
    """A child process that pydevd starts runs it as `__main__`, beside the importable one."""
    import pydevd

    main_module = sys.modules.get("__main__")
    return [pydevd] + ([main_module] if hasattr(main_module, "PyDB") and main_module is not pydevd else [])


def _patch_sending(command_class):
    """Header and body in one write."""

    def send(self, sock):
        body = self._as_bytes
        sock.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        for method in self._after_send or ():
            method(sock)

    command_class.send = send


def _patch_connecting(pydevd):
    connect = pydevd.start_client

    def start_client(host, port):
        try:
            sock = connect(host, port)
        except ConnectionRefusedError:
            _end_with_debugger()
            raise
        no_delay(sock)
        return sock

    pydevd.start_client = start_client


def no_delay(sock):
    import socket

    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (OSError, AttributeError):
        pass


def _patch_conditions(debugger_class):
    original = debugger_class.handle_breakpoint_condition

    def handle_breakpoint_condition(self, info, breakpoint, frame):
        return breakpoints.should_stop(original, self, info, breakpoint, frame)

    debugger_class.handle_breakpoint_condition = handle_breakpoint_condition


def _patch_suspending(debugger_class):
    """pydevd always stops every thread; a breakpoint may ask for its own thread only."""
    from _pydevd_bundle.pydevd_comm_constants import CMD_SET_BREAK

    original = debugger_class.set_suspend

    def set_suspend(self, thread, stop_reason, *args, **kwargs):
        if stop_reason != CMD_SET_BREAK or not breakpoints.stops_alone():
            return original(self, thread, stop_reason, *args, **kwargs)
        self.multi_threads_single_notification = False
        try:
            return original(self, thread, stop_reason, *args, **dict(kwargs, suspend_other_threads=False))
        finally:
            self.multi_threads_single_notification = True

    debugger_class.set_suspend = set_suspend


def _stopping_ids(reason):
    if reason == "exception":
        return exceptions.stopping_ids()
    return breakpoints.stopping_ids() if reason in ("breakpoint", "function breakpoint") else []


def _patch_stop_event(factory_class):
    make_stop = factory_class.make_thread_suspend_single_notification
    make_resume = factory_class.make_thread_resume_single_notification

    def make_thread_suspend_single_notification(self, py_db, thread_id, thread, stop_reason):
        command = make_stop(self, py_db, thread_id, thread, stop_reason)
        body = command.as_dict["body"]
        info = py_db.set_additional_thread_info(thread)
        info.is_tracing += 1
        try:
            body["sightline"] = stops.report(py_db, thread_id, body["reason"])
            body["sightline"]["thread"] = thread_id
            body["sightline"]["threadName"] = thread.name
            body["sightline"]["breakpoints"] = _stopping_ids(body["reason"])
            body["sightline"]["statistics"] = breakpoints.statistics()
            if body["reason"] == "breakpoint" and breakpoints.stops_alone():
                body["allThreadsStopped"] = False
        except Exception as error:
            body["sightlineProblem"] = "%s: %s" % (type(error).__name__, error)
        finally:
            info.is_tracing -= 1
        command._as_bytes = json.dumps(command.as_dict, default=str).encode("utf-8")
        return command

    def make_thread_resume_single_notification(self, thread_id):
        stops.forget()
        return make_resume(self, thread_id)

    factory_class.make_thread_suspend_single_notification = make_thread_suspend_single_notification
    factory_class.make_thread_resume_single_notification = make_thread_resume_single_notification


def _patch_steps(processor_class):
    """From the user's own code, steps stay in it; inside a library they go line by line."""
    from _pydevd_bundle import pydevd_comm_constants as commands

    def step(own, anywhere):
        def on_request(self, py_db, request):
            thread_id = request.arguments.threadId
            frame = stops.find_frame(py_db, thread_id, 0)
            stay = (
                getattr(py_db, "sightline_just_my_code", True) and frame is not None and py_db.in_project_scope(frame)
            )
            self.api.request_step(py_db, thread_id, own if stay else anywhere)
            return _answer_command(request.seq, request.command, {})

        return on_request

    processor_class.on_next_request = step(commands.CMD_STEP_OVER_MY_CODE, commands.CMD_STEP_OVER)
    processor_class.on_stepin_request = step(commands.CMD_STEP_INTO_MY_CODE, commands.CMD_STEP_INTO)
    processor_class.on_stepout_request = step(commands.CMD_STEP_RETURN_MY_CODE, commands.CMD_STEP_RETURN)


def _patch_pause(processor_class):
    pause = processor_class.on_pause_request

    def on_pause_request(self, py_db, request):
        if pausing.is_standing(py_db):
            return _answer_command(request.seq, request.command, {})
        answer = pause(self, py_db, request)
        pausing.nudge_later(py_db)
        return answer

    processor_class.on_pause_request = on_pause_request


def _patch_requests(processor_class):
    original = processor_class.process_net_command_json

    def process_net_command_json(self, py_db, json_contents, send_response=True):
        text = json_contents.decode("utf-8") if isinstance(json_contents, bytes) else json_contents
        if '"disconnect"' in text:
            _state["detached"] = True
        message = json.loads(text)
        tracing.begin_for(py_db, message)
        if message.get("command") == "pause":
            pausing.let_resumed_leave(py_db)
        if '"sightline' in text:
            handler = _HANDLERS.get(message.get("command"))
            if handler is not None:
                _handle(self, py_db, message, handler)
                return
        original(self, py_db, json_contents, send_response)

    processor_class.process_net_command_json = process_net_command_json


def _join_running_debugger():
    """The case of an attached program: pydevd's reader holds the old methods already."""
    from _pydevd_bundle.pydevd_constants import get_global_debugger

    py_db = get_global_debugger()
    if py_db is None or getattr(py_db, "reader", None) is None:
        return
    tracing.begin(py_db)
    processor = py_db.reader.process_net_command_json.__self__
    py_db.reader.process_net_command_json = processor.process_net_command_json
    no_delay(py_db.reader.sock)


def _patch_lost_connection():
    from _pydevd_bundle import pydevd_comm

    name = "_terminate_on_socket_close"
    original = getattr(pydevd_comm.ReaderThread, name)

    def terminate_on_socket_close(self):
        if not self.py_db.pydb_disposed:
            _end_with_debugger()
        original(self)

    setattr(pydevd_comm.ReaderThread, name, terminate_on_socket_close)


def _end_with_debugger():
    """Without it a forked child that cannot connect would go on with an exception in the code of its parent."""
    if _state["diesWithDebugger"] and not _state["detached"]:
        import signal

        os.kill(os.getpid(), signal.SIGKILL)


def _patch_code_of_children():
    """A child that runs code (``-c``, and those of multiprocessing) is not told what to import first; others are."""
    import pydevd
    from _pydev_bundle import pydev_monkey
    from _pydevd_bundle.pydevd_defaults import PydevdCustomization

    write = pydev_monkey._get_python_c_args

    def _get_python_c_args(*args, **more):
        code = write(*args, **more)
        if not PydevdCustomization.PREIMPORT:
            return code
        configured = "pydevd.config(%r, %r" % (
            pydev_monkey.pydevd_constants.get_protocol(),
            PydevdCustomization.DEBUG_MODE,
        )
        old, new = configured + ");", "%s, %r);" % (configured, PydevdCustomization.PREIMPORT)
        if isinstance(code, bytes):
            old, new = old.encode("utf-8"), new.encode("utf-8")
        return code.replace(old, new, 1)

    if "preimport" in pydevd.config.__code__.co_varnames:
        pydev_monkey._get_python_c_args = _get_python_c_args


def _patch_end(debugger_class):
    """The last word goes out before pydevd closes, and then nobody waits for threads that end with the process
    anyway.
    """
    dispose = debugger_class.dispose_and_kill_all_pydevd_threads

    def dispose_and_kill_all_pydevd_threads(self, wait=True, timeout=0.5):
        tell_last_word(self)
        dispose(self, wait=wait and not _state["diesWithDebugger"], timeout=timeout)

    debugger_class.dispose_and_kill_all_pydevd_threads = dispose_and_kill_all_pydevd_threads


def _patch_exit():
    """Children of multiprocessing leave without the usual farewell."""
    leave = os._exit

    def _exit(status):
        from _pydevd_bundle.pydevd_constants import get_global_debugger

        try:
            tell_last_word(get_global_debugger())
        finally:
            leave(status)

    os._exit = _exit  # ty: ignore[invalid-assignment]


def _leave_connection_of_parent():
    """A forked child would keep the connection of its parent open after the parent has ended."""

    def close():
        from _pydevd_bundle.pydevd_constants import get_global_debugger

        reader = getattr(get_global_debugger(), "reader", None)
        if reader is not None:
            reader.sock.close()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=close)


def tell_last_word(py_db):
    """What the breakpoints of this process have seen."""
    from _pydevd_bundle.pydevd_net_command import NetCommand

    if py_db is None or py_db.writer is None or py_db.pydb_disposed:
        return
    body = {"breakpoints": breakpoints.statistics(), "loaded": loaded_files()}
    command = NetCommand(502, 0, {"type": "event", "event": "sightlineStatistics", "body": body}, is_json=True)
    sent = threading.Event()
    command.call_after_send(lambda sock: sent.set())
    py_db.writer.add_command(command)
    sent.wait(0.5)


def loaded_files():
    """Which files with breakpoints this process has loaded as modules."""
    from pydevd_file_utils import canonical_normalized_path

    wanted = {canonical_normalized_path(file): file for file in breakpoints.files()}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str):
            found = wanted.get(canonical_normalized_path(file))
            if found is not None:
                _state["loaded"].add(found)
    return sorted(_state["loaded"])  # ty: ignore[invalid-argument-type]


# --- requests of our own ---


def _handle(processor, py_db, message, handler):
    args = message.get("arguments") or {}
    thread_id = args.get("thread")

    def work(debugger):
        try:
            body = handler(debugger, processor.api, args)
        except evaluation.EvaluationFailure as error:
            command = _failure(message, str(error))
        except readonly.Refused as error:
            command = _failure(message, "Refused in read-only mode: %s." % error)
        except Exception as error:
            command = _failure(message, "%s: %s" % (type(error).__name__, error))
        else:
            command = _answer_command(message["seq"], message["command"], body)
        debugger.writer.add_command(command)

    if handler is _activity:
        work(py_db)
    elif thread_id is None:
        with py_db._main_lock:
            work(py_db)
    else:
        py_db.post_method_as_internal_command(thread_id, work)


def _answer_command(seq, name, body):
    from _pydevd_bundle.pydevd_net_command import NetCommand

    return NetCommand(
        502, 0, {"type": "response", "request_seq": seq, "success": True, "command": name, "body": body}, is_json=True
    )


def _failure(message, text):
    from _pydevd_bundle.pydevd_net_command import NetCommand

    answer = {
        "type": "response",
        "request_seq": message["seq"],
        "success": False,
        "command": message["command"],
        "message": text,
    }
    return NetCommand(502, 0, answer, is_json=True)


def send_event(name, body):
    from _pydevd_bundle.pydevd_constants import get_global_debugger
    from _pydevd_bundle.pydevd_net_command import NetCommand

    py_db = get_global_debugger()
    if py_db is not None and py_db.writer is not None:
        py_db.writer.add_command(NetCommand(502, 0, {"type": "event", "event": name, "body": body}, is_json=True))


def _hello(py_db, api, args):
    return {
        "pid": os.getpid(),
        "ppid": py_db.get_arg_ppid() or os.getppid(),
        "token": py_db.authentication.client_access_token,
        "python": "%d.%d.%d" % sys.version_info[:3],
        "executable": sys.executable,
        "argv": list(sys.argv)[:8],
        "stacks": dumps.stacks(),
    }


def _set_lines(py_db, api, args):
    return {"bindings": breakpoints.set_lines(py_db, api, args["file"], args["breakpoints"])}


def _set_functions(py_db, api, args):
    return {"bindings": breakpoints.set_functions(py_db, api, args["breakpoints"])}


def _set_exceptions(py_db, api, args):
    return {"bindings": exceptions.configure(py_db, api, args["breakpoints"])}


def _options(py_db, api, args):
    py_db.sightline_just_my_code = args.get("justMyCode", True)
    return {}


def _statistics(py_db, api, args):
    return {"breakpoints": breakpoints.statistics(), "loaded": loaded_files()}


def _stack(py_db, api, args):
    frames_list, frames, described = stops.describe_frames(py_db, args["of"], args["start"], args["count"])
    if frames_list is not None:
        return {"frames": described, "total": len(frames)}
    thread = stops.thread_named(args["of"])
    frames = [] if thread is None else activity.now(py_db, thread)[0]
    part = frames[args["start"] : args["start"] + args["count"]]
    return {"frames": [stops.describe_frame(py_db, each) for each in part], "total": len(frames), "running": True}


def _variables(py_db, api, args):
    limits = args["limits"]
    if args.get("scope"):
        frame = _frame(py_db, args)
        every = stops.local_children(frame) if args["scope"] == "locals" else stops.global_children(frame)
        needle = (args.get("filter") or "").lower()
        every = [child for child in every if needle in child.name.lower()]
        part, total = every[args["start"] : args["start"] + args["count"]], len(every)
    else:
        try:
            value, path = stops.open_reference(args["ref"])
        except KeyError:
            raise evaluation.EvaluationFailure("This value belongs to an earlier stop.")
        part, total = children.page(value, path, args["start"], args["count"], args.get("filter"))
    return {"variables": stops.describe_all(part, limits), "total": total}


def _evaluate(py_db, api, args):
    frame = _frame(py_db, args)
    value = evaluation.evaluate(
        py_db, frame, args["expression"], args["timeoutMs"] / 1000.0, args.get("readOnly", False)
    )
    values.flush_output()
    return stops.describe(children.Child(args["expression"], value, "(%s)" % args["expression"]), args["limits"])


def _set_variable(py_db, api, args):
    frame = _frame(py_db, args)
    _, new = evaluation.assign(py_db, frame, args["path"], args["value"], args["timeoutMs"] / 1000.0)
    return stops.describe(children.Child(args["path"], new, args["path"]), args["limits"])


def _exception(py_db, api, args):
    frames_list, _ = stops.visible_frames(py_db, args["thread"])
    return {"exception": None if frames_list is None else stops.describe_exception(py_db, frames_list)}


def _threads(py_db, api, args):
    return {"threads": stops.describe_threads(py_db)}


def _activity(py_db, api, args):
    return activity.look(py_db, args["seconds"])


def _frame(py_db, args):
    frame = stops.find_frame(py_db, args["thread"], args["frame"])
    if frame is None:
        raise evaluation.EvaluationFailure("This frame belongs to an earlier stop.")
    return frame


_HANDLERS = {
    "sightlineHello": _hello,
    "sightlineOptions": _options,
    "sightlineLines": _set_lines,
    "sightlineFunctions": _set_functions,
    "sightlineExceptions": _set_exceptions,
    "sightlineStatistics": _statistics,
    "sightlineStack": _stack,
    "sightlineVariables": _variables,
    "sightlineEvaluate": _evaluate,
    "sightlineSetVariable": _set_variable,
    "sightlineException": _exception,
    "sightlineThreads": _threads,
    "sightlineActivity": _activity,
}
