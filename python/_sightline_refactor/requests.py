"""What is asked for, one class for each operation. `ropeRequests.ts` has the same on the other side."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple


class Place(NamedTuple):
    """Lines and columns count from 1; columns in UTF-16 units."""

    path: str
    line: int
    column: int


@dataclass(frozen=True)
class NameRequest:
    """About a name at a place."""

    path: str
    line: int
    column: int
    name: str


@dataclass(frozen=True)
class RelatedRequest(NameRequest):
    sure: Sequence[Place] = ()
    alike: Sequence[str] = ()


@dataclass(frozen=True)
class RenameRequest(RelatedRequest):
    new_name: str = ""
    docs: bool = False
    denied: Sequence[Place] = ()
    asked: bool = False


@dataclass(frozen=True)
class InlineRequest(NameRequest):
    all: bool
    sure: Sequence[Place] = ()
    denied: Sequence[Place] = ()
    asked: bool = False


@dataclass(frozen=True)
class DeleteRequest(NameRequest):
    cascade: bool = False
    force: bool = False
    sure: Sequence[Place] = ()


@dataclass(frozen=True)
class MoveSymbolRequest(NameRequest):
    target_file: str


@dataclass(frozen=True)
class MoveFileRequest:
    source: str
    to: str


@dataclass(frozen=True)
class ExtractRequest:
    what: str
    path: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    new_name: str
    scope: str | None = None
    all: bool = False
    keeps_types: bool = False


@dataclass(frozen=True)
class CheckRequest:
    files: Sequence[str]
    contents: Mapping[str, str | None] | None = None


def from_wire(kind, args):
    """A request as it came: what is not among its fields, or is missing, is an error of ours."""
    known = {"from": "source"}
    named = {known.get(key) or re.sub(r"(?=[A-Z])", "_", key).lower(): value for key, value in args.items()}
    unknown = named.keys() - {each.name for each in fields(kind)}
    if unknown:
        raise TypeError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return kind(**{name: _places(value) if name in ("sure", "denied") else value for name, value in named.items()})


def _places(values):
    return [Place(**each) for each in values]
