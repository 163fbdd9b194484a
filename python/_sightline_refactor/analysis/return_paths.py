"""Where a function returns: which of its returns are the last thing that is done, and what the other ways do
instead.
"""

from ..project import trees as ast
from . import flow
from ..project.source import own_nodes


def guard_in(statements):
    """The first statement, but for the last, that may return."""
    return next((n for n in statements[:-1] if any(isinstance(each, ast.Return) for each in own_nodes([n]))), None)


def last_branch(node):
    """What an `if` with all its `elif` does otherwise."""
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
    return node.orelse


def _is_guard(node):
    """Whether control goes on behind an `if` only by its last branch."""
    leaves = lambda block: flow.surely_assigned(block, swallowing=True) is None
    while isinstance(node, ast.If) and leaves(node.body):
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            return not leaves(node.orelse)
        node = node.orelse[0]
    return False


def last_returns(statements):
    """The returns after which nothing is left to do, or only what the other way out does; None stands for a way that
    ends without one.
    """
    guard = guard_in(statements)
    if guard is None:
        return _ending(statements)
    if not _is_guard(guard) or any(isinstance(n, ast.Return) for n in own_nodes(last_branch(guard))):
        return [None]
    own = _ending([guard])
    own.remove(None)
    return own + last_returns(statements[statements.index(guard) + 1 :])


def _ending(statements):
    """The returns that are the last thing on their way."""
    last = statements[-1] if statements else None
    if isinstance(last, ast.Return):
        return [last]
    if isinstance(last, ast.If):
        return _ending(last.body) + _ending(last.orelse)
    if isinstance(last, (ast.With, ast.AsyncWith)):
        return _ending(last.body)
    if isinstance(last, ast.Try) and not last.orelse and not last.finalbody:
        return [each for block in (last.body, *(handler.body for handler in last.handlers)) for each in _ending(block)]
    if type(last).__name__ == "Match":
        return [each for case in last.cases for each in _ending(case.body)] + (
            [] if flow.surely_assigned([last]) is None else [None]
        )
    return [] if isinstance(last, ast.Raise) else [None]
