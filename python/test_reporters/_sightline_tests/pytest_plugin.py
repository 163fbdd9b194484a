"""A run of pytest as events. Workers of pytest-xdist load it, too: they choose tests and attach failures to reports."""

import json
import os

import pytest

from . import events
from .selection import Selection

_SKIPPED_MODULE = "the whole file"


def pytest_configure(config):
    is_worker = hasattr(config, "workerinput")
    with open(os.environ["SIGHTLINE_TEST_REQUEST"]) as stream:
        request = json.load(stream)
    config.pluginmanager.register(_Choice(request, is_worker), "sightline-choice")
    if not is_worker:
        events.emit("runner", runner="pytest", version=pytest.__version__)
        config.pluginmanager.register(_Reporter(config), "sightline-reporter")


def ref_of(item):
    path, line, _ = item.location
    file = str(getattr(item, "path", None) or item.fspath)
    return _ref(item.nodeid, file, None if line is None else line + 1)


def _ref(nodeid, file, line=None):
    plain, bracket, parameters = nodeid.partition("[")
    names = plain.split("::")[1:] or [plain]
    names[-1] += bracket + parameters
    ref = {"suite": names[:-1], "name": names[-1], "file": file}
    if bracket:
        ref["parameters"] = parameters[:-1] if parameters.endswith("]") else parameters
    if line is not None:
        ref["line"] = line
    return ref


class _Choice(object):
    def __init__(self, request, is_worker):
        self._selection = Selection(request)
        self._is_worker = is_worker
        self._compared = None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        if self._selection.is_whole:
            return
        chosen = self._selection.chosen([(item, ref_of(item)) for item in items])
        kept = {id(item) for item in chosen}
        left = [item for item in items if id(item) not in kept]
        if not chosen and items and not self._is_worker:
            events.emit("available", names=["::".join(item.nodeid.split("::")[1:]) for item in items[:5000]])
        if left:
            items[:] = chosen
            config.hook.pytest_deselected(items=left)

    @pytest.hookimpl(tryfirst=True)
    def pytest_assertrepr_compare(self, op, left, right):
        # As text at once: what cleans up after the test may change them before it is reported.
        self._compared = (events.shown(left), events.shown(right)) if op == "==" else None

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        report = outcome.get_result()
        compared, self._compared = self._compared, None
        if call.excinfo is None or report.outcome == "passed":
            return
        is_assertion = isinstance(call.excinfo.value, AssertionError)
        if report.outcome == "failed":
            report.sightline = events.failure(call.excinfo.value, call.excinfo.tb, compared if is_assertion else None)


class _Reporter(object):
    def __init__(self, config):
        self._root = str(getattr(config, "rootpath", None) or config.rootdir)
        self._refs = {}
        self._open = {}
        self._retries = {}
        self._why = None

    def pytest_collectreport(self, report):
        if report.failed:
            problem = {"kind": "collection", "file": self._file(report.nodeid), "message": _text(report.longrepr)}
            crash = getattr(report.longrepr, "reprcrash", None)
            if crash is not None:
                problem["line"] = crash.lineno
            events.emit("problem", problem=problem)
        elif report.skipped:
            file = self._file(report.nodeid)
            ref = {"suite": [], "name": _SKIPPED_MODULE, "file": file}
            events.emit("ended", id=report.nodeid, test=ref, status="skipped", reason=_skip_reason(report))

    def pytest_collection_finish(self, session):
        for item in session.items:
            self._collected(item.nodeid, ref_of(item))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        for nodeid in ids:
            if nodeid not in self._refs:
                self._collected(nodeid, _ref(nodeid, self._file(nodeid)))

    def _collected(self, nodeid, ref):
        self._refs[nodeid] = ref
        events.emit("collected", id=nodeid, test=ref)

    def pytest_deselected(self, items):
        events.emit("deselected", count=len(items))

    def pytest_runtest_logstart(self, nodeid, location):
        ref = self._ref_of(nodeid, location)
        self._open[nodeid] = {"test": ref, "status": "passed", "duration": 0.0, "failures": [], "reason": None}
        events.emit("started", id=nodeid, test=ref)

    def pytest_runtest_logreport(self, report):
        record = self._open.get(report.nodeid)
        if record is None:
            # A worker that died while it ran this: there is no start or end of it.
            test = self._ref_of(report.nodeid, None)
            record = {"test": test, "status": "passed", "duration": 0.0, "failures": [], "reason": None}
            self._open[report.nodeid] = record
        record["duration"] += getattr(report, "duration", 0.0) or 0.0  # ty: ignore[unsupported-operator]
        if report.outcome == "rerun":
            self._retries[report.nodeid] = self._retries.get(report.nodeid, 0) + 1
        elif report.failed:
            record["status"] = "failed"
            record["failures"].append(_failure(report))
        elif report.skipped and record["status"] != "failed":
            was = getattr(report, "wasxfail", None)
            is_part = "Sub" in type(report).__name__
            if not is_part:
                record["status"] = "skipped"
                record["reason"] = _skip_reason(report) if was is None else ("xfailed: " + was).rstrip(": ")
        if report.when == "teardown" or report.when == "???":
            self._ended(report, record)

    def _ended(self, report, record):
        self._open.pop(report.nodeid, None)
        events.emit(
            "ended",
            id=report.nodeid,
            test=record["test"],
            status=record["status"],
            durationMs=round(record["duration"] * 1000, 2),
            failures=record["failures"] or None,
            reason=record["reason"],
            output=_output(report) if record["status"] == "failed" else None,
            retries=self._retries.get(report.nodeid),
        )

    def pytest_runtest_logfinish(self, nodeid):
        self._open.pop(nodeid, None)

    def pytest_internalerror(self, excrepr):
        events.emit("problem", problem={"kind": "unhandled", "message": _text(excrepr)})

    def pytest_keyboard_interrupt(self, excinfo):
        self._why = "interrupted: %s" % (excinfo.value or type(excinfo.value).__name__)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        why = self._why or session.shouldfail or session.shouldstop
        events.emit("over", why=str(why) if why else None)

    def _ref_of(self, nodeid, location):
        known = self._refs.get(nodeid)
        if known is not None and "line" in known:
            return known
        line = location[1] + 1 if location is not None and location[1] is not None else None
        ref = _ref(nodeid, self._file(nodeid), line)
        self._refs[nodeid] = ref
        return ref

    def _file(self, nodeid):
        return os.path.normpath(os.path.join(self._root, nodeid.split("::")[0]))


def _failure(report):
    told = getattr(report, "sightline", None)
    crash = getattr(report.longrepr, "reprcrash", None)
    if told is None:
        told = {"message": _text(report.longrepr)}
        if crash is not None:
            told["frames"] = [{"file": str(crash.path), "line": crash.lineno}]
    if report.when in ("setup", "teardown"):
        told = dict(told, message="in %s: %s" % (report.when, told["message"]))
    context = getattr(report, "context", None)
    if context is not None and "Sub" in type(report).__name__:
        named = getattr(context, "msg", None) or ", ".join(
            "%s=%r" % pair for pair in getattr(context, "kwargs", {}).items()
        )
        told = dict(told, message="subtest %s: %s" % (named, told["message"]))
    return told


def _skip_reason(report):
    longrepr = report.longrepr
    text = longrepr[2] if isinstance(longrepr, tuple) else _text(longrepr)
    return text[len("Skipped: ") :] if text.startswith("Skipped: ") else text


def _text(longrepr):
    """What was raised, without the code around it: the lines that pytest marks with E, or its last line."""
    text = str(longrepr)
    marked = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    return ("\n".join(marked) or text)[-4000:]


def _output(report):
    parts = [text for name, text in getattr(report, "sections", []) if name.startswith("Captured")]
    joined = "".join(parts)
    return events.last_of(joined) if joined.strip() else None
