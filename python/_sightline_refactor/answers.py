"""What is answered, one class for each thing that is told. `ropeAnswers.ts` has the same on the other side, under the
same names.
"""

import re
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Literal

from .requests import Place


@dataclass(frozen=True)
class Write:
    """A file that exists gets another text."""

    path: str
    content: str
    kind: Literal["write"] = "write"


@dataclass(frozen=True)
class Create:
    path: str
    content: str = ""
    kind: Literal["create"] = "create"


@dataclass(frozen=True)
class Delete:
    path: str
    kind: Literal["delete"] = "delete"


@dataclass(frozen=True)
class Move:
    source: str
    to: str
    kind: Literal["rename"] = "rename"


Operation = Write | Create | Delete | Move


@dataclass(frozen=True)
class Conflict:
    """What stands in the way of a change, which may be made all the same."""

    kind: Literal["name", "usage", "meaning", "error"]
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    hint: str | None = None


@dataclass(frozen=True)
class Usage:
    """What still uses what should be deleted; the file is told from the root of the project."""

    file: str
    line: int
    kind: str
    context: str


@dataclass(frozen=True)
class StillUsed:
    name: str
    usages: list[Usage]
    cascade: bool


@dataclass(frozen=True)
class CheckedProblem:
    file: str
    line: int
    column: int
    message: str
    code: str


@dataclass
class Answer:
    operations: list[Operation]
    summary: str
    notes: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


@dataclass
class InlineAnswer(Answer):
    # Places that are left alone because nobody here knows a type for them.
    unsure: list[Place] = field(default_factory=list)


@dataclass
class RenameAnswer(InlineAnswer):
    # What stays unclear even when the type checker is content.
    keys: list[Conflict] = field(default_factory=list)


@dataclass
class MoveSymbolAnswer(Answer):
    # Variables that are given values from another module after the move.
    assigned: list[str] = field(default_factory=list)


def to_wire(value):
    """An answer as it is sent: fields under the names of the other side, without those that say nothing."""
    if isinstance(value, Place):
        return value._asdict()
    if is_dataclass(value):
        told = {wire_name(each.name): getattr(value, each.name) for each in fields(value)}
        return {name: to_wire(each) for name, each in told.items() if each is not None}
    return [to_wire(each) for each in value] if isinstance(value, (list, tuple)) else value


def wire_name(name):
    return "from" if name == "source" else re.sub(r"_(\w)", lambda match: match.group(1).upper(), name)
