"""What follows a rename beyond the places themselves, in the order in which it does: each one reads the draft that
those before it left.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ..answers import Conflict
from ..project.draft import Draft
from ..strings.docstring_names import follow_described_types, follow_descriptions
from ..strings.dotted_strings import follow_dotted
from ..strings.getattr_literals import follow_reached
from ..strings.name_strings import follow_exports, follow_own_name, follow_type_comments
from ..strings.names_in_comments import follow_words
from .fixtures import follow_marks
from .places import Places
from .private_names import follow_constructors, follow_private, is_private


@dataclass(frozen=True)
class Follower:
    """`change` puts into the draft what follows, and may give what it had to leave."""

    name: str
    applies_to: Callable[[Places], bool]
    change: Callable[[Places, Draft], "list[Conflict] | None"]

    def follow(self, places: Places, draft: Draft) -> list[Conflict]:
        return self.change(places, draft) or []


FOLLOWERS = [
    Follower("__all__", lambda places: bool(places.modules), follow_exports),
    Follower("the name that TypeVar is told", lambda places: True, follow_own_name),
    Follower("keywords of attrs", lambda places: places.kind == "member", follow_constructors),
    Follower("mangled private names", lambda places: is_private(places.old), follow_private),
    Follower("type comments", lambda places: True, follow_type_comments),
    Follower("descriptions", lambda places: places.kind is not None, follow_descriptions),
    Follower("types in descriptions", lambda places: places.kind is None, follow_described_types),
    Follower(
        "marks of fixtures",
        lambda places: places.kind == "parameter" or places.fixtures.place() is not None,
        follow_marks,
    ),
    Follower("dotted strings", lambda places: is_reached_by_name(places), follow_dotted),
    Follower("strings of getattr", lambda places: is_reached_by_name(places), follow_reached),
    # Last, for it changes words whatever they mean, and only where that is wanted.
    Follower("comments and strings", lambda places: places.request.docs, follow_words),
]


def is_reached_by_name(places: Places) -> bool:
    """Whether strings of the program can name it: what nobody sees from outside, and parameters, they cannot."""
    return places.kind != "parameter" and not places.is_local
