"""Random loops, judged pass by pass as the debugger does it: what ends by itself must never be called endless.

Run as `python randomLoops.py ASSETS SEED COUNT`; prints one line of JSON.
"""

import ast
import json
import random
import sys

sys.path.insert(0, sys.argv[1])
from _sightline_debuggee import loop_plan, loop_text, plain_state  # noqa: E402

MAX_PASSES = 300


class Cut(Exception):
    pass


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


class Judge:
    def __init__(self, text, loop):
        self.text, self.loop, self.plan, self.states, self.told, self.passes = text, loop, None, [], None, 0

    def begin(self):
        self.plan, self.states = None, []

    def visit(self, frame):
        self.passes += 1
        if self.passes > MAX_PASSES:
            raise Cut()
        if self.told is not None or self.plan is False:
            return
        if self.plan is None:
            self.plan = self.prepare(frame) or False
            if self.plan is False:
                return
        state = plain_state.of(self.plan.values(frame, self.plan.state), self.plan.attributes)
        if state is None:
            self.plan = False
        elif state in self.states:
            self.told = self.plan.reason()
        else:
            self.states.append(state)

    def prepare(self, frame):
        moving = set()
        while True:
            plan = loop_plan.plan(self.text, self.loop, frame, moving)
            if plan is None:
                return None
            gone = {stay.text for stay in plan.staying if not stay.holds(frame)}
            if gone <= moving:
                break
            moving |= gone
        if plan.touches_objects and plain_state.of(plan.values(frame, plan.objects), plan.attributes) is None:
            return None
        return plan


def judge(source):
    """`HOOK` at the beginning of a pass, `LEFT` where the loop has been left; neither is in the text that is judged."""
    shown = source.replace("HOOK", "pass").replace("LEFT", "pass")
    tree = ast.parse(shown)
    mark = source[: source.index("HOOK")].count("\n") + 1
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While) and node.lineno <= mark <= node.end_lineno]
    text = loop_text.Text(shown, tree, {})
    text.is_text_of = lambda code: True
    found = Judge(text, max(loops, key=lambda node: node.lineno))
    space = {"Node": Node, "hook": lambda: found.visit(sys._getframe(1)), "left": found.begin}
    exec(compile(source.replace("HOOK", "hook()").replace("LEFT", "left()"), "<random>", "exec"), space)
    try:
        space["f"](random.randint(-4, 9), random.randint(-4, 9), [random.randint(-4, 9) for _ in range(3)], "xyz")
        ended = True
    except Cut:
        ended = False
    except (TypeError, ValueError, IndexError, KeyError, ZeroDivisionError, AttributeError, OverflowError, AssertionError, UnboundLocalError):
        ended = True
    return found.told, ended


NAMES = ["a", "b", "c", "d"]
VALUES = NAMES + ["a + 1", "b - c", "c * 2", "d % 3", "a ^ b", "len(items)", "items[0]", "items[-1]", "o.value", "table['n']", "abs(d)", "twice(a)", "1", "0", "7", "0.5 * d", "d / 2", "min(a, b)", "seq[1]", "len(word)", "int(d)"]
TESTS = ["a < b", "b > 0", "c != d", "len(items) < 9", "items", "a", "not b", "o.value < 7", "table['n'] < 6", "a in items", "len(word) < 8", "c <= len(items)", "o.following is None", "True", "d > 0.5", "a == b or c", "count < 50"]
SIMPLE = ["items.append(a)", "items.pop()", "items.insert(0, b)", "o.value += 1", "table['n'] += 1", "word += 'x'", "word = word[1:]", "a, b = b, a", "o = Node(1)", "o = o.following or o", "items = items[1:]", "items = items + [c]", "items.reverse()", "seq = (a, b)", "count += 1", "pass"]


def simple(rng):
    kind = rng.random()
    if kind < 0.4:
        return "%s %s %s" % (rng.choice(NAMES), rng.choice(["=", "=", "+=", "-=", "^="]), rng.choice(VALUES))
    if kind < 0.6:
        return "%s %s 1" % (rng.choice(NAMES), rng.choice(["+=", "-="]))
    return rng.choice(SIMPLE)


def statement(rng):
    kind = rng.random()
    if kind < 0.65:
        return [simple(rng)]
    if kind < 0.8:
        return ["if %s:" % rng.choice(TESTS), "    " + simple(rng), "else:", "    " + simple(rng)]
    if kind < 0.9:
        return ["if %s:" % rng.choice(TESTS), "    " + rng.choice(["break", "continue", "return a", "raise ValueError(a)"])]
    return ["for x in items[:4]:", "    " + simple(rng)]


def program(rng):
    body = ["HOOK"] + [line for _ in range(rng.randint(1, 4)) for line in statement(rng)]
    loop = ["while %s:" % rng.choice(TESTS)] + ["    " + line for line in body]
    if rng.random() < 0.3:
        loop = ["for k in range(8):", "    LEFT"] + ["    " + line for line in loop]
    head = ["c, d, word, seq, count = 2, 5, 'w', (1, 2), 0", "o = Node(0, Node(3))", "table = {'n': 0}"]
    lines = ["def twice(x):", "    return x * 2", "", "def f(a, b, items, word):"] + ["    " + line for line in head + loop]
    return "\n".join(lines) + "\n    return a\n"


def main():
    seed, count = int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    random.seed(seed)
    result = {"told": 0, "ended": 0, "cut": 0, "wrong": []}
    for _ in range(count):
        source = program(rng)
        told, ended = judge(source)
        result["told" if told else "ended" if ended else "cut"] += 1
        if told and ended:
            result["wrong"].append({"told": told, "source": source})
    result["wrong"] = result["wrong"][:3]
    print(json.dumps(result))


main()
