"""Renaming: rope finds the places, a language server is asked about those rope is not sure of, and the meaning of names is compared."""

import ast
import io
import os
import re
import tokenize

from rope.refactor import rename as rope_rename

from . import names
from .session import Refused, valid_name
from .source import chars, edited, span


def rename(session, args):
    """`sure` are places (path, line, column) that somebody who knows types says are meant; `denied` those that are not."""
    resource, offset = session.place(args)
    old, new = args["name"], args["newName"]
    valid_name(new)
    if any(use.name == old and use.line == args["line"] and use.binding == "builtin" for use in names.Module(resource.read()).uses):
        raise Refused(f'"{old}" is built into the language')
    renamer = rope_rename.Rename(session.project, resource, offset)
    if renamer.get_old_name() != old:
        raise Refused(f'rope takes the name there for "{renamer.get_old_name()}", not "{old}"')
    told, denied = _offsets(session, args.get("sure", ())), _offsets(session, args.get("denied", ()))
    unsure, sure = {}, set(told)

    def ask(occurrence):
        key = (occurrence.resource.real_path, occurrence.offset)
        if key not in sure and key not in denied and _is_code(occurrence.resource.read(), occurrence.offset):
            unsure[key] = _location(occurrence)
        return key in sure

    def changes():
        unsure.clear()
        return session.operations(renamer.get_changes(new, unsure=ask, docs=args.get("docs", False), in_hierarchy=True))

    operations = changes()
    surely = _surely(session, unsure, operations, old, new)
    if surely:
        sure |= surely
        operations = changes()
    operations = _with_places(session, operations, told, old, new)
    if not operations:
        raise Refused(f'"{old}" is not something rope can rename here')
    conflicts = _captures(session, operations, old, new)
    _strings_in_all(operations, old, new)
    for file, line, column, text in unsure.values():
        conflicts.append({"kind": "usage", "file": file, "line": line, "column": column,
                          "message": f'"{text}" may or may not be the one that is renamed: its type is not known'})
    conflicts += _stubs(session, operations, old)
    if not rope_rename._is_local(renamer.old_pyname):
        conflicts += _named_by_strings(session, operations, old)
    writes = [op for op in operations if op["kind"] == "write"]
    count = sum(_differences(session, op) for op in writes)
    summary = f"rename {old} to {new}: {count} lines in {len(writes)} file{'' if len(writes) == 1 else 's'}"
    answer = session.answer(operations, summary, conflicts=conflicts)
    answer["unsure"] = [{"path": path, "line": line, "column": column} for (path, _), (_, line, column, _) in unsure.items()]
    return answer


def _offsets(session, places):
    found = set()
    for place in places:
        if place["path"].endswith(".py") and place["path"].startswith(session.root + os.sep):
            found.add((place["path"], session.offset(session.resource(place["path"]), place["line"], place["column"])))
    return found


def _location(occurrence):
    text, offset = occurrence.resource.read(), occurrence.offset
    line = text.count("\n", 0, offset) + 1
    start = text.rfind("\n", 0, offset) + 1
    return occurrence.resource.real_path, line, len(text[start:offset].encode("utf-16-le")) // 2 + 1, text.split("\n")[line - 1].strip()


def _is_code(text, offset):
    """Whether a name stands there, and not a word of a comment or string."""
    start = text.rfind("\n", 0, offset) + 1
    place = (text.count("\n", 0, offset) + 1, offset - start)
    try:
        return any(token.type == tokenize.NAME and token.start == place for token in tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return True


def _with_places(session, operations, places, old, new):
    """Adds places that rope did not find, such as names in annotations that are strings."""
    by_path = {op["path"]: op for op in operations if op["kind"] == "write"}
    for path in {path for path, _ in places}:
        before = session.resource(path).read()
        wanted = {offset for each, offset in places if each == path and re.match(rf"{re.escape(old)}\b", before[offset:])}
        done = _replaced(before, by_path[path]["content"], old, new) if path in by_path else set()
        if done is None or wanted <= done:
            continue
        content = edited(before, [(offset, offset + len(old), new) for offset in wanted | done])
        if path in by_path:
            by_path[path]["content"] = content
        else:
            operations.append({"kind": "write", "path": path, "content": content})
    return operations


def _replaced(before, after, old, new):
    """Where the old name was replaced, or None when more than that was changed."""
    found, at, then = set(), 0, 0
    for match in re.finditer(rf"\b{re.escape(old)}\b", before):
        gap = before[at:match.start()]
        if not after.startswith(gap, then):
            return None
        at, then = match.end(), then + len(gap)
        word = re.match(r"\w+", after[then:])
        if word is None or word.group() not in (old, new):
            return None
        if word.group() == new:
            found.add(match.start())
        then += len(word.group())
    return found if before[at:] == after[then:] else None


def _surely(session, unsure, operations, old, new):
    """Of the places rope is not sure of, those that can be nothing else: `super().name` in a class whose own `name` is renamed,
    and a keyword argument of a dataclass whose field is renamed."""
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
            for node in _walk(contents.get(path, before)):
                if isinstance(node, ast.ClassDef) and node.lineno <= line <= node.end_lineno and \
                        any(getattr(n, "name", None) == new for n in node.body) and not any(getattr(n, "name", None) == old for n in node.body):
                    found.add((path, offset))
        for call in _walk(before):
            if isinstance(call, ast.Call) and (getattr(call.func, "id", None) or getattr(call.func, "attr", None)) in renamed_fields:
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
            found.append({"kind": "error", "file": op["path"], "line": error.lineno or 1, "message": f"syntax error: {error.msg}"})
            continue
        for use in (uses or [])[:5]:
            found.append({"kind": "name", "file": op["path"], "line": use.line, "column": use.column + 1,
                          "message": f'"{use.name}" would mean something else there'})
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
            return [{"kind": "name", "file": path, "message": f'"{new}" is defined in {name or "the module"} already'}]
    return []


def _strings_in_all(operations, old, new):
    """`__all__` names things by strings: these follow when the module's own name is renamed."""
    for op in operations:
        if op["kind"] != "write":
            continue
        try:
            tree = ast.parse(op["content"])
        except SyntaxError:
            continue
        defined = {getattr(n, "name", None) for n in tree.body} | {t.id for n in tree.body if isinstance(n, ast.Assign)
                                                                   for t in n.targets if isinstance(t, ast.Name)}
        for alias in (a for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names):
            defined.add(alias.asname or alias.name)
        if new not in defined or old in defined:
            continue
        lines = op["content"].split("\n")
        for item in reversed(list(exported_strings(tree, old))):
            line = lines[item.lineno - 1]
            start, end = chars(line, item.col_offset), chars(line, item.end_col_offset)
            lines[item.lineno - 1] = line[:start] + line[start:end].replace(old, new) + line[end:]
        op["content"] = "\n".join(lines)


def exported_strings(tree, name):
    """The strings in `__all__` that say this name."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
        if node_value(node) is not None and any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            for item in ast.walk(node.value):
                if isinstance(item, ast.Constant) and item.value == name:
                    yield item


def node_value(node):
    return getattr(node, "value", None)


def _stubs(session, operations, old):
    """Stub files are not rope's: one that speaks of the same module must not be left behind in silence."""
    found = []
    for op in operations:
        stub = op.get("path", "") + "i"
        if op["kind"] == "write" and os.path.isfile(stub):
            with open(stub, encoding="utf-8", errors="replace") as stream:
                for number, line in enumerate(stream, 1):
                    if re.search(rf"\b{re.escape(old)}\b", line):
                        found.append({"kind": "usage", "file": stub, "line": number, "message": f'the stub file says "{line.strip()}"'})
                        break
    return found


BY_NAME = {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"}


def _named_by_strings(session, operations, old):
    """Places that reach a member by its name in a string: `getattr(x, "name")`, and `Color["NAME"]` of an enumeration."""
    found = []
    enums = {node.name for op in operations if op["kind"] == "write" for node in _walk(session.resource(op["path"]).read())
             if isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) or "Flag" in ast.unparse(base) for base in node.bases)
             and any(isinstance(n, ast.Assign) and any(getattr(t, "id", None) == old for t in n.targets) for n in node.body)}
    for resource, _text, tree in session.trees(old):
        for node in ast.walk(tree):
            called = isinstance(node, ast.Call) and (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) in BY_NAME
            chosen = isinstance(node, ast.Subscript) and getattr(node.value, "id", getattr(node.value, "attr", None)) in enums
            strings = node.args if called else [node.slice] if chosen else []
            if any(isinstance(s, ast.Constant) and s.value == old for s in strings):
                found.append({"kind": "usage", "file": resource.real_path, "line": node.lineno, "message": f'"{old}" is named by a string there'})
    return found


def _differences(session, op):
    before = session.resource(op["path"]).read().split("\n")
    after = op["content"].split("\n")
    return sum(1 for a, b in zip(before, after) if a != b) if len(before) == len(after) else 1
