"""What can be asked for, by name."""

from functools import partial

from .check import problems
from .delete.deleting import safe_delete
from .extract.extracting import extract
from .inline.inlining import inline
from .move.moving import move_file
from .move.moving_symbols import move_symbol
from .rename.renaming import related, rename


def check(session, args):
    session.refresh()
    return problems(session.root, args["files"], args.get("contents", {}))


HANDLERS = {
    "related": related,
    "rename": partial(rename, move_file=move_file),
    "extract": extract,
    "inline": inline,
    "safe_delete": safe_delete,
    "move_symbol": move_symbol,
    "move_file": move_file,
    "check": check,
}
