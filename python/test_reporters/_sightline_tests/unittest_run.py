"""A run of unittest as events."""

import os
import re
import sys
import time
import unittest

from . import events
from .selection import Selection


def run(request):
    events.emit("runner", runner="unittest", version="%d.%d.%d" % sys.version_info[:3])
    loaded = list(_cases(_load(request.get("files") or [])))
    tests = []
    for case in loaded:
        if type(case).__name__ == "_FailedTest":
            _load_problem(case)
        else:
            tests.append((case, _ref(case)))
    selection = Selection(request)
    chosen = tests
    if not selection.is_whole:
        kept = {id(case) for case in selection.chosen(tests)}
        chosen = [pair for pair in tests if id(pair[0]) in kept]
        if not chosen and tests:
            events.emit("available", names=["::".join(ref["suite"] + [ref["name"]]) for _, ref in tests[:5000]])
        if len(chosen) < len(tests):
            events.emit("deselected", count=len(tests) - len(chosen))
    for case, ref in chosen:
        events.emit("collected", id=_id(case), test=ref)
    if request.get("collect"):
        events.emit("over")
        return 0
    result = _Result(dict((_id(case), ref) for case, ref in chosen))
    unittest.TextTestRunner(stream=sys.stderr, resultclass=lambda *_: result, buffer=True).run(  # ty: ignore[invalid-argument-type]
        unittest.TestSuite(case for case, _ in chosen)
    )
    events.emit("over")
    return 0 if result.wasSuccessful() else 1


def _load(files):
    loader = unittest.defaultTestLoader
    if not files:
        return loader.discover(".", top_level_dir=".")
    suites = []
    for path in files:
        if os.path.isdir(path):
            top = "." if os.path.exists(os.path.join(path, "__init__.py")) else path
            suites.append(loader.discover(path, top_level_dir=top))
        else:
            suites.append(_load_file(loader, path))
    return unittest.TestSuite(suites)


def _load_file(loader, path):
    dotted = os.path.relpath(path, os.getcwd())[: -len(".py")].replace(os.sep, ".")
    if dotted.startswith("..") or not all(part.isidentifier() for part in dotted.split(".")):
        sys.path.insert(0, os.path.dirname(path))
        dotted = os.path.basename(path)[: -len(".py")]
    try:
        return loader.loadTestsFromName(dotted)
    except unittest.SkipTest as error:
        ref = {"suite": [], "name": "the whole file", "file": os.path.abspath(path)}
        events.emit("ended", id=path, test=ref, status="skipped", reason=str(error))
        return unittest.TestSuite()


def _cases(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            for case in _cases(each):
                yield case
        else:
            yield each


def _load_problem(case):
    error = getattr(case, "_exception", None)
    message = str(error).strip()
    lines = message.splitlines()
    problem = {"kind": "collection", "message": (lines[-1] if lines else message) or str(case)}
    name = case._testMethodName.replace(".", os.sep) + ".py"
    if os.path.exists(name):
        problem["file"] = os.path.abspath(name)
    if "No module named 'pytest'" in problem["message"]:
        problem["message"] += " (%s has none)" % sys.executable
    places = re.findall(r'^\s*File "(.+)", line (\d+)', message, re.M)
    if places:
        problem["file"], problem["line"] = problem.get("file", places[-1][0]), int(places[-1][1])
    events.emit("problem", problem=problem)


def _id(case):
    return "%s#%d" % (case.id(), id(case))


def _ref(case):
    kind = type(case)
    name = getattr(case, "_testMethodName", None) or str(case)
    ref = {"suite": [kind.__qualname__], "name": name}
    module = sys.modules.get(kind.__module__)
    file = getattr(module, "__file__", None)
    if kind.__name__ == "ModuleSkipped":
        return {"suite": [], "name": name}
    function = getattr(kind, name, None)
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    if code is not None:
        ref["line"] = code.co_firstlineno
    if file is not None:
        ref["file"] = os.path.abspath(file)
    return ref


class _Result(unittest.TestResult):
    def __init__(self, refs):
        super(_Result, self).__init__()
        self._refs = refs
        self._began = 0.0
        self._failures = []
        self._skip = None

    def startTest(self, test):
        super(_Result, self).startTest(test)
        self._began = time.perf_counter()
        self._failures = []
        self._skip = None
        events.emit("started", id=_id(test), test=self._ref(test))

    def stopTest(self, test):
        output = self._printed()
        super(_Result, self).stopTest(test)
        status = "failed" if self._failures else "passed" if self._skip is None else "skipped"
        events.emit(
            "ended",
            id=_id(test),
            test=self._ref(test),
            status=status,
            durationMs=round((time.perf_counter() - self._began) * 1000, 2),
            failures=self._failures or None,
            reason=self._skip if status == "skipped" else None,
            output=output if status == "failed" else None,
        )

    def addFailure(self, test, err):
        # First: unittest takes its own frames out of the traceback, and with them both sides of the assertion.
        self._add(test, err)
        super(_Result, self).addFailure(test, err)

    def addError(self, test, err):
        self._add(test, err)
        super(_Result, self).addError(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            told = events.failure(err[1], err[2])
            told["message"] = "subtest %s: %s" % (subtest._subDescription(), told["message"])
            self._failures.append(told)
        super(_Result, self).addSubTest(test, subtest, err)

    def addSkip(self, test, reason):
        super(_Result, self).addSkip(test, reason)
        if hasattr(test, "_testMethodName"):
            self._skip = reason

    def addExpectedFailure(self, test, err):
        super(_Result, self).addExpectedFailure(test, err)
        self._skip = "xfailed"

    def addUnexpectedSuccess(self, test):
        super(_Result, self).addUnexpectedSuccess(test)
        self._failures.append({"message": "It passed, but was expected to fail."})

    def _add(self, test, err):
        told = events.failure(err[1], err[2])
        if hasattr(test, "_testMethodName"):
            self._failures.append(told)
            return
        # setUpClass, setUpModule: the tests below it are never started.
        events.emit(
            "problem",
            problem={
                "kind": "hook",
                "message": "%s: %s: %s" % (test, told["type"], told["message"]),
                "frames": told["frames"],
            },
        )

    def _printed(self):
        if not self.buffer:
            return None
        text = sys.stdout.getvalue() + sys.stderr.getvalue() if hasattr(sys.stdout, "getvalue") else ""  # ty: ignore[call-non-callable]
        return events.last_of(text) if text.strip() else None

    def _ref(self, test):
        return self._refs.get(_id(test)) or _ref(test)
