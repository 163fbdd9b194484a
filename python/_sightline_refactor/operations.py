"""What can be asked for, by name."""

from functools import partial

from .requests import (
    CheckRequest,
    DeleteRequest,
    ExtractRequest,
    InlineRequest,
    MoveFileRequest,
    MoveSymbolRequest,
    RelatedRequest,
    RenameRequest,
    from_wire,
)
from .check import problems
from .delete.deleting import safe_delete
from .extract.extracting import extract
from .inline.inlining import inline
from .move.moving import move_file
from .move.moving_symbols import move_symbol
from .rename.renaming import related, rename


def check(session, args: CheckRequest):
    session.refresh()
    return problems(session.root, args.files, args.contents or {})


def handler(kind, operation):
    return lambda session, args: operation(session, from_wire(kind, args))


HANDLERS = {
    "related": handler(RelatedRequest, related),
    "rename": handler(RenameRequest, partial(rename, move_file=move_file)),
    "extract": handler(ExtractRequest, extract),
    "inline": handler(InlineRequest, inline),
    "safe_delete": handler(DeleteRequest, safe_delete),
    "move_symbol": handler(MoveSymbolRequest, move_symbol),
    "move_file": handler(MoveFileRequest, move_file),
    "check": handler(CheckRequest, check),
}
