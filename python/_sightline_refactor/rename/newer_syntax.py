"""Renaming in files that this interpreter is too old to read (type parameters, `type` statements): the places are those
that somebody tells who can read them, and nothing may stand there that could be meant otherwise.
"""

import re

from ..answers import Conflict, RenameAnswer, Write
from ..requests import RelatedRequest, RenameRequest
from .. import refusals
from ..project import trees as ast
from ..session import Refused, offsets
from ..project.source import edited

STATEMENT = re.compile(
    r"^([ \t]*)((?:async[ \t]+)?def[ \t]+\w+|class[ \t]+\w+|type[ \t]+[^\W\d]\w*)[ \t]*(?=[\[=])", re.M
)


def summary(old, new, lines, files):
    """How much is changed, in words."""
    return f"rename {old} to {new}: {lines} line{'' if lines == 1 else 's'} in {files} file{'' if files == 1 else 's'}"


def unread(session, args: RelatedRequest):
    """The files among those the rename is about that do not parse here but would where their syntax is known."""
    paths = {args.path, *(place.path for place in args.sure if session.is_own(place.path))}
    return [
        path
        for path in sorted(paths)
        if not _parses(session.resource(path).read()) and _parses(_without_parameters(session.resource(path).read()))
    ]


def rename_as_told(session, args: RenameRequest):
    old, new = args.name, args.new_name
    places = offsets(session, args.sure)
    resource = session.resource(args.path)
    if (resource.real_path, session.offset(resource, args.line, args.column)) not in places:
        raise Refused(refusals.TOO_OLD_TO_KNOW, path=resource.path, name=old)
    operations, conflicts = [], []
    for path in sorted({path for path, _ in places}):
        text, mine = session.resource(path).read(), {offset for each, offset in places if each == path}
        for match in re.finditer(rf"(?<!\w){re.escape(new)}(?!\w)", text):
            conflicts.append(
                _told("name", path, text, match.start(), refusals.NAME_HAS_MEANING_IN_FILE.words(name=new))
            )
        for match in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", text):
            # What follows a dot may be a member of something unknown, and a string may name it.
            if match.start() not in mine and text[match.start() - 1 : match.start()] in (".", '"', "'"):
                conflicts.append(
                    _told("usage", path, text, match.start(), refusals.MAY_OR_MAY_NOT_BE_IT.words(name=old))
                )
        if not all(text.startswith(old, offset) for offset in mine):
            raise Refused(refusals.TOO_OLD_AND_ALIASED, path=session.relative(path))
        operations.append(Write(path, edited(text, [(offset, offset + len(old), new) for offset in mine])))
    notes = [
        f"this interpreter is too old to read {session.relative(path)}: the type checker alone told the places"
        for path in unread(session, args)[:1]
    ]
    lines = len({(path, session.resource(path).read().count("\n", 0, offset)) for path, offset in places})
    return RenameAnswer(operations, summary(old, new, lines, len(operations)), notes, conflicts[:5])


def _told(kind, path, text, offset, message):
    return Conflict(kind, message, path, text.count("\n", 0, offset) + 1)


def _parses(text):
    try:
        return ast.parse(text) is not None
    except SyntaxError:
        return False


def _without_parameters(text):
    """The text as an older interpreter would read it: without type parameters, and with assignments for `type`
    statements.
    """
    parts, at = [], 0
    for match in STATEMENT.finditer(text):
        if match.start() < at:
            continue
        end = _closed(text, match.end()) if text[match.end()] == "[" else match.end()
        parts += [
            text[at : match.start()],
            match.group(1),
            "_ " if match.group(2).startswith("type") else match.group(2),
        ]
        at = end
    return "".join(parts) + text[at:]


def _closed(text, begin):
    depth = 0
    for at in range(begin, len(text)):
        depth += {"[": 1, "]": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return begin
