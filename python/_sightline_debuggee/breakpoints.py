"""Line and function breakpoints: where they really stand, whether they stop, and how often they were passed.

pydevd keeps one breakpoint per line and joins conditions and hit counts with "or"; here several may share a line, the
hit count counts only passes whose condition holds, and all of it is counted, so that "never hit" has a reason.
"""

import ast
import threading
import time

from . import printed, readonly, values

_lock = threading.Lock()
# pydevd's id of a breakpoint -> the Specs that stand on its line.
_by_engine_id = {}
_by_id = {}
_next_engine_id = [1000000]
_send_event = [None]
_last_push = [0.0]


class Spec(object):
    def __init__(self, given, line):
        self.id = given["id"]
        self.line = line
        self.file = given.get("file")
        self.condition = given.get("condition")
        self.condition_tree = ast.parse(self.condition.strip(), "<condition>", "eval") if self.condition else None
        self.read_only = bool(given.get("readOnly"))
        self.hit = given.get("hitCondition")
        self.log_parts = [_log_code(part) for part in given["logParts"]] if given.get("logParts") else None
        self._codes = {}
        self.suspend = given.get("suspend", "all")
        # Whether its line begins a statement that goes on on further lines.
        self.is_spread = False
        self.hits = 0
        self.condition_false = 0
        self.condition_errors = 0
        self.last_error = None

    def value(self, tree, frame):
        """Where evaluation is read-only it is interpreted, as every other expression is."""
        if self.read_only:
            return readonly.evaluate(tree, frame)
        # Lambdas and comprehensions inside the expression see only globals, so these carry the locals too.
        scope = dict(frame.f_globals)
        scope.update(frame.f_locals)
        return eval(self._code(tree), scope)

    def _code(self, tree):
        if tree not in self._codes:
            self._codes[tree] = compile(tree, "<breakpoint>", "eval")
        return self._codes[tree]

    def holds(self, frame):
        if self.read_only:
            return readonly.holds(self.condition_tree, frame)
        return bool(eval(self._code(self.condition_tree), frame.f_globals, frame.f_locals))

    def carry_over(self, old):
        """Setting the breakpoints of a file again must not forget what was counted."""
        same = (old.line, old.condition, old.hit) == (self.line, self.condition, self.hit)
        if same:
            self.hits, self.condition_false = old.hits, old.condition_false
            self.condition_errors, self.last_error = old.condition_errors, old.last_error

    def statistics(self):
        return {
            "id": self.id,
            "hits": self.hits,
            "conditionFalse": self.condition_false,
            "conditionErrors": self.condition_errors,
            "lastConditionError": self.last_error,
        }


def set_lines(py_db, api, file, given):
    """Replaces the line breakpoints of a file; answers one binding per breakpoint."""
    api.remove_all_breakpoints(py_db, file)
    with _lock:
        for spec in [spec for spec in _by_id.values() if spec.file == file]:
            for engine_id in [key for key, specs in _by_engine_id.items() if spec in specs]:
                del _by_engine_id[engine_id]
    old = {key: spec for key, spec in _by_id.items() if spec.file == file}
    for key in old:
        _by_id.pop(key, None)
    lines = CodeLines.of(api.filename_to_server(file))
    bindings, by_line = [], {}
    for each in given:
        each["file"] = file
        binding, line = _bind(each, lines)
        bindings.append(binding)
        if line is None:
            continue
        try:
            spec = Spec(each, line)
        except SyntaxError as error:
            binding.update(verified=False, message="The condition is not a Python expression: %s" % error.msg)
            continue
        spec.is_spread = lines is not None and lines.is_spread(line)
        if spec.id in old:
            spec.carry_over(old[spec.id])
        by_line.setdefault(line, []).append(spec)
    for line, specs in by_line.items():
        engine_id = _register(specs)
        policy = "ALL" if any(spec.suspend == "all" for spec in specs) else "NONE"
        # The condition is never evaluated by pydevd: it only makes pydevd ask `should_stop`.
        api.add_breakpoint(py_db, file, "python-line", engine_id, line, "True", "None", None, policy, None, None)
    return bindings


def set_functions(py_db, api, given):
    from _pydevd_bundle.pydevd_breakpoints import FunctionBreakpoint

    functions, bindings = [], []
    for each in given:
        try:
            spec = Spec(each, 0)
        except SyntaxError as error:
            bindings.append(
                {
                    "id": each["id"],
                    "verified": False,
                    "message": "The condition is not a Python expression: %s" % error.msg,
                }
            )
            continue
        engine_id = _register([spec])
        name = each["functionName"].rsplit(".", 1)[-1]
        functions.append(_function_breakpoint(FunctionBreakpoint, engine_id, name))
        bindings.append({"id": each["id"], "verified": True})
    api.set_function_breakpoints(py_db, functions)
    return bindings


def _function_breakpoint(kind, engine_id, name):
    try:
        made = kind(engine_id, name, "True", None, "ALL", None, None)
    except TypeError:
        # debugpy before 1.8.22, which is the one for Python 3.8 and 3.9, gives them no id.
        made = kind(name, "True", None, "ALL", None, None)
    made.breakpoint_id = engine_id
    return made


def _register(specs):
    with _lock:
        _next_engine_id[0] += 1
        _by_engine_id[_next_engine_id[0]] = specs
        for spec in specs:
            _by_id[spec.id] = spec
        return _next_engine_id[0]


def should_stop(original, py_db, info, breakpoint, frame):
    specs = _by_engine_id.get(getattr(breakpoint, "breakpoint_id", None))
    if specs is None:
        guarded = getattr(breakpoint, "sightline_read_only", None)
        if guarded is not None:
            return _holds_guarded(guarded, frame)
        return original(py_db, info, breakpoint, frame)
    if _is_call_event_of_one_liner(frame) or _is_same_pass(specs, frame):
        return False
    stopping = [spec for spec in specs if _passes(spec, frame)]
    _this_thread.stopping = [spec.id for spec in stopping]
    _this_thread.stops_alone = bool(stopping) and all(spec.suspend == "thread" for spec in stopping)
    _push_statistics_now_and_then()
    return bool(stopping)


def _holds_guarded(tree, frame):
    """The condition of an exception that is only raised, where evaluation is read-only: pydevd would just run it."""
    try:
        return readonly.holds(tree, frame)
    except Exception:
        return False


_this_thread = threading.local()


def stopping_ids():
    """The breakpoints that stop this thread now: asked in the thread itself, right after `should_stop` said so."""
    return getattr(_this_thread, "stopping", [])


def stops_alone():
    """Whether the breakpoint this thread has just met leaves the other threads running."""
    return getattr(_this_thread, "stops_alone", False)


def _passes(spec, frame):
    if spec.condition_tree is not None:
        try:
            if not spec.holds(frame):
                spec.condition_false += 1
                return False
        except Exception as error:
            spec.condition_errors += 1
            spec.last_error = values.clip("%s: %s" % (type(error).__name__, error), 200)
            return False
    spec.hits += 1
    if spec.hit is not None and not _hit_matches(spec.hit, spec.hits):
        return False
    if spec.log_parts is not None:
        text = "".join(_log_part(spec, part, frame) for part in spec.log_parts)
        # What was printed before it is read before it.
        values.flush_output()
        told = {"id": spec.id, "text": values.clip(text, 4000) + "\n", "printed": printed.byte_count()}
        _send_event[0]("sightlineLog", told)  # ty: ignore[call-non-callable]
        return False
    return spec.suspend != "none"


def _hit_matches(hit, count):
    wanted, how = hit["count"], hit["operator"]
    if how == "%":
        return wanted > 0 and count % wanted == 0
    return {
        "==": count == wanted,
        ">=": count >= wanted,
        ">": count > wanted,
        "<": count < wanted,
        "<=": count <= wanted,
    }[how]


def _is_call_event_of_one_liner(frame):
    """pydevd asks twice about modules and lambdas: when they are called and at their first line. The first is not a
    pass.
    """
    if frame.f_code.co_name not in ("<module>", "<lambda>"):
        return False
    return frame.f_lasti <= _resume_offset(frame.f_code)


def _is_same_pass(specs, frame):
    """Of a statement on several lines the first is met again when its parts are done: that is further on in the code,
    while the next round of a loop goes back.
    """
    if not any(spec.is_spread for spec in specs):
        return False
    met = _this_thread.__dict__.setdefault("met", {})
    if len(met) > 1000:
        met.clear()
    key = (id(frame), frame.f_lineno)
    before = met.get(key, frame.f_lasti)
    met[key] = frame.f_lasti
    return frame.f_lasti > before


_resume_offsets = {}


def _resume_offset(code):
    if code not in _resume_offsets:
        import dis

        _resume_offsets[code] = next(
            (each.offset for each in dis.get_instructions(code) if each.opname == "RESUME"), -1
        )
    return _resume_offsets[code]


def _log_code(part):
    if isinstance(part, str):
        return part
    expression = part["expression"].strip()
    try:
        return ast.parse(expression, "<log message>", "eval")
    except SyntaxError as error:
        return "{%s: %s}" % (expression, error.msg)


def _log_part(spec, part, frame):
    if isinstance(part, str):
        return part
    try:
        value = spec.value(part, frame)
        return value if type(value) is str else values.show(value, values.DEFAULT_LIMITS)
    except Exception as error:
        return "{%s: %s}" % (type(error).__name__, error)


def statistics():
    return [spec.statistics() for spec in list(_by_id.values())]


def files():
    return {spec.file for spec in list(_by_id.values()) if spec.file}


def _push_statistics_now_and_then():
    """A program may die without a last word, so counts are told while it runs, but not at every pass."""
    now = time.time()
    if now - _last_push[0] > 0.2:
        _last_push[0] = now
        _send_event[0]("sightlineStatistics", {"breakpoints": statistics()})  # ty: ignore[call-non-callable]


def _bind(each, lines):
    asked = each["line"]
    if lines is None:
        return {"id": each["id"], "verified": False, "message": "The file cannot be read here."}, asked
    if lines.problem:
        return {"id": each["id"], "verified": False, "message": lines.problem}, asked
    line = lines.nearest(asked)
    if line is None:
        return {
            "id": each["id"],
            "verified": False,
            "message": "There is no code on or after line %d%s." % (asked, lines.where(asked)),
            "nearestLines": lines.around(asked),
        }, None
    return {"id": each["id"], "verified": True, "line": line}, line


class CodeLines(object):
    """Which lines of a file have code, told from its source as the interpreter itself would compile it."""

    _cache = {}

    def __init__(self, source):
        self.problem = None
        self.lines = []
        self._simple = []
        self._blocks = []
        try:
            tree = ast.parse(source)
            self.lines = sorted(_code_lines(compile(source, "<lines>", "exec", dont_inherit=True)))
        except SyntaxError as error:
            self.problem = "The file does not compile: %s (line %s)" % (error.msg, error.lineno)
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                self._simple.append((node.lineno, getattr(node, "end_lineno", node.lineno)))
        texts = source.decode("utf-8", "replace").splitlines()
        self._blocks = [
            (node.lineno, _end_of_block(node, texts), kind)  # ty: ignore[missing-attribute]
            for node in ast.walk(tree)
            for kind in [_kind_of_block(node)]
            if kind and getattr(node, "end_lineno", None)
        ]

    @classmethod
    def of(cls, path):
        try:
            with open(path, "rb") as stream:
                source = stream.read()
        except OSError:
            return None
        key = (path, hash(source))
        if key not in cls._cache:
            cls._cache[key] = cls(source)
        return cls._cache[key]

    def nearest(self, asked):
        if asked in self.lines:
            return asked
        for start, end in self._simple:
            if start <= asked <= end and start in self.lines:
                return start
        block = self._innermost(asked)
        found = next((line for line in self.lines if line > asked), None)
        # Behind the loop or function that it was meant for it would stop for something else.
        return None if found is not None and block is not None and found > block[1] else found

    def _innermost(self, asked):
        around = [block for block in self._blocks if block[0] < asked <= block[1]]
        return max(around) if around else None

    def where(self, asked):
        block = self._innermost(asked)
        return "" if block is None else " in its %s" % block[2]

    def is_spread(self, line):
        return any(start == line and end > line for start, end in self._simple)

    def around(self, asked):
        before = [line for line in self.lines if line < asked][-2:]
        after = [line for line in self.lines if line > asked][:2]
        return before + after


def _kind_of_block(node):
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        return "loop"
    return "function" if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else None


def _end_of_block(node, texts):
    """Comments behind the last statement belong to the block that they are indented like."""
    end = node.end_lineno
    for number in range(end, len(texts)):
        text = texts[number]
        if text.strip() and (not text.lstrip().startswith("#") or len(text) - len(text.lstrip()) <= node.col_offset):
            break
        if text.strip():
            end = number + 1
    return end


def _code_lines(code):
    """Definition lines count; the line of a docstring, which runs nothing, does not."""
    import dis

    found = {line for _, line in dis.findlinestarts(code) if line}
    if hasattr(dis, "Instruction") and code.co_name != "<module>":
        first = next((each for each in dis.get_instructions(code) if each.opname == "RESUME"), None)
        if first is not None and code.co_firstlineno not in _line_set_without(code, first.offset):
            found.discard(code.co_firstlineno)
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            found |= _code_lines(constant)
    return found


def _line_set_without(code, offset):
    import dis

    return {line for start, line in dis.findlinestarts(code) if start > offset}
