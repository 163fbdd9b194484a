"""Inlining: what was pointed at decides which of the two ways is gone."""

from rope.refactor import inline as rope_inline

from .inline_functions import inline_function
from .inline_variables import Variable, inline_attribute, inline_from_elsewhere, is_attribute
from .session import Refused


def inline(session, args):
    resource, offset = session.place(args)
    variable = Variable.at(session, resource, args)
    if variable is not None:
        return variable.inlined(args)
    tool = rope_inline.create_inline(session.project, resource, offset)
    kind = type(tool).__name__
    if kind == "InlineParameter":
        raise Refused("a parameter is not inlined")
    if kind == "InlineVariable":
        return inline_attribute(session, tool, args) if is_attribute(session, tool, resource, args) else inline_from_elsewhere(session, tool, args)
    return inline_function(session, tool, args)
