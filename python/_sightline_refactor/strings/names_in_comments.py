"""Comments and strings that speak of what is renamed, where a caller wants these renamed too."""

from dataclasses import replace
import io
import os
import re
import tokenize

from ..requests import RenameRequest
from ..project import trees as ast
from ..project import names
from ..project.source import FUNCTIONS, last_line, line_start, name_place


def follow_words(places, draft):
    """A variable of a function is spoken of in the function, and all else in the files that have it, except in
    functions that have another of its name.
    """
    old = places.old
    for path in draft.paths():
        before, text = draft.before(path), draft.text(path)
        try:
            lines = _own_lines(places, path, before)
        except SyntaxError:
            continue
        word = (
            rf"(?<!\w){re.escape(old)}(?!\w)"
            if places.kind == "member"
            else rf"(?:(?<![\w.])|(?<=\b{re.escape(_stem(path))}\.)){re.escape(old)}(?!\w)"
        )
        found = [
            (begin + m.start(), begin + m.end(), places.new)
            for begin, said in _texts(text)
            for m in re.finditer(word, said)
        ]
        draft.edit(path, [each for each in found if text.count("\n", 0, each[0]) + 1 in lines])


def _own_lines(places, path, before):
    """The lines of a file that can speak of what is renamed."""
    functions = [n for n in ast.walk(ast.parse(before)) if isinstance(n, (*FUNCTIONS, ast.Lambda))]
    if places.kind == "parameter" or places.local:
        own = {line for each, line, _column in places.family.places if each == path} | {
            before.count("\n", 0, at) + 1 for each, at in places.local if each == path
        }
        return {each for line in own for each in _lines_of(before, _innermost(functions, line, places.old))}
    hidden = [n for n in functions if places.kind is None and _has_own(before, n, places.old)]
    return set(range(1, before.count("\n") + 2)) - {each for n in hidden for each in _lines_of(before, n)}


def meant_by_word(session, args: RenameRequest):
    """The place of what a word in a comment or string is about, where a caller wants such words renamed: what the
    function, class or module around calls so.
    """
    if args.name.startswith("#"):
        args = replace(args, name=args.name[1:], column=args.column + 1)
    resource, offset = session.place(args)
    text, name = resource.read(), args.name
    if not args.docs or not any(begin <= offset < begin + len(said) for begin, said in _texts(text)):
        return args
    tree, lines = ast.parse(text), text.split("\n")
    around = [
        n for n in ast.walk(tree) if isinstance(n, (*FUNCTIONS, ast.ClassDef)) and args.line in _lines_of(text, n)
    ]
    for scope in [*sorted(around, key=lambda n: n.end_lineno - n.lineno), tree]:
        for node in _own_nodes(scope):
            is_member = isinstance(scope, ast.ClassDef) and isinstance(node, ast.Attribute) and node.attr == name
            is_bound = (
                isinstance(node, (*FUNCTIONS, ast.ClassDef))
                and node.name == name
                or isinstance(node, ast.arg)
                and node.arg == name
                or getattr(node, "id", None) == name
            )
            if (is_bound or is_member) and not isinstance(getattr(node, "ctx", None), ast.Load) and node is not scope:
                line, column = name_place(lines, node, name)
                return replace(args, line=line, column=column)
    return args


def _own_nodes(scope):
    """What a function, class or module binds itself: not what is inside the functions and classes in it, but for
    attributes that a class's own assign.
    """
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
        elif isinstance(scope, ast.ClassDef) and isinstance(node, FUNCTIONS):
            waiting += [n for n in ast.walk(node) if isinstance(n, ast.Attribute)]


def _stem(path):
    return os.path.basename(path).removesuffix(".py")


def _innermost(functions, line, name):
    """The function whose variable a name on a line is: the outermost of those that assign it or take it as a
    parameter.
    """
    around = [n for n in functions if n.lineno <= line <= n.end_lineno]
    having = [
        n
        for n in around
        if any(
            isinstance(each, ast.arg)
            and each.arg == name
            or isinstance(each, ast.Name)
            and each.id == name
            and not isinstance(each.ctx, ast.Load)
            for each in ast.walk(n)
        )
    ]
    return min(having or around, key=lambda n: n.end_lineno - n.lineno, default=None)


def _lines_of(text, function):
    """Its lines, with the comments below it that stand deeper than its head."""
    if function is None:
        return range(0)
    end = (
        last_line(text.split("\n"), function)
        if isinstance(function, (*FUNCTIONS, ast.ClassDef))
        else function.end_lineno
    )
    return range(function.lineno, end + 1)


def _has_own(text, function, name):
    module = names.module_of(text)
    return any(
        module.local_at(name, use.line, use.column) is not None and function.lineno <= use.line <= function.end_lineno
        for use in module.uses
        if use.name == name
    )


def _texts(text):
    """(offset, text) of the comments and strings; of an f-string what stands outside of its braces."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token in tokens:
        prefix = re.match(r"\w*", token.string).group() if token.type == tokenize.STRING else ""
        if token.type in (tokenize.COMMENT, tokenize.STRING) or tokenize.tok_name[token.type] == "FSTRING_MIDDLE":
            text_of = token.string[len(prefix) :]
            yield (
                line_start(text, token.start[0]) + token.start[1] + len(prefix),
                _outside_braces(text_of) if "f" in prefix.lower() else text_of,
            )


def _outside_braces(text):
    """The text of an f-string with spaces in the place of what is computed."""
    shown, depth = [], 0
    for part in re.findall(r"\{\{|\}\}|.", text, re.S):
        depth += {"{": 1, "}": -1}.get(part, 0)
        shown.append(part if depth == 0 else " " * len(part))
    return "".join(shown)
