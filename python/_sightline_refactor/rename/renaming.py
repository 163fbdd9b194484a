"""Renaming: places → followers → checks. The trial is the other side's, which also asks a language server about the
places that are not sure; `rename.ts` tells how the two speak with each other.
"""

import os

from ..answers import Conflict, RenameAnswer
from ..requests import MoveFileRequest, Place, RelatedRequest, RenameRequest
from ..families.families import Family
from ..session import valid_name
from .attribute_owners import keys_asked_for
from .checks import CHECKS
from .followers import FOLLOWERS
from .newer_syntax import rename_as_told, summary, unread
from .occurrences import first_draft
from .places import declarations, find
from .target import meant


def related(session, args: RelatedRequest):
    """Where else the same thing is declared, as far as places are known that mean it: somebody who knows types can be
    asked about these too.
    """
    session.refresh()
    if unread(session, args):
        return []
    family = Family(session, args.name, declarations(session, args), args.alike)
    return [Place(*place) for place in family.places]


def rename(session, args: RenameRequest, move_file) -> RenameAnswer:
    """A module is renamed by moving its file."""
    session.refresh()
    valid_name(args.new_name.removesuffix(".py"))
    if unread(session, args):
        return rename_as_told(session, args)
    places = find(session, meant(session, args))
    module = places.module()
    if module is not None:
        ending = ".py" if module.endswith(".py") else ""
        moved = MoveFileRequest(module, os.path.join(os.path.dirname(module), places.new + ending))
        return RenameAnswer(**vars(move_file(session, moved)))
    draft = first_draft(places)
    conflicts: list[Conflict] = []
    for follower in FOLLOWERS:
        if follower.applies_to(places):
            conflicts += follower.follow(places, draft)
    for check in CHECKS:
        if check.applies_to(places):
            conflicts += check.conflicts(places, draft)
    if places.guessed:
        draft.notes.insert(
            0,
            f"{len(places.guessed)} uses of things of unknown type were taken for it, since nothing else in the "
            "project has that name",
        )
    return RenameAnswer(
        draft.operations(),
        summary(places.old, places.new, sum(_differences(draft, one) for one in draft.writes()), len(draft.writes())),
        draft.notes,
        conflicts,
        list(places.unsure.values()),
        keys_asked_for(places),
    )


def _differences(draft, write):
    before, after = draft.before(write.path).split("\n"), write.content.split("\n")
    return sum(1 for a, b in zip(before, after) if a != b) if len(before) == len(after) else 1
