"""Renaming: rope finds the places, a language server is asked about those rope is not sure of, and the meaning of names
is compared.
"""

from dataclasses import replace
import functools
import io
import os
import re
import tokenize

from rope.base import exceptions, pynames, pyobjects
from rope.contrib import findit
from rope.refactor import rename as rope_rename

from ..requests import MoveFileRequest, NameRequest, RelatedRequest, RenameRequest
from .. import refusals
from ..project import trees as ast
from ..project import names
from ..strings.methods_named_after_class import called_after
from ..project.decorators import registered_by
from ..strings.docstring_names import follow_described_types, follow_descriptions, follow_slots
from ..strings.dotted_strings import Strings, of_symbol
from ..families.families import Family
from .fixtures import Fixtures, follow_marks, is_fixture
from ..families.keyword_uses import COPYING
from ..strings.name_strings import follow_strings, follow_type_comments
from .newer_syntax import rename_as_told, unread
from .attribute_owners import Owners, keys_asked_for
from .private_names import follow_constructors, follow_private
from ..strings.getattr_literals import follow_reached
from ..strings.reflection import Reflection
from ..session import Refused, offsets, valid_name
from ..project.source import byte_column, edited, span
from ..project.stubs import left_behind
from ..strings.runtime_visible_names import told_conflicts
from ..analysis.variables import follow_scopes, of_alias, of_local, of_same_variable, replaced, taken_from_outside
from ..strings.names_in_comments import follow_words, meant_by_word


def related(session, args: RelatedRequest):
    """Where else the same thing is declared, as far as places are known that mean it: somebody who knows types can be
    asked about these too.
    """
    session.refresh()
    if unread(session, args):
        return []
    resource, offset = session.place(args)
    family = Family(session, args.name, _declarations(session, args, resource, offset), args.alike)
    return _shown(family.places)


def rename(session, args: RenameRequest, move_file):
    """`sure` are places (path, line, column) that somebody who knows types says are meant, `denied` those that are not.
    Only when `asked` is set is there nobody left to ask about those that rope is not sure of. A module is renamed by
    moving its file.
    """
    session.refresh()
    # A module may be called by the name of its file.
    old, new = args.name, args.new_name.removesuffix(".py")
    valid_name(new)
    if unread(session, args):
        return rename_as_told(session, args)
    args = meant_by_word(session, args)
    old = args.name
    fixtures = Fixtures(session, old, args.path, args.line, args.column)
    if fixtures.place() is not None:
        args = replace(args, **_shown([fixtures.place()])[0])
    args = _outside_strings(session, args)
    resource, offset = session.place(args)
    column = byte_column(resource.read().split("\n")[args.line - 1], args.column)
    if any(
        use.name == old and use.line == args.line and 0 <= column - use.column < len(old) and use.binding == "builtin"
        for use in names.module_of(resource.read()).uses
    ):
        raise Refused(refusals.BUILT_IN, name=old)
    taken = taken_from_outside(session, resource, args)
    if taken is not None:
        raise Refused(refusals.NAME_OF_OTHER_PROJECT, name=old, module=taken, other=new)
    family = Family(session, old, _declarations(session, args, resource, offset), args.alike)
    told = offsets(session, [*of_same_variable(session, args, family), *_shown([*family.places, *family.uses])])
    denied = offsets(session, args.denied)
    told |= offsets(session, _shown(family.likely)) - denied if family.is_unique else set()
    handed, certain = family.handed_on() if family.kind == "parameter" else ([], [])
    told |= offsets(
        session, _shown([*certain, *(family.spelled() if family.kind == "parameter" or family.has_keywords else ())])
    )
    for place in _shown(fixtures.parameters()):
        told |= of_local(session, session.resource(place["path"]), NameRequest(**place, name=old))
    local = of_local(session, resource, args) or of_alias(session, resource, args)
    told |= local
    is_in_string = (args.path, args.line, args.column) in family.places and not _is_code(resource.read(), offset)
    renamer = None if local or is_in_string else _renamer(session, resource, offset, old, told, args)
    module = _module_of(session, renamer, old)
    if module is not None:
        return move_file(
            session,
            MoveFileRequest(
                module, os.path.join(os.path.dirname(module), new + (".py" if module.endswith(".py") else ""))
            ),
        )
    if renamer is None and not local:
        told |= offsets(session, _shown(family.keywords()))
    unsure, sure, guessed = {}, set(told), []

    def ask(occurrence):
        return decide(occurrence.resource, occurrence.offset)

    def decide(found_in, at):
        key, text = (found_in.real_path, at), found_in.read()
        if key in sure or key in denied or not _is_code(text, at) or not _can_be(family, text, at, old):
            return key in sure
        place = _location(found_in, at)
        is_other = family.kind is None and (family.is_keyword(*place[:3]) or family.is_from_elsewhere(*place[:3]))
        judged = False if is_other or family.is_of_literal(*place[:3]) else family.judged(*place[:3])
        if judged is False:
            return False
        if args.asked and (judged or family.is_unique and not family.is_made_outside(*place[:3])):
            guessed.append(key)
            sure.add(key)
            return True
        unsure[key] = place
        return False

    def changes():
        unsure.clear()
        if renamer is None:
            told.update(
                key for key in offsets(session, _shown(family.unclear())) if decide(session.resource(key[0]), key[1])
            )
            return []
        return session.operations(renamer.get_changes(new, unsure=ask, in_hierarchy=True))

    operations = changes()
    surely = _surely(session, unsure, operations, family, old, new)
    if surely:
        sure |= surely
        operations = changes()
    operations = _with_places(session, operations, told, old, new)
    if not local:
        follow_scopes(session, operations, family.kind, old, new)
    if not any(_differences(session, op) for op in operations if op["kind"] == "write"):
        raise Refused(refusals.NOT_RENAMABLE, name=old)
    if new != args.new_name:
        raise Refused(refusals.INVALID_NAME, name=args.new_name)
    conflicts = [
        {
            "kind": "meaning",
            "file": resource.real_path,
            "line": args.line,
            "message": refusals.BELONGS_TO_OUTSIDE_CLASS.words(name=old, outside=outside),
        }
        for outside in family.outside[:1]
    ]
    conflicts += _captures(session, operations, old, new)
    owners = Owners(session, family, follow_strings(session, operations, old, new))
    for file, line, column, text in unsure.values():
        conflicts.append(
            {
                "kind": "usage",
                "file": file,
                "line": line,
                "column": column,
                "message": refusals.TYPE_UNKNOWN.words(text=text),
                "hint": (
                    "An annotation with its class there decides it; preview: true shows the change, and force: "
                    "true makes it without these places."
                ),
            }
        )
    if family.kind == "member" and old.startswith("__") and old.endswith("__"):
        conflicts.append(
            {
                "kind": "meaning",
                "file": resource.real_path,
                "line": args.line,
                "message": refusals.LANGUAGE_MEANING.words(name=old),
            }
        )
    conflicts += [
        {"kind": "name", "file": path, "line": line, "message": refusals.MEMBER_EXISTS.words(name=new, owner=owner)}
        for path, line, owner in family.clashes(new)
    ]
    conflicts += told_conflicts(session, operations, old, new, args.docs)
    follow_constructors(session, operations, family, old, new)
    conflicts += follow_private(session, operations, family, old, new)[:5] + _hidden_uses(session, resource, args, old)
    follow_type_comments(operations, old, new)
    follow_descriptions(operations, family, old, new)
    if family.kind is None:
        follow_described_types(operations, old, new)
    follow_slots(operations, family, old, new)
    if family.kind == "parameter" or fixtures.place() is not None:
        follow_marks(session, operations, fixtures, old, new)
    told_strings = []
    if family.kind == "parameter" or family.has_keywords:
        conflicts += [
            {
                "kind": "usage",
                "file": path,
                "line": line,
                "message": refusals.KEYWORDS_UNKNOWN.words(name=old),
            }
            for path, line in family.spread_at()
        ]
    if family.kind == "parameter":
        conflicts += left_behind(operations, old)
        conflicts += [
            {
                "kind": "name",
                "file": path,
                "line": line,
                "message": refusals.KEYWORD_TAKEN_WITH_STARS.words(name=new),
            }
            for path, line in family.absorbed(new)
        ][:5]
        conflicts += [
            {
                "kind": "usage",
                "file": path,
                "line": line,
                "message": refusals.HANDED_ON_WITH_STARS.words(name=old),
            }
            for path, line, _column in handed
            if _is_left(operations, path, line, old)
        ][:5]
        conflicts += [
            {
                "kind": "usage",
                "file": path,
                "line": line,
                "message": refusals.TAKEN_FROM_STARS.words(name=old),
            }
            for path, line in family.taken()
        ][:5]
        conflicts += [
            {"kind": "usage", "file": path, "line": line, "message": refusals.NAMED_BY_DECORATOR.words(name=old)}
            for path, line in family.named_by_decorators()
        ][:5]
    elif not local and (renamer is None or not rope_rename._is_local(renamer.old_pyname)):
        strings = Strings(session, of_symbol(owners.exports, owners.is_meant, old, new), False)
        strings.follow(operations, old)
        conflicts += left_behind(operations, old) + follow_reached(session, operations, old, new, owners.is_owner)
        reflection = Reflection(family, owners.modules, old, new)
        conflicts += reflection.conflicts() + called_after(family.classes, owners.modules, old)
        conflicts += [
            {"kind": "usage", "file": path, "line": line, "message": refusals.STRING_MAY_NAME_IT.words(name=old)}
            for path, line in strings.unclear
        ]
        told_strings = strings.notes() + reflection.notes(session)
    if args.docs:
        follow_words(session, operations, family, local, old, new)
    notes = (
        [
            f"{len(guessed)} uses of things of unknown type were taken for it, since nothing else in the project "
            "has that name"
        ]
        if guessed
        else []
    )
    notes += told_strings
    writes = [op for op in operations if op["kind"] == "write"]
    count = sum(_differences(session, op) for op in writes)
    summary = (
        f"rename {old} to {new}: {count} line{'' if count == 1 else 's'} in {len(writes)} "
        f"file{'' if len(writes) == 1 else 's'}"
    )
    answer = session.answer(operations, summary, notes, conflicts)
    answer["keys"] = keys_asked_for(session, family, old)
    answer["unsure"] = [
        {"path": path, "line": line, "column": column} for (path, _), (_, line, column, _) in unsure.items()
    ]
    return answer


def _outside_strings(session, args: RenameRequest):
    """A name within a string is one only if somebody knows that it is, who then knows where else it stands; or if the
    string declares it.
    """
    resource, offset = session.place(args)
    text, here = resource.read(), (args.path, args.line, args.column)
    strings = [
        span(text, n)
        for n in _walk(text)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.lineno <= args.line <= n.end_lineno
    ]
    if (
        _is_code(text, offset)
        or not any(begin < offset < end for begin, end in strings)
        or here in Family(session, args.name, [here]).places
    ):
        return args
    known = {
        (place["path"], place["line"], place["column"]): place
        for place in args.sure
        if place["path"].startswith(session.root + os.sep)
    }
    others = [
        place
        for place in known.values()
        if _is_code(
            session.resource(place["path"]).read(),
            session.offset(session.resource(place["path"]), place["line"], place["column"]),
        )
    ]
    if here not in known or not others:
        raise Refused(refusals.STRING_NAMES_NOTHING, name=args.name)
    return replace(args, **others[0])


def _renamer(session, resource, offset, old, told, args: RenameRequest):
    """rope's own rename, or nothing where rope does not know the name but somebody else has told its places."""
    try:
        renamer = rope_rename.Rename(session.project, resource, offset)
    except exceptions.RefactoringError:
        if (resource.real_path, offset) in told:
            return None
        raise Refused(refusals.DECLARATION_UNKNOWN, name=old)
    if isinstance(renamer.old_pyname, pynames.AssignedName) and renamer.old_pyname.module is None:
        # A variable of the module that only functions assign.
        told |= of_local(session, resource, args, ("",))
        return None
    if renamer.old_pyname.get_definition_location() in (None, (None, None)):
        # rope does not know where a parameter of a lambda is defined.
        if len(told) < 2:
            raise Refused(refusals.DEFINITION_UNKNOWN, name=old)
        return None
    if not renamer.get_old_name():
        raise Refused(refusals.NO_USE_IN_STRING, name=old)
    if renamer.get_old_name() != old:
        raise Refused(refusals.ROPE_TAKES_OTHER, other=renamer.get_old_name(), name=old)
    return renamer


def _module_of(session, renamer, old):
    """The file or folder of the module that is renamed, if it is one."""
    found = renamer.old_pyname.get_object() if renamer is not None else None
    if not isinstance(found, pyobjects.AbstractModule):
        return None
    path = found.get_resource().real_path if found.get_resource() is not None else ""
    if not path.startswith(session.root + os.sep):
        raise Refused(refusals.MODULE_OF_OTHER_PROJECT, name=old)
    return os.path.dirname(path) if os.path.basename(path) == "__init__.py" else path


def _declarations(session, args: RelatedRequest, resource, offset):
    found = [(args.path, args.line, args.column), *((one["path"], one["line"], one["column"]) for one in args.sure)]
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
        path, line, column, _text = _location(definition.resource, definition.offset)
        found.append((path, line, column))
    return found


def _can_be(family, text, offset, old):
    """A keyword names a parameter, or a field of a class that makes its parameters of its fields; what follows a dot is
    a member.
    """
    is_member = text[:offset].rstrip(" \t\\\n").endswith(".")
    if family.kind == "parameter":
        return not is_member
    if family.kind == "member":
        return is_member or family.has_keywords or not re.match(r"\s*=[^=]", text[offset + len(old) :])
    return True


def _shown(places):
    return [{"path": path, "line": line, "column": column} for path, line, column in places]


def _location(resource, offset):
    text = resource.read()
    line = text.count("\n", 0, offset) + 1
    start = text.rfind("\n", 0, offset) + 1
    return (
        resource.real_path,
        line,
        len(text[start:offset].encode("utf-16-le")) // 2 + 1,
        text.split("\n")[line - 1].strip(),
    )


def _is_code(text, offset):
    """Whether a name stands there, and not a word of a comment or string."""
    start = text.rfind("\n", 0, offset) + 1
    places = _names_in(text)
    return places is None or (text.count("\n", 0, offset) + 1, offset - start) in places


@functools.lru_cache(maxsize=8)
def _names_in(text):
    try:
        return {
            token.start for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.NAME
        }
    except (tokenize.TokenError, SyntaxError):
        return None


def _with_places(session, operations, places, old, new):
    """Adds places that rope did not find, such as names in annotations that are strings."""
    by_path = {op["path"]: op for op in operations if op["kind"] == "write"}
    for path in {path for path, _ in places}:
        before = session.resource(path).read()
        wanted = {
            offset for each, offset in places if each == path and re.match(rf"{re.escape(old)}\b", before[offset:])
        }
        done = replaced(before, by_path[path]["content"], old, new) if path in by_path else set()
        if done is None or wanted <= done:
            continue
        content = edited(before, [(offset, offset + len(old), new) for offset in wanted | done])
        if path in by_path:
            by_path[path]["content"] = content
        else:
            operations.append({"kind": "write", "path": path, "content": content})
    return operations


def _is_left(operations, path, line, old):
    """Whether a line still has a keyword of the old name: what somebody knows to be meant has been renamed."""
    content = next((op["content"] for op in operations if op["kind"] == "write" and op["path"] == path), None)
    return content is None or re.search(rf"\b{re.escape(old)}\s*=", content.split("\n")[line - 1]) is not None


def _surely(session, unsure, operations, family, old, new):
    """Of the places rope is not sure of, those that can be nothing else: `super().name` in a class whose own `name` is
    renamed, and a keyword argument of a dataclass whose field is renamed, or of a copy of one when no other class has
    such a field.
    """
    contents = {op["path"]: op["content"] for op in operations if op["kind"] == "write"}
    renamed_fields = set()
    for content in contents.values():
        for node in _walk(content):
            if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(d) for d in node.decorator_list):
                if any(isinstance(n, ast.AnnAssign) and getattr(n.target, "id", None) == new for n in node.body):
                    renamed_fields.add(node.name)
    found = set()
    for (path, offset), (_file, line, _column, _text) in unsure.items():
        before = session.resource(path).read()
        if before[:offset].endswith("super()."):
            found |= {
                (path, offset)
                for each in family.classes.all
                if each.module.path == path
                and each.node.lineno <= line <= each.node.end_lineno
                and any(base in family.owners for base in family.classes.above(each))
            }
            for node in _walk(contents.get(path, before)):
                if (
                    isinstance(node, ast.ClassDef)
                    and node.lineno <= line <= node.end_lineno
                    and any(getattr(n, "name", None) == new for n in node.body)
                    and not any(getattr(n, "name", None) == old for n in node.body)
                ):
                    found.add((path, offset))
        for call in _walk(before):
            called = isinstance(call, ast.Call) and (getattr(call.func, "id", None) or getattr(call.func, "attr", None))
            if called and (called in renamed_fields or called in COPYING and family.is_only_field):
                if any(k.arg == old and span(before, k)[0] == offset for k in call.keywords):
                    found.add((path, offset))
    return found


def _walk(text):
    try:
        return list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return []


def _captures(session, operations, old, new):
    found = []
    for op in operations:
        if op["kind"] != "write":
            continue
        before = session.resource(op["path"]).read()
        try:
            uses = names.captured(before, op["content"], old, new)
        except SyntaxError as error:
            found.append(
                {
                    "kind": "error",
                    "file": op["path"],
                    "line": error.lineno or 1,
                    "message": f"syntax error: {error.msg}",
                }
            )
            continue
        for use in (uses or [])[:5]:
            found.append(
                {
                    "kind": "name",
                    "file": op["path"],
                    "line": use.line,
                    "column": use.column + 1,
                    "message": refusals.WOULD_MEAN_OTHER.words(name=use.name),
                }
            )
        found += _member_clash(op["path"], op["content"], before, new)
    return found


def _member_clash(path, after, before, new):
    """A class or module that has two definitions of one name where it had one of each before."""
    counts = []
    for text in (before, after):
        found = {}
        for node in _walk(text):
            if isinstance(node, (ast.ClassDef, ast.Module)):
                found[getattr(node, "name", "")] = sum(1 for each in node.body if getattr(each, "name", None) == new)
        counts.append(found)
    for name, count in counts[1].items():
        if count > 1 and counts[0].get(name, 0) >= 1 and counts[0].get(name, 0) < count:
            return [
                {
                    "kind": "name",
                    "file": path,
                    "message": refusals.DEFINED_ALREADY.words(name=new, module=name or "the module"),
                }
            ]
    return []


def _hidden_uses(session, resource, args: RenameRequest, old):
    """Uses that no one sees: `locals()`, whose keys are names, and whoever is given a function by a decorator and calls
    it by its name.
    """
    found = []
    tree = session.parse(resource)
    declared = next(
        (
            n
            for n in ast.walk(tree)
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and n.name == old
            and n.lineno == args.line
        ),
        None,
    )
    if (
        declared is not None
        and not getattr(declared, "name", "").startswith("test")
        and not is_fixture(declared)
        and registered_by(session, tree, declared)
    ):
        shown = ast.unparse(registered_by(session, tree, declared)[0])
        found += [
            {
                "kind": "usage",
                "file": other.real_path,
                "line": n.lineno,
                "message": refusals.DECORATOR_MAY_USE_STRING.words(name=old, shown=shown),
            }
            for other, _text, each in session.trees(old)
            for n in ast.walk(each)
            if isinstance(n, ast.Constant) and n.value == old
        ]
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node.lineno <= args.line <= node.end_lineno
            and any(
                isinstance(n, ast.Call) and getattr(n.func, "id", None) in ("locals", "eval", "exec")
                for n in ast.walk(node)
            )
            and any(
                isinstance(n, ast.Name)
                and n.id == old
                and not isinstance(n.ctx, ast.Load)
                or isinstance(n, ast.arg)
                and n.arg == old
                for n in ast.walk(node)
            )
        ):
            found.append(
                {
                    "kind": "usage",
                    "file": resource.real_path,
                    "line": node.lineno,
                    "message": refusals.NAMES_SEEN_BY_EVAL.words(name=node.name),
                }
            )
    return found[:5]


def _differences(session, op):
    before = session.resource(op["path"]).read().split("\n")
    after = op["content"].split("\n")
    return sum(1 for a, b in zip(before, after) if a != b) if len(before) == len(after) else 1
