"""The first stage of a rename: everything that is known about what is renamed, before anything is changed. Followers
and checks read it and find out nothing of this again.
"""

import functools
import os
from dataclasses import dataclass, field

from rope.base import exceptions, pynames, pyobjects
from rope.contrib import findit
from rope.refactor import rename as rope_rename

from ..requests import NameRequest, Place, RelatedRequest, RenameRequest
from .. import refusals
from ..analysis.variables import of_alias, of_local, of_same_variable
from ..families.families import Family
from ..project.source import place_at
from ..session import Refused, Session, offsets
from .attribute_owners import Owners
from .fixtures import Fixtures
from .target import is_code


@dataclass
class Places:
    session: Session
    request: RenameRequest
    family: Family
    fixtures: Fixtures
    # Where the variable of a function, or the alias of a file, stands; nothing for all else.
    local: set[tuple[str, int]]
    # What is known to be meant, and known not to be, as (path, offset).
    sure: set[tuple[str, int]]
    denied: set[tuple[str, int]]
    # rope's own rename, for what rope knows.
    renamer: rope_rename.Rename | None = None
    # Keywords of the name that may reach the function through others.
    handed: list[Place] = field(default_factory=list)
    # What nobody here can tell, and what was taken for it since nothing else can be meant.
    unsure: dict[tuple[str, int], Place] = field(default_factory=dict)
    guessed: list[tuple[str, int]] = field(default_factory=list)
    # The modules whose own name it is.
    modules: set[str] = field(default_factory=set)

    @property
    def old(self):
        return self.request.name

    @property
    def new(self):
        """A module may be called by the name of its file."""
        return self.request.new_name.removesuffix(".py")

    @property
    def kind(self):
        return self.family.kind

    @property
    def has_keywords(self):
        """Whether callers may name it as a keyword."""
        return self.family.kind == "parameter" or self.family.has_keywords

    @functools.cached_property
    def owners(self):
        return Owners(self)

    @property
    def is_local(self):
        """Whether nobody outside of its function or file can see it."""
        return bool(self.local) or self.renamer is not None and rope_rename._is_local(self.renamer.old_pyname)

    def module(self):
        """The file or folder of the module that is renamed, if it is one."""
        found = self.renamer.old_pyname.get_object() if self.renamer is not None else None
        if not isinstance(found, pyobjects.AbstractModule):
            return None
        path = found.get_resource().real_path if found.get_resource() is not None else ""
        if not self.session.is_own(path):
            raise Refused(refusals.MODULE_OF_OTHER_PROJECT, name=self.old)
        return os.path.dirname(path) if os.path.basename(path) == "__init__.py" else path


def find(session, args: RenameRequest) -> Places:
    resource, offset = session.place(args)
    family = Family(session, args.name, declarations(session, args), args.alike)
    denied = offsets(session, args.denied)
    sure = offsets(session, [*of_same_variable(session, args, family), *family.places, *family.uses])
    if family.is_unique:
        sure |= offsets(session, family.likely) - denied
    handed, certain = family.handed_on() if family.kind == "parameter" else ([], [])
    local = of_local(session, resource, args) or of_alias(session, resource, args)
    places = Places(session, args, family, Fixtures(session, args), local, sure, denied, handed=handed)
    sure |= offsets(session, [*certain, *(family.spelled() if places.has_keywords else ())]) | local
    for place in places.fixtures.parameters():
        sure |= of_local(session, session.resource(place.path), NameRequest(*place, args.name))
    is_in_string = (args.path, args.line, args.column) in family.places and not is_code(resource.read(), offset)
    if not local and not is_in_string:
        places.renamer = _renamer(places, resource, offset)
    if places.renamer is None and not local:
        sure |= offsets(session, family.keywords())
    return places


def declarations(session, args: RelatedRequest):
    resource, offset = session.place(args)
    found = [Place(args.path, args.line, args.column), *args.sure]
    try:
        definition = findit.find_definition(session.project, resource.read(), offset, resource)
    except (TypeError, AttributeError):
        # rope stumbles over the parameters of a lambda, and over variables of the module that only functions assign.
        definition = None
    if (
        definition is not None
        and definition.resource is not None
        and definition.resource.read()[definition.offset :].startswith(args.name)
    ):
        found.append(place_at(definition.resource, definition.offset))
    return found


def _renamer(places, resource, offset):
    """rope's own rename, or nothing where rope does not know the name but somebody else has told its places."""
    old = places.old
    try:
        renamer = rope_rename.Rename(places.session.project, resource, offset)
    except exceptions.RefactoringError:
        if (resource.real_path, offset) in places.sure:
            return None
        raise Refused(refusals.DECLARATION_UNKNOWN, name=old)
    if isinstance(renamer.old_pyname, pynames.AssignedName) and renamer.old_pyname.module is None:
        # A variable of the module that only functions assign.
        places.sure |= of_local(places.session, resource, places.request, ("",))
        return None
    if renamer.old_pyname.get_definition_location() in (None, (None, None)):
        # rope does not know where a parameter of a lambda is defined.
        if len(places.sure) < 2:
            raise Refused(refusals.DEFINITION_UNKNOWN, name=old)
        return None
    if not renamer.get_old_name():
        raise Refused(refusals.NO_USE_IN_STRING, name=old)
    if renamer.get_old_name() != old:
        raise Refused(refusals.ROPE_TAKES_OTHER, other=renamer.get_old_name(), name=old)
    return renamer
