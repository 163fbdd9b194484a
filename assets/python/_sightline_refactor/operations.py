"""What can be asked for, by name."""

from .check import problems
from .deleting import safe_delete
from .extracting import extract
from .inlining import inline
from .moving import move_file
from .moving_symbols import move_symbol
from .renaming import related, rename


def check(session, args):
    return problems(session.root, args["files"], args.get("contents", {}))


HANDLERS = {"related": related, "rename": rename, "extract": extract, "inline": inline, "safe_delete": safe_delete, "move_symbol": move_symbol,
            "move_file": move_file, "check": check}
