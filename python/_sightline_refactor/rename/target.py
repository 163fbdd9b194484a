"""What a rename is asked of: the place of the declaration that is meant, where a word, a parameter or a string was
pointed at; and what cannot be renamed whatever it is called.
"""

import functools
import io
import tokenize
from dataclasses import replace

from ..requests import RenameRequest
from .. import refusals
from ..project import trees as ast
from ..project import names
from ..strings.names_in_comments import meant_by_word
from ..families.families import Family
from ..session import Refused
from ..project.source import byte_column, span
from ..analysis.variables import taken_from_outside
from .fixtures import Fixtures


def meant(session, args: RenameRequest) -> RenameRequest:
    """The same request about the declaration that is meant."""
    args = meant_by_word(session, args)
    fixture = Fixtures(session, args).place()
    if fixture is not None:
        args = replace(args, **fixture._asdict())
    args = _outside_strings(session, args)
    _refuse_foreign(session, args)
    return args


def _refuse_foreign(session, args):
    resource, _offset = session.place(args)
    column = byte_column(resource.read().split("\n")[args.line - 1], args.column)
    if any(
        use.name == args.name
        and use.line == args.line
        and 0 <= column - use.column < len(args.name)
        and use.binding == "builtin"
        for use in names.module_of(resource.read()).uses
    ):
        raise Refused(refusals.BUILT_IN, name=args.name)
    taken = taken_from_outside(session, resource, args)
    if taken is not None:
        raise Refused(
            refusals.NAME_OF_OTHER_PROJECT, name=args.name, module=taken, other=args.new_name.removesuffix(".py")
        )


def _outside_strings(session, args):
    """A name within a string is one only if somebody knows that it is, who then knows where else it stands; or if the
    string declares it.
    """
    resource, offset = session.place(args)
    text, here = resource.read(), (args.path, args.line, args.column)
    strings = [
        span(text, n)
        for n in ast.walk(session.parse(resource))
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.lineno <= args.line <= n.end_lineno
    ]
    if (
        is_code(text, offset)
        or not any(begin < offset < end for begin, end in strings)
        or here in Family(session, args.name, [here]).places
    ):
        return args
    known = [place for place in args.sure if session.is_own(place.path)]
    others = [place for place in known if _is_code_at(session, place)]
    if here not in known or not others:
        raise Refused(refusals.STRING_NAMES_NOTHING, name=args.name)
    return replace(args, **others[0]._asdict())


def _is_code_at(session, place):
    resource = session.resource(place.path)
    return is_code(resource.read(), session.offset(resource, place.line, place.column))


def is_code(text, offset):
    """Whether a name stands there, and not a word of a comment or string."""
    start = text.rfind("\n", 0, offset) + 1
    places = _names_in(text)
    return places is None or (text.count("\n", 0, offset) + 1, offset - start) in places


@functools.lru_cache(maxsize=8)
def _names_in(text):
    try:
        return {
            token.start for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.NAME
        }
    except (tokenize.TokenError, SyntaxError):
        return None
