"""What can be wrong with a rename when all that follows has followed: each check gives its conflicts, which are told in
this order.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..answers import Conflict
from .. import refusals
from ..project import trees as ast
from ..project import names
from ..project.decorators import registered_by
from ..project.draft import Draft
from ..project.source import FUNCTIONS
from ..project.stubs import left_behind
from ..strings.methods_named_after_class import called_after
from ..strings.reflection import found_by_name
from ..strings.runtime_visible_names import no_longer_collected, shown_by_f_strings
from .fixtures import is_fixture
from .followers import is_reached_by_name
from .places import Places
from .private_names import becomes_private, is_private


@dataclass(frozen=True)
class Check:
    name: str
    applies_to: Callable[[Places], bool]
    conflicts: Callable[[Places, Draft], list[Conflict]]


def _outside_class(places, draft):
    return [
        _here(places, refusals.BELONGS_TO_OUTSIDE_CLASS.words(name=places.old, outside=outside))
        for outside in places.family.outside[:1]
    ]


def _language_meaning(places, draft):
    return [_here(places, refusals.LANGUAGE_MEANING.words(name=places.old))]


def _here(places, message):
    return Conflict("meaning", message, places.request.path, places.request.line)


def _captured(places, draft):
    """Names that would mean something else."""
    found = []
    for path in draft.modules():
        try:
            uses = names.captured(draft.before(path), draft.text(path), places.old, places.new)
        except SyntaxError as error:
            found.append(Conflict("error", f"syntax error: {error.msg}", path, error.lineno or 1))
            continue
        for use in (uses or [])[:5]:
            message = refusals.WOULD_MEAN_OTHER.words(name=use.name)
            found.append(Conflict("name", message, path, use.line, column=use.column + 1))
    return found


def _defined_twice(places, draft):
    """A class or module that has two definitions of one name where it had one of each before."""

    def counted(tree):
        return {
            getattr(node, "name", ""): sum(1 for each in node.body if getattr(each, "name", None) == places.new)
            for node in ast.walk(tree)
            if isinstance(node, (ast.ClassDef, ast.Module))
        }

    found = []
    for path in draft.modules():
        tree = draft.tree(path)
        before = counted(ast.parse(draft.before(path))) if tree is not None else {}
        for owner, count in counted(tree).items() if tree is not None else ():
            if 1 <= before.get(owner, 0) < count:
                message = refusals.DEFINED_ALREADY.words(name=places.new, module=owner or "the module")
                found.append(Conflict("name", message, path))
                break
    return found


def _member_exists(places, draft):
    return [
        Conflict("name", refusals.MEMBER_EXISTS.words(name=places.new, owner=owner), path, line)
        for path, line, owner in places.family.clashes(places.new)
    ]


def _type_unknown(places, draft):
    return [
        Conflict(
            "usage",
            refusals.TYPE_UNKNOWN.words(text=draft.before(path).split("\n")[line - 1].strip()),
            path,
            line,
            column=column,
            hint="An annotation with its class there decides it; preview: true shows the change, and force: true makes "
            "it without these places.",
        )
        for path, line, column in places.unsure.values()
    ]


def _called_by_decorator(places, draft):
    """Whoever is given a function by a decorator may call it by its name."""
    session, request = places.session, places.request
    tree = session.parse(session.resource(request.path))
    declared = [
        n
        for n in ast.walk(tree)
        if isinstance(n, (*FUNCTIONS, ast.ClassDef)) and n.name == places.old and n.lineno == request.line
    ]
    shown = [
        ast.unparse(registered_by(session, tree, node)[0])
        for node in declared[:1]
        if not node.name.startswith("test") and not is_fixture(node) and registered_by(session, tree, node)
    ]
    return [
        Conflict(
            "usage",
            refusals.DECORATOR_MAY_USE_STRING.words(name=places.old, shown=shown[0]),
            other.real_path,
            n.lineno,
        )
        for other, _text, each in (session.trees(places.old) if shown else ())
        for n in ast.walk(each)
        if isinstance(n, ast.Constant) and n.value == places.old
    ][:5]


def _seen_by_eval(places, draft):
    """`locals()`, whose keys are names, and what is evaluated as text."""
    session, request, old = places.session, places.request, places.old
    return [
        Conflict("usage", refusals.NAMES_SEEN_BY_EVAL.words(name=node.name), request.path, node.lineno)
        for node in ast.walk(session.parse(session.resource(request.path)))
        if isinstance(node, FUNCTIONS)
        and node.lineno <= request.line <= node.end_lineno
        and any(
            isinstance(n, ast.Call) and getattr(n.func, "id", None) in ("locals", "eval", "exec")
            for n in ast.walk(node)
        )
        and any(
            getattr(n, "id", None) == old and not isinstance(n.ctx, ast.Load) or isinstance(n, ast.arg) and n.arg == old
            for n in ast.walk(node)
        )
    ][:5]


def _keywords_unknown(places, draft):
    message = refusals.KEYWORDS_UNKNOWN.words(name=places.old)
    return [Conflict("usage", message, path, line) for path, line in places.family.spread_at()]


def _keyword_taken(places, draft):
    message = refusals.KEYWORD_TAKEN_WITH_STARS.words(name=places.new)
    return [Conflict("name", message, path, line) for path, line in places.family.absorbed(places.new)][:5]


def _handed_on(places, draft):
    """Keywords that may reach the function, on lines where they still stand: what is known to be meant is renamed."""
    message, left = refusals.HANDED_ON_WITH_STARS.words(name=places.old), rf"\b{re.escape(places.old)}\s*="
    return [
        Conflict("usage", message, path, line)
        for path, line, _column in places.handed
        if re.search(left, draft.text(path).split("\n")[line - 1])
    ][:5]


def _taken_from_stars(places, draft):
    message = refusals.TAKEN_FROM_STARS.words(name=places.old)
    return [Conflict("usage", message, path, line) for path, line in places.family.taken()][:5]


def _named_by_decorator(places, draft):
    message = refusals.NAMED_BY_DECORATOR.words(name=places.old)
    return [Conflict("usage", message, path, line) for path, line in places.family.named_by_decorators()][:5]


def _is_parameter(places):
    return places.kind == "parameter"


def _always(places):
    return True


CHECKS = [
    Check("a class outside has it", _always, _outside_class),
    Check("another meaning", _always, _captured),
    Check("defined twice", _always, _defined_twice),
    Check("unknown type", _always, _type_unknown),
    Check(
        "meaning in the language",
        lambda places: places.kind == "member" and places.old.startswith("__") and places.old.endswith("__"),
        _language_meaning,
    ),
    Check("member exists", _always, _member_exists),
    Check("found by test runners", _always, no_longer_collected),
    Check("shown by f-strings", lambda places: not places.request.docs, shown_by_f_strings),
    Check(
        "becomes private",
        lambda places: is_private(places.new) and not is_private(places.old) and places.kind == "member",
        becomes_private,
    ),
    Check("called by a decorator", _always, _called_by_decorator),
    Check("seen by eval", _always, _seen_by_eval),
    Check("unknown keywords", lambda places: places.has_keywords, _keywords_unknown),
    Check("stub left behind", lambda places: _is_parameter(places) or is_reached_by_name(places), left_behind),
    Check("keyword taken with stars", _is_parameter, _keyword_taken),
    Check("keyword handed on", _is_parameter, _handed_on),
    Check("keyword taken from stars", _is_parameter, _taken_from_stars),
    Check("named by a decorator", _is_parameter, _named_by_decorator),
    Check("found by name", is_reached_by_name, found_by_name),
    Check("methods named after the class", is_reached_by_name, called_after),
]
