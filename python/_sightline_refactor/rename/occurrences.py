"""The first draft of a rename: rope's occurrences and the places that are known, each of which is meant, is not, or is
left to somebody who knows types.
"""

import re

from .. import refusals
from ..analysis.variables import follow_scopes, replaced
from ..families.keyword_uses import COPYING
from ..project import trees as ast
from ..project.draft import Draft
from ..project.source import edited, place_at, span
from ..session import Refused, offsets
from ..strings.name_strings import own_modules
from .places import Places
from .target import is_code


def first_draft(places: Places) -> Draft:
    """Adds to the places what turns out to be meant on the way."""
    meant = set(places.sure)
    draft = _changed(places, meant)
    more = _certain(places, draft)
    if more:
        draft = _changed(places, meant | more)
    _put_sure(places, draft)
    if not places.local:
        follow_scopes(draft, places.kind, places.old, places.new)
    if not draft.writes():
        raise Refused(refusals.NOT_RENAMABLE, name=places.old)
    if places.new != places.request.new_name:
        raise Refused(refusals.INVALID_NAME, name=places.request.new_name)
    places.modules = own_modules(draft, places.old, places.new)
    return draft


def _changed(places, meant):
    """What rope makes of it when it asks us about each occurrence that it is not sure of."""
    places.unsure.clear()
    session = places.session
    if places.renamer is None:
        unclear = offsets(session, places.family.unclear())
        places.sure |= {key for key in unclear if _is_meant(places, meant, session.resource(key[0]), key[1])}
        return Draft(session)

    def ask(occurrence):
        return _is_meant(places, meant, occurrence.resource, occurrence.offset)

    return Draft(session, session.operations(places.renamer.get_changes(places.new, unsure=ask, in_hierarchy=True)))


def _is_meant(places, meant, resource, offset):
    key, text, family = (resource.real_path, offset), resource.read(), places.family
    if key in meant or key in places.denied or not is_code(text, offset) or not _can_be(places, text, offset):
        return key in meant
    place = place_at(resource, offset)
    is_other = family.kind is None and (family.is_keyword(*place) or family.is_from_elsewhere(*place))
    judged = False if is_other or family.is_of_literal(*place) else family.judged(*place)
    if judged is False:
        return False
    if places.request.asked and (judged or family.is_unique and not family.is_made_outside(*place)):
        places.guessed.append(key)
        meant.add(key)
        return True
    places.unsure[key] = place
    return False


def _can_be(places, text, offset):
    """A keyword names a parameter, or a field of a class that makes its parameters of its fields; what follows a dot is
    a member.
    """
    is_member = text[:offset].rstrip(" \t\\\n").endswith(".")
    if places.kind == "parameter":
        return not is_member
    if places.kind == "member":
        after = text[offset + len(places.old) :]
        return is_member or places.family.has_keywords or not re.match(r"\s*=[^=]", after)
    return True


def _put_sure(places, draft):
    """Adds places that rope did not find, such as names in annotations that are strings."""
    old, new = places.old, places.new
    for path in sorted({path for path, _ in places.sure}):
        before = draft.before(path)
        known = {offset for each, offset in places.sure if each == path}
        wanted = {offset for offset in known if re.match(rf"{re.escape(old)}\b", before[offset:])}
        done = replaced(before, draft.text(path), old, new)
        if done is not None and not wanted <= done:
            draft.put(path, edited(before, [(offset, offset + len(old), new) for offset in wanted | done]))


def _certain(places, draft):
    """Of the places nobody is sure of, those that can be nothing else: `super().name` in a class whose own `name` is
    renamed, and a keyword argument of a dataclass whose field is renamed, or of a copy of one when no other class has
    such a field.
    """
    fields, found = _renamed_fields(draft, places.new), set()
    for key, place in places.unsure.items():
        text = draft.before(place.path)
        if text[: key[1]].endswith("super()."):
            is_certain = _is_own_super(places, draft, place)
        else:
            is_certain = any(
                k.arg == places.old and span(text, k)[0] == key[1]
                for call in ast.walk(ast.parse(text))
                if isinstance(call, ast.Call)
                and (called := getattr(call.func, "id", None) or getattr(call.func, "attr", None))
                and (called in fields or called in COPYING and places.family.is_only_field)
                for k in call.keywords
            )
        found |= {key} if is_certain else set()
    return found


def _renamed_fields(draft, new):
    """The dataclasses that have a field of the new name."""
    return {
        node.name
        for path in draft.paths()
        for node in draft.nodes(path)
        if isinstance(node, ast.ClassDef)
        and any("dataclass" in ast.unparse(d) for d in node.decorator_list)
        and any(isinstance(n, ast.AnnAssign) and getattr(n.target, "id", None) == new for n in node.body)
    }


def _is_own_super(places, draft, place):
    family = places.family
    if any(
        each.module.path == place.path
        and each.node.lineno <= place.line <= each.node.end_lineno
        and any(base in family.owners for base in family.classes.above(each))
        for each in family.classes.all
    ):
        return True
    return any(
        isinstance(node, ast.ClassDef)
        and node.lineno <= place.line <= node.end_lineno
        and any(getattr(n, "name", None) == places.new for n in node.body)
        and not any(getattr(n, "name", None) == places.old for n in node.body)
        for node in draft.nodes(place.path)
    )
